"""A new site in the process that measures, without any server, and the databases that it may have."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres_server import postgres_server
from tests.servers import free_port


def measure_on_site(name: str) -> None:
    """Run the `main` of that module on a new site with an empty database, in a folder that goes then: it gets the port
    of the site's server, if it is to have one. The program ends, with success unless `main` says that it had none."""
    with TemporaryDirectory(prefix="clans-bench-", ignore_cleanup_errors=True) as folder:
        port = set_up_site(folder)
        sys.exit(import_module(f"bench.{name}").main(port) is False)


def set_up_site(folder: str, url: str = "") -> int:
    """Make a new site with DEBUG off, files in `folder`, and an empty database there or at `url`; the port of its
    server. Once a process."""
    port = free_port()
    os.environ.update(
        DJANGO_SETTINGS_MODULE="clans_site.settings",
        DEBUG="0",
        SECRET_KEY="bench" * 10,
        EMAIL_URL="smtp://127.0.0.1:1",
        SITE_URL=f"http://localhost:{port}",
        # In a folder of their own: the site closes that one to others, so also to PostgreSQL.
        VAR_DIR=str(Path(folder) / "var"),
    )
    for name in ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "ALLOWED_HOSTS", "TRUSTED_PROXIES"):
        os.environ.pop(name, None)
    if url:
        os.environ["DATABASE_URL"] = url
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    return port


def databases() -> Iterator[tuple[str, Path, str]]:
    """The name of each database, with a folder for a site, and the URL of the database, which is empty for SQLite."""
    with TemporaryDirectory(prefix="clans-bench-") as folder:
        yield "SQLite", Path(folder), ""
    with TemporaryDirectory(prefix="clans-bench-") as folder, postgres_server(Path(folder)) as server:
        yield "PostgreSQL", Path(folder), server.url

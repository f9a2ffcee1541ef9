"""A site in the process that measures, without any server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.pages import free_port, use_environment


@contextmanager
def new_site() -> Iterator[None]:
    """A new site with an empty database, in a folder that goes with the block. Django is set up: once a process."""
    with tempfile.TemporaryDirectory(prefix="clans-bench-") as folder:
        set_up_site(folder)
        yield


def set_up_site(folder: str, url: str = "") -> None:
    """Make a new site with files in `folder`, and an empty database there or at `url`. Once a process."""
    # In a folder of their own: the site closes that one to others, so also to PostgreSQL.
    use_environment(str(Path(folder) / "var"), free_port())
    if url:
        os.environ["DATABASE_URL"] = url
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)

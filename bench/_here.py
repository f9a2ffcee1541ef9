"""A site in the process that measures, without any server."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from bench.pages import use_environment


@contextmanager
def new_site() -> Iterator[None]:
    """A new site with an empty database, in a folder that goes with the block. Django is set up: once a process."""
    with tempfile.TemporaryDirectory(prefix="clans-bench-") as folder:
        use_environment(folder, 8000)
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield

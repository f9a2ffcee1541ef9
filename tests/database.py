"""The database of tests, which is migrated once for all processes that run them."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.backends.sqlite3.creation import DatabaseCreation


class Creation(DatabaseCreation):
    """Lets the first process migrate its database, while the others wait for a copy of it."""

    def create_test_db(self, *args: Any, **kwargs: Any) -> str:
        with one_at_a_time("migrating"):
            if not migrated().exists():
                name: str = super().create_test_db(*args, **kwargs)
                self._keep()
                return name
        return self._copy()

    def _keep(self) -> None:
        """Write the copy. It has its name only once it is whole."""
        making = migrated().with_suffix(".making")
        making.unlink(missing_ok=True)
        with closing(sqlite3.connect(making)) as copy:
            self.connection.connection.backup(copy)
        making.rename(migrated())

    def _copy(self) -> str:
        name: str = self._get_test_db_name()  # type: ignore[attr-defined]
        self.connection.close()
        settings.DATABASES[self.connection.alias]["NAME"] = self.connection.settings_dict["NAME"] = name
        self.connection.ensure_connection()
        with closing(sqlite3.connect(migrated())) as copy:
            copy.backup(self.connection.connection)
        return name


def migrated() -> Path:
    """Where an empty database stands that is migrated, once a process has needed one."""
    return shared_folder() / "migrated.sqlite3"


def shared_folder() -> Path:
    """The folder of all processes of this run."""
    return Path(os.environ.get("SHARED_DIR", settings.VAR_DIR))


@contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Wait until no other process of this run is in a block of this name."""
    with (shared_folder() / name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

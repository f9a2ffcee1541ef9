"""Run as a program without a database: migrates up to 0061, stores a round robin as it was then, adds an index that
some sites had already, and migrates to the end."""

from __future__ import annotations

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402
from django.utils import timezone  # noqa: E402

BEFORE = ("games", "0061_seats_left")


def migrate_up_to_then() -> None:
    executor = MigrationExecutor(connection)
    # One by one: the squashed migration leads further.
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate([BEFORE])


def store_round_robin() -> None:
    apps = MigrationLoader(connection, replace_migrations=False).project_state(BEFORE).apps
    opener = apps.get_model("games", "Player").objects.create(username="alice", email="alice@example.com")
    pace = {"move_hours": 72, "reserve_hours": 168}
    apps.get_model("games", "Season").objects.create(
        name="Club", slug="club", opener=opener, size=2, rounds=3, format="circle", created_at=timezone.now(), **pace
    )


def add_index() -> None:
    """For some hours, migration 0057 made the index that 0062 makes now."""
    with connection.schema_editor() as editor:
        editor.execute("CREATE INDEX notice_due_to ON games_notice (player_id, due_at)")


if __name__ == "__main__":
    migrate_up_to_then()
    store_round_robin()
    add_index()
    call_command("migrate", verbosity=0)

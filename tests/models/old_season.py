"""Run as a program at a site whose migrations were taken back to 0061: a round robin as it was stored then."""

from __future__ import annotations

import django

django.setup()

from django.db import connection  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402
from django.utils import timezone  # noqa: E402


def store_round_robin() -> None:
    apps = MigrationLoader(connection).project_state(("games", "0061_seats_left")).apps
    opener = apps.get_model("games", "Player").objects.create(username="alice", email="alice@example.com")
    pace = {"move_hours": 72, "reserve_hours": 168}
    apps.get_model("games", "Season").objects.create(
        name="Club", slug="club", opener=opener, size=2, rounds=3, format="circle", created_at=timezone.now(), **pace
    )


if __name__ == "__main__":
    store_round_robin()

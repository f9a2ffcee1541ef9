"""Run as a program on a database as it was before mails had rows of their own: `fill` puts notices in all states into
it."""

from __future__ import annotations

import os
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
django.setup()

from django.db import connection  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402
from django.utils import timezone  # noqa: E402

BEFORE = [("games", "0017_notice_told")]


def fill() -> None:
    executor = MigrationExecutor(connection)
    # One by one: the squashed migration leads further.
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate(BEFORE)
    apps = executor.loader.project_state(BEFORE).apps
    models = {name: apps.get_model("games", name) for name in ("Player", "Game", "Deal", "Seat", "Notice")}
    now = timezone.now()
    ago = now - timedelta(hours=1)
    player = models["Player"].objects.create(username="alice", email="alice@example.com", date_joined=ago)
    game = models["Game"].objects.create(
        name="Friday", slug="friday", size=2, status="closed", created_at=ago, opener=player
    )
    models["Deal"].objects.create(game=game, version="1", commitment="0" * 64, seed=bytes(32))
    seat = models["Seat"].objects.create(game=game, player=player, name="alice", joined=0)

    def owe(number: int, **fields: object) -> object:
        usual = {"seat": seat, "kind": "expired", "ply": 0, "number": number, "created_at": ago, "due_at": ago}
        return models["Notice"].objects.create(**(usual | {"message_id": f"<{number}@x>"} | fields))

    owe(0, due_at=now + timedelta(days=1), reason="digest")
    sent = owe(1, state="sent", sent_at=ago, dated_at=ago)
    owe(2, state="sent", sent_at=ago, carrier=sent)
    owe(3, state="sent", sent_at=ago, dated_at=ago, reason="bounced", error="550 5.1.1 no such user")
    out = owe(4, dated_at=ago, attempts=1, reason="retry", error="NoAnswer: timed out", told={})
    owe(5, carrier=out, attempts=1, reason="retry", error="NoAnswer: timed out")
    held = owe(6, state="claimed", claim="a" * 32, lease_until=ago, dated_at=ago)
    owe(7, state="claimed", claim="a" * 32, lease_until=ago, carrier=held)
    owe(8, attempts=2, reason="retry", error="451 busy")
    owe(9, crashes=2)
    owe(10, state="quarantined", error="554 5.7.1 spam", attempts=1, dated_at=ago)
    owe(11, state="quarantined", error="its sender died at every attempt", crashes=3, attempts=1, dated_at=ago)
    owe(12, state="superseded", reason="seen", dated_at=ago)
    owe(13, state="superseded", reason="past")


if __name__ == "__main__":
    fill()

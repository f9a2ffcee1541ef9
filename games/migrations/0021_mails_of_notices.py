"""A row of its own for each mail that was sent, is on its way or was tried; until now it was that of a notice.

A mail has the key of the notice that carried it: envelope senders and providers name it still.
"""

from __future__ import annotations

import re
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q
from django.db.models.functions import Coalesce

CHUNK = 500
CRASHED = "its sender died at every attempt"
ANSWER = re.compile(r"([245]\d\d) ")
OURS_TO_MEND = {"503", "530", "534", "535", "538"}
PROGRAM = re.compile(r"([A-Za-z_]+): ")
AWAY = re.compile(r"gaierror|herror|timeout|SSL\w*|SMTP\w*|OSError|\w*(Connection|Timeout|Connect)\w*")
COLUMNS = (
    "pk",
    "seat__player",
    "state",
    "reason",
    "created_at",
    "due_at",
    "claim",
    "lease_until",
    "attempts",
    "crashes",
    "message_id",
    "dated_at",
    "sent_at",
    "error",
)


def make_mails(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    notices, mails = apps.get_model("games", "Notice").objects, apps.get_model("games", "Mail").objects
    tried = Q(dated_at__isnull=False) | Q(state__in=("claimed", "sent", "quarantined"))
    tried |= Q(attempts__gt=0) | Q(crashes__gt=0)
    carriers = notices.filter(tried, carrier__isnull=True, seat__player__isnull=False)
    made: list[Any] = []
    for row in carriers.order_by("pk").values(*COLUMNS).iterator(chunk_size=CHUNK):
        made.append(_mail_of(mails.model, row))
        if len(made) == CHUNK:
            mails.bulk_create(made)
            made.clear()
    mails.bulk_create(made)
    told = notices.filter(Q(carrier__isnull=True, pk__in=mails.values("pk")) | Q(carrier__in=mails.values("pk")))
    told.update(mail=Coalesce("carrier", "pk"))
    notices.filter(state="claimed").update(state="due", claim="", lease_until=None)
    apps.get_model("games", "WebhookCall").objects.filter(state="failed").update(state="quarantined")
    _go_on_after_the_notices(schema_editor)


def _mail_of(model: Any, row: dict[str, Any]) -> Any:
    error, detail = _code_of(row["error"])
    came_back = row["state"] == "sent" and row["reason"] == "bounced"
    same = ("state", "created_at", "due_at", "claim", "lease_until", "attempts", "crashes", "message_id", "sent_at")
    return model(
        pk=row["pk"],
        player_id=row["seat__player"],
        dated_at=row["dated_at"] or row["sent_at"],
        error="returned" if came_back else error,
        detail=row["error"] if came_back else detail,
        **{name: row[name] for name in same},
    )


def _code_of(error: str) -> tuple[str, str]:
    """The code and the detail for what was kept as one text."""
    if answer := ANSWER.match(error):
        if answer[1] in OURS_TO_MEND:
            return "no_entry", error
        return ("refused" if error.startswith("5") else "busy"), error
    if program := PROGRAM.match(error):
        return _code_of_program(program[1]), error
    if error == CRASHED:
        return "crashed", ""
    return ("provider" if error else ""), error


def _code_of_program(name: str) -> str:
    known = {"NoAnswer": "no_answer", "SMTPAuthenticationError": "no_entry"}
    return known.get(name, "away" if AWAY.fullmatch(name) else "fault")


def _go_on_after_the_notices(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let no mail have the key of a notice of before, whose own may still come back."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT max(id) FROM games_notice")
        last = cursor.fetchone()[0]
        if last is None:
            return
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute("SELECT setval(pg_get_serial_sequence('games_mail', 'id'), %s)", [last])
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = 'games_mail'")
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('games_mail', %s)", [last])


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0020_mail"),
    ]

    operations = [
        migrations.RunPython(make_mails),
    ]

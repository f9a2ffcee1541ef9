"""Run as a program: looks into the database. `left` prints what is still owed; a file of what was seen is judged."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db.models import Q  # noqa: E402
from django.utils import timezone  # noqa: E402

from games import mail  # noqa: E402
from games.models import Game, Mail, Move, Notice  # noqa: E402

State = Notice.State


def left() -> int:
    waiting = Q(state=State.DUE) | Q(state=State.QUARANTINED, mail__crashes__gt=0)
    held = Mail.objects.filter(state__in=(Mail.State.DUE, Mail.State.CLAIMED))
    return Notice.objects.filter(waiting).count() + held.count()


def judge(seen: dict[str, Any]) -> Iterator[str]:
    """A line for each kind of fault."""
    played = set(Move.objects.values_list("game__slug", "ply", "text"))
    if lost := [tuple(move) for move in seen["acknowledged"] if tuple(move) not in played]:
        yield f"{len(lost)} acknowledged moves are lost, such as {lost[0]}"
    yield from _mails(set(seen["ids"]))
    yield from mail.faults(at=timezone.now())
    for game in Game.objects.filter(moves__isnull=False).distinct():
        if game.moves.count() != game.ply:
            yield f"{game.slug} counts {game.ply} moves and has {game.moves.count()}"
        game.steps()


def _mails(arrived: set[str]) -> Iterator[str]:
    sent = set(Mail.objects.filter(state=Mail.State.SENT).values_list("message_id", flat=True))
    if missing := sent - arrived:
        yield f"{len(missing)} mails are stamped as sent and never arrived"
    # Who died after the server's yes leaves a mail that has become untrue before another could send it again.
    known = set(Mail.objects.values_list("message_id", flat=True))
    if unknown := arrived - known:
        yield f"{len(unknown)} mails that nobody owed have arrived"
    if odd := Notice.objects.filter(state=State.SENT).exclude(mail__state=Mail.State.SENT).count():
        yield f"{odd} notices are stamped as sent and were in no mail that was"
    if odd := Notice.objects.filter(state=State.SUPERSEDED).exclude(reason=Notice.Reason.PAST).count():
        yield f"{odd} notices were dropped for no reason"
    if set_aside := Notice.objects.filter(state=State.QUARANTINED).count():
        yield f"{set_aside} notices are set aside"
    for notice in Notice.objects.filter(state=State.SUPERSEDED).select_related("seat__game"):
        if notice.kind != Notice.Kind.TURN and notice.seat.game.status == Game.Status.RUNNING:
            yield f"notice {notice.pk} was dropped while it was true"


if __name__ == "__main__":
    if sys.argv[1] == "left":
        print(left())
    else:
        found = list(judge(json.loads(Path(sys.argv[1]).read_text())))
        print(json.dumps({"faults": found, "states": Counter(Notice.objects.values_list("state", flat=True))}))

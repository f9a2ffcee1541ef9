"""What is owed by mail, as rows: written with what causes them, so that neither exists without the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from games.enqueue import enqueue
from games.mail.plan import decide
from games.models import Notice, Player, Seat

SEND_TASK: Final = "games.tasks.send_notice"

State = Notice.State


def owe(
    seats: Sequence[Seat],
    *,
    kind: Notice.Kind,
    ply: int,
    at: datetime,
    number: int = 0,
    about: int | None = None,
) -> list[Notice]:
    """Owe a mail of `kind` to the player of each of `seats`, and ask for it to be sent once the transaction has
    committed. What is owed.

    Call it inside the transaction that causes the mail, with the game and the player of each seat loaded. What nobody
    wants is owed all the same, and superseded at once: the player's mail log tells why.
    """
    notices = [_filled_in(Notice(seat=seat, kind=kind, ply=ply, number=number, about=about), at=at) for seat in seats]
    owed = Notice.objects.bulk_create(notices)
    for notice in owed:
        if notice.state == State.DUE and notice.due_at <= at:
            enqueue(SEND_TASK, notice.pk)
    return owed


def _filled_in(notice: Notice, *, at: datetime) -> Notice:
    if notice.seat.player_id is not None:
        notice.player_id = notice.seat.player_id
    notice.created_at = notice.due_at = at
    verdict = decide(notice, at=at)
    notice.state, notice.reason = State.SUPERSEDED if verdict.is_dropped else State.DUE, verdict.reason
    notice.due_at = verdict.until or at
    return notice


def owe_many(notices: Sequence[Notice], *, at: datetime) -> None:
    """Owe these, whose seats are loaded with game and player, for the sweep; what is owed already stays as it is."""
    Notice.objects.bulk_create([_filled_in(notice, at=at) for notice in notices], ignore_conflicts=True)


def replan(player: Player, *, at: datetime) -> None:
    """Decide again on mail that waits for `player`, whose preferences have changed. Dropped mail stays dropped."""
    waiting = Notice.objects.loaded().filter(player=player, state=State.DUE, mail__isnull=True)
    for notice in waiting:
        verdict = decide(notice, at=at)
        fields: dict[str, Any] = {"state": State.SUPERSEDED} if verdict.is_dropped else {"due_at": verdict.until or at}
        free = Notice.objects.filter(pk=notice.pk, state=State.DUE, mail__isnull=True)
        free.update(reason=verdict.reason, **fields)


def supersede_before(moment: datetime) -> int:
    """Supersede every notice that was due before then: where a whole history is made at once, nobody wants all of it.
    How many they were, in one query."""
    late = Notice.objects.filter(state=State.DUE, due_at__lt=moment, mail__isnull=True)
    return late.update(state=State.SUPERSEDED, reason=Notice.Reason.PAST)

"""The mails owed, as rows: written with what causes them, so that neither exists without the other.

A sender claims a notice by a conditional update, so of many that try at once one gets it. The claim is a lease: when
its holder dies, it runs out and another sender takes over. Every later change of the row asks for the holder's own
token (`Notice.claim`), so that a sender who comes back from the dead changes nothing.

What is due to one player at the same time goes as one mail: the notice that was claimed is its carrier, the others
ride with it. Only a carrier whose mail has surely not gone out takes on riders or lets them off.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Coalesce
from django.utils.dateparse import parse_duration

from games.knock import knock
from games.mail.plan import Verdict, decide
from games.models import Game, Notice, Player, Seat
from games.prepared import change, fetch

SEND_TASK: Final = "games.tasks.send_notice"
LEASE: Final = timedelta(seconds=settings.MAIL_LEASE_SECONDS)
"""Longer than a mail can take: about ten answers of the server, each within EMAIL_TIMEOUT."""
ERROR_LENGTH: Final = 300
FREE: Final[dict[str, Any]] = {"claim": "", "lease_until": None}
ANEW: Final[dict[str, Any]] = {"dated_at": None, "told": None}
"""Of a mail that surely is not out: it is made anew."""

TOLD: Final[dict[str, Callable[[str], Any]]] = {
    "status": str,
    "ply": int,
    "edition": int,
    "to_move": int,
    "turn_since": datetime.fromisoformat,
    "free_until": datetime.fromisoformat,
    "due_at": datetime.fromisoformat,
}
OWN: Final[dict[str, Callable[[str], Any]]] = {"reserve_used": parse_duration, "reserve_taken": parse_duration}
"""What a mail tells of a table and of its reader's seat that changes as the game goes on, and how it is read again."""

State = Notice.State


def owe(
    seats: Sequence[Seat],
    *,
    kind: Notice.Kind,
    ply: int,
    at: datetime,
    number: int = 0,
    about: int | None = None,
) -> None:
    """Owe a mail of `kind` to the player of each of `seats`, and knock once the transaction has committed.

    Call it inside the transaction that causes the mail, with the game and the player of each seat loaded. What nobody
    wants is owed all the same, and superseded at once: the player's mail log tells why.
    """
    notices = [_written(Notice(seat=seat, kind=kind, ply=ply, number=number, about=about), at=at) for seat in seats]
    for notice in Notice.objects.bulk_create(notices):
        if notice.state == State.DUE and notice.due_at <= at:
            knock(SEND_TASK, notice.pk)


def _written(notice: Notice, *, at: datetime) -> Notice:
    notice.created_at = notice.due_at = at
    notice.message_id = make_msgid(domain=settings.MAIL_DOMAIN)
    verdict = decide(notice, at=at)
    notice.state, notice.reason = State.SUPERSEDED if verdict.is_dropped else State.DUE, verdict.reason
    notice.due_at = verdict.until or at
    return notice


def owe_many(notices: Sequence[Notice], *, at: datetime) -> None:
    """Owe these, whose seats are loaded with game and player, for the sweep; what is owed already stays as it is."""
    Notice.objects.bulk_create([_written(notice, at=at) for notice in notices], ignore_conflicts=True)


def replan(player: Player, *, at: datetime) -> None:
    """Decide anew on all that waits for `player`, whose wishes have changed. Nothing that was dropped comes back."""
    waiting = _loaded().filter(seat__player=player, state=State.DUE, carrier__isnull=True)
    waiting = waiting.filter(attempts=0, dated_at__isnull=True)
    for notice in waiting:
        verdict = decide(notice, at=at)
        fields = {"state": State.SUPERSEDED} if verdict.is_dropped else {"due_at": verdict.until or at}
        Notice.objects.filter(pk=notice.pk, state=State.DUE).update(reason=verdict.reason, **fields)


def forgo(*, before: datetime) -> int:
    """Supersede every mail that was due before then: where a whole history is made at once, nobody wants all of it.

    The number of mails forgone, in one query.
    """
    late = Notice.objects.filter(state=State.DUE, due_at__lt=before)
    return late.update(state=State.SUPERSEDED, reason=Notice.Reason.PAST)


def claim(pk: int, *, at: datetime) -> Notice | None:
    """The notice, leased to the caller alone, with its seat, game and player; None if there is nothing to send.

    That is so when it is not due, another sender has it, or it has been sent. A lease that ran out counts as a crash
    of its holder. Costs 2 queries.
    """
    token = secrets.token_hex(16)
    if not change(_leased, pk, token, at, at + LEASE):
        return None
    found = fetch(_claimed, pk, token)
    return found[0] if found else None


def _leased(pk: int, token: str, at: datetime, until: datetime) -> tuple[QuerySet[Notice], dict[str, Any]]:
    crash = Case(When(state=State.CLAIMED, then=1), default=0)
    held = {"state": State.CLAIMED, "claim": token, "lease_until": until, "dated_at": Coalesce("dated_at", at)}
    return Notice.objects.sendable(at).filter(pk=pk), {"crashes": F("crashes") + crash, **held}


def _claimed(pk: int, token: str) -> QuerySet[Notice]:
    return _loaded().filter(pk=pk, claim=token)


def gather(carrier: Notice, *, at: datetime) -> list[Notice]:
    """The notices that go with the mail of `carrier`, claimed at `at`: leased with it, longest due first.

    They are those that rode with it before, when it may have gone out already; else whatever is due to its reader now,
    but for what some sender died of. Costs a query, and 2 more when there are any.
    """
    if may_be_out(carrier, at=at):
        rows = fetch(_riding, carrier.pk)
    elif carrier.crashes or carrier.kind == Notice.Kind.TEST:
        return []
    else:
        rows = fetch(_waiting, carrier.seat.player_id or 0, at)
    found = [pk for (pk,) in rows]
    if not found:
        return []
    free = Notice.objects.filter(Q(carrier__isnull=True, state=State.DUE) | Q(carrier=carrier), pk__in=found)
    free.update(state=State.CLAIMED, claim=carrier.claim, lease_until=carrier.lease_until, carrier=carrier)
    return list(_loaded().filter(pk__in=found, claim=carrier.claim).order_by("due_at", "pk"))


def may_be_out(carrier: Notice, *, at: datetime) -> bool:
    """Whether the mail, claimed at `at`, was tried before and may have gone out then."""
    return carrier.dated_at is not None and carrier.dated_at < at


def keep_told(notices: Sequence[Notice]) -> None:
    """Keep how the tables stand of which these are about to tell in one mail, the carrier first: each goes on by
    itself, and should the mail go again, it says what it said. A query."""
    carrier = notices[0]
    told = {str(notice.pk): {**_facts(notice.seat.game, TOLD), **_facts(notice.seat, OWN)} for notice in notices}
    Notice.objects.filter(pk=carrier.pk, claim=carrier.claim).update(told=told)


def as_told(notices: Sequence[Notice]) -> None:
    """Let the tables of these, of a mail that may be out, stand as it told of them; nothing is saved. A mail of one
    notice goes only while that is true, and tells of it as it is."""
    for notice in notices:
        facts = (notices[0].told or {}).get(str(notice.pk), {})
        for name, value in facts.items():
            row = notice.seat.game if name in TOLD else notice.seat
            setattr(row, name, None if value is None else (TOLD | OWN)[name](value))


def _facts(row: Game | Seat, names: Iterable[str]) -> dict[str, str | None]:
    values = ((name, getattr(row, name)) for name in names)
    return {name: None if value is None else str(value) for name, value in values}


def _riding(carrier: int) -> QuerySet[Notice, tuple[int]]:
    return Notice.objects.filter(carrier=carrier, state__in=(State.DUE, State.CLAIMED)).values_list("pk")


def _waiting(player: int, at: datetime) -> QuerySet[Notice, tuple[int]]:
    """What is due to a player and can ride."""
    due = Notice.objects.filter(state=State.DUE, due_at__lte=at, carrier__isnull=True, seat__player=player)
    return due.filter(crashes=0, dated_at__isnull=True).exclude(kind=Notice.Kind.TEST).values_list("pk")


def stamp_sent(carrier: Notice, *, at: datetime) -> bool:
    """Note that the mail of `carrier` went out, with all that rode with it; False, and nothing changed, when the claim
    has been lost."""
    return change(_stamped, carrier.pk, carrier.claim, at) > 0


def _stamped(pk: int, token: str, at: datetime) -> tuple[QuerySet[Notice], dict[str, Any]]:
    sent = {"state": State.SENT, "sent_at": at, "reason": "", "error": "", "told": None}
    return _held_by(pk, token), {**sent, **FREE}


def settle(notice: Notice, verdict: Verdict, *, at: datetime) -> bool:
    """Let a notice that was claimed at `at` wait, or drop it, instead of sending it; False when the claim has been
    lost. Whatever rode with it is due by itself again, unless the mail may be out and waits."""
    if verdict.until is not None and may_be_out(notice, at=at):
        return _release(_held(notice), state=State.DUE, due_at=verdict.until, reason=verdict.reason) > 0
    fields: dict[str, Any] = {"state": State.SUPERSEDED, "reason": verdict.reason, "error": ""}
    if verdict.until is not None:
        fields |= {"state": State.DUE, "due_at": verdict.until, **ANEW}
    return _let_go(notice, carrier=None, **fields)


def hand_back(carrier: Notice, *, at: datetime) -> bool:
    """Let the mail that was claimed at `at` be due as it was before; False when the claim has been lost."""
    before: dict[str, Any] = {} if may_be_out(carrier, at=at) else {**ANEW, "carrier": None}
    return _release(_held(carrier), state=State.DUE, **before) > 0


def put_off(carrier: Notice, *, until: datetime, error: str, may_have_gone: bool) -> bool:
    """Let the mail be due again at `until`, and count the attempt; False when the claim has been lost.

    A mail that surely has not gone out is made anew then; one that may have goes again as it was.
    """
    again: dict[str, Any] = {} if may_have_gone else {**ANEW, "carrier": None}
    retry = {"state": State.DUE, "due_at": until, "reason": Notice.Reason.RETRY, "error": error[:ERROR_LENGTH]}
    return _release(_held(carrier), attempts=F("attempts") + 1, **retry, **again) > 0


def quarantine(notice: Notice, *, error: str, reason: str = "", until: datetime | None = None) -> bool:
    """Set the mail aside for a person to look at; False when the claim has been lost. What rode with it goes by itself,
    each alone when it was a sender's death that set it aside; then `until` is when it gets another chance."""
    aside: dict[str, Any] = {"state": State.QUARANTINED, "error": error[:ERROR_LENGTH], "reason": reason}
    if until is not None:
        aside["due_at"] = until
    return _let_go(notice, rider_crashes=max(0, notice.crashes - 1), attempts=F("attempts") + 1, **aside)


def pardon(*, crashes: int, at: datetime) -> int:
    """Give another chance, alone, to what was set aside after so many crashes and whose time has come: many a sender is
    killed that would have sent it. How many they were."""
    aside = Notice.objects.filter(state=State.QUARANTINED, crashes__gte=crashes, due_at__lte=at)
    return aside.update(state=State.DUE, crashes=crashes - 1)


def _let_go(notice: Notice, *, rider_crashes: int | None = None, **fields: Any) -> bool:
    """Change the notice and let what rides with it be due by itself; False, and nothing changed, when the claim has
    been lost: then both are another's."""
    crashes = {} if rider_crashes is None else {"crashes": rider_crashes}
    with transaction.atomic():
        if not _release(_held(notice).filter(pk=notice.pk), **fields):
            return False
        riders = Notice.objects.filter(carrier=notice, state__in=(State.DUE, State.CLAIMED))
        _release(riders, state=State.DUE, carrier=None, **ANEW, **crashes)
    return True


def _held(notice: Notice) -> QuerySet[Notice]:
    """The rows that the holder of the claim of `notice` still holds."""
    return _held_by(notice.pk, notice.claim)


def _held_by(pk: int, token: str) -> QuerySet[Notice]:
    return Notice.objects.filter(Q(pk=pk) | Q(carrier=pk), claim=token, state=State.CLAIMED)


def _release(held: QuerySet[Notice], **fields: Any) -> int:
    return held.update(**FREE, **fields)


def _loaded() -> QuerySet[Notice]:
    """Notices with what a mail is made of; no card among it."""
    loaded = Notice.objects.select_related("seat__game", "seat__player")
    return loaded.defer("seat__clan", "seat__entropy", "seat__player__password")

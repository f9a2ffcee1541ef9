"""A mail that came in, from its bytes to what became of it (design 3.2): whether it is its player's, what it asks for,
and what is done and said of it. Nothing is done twice, though a process dies in the middle."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet

from games import outbox
from games.caching import prepared
from games.inbox.acting import AnswerByMail, Result, Turns, act, turns_of
from games.inbox.authentic import Authenticity, check
from games.inbox.envelope import Envelope
from games.inbox.reading import Incoming, read
from games.inbox.receiving import HOUR, RETENTION
from games.inbox.understanding import understand
from games.limits import FAILURE_RECEIPTS, INBOUND_MAILS
from games.mail import owe
from games.models import Game, InboundMail, MailAnswers, Notice, Seat, TurnToken
from games.outage import try_each

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=60)
"""Longer than a mail can take: its DNS lookups end within some seconds."""
CHUNK: Final = 1000
"""Mails that one sweep handles, so that the rest of it has not to wait for long."""
TOKEN_RETENTION: Final = timedelta(days=30)
"""For this long, an answer to a game that is over still gets a receipt."""
MAX_ATTEMPTS: Final = 20
"""About half a day of a resolver that does not answer; then a mail counts as not signed."""
SAME_REFUSAL: Final = 3
"""After this many receipts the same failure gets none: two programs are talking."""

NUMBERS: Final = 1 << 15
"""More mails than come in while a notice of the same turn is stored; the column has room for so many."""

Outcome = InboundMail.Outcome
State = InboundMail.State
AUTHENTIC: Final = (Outcome.READ, Outcome.ASKED, Outcome.EMPTY)
"""Of mails that are proved to be the player's own: nobody else uses up what a player may send."""
FAILURES: Final = (
    Outcome.EMPTY,
    Outcome.UNPROVED,
    Outcome.FOREIGN,
    Outcome.REPEATED,
    Outcome.BROKEN,
    Outcome.TOO_OFTEN,
)
"""What gets a receipt only so often."""
STRANGE: Final = (Outcome.FOREIGN, Outcome.AUTOMATIC)
"""What is forgotten at once: what strangers send takes no room from the player."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a mail: as a whole, and of each turn."""

    outcome: Outcome
    results: Sequence[Result] = ()


def handle(pk: int, *, at: datetime) -> str | None:
    """Handle the mail of that key if it is due; its outcome, or None if it was not for this caller or is put off.

    Raises only what the database raises: the lease then runs out, and a sweep handles the mail again.
    """
    mail = outbox.claim(InboundMail.objects.all(), pk, at=at, lease=LEASE, read=_held)
    if mail is None:
        return None
    if mail.has_crashed:
        logger.error("mail %d that came in is quarantined: its worker died at every attempt", pk)
        outbox.quarantine(mail, at=at, lease=LEASE)
        return None
    turns = turns_of(mail)
    handled = _judge(mail, turns, at=at)
    if handled is None:
        outbox.retry(mail, until=at + outbox.backoff(mail.attempts + 1))
        return None
    _settle(mail, turns, handled, at=at)
    return handled.outcome


@prepared
def _held(pk: int, claim: str) -> QuerySet[InboundMail]:
    mails = InboundMail.objects.filter(pk=pk, claim=claim).select_related("token__player")
    return mails.defer("token__player__password")


def sweep(*, at: datetime) -> int:
    """Handle what is due and no worker has handled, longest due first; how many mails did not fail."""
    outbox.retry_quarantined(InboundMail.objects.all(), at=at)
    return handle_due(at=at, most=CHUNK)


def handle_due(*, at: datetime, most: int) -> int:
    """The same for at most so many mails, without those that are set aside; one that fails leaves the others alone.
    Costs a query where nothing is due."""
    keys = [pk for [pk] in _due(at)[:most]]
    handled = try_each(keys, partial(handle, at=at), failed="mail %d that came in is left to its lease", logger=logger)
    return len(handled)


@prepared
def _due(at: datetime) -> QuerySet[InboundMail, Any]:
    return outbox.workable(InboundMail.objects.all(), at).values_list("pk")[:CHUNK]


def forget(*, at: datetime) -> int:
    """Empty the mails that came in long ago, and delete the tokens of games that are over; how many mails."""
    over = TurnToken.objects.filter(created_at__lt=at - TOKEN_RETENTION)
    over.exclude(turns__seat__game__status=Game.Status.RUNNING).delete()
    old = InboundMail.objects.filter(received_at__lt=at - RETENTION).exclude(packed=b"")
    return old.update(packed=b"", size=0)


# --- Whose it is -----------------------------------------------------------------------------------


def _judge(mail: InboundMail, turns: Turns, *, at: datetime) -> Handled | None:
    """What becomes of a mail; None where it has to wait for a resolver."""
    if not turns:  # Its player has left the table since the mail came.
        return Handled(Outcome.EMPTY)
    incoming = read(mail.raw)
    if incoming.is_automatic or not mail.sender:
        return Handled(Outcome.AUTOMATIC)
    if incoming.trouble:
        return Handled(Outcome.BROKEN)
    if not _is_from_player(mail, incoming):
        return Handled(Outcome.FOREIGN)
    verdict = check(
        mail.raw,
        Envelope(sender=mail.sender, recipient="", client=mail.client or "", helo=mail.helo),
        from_address=incoming.from_address,
        token_digest=mail.token.digest,
        at=mail.received_at,
    )
    if verdict is Authenticity.UNKNOWN and mail.attempts < MAX_ATTEMPTS:
        return None
    if verdict is not Authenticity.PASSED:
        return _act_on(mail, turns, incoming, is_authentic=False, at=at)
    if _same_before(mail.player_id, mail.pk, mail.token_id, mail.fingerprint):
        return Handled(Outcome.REPEATED)
    if len(_recent_before(mail.player_id, mail.pk, at - HOUR)) >= INBOUND_MAILS.rates[0].amount:
        return Handled(Outcome.TOO_OFTEN)
    return _act_on(mail, turns, incoming, is_authentic=True, at=at)


@prepared
def _same_before(player: int, pk: int, token: int, fingerprint: str) -> QuerySet[InboundMail, tuple[Any, ...]]:
    return _before(player, pk).filter(token=token, fingerprint=fingerprint).values_list("pk")[:1]


@prepared
def _recent_before(player: int, pk: int, since: datetime) -> QuerySet[InboundMail, tuple[Any, ...]]:
    return _before(player, pk).filter(received_at__gt=since).values_list("pk")[: INBOUND_MAILS.rates[0].amount]


def _before(player: int, pk: int) -> QuerySet[InboundMail]:
    """What that player themselves sent before the mail of that key."""
    return InboundMail.objects.filter(player=player, outcome__in=AUTHENTIC, pk__lt=pk)


def _is_from_player(mail: InboundMail, incoming: Incoming) -> bool:
    """Whether From is the address that the player has proved to be theirs."""
    player = mail.token.player
    if not player.is_active or incoming.from_address != player.email:
        return False
    return player.email.lower() in (address.lower() for (address,) in _proved_addresses(player.pk))


@prepared
def _proved_addresses(player: int) -> QuerySet[EmailAddress, tuple[Any, ...]]:
    addresses: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=player, verified=True)
    return addresses.values_list("email")


# --- What it asks for ------------------------------------------------------------------------------


def _act_on(mail: InboundMail, turns: Turns, incoming: Incoming, *, is_authentic: bool, at: datetime) -> Handled:
    player = mail.token.player
    games = [turn.seat.game for turn in turns.values()]
    players = Seat.objects.filter(game__in=games).values_list("name", flat=True)
    understood = understand(
        incoming.text, today=player.calendar().day(at), tables=[game.name for game in games], players=players
    )
    is_confirmed_first = not is_authentic or player.mail_answers == MailAnswers.ASK
    results = act(
        AnswerByMail(mail, turns, understood, is_authentic=is_authentic, is_confirmed_first=is_confirmed_first, at=at)
    )
    if not is_authentic:
        return Handled(Outcome.UNPROVED, results)
    if not any(result.is_done for result in results):
        return Handled(Outcome.EMPTY, results)
    unconfirmed = any(result.code == "asked" for result in results)
    return Handled(Outcome.ASKED if unconfirmed else Outcome.READ, results)


# --- The receipt -----------------------------------------------------------------------------------


def _settle(mail: InboundMail, turns: Turns, handled: Handled, *, at: datetime) -> None:
    """Store what became of the mail, and owe its receipt in the same transaction."""
    stored: dict[str, Any] = {"outcome": handled.outcome, "results": [asdict(result) for result in handled.results]}
    if handled.outcome in STRANGE:
        stored |= {"packed": b"", "size": 0}
    with transaction.atomic():
        seat = _seat_to_tell(mail, turns, handled, at=at)
        if not outbox.release(mail, State.SENT if seat else State.SUPERSEDED, **stored):
            return
        if seat:
            ply = Game.objects.values_list("ply", flat=True).get(pk=seat.game_id)
            [notice] = owe([seat], kind=Notice.Kind.RECEIPT, ply=ply, number=mail.pk % NUMBERS, at=at)
            most = FAILURE_RECEIPTS.rates[0].amount
            lately = _failures(mail).filter(received_at__gt=at - HOUR)
            is_last = handled.outcome in FAILURES and lately.count() + 1 >= most
            InboundMail.objects.filter(pk=mail.pk).update(notice=notice, is_last_receipt=is_last)


def _seat_to_tell(mail: InboundMail, turns: Turns, handled: Handled, *, at: datetime) -> Seat | None:
    """The seat whose player is told; None where no receipt is owed: to programs, to whoever has lost the seat, and
    beyond what is sent in an hour."""
    if not turns or handled.outcome == Outcome.AUTOMATIC or _is_loop(mail, handled, at=at):
        return None
    answered = next((turns[result.number] for result in handled.results if result.number), next(iter(turns.values())))
    return answered.seat if answered.seat.player_id == mail.player_id else None


def _is_loop(mail: InboundMail, handled: Handled, *, at: datetime) -> bool:
    """Whether a failure is one too many for a receipt: mails beyond the limit get one an hour, mails from elsewhere one
    for each token, all failures FAILURE_RECEIPTS, and the same words SAME_REFUSAL a day."""
    if handled.outcome not in FAILURES:
        return False
    failures = _failures(mail)
    if handled.outcome == Outcome.TOO_OFTEN:
        return failures.filter(outcome=Outcome.TOO_OFTEN, received_at__gt=at - HOUR).exists()
    if handled.outcome == Outcome.FOREIGN:
        return failures.filter(outcome=Outcome.FOREIGN, token=mail.token_id).exists()
    if failures.filter(received_at__gt=at - HOUR).count() >= FAILURE_RECEIPTS.rates[0].amount:
        return True
    alike = failures.filter(received_at__gt=at - timedelta(days=1), outcome=handled.outcome)
    reads = [result.read for result in handled.results]
    before = [[result["read"] for result in results] for results in alike.values_list("results", flat=True)]
    return bool(reads) and before.count(reads) >= SAME_REFUSAL


def _failures(mail: InboundMail) -> QuerySet[InboundMail]:
    """The failures of the player that got a receipt."""
    return InboundMail.objects.filter(player=mail.player_id, outcome__in=FAILURES, notice__isnull=False)

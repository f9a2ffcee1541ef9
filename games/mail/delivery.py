"""One mail on its way: claimed, checked, composed, handed to the mail server, stamped; and all that are due."""

from __future__ import annotations

import logging
import random
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.mail import outbox
from games.mail.bounces import bounced
from games.mail.compose import NotDrawn, compose
from games.mail.plan import Verdict, decide
from games.mail.postman import Outcome, Postman, explain, outcome_of, refuses_address
from games.models import Notice

logger = logging.getLogger(__name__)

FIRST_WAIT: Final = timedelta(seconds=30)
LONGEST_WAIT: Final = timedelta(hours=1)
MAX_ATTEMPTS: Final = 48
"""About a day and a half of a mail server that takes nothing."""
MAX_CRASHES: Final = 3
DIED: Final = "its sender died at every attempt"
LONGEST_ASIDE: Final = timedelta(days=1)
SWEEP_CHUNK: Final = 200
SWEEP_SECONDS: Final = 60
"""A sweep ends well before the first lease that it took could run out."""

Report = Callable[[int], None]


def deliver(pk: int, *, at: datetime, postman: Postman | None = None, may_draw: bool = False) -> Notice.State | None:
    """Send the notice if it is due, with all that is due to the same reader, and say what became of it.

    None if it was not for this caller to send. Raises only what the database raises; the claim then runs out, and a
    sweep sends the same mail again, under the same Message-ID. Without a `postman` the mail gets a connection of its
    own. Pictures are drawn before the claim, unless it `may_draw`: who is killed over what takes long has not crashed
    over this mail. Costs about 9 queries.
    """
    notice = outbox.claim(pk, at=at)
    if notice is None:
        return None
    if notice.crashes >= MAX_CRASHES:
        until = at + min(4 * outbox.LEASE * (1 << min(notice.attempts, 16)), LONGEST_ASIDE)
        return _set_aside(notice, DIED, until=until)
    again = [notice, *outbox.gather(notice, at=at)] if outbox.may_be_out(notice, at=at) else []
    verdict = _verdict(again or [notice], at=at)
    if not verdict.goes:
        settled = Notice.State.SUPERSEDED if verdict.is_dropped else Notice.State.DUE
        return settled if outbox.settle(notice, verdict, at=at) else None
    try:
        outbox.as_told(again)
        _send(again or _together(notice, at=at), postman, may_draw=may_draw)
    except NotDrawn as undrawn:
        outbox.hand_back(notice, at=at)
        _draw_ahead(undrawn)
        return deliver(pk, at=at, postman=postman, may_draw=True)
    except Exception as error:
        return _fail(notice, error, at=at)
    return Notice.State.SENT if outbox.stamp_sent(notice, at=at) else None


def sweep(*, at: datetime, report: Report = lambda handled: None) -> int:
    """Send what is due, longest due first, over one connection; the number of mails dealt with, told to `report` too.

    Stops after SWEEP_SECONDS, and before touching anything when the mail server is away. A notice that fails is put
    off or set aside, and the next has its turn. Memory does not grow with what is due.
    """
    outbox.pardon(crashes=MAX_CRASHES, at=at)
    waiting = Notice.objects.sendable(at).count()
    if not waiting:
        return 0
    with Postman() as postman:
        try:
            postman.call()
        except OSError as error:
            logger.warning("mail server unreachable, %d mails wait: %s", waiting, explain(error))
            return 0
        return _deliver_all(postman, at=at, report=report)


def _deliver_all(postman: Postman, *, at: datetime, report: Report) -> int:
    handled = 0
    stop = time.monotonic() + SWEEP_SECONDS
    for pk in _due(at):
        if time.monotonic() > stop:
            break
        try:
            handled += deliver(pk, at=at, postman=postman) is not None
        except Exception:
            logger.exception("notice %d is left to its lease", pk)
        report(handled)
    return handled


def _due(at: datetime) -> Iterator[int]:
    """What is due at `at`, each once: a chunk at a time, shuffled, so that several sweeps share the work."""
    done: tuple[datetime, int] | None = None
    while True:
        chunk = list(Notice.objects.sendable(at, after=done).values_list("due_at", "pk")[:SWEEP_CHUNK])
        if not chunk:
            return
        done = chunk[-1]
        yield from random.sample([pk for _due_at, pk in chunk], len(chunk))


def _verdict(notices: Sequence[Notice], *, at: datetime) -> Verdict:
    """The verdict on a mail of these, which goes whole or not at all: it is enough that a part would go, or wait."""
    verdicts = [decide(notice, at=at) for notice in notices]
    return min(verdicts, key=lambda verdict: (not verdict.goes, verdict.is_dropped))


def _together(carrier: Notice, *, at: datetime) -> list[Notice]:
    """The carrier of a mail that surely is not out, and what goes with it; the others are settled."""
    together = [carrier, *_riders(carrier, at=at)]
    if len(together) > 1:
        outbox.keep_told(together)
    return together


def _riders(carrier: Notice, *, at: datetime) -> Iterator[Notice]:
    for rider in outbox.gather(carrier, at=at):
        verdict = decide(rider, at=at)
        if verdict.goes:
            yield rider
        else:
            outbox.settle(rider, verdict, at=at)


def _draw_ahead(undrawn: NotDrawn) -> None:
    try:
        undrawn.draw()
    except Exception:
        logger.exception("a picture cannot be drawn")


def _send(notices: list[Notice], postman: Postman | None, *, may_draw: bool) -> None:
    mail = compose(notices, at=notices[0].dated_at or notices[0].created_at, may_draw=may_draw)
    if postman is not None:
        postman.carry(mail)
        return
    with Postman() as own:
        own.carry(mail)


def _fail(notice: Notice, error: Exception, *, at: datetime) -> Notice.State | None:
    """Put the mail off, or set it aside when it will never be taken."""
    outcome = outcome_of(error)
    if notice.seat.player and refuses_address(error):
        bounced(notice.seat.player.email, why=explain(error), at=at)
        return _set_aside(notice, explain(error), reason=Notice.Reason.BOUNCED)
    if outcome is Outcome.REFUSED or notice.attempts + 1 >= MAX_ATTEMPTS:
        return _set_aside(notice, explain(error))
    _log(notice, error)
    until = at + backoff(notice.attempts + 1)
    put_off = outbox.put_off(notice, until=until, error=explain(error), may_have_gone=outcome is Outcome.UNKNOWN)
    return Notice.State.DUE if put_off else None


def _log(notice: Notice, error: Exception) -> None:
    """That the mail is put off; where nobody foresaw the error also where it was raised, but never its own text, which
    may name a reader."""
    foreseen = isinstance(error, OSError)
    trace = "" if foreseen else "\n" + "".join(traceback.format_tb(error.__traceback__))
    level = logging.WARNING if foreseen else logging.ERROR
    logger.log(level, "notice %d is put off: %s%s", notice.pk, explain(error), trace)


def _set_aside(notice: Notice, error: str, *, reason: str = "", until: datetime | None = None) -> Notice.State | None:
    logger.error("notice %d is quarantined: %s", notice.pk, error)
    is_aside = outbox.quarantine(notice, error=error, reason=reason, until=until)
    return Notice.State.QUARANTINED if is_aside else None


def backoff(attempts: int) -> timedelta:
    """How long to wait after so many attempts: twice as long each time, up to an hour, and spread over half of it."""
    longest = min(FIRST_WAIT * (1 << min(attempts - 1, 16)), LONGEST_WAIT)
    return longest * random.uniform(0.5, 1)

"""What must hold of the mails owed, whatever was killed when: all of it is asked by `manage.py check_owed`, and what an
index answers at once by /health/, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext, ngettext
from redis import RedisError

from games.models import Game, Mail, Notice

PATIENCE: Final = timedelta(minutes=10)
"""A sweep comes by three times a minute; so long after its time nothing lies about any more."""


COUNTED: Final = 1000
"""The page counts no further."""


NOTED: Final = "mail-faults"
NOTED_FOR: Final = 2 * 60 * 60
MAILBOX_AWAY: Final = "mailbox-away"
MAILBOX_AWAY_FOR: Final = 15 * 60
"""Longer than the process waits that reads the mailbox for answers, before it tries again."""
WRITTEN: Final = "health-writes"
WRITTEN_FOR: Final = 60


def faults(*, at: datetime) -> list[str]:
    """What is wrong, a sentence for each kind of it with how often; nothing when all is well. Costs 6 queries, which
    read every running game."""
    return [*_faults_of_all(), *late_faults(at=at)]


def late_faults(*, at: datetime) -> list[str]:
    """What is overdue, counted as far as COUNTED. Costs 4 queries by index, whatever the size."""
    return list(_late_faults(at - PATIENCE))


def note_faults() -> None:
    """Look for what takes long to find, for `noted_faults`: it reads every running game."""
    cache.set(NOTED, list(_faults_of_all()), timeout=NOTED_FOR)


def note_mailbox(*, is_away: bool) -> None:
    """Note for `noted_faults` that the mailbox for answers cannot be read, or that it can."""
    with suppress(RedisError):
        if is_away:
            cache.set(MAILBOX_AWAY, value=True, timeout=MAILBOX_AWAY_FOR)
        else:
            cache.delete(MAILBOX_AWAY)


def noted_faults() -> list[str]:
    """What was noted lately, or that it cannot be known."""
    try:
        # A Redis whose disk or memory is full still answers what is read. Of files, the page tells by itself.
        with suppress(OSError):
            cache.add(WRITTEN, value=True, timeout=WRITTEN_FOR)
        noted = cache.get_many((NOTED, MAILBOX_AWAY))
    except RedisError:
        return [gettext("Redis does not answer, or refuses to write: nobody can sign in.")]
    away = [gettext("The mailbox for answers cannot be read.")] if MAILBOX_AWAY in noted else []
    return [*noted.get(NOTED, []), *away]


def _faults_of_all() -> Iterator[str]:
    if count := _turns_without_one_call().count():
        yield (
            ngettext("%d open turn has no call of its own.", "%d open turns have no call of their own.", count) % count
        )
    due = Notice.objects.filter(state=Notice.State.DUE)
    if count := due.filter(mail__isnull=False).exclude(mail__state__in=(Mail.State.DUE, Mail.State.CLAIMED)).count():
        yield (
            ngettext("%d notice waits for a mail that is over.", "%d notices wait for mails that are over.", count)
            % count
        )


def _late_faults(late: datetime) -> Iterator[str]:
    if count := _count(Mail.objects.filter(state=Mail.State.CLAIMED, lease_until__lt=late)):
        yield ngettext("%d mail is leased past its lease.", "%d mails are leased past their leases.", count) % count
    overdue_mails = Mail.objects.filter(state=Mail.State.DUE, due_at__lte=late)
    if count := _count(Notice.objects.waiting(late)) + _count(overdue_mails):
        yield (
            ngettext(
                "%d mail is due and not sent: does the worker run, and does the mail server answer?",
                "%d mails are due and not sent: does the worker run, and does the mail server answer?",
                count,
            )
            % count
        )
    if count := _count(Game.objects.filter(Q(due_at__lt=late) | Q(remind_at__lt=late))):
        yield (
            ngettext(
                "The clock of %d table has run out and nobody looks: does beat run?",
                "The clocks of %d tables have run out and nobody looks: does beat run?",
                count,
            )
            % count
        )


def _count(found: QuerySet[Any]) -> int:
    return found.order_by()[:COUNTED].count()


def _turns_without_one_call() -> QuerySet[Game]:
    """Running games in which a person is to move, but for whom not exactly one call to this turn is owed."""
    calls = Q(
        seats__number=F("to_move"),
        seats__notices__kind=Notice.Kind.TURN,
        seats__notices__ply=F("ply"),
        seats__notices__number=F("edition"),
    )
    running = Game.objects.filter(status=Game.Status.RUNNING, awaited__isnull=False)
    return running.annotate(calls=Count("seats__notices", filter=calls)).exclude(calls=1)

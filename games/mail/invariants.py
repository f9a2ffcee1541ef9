"""What must hold of the mails owed, whatever was killed when: asked by `manage.py check_owed` and by /health/."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import ngettext

from games.models import Game, Notice

PATIENCE: Final = timedelta(minutes=10)
"""A sweep comes by three times a minute; so long after its time nothing lies about any more."""


def faults(*, at: datetime) -> list[str]:
    """What is wrong, a sentence for each kind of it with how often; nothing when all is well. Costs 4 queries."""
    return list(_faults(at))


def _faults(at: datetime) -> Iterator[str]:
    late = at - PATIENCE
    if count := _turns_without_one_call().count():
        yield (
            ngettext("%d open turn has no call of its own.", "%d open turns have no call of their own.", count) % count
        )
    if count := Notice.objects.filter(state=Notice.State.CLAIMED, lease_until__lt=late).count():
        yield ngettext("%d mail is leased past its lease.", "%d mails are leased past their leases.", count) % count
    if count := Notice.objects.sendable(late).filter(state=Notice.State.DUE).count():
        yield (
            ngettext(
                "%d mail is due and nobody sends it: does the worker run?",
                "%d mails are due and nobody sends them: does the worker run?",
                count,
            )
            % count
        )
    overdue = Game.objects.filter(Q(due_at__lt=late) | Q(remind_at__lt=late))
    if count := overdue.count():
        yield (
            ngettext(
                "The clock of %d table has run out and nobody looks: does beat run?",
                "The clocks of %d tables have run out and nobody looks: does beat run?",
                count,
            )
            % count
        )


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

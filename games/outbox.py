"""Work that is owed, as rows: a worker leases a row by a conditional update, so that of many that try at once one gets
it. Serves mails, invitations, calls of webhooks, and mails that come in.

Every change of a claimed row asks for the holder's own token, so that a worker who comes back after its lease has run
out changes nothing.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, ClassVar, Final, TypeVar

from django.db import models
from django.db.models import Case, F, Q, QuerySet, When
from django.utils.translation import gettext_lazy as _

from games.caching import prepared_update

MAX_CRASHES: Final = 3
FIRST_WAIT: Final = timedelta(seconds=30)
LONGEST_WAIT: Final = timedelta(hours=1)
LONGEST_QUARANTINE: Final = timedelta(days=1)


class Leased(models.Model):
    """A row of work that is owed. Its holder has a lease under a token; when the holder dies, the lease runs out and
    another worker takes over."""

    class State(models.TextChoices):
        DUE = "due", _("due")
        CLAIMED = "claimed", _("claimed")
        SENT = "sent", _("sent")
        SUPERSEDED = "superseded", _("superseded")
        QUARANTINED = "quarantined", _("quarantined")

    state = models.CharField(max_length=11, choices=State, default=State.DUE)
    due_at = models.DateTimeField()
    claim = models.CharField(max_length=32, blank=True, help_text=_("The token of who holds the lease."))
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    crashes = models.PositiveSmallIntegerField(default=0, help_text=_("Leases that ran out: the holder may have died."))
    error = models.CharField(max_length=9, blank=True)

    class Meta:
        abstract = True
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(
                condition=Q(state__in=("due", "claimed", "sent", "superseded", "quarantined")),
                name="%(class)s_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="claimed", lease_until__isnull=False)
                | (~Q(state="claimed") & Q(lease_until__isnull=True, claim="")),
                name="%(class)s_leased_exactly_while_claimed",
            ),
        )
        indexes: ClassVar[tuple[models.Index, ...]] = (
            # the sweep: what is due, longest due first
            models.Index(fields=("due_at", "id"), condition=Q(state="due"), name="%(class)s_due"),
            # the sweep: leases that ran out
            models.Index(fields=("lease_until",), condition=Q(state="claimed"), name="%(class)s_leased"),
            # the sweep: what gets another chance
            models.Index(fields=("due_at",), condition=Q(state="quarantined"), name="%(class)s_aside"),
        )

    @property
    def has_crashed(self) -> bool:
        """Whether so many workers have died over it that it is set aside."""
        return self.crashes >= MAX_CRASHES


State = Leased.State
Row = TypeVar("Row", bound=Leased)


def workable(rows: QuerySet[Row], at: datetime) -> QuerySet[Row]:
    """Of `rows` those due at `at`, and claimed ones whose lease has run out, longest due first."""
    due = Q(state=State.DUE, due_at__lte=at)
    lost = Q(state=State.CLAIMED, lease_until__lte=at)
    return rows.filter(due | lost).order_by("due_at", "pk")


def new_claim(*, at: datetime, lease: timedelta) -> dict[str, Any]:
    """The columns of a row that its maker holds from the beginning."""
    return {"state": State.CLAIMED, "claim": secrets.token_hex(16), "lease_until": at + lease}


def claim(
    rows: QuerySet[Row],
    pk: int,
    *,
    at: datetime,
    lease: timedelta,
    read: Callable[[int, str], Sequence[Row]] | None = None,
) -> Row | None:
    """The row of that key, leased to the caller alone; None if it is not due or another worker holds it.

    A lease that ran out counts as a crash of its holder. A prepared query may `read` the row of a key and the token of
    its holder, in place of `rows`. Costs 2 queries.
    """
    held = new_claim(at=at, lease=lease)
    crash = Case(When(state=State.CLAIMED, then=1), default=0)
    if not workable(rows, at).filter(pk=pk).update(crashes=F("crashes") + crash, **held):
        return None
    found = read(pk, held["claim"]) if read else rows.filter(pk=pk, claim=held["claim"])[:1]
    return next(iter(found), None)


def change(row: Leased, **fields: Any) -> bool:
    """Change columns of a claimed row; False, and nothing changed, when the claim has been lost."""
    return _update_claimed(type(row))(row.pk, row.claim, **fields) > 0


@cache
def _update_claimed(model: type[Leased]) -> Callable[..., int]:
    """What changes a row of the model by its key and claim."""

    @prepared_update
    def claimed(pk: int, claim: str) -> QuerySet[Leased]:
        return model._default_manager.filter(pk=pk, claim=claim, state=State.CLAIMED)  # noqa: SLF001

    return claimed


def release(row: Leased, state: str, **fields: Any) -> bool:
    """Let go of a claimed row; False, and nothing changed, when the claim has been lost."""
    return change(row, state=state, claim="", lease_until=None, **fields)


def retry(row: Leased, *, until: datetime, **fields: Any) -> bool:
    """Let the row be due again at `until`, and count the attempt; False when the claim has been lost."""
    return release(row, State.DUE, due_at=until, attempts=row.attempts + 1, **fields)


def quarantine(row: Leased, *, at: datetime, lease: timedelta, **fields: Any) -> bool:
    """Set the row aside until its `next_chance`, and count the attempt; False when the claim has been lost."""
    until = next_chance(row, at=at, lease=lease)
    return release(row, State.QUARANTINED, due_at=until, attempts=row.attempts + 1, **fields)


def next_chance(row: Leased, *, at: datetime, lease: timedelta) -> datetime:
    """The `due_at` of a row that is set aside: one whose workers died gets another chance then (`retry_quarantined`),
    later each time; any other waits for a person, due as it was."""
    if not row.has_crashed:
        return row.due_at
    return at + min(4 * lease * (1 << min(row.attempts, 16)), LONGEST_QUARANTINE)


def retry_quarantined(rows: QuerySet[Row], *, at: datetime) -> list[int]:
    """Give another chance to what was set aside because its workers died, if its time has come: many a worker is killed
    that would have done it. One more crash sets it aside again. Their keys; costs a query, and one more for any."""
    aside = rows.filter(state=State.QUARANTINED, due_at__lte=at, crashes__gte=MAX_CRASHES)
    keys = list(aside.values_list("pk", flat=True))
    if keys:
        aside.filter(pk__in=keys).update(state=State.DUE, crashes=MAX_CRASHES - 1)
    return keys


def backoff(attempts: int) -> timedelta:
    """How long to wait after so many attempts: twice as long each time, up to an hour, and spread over half of it."""
    longest = min(FIRST_WAIT * (1 << min(attempts - 1, 16)), LONGEST_WAIT)
    return longest * random.uniform(0.5, 1)

"""Rows of work that are owed, done under a lease and retried: what mails, invitations and calls have in common."""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MAX_CRASHES: Final = 3


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

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.seat import Seat


class NoticeQuerySet(models.QuerySet["Notice"]):
    def sendable(self, at: datetime, *, after: tuple[datetime, int] | None = None) -> NoticeQuerySet:
        """Notices due at `at`, and claimed ones whose lease has run out, longest due first; no riders: they go with
        their carrier. With `after` those behind the one of that time and key."""
        due = Q(state=Notice.State.DUE, due_at__lte=at)
        lost = Q(state=Notice.State.CLAIMED, lease_until__lte=at)
        found = self.filter(due | lost, carrier__isnull=True).order_by("due_at", "pk")
        if after is None:
            return found
        return found.filter(Q(due_at__gt=after[0]) | Q(due_at=after[0], pk__gt=after[1]), due_at__gte=after[0])


class Notice(models.Model):
    """A mail owed to the player of a seat (design 2.5). Written with the move that causes it."""

    class Kind(models.TextChoices):
        STARTED = "started", _("started")
        TURN = "turn", _("your turn")
        FINISHED = "finished", _("finished")
        REMINDER = "reminder", _("reminder")
        NUDGE = "nudge", _("nudge")
        AUTOPILOT = "autopilot", _("the autopilot has moved")
        EXPIRED = "expired", _("the open table was closed")
        BOUNCED = "bounced", _("a fellow player’s mail bounces")
        TEST = "test", _("test")

    class State(models.TextChoices):
        DUE = "due", _("due")
        CLAIMED = "claimed", _("claimed")
        SENT = "sent", _("sent")
        SUPERSEDED = "superseded", _("superseded")
        QUARANTINED = "quarantined", _("quarantined")

    class Reason(models.TextChoices):
        """Why a notice waits, or why it was superseded."""

        PRESENCE = "presence", _("waiting in case you are at the table")
        QUIET = "quiet", _("held until your quiet hours are over")
        DIGEST = "digest", _("waiting for your digest")
        RETRY = "retry", _("to be tried again")
        SEEN = "seen", _("you had seen it at the table")
        PAST = "past", _("the game had moved on")
        VISIT = "visit", _("you had a mail since your last visit")
        UNWANTED = "unwanted", _("you want no such mail")
        BOUNCED = "bounced", _("your address takes no mail")

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=9, choices=Kind)
    ply = models.PositiveSmallIntegerField(help_text=_("Moves played when it was owed."))
    number = models.PositiveSmallIntegerField(default=0, help_text=_("Which of its kind at that ply."))
    state = models.CharField(max_length=11, choices=State, default=State.DUE)
    about = models.PositiveSmallIntegerField(null=True, help_text=_("Seat of the fellow player whom it is about."))
    reason = models.CharField(max_length=8, choices=Reason, blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    crashes = models.PositiveSmallIntegerField(default=0, help_text=_("Leases that ran out: its sender may have died."))
    claim = models.CharField(max_length=32, blank=True, help_text=_("The token of who holds the lease."))
    lease_until = models.DateTimeField(null=True)
    message_id = models.CharField(max_length=200, unique=True)
    dated_at = models.DateTimeField(null=True, help_text=_("The date of the mail: its first attempt."))
    carrier = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        db_index=False,  # one below leaves out what rides with nobody: SQLite would find all of that by it
        related_name="riders",
        help_text=_("Whose mail carries it too."),
    )
    told = models.JSONField(
        null=True, help_text=_("How the tables stood of which a mail that carries others tells, to make it again.")
    )
    sent_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=300, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = (
            models.UniqueConstraint(fields=("seat", "kind", "ply", "number"), name="notice_owed_once"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=(
                        "started",
                        "turn",
                        "finished",
                        "reminder",
                        "nudge",
                        "autopilot",
                        "expired",
                        "bounced",
                        "test",
                    )
                ),
                name="notice_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("due", "claimed", "sent", "superseded", "quarantined")),
                name="notice_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="claimed", lease_until__isnull=False)
                | (~Q(state="claimed") & Q(lease_until__isnull=True, claim="")),
                name="notice_leased_exactly_while_claimed",
            ),
            models.CheckConstraint(
                condition=Q(state="sent", sent_at__isnull=False) | (~Q(state="sent") & Q(sent_at__isnull=True)),
                name="notice_stamped_exactly_when_sent",
            ),
        )
        indexes = (
            # the sweep: what is due, longest due first
            models.Index(fields=("due_at", "id"), condition=Q(state="due"), name="notice_due"),
            # the sweep: what gets another chance
            models.Index(fields=("due_at",), condition=Q(state="quarantined"), name="notice_aside"),
            # the sweep: leases that ran out
            models.Index(fields=("lease_until",), condition=Q(state="claimed"), name="notice_leased"),
            # what rides with a mail
            models.Index(fields=("carrier",), condition=Q(carrier__isnull=False), name="notice_rides"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.ply} ({self.state})"

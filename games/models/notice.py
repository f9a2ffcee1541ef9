"""What players are owed by mail, by kind."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeAlias

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.mail import Mail
from games.models.player import Player
from games.models.seat import Seat


class NoticeQuerySet(models.QuerySet["Notice"]):
    def waiting(self, at: datetime, *, after: tuple[datetime, int] | None = None) -> NoticeQuerySet:
        """Notices due at `at` that are in no mail yet, longest due first. With `after` those behind the one of that
        time and key."""
        found = self.filter(state=Notice.State.DUE, mail__isnull=True, due_at__lte=at).order_by("due_at", "pk")
        if after is None:
            return found
        return found.filter(Q(due_at__gt=after[0]) | Q(due_at=after[0], pk__gt=after[1]), due_at__gte=after[0])

    def loaded(self) -> NoticeQuerySet:
        """With what a mail is made of; no card among it."""
        return self.select_related("seat__game", "seat__player", "player").defer(
            "seat__clan", "seat__entropy", "seat__player__password", "player__password"
        )


class _Kind(models.TextChoices):
    """`Notice.Kind`; the constraint on kinds needs it where `Notice` is not known yet."""

    STARTED = "started", _("started")
    TURN = "turn", _("your turn")
    FINISHED = "finished", _("finished")
    REMINDER = "reminder", _("reminder")
    NUDGE = "nudge", _("nudge")
    AUTOPILOT = "autopilot", _("the autopilot has moved")
    EXPIRED = "expired", _("the open table was closed")
    BOUNCED = "bounced", _("a fellow player’s mail bounces")
    AGAIN = "again", _("asked to play again")
    PROPOSAL = "proposal", _("a proposal to abandon the game")
    WITHDRAWN = "withdrawn", _("the proposal is withdrawn")
    RESIGNED = "resigned", _("a fellow player has resigned")
    HANDED = "handed", _("the open table is yours now")
    POSTCARD = "postcard", _("a postcard")
    TAKEN = "taken", _("somebody has taken over the seat")
    NEXT = "next", _("the next game of a series")
    SEASON = "season", _("the season is over")
    RECEIPT = "receipt", _("what became of a mail of the player")
    TEST = "test", _("test")


class Notice(models.Model):
    """What the player of a seat is owed by mail (design 3.1). Written with the move that causes it; `mail` is the
    envelope that it goes in, one for all that is due to one reader."""

    Kind: TypeAlias = _Kind

    class State(models.TextChoices):
        DUE = "due", _("due")
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
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,  # the one below begins with it
        related_name="notices",
        help_text=_("Whoever had the seat then; here an index finds a player’s last ones."),
    )
    kind = models.CharField(max_length=9, choices=Kind)
    ply = models.PositiveSmallIntegerField(help_text=_("Moves played when it was owed."))
    number = models.PositiveSmallIntegerField(default=0, help_text=_("Which of its kind at that ply."))
    state = models.CharField(max_length=11, choices=State, default=State.DUE)
    about = models.PositiveSmallIntegerField(null=True, help_text=_("Seat of the fellow player whom it is about."))
    reason = models.CharField(max_length=8, choices=Reason, blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    mail = models.ForeignKey(
        Mail,
        on_delete=models.SET_NULL,
        null=True,
        db_index=False,  # one below leaves out what is in none: SQLite would find all of that by it
        related_name="notices",
        help_text=_("The mail that tells it."),
    )
    sent_at = models.DateTimeField(null=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = (
            models.UniqueConstraint(fields=("seat", "player", "kind", "ply", "number"), name="notice_owed_once"),
            models.CheckConstraint(condition=Q(kind__in=_Kind.values), name="notice_kind_known"),
            models.CheckConstraint(
                condition=Q(state__in=("due", "sent", "superseded", "quarantined")),
                name="notice_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="sent", sent_at__isnull=False) | (~Q(state="sent") & Q(sent_at__isnull=True)),
                name="notice_stamped_exactly_when_sent",
            ),
        )
        indexes = (
            # the sweep: what is due and in no mail yet, longest due first
            models.Index(fields=("due_at", "id"), condition=Q(state="due", mail__isnull=True), name="notice_waiting"),
            # what else is due to the reader of a mail
            models.Index(
                fields=("player", "due_at"), condition=Q(state="due", mail__isnull=True), name="notice_due_to"
            ),
            # a player's mail log, newest first
            models.Index(fields=("player", "-created_at", "-id"), name="notice_log"),
            # what a mail tells
            models.Index(fields=("mail",), condition=Q(mail__isnull=False), name="notice_in_mail"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.ply} ({self.state})"

    @property
    def reader(self) -> Player:
        """Whose mail it is: the player of the seat, if nobody is named. Raises ValueError where nobody sits there."""
        reader = self.seat.player if self.player_id in (None, self.seat.player_id) else self.player
        if reader is None:
            raise ValueError(f"nobody reads {self}")
        return reader

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.player_id and self.seat.player_id is not None:
            self.player_id = self.seat.player_id
        super().save(*args, **kwargs)

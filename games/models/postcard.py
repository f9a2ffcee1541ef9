"""The talk at a table, who mutes whom, and what was reported to the operator."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce, Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from games.models.former_holder import FormerHolder
from games.models.game import Game
from games.models.player import Player
from games.models.seat import Seat

LONGEST_POSTCARD = 500


class PostcardQuerySet(models.QuerySet["Postcard"]):
    def by(self, player: Player) -> PostcardQuerySet:
        """What `player` has said, also at seats that somebody else has now."""
        return self.filter(Q(former_holder__isnull=True, seat__player=player) | Q(former_holder__player=player))

    def readable_by(self, player: int) -> PostcardQuerySet:
        """What was said by people whom the player of that key has not muted."""
        writer = Coalesce(OuterRef("former_holder__player"), OuterRef("seat__player"))
        return self.filter(~Exists(Mute.objects.filter(player=player, other=writer)))


class Postcard(models.Model):
    """One message of the talk at a table. Who may read it is for `games.pov` to say, its only reader for output."""

    class State(models.TextChoices):
        SHOWN = "shown", _("shown")
        REMOVED = "removed", _("removed by its writer")
        HIDDEN = "hidden", _("hidden by the operator")

    game = models.ForeignKey(
        Game,
        on_delete=models.CASCADE,
        db_index=False,  # the constraint below begins with it
        related_name="postcards",
    )
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="postcards")
    former_holder = models.ForeignKey(
        FormerHolder,
        on_delete=models.CASCADE,
        null=True,
        related_name="postcards",
        help_text=_("Who said it, if somebody else has the seat now."),
    )
    number = models.PositiveIntegerField(help_text=_("What the table had counted as said then."))
    ply = models.PositiveSmallIntegerField(help_text=_("Moves played when it was said."))
    with_move = models.BooleanField(default=False, help_text=_("Sent with the last of these moves."))
    about_ply = models.PositiveSmallIntegerField(
        null=True, help_text=_("The move that it is about, as the ply after it, in a game that is over.")
    )
    text = models.CharField(max_length=LONGEST_POSTCARD, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.SHOWN)
    at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True)

    objects = PostcardQuerySet.as_manager()

    class Meta:
        verbose_name = _("postcard")
        verbose_name_plural = _("postcards")
        constraints = (
            # also the talk of a table, newest first
            models.UniqueConstraint(fields=("game", "number"), name="postcard_number_unique"),
            models.CheckConstraint(
                condition=Q(state="removed", text="") | (Q(state__in=("shown", "hidden")) & ~Q(text="")),
                name="postcard_empty_exactly_when_removed",
            ),
            models.CheckConstraint(
                condition=Q(about_ply__isnull=True) | Q(about_ply__range=(1, 60), with_move=False),
                name="postcard_about_a_move",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), LONGEST_POSTCARD), name="postcard_not_too_long"
            ),
        )

    def __str__(self) -> str:
        return f"postcard {self.number} of game {self.game_id}"

    @property
    def writer(self) -> Player | None:
        """Who said it. No query where `former_holder` and `seat` were selected with their players."""
        return self.former_holder.player if self.former_holder else self.seat.player


class Mute(models.Model):
    """A player of whom another reads no postcard; `blocks`: who sits down at none of their tables, either. Nobody is
    told."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,  # the constraint below begins with it
        related_name="mutes",
        help_text=_("Who wants to read nothing."),
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_by")
    blocks = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints = (
            models.UniqueConstraint(fields=("player", "other"), name="mute_once"),
            models.CheckConstraint(condition=~Q(player=F("other")), name="mute_somebody_else"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.other_id}"


class Report(models.Model):
    """A postcard that a player has shown to the operator."""

    class State(models.TextChoices):
        NEW = "new", _("new")
        OPEN = "open", _("being looked into")
        DONE = "done", _("dealt with")
        DISMISSED = "dismissed", _("nothing to be done")

    postcard = models.ForeignKey(Postcard, on_delete=models.SET_NULL, null=True, related_name="reports")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports")
    about = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reported")
    text = models.CharField(max_length=LONGEST_POSTCARD, help_text=_("What the postcard said when it was reported."))
    reason = models.CharField(max_length=LONGEST_POSTCARD, blank=True, help_text=_("In the words of who reported it."))
    at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.NEW)
    notes = models.TextField(blank=True, help_text=_("The operator’s own."))

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = (
            models.UniqueConstraint(fields=("postcard", "reporter"), name="report_once"),
            models.CheckConstraint(
                condition=Q(state__in=("new", "open", "done", "dismissed")), name="report_state_known"
            ),
        )

    def __str__(self) -> str:
        return f"report {self.pk}"

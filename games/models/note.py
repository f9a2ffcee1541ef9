"""What players write for themselves at a table: notes, and suspicions about clans."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from games.models.seat import Seat

LONGEST_NOTE = 4000


class Note(models.Model):
    """What a player writes for themselves at a table. Nobody else ever sees it; only `games.pov` reads it."""

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, primary_key=True, related_name="note")
    text = models.TextField()
    updated_at = models.DateTimeField()

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        constraints = (
            models.CheckConstraint(condition=~Q(text=""), name="note_says_something"),
            models.CheckConstraint(condition=LessThanOrEqual(Length("text"), LONGEST_NOTE), name="note_not_too_long"),
        )

    def __str__(self) -> str:
        return f"{self.seat_id}"


class Suspicion(models.Model):
    """One change on the sheet of a player: what they think of another seat and a clan from `ply` on.

    Only its writer sees it until the game is over, then everybody; only `games.pov` reads it. What has no mark is
    possible.
    """

    class Mark(models.TextChoices):
        POSSIBLE = "possible", _("possible")
        SUSPECTED = "suspected", _("suspected")
        EXCLUDED = "excluded", _("excluded")

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="suspicions")
    about = models.PositiveSmallIntegerField(help_text=_("Number of the seat that it is about."))
    clan = models.CharField(max_length=6, choices=Seat.Clan)
    mark = models.CharField(max_length=9, choices=Mark)
    ply = models.PositiveSmallIntegerField(help_text=_("Moves played before it was marked."))
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("suspicion")
        verbose_name_plural = _("suspicions")
        constraints = (
            models.CheckConstraint(condition=Q(about__range=(0, 3)), name="suspicion_about_0_to_3"),
            models.CheckConstraint(
                condition=Q(clan__in=("red", "blue", "green", "yellow", "black")), name="suspicion_clan_known"
            ),
            models.CheckConstraint(
                condition=Q(mark__in=("possible", "suspected", "excluded")), name="suspicion_mark_known"
            ),
            models.CheckConstraint(condition=Q(ply__range=(0, 60)), name="suspicion_ply_0_to_60"),
        )

    def __str__(self) -> str:
        return f"{self.about} {self.clan} {self.mark}"

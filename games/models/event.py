from __future__ import annotations

from typing import TypeAlias

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class _EventKind(models.TextChoices):
    """`Event.Kind`; the constraint on kinds needs it where `Event` is not known yet."""

    RESIGNED = "resigned", _("resigned")
    PROPOSED = "proposed", _("proposed to abandon the game")
    AGREED = "agreed", _("agreed to abandon the game")
    PLAYS_ON = "plays-on", _("would abandon the game no longer")
    TOOK_BACK = "took-back", _("took a move back")
    WITHDREW = "withdrew", _("withdrew a move of the autopilot")
    TAKEN_OVER = "taken", _("took the seat over")
    NUDGED = "nudged", _("nudged the player to move")
    AGAIN = "again", _("asked the others to play again")


class Event(models.Model):
    """What somebody did at a game besides moving: part of its history, and never changed."""

    Kind: TypeAlias = _EventKind

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=9, choices=Kind)
    seat = models.PositiveSmallIntegerField(help_text=_("Number of the seat whose player did it."))
    ply = models.PositiveSmallIntegerField(help_text=_("Moves played when it was done, and left."))
    text = models.CharField(max_length=40, blank=True, help_text=_("The move, where everybody has seen it."))
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = (
            models.CheckConstraint(condition=Q(kind__in=tuple(_EventKind.values)), name="event_kind_known"),
            models.CheckConstraint(condition=Q(seat__range=(0, 3)), name="event_seat_0_to_3"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.seat} at {self.ply}"

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class Move(models.Model):
    """One move of the log. The log is the truth: rows are appended by `games.play` and never change. Only the last one
    is ever deleted: when its player takes it back, or withdraws what the autopilot has played (`Game.edition` counts
    both)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves")
    ply = models.PositiveSmallIntegerField(help_text=_("Moves played before this one."))
    seat = models.PositiveSmallIntegerField(help_text=_("Number of the seat that moved."))
    text = models.CharField(max_length=40, help_text=_("The move in notation, such as C4-D1."))
    # By a computer player or the autopilot.
    by_bot = models.BooleanField(default=False)
    by_autopilot = models.BooleanField(default=False, help_text=_("Its player’s time had run out."))
    previous_hash = models.BinaryField(
        max_length=32, null=True, help_text=_("Hash of the move before, or of the opening.")
    )
    key = models.CharField(max_length=64, help_text=_("The sender's key: sent twice, played once."))
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ("game", "ply")
        constraints = (
            models.UniqueConstraint(fields=("game", "ply"), name="move_ply_unique"),
            models.UniqueConstraint(fields=("game", "seat", "key"), name="move_key_unique"),
            models.CheckConstraint(condition=Q(ply__range=(0, 59)), name="move_ply_0_to_59"),
            models.CheckConstraint(condition=Q(seat__range=(0, 3)), name="move_seat_0_to_3"),
        )

    def __str__(self) -> str:
        return self.text

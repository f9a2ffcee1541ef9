from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.seat import Seat


class FormerHolder(models.Model):
    """A player whose seat somebody else has taken over: what was done at it before `at` was theirs."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="former_holders")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="former_seats",
        help_text=_("Nobody with an account, if the game was imported."),
    )
    name = models.CharField(max_length=150, help_text=_("As the table showed it."))
    has_resigned = models.BooleanField(default=False)
    ply = models.PositiveSmallIntegerField(help_text=_("Moves played when the seat was taken over."))
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("former holder of a seat")
        verbose_name_plural = _("former holders of seats")
        constraints = (models.UniqueConstraint(fields=("seat", "player"), name="former_holder_once_a_seat"),)

    def __str__(self) -> str:
        return self.name

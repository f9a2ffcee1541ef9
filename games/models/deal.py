from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import rules
from games.models.game import Game


class Deal(models.Model):
    """The seed behind a game's opening, cards and seats, and a salt for each place in the order of joining (design
    2.8). Secret until the game is over."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="deal")
    seed = models.BinaryField(max_length=32)
    salts = models.JSONField(
        default=list, help_text=_("By place in the order of joining; empty where a closed account has joined.")
    )
    salt_hashes = models.JSONField(default=list, help_text=_("SHA-256 of each salt, which stays when the salt goes."))
    commitment = models.CharField(
        max_length=64, help_text=_("SHA-256 of the seed and the hashes of the salts, shown from the start.")
    )
    version = models.CharField(max_length=20)

    class Meta:
        constraints = (
            # deals that a form showed before it was sent: one table has each
            models.UniqueConstraint(
                fields=("commitment",), condition=models.Q(version=rules.DEAL_VERSION), name="deal_used_once"
            ),
        )
        verbose_name = _("deal")
        verbose_name_plural = _("deals")

    def __str__(self) -> str:
        return self.commitment

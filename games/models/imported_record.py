from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class ImportedRecord(models.Model):
    """Where a game comes from that was not played here: its record. The game itself stands in the rows of all games;
    its people have no account, and its deal has no row."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="imported")
    extra = models.TextField(help_text=_("What the record has besides the game, as JSON: the title, times, the deal."))
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("imported record")
        verbose_name_plural = _("imported records")

    def __str__(self) -> str:
        return f"{self.game_id} at {self.at}"

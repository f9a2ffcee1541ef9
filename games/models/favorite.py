from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.player import Player


class FavoriteQuerySet(models.QuerySet["Favorite"]):
    def of(self, player: Player) -> FavoriteQuerySet:
        """Whom `player` likes to play with, by name; not those who have closed the account."""
        return self.filter(player=player, other__is_active=True).order_by("other__username")


class Favorite(models.Model):
    """A player with whom another likes to play. Nobody but that one is told (design 5.5)."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,  # the constraint below begins with it
        related_name="favorites",
        help_text=_("Whose list it is."),
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    objects = FavoriteQuerySet.as_manager()

    class Meta:
        verbose_name = _("favorite")
        verbose_name_plural = _("favorites")
        constraints = (
            models.UniqueConstraint(fields=("player", "other"), name="favorite_once"),
            models.CheckConstraint(condition=~Q(player=F("other")), name="favorite_somebody_else"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.other_id}"

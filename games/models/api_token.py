from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiToken(models.Model):
    """What a program of a player's shows to read the API as that player. The token itself is not stored."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=40, help_text=_("What the player calls it."))
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("token of the API")
        verbose_name_plural = _("tokens of the API")

    def __str__(self) -> str:
        return self.name

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Vacation(models.Model):
    """Days on which the clocks of a player stand still, at every table that allows it."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    days = models.PositiveSmallIntegerField(help_text=_("Taken from the year’s budget."))
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        ordering = ("starts_at",)
        constraints = (models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="vacation_begins_first"),)
        indexes = (
            # the calendar of a player
            models.Index(fields=("player", "ends_at"), name="vacation_of_player"),
        )

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d} to {self.ends_at:%Y-%m-%d}"

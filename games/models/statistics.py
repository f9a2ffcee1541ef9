from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

ONLY_ROW = 1


class ArchiveStatistics(models.Model):
    """What was counted over all public games that were over at `counted_at`: one row, which
    `games.play.archive_statistics` writes anew. Pages count nothing by themselves."""

    counted_at = models.DateTimeField()
    counts = models.JSONField(
        default=dict, help_text=_("For `all` games and those among `people` what `Counted` has, as JSON.")
    )
    choices = models.JSONField(
        default=dict, help_text=_("By field of a search: how many games there are of each choice that has any.")
    )

    class Meta:
        verbose_name = _("statistics of the archive")
        verbose_name_plural = _("statistics of the archive")
        constraints = (models.CheckConstraint(condition=Q(id=ONLY_ROW), name="archivestatistics_one_row"),)

    def __str__(self) -> str:
        return f"{self.counted_at:%Y-%m-%d %H:%M}"

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

FEWEST_GAMES: Final = 2
MOST_GAMES: Final = 12


class Series(models.Model):
    """Several games of the same circle, one after the other (design 2.7). Who plays stands in its games alone."""

    class State(models.TextChoices):
        PLAYING = "playing", _("a table is open, or its game runs")
        DUE = "due", _("the next table is to be opened")
        OVER = "over", _("over")

    slug = models.CharField(max_length=26, unique=True, editable=False)
    length = models.PositiveSmallIntegerField(_("games"))
    state = models.CharField(max_length=7, choices=State, default=State.PLAYING)

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        constraints = (
            models.CheckConstraint(condition=Q(length__range=(FEWEST_GAMES, MOST_GAMES)), name="series_of_2_to_12"),
            models.CheckConstraint(condition=Q(state__in=("playing", "due", "over")), name="series_state_known"),
        )
        indexes = (
            # the sweep: whose next table is to be opened
            models.Index(fields=("id",), condition=Q(state="due"), name="series_due"),
        )

    def __str__(self) -> str:
        return f"series {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("series", args=(self.slug,))

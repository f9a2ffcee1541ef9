from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

START_MU: Final = 25.0
START_SIGMA: Final = START_MU / 3
FEWEST_RATED: Final = 5
"""A rating is shown from so many rated games on."""
_POINTS, _BASE = 30, 750
"""A rating starts at 1500, and 400 points more are ten wins to one against one other player, as in chess."""
_MOST_KEPT = 64


class PastRating(NamedTuple):
    """What a rating was after so many rated games, as it is shown, and when that game ended."""

    games: int
    points: int
    margin: int
    day: str
    """As `2026-03-02`."""

    @property
    def on(self) -> date:
        return date.fromisoformat(self.day)


class Rating(models.Model):
    """How strong a player is after the rated games so far (docs/ratings.md). `games.play.ratings` writes it."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="rating"
    )
    mu = models.FloatField(default=START_MU, help_text=_("The mean of what the player’s strength may be."))
    sigma = models.FloatField(default=START_SIGMA, help_text=_("The standard deviation of that."))
    games = models.PositiveIntegerField(default=0, help_text=_("Rated games so far."))
    rated_at = models.DateTimeField(null=True, help_text=_("`Game.rated_at` of the last of them."))
    least = models.PositiveIntegerField(
        default=0, help_text=_("What the rating very probably is at least: the list goes by it.")
    )
    curve = models.JSONField(
        default=list, help_text=_("A `PastRating` for each rated game, or for every n-th of many.")
    )

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (models.CheckConstraint(condition=Q(sigma__gt=0), name="rating_sigma_positive"),)
        indexes = (
            # the list of ratings
            models.Index(fields=("-least", "-player"), condition=Q(games__gte=FEWEST_RATED), name="rating_list"),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points} ± {self.margin}"

    @property
    def points(self) -> int:
        """The rating as it is shown."""
        return round(_POINTS * self.mu) + _BASE

    @property
    def margin(self) -> int:
        """The uncertainty as it is shown: one standard deviation."""
        return round(_POINTS * self.sigma)

    @property
    def is_shown(self) -> bool:
        return self.games >= FEWEST_RATED

    @property
    def past(self) -> tuple[PastRating, ...]:
        """The curve, from the first rating that was shown."""
        return tuple(then for row in self.curve if (then := PastRating(*row)).games >= FEWEST_RATED)

    @classmethod
    def points_of(cls, players: Collection[int]) -> dict[int, int]:
        """The ratings of these players, as they are shown; what a rating starts at for whoever has none that is shown.
        One query."""
        shown = cls.objects.filter(player__in=players, games__gte=FEWEST_RATED).defer("curve")
        return dict.fromkeys(players, cls().points) | {rating.player_id: rating.points for rating in shown}

    def note_change(self) -> None:
        """Bring `least` and `curve` up to date after one more rated game. The caller saves."""
        self.least = max(0, self.points - 2 * self.margin)
        day = self.rated_at.date().isoformat() if self.rated_at else ""
        # Every n-th one where there are many, and always the last one.
        every = 1 << ((self.games - 1) // _MOST_KEPT).bit_length()
        if self.games % _MOST_KEPT == 1:
            self.curve = [row for row in self.curve if row[0] % every == 0]
        elif self.curve and self.curve[-1][0] % every:
            self.curve.pop()
        self.curve.append(list(PastRating(self.games, self.points, self.margin, day)))

"""Seasons of a league, with who plays them, their rounds and tables."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games import league
from games.models.game import Game, new_slug

MOST_IN_ROUND_ROBIN = 12
"""The most people who can play a round robin."""
MOST_ROUNDS = 20
OPEN_FOR = timedelta(days=30)
"""How long a season waits for its opener to begin it."""


class Season(models.Model):
    """A season of a league: people join, and tables are drawn for them round by round until it is over."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        OVER = "over", _("over")

    class Format(models.TextChoices):
        SWISS = "swiss", _("Swiss")
        ROUND_ROBIN = "round-robin", _("round robin")

    slug = models.CharField(max_length=26, unique=True, default=new_slug, editable=False)
    name = models.CharField(_("name"), max_length=40)
    opener = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="opened_seasons")
    key = models.CharField(max_length=64, help_text=_("The opener's key: sent twice, opened once."))
    status = models.CharField(max_length=7, choices=Status, default=Status.OPEN)
    is_public = models.BooleanField(_("public"), default=True)
    is_rated = models.BooleanField(_("rated"), default=False)
    format = models.CharField(max_length=11, choices=Format, default=Format.SWISS)
    size = models.PositiveSmallIntegerField(_("seats at a table"))
    rounds = models.PositiveSmallIntegerField(_("rounds"), help_text=_("A round robin gets its number as it begins."))
    ends_on = models.DateField(
        _("last day"), null=True, blank=True, help_text=_("No round begins after it; empty: the rounds alone decide.")
    )
    move_hours = models.PositiveSmallIntegerField(_("hours for a move"))
    reserve_hours = models.PositiveSmallIntegerField(_("hours in reserve"))
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = (
            models.UniqueConstraint(fields=("opener", "key"), name="season_key_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="season_has_a_name"),
            models.CheckConstraint(condition=Q(size__range=(2, 4)), name="season_size_2_to_4"),
            models.CheckConstraint(condition=Q(rounds__range=(1, MOST_ROUNDS)), name="season_rounds_in_bounds"),
            models.CheckConstraint(condition=Q(format__in=("swiss", "round-robin")), name="season_format_known"),
            models.CheckConstraint(
                condition=Q(move_hours__range=(12, 336), reserve_hours__range=(0, 720)), name="season_pace_in_bounds"
            ),
            models.CheckConstraint(
                condition=Q(status="open", started_at__isnull=True, ended_at__isnull=True)
                | Q(status="running", started_at__isnull=False, ended_at__isnull=True)
                | Q(status="over", ended_at__isnull=False),
                name="season_stamped_as_its_status",
            ),
        )
        indexes = (
            # the list of public seasons, newest first
            models.Index(fields=("-id",), condition=Q(is_public=True), name="season_public"),
            # the sweep: seasons that may have to go on
            models.Index(fields=("id",), condition=Q(status="running"), name="season_running"),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"

    def get_absolute_url(self) -> str:
        return reverse("season", args=(self.slug,))

    @property
    def open_until(self) -> datetime:
        """When the season closes unless it has begun."""
        return self.created_at + OPEN_FOR

    @property
    def ends_by_day(self) -> bool:
        """Whether its last day alone decides how many rounds it has, up to the largest number allowed."""
        return self.ends_on is not None and self.rounds == MOST_ROUNDS

    def standings(self) -> list[league.SeasonStanding]:
        """How its people stand, by the games that are over, the first place first; who has left is not among them. Two
        queries."""
        here = list(self.entrants.filter(left_at=None).values_list("player_id", flat=True))
        seats = Game.objects.filter(season_table__round__season=self, status=Game.Status.FINISHED).values_list(
            "pk", "seats__player", "seats__rank", "seats__total", "seats__resigned_at"
        )
        tables: dict[int, list[league.SeatResult]] = {}
        for game, player, rank, total, resigned_at in seats:
            result = league.SeatResult(player, rank, total or 0, has_resigned=resigned_at is not None)
            tables.setdefault(game, []).append(result)
        return league.standings_of(here, tables.values())


class Entrant(models.Model):
    """Somebody who plays a season, or has left it."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="entrants", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="entrants")
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = (models.UniqueConstraint(fields=("season", "player"), name="entrant_joins_once"),)

    def __str__(self) -> str:
        return f"{self.player_id} in {self.season_id}"


class Round(models.Model):
    """A round of a season, numbered from 1."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="drawn_rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    began_at = models.DateTimeField()

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = (models.UniqueConstraint(fields=("season", "number"), name="round_drawn_once"),)

    def __str__(self) -> str:
        return f"round {self.number} of {self.season_id}"


class SeasonTable(models.Model):
    """A table of a round: who was drawn to it, and its game once that is opened."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables", db_index=False)
    number = models.PositiveSmallIntegerField()
    players = models.JSONField(help_text=_("The keys of the players; computer players have the other seats."))
    game = models.OneToOneField(Game, on_delete=models.PROTECT, null=True, related_name="season_table")

    class Meta:
        verbose_name = _("table of a season")
        verbose_name_plural = _("tables of seasons")
        constraints = (models.UniqueConstraint(fields=("round", "number"), name="season_table_drawn_once"),)

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round_id}"

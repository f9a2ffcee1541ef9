"""A game with its settings, and what lists need of its state and result; its moves are rows of their own."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games import rules
from games.caching import prepared
from games.models.series import MOST_GAMES, Series
from games.rules import Opening, Position, Ruleset, Step

if TYPE_CHECKING:
    from games.models.player import Player

Row = TypeVar("Row")
Table = TypeVar("Table", bound=models.Model)

SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
SECRET_LETTERS = 26
"""Letters in the address of a table by link; all others have fewer."""

ARCHIVED = Q(status="finished", is_public=True, is_listed=True)
SEARCHED = (
    "size",
    "end",
    "five_clans",
    "has_computers",
    "winning_clans",
    "winning_total",
    "margin",
    "ply",
    "talk",
    "said",
    "upper_name",
    "move_hours",
    "board",
    "opener",
)


def new_slug(*, is_public: bool = True) -> str:
    """10 letters: the address of a table that everybody finds. For one that is open by link only, whose link is its
    key, 26 letters, which nobody can guess (128 bits)."""
    count = 10 if is_public else SECRET_LETTERS
    return "".join(secrets.choice(SLUG_LETTERS) for _letter in range(count))


class GameQuerySet(models.QuerySet["Game"]):
    def awaiting(self, player: Player) -> GameQuerySet:
        """Running games in which `player` is to move, nearest deadline first."""
        return self.filter(awaited=player).order_by("due_at", "pk")

    def unfinished_of(self, player: Player) -> GameQuerySet:
        """Open and running games at which `player` has a seat, newest first."""
        mine = Q(seats__player=player, seats__total__isnull=True)
        return self.filter(mine, status__in=(Game.Status.OPEN, Game.Status.RUNNING)).order_by("-pk")

    def open_tables(self) -> GameQuerySet:
        """Public tables that have not started, newest first."""
        return self.filter(status=Game.Status.OPEN, is_public=True).order_by("-pk")

    def running(self) -> GameQuerySet:
        """Games that are being played, the one with the last move first."""
        return self.filter(status=Game.Status.RUNNING).order_by("-turn_since", "-pk")

    def finished(self) -> GameQuerySet:
        """Games that are over, abandoned ones among them, newest first."""
        return self.filter(status=Game.Status.FINISHED).order_by("-ended_at", "-pk")


class Game(models.Model):
    """A table: its opening and what lists need. Positions are folded from the opening and the moves."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("closed")

    class FiveClans(models.TextChoices):
        SCORE = "score", _("a village of all five clans scores")
        NOTHING = "nothing", _("a village of all five clans scores nothing")

    class End(models.TextChoices):
        VILLAGES = "villages", _("the twelfth village")
        NO_MOVES = "no-moves", _("no legal move")
        ABANDONED = "abandoned", _("abandoned")

    class Overdue(models.TextChoices):
        AUTOPILOT = "autopilot", _("the autopilot plays the move")
        ABANDON = "abandon", _("the game is abandoned")

    class Talk(models.TextChoices):
        """Who reads the talk besides the players."""

        PLAYERS = "players", _("nobody")
        END = "end", _("everybody, once the game is over")
        OPEN = "open", _("everybody")

    slug = models.CharField(max_length=26, unique=True, default=new_slug, editable=False)
    name = models.CharField(_("name"), max_length=60)
    # searches look through it: making capitals of 100,000 names takes PostgreSQL longer than comparing them
    upper_name = models.GeneratedField(expression=Upper("name"), output_field=models.TextField(), db_persist=True)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="opened_games",
        help_text=_("Nobody, if the game was imported."),
    )
    size = models.PositiveSmallIntegerField(_("seats"))
    five_clans = models.CharField(_("house rule"), max_length=7, choices=FiveClans, default=FiveClans.SCORE)
    is_public = models.BooleanField(_("public"), default=True)
    is_listed = models.BooleanField(
        default=True, help_text=_("Not so for a game that was given up before it began in earnest.")
    )
    is_rated = models.BooleanField(
        _("rated"), default=False, help_text=_("Whether it counts for ratings, if people play it to its end.")
    )
    rated_at = models.DateTimeField(
        null=True,
        help_text=_("When it was rated, after all earlier rated games of its players; empty: it does not count."),
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    key = models.CharField(max_length=64, blank=True, help_text=_("The opener's key: sent twice, opened once."))
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    board = models.CharField(_("map"), max_length=40, default="atlas-1")
    rules = models.PositiveSmallIntegerField(
        _("version of the rules"), default=1, help_text=_("The game is folded by it for ever.")
    )
    huts = models.CharField(max_length=60, blank=True)
    first = models.PositiveSmallIntegerField(null=True)

    ply = models.PositiveSmallIntegerField(default=0)
    to_move = models.PositiveSmallIntegerField(null=True)
    awaited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        db_index=False,  # one below leaves out games that wait for nobody: SQLite would find all of that by it
        related_name="awaiting_games",
    )
    turn_since = models.DateTimeField(null=True)
    end = models.CharField(max_length=9, choices=End, blank=True)

    has_computers = models.BooleanField(default=False, help_text=_("A computer player had a seat from the start."))
    winning_clans = models.CharField(max_length=5, blank=True, help_text=_("The letters of the clans that won."))
    winning_total = models.PositiveSmallIntegerField(null=True)
    margin = models.PositiveSmallIntegerField(
        null=True, help_text=_("Points between the two best totals; 0 where a win is shared.")
    )

    move_hours = models.PositiveSmallIntegerField(_("hours for a move"), default=72)
    reserve_hours = models.PositiveSmallIntegerField(_("hours in reserve"), default=168)
    allows_vacation = models.BooleanField(_("vacations stop the clock"), default=True)
    allows_takeover = models.BooleanField(
        _("seats can be taken over"),
        default=False,
        help_text=_("By somebody else, when a player has resigned or the autopilot has the seat."),
    )
    overdue = models.CharField(_("when time runs out"), max_length=9, choices=Overdue, default=Overdue.AUTOPILOT)
    free_until = models.DateTimeField(null=True, help_text=_("When the turn begins to draw on the reserve."))
    due_at = models.DateTimeField(null=True, help_text=_("When the turn is over, or the open table."))
    clock_set_at = models.DateTimeField(null=True, help_text=_("When these two were last set."))
    remind_at = models.DateTimeField(null=True, help_text=_("When the next reminder is owed."))
    reminded = models.PositiveSmallIntegerField(default=0, help_text=_("Reminders owed in this turn so far."))
    edition = models.PositiveSmallIntegerField(
        default=0, help_text=_("Moves withdrawn so far: plies that were played anew.")
    )
    last_hash = models.BinaryField(
        max_length=32, null=True, help_text=_("Hash of the last move, or of the opening: the end of the chain.")
    )
    ended_turn = models.JSONField(
        null=True, help_text=_("The turn that the last move ended, as long as a person made it: it may be taken back.")
    )
    has_events = models.BooleanField(default=False, help_text=_("Lets pages skip the query for events."))
    talk = models.CharField(
        _("readers of the talk"), max_length=7, choices=Talk, default=Talk.PLAYERS, help_text=_("Besides the players.")
    )
    said = models.PositiveIntegerField(
        default=0, help_text=_("Postcards so far, and changes of them: the number of the last one.")
    )
    follows = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        db_index=False,  # one below leaves out the many that follow none
        related_name="followed_by",
        help_text=_("The finished game whose players this table asks to play again."),
    )
    series = models.ForeignKey(
        Series,
        on_delete=models.PROTECT,
        null=True,
        db_index=False,  # the constraint below has an index that begins with it
        related_name="games",
    )
    series_number = models.PositiveSmallIntegerField(null=True, help_text=_("Which game of its series, from 1."))

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = (
            models.UniqueConstraint(fields=("opener", "key"), condition=~Q(key=""), name="game_key_unique"),
            models.CheckConstraint(
                condition=Q(opener__isnull=False) | Q(status="finished"), name="game_has_an_opener_unless_imported"
            ),
            models.CheckConstraint(condition=Q(size__range=(2, 4)), name="game_size_2_to_4"),
            models.CheckConstraint(condition=~Q(name=""), name="game_has_a_name"),
            models.CheckConstraint(
                condition=Q(status__in=("open", "running", "finished", "closed")), name="game_status_known"
            ),
            models.CheckConstraint(condition=Q(five_clans__in=("score", "nothing")), name="game_five_clans_known"),
            models.CheckConstraint(
                condition=Q(status="running", to_move__isnull=False, turn_since__isnull=False)
                | (~Q(status="running") & Q(to_move__isnull=True, awaited__isnull=True, turn_since__isnull=True)),
                name="game_turn_exactly_while_running",
            ),
            models.CheckConstraint(
                condition=Q(status__in=("open", "closed"), started_at__isnull=True, huts="", first__isnull=True)
                | Q(status__in=("running", "finished"), started_at__isnull=False, first__range=(0, 3)) & ~Q(huts=""),
                name="game_opening_exactly_once_started",
            ),
            models.CheckConstraint(
                condition=Q(status="finished", end__in=("villages", "no-moves", "abandoned"), ended_at__isnull=False)
                | (~Q(status="finished") & Q(end="")),
                name="game_end_exactly_when_finished",
            ),
            models.CheckConstraint(
                condition=Q(move_hours__range=(12, 336), reserve_hours__range=(0, 720)), name="game_pace_in_bounds"
            ),
            models.CheckConstraint(condition=Q(overdue__in=("autopilot", "abandon")), name="game_overdue_known"),
            models.CheckConstraint(condition=Q(talk__in=("players", "end", "open")), name="game_talk_known"),
            models.CheckConstraint(condition=~Q(board="") & Q(rules__gte=1), name="game_names_map_and_rules"),
            models.CheckConstraint(
                condition=Q(status="finished")
                | Q(has_computers=False, winning_clans="", winning_total__isnull=True, margin__isnull=True),
                name="game_result_only_when_finished",
            ),
            models.UniqueConstraint(
                fields=("series", "series_number"), condition=Q(series__isnull=False), name="game_once_in_its_series"
            ),
            models.CheckConstraint(
                condition=Q(series__isnull=True, series_number__isnull=True)
                | Q(series__isnull=False, series_number__range=(1, MOST_GAMES)),
                name="game_numbered_in_its_series",
            ),
        )
        indexes = (
            # "tables waiting for me", on every page a signed-in player opens
            models.Index(fields=("awaited", "turn_since"), condition=Q(awaited__isnull=False), name="game_awaited"),
            # open tables on the home page
            models.Index(fields=("-id",), condition=Q(status="open", is_public=True), name="game_open_public"),
            # the archive and searches in it, by each order: what is searched by stands in the index, so that games
            # which do not fit are passed over without reading their rows
            models.Index(fields=("-ended_at", "-id", *SEARCHED), condition=ARCHIVED, name="game_archive"),
            models.Index(fields=("ply", "id", *SEARCHED), condition=ARCHIVED, name="game_archive_by_moves"),
            models.Index(fields=("margin", "id", *SEARCHED), condition=ARCHIVED, name="game_archive_by_margin"),
            models.Index(fields=("winning_total", "id", *SEARCHED), condition=ARCHIVED, name="game_archive_by_total"),
            # on PostgreSQL, searches by a title that hardly any game has, and by somebody without an account, which
            # know the keys of their games: it reads nothing else, and less than of the indexes above
            models.Index(
                fields=("id", "ended_at", "ply", "margin", "winning_total", "upper_name"),
                condition=ARCHIVED,
                name="game_archive_by_key",
            ),
            # the first page of a visitor, without passing over all games that were imported
            models.Index(
                fields=("-ended_at", "-id"), condition=ARCHIVED & Q(opener__isnull=False), name="game_finished_here"
            ),
            # games to watch, the one with the last move first
            models.Index(
                fields=("-turn_since", "-id"), condition=Q(status="running", is_public=True), name="game_watch"
            ),
            # the sweep that looks for computer players to move
            models.Index(
                fields=("turn_since",), condition=Q(status="running", awaited__isnull=True), name="game_bot_to_move"
            ),
            # the sweep: turns that are over, open tables that nobody came to
            models.Index(fields=("due_at",), condition=Q(due_at__isnull=False), name="game_due"),
            # tables at which the players of a finished game are asked to play again
            models.Index(fields=("follows",), condition=Q(follows__isnull=False), name="game_follows"),
            # the sweep: reminders
            models.Index(fields=("remind_at",), condition=Q(remind_at__isnull=False), name="game_remind"),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"

    def get_absolute_url(self) -> str:
        return reverse("table", args=(self.slug,))

    @property
    def call_waits(self) -> timedelta:
        """How long a call to the turn that runs waits after the last move, which can be taken back until then: longer
        where it came by mail, since it is taken back by mail, too."""
        by_mail = bool(self.ended_turn and self.ended_turn.get("by_mail"))
        return timedelta(seconds=settings.MAIL_MOVE_WAIT_SECONDS if by_mail else settings.MAIL_WAIT_SECONDS)

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.FINISHED

    @property
    def is_imported(self) -> bool:
        """Whether it was not played here, but read from a record."""
        return self.opener_id is None

    @property
    def asks_who_is_ready(self) -> bool:
        """Whether it is a later game of a series, whose seats are taken as its table is opened: it begins when all of
        its players are ready."""
        return self.series_number is not None and self.series_number > 1

    @property
    def ruleset(self) -> Ruleset:
        """The map and the version of the rules that it is played by. Raises rules.UnknownRuleset."""
        return rules.find_ruleset(self.board, self.rules)

    def opening(self) -> Opening:
        """The opening of a started game. Raises ValueError before the start."""
        if self.first is None:
            raise ValueError(f"{self} has not started")
        five_clans: rules.FiveClans = "nothing" if self.five_clans == self.FiveClans.NOTHING else "score"
        return Opening(self.huts, self.size, self.first, five_clans, self.ruleset)

    def steps(self) -> list[Step]:
        """All steps, folded from the log: one query, well under a millisecond of CPU."""
        board = self.ruleset.board
        return rules.fold(self.opening(), [rules.Move.parse(text, board) for (text,) in _log(self.pk)])

    def position(self) -> Position:
        """The position after the last move; costs what `steps` costs."""
        steps = self.steps()
        return steps[-1].position if steps else rules.set_up(self.opening())


def by_game(rows: Iterable[tuple[int, Row]]) -> defaultdict[int, list[Row]]:
    """Rows by the key of their game, which stands before each."""
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for game, row in rows:
        found[game].append(row)
    return found


def in_batches(rows: models.QuerySet[Table], size: int) -> Iterator[list[Table]]:
    """The rows in the order of their keys, so many at a time: each batch is a query, and only one is kept in memory."""
    last = 0
    while some := list(rows.filter(pk__gt=last).order_by("pk")[:size]):
        last = some[-1].pk
        yield some


@prepared
def count_waiting(player: int) -> models.QuerySet[Game, tuple[int]]:
    """How many tables wait for the player of this key, by index: one row, or none when none waits."""
    waiting = Game.objects.filter(awaited=player).order_by()
    return waiting.values("awaited").annotate(count=models.Count("pk")).values_list("count")


@prepared
def _log(game: int) -> models.QuerySet[models.Model, tuple[str]]:
    return Game(pk=game).moves.order_by("ply").values_list("text")

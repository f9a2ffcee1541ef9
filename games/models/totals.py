"""What finished games add up to, for players' pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games import clocks

if TYPE_CHECKING:
    from games.models.former_holder import FormerHolder
    from games.models.game import Game
    from games.models.move import Move
    from games.models.seat import Seat

HOURS = 24


class Tally(models.Model):
    """A player's public games that are over, added up: one row for each number of seats, with computer players or
    without, and pace. A page reads at most 36 rows, however many games there are."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies")
    size = models.PositiveSmallIntegerField(_("seats"))
    with_computers = models.BooleanField(help_text=_("Whether a computer player had a seat from the start."))
    pace = models.CharField(max_length=10)
    played = models.PositiveIntegerField(default=0, help_text=_("Games that the player played to the end."))
    won = models.PositiveIntegerField(default=0, help_text=_("Of these; who shares a win has won."))
    points = models.PositiveIntegerField(default=0, help_text=_("The sum of the totals of these."))
    resigned = models.PositiveIntegerField(default=0)
    abandoned = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        constraints = (
            models.UniqueConstraint(fields=("player", "size", "with_computers", "pace"), name="tally_once"),
            models.CheckConstraint(condition=Q(size__range=(2, 4)), name="tally_size_2_to_4"),
            models.CheckConstraint(condition=Q(won__lte=F("played")), name="tally_won_of_played"),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.played} of {self.size} seats"


class AnswerTimes(models.Model):
    """How many of a player's moves in public games that are over were made in which hour of the day, and how long
    after the turn began."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="answer_times"
    )
    counts = models.JSONField(
        default=list, help_text=_("For each hour of UTC how many moves there are in each class of `clocks.class_of`.")
    )

    class Meta:
        verbose_name = _("answer times")
        verbose_name_plural = _("answer times")

    def __str__(self) -> str:
        return f"{self.player_id}: {sum(map(sum, self.counts))}"


class Meeting(models.Model):
    """Two players who have sat at a table that started, and the games that both played to the end, by link or not.
    The one with the smaller key comes first."""

    first = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    played = models.PositiveIntegerField(default=0)
    first_ahead = models.PositiveIntegerField(default=0, help_text=_("Games in which the first had the better rank."))
    second_ahead = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("meeting")
        verbose_name_plural = _("meetings")
        constraints = (
            models.UniqueConstraint(fields=("first", "second"), name="meeting_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="meeting_smaller_key_first"),
        )

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}: {self.played}"


class Totals:
    """What games that are over add to the three tables, in memory. It takes rows of any models with these columns, so
    that a migration can fill the tables by it, too."""

    def __init__(self) -> None:
        self.tallies: defaultdict[tuple[int, int, bool, str], Counter[str]] = defaultdict(Counter)
        self.answers: defaultdict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
        self.meetings: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)

    def add(self, game: Game, seats: Iterable[Seat], moves: Iterable[Move], *, former: Iterable[FormerHolder]) -> None:
        """Add a started game; `former` are who had its seats before. One that runs counts only in who has met whom; of
        one by link, or given up before it began in earnest, nothing else is told than how those stand who sat there."""
        seats = sorted(seats, key=lambda seat: seat.number or 0)
        people = sorted((seat for seat in seats if seat.player_id), key=lambda seat: seat.player_id or 0)
        for one, other in combinations(people, 2):
            self.meetings[one.player_id or 0, other.player_id or 0].update(_compare(game, one, other))
        if not game.end or not (game.is_public and game.is_listed):
            return
        pace = clocks.key_of_pace(game.move_hours, game.reserve_hours)
        table = (len(seats), len(people) < len(seats), pace)
        for seat in people:
            self.tallies[seat.player_id or 0, *table].update(_result(game, seat))
        for holder in former:
            if holder.has_resigned and holder.player_id:
                self.tallies[holder.player_id, *table].update(resigned=1)
        for player, hour, kind in _answers(game, seats, moves):
            self.answers[player][hour, kind] += 1


def _result(game: Game, seat: Seat) -> dict[str, int]:
    if seat.resigned_at:
        return {"resigned": 1}
    if game.end == "abandoned":
        return {"abandoned": 1}
    return {"played": 1, "won": int(seat.rank == 1), "points": seat.total or 0}


def _compare(game: Game, one: Seat, other: Seat) -> dict[str, int]:
    is_played_out = game.end not in ("", "abandoned") and not (one.resigned_at or other.resigned_at)
    if not is_played_out or one.rank is None or other.rank is None:
        return {}
    return {"played": 1, "first_ahead": int(one.rank < other.rank), "second_ahead": int(other.rank < one.rank)}


def _answers(game: Game, seats: Sequence[Seat], moves: Iterable[Move]) -> Iterator[tuple[int, int, int]]:
    """For each move of a person who it is, the hour of UTC, and the class of the time since the turn began. Moves of
    whoever had a seat before its player are left out."""
    begun: datetime | None = game.started_at
    for move in sorted(moves, key=lambda move: move.ply):
        player, since = seats[move.seat].player_id, getattr(seats[move.seat], "taken_over_at", None)
        if player and begun and not move.by_bot and not (since and move.at < since):
            yield player, move.at.astimezone(UTC).hour, clocks.class_of(move.at - begun)
        begun = move.at


def add_counts(stored: list[list[int]], more: Counter[tuple[int, int]]) -> list[list[int]]:
    """`AnswerTimes.counts` with these by hour and class added."""
    counts = stored or [[0] * clocks.CLASSES for _hour in range(HOURS)]
    for (hour, kind), count in more.items():
        counts[hour][kind] += count
    return counts


def write_totals(totals: Totals, *, into: Any) -> None:
    """Write all rows anew into the three models of `into`: an `apps` of a migration, or the real one."""
    tally, answers, meeting = (into.get_model("games", name) for name in ("Tally", "AnswerTimes", "Meeting"))
    for model in (tally, answers, meeting):
        model.objects.all().delete()
    names = ("player_id", "size", "with_computers", "pace")
    tallies = [tally(**dict(zip(names, key, strict=True)), **sums) for key, sums in sorted(totals.tallies.items())]
    tally.objects.bulk_create(tallies, batch_size=500)
    counted = sorted(totals.answers.items())
    answers.objects.bulk_create(
        [answers(player_id=player, counts=add_counts([], more)) for player, more in counted], batch_size=100
    )
    meetings = [meeting(first_id=a, second_id=b, **sums) for (a, b), sums in sorted(totals.meetings.items())]
    meeting.objects.bulk_create(meetings, batch_size=500)


def count_totals(*, of: Any) -> Totals:
    """The totals of all games that have started, from the log of the models of `of`: some 4 queries for 500 games."""
    totals = Totals()
    started = of.get_model("games", "Game").objects.filter(status__in=("running", "finished"))
    # A migration may have models from before seats could be taken over.
    has_takeovers = hasattr(of.get_model("games", "Seat"), "taken_over_at")
    seats = "seats__former_holders" if has_takeovers else "seats"
    for game in started.prefetch_related(seats, "moves").iterator(chunk_size=500):
        former = [one for seat in game.seats.all() for one in seat.former_holders.all()] if has_takeovers else []
        totals.add(game, game.seats.all(), game.moves.all(), former=former)
    for pair in _met_by_takeover(of) if has_takeovers else ():
        totals.meetings[pair].update({})
    return totals


def _met_by_takeover(of: Any) -> Iterator[tuple[int, int]]:
    """Who has met whom where seats were taken over: those who had two seats at the same time."""
    begun = datetime.min.replace(tzinfo=UTC)
    games = of.get_model("games", "Seat").objects.exclude(taken_over_at=None).values("game")
    for game in of.get_model("games", "Game").objects.filter(pk__in=games).prefetch_related("seats__former_holders"):
        held: list[tuple[int, int, datetime, datetime]] = []
        for place, one in enumerate(game.seats.all()):
            since = begun
            for former in sorted(one.former_holders.all(), key=lambda former: former.pk):
                held += [(place, former.player_id, since, former.at)] if former.player_id else []
                since = former.at
            held += [(place, one.player_id, since, datetime.max.replace(tzinfo=UTC))] if one.player_id else []
        for (place, player, since, until), (place_2, player_2, since_2, until_2) in combinations(held, 2):
            if place != place_2 and since < until_2 and since_2 < until:
                yield min(player, player_2), max(player, player_2)

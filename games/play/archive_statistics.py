"""What is counted over the whole archive, in the background: public games that are over, and no others."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from games import clocks, rules
from games.models import ARCHIVED, ONLY_ROW, AnswerTimes, ArchiveStatistics, Game, Move, Seat, by_game, in_batches

logger = logging.getLogger(__name__)

AT_A_TIME: Final = 500
STALE: Final = timedelta(hours=6)
"""The age from which a count is made again, if games have ended since."""


class PlayedSeat(NamedTuple):
    """A seat of a game that was played to its end, by the names of its columns."""

    number: int
    clan: str
    total: int
    rank: int


class Counted:
    """Sums over games, from which shares and means follow. All keys are texts, as JSON has them.

    `shares` has, by section and row, how often something was true, and of how many. `sums` has the number of games, the
    sum, and the sum of squares. `moves` has how many games had each number of moves.
    """

    def __init__(self) -> None:
        self.games = 0
        self.shares: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self.sums: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
        self.moves: Counter[str] = Counter()

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("games", "shares", "sums", "moves")}

    def add_game(self, game: Game, seats: Sequence[PlayedSeat], steps: Sequence[rules.Step]) -> None:
        """Count a game that was played to its end, and so has moves."""
        self.games += 1
        self.moves[str(len(steps))] += 1
        self._add("length", str(game.size), len(steps))
        self._note("ends", str(game.size), game.end == Game.End.VILLAGES)
        self._add_seats(game, seats)
        self._add_epochs(rules.set_up(game.opening()), steps)
        for clan, score in zip(rules.CLANS, steps[-1].position.scores, strict=True):
            self._add("clan_points", clan, score)
        starter = next(seat for seat in seats if seat.number == steps[0].seat)
        self._note("openings", f"{game.board} {steps[0].move.target}", starter.rank == 1)

    def _add_seats(self, game: Game, seats: Sequence[PlayedSeat]) -> None:
        for seat in seats:
            place = 1 + (seat.number - (game.first or 0)) % game.size
            self._note("places", f"{game.size} {place}", seat.rank == 1)
            self._note("clans", seat.clan, seat.rank == 1)
            self._add("clan_totals", seat.clan, seat.total)
        self._add("totals", str(game.size), sum(seat.total for seat in seats))
        self._add("winning_totals", str(game.size), game.winning_total or 0)
        self._add("margins", str(game.size), game.margin or 0)

    def _add_epochs(self, start: rules.Position, steps: Sequence[rules.Step]) -> None:
        """The moves made, villages founded and points scored in each epoch; an epoch that a game did not reach counts
        as none of them."""
        moves = Counter(position.epoch for position in (start, *(step.position for step in steps[:-1])))
        villages = [village for step in steps for village in step.villages]
        founded = Counter(village.epoch for village in villages)
        points: Counter[int] = Counter()
        for village in villages:
            points[village.epoch] += village.value * len(village.scored)
        for epoch in start.ruleset.version.epochs:
            row = str(epoch.number)
            self._add("epoch_moves", row, moves[epoch.number])
            self._add("epoch_villages", row, founded[epoch.number])
            self._add("epoch_points", row, points[epoch.number])

    def _note(self, section: str, row: str, holds: bool) -> None:
        share = self.shares[section][row]
        share[0] += holds
        share[1] += 1

    def _add(self, section: str, row: str, value: int) -> None:
        sums = self.sums[section][row]
        sums[0] += 1
        sums[1] += value
        sums[2] += value * value


def count_archive(*, at: datetime) -> int:
    """Count all public games that are over, write what came of it, and return how many they are. 3 queries for 500
    games and some more; nothing is locked, so a game that ends meanwhile may or may not be among them."""
    everybody, people = Counted(), Counted()
    choices: defaultdict[str, Counter[str]] = defaultdict(Counter)
    found = 0
    for game, seats, moves in _read_archive():
        found += 1
        for field, choice in _choices_of(game):
            choices[field][choice] += 1
        if game.end == Game.End.ABANDONED:
            continue
        steps = _fold(game, moves)
        if not steps:
            logger.error("the log of game %s cannot be read: see manage.py verify_archive", game.slug)
            continue
        everybody.add_game(game, seats, steps)
        if not game.has_computers:
            people.add_game(game, seats, steps)
    counts = {"all": everybody.as_json(), "people": people.as_json(), "answers": _add_up_answers()}
    row = {"counted_at": at, "counts": counts, "choices": choices}
    ArchiveStatistics.objects.update_or_create(pk=ONLY_ROW, defaults=row)
    return found


def count_archive_if_stale(*, at: datetime) -> bool:
    """Count the archive if it was never counted, or if the last count is old and games have ended since; returns
    whether it was counted."""
    last = ArchiveStatistics.objects.first()
    if last and at - last.counted_at < STALE:
        return False
    if last and not Game.objects.filter(ARCHIVED, ended_at__gt=last.counted_at).exists():
        return False
    count_archive(at=at)
    return True


def _choices_of(game: Game) -> Iterator[tuple[str, str]]:
    """The choices of a search that find the game, each with its field. A search finds shared wins by their margin."""
    yield "size", str(game.size)
    yield "computers", "yes" if game.has_computers else "no"
    yield "end", game.end
    yield "five_clans", game.five_clans
    yield "board", game.board
    if game.opener_id:
        yield "pace", clocks.nearest_preset(game.move_hours).key
    is_readable = game.said > 0 and game.talk in (Game.Talk.END, Game.Talk.OPEN)
    yield "talk", "yes" if is_readable else "no"
    if game.margin is not None:
        yield "tie", "no" if game.margin else "yes"
    for letter in game.winning_clans:
        yield "clan", rules.CLANS[rules.CLAN_LETTERS.index(letter)]


def _read_archive() -> Iterator[tuple[Game, list[PlayedSeat], list[str]]]:
    """Each game with its seats in the order of play and the texts of its moves."""
    for games in in_batches(Game.objects.filter(ARCHIVED), AT_A_TIME):
        keys = [game.pk for game in games]
        rows = Seat.objects.filter(game__in=keys).order_by("game", "number").values_list("game", *PlayedSeat._fields)
        seats = by_game((key, PlayedSeat(*columns)) for key, *columns in rows)
        moves = by_game(Move.objects.filter(game__in=keys).order_by("game", "ply").values_list("game", "text"))
        yield from ((game, seats[game.pk], moves[game.pk]) for game in games)


def _fold(game: Game, moves: Sequence[str]) -> list[rules.Step]:
    """The steps of a game that was played to its end; none if its log cannot be read."""
    try:
        board = game.ruleset.board
        return rules.fold(game.opening(), [rules.Move.parse(text, board) for text in moves])
    except rules.ClansError:
        return []


def _add_up_answers() -> list[int]:
    """How many moves of people are in each class of answer times."""
    total = [0] * clocks.CLASSES
    for (counts,) in AnswerTimes.objects.values_list("counts").iterator():
        for hour in counts:
            total = [one + more for one, more in zip(total, hour, strict=True)]
    return total

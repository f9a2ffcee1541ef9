"""What is counted over the whole archive, in the background: public games that are over, and no others."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.core.cache import cache

from games import clocks, rules
from games.models import ONLY_ROW, AnswerTimes, ArchiveStatistics, Game, Move, Seat

logger = logging.getLogger(__name__)

AT_A_TIME: Final = 500
STALE: Final = timedelta(hours=6)
"""How old a count gets before it is made again, if games have ended since."""


Choices = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
"""For each field of a search how many games there are of each choice that has any."""
NOTED: Final = "choices-of-the-archive"
NOTED_FOR: Final = timedelta(days=1)


class Sat(NamedTuple):
    """A seat of a game that was played to its end, by the names of its columns."""

    number: int
    clan: str
    total: int
    rank: int


class Counted:
    """Sums over games, from which shares and means follow. All keys are texts, as JSON has them.

    `choices` has how many games there are of each choice of a search, by field. `shares` has by section and row how
    often something was so, and of how many; `sums` of how many games something was added up, its sum and the sum of
    its squares; `moves` how many games had so many moves.
    """

    def __init__(self) -> None:
        self.games = 0
        self.choices: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.shares: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self.sums: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
        self.moves: Counter[str] = Counter()

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("games", "choices", "shares", "sums", "moves")}

    def add_choices(self, game: Game) -> None:
        """Count the game for each choice of a search that finds it. A search finds shared wins by their margin."""
        self.choices["size"][str(game.size)] += 1
        self.choices["computers"]["yes" if game.has_computers else "no"] += 1
        self.choices["end"][game.end] += 1
        self.choices["five_clans"][game.five_clans] += 1
        is_readable = game.said > 0 and game.talk in (Game.Talk.END, Game.Talk.OPEN)
        self.choices["talk"]["yes" if is_readable else "no"] += 1
        if game.margin is not None:
            self.choices["tie"]["no" if game.margin else "yes"] += 1
        for letter in game.winning_clans:
            self.choices["clan"][rules.CLANS[rules.CLAN_LETTERS.index(letter)]] += 1

    def add_game(self, game: Game, seats: Sequence[Sat], steps: Sequence[rules.Step]) -> None:
        """Count a game that was played to its end, so there were moves."""
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

    def _add_seats(self, game: Game, seats: Sequence[Sat]) -> None:
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
    found = 0
    for game, seats, moves in _read_archive():
        found += 1
        everybody.add_choices(game)
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
    ArchiveStatistics.objects.update_or_create(pk=ONLY_ROW, defaults={"counted_at": at, "counts": counts})
    _note_choices(counts)
    return found


def count_archive_if_stale(*, at: datetime) -> bool:
    """Count the archive if it never was, or not lately and games have ended since; whether it was counted."""
    last = ArchiveStatistics.objects.first()
    if last is None or (at - last.counted_at >= STALE and _archived().filter(ended_at__gt=last.counted_at).exists()):
        count_archive(at=at)
        return True
    _note_choices(last.counts)
    return False


def noted_choices() -> Choices:
    """How many games the archive had of each choice when it was last counted. No query: the cache has it, and where it
    has lost it, or cannot be asked, there is nothing until the archive is counted again."""
    try:
        noted: Choices = cache.get(NOTED, ())
    except Exception:
        logger.exception("the cache cannot be asked for the choices of the archive")
        return ()
    return noted


def _note_choices(counts: dict[str, Any]) -> None:
    choices = counts["all"]["choices"]
    noted = tuple((field, tuple(sorted(of_choice.items()))) for field, of_choice in sorted(choices.items()))
    try:
        cache.set(NOTED, noted, timeout=NOTED_FOR.total_seconds())
    except Exception:
        logger.exception("the cache does not take the choices of the archive")


def _archived() -> Any:
    return Game.objects.finished().filter(is_public=True, is_listed=True)


def _read_archive() -> Iterator[tuple[Game, list[Sat], list[str]]]:
    """Each game with its seats in the order of play and the texts of its moves."""
    archived, last = _archived().order_by("pk"), 0
    while games := list(archived.filter(pk__gt=last)[:AT_A_TIME]):
        last = games[-1].pk
        keys = [game.pk for game in games]
        seats: defaultdict[int, list[Sat]] = defaultdict(list)
        sat = Seat.objects.filter(game__in=keys).order_by("game", "number")
        for game_pk, *columns in sat.values_list("game", *Sat._fields):
            seats[game_pk].append(Sat(*columns))
        moves: defaultdict[int, list[str]] = defaultdict(list)
        for game_pk, text in Move.objects.filter(game__in=keys).order_by("game", "ply").values_list("game", "text"):
            moves[game_pk].append(text)
        yield from ((game, seats[game.pk], moves[game.pk]) for game in games)


def _fold(game: Game, moves: Sequence[str]) -> list[rules.Step]:
    """The steps of a game that was played to its end; none if its log cannot be read."""
    try:
        board = game.ruleset.board
        return rules.fold(game.opening(), [rules.Move.parse(text, board) for text in moves])
    except rules.ClansError:
        return []


def _add_up_answers() -> list[int]:
    """How many moves of people there are in each class of answer times."""
    total = [0] * clocks.CLASSES
    for (counts,) in AnswerTimes.objects.values_list("counts").iterator():
        for hour in counts:
            total = [one + more for one, more in zip(total, hour, strict=True)]
    return total

"""Whether the archive holds what the rules make of its logs, and logs that nobody has changed: every finished game is
played again and compared, and so are the hashes of its moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist

from games import rules
from games.models import (
    HASHED,
    REMOVALS,
    Event,
    Game,
    Move,
    PassedPosition,
    Seat,
    by_game,
    hashes_of,
    in_batches,
    keys_of,
    result_of,
)
from games.pov.looking import read_deal, seats_with_players
from games.pov.proof import prove

AT_A_TIME: Final = 200


def verify_archive() -> Iterator[list[str]]:
    """A list for each finished game of what is wrong with it, with its address and the ply: empty where all is as it
    should be. 5 queries for 200 games, and one more where a move was removed. Nothing is changed."""
    for games in in_batches(Game.objects.finished().select_related("deal", "imported"), AT_A_TIME):
        found = Game.objects.filter(pk__in=[game.pk for game in games])
        seats = _rows(seats_with_players().filter(game__in=found).order_by("game", "number"))
        log = Move.objects.filter(game__in=found).order_by("game", "ply").values_list(*HASHED, named=True)
        moves = _rows(log)
        removed = _removed_of(games)
        keys = PassedPosition.objects.filter(game__in=found).order_by("game", "ply")
        rows = keys.values_list("game_id", "ply", "key", "shape")
        passed = by_game((game, {"ply": ply, "key": key, "shape": shape}) for game, ply, key, shape in rows)
        for game in games:
            wrong = [
                *_look_at(game, seats[game.pk], moves[game.pk], passed[game.pk]),
                *_compare_chain(game, moves[game.pk], removed[game.pk]),
            ]
            yield [f"{game.slug} {said}" for said in wrong]


def _rows(found: Iterable[Any]) -> defaultdict[int, list[Any]]:
    return by_game((row.game_id, row) for row in found)


def _removed_of(games: Sequence[Game]) -> defaultdict[int, list[int]]:
    """The plies of removed moves by game, in the order in which that happened. No query where there are none."""
    edited = [game.pk for game in games if game.edition]
    events = Event.objects.filter(game__in=edited, kind__in=REMOVALS).order_by("pk")
    return by_game(events.values_list("game_id", "ply"))


def _look_at(game: Game, seats: list[Seat], moves: list[Any], passed: list[Any]) -> Iterator[str]:
    try:
        opening = game.opening()
    except rules.ClansError as error:
        yield f"at ply 0: {error}"
        return
    steps, wrong = _fold(opening, moves)
    yield from wrong
    if not wrong:
        end = steps[-1].position if steps else rules.set_up(opening)
        yield from _compare_result(game, seats, end)
        yield from _compare_positions(opening, steps, passed)
    try:
        drawn = [(seat.name_in_deal, seat.clan) for seat in seats]
        proof = prove(read_deal(game, seats), slug=game.slug, opening=opening, seats=drawn)
    except (rules.ClansError, ValueError, LookupError, ObjectDoesNotExist) as error:
        yield f"at ply 0: its deal cannot be read: {error}"
    else:
        yield from (f"at ply 0: its deal does not prove its {part}" for part, holds in proof.items() if not holds)


def _fold(opening: rules.Opening, moves: Sequence[Any]) -> tuple[list[rules.Step], list[str]]:
    """The steps of a log until something in it is wrong, and that."""
    steps: list[rules.Step] = []
    position = rules.set_up(opening)
    for ply, move in enumerate(moves):
        if move.ply != ply:
            return steps, [f"at ply {ply}: there is no move, but one at ply {move.ply}"]
        try:
            step = rules.play(position, rules.Move.parse(move.text, opening.ruleset.board))
        except rules.ClansError as error:
            return steps, [f"at ply {ply}: {error}"]
        if str(step.move) != move.text:
            return steps, [f"at ply {ply}: the move is stored as {move.text} and reads {step.move}"]
        if step.seat != move.seat:
            return steps, [f"at ply {ply}: the move is stored for seat {move.seat}, and it was the turn of {step.seat}"]
        steps.append(step)
        position = step.position
    return steps, []


def _compare_result(game: Game, seats: list[Seat], end: rules.Position) -> Iterator[str]:
    is_abandoned = game.end == Game.End.ABANDONED
    here = f"at ply {end.ply}:"
    if game.ply != end.ply:
        yield f"{here} {game.ply} moves are stored as its length"
    if end.end != ("" if is_abandoned else game.end):
        yield f"{here} it is stored as ended by {game.end}, and the rules say {end.end or 'it goes on'}"
    try:
        standings = rules.standings(end, [seat.clan for seat in seats])
    except rules.ClansError as error:
        yield f"{here} {error}"
        return
    for seat, standing in zip(seats, standings, strict=True):
        stored = (seat.number, seat.chips, seat.total, seat.rank)
        folded = (standing.seat, standing.chips, standing.total, None if is_abandoned else standing.rank)
        if stored != folded:
            yield f"{here} number, chips, total and rank of {seat.name} are stored as {stored}, and are {folded}"
        if seat.ended_at != game.ended_at:
            yield f"{here} the seat of {seat.name} ended at {seat.ended_at}, the game at {game.ended_at}"
    for name, value in result_of(seats).items():
        if getattr(game, name) != value:
            yield f"{here} {name} is stored as {getattr(game, name)!r}, and is {value!r}"


def _compare_positions(opening: rules.Opening, steps: list[rules.Step], passed: list[Any]) -> Iterator[str]:
    for ply, (row, keys) in enumerate(zip_longest(passed, keys_of(opening, steps))):
        if row != keys:
            yield f"at ply {ply}: the key of the position is stored as {row}, and is {keys}"
            return


def _compare_chain(game: Game, moves: Sequence[Any], removed: Sequence[int]) -> Iterator[str]:
    """The first ply, if there is one, whose move is not the one that the hash behind it is of."""
    stored = [*(move.previous_hash for move in moves), game.last_hash]
    for number, (known, computed) in enumerate(zip(stored, hashes_of(game, moves, removed), strict=True)):
        if known is None or bytes(known) != computed:
            what = f"the hash of {f'move {number}' if number else 'the opening'}"
            is_known = f"is stored as {bytes(known).hex()}" if known is not None else "is missing"
            yield f"at ply {max(number - 1, 0)}: {what} {is_known}, and is {computed.hex()}"
            return

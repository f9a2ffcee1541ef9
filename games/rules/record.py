"""A game as a `clans-record/1` object, the format that other programs read. What the site adds to it is in
games/pov/one_record.py."""

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from .board import Board
from .errors import InvalidOpening, InvalidRecord, UnknownRuleset, gettext_noop
from .move import IllegalMove, Move
from .moves import Step, fold
from .position import Position
from .ruleset import Ruleset, find_ruleset
from .setup import Opening, set_up
from .stacks import CLANS
from .standings import standings

FORMAT: Final = "clans-record/1"

Json = dict[str, Any]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was written down: `players` and `clans` by seat, `clans` and `result` None while it runs.

    A move's `order` repeats its villages, also where there was nothing to choose; `play` takes it so.
    """

    opening: Opening
    moves: tuple[Move, ...]
    players: tuple[str, ...]
    clans: tuple[str, ...] | None
    result: Json | None

    def replay(self) -> list[Step]:
        """The steps of the game; raises IllegalMove for moves that the rules refuse."""
        return fold(self.opening, self.moves)


def write_record(
    opening: Opening,
    steps: Sequence[Step],
    *,
    players: Sequence[str],
    clans: Sequence[str] | None = None,
    end: str | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Json:
    """The record of a game: `players` are names by seat, `end` is only needed to say `abandoned`.

    While the game runs neither clans nor result are written, whatever `clans` holds. `extra` adds keys that readers
    may ignore. Raises ValueError for an end that the position denies, and when a game is over and `clans` is missing.
    """
    position = steps[-1].position if steps else set_up(opening)
    end = end or position.end
    if end != position.end and (position.over or end != "abandoned"):
        raise ValueError(f"the game did not end by {end!r}")
    record: Json = {
        "format": FORMAT,
        "board": opening.ruleset.board.id,
        "rules": {"five_clans": opening.five_clans, "version": opening.ruleset.version.number},
        "huts": opening.huts,
        "players": [{"name": name} for name in players],
        "first": opening.first,
        "moves": [_write_step(step) for step in steps],
    }
    if end:
        if clans is None:
            raise ValueError("the record of a game that is over shows the clans")
        for player, clan in zip(record["players"], clans, strict=True):
            player["clan"] = clan
        record["result"] = _result(position, clans, end)
    return record | {key: value for key, value in (extra or {}).items() if key not in record}


def _write_step(step: Step) -> Json:
    villages = [village.territory for village in step.villages]
    return {"from": step.move.origin, "to": step.move.target, "villages": villages}


def _result(position: Position, clans: Sequence[str], end: str) -> Json:
    """The result that the rules give (rules 7); an abandoned game has no winners."""
    by_seat = standings(position, clans)
    return {
        "end": end,
        "scores": dict(zip(CLANS, position.scores, strict=True)),
        "chips": list(position.chips),
        "totals": [standing.total for standing in by_seat],
        "winners": [standing.seat for standing in by_seat if standing.won],
    }


def read_record(source: Json | str) -> Record:
    """The record of a JSON text or object; unknown keys are ignored. Raises InvalidRecord, also for a map or
    a version of the rules that is not known here; a record that names no version is of version 1. `check_record` says
    whether the rules make its villages and its result of its moves."""
    try:
        data = json.loads(source) if isinstance(source, str) else source
    except (ValueError, RecursionError) as error:
        raise _invalid("not-json", gettext_noop("The record is not JSON.")) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _invalid("format", gettext_noop("This is no record in the format clans-record/1."))
    opening = _read_opening(data, _read_ruleset(data))
    board = opening.ruleset.board
    return Record(
        opening=opening,
        moves=tuple(_field(data, "moves", lambda moves: [_read_move(move, board) for move in moves])),
        players=tuple(_field(data, "players", lambda players: [_text(player["name"]) for player in players])),
        clans=_field(data, "players", _read_clans),
        result=_field(data, "result", dict) if "result" in data else None,
    )


def _invalid(code: str, template: str, **params: str | int) -> InvalidRecord:
    return InvalidRecord(code, template, **params)


def _field(data: Json, key: str, read: Callable[[Any], Value]) -> Value:
    """What `read` makes of a field; InvalidRecord where it fails."""
    try:
        return read(data[key])
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        template = gettext_noop("The record's field %(key)s is missing or cannot be read.")
        raise _invalid("field", template, key=key) from error


def _read_ruleset(data: Json) -> Ruleset:
    """The map and the version of the rules; of version 1 are records that were written before there was any other."""
    board = _field(data, "board", _text)
    version = _field(data, "rules", lambda rules: _whole(rules.get("version", 1)))
    try:
        return find_ruleset(board, version)
    except UnknownRuleset as error:
        raise _invalid(error.code, error.template, **error.params) from error


def _read_opening(data: Json, ruleset: Ruleset) -> Opening:
    try:
        return Opening(
            huts=_field(data, "huts", _text),
            seats=_field(data, "players", len),
            first=_field(data, "first", _whole),
            five_clans=_field(data, "rules", lambda rules: rules["five_clans"]),
            ruleset=ruleset,
        )
    except InvalidOpening as error:
        raise _invalid("opening", error.template, **error.params) from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _read_move(value: Any, board: Board) -> Move:
    territories = (value["from"], value["to"], *value["villages"])
    if not all(territory in board.index for territory in territories):
        raise ValueError
    return Move(value["from"], value["to"], tuple(value["villages"]))


def _read_clans(players: list[Json]) -> tuple[str, ...] | None:
    """The clans by seat; None where no player shows one. ValueError where only some do, or two have the same."""
    clans = tuple(player["clan"] for player in players if "clan" in player)
    if clans and (len({*clans} & {*CLANS}) != len(players) or len(clans) != len(players)):
        raise ValueError
    return clans or None


def check_record(record: Record) -> list[Step]:
    """The steps of a game; raises InvalidRecord unless the rules make the recorded villages and result of its moves."""
    try:
        steps = record.replay()
    except IllegalMove as error:
        template = gettext_noop("Move %(number)s of the record is not allowed: %(reason)s")
        raise _invalid("move", template, number=_first_illegal(record), reason=str(error)) from error
    for move, step in zip(record.moves, steps, strict=True):
        if move.order != tuple(village.territory for village in step.villages):
            template = gettext_noop("Move %(number)s, %(move)s, founds other villages than the record says.")
            raise _invalid("villages", template, number=step.ply + 1, move=str(step.move))
    position = steps[-1].position if steps else set_up(record.opening)
    if not _agrees(record, position):
        raise _invalid("result", gettext_noop("The record's result is not what its moves lead to."))
    return steps


def _first_illegal(record: Record) -> int:
    """The number, from 1, of the first move that the rules refuse."""
    return bisect_left(range(len(record.moves)), True, key=lambda last: _is_refused(record, last + 1)) + 1


def _is_refused(record: Record, moves: int) -> bool:
    """Whether one of the first so many moves is not allowed."""
    try:
        fold(record.opening, record.moves[:moves])
    except IllegalMove:
        return True
    return False


def _agrees(record: Record, position: Position) -> bool:
    if record.result is None:
        return not position.over
    if record.clans is None:
        return False
    end = record.result.get("end")
    if end != position.end and (position.over or end != "abandoned"):
        return False
    return all(record.result.get(key) == value for key, value in _result(position, record.clans, end).items())

"""Checked records as rows: like a game that was played here, but that its people have no account."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import parent_process
from operator import attrgetter
from threading import Thread
from typing import Any, Final, Literal, NamedTuple

import django
from django.db import connection, transaction
from django.db.models import Model

from games import pov, rules
from games.importing.checking import LONGEST_TITLE, CheckedRecord, RefusedRecord, check_line
from games.importing.lines import LONGEST, BrokenFile, FileLine
from games.models import (
    SECRET_LETTERS,
    FormerHolder,
    Game,
    ImportedRecord,
    Move,
    PassedPosition,
    Seat,
    hash_move,
    hash_opening,
    is_computer,
    keys_of,
    set_result,
)

AT_A_TIME: Final = 200
"""Games of one transaction. Fewer write the pages of indexes more often, more let players wait longer for theirs."""
AHEAD: Final = 2
"""So many times AT_A_TIME lines are being checked while others are stored."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a line: `skipped` is a game that is here already, just as the line has it."""

    number: int
    outcome: Literal["imported", "skipped", "refused"]
    reason: str = ""


def import_records(lines: Iterable[FileLine], *, at: datetime) -> Iterator[Imported]:
    """Import these lines, and say of each what became of it, in their order. Each game is stored whole or not at all,
    and memory is that for a few hundred of them. A second process checks lines while this one stores others."""
    if connection.vendor == "sqlite":
        # Positions go to pages all over their index: with the usual 2 MB each of them is read again and again.
        connection.cursor().execute("PRAGMA cache_size = -64000")
    with ProcessPoolExecutor(max_workers=1, initializer=_begin_checking) as checker:
        waiting: deque[Future[list[_Checked]]] = deque()
        try:
            for some in _in_batches(lines):
                waiting.append(checker.submit(_check_some, some, at))
                if len(waiting) > AHEAD:
                    yield from _store_some(waiting.popleft().result())
        except (BrokenFile, OSError):
            yield from _store_rest(waiting)
            raise
        yield from _store_rest(waiting)


def _in_batches(lines: Iterable[FileLine]) -> Iterator[list[FileLine]]:
    """AT_A_TIME lines each; where the file breaks, first those before the break."""
    some: list[FileLine] = []
    try:
        for line in lines:
            some.append(line)
            if len(some) == AT_A_TIME:
                yield some
                some = []
    except (BrokenFile, OSError):
        yield some
        raise
    if some:
        yield some


def _begin_checking() -> None:
    django.setup()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A pool of processes does not end by itself when the process that began it is killed."""
    if parent := parent_process():
        parent.join()
        os._exit(os.EX_OK)


def _store_rest(waiting: Iterable[Future[list[_Checked]]]) -> Iterator[Imported]:
    for each in waiting:
        yield from _store_some(each.result())


class _Checked(NamedTuple):
    """A line by its number: what would be stored of it and its record, or why it is refused."""

    number: int
    rows: _Rows | None
    line: str = ""
    reason: str = ""


def _check_some(lines: Sequence[FileLine], at: datetime) -> list[_Checked]:
    return [_check(line, at=at) for line in lines]


def _check(line: FileLine, *, at: datetime) -> _Checked:
    if line.text is None:
        return _Checked(line.number, None, reason=f"It has more than {LONGEST:,} bytes, which no game needs.")
    try:
        record = check_line(line.text, at=at)
    except RefusedRecord as error:
        return _Checked(line.number, None, reason=str(error))
    return _Checked(line.number, _rows_of(record, at=at), record.line)


def _store_some(checked: Sequence[_Checked]) -> Iterator[Imported]:
    outcomes: list[Imported] = []
    new: list[_Rows] = []
    with transaction.atomic():
        here = _lines_here({each.rows.game.slug for each in checked if each.rows})
        for number, rows, line, reason in checked:
            if rows is None:
                outcomes.append(Imported(number, "refused", reason))
                continue
            slug = rows.game.slug
            if slug not in here:
                here[slug] = line
                new.append(rows)
                outcomes.append(Imported(number, "imported"))
            elif here[slug] == line:
                outcomes.append(Imported(number, "skipped"))
            else:
                reason = f"There is a game at its address {slug} already, and it differs."
                outcomes.append(Imported(number, "refused", reason))
        _store(new)
    yield from outcomes


def _lines_here(slugs: Iterable[str]) -> dict[str, str]:
    """The records of the games at these addresses; empty for a game that is not over, or cannot be read."""
    games = Game.objects.filter(slug__in=slugs)
    finished = games.filter(status=Game.Status.FINISHED).order_by("pk")
    lines = {slug: line or "" for slug, line in pov.write_records(finished)}
    return dict.fromkeys(games.values_list("slug", flat=True), "") | lines


class _MoveRow(NamedTuple):
    """The columns of a move but for its game, as `Move` has them."""

    ply: int
    seat: int
    text: str
    by_bot: bool
    by_autopilot: bool
    previous_hash: bytes
    key: str
    at: datetime


_POSITION: Final = ("ply", "key", "shape")
"""The columns of a position but for its game."""


class _Rows(NamedTuple):
    """All rows of one game. Moves and positions are plain tuples, as the database takes them: the process that stores
    them gets them from another one, and reads tuples faster than objects."""

    game: Game
    seats: list[Seat]
    former: list[FormerHolder]
    moves: list[tuple[Any, ...]]
    positions: list[tuple[int | None, ...]]
    imported: ImportedRecord


def _store(rows: Sequence[_Rows]) -> None:
    """6 statements for all of them. Moves and positions, 70 rows a game, are no models: `bulk_create` takes three times
    as long for them as all the rest."""
    Game.objects.bulk_create(each.game for each in rows)
    Seat.objects.bulk_create(seat for each in rows for seat in each.seats)
    FormerHolder.objects.bulk_create(holder for each in rows for holder in each.former)
    ImportedRecord.objects.bulk_create(each.imported for each in rows)
    _insert(Move, _MoveRow._fields, ((each.game.pk, *move) for each in rows for move in each.moves))
    _insert(PassedPosition, _POSITION, ((each.game.pk, *keys) for each in rows for keys in each.positions))


def _insert(model: type[Model], names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows of a game's key and these columns; on PostgreSQL by COPY: its driver takes long for statements."""
    table, columns = model._meta.db_table, ", ".join(f'"{name}"' for name in ("game_id", *names))  # noqa: SLF001
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            values = ", ".join(["%s"] * (1 + len(names)))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", list(rows))  # noqa: S608


def _rows_of(record: CheckedRecord, *, at: datetime) -> _Rows:
    """A record that tells no times is of a game that has just been played."""
    opening, extras = record.opening, record.extras
    ended_at = extras.ended_at or max(extras.times or (), default=at)
    times = extras.times or [ended_at] * len(record.steps)
    game = Game(
        slug=record.slug,
        name=extras.title or ", ".join(record.players)[:LONGEST_TITLE],
        size=opening.seats,
        five_clans=opening.five_clans,
        is_public=len(record.slug) < SECRET_LETTERS,
        status=Game.Status.FINISHED,
        created_at=min((*times, ended_at)),
        started_at=min((*times, ended_at)),
        ended_at=ended_at,
        board=opening.ruleset.board.id,
        rules=opening.ruleset.version.number,
        huts=opening.huts,
        first=opening.first,
        ply=len(record.steps),
        end=record.end,
    )
    seats = _seats_of(record, game)
    former = list(_sit_down_later(record, seats, times=[*times, ended_at]))
    set_result(game, seats)
    moves, adapted = _chain(record, game, seats, times), connection.ops.adapt_datetimefield_value
    return _Rows(
        game=game,
        seats=seats,
        former=former,
        moves=[(*move[:-1], adapted(move.at)) for move in moves],
        positions=[tuple(map(keys.get, _POSITION)) for keys in keys_of(opening, record.steps)],
        imported=ImportedRecord(game=game, extra=json.dumps(extras.as_extra()), at=at),
    )


def _seats_of(record: CheckedRecord, game: Game) -> list[Seat]:
    """The seats as they were dealt, with what came of them. A name such as that of a computer player means one."""
    position = record.steps[-1].position if record.steps else rules.set_up(record.opening)
    return [
        Seat(
            game=game,
            name=name,
            is_bot=is_computer(name),
            joined=standing.seat,
            number=standing.seat,
            clan=clan,
            chips=standing.chips,
            total=standing.total,
            rank=None if record.end == Game.End.ABANDONED else standing.rank,
            ended_at=game.ended_at,
        )
        for name, clan, standing in zip(
            record.players, record.clans, rules.standings(position, record.clans), strict=True
        )
    ]


def _sit_down_later(
    record: CheckedRecord, seats: Sequence[Seat], *, times: Sequence[datetime]
) -> Iterator[FormerHolder]:
    """Give seats to those who took them over, and tell who had them before. No record says when that was, but for the
    ply: it is taken for the time of the move after it."""
    for takeover in sorted(record.extras.takeovers or (), key=attrgetter("ply")):
        seat, moment = seats[takeover.seat], times[takeover.ply]
        yield FormerHolder(seat=seat, name=seat.name, ply=takeover.ply, at=moment)
        seat.dealt_name = seat.dealt_name or seat.name
        seat.name, seat.taken_over_at = takeover.name, moment


def _chain(record: CheckedRecord, game: Game, seats: Sequence[Seat], times: Sequence[datetime]) -> list[_MoveRow]:
    """The moves, with the hash of the one before in each, and of the last one in the game."""
    moves, last = [], hash_opening(game)
    for step, at in zip(record.steps, times, strict=True):
        key, by_bot = f"imported-{step.ply}", seats[step.seat].is_bot
        move = _MoveRow(step.ply, step.seat, str(step.move), by_bot, False, last, key, at)
        moves.append(move)
        last = hash_move(last, move, edition=game.edition)
    game.last_hash = last
    return moves

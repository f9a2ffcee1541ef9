"""Games, positions and players as the API answers them, from what pages read: no row of the database comes here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import product
from typing import Any

from django.conf import settings
from django.utils import timezone

from games import clocks, rules
from games.models import ArchiveStatistics, Player
from games.pages.access import player_url, table_url
from games.pages.lists.player_page import TallyRow, counts_of, rating_of, sum_results
from games.pages.lists.summaries import TableSummary
from games.pages.statistics.sections import EstimatedRow, sections_of
from games.pov import MovePov, Pov, record_of

_KEYS = 2**64


def list_game(table: TableSummary) -> dict[str, Any]:
    game = table.game
    return {
        "id": game.slug,
        "url": settings.SITE_URL + table_url(game.slug),
        "name": game.name,
        "status": game.status,
        "public": game.is_public,
        "board": game.board,
        "five_clans": game.five_clans,
        "size": game.size,
        "ply": game.ply,
        "to_move": game.to_move,
        "since": table.since if table.has_time else None,
        "due_at": table.due_at,
        "end": game.end,
        "seats": table.seats,
    }


def show_game(pov: Pov) -> dict[str, Any]:
    terms = pov.terms
    return {
        "id": pov.slug,
        "url": settings.SITE_URL + table_url(pov.slug),
        "name": pov.name,
        "status": pov.status,
        "public": pov.is_public,
        "board": pov.ruleset.board.id,
        "rules": pov.ruleset.version.number,
        "five_clans": pov.five_clans,
        "size": pov.size,
        "rated": pov.is_rated,
        "move_hours": terms.move_hours if terms else 0,
        "reserve_hours": terms.reserve_hours if terms else 0,
        "created_at": pov.created_at if pov.has_times else None,
        "started_at": pov.started_at if pov.has_times else None,
        "turn_since": pov.turn_since,
        "due_at": pov.due_at,
        "ended_at": pov.ended_at if pov.has_end_time else None,
        "end": pov.end,
        "ply": pov.ply,
        "edition": pov.edition,
        "to_move": pov.mover.number if pov.mover else None,
        "seats": pov.seats,
        "state": show_position(pov),
        "record": record_of(pov) if pov.opening else None,
    }


def show_position(pov: Pov) -> dict[str, Any] | None:
    """The position of a game at the ply of its Pov; None before the start."""
    position = pov.position
    if position is None:
        return None
    is_last = pov.is_over and pov.is_now
    names = position.ruleset.board.names
    return {
        "game": pov.slug,
        "ply": pov.ply,
        "position": write_key(rules.position_key(position)),
        "to_move": None if position.over or is_last else position.to_move,
        "epoch": position.epoch,
        "huts": {name: letters for name in names if (letters := position.letters(name))},
        "villages": position.villages,
        "scores": dict(zip(rules.CLANS, position.scores, strict=True)),
        "chips": list(position.chips),
        "move": _show_move(pov.moves[-1], has_time=pov.has_times) if pov.moves else None,
    }


def _show_move(move: MovePov, *, has_time: bool) -> dict[str, Any]:
    return {
        "seat": move.step.seat,
        "origin": move.step.move.origin,
        "target": move.step.move.target,
        "at": move.at if has_time else None,
        "computer": move.by_bot,
        "villages": [village.territory for village in move.step.villages],
    }


def write_key(key: int) -> str:
    """A key of `rules.position_key` as 16 hexadecimal digits."""
    return f"{key % _KEYS:016x}"


def read_key(text: str) -> int:
    """The key that `write_key` has written."""
    key = int(text, 16)
    return key - _KEYS if key >= _KEYS // 2 else key


def show_player(player: Player, tallies: Sequence[TallyRow]) -> dict[str, Any]:
    rating = rating_of(player)
    return {
        "name": player.username,
        "url": settings.SITE_URL + player_url(player.username),
        "joined": timezone.localdate(player.date_joined),
        "results": list(_show_results(tallies)),
        "resigned": sum(row.resigned for row in tallies),
        "abandoned": sum(row.abandoned for row in tallies),
        "rating": rating if rating and rating.is_shown else None,
        "answers": _show_answers(player),
    }


def show_statistics(counted: ArchiveStatistics | None, players: str) -> dict[str, Any]:
    """What `counted` has, as its page shows it, of all games or of those among people."""
    sections = sections_of(counted, players) if counted else []
    return {
        "players": players,
        "counted_at": counted.counted_at if counted else None,
        "games": counted.counts[players]["games"] if counted else 0,
        "sections": [
            {
                "key": section.key,
                "title": section.title,
                "unit": section.unit,
                "rows": [_show_estimate(row) for row in section.rows],
            }
            for section in sections
        ],
    }


def _show_estimate(row: EstimatedRow) -> dict[str, Any]:
    low, high = row.found.interval or (None, None)
    return {"key": row.key, "of": row.of, "value": row.found.value, "low": low, "high": high}


def _show_results(tallies: Sequence[TallyRow]) -> Iterator[dict[str, int]]:
    for computers, size in product((False, True), (2, 3, 4)):
        rows = [row for row in tallies if (row.with_computers, row.size) == (computers, size)]
        sums = sum_results(size, rows)
        if sums.played:
            counts = {"played": sums.played, "won": sums.won, "points": sums.points}
            yield {"size": size, "computers": computers, **counts}


def _show_answers(player: Player) -> dict[str, int] | None:
    by_class = [sum(column) for column in zip(*counts_of(player), strict=True)]
    if sum(by_class) < clocks.FEW:
        return None
    parts = {"quarter": 0.25, "median": 0.5, "three_quarters": 0.75}
    times = {name: clocks.quantile(by_class, part) or timedelta() for name, part in parts.items()}
    return {"answers": sum(by_class)} | {name: round(time.total_seconds()) for name, time in times.items()}

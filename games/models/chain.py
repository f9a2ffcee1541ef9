"""The hash chain of a game's log: who changes a row of it has to change all rows after it, too (design 1.5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC
from typing import Any, Final

from django.db import connection

from games.models.game import by_game, in_batches

CHAIN_VERSION: Final = "clans-chain/1"
HASHED: Final = ("game_id", "ply", "seat", "text", "by_bot", "by_autopilot", "previous_hash", "at")
"""The columns of moves that `hashes_of` needs."""
REMOVALS: Final = ("took-back", "withdrew")
"""The kinds of events by which a move was removed."""


def hash_opening(game: Any, *, unknown: int = 0) -> bytes:
    """What the first move of a started game has as its `previous_hash`: of the address, the map, the rules, the opening
    and how many moves were removed that no event tells of, which is so in old games alone."""
    rules = (game.board, game.rules, game.five_clans)
    about = (CHAIN_VERSION, game.slug, *rules, game.size, game.first, game.huts, unknown)
    return hashlib.sha256("\n".join(map(str, about)).encode()).digest()


def hash_move(previous: bytes | memoryview, move: Any, *, edition: int) -> bytes:
    """What the next move has as its `previous_hash`: of what this one has there, of the moves removed up to then, and
    of all that is known of this one but for its sender's key. 3 us."""
    at = move.at.astimezone(UTC).isoformat(timespec="microseconds")
    by = f"{move.by_bot:d}\n{move.by_autopilot:d}"
    about = f"{bytes(previous).hex()}\n{edition}\n{move.ply}\n{move.seat}\n{move.text}\n{by}\n{at}"
    return hashlib.sha256(about.encode()).digest()


def hashes_of(game: Any, moves: Iterable[Any], removed: Sequence[int]) -> list[bytes]:
    """The hash of the opening, then that of each move; `removed` are the plies of removed moves, as events tell of
    them, first to last."""
    unknown = game.edition - len(removed)
    hashes = [hash_opening(game, unknown=unknown)]
    for move in moves:
        # The move that stands here was made after the last time that one at its ply, or before it, was removed.
        known = max((number for number, ply in enumerate(removed, start=1) if ply <= move.ply), default=0)
        hashes.append(hash_move(hashes[-1], move, edition=unknown + known))
    return hashes


def fill_chain(*, of: Any) -> int:
    """Write the hashes of the started games that have none, 200 at a time, and return how many there are. No hash that
    is stored is changed. `of` has the models: `apps`, or those of a migration."""
    game, move, event = (of.get_model("games", name) for name in ("Game", "Move", "Event"))
    unchained = game.objects.exclude(huts="").filter(last_hash=None)
    done = 0
    for some in in_batches(unchained, 200):
        done += len(some)
        log = move.objects.filter(game__in=some).order_by("game", "ply")
        moves = by_game((row.game_id, row) for row in log.values_list("pk", *HASHED, named=True))
        taken_back = event.objects.filter(game__in=some, kind__in=REMOVALS).order_by("pk")
        removed = by_game(taken_back.values_list("game_id", "ply"))
        rows = []
        for one in some:
            hashes = hashes_of(one, moves[one.pk], removed[one.pk])
            rows += [(value, row.pk) for value, row in zip(hashes, moves[one.pk], strict=False)]
            one.last_hash = hashes[-1]
        with connection.cursor() as cursor:
            cursor.executemany("UPDATE games_move SET previous_hash = %s WHERE id = %s", rows)
        game.objects.bulk_update(some, ("last_hash",))
    return done

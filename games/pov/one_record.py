"""A game as one object of clans-record/1 (docs/records.md), whether a Pov or rows know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

from games import rules
from games.models import FormerHolder, Game
from games.pov.values import DealPov, FormerPov, Pov


def record_of(pov: Pov) -> dict[str, Any]:
    """The game as clans-record/1; clans, result and the deal's proof in it only once it is over. Raises ValueError
    before the start."""
    if pov.opening is None:
        raise ValueError(f"{pov.slug} has not started")
    return write_game(
        pov,
        opening=pov.opening,
        steps=[move.step for move in pov.moves],
        times=[move.at for move in pov.moves],
        players=[(seat.name_in_deal, seat.clan) for seat in pov.seats],
        deal=pov.deal,
        takeovers=[taken for seat in pov.seats for taken in tell_takeovers(seat.number, seat.former, seat.name)],
        extra=pov.imported,
    )


def write_game(
    game: Pov | Game,
    *,
    opening: rules.Opening,
    steps: Sequence[rules.Step],
    times: Iterable[datetime],
    players: Sequence[tuple[str, str]],
    deal: DealPov,
    takeovers: Iterable[Mapping[str, Any]],
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The game as clans-record/1; `players` are names and clans by seat. Clans, result and the proof of the deal are in
    it only once it is over. An imported game has as `extra` what its record had besides the game."""
    if extra is None:
        extra = {"name": game.name, "deal": deal.as_record(game.slug), "times": [at.isoformat() for at in times]}
        if game.is_over and game.ended_at:
            extra["ended"] = game.ended_at.isoformat()
        if by_ply := sorted(takeovers, key=itemgetter("ply")):
            extra["takeovers"] = by_ply
    return rules.write_record(
        opening,
        steps,
        players=[name for name, _clan in players],
        clans=[clan for _name, clan in players] if game.is_over else None,
        end=game.end or None,
        extra=extra,
    )


def tell_takeovers(seat: int, former: Sequence[FormerPov | FormerHolder], name: str) -> Iterator[dict[str, Any]]:
    """Who took over the seat of that number at which ply, for the record; `name` has it now."""
    names = [held.name for held in former[1:]] + [name]
    for held, after in zip(former, names, strict=False):
        yield {"seat": seat, "ply": held.ply, "name": after}

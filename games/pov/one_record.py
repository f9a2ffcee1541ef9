"""A game as one object of clans-record/1 (docs/records.md), whether a Pov or rows know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol

from games import rules

if TYPE_CHECKING:
    from games.pov.values import DealPov


class RecordedGame(Protocol):
    """What a Pov and a row of a game have alike."""

    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def end(self) -> str: ...
    @property
    def ended_at(self) -> datetime | None: ...
    @property
    def is_over(self) -> bool: ...


def write_game(
    game: RecordedGame,
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


class EarlierHolder(Protocol):
    """Who had a seat before somebody took it over, at which ply."""

    @property
    def name(self) -> str: ...
    @property
    def ply(self) -> int: ...


def tell_takeovers(seat: int, former: Sequence[EarlierHolder], name: str) -> Iterator[dict[str, Any]]:
    """Who took over the seat of that number at which ply, for the record; `name` has it now."""
    names = [held.name for held in former[1:]] + [name]
    for held, after in zip(former, names, strict=False):
        yield {"seat": seat, "ply": held.ply, "name": after}

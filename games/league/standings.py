"""Points of a season, and the order that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

HALF_POINTS = 2


class SeatResult(NamedTuple):
    """What came of one seat of a game that is over. A computer player's has no `player`; a game that was abandoned has
    no ranks."""

    player: int | None
    rank: int | None
    total: int
    has_resigned: bool = False


class SeasonStanding(NamedTuple):
    """How somebody stands: points are counted in halves, so 3 are one and a half."""

    player: int
    place: int
    points: int
    opponents: int
    """The points of all whom they have met, in halves: once for each meeting."""
    total: int
    """What they scored in their games."""
    games: int


def share_points(ranks: Sequence[int]) -> list[int]:
    """Half points for these ranks at one table: two for everybody ranked behind, one for everybody of the same rank."""
    return [HALF_POINTS * sum(other > rank for other in ranks) + ranks.count(rank) - 1 for rank in ranks]


def standings_of(players: Collection[int], tables: Iterable[Sequence[SeatResult]]) -> list[SeasonStanding]:
    """How the `players` stand after the games at these tables, the first place first.

    More points come first, then more points of the opponents, then a higher total of scores; who is equal in all shares
    the place. Others who sat there, who have left since, count as opponents alone. Whoever resigned gets nothing for
    that game, and a game that was abandoned counts for nobody.
    """
    points: Counter[int] = Counter()
    totals: Counter[int] = Counter()
    games: Counter[int] = Counter()
    met: dict[int, list[int]] = {}
    for seats in tables:
        ranks = [seat.rank for seat in seats if seat.rank is not None]
        if len(ranks) < len(seats):
            continue
        people = [seat.player for seat in seats if seat.player is not None]
        for seat, won in zip(seats, share_points(ranks), strict=True):
            if seat.player is not None:
                games[seat.player] += 1
                met.setdefault(seat.player, []).extend(other for other in people if other != seat.player)
                if not seat.has_resigned:
                    points[seat.player] += won
                    totals[seat.player] += seat.total
    keys = {
        player: (points[player], sum(points[other] for other in met.get(player, ())), totals[player])
        for player in players
    }
    order = sorted(keys, key=lambda player: (*(-number for number in keys[player]), player))
    better = Counter(keys.values())
    places = {key: 1 + sum(count for other, count in better.items() if other > key) for key in better}
    return [SeasonStanding(player, places[keys[player]], *keys[player], games[player]) for player in order]

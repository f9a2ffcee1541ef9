"""Drawing the tables of a round: by strength, and by who has not met.

A person is a whole number from 1 on. Points are whole numbers (half points, doubled). A table is a list of people; one
with fewer people than its size gets computer players in the other seats.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import Final

COMPUTER: Final = 0
"""Stands for any computer player where meetings are counted."""
_GROWTH: Final = 2
"""A third meeting counts more than two second ones."""
_REACH: Final = 8
"""How far apart in the order two may stand who are paired at the first attempt."""
_SMALL: Final = 12
"""Up to so many seats, every division into tables of 3 or 4 is tried."""

Meetings = Mapping[tuple[int, int], int]
Table = tuple[int, ...]


def count_meetings(tables: Iterable[Sequence[int]], *, size: int) -> Counter[tuple[int, int]]:
    """How often each two people met, by `(lower, higher)`, and as `(COMPUTER, person)` how often somebody sat with
    computer players."""
    meetings: Counter[tuple[int, int]] = Counter()
    for people in tables:
        meetings.update(combinations(sorted(people), 2))
        if len(people) < size:
            meetings.update((COMPUTER, person) for person in people)
    return meetings


def draw_circle(people: Sequence[int], number: int) -> list[list[int]]:
    """Round `number`, from 1 on, of a round robin for two at a table, by the circle method: in as many rounds as there
    are others, each meets each once. Of an odd number one plays a computer player, each in one round."""
    seats = [*people, *([COMPUTER] if len(people) % 2 else [])]
    fixed, turning = seats[0], seats[1:]
    turn = (number - 1) % len(turning)
    circle = [fixed, *turning[turn:], *turning[:turn]]
    half = len(circle) // 2
    pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
    return [[person for person in pair if person != COMPUTER] for pair in pairs]


def draw_round(points: Mapping[int, int], meetings: Meetings, *, size: int, lot: random.Random) -> list[list[int]]:
    """The tables of the next round for the people who have these `points`: each sits exactly once, at tables of `size`
    seats (2 to 4), no table without a person.

    Nobody meets somebody again, nor computer players, where that can be avoided; then those sit together whose points
    are equal or near; `lot` decides the rest. Computer players fill the seats that are left, of those who have least
    points, and at most one at a table where that is possible.

    Pairs are a matching of minimum weight (networkx). Tables of 4 are pairs of pairs, tables of 3 are pairs and single
    people, drawn by the same matching; up to 12 seats every division is tried, beyond that two people change places
    as long as that makes fewer meet again. For more than 12 people the matching looks at neighbors in the order of
    points first, and further away where those do not do: an exact one takes minutes for 500 people, this one about a
    second. So beyond 12 it is best for nearly all, not certainly for all.
    """
    if not points:
        return []
    draw = _Draw(points, meetings, size=size, lot=lot)
    tables = draw.best_division() if size > 2 and len(draw.order) <= _SMALL else draw.matched_tables()
    return [[person for person in table if person > COMPUTER] for table in tables]


class _Draw:
    """One draw. Computer players are numbers below 0 in it."""

    def __init__(self, points: Mapping[int, int], meetings: Meetings, *, size: int, lot: random.Random) -> None:
        computers = range(-(-len(points) % size), 0)
        self.points = {**points, **dict.fromkeys(computers, min(points.values()))}
        self.meetings, self.size = meetings, size
        people = sorted(points)
        lot.shuffle(people)
        self.order = [*sorted(people, key=lambda person: -points[person]), *computers]
        """By points, the best first, equal ones by lot."""
        span = max(points.values()) - min(points.values())
        self.again = 1 + len(self.order) * size * (2 * size * span) ** 2
        """What it costs that two meet again: more than all differences of points together."""
        self.crowded = 1 + size * sum(times**_GROWTH for times in meetings.values())
        """What two computer players at one table count: more than all meetings that can happen again together."""

    def met(self, one: int, other: int) -> int:
        """What it counts that these two met before."""
        low, high = sorted((one, other))
        if high < COMPUTER:
            return self.crowded
        return self.meetings.get((max(low, COMPUTER), high), 0) ** _GROWTH

    def cost(self, table: Table) -> int:
        """Of those who sit at one table."""
        return sum(self.again * self.met(*two) + self.difference((two[0],), (two[1],)) for two in _pairs(table))

    def difference(self, one: Table, other: Table) -> int:
        """Of the points of two groups: 0 where their means are equal."""
        gap = self._sum(one) * len(other) - self._sum(other) * len(one)
        return gap * gap

    def _sum(self, group: Table) -> int:
        return sum(self.points[person] for person in group)

    def matched_tables(self) -> list[Table]:
        if self.size == 3:
            singles = self.order[1::3]
            pairs = self._match([(person,) for person in self.order if person not in set(singles)])
            tables = self._match([*pairs, *((person,) for person in singles)])
        else:
            tables = self._match([(person,) for person in self.order])
            if self.size == 4:
                tables = self._match(tables)
        return tables if self.size == 2 else self._improve(tables)

    def _match(self, groups: list[Table]) -> list[Table]:
        """The groups joined two by two; where there are pairs and single people, one of each."""
        import networkx  # a seventh of the start of a process, only for those who draw

        groups = sorted(groups, key=lambda group: self._sum(group) / -len(group))
        together = {1, 2} if len({len(group) for group in groups}) == 2 else set()
        reach = _REACH
        while True:
            graph: networkx.Graph[int] = networkx.Graph()
            graph.add_nodes_from(range(len(groups)))
            for one, other in self._neighbors(groups, reach):
                if together and len(groups[one]) == len(groups[other]):
                    continue
                again = sum(self.met(*two) for two in product(groups[one], groups[other]))
                if not again or reach >= len(groups):
                    weight = self.again * again + self.difference(groups[one], groups[other])
                    graph.add_edge(one, other, weight=weight)
            matching = networkx.min_weight_matching(graph)
            if 2 * len(matching) == len(groups):
                return [groups[one] + groups[other] for one, other in sorted(map(sorted, matching))]
            reach *= 2

    @staticmethod
    def _neighbors(groups: Sequence[Table], reach: int) -> Iterator[tuple[int, int]]:
        for one in range(len(groups)):
            for other in range(one + 1, min(one + 1 + reach, len(groups))):
                yield one, other

    def _improve(self, tables: list[Table]) -> list[Table]:
        """The tables after swaps of two people, each of which has lowered the cost, until nobody meets again or no swap
        helps."""
        for number, place in self._who_meets_again(tables):
            here = tables[number]
            for other, there in enumerate(tables):
                swaps = (_swapped(here, place, there, seat) for seat in range(self.size) if other != number)
                before = self.cost(here) + self.cost(there)
                found = min(swaps, key=lambda pair: self.cost(pair[0]) + self.cost(pair[1]), default=None)
                if found and self.cost(found[0]) + self.cost(found[1]) < before:
                    tables[number], tables[other] = found
                    return self._improve(tables)
        return tables

    def _who_meets_again(self, tables: Sequence[Table]) -> Iterator[tuple[int, int]]:
        for number, table in enumerate(tables):
            if self.cost(table) >= self.again:
                yield from ((number, place) for place in range(self.size))

    def best_division(self) -> list[Table]:
        """The cheapest of all divisions into tables."""
        cost = cache(self.cost)

        @cache
        def best(left: Table) -> tuple[int, tuple[Table, ...]]:
            if not left:
                return 0, ()
            first, rest = left[0], left[1:]
            return min(
                (cost(table) + further, (table, *tables))
                for others in combinations(rest, self.size - 1)
                for table in [(first, *others)]
                for further, tables in [best(tuple(person for person in rest if person not in others))]
            )

        return list(best(tuple(self.order))[1])


def _pairs(table: Table) -> Iterator[tuple[int, int]]:
    return combinations(table, 2)


def _swapped(here: Table, place: int, there: Table, seat: int) -> tuple[Table, Table]:
    one, other = list(here), list(there)
    one[place], other[seat] = there[seat], here[place]
    return tuple(one), tuple(other)

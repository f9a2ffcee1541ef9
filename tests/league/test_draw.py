from __future__ import annotations

import random
from collections.abc import Iterator
from cProfile import Profile
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games.league import COMPUTER, count_meetings, draw_circle, draw_round

SIZES = st.integers(2, 4)
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""However busy the machine is."""


def play_rounds(count: int, size: int, rounds: int, seed: int) -> list[list[list[int]]]:
    """The tables of so many rounds of `count` people, in which the lower number wins more often."""
    lot = random.Random(seed)
    points = dict.fromkeys(range(1, count + 1), 0)
    drawn: list[list[list[int]]] = []
    for _round in range(rounds):
        drawn.append(draw_round(points, count_meetings((t for r in drawn for t in r), size=size), size=size, lot=lot))
        for table in drawn[-1]:
            for place, person in enumerate(sorted(table, key=lambda number: number + lot.gauss(0, count / 4))):
                points[person] += 2 * (size - 1 - place)
    return drawn


def divisions(people: tuple[int, ...], size: int) -> Iterator[list[tuple[int, ...]]]:
    """All ways to seat these people at full tables, written from the question alone."""
    if not people:
        yield []
        return
    for others in combinations(people[1:], size - 1):
        rest = tuple(person for person in people[1:] if person not in others)
        for further in divisions(rest, size):
            yield [(people[0], *others), *further]


@given(count=st.integers(1, 60), size=SIZES, rounds=st.integers(1, 4), seed=st.integers(0, 999))
@settings(patient, max_examples=40)
def test_it_seats_everybody_once_at_tables_of_the_size(count: int, size: int, rounds: int, seed: int) -> None:
    for tables in play_rounds(count, size, rounds, seed):
        assert sorted(person for table in tables for person in table) == list(range(1, count + 1))
        assert len(tables) == -(-count // size)
        least = size - 1 if -count % size <= len(tables) else 1
        assert all(least <= len(table) <= size for table in tables)


@given(tables=st.integers(2, 4), size=SIZES, seed=st.integers(0, 9999), data=st.data())
@settings(patient, max_examples=60)
def test_it_lets_nobody_meet_again_where_that_can_be_avoided(
    tables: int, size: int, seed: int, data: st.DataObject
) -> None:
    people = tuple(range(1, min(tables * size, 12) // size * size + 1))
    met = data.draw(st.sets(st.sampled_from(list(combinations(people, 2))), max_size=len(people) * size))
    points = {person: data.draw(st.integers(0, 6)) for person in people}
    fewest = min(
        sum(two in met for table in division for two in combinations(table, 2)) for division in divisions(people, size)
    )
    drawn = draw_round(points, dict.fromkeys(met, 1), size=size, lot=random.Random(seed))
    assert sum(two in met for table in drawn for two in combinations(sorted(table), 2)) == fewest


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fifty_people_meet_nobody_twice_in_five_rounds(size: int, seed: int) -> None:
    drawn = play_rounds(50, size, 5, seed)
    meetings = count_meetings((table for tables in drawn for table in tables), size=size)
    assert max(meetings.values()) == 1


def test_nobody_meets_a_third_time_where_others_could_meet_a_second() -> None:
    for seed in range(20):
        lot, drawn = random.Random(seed), list[list[int]]()
        for _round in range(3):
            drawn += draw_round(dict.fromkeys(range(1, 9), 0), count_meetings(drawn, size=4), size=4, lot=lot)
        assert max(count_meetings(drawn, size=4).values()) == 2


@pytest.mark.parametrize("size", [2, 3, 4])
def test_it_seats_those_together_who_have_the_same_points(size: int) -> None:
    points = {person: 6 * (person % 6) for person in range(1, 6 * size * 2 + 1)}
    tables = draw_round(points, {}, size=size, lot=random.Random(1))
    assert all(len({points[person] for person in table}) == 1 for table in tables)


def test_the_last_who_has_not_yet_done_so_plays_a_computer_player() -> None:
    points = {1: 8, 2: 6, 3: 4, 4: 2, 5: 0}
    tables = draw_round(points, {(COMPUTER, 5): 1}, size=2, lot=random.Random(1))
    assert [4] in tables


def test_the_lot_decides_between_equals() -> None:
    points = dict.fromkeys(range(1, 21), 0)
    first, again, other = (draw_round(points, {}, size=2, lot=random.Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("count", range(2, 13))
def test_in_a_round_robin_each_meets_each_once(count: int) -> None:
    rounds = count - 1 + count % 2
    tables = [table for number in range(1, rounds + 1) for table in draw_circle(range(1, count + 1), number)]
    meetings = count_meetings(tables, size=2)
    expected = dict.fromkeys(combinations(range(1, count + 1), 2), 1)
    if count % 2:
        expected |= {(COMPUTER, person): 1 for person in range(1, count + 1)}
    assert meetings == expected


@pytest.mark.parametrize("size", [2, 3, 4])
def test_500_people_are_drawn_soon(size: int) -> None:
    """In as many calls of functions as take about a second, however busy the machine is."""
    played = play_rounds(500, size, 1, 1)
    lot = random.Random(5)
    points = {person: 2 * lot.randint(0, 6) for person in range(1, 501)}
    with Profile() as profile:
        draw_round(points, count_meetings(played[0], size=size), size=size, lot=lot)
    assert sum(entry.callcount for entry in profile.getstats()) <= 10_000_000

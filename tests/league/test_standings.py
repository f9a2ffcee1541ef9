from __future__ import annotations

from itertools import permutations

import pytest

from games.league import SeatResult, share_points, standings_of

ALICE, BOB, CAROL, DORA = 1, 2, 3, 4


def table(*seats: tuple[int | None, int | None, int]) -> list[SeatResult]:
    return [SeatResult(*seat) for seat in seats]


@pytest.mark.parametrize(
    ("ranks", "halves"),
    [([1, 2], [2, 0]), ([1, 1], [1, 1]), ([1, 1, 3, 4], [5, 5, 2, 0]), ([2, 1, 2], [1, 4, 1]), ([1, 1, 1], [2, 2, 2])],
)
def test_a_table_shares_its_points_by_rank(ranks: list[int], halves: list[int]) -> None:
    assert share_points(ranks) == halves


@pytest.mark.parametrize("ranks", set(permutations((1, 1, 3, 4))))
def test_a_table_gives_the_same_sum_whatever_the_ranks(ranks: tuple[int, ...]) -> None:
    assert sum(share_points(ranks)) == 2 * 6


def test_more_points_come_first_then_those_of_the_opponents_then_the_scores() -> None:
    tables = [
        table((ALICE, 1, 40), (BOB, 2, 30)),
        table((CAROL, 1, 40), (DORA, 2, 35)),
        table((ALICE, 1, 40), (CAROL, 2, 38)),
        table((BOB, 1, 35), (DORA, 2, 10)),
    ]
    found = standings_of([ALICE, BOB, CAROL, DORA], tables)
    assert [(each.player, each.place, each.points, each.opponents, each.total) for each in found] == [
        (ALICE, 1, 4, 4, 80),
        (CAROL, 2, 2, 4, 78),
        (BOB, 3, 2, 4, 65),
        (DORA, 4, 0, 4, 45),
    ]


def test_opponents_points_come_before_the_scores() -> None:
    tables = [
        table((ALICE, 1, 10), (BOB, 2, 5)),
        table((CAROL, 1, 90), (DORA, 2, 5)),
        table((BOB, 1, 10), (None, 2, 5)),
    ]
    found = standings_of([ALICE, BOB, CAROL, DORA], tables)
    assert [each.player for each in found] == [BOB, ALICE, CAROL, DORA]


def test_who_is_equal_in_all_shares_the_place() -> None:
    found = standings_of([ALICE, BOB, CAROL], [table((ALICE, 1, 40), (BOB, 1, 40)), table((CAROL, 2, 3), (None, 1, 9))])
    assert [(each.player, each.place) for each in found] == [(ALICE, 1), (BOB, 1), (CAROL, 3)]


def test_who_has_left_counts_as_an_opponent_only() -> None:
    found = standings_of([ALICE], [table((ALICE, 2, 20), (BOB, 1, 30))])
    assert [(each.player, each.place, each.points, each.opponents) for each in found] == [(ALICE, 1, 0, 2)]


def test_who_resigned_gets_nothing_for_that_game() -> None:
    resigned = SeatResult(ALICE, 1, 40, has_resigned=True)
    found = standings_of([ALICE, BOB], [[resigned, SeatResult(BOB, 2, 30)]])
    assert [(each.player, each.points, each.total, each.games) for each in found] == [(BOB, 0, 30, 1), (ALICE, 0, 0, 1)]


def test_an_abandoned_game_counts_for_nobody() -> None:
    (found,) = standings_of([ALICE], [table((ALICE, None, 40), (BOB, None, 3))])
    assert (found.points, found.total, found.games) == (0, 0, 0)

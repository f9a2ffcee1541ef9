"""How a game ends and who wins it (rules 7)."""

import pytest

from games.rules import InvalidOpening, Position, legal_moves, standings
from tests.rules.scenes import apart, play, position as position_of, row, scene


def test_it_ends_with_the_twelfth_village() -> None:
    """rules 7.1"""
    staged = scene(("steppe", "rk"), taken=11)
    assert staged.position.epoch == 5
    after = play(staged).position
    assert (after.end, after.over, after.chips_left, after.epoch) == ("villages", True, 0, None)
    assert legal_moves(after) == []
    assert after.groups  # huts that are in no village are worth nothing
    assert sum(after.scores) == sum(staged.position.scores) + 2 * 7


def test_it_ends_when_no_move_is_left() -> None:
    """rules 7.2"""
    staged = scene(("steppe", "rk"), taken=3, spare=False)
    after = play(staged).position
    assert (after.end, after.over, after.chips_left, after.epoch) == ("no-moves", True, 8, 2)
    assert legal_moves(after) == []


def test_it_goes_on_while_two_neighbors_hold_huts() -> None:
    """rules 3.4 and 7.5"""
    after = play(scene(("steppe", "rk"), taken=10)).position
    assert (after.end, after.over) == ("", False)
    assert legal_moves(after)


def test_it_goes_on_between_two_groups_that_are_too_large_to_move_elsewhere() -> None:
    """rules 3.3 and 7.5"""
    a, b = row(2)
    assert not position_of({a: "r" * 12, b: "k" * 12}).over


SCORED = "seats=3 villages={0}:0:rrk,{1}:0:bk,{2}:1:gyk,{3}:1:b"


@pytest.fixture
def position() -> Position:
    """Three seats with 2, 2 and 0 chips; red 3, blue 3, green 3, yellow 3, black 8 points."""
    after = Position.parse(SCORED.format(*apart(["steppe", "steppe", "steppe", "steppe"])))
    assert (after.scores, after.chips, after.over) == ((3, 3, 3, 3, 8), (2, 2, 0), True)
    return after


def test_it_adds_the_chips_to_the_score_of_the_clan(position: Position) -> None:
    """rules 7.3"""
    first, second, third = standings(position, ("red", "black", "green"))
    assert (first.seat, first.clan, first.score, first.chips, first.total) == (0, "red", 3, 2, 5)
    assert (second.total, third.total) == (10, 3)
    assert [standing.rank for standing in (first, second, third)] == [2, 1, 3]
    assert [standing.won for standing in (first, second, third)] == [False, True, False]


def test_it_ignores_clans_that_nobody_holds(position: Position) -> None:
    """rules 7.3"""
    by_seat = standings(position, ("red", "yellow", "green"))
    assert [standing.won for standing in by_seat] == [True, True, False]


def test_it_shares_ranks_and_wins(position: Position) -> None:
    """rules 7.4"""
    by_seat = standings(position, ("red", "blue", "green"))
    assert [standing.total for standing in by_seat] == [5, 5, 3]
    assert [standing.rank for standing in by_seat] == [1, 1, 3]
    assert [standing.won for standing in by_seat] == [True, True, False]


def test_it_names_no_winner_while_the_game_is_not_over() -> None:
    """rules 7.3"""
    running = play(scene(("steppe", "rk"))).position
    assert [standing.rank for standing in standings(running, ("red", "blue"))] == [1, 2]
    assert not any(standing.won for standing in standings(running, ("red", "blue")))


@pytest.mark.parametrize("clans", [("red", "blue"), ("red", "blue", "blue"), ("red", "blue", "white")])
def test_it_wants_a_clan_of_its_own_for_each_seat(position: Position, clans: tuple[str, ...]) -> None:
    """rules 2.2"""
    with pytest.raises(InvalidOpening):
        standings(position, clans)

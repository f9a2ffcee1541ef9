"""A position told in full: whoever has only the words can set it up again and knows every legal move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from games import rules
from games.pov import SeatPov
from games.words.in_full import tell_chips, tell_moves, tell_regions, tell_scores
from tests.rules.scenes import scene

SEATS = tuple(SeatPov(number, name, is_bot=False, is_mine=number == 1) for number, name in enumerate(("ann", "ben")))
CLANS = dict(zip(rules.CLANS, rules.CLAN_LETTERS, strict=True))
NAME = r"[A-L]\d"


def positions(seed: int) -> Iterator[rules.Position]:
    """Every position of a random game of two, but for the last."""
    rng = Random(seed)
    opening = rules.random_opening(rng, seats=2)
    yield rules.set_up(opening)
    for step in rules.random_game(opening, rng)[:-1]:
        yield step.position


def read_regions(position: rules.Position) -> dict[str, tuple[str, list[str], list[str]]]:
    """The territories with groups as told: huts as letters, neighbors with huts and empty ones."""
    found = {}
    for _region, lines in tell_regions(position, SEATS):
        for line in lines:
            told = re.fullmatch(rf"({NAME}), \w+: (.*?)\. Neighbors(?: with huts)?: (.*?)(?:; empty: (.*))?\.", line)
            if told:
                name, huts, held, empty = told.groups("")
                counts = re.findall(r"(\d+) (red|blue|green|yellow|black)", huts)
                letters = "".join(CLANS[clan] * int(count) for count, clan in counts)
                found[name] = (letters, re.findall(NAME, held), re.findall(NAME, empty))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_it_tells_every_group_with_its_neighbors(seed: int) -> None:
    for position in positions(seed):
        board, villages = position.ruleset.board, {village.territory for village in position.villages}
        groups = {name for name in board.names if position.huts(name)} - villages
        told = read_regions(position)
        assert set(told) == groups
        for name, (letters, held, empty) in told.items():
            assert letters == position.letters(name)
            assert held == [other for other in board.neighbors_of(name) if other in groups]
            assert sorted(held + empty) == list(board.neighbors_of(name))


@pytest.mark.parametrize("seed", range(4))
def test_it_tells_each_territory_once_by_region(seed: int) -> None:
    for position in positions(seed):
        told = []
        for region, lines in tell_regions(position, SEATS):
            begins = [re.findall(NAME, line) if line.startswith("Empty:") else [line[:2]] for line in lines]
            names = [name for begin in begins for name in begin]
            assert {position.ruleset.board.regions[position.ruleset.board.index[name]] for name in names} == {region}
            told += names
        assert sorted(told) == list(position.ruleset.board.names)


def test_it_tells_what_is_settled() -> None:
    position = rules.Position.parse("seats=2 huts=A1:r,A2:b villages=L4:1:rrk,J3:0:rbgyk")
    lines = [line for _region, lines in tell_regions(position, SEATS) for line in lines]
    [village] = [line for line in lines if line.startswith("L4")]
    assert "village founded by ben, value 4, 3 huts (2 red, 1 black)." in village
    [ruin] = [line for line in lines if line.startswith("J3")]
    assert "ruin of a village founded by ann." in ruin


def read_moves(position: rules.Position) -> tuple[list[str], dict[str, list[str]]]:
    """The moves as told, and for those that need an order the numbered ones."""
    found: list[str] = []
    orders: dict[str, list[str]] = {}
    for line in tell_moves(position):
        if quiet := re.fullmatch(rf"From ({NAME}), .*, to (.*)\.", line):
            found += [f"{quiet[1]}-{target}" for target in re.findall(NAME, quiet[2])]
        elif founding := re.match(rf"({NAME}-{NAME}) founds ", line):
            found.append(founding[1])
        elif ordered := re.match(rf"({NAME}-{NAME}): This founds |({NAME}-{NAME}): .* would each be a village", line):
            found.append(ordered[1] or ordered[2])
            orders[found[-1]] = []
        elif numbered := re.match(rf"({NAME}-{NAME}) #(\d+), (\S+): ", line):
            orders[numbered[1]].append(numbered[3])
            assert len(orders[numbered[1]]) == int(numbered[2])
        else:
            assert re.fullmatch(rf"From {NAME}, .*:", line), line
    return found, orders


@pytest.mark.parametrize("seed", range(12))
def test_it_tells_each_legal_move_once_and_each_order_by_its_number(seed: int) -> None:
    for position in positions(seed):
        moves = rules.legal_moves(position)
        found, orders = read_moves(position)
        assert sorted(found) == [str(move) for move in moves]
        listed = {str(move): rules.founding_orders(position, move) for move in moves}
        assert orders == {
            move: [f"{move}={','.join(order)}" for order in needed] for move, needed in listed.items() if needed
        }


def test_it_tells_what_a_move_founds_and_scores() -> None:
    position, move, alone = scene(("forest", "rrb"))
    assert f"{move} founds {alone[0]} (4 points for red and blue)." in list(tell_moves(position))


def test_it_tells_what_each_order_scores() -> None:
    position, move, (one, two) = scene(("forest", "rrb"), ("mountain", "gg"), taken=3)
    lines = list(tell_moves(position))
    begin = lines.index(
        f"{move}: This founds {min(one, two)} and {max(one, two)}. Their order decides which epoch each falls into."
    )
    assert {line.partition(" #")[0] for line in lines[begin + 1 : begin + 3]} == {str(move)}
    assert f"{one} (4 points for red and blue), then {two} (4 points for green)" in " ".join(lines)
    assert f"{two} (doomed, no points), then {one} (3 points for red and blue)" in " ".join(lines)


def test_it_tells_which_group_gets_no_chip() -> None:
    position, move, (one, two) = scene(("forest", "rrb"), ("mountain", "gg"), taken=11)
    told = " ".join(line for line in tell_moves(position) if line.startswith(str(move)))
    assert "only 1 chip is left" in told
    assert f"{move}={one}: {one} (8 points for red and blue); no chip is left for {two}." in told


def test_it_tells_scores_and_chips() -> None:
    position = rules.Position.parse("seats=2 first=1 huts=A1:r,A2:b villages=L4:1:rrk")
    assert tell_scores(position) == "The clans have these scores: red 4, blue 0, green 0, yellow 0 and black 4."
    assert tell_chips(position, SEATS) == (
        "In order of play, from this move on: ben (you) with 1 chip and ann with 0 chips."
        " 11 chips are left on the epoch chart."
    )

"""The map and the epoch chart (rules 1)."""

from collections import Counter

import pytest

from games.rules import CLANS, STANDARD, TERRAINS
from games.rules.board import read_board

PARTS = ("id", "names", "index", "regions", "terrains", "neighbors", "neighbor_masks")


def test_it_has_60_territories_in_12_regions_of_5() -> None:
    """rules 1.1 and 9.1"""
    assert STANDARD.board.names == tuple(f"{region}{number}" for region in "ABCDEFGHIJKL" for number in range(1, 6))
    assert [STANDARD.board.index[name] for name in STANDARD.board.names] == list(range(60))
    assert STANDARD.board.regions == tuple(name[0] for name in STANDARD.board.names)


def test_it_gives_every_territory_a_terrain() -> None:
    """rules 1.2 and 9"""
    assert Counter(STANDARD.board.terrains) == dict.fromkeys(TERRAINS, 15)


def test_it_knows_neighbors_from_both_sides() -> None:
    """rules 1.3"""
    for number, around in enumerate(STANDARD.board.neighbors):
        assert number not in around
        assert list(around) == sorted({*around})
        assert all(number in STANDARD.board.neighbors[n] for n in around)
        assert STANDARD.board.neighbor_masks[number] == sum(2**n for n in around)


def test_it_has_five_clans() -> None:
    """rules 1.4"""
    assert CLANS == ("red", "blue", "green", "yellow", "black")


@pytest.mark.parametrize(
    ("number", "chips", "favorable", "unfavorable", "bonus"),
    [
        (1, 4, ("forest",), ("mountain",), 1),
        (2, 3, ("mountain",), ("grassland",), 2),
        (3, 2, ("steppe",), ("forest",), 3),
        (4, 2, ("grassland",), ("steppe",), 4),
        (5, 1, TERRAINS, (), 5),
    ],
)
def test_it_keeps_the_epoch_chart(
    number: int, chips: int, favorable: tuple[str, ...], unfavorable: tuple[str, ...], bonus: int
) -> None:
    """rules 1.5"""
    assert STANDARD.version.epochs[number - 1] == (number, chips, favorable, unfavorable, bonus)


def test_it_exports_the_map_and_the_chart() -> None:
    """rules 9 and the format clans-board/1"""
    exported = STANDARD.export()
    assert exported["format"] == "clans-board/1"
    read = read_board(exported)
    assert [getattr(read, part) for part in PARTS] == [getattr(STANDARD.board, part) for part in PARTS]
    assert [epoch["chips"] for epoch in exported["epochs"]] == [4, 3, 2, 2, 1]
    assert exported["territories"][0].keys() == {"id", "region", "terrain", "neighbors"}

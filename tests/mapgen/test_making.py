"""The generator: the same seed gives the same bytes, and the judge sees what is wrong with a map."""

import copy
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.mapgen.__main__ import BOARD, OUTLINES, ROOT
from tools.mapgen.judge import faults
from tools.mapgen.making import make_map
from tools.mapgen.mesh import Unfit
from tools.mapgen.survey import Survey


def test_it_makes_the_same_bytes_again_from_the_seed_of_the_map(tmp_path: Path, outlines: dict[str, Any]) -> None:
    board_file, outlines_file = tmp_path / "board.json", tmp_path / "outlines.json"
    command = [sys.executable, "-m", "tools.mapgen", "--seed", str(outlines["seed"]), "--id", BOARD.stem]
    files = ["--board", str(board_file), "--outlines", str(outlines_file)]
    subprocess.run([*command, *files], cwd=ROOT, check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    assert board_file.read_bytes() == BOARD.read_bytes()
    assert outlines_file.read_bytes() == OUTLINES.read_bytes()


def test_it_finds_no_fault_with_the_map(survey: Survey) -> None:
    assert faults(survey) == []


def test_it_says_so_when_a_seed_gives_no_map() -> None:
    with pytest.raises(Unfit, match="narrow"):
        make_map(1, board="atlas-1")


def _strip_neighbor(board: dict[str, Any], outlines: dict[str, Any]) -> None:
    """C4 touches nobody any more, but the drawing says it does."""
    for row in board["territories"]:
        row["neighbors"] = [] if row["id"] == "C4" else [name for name in row["neighbors"] if name != "C4"]


def _change_terrain(board: dict[str, Any], outlines: dict[str, Any]) -> None:
    row = board["territories"][0]
    row["terrain"] = "steppe" if row["terrain"] != "steppe" else "forest"


def _shrink_huts_place(board: dict[str, Any], outlines: dict[str, Any]) -> None:
    outlines["territories"]["C4"]["radius"] = 12


def _dry_up(board: dict[str, Any], outlines: dict[str, Any]) -> None:
    del outlines["rivers"][1:]


def _fill_in_lakes(board: dict[str, Any], outlines: dict[str, Any]) -> None:
    outlines["lakes"].clear()


def _swap_names(board: dict[str, Any], outlines: dict[str, Any]) -> None:
    """Regions A and L change names on the drawing and on the board."""
    swap = {"A": "L", "L": "A"}
    drawn = outlines["territories"]
    outlines["territories"] = {swap.get(name[0], name[0]) + name[1]: row for name, row in drawn.items()}
    for row in board["territories"]:
        row["region"] = swap.get(row["region"], row["region"])
        row["id"] = row["region"] + row["id"][1]
        row["neighbors"] = [swap.get(name[0], name[0]) + name[1] for name in row["neighbors"]]


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (_strip_neighbor, "falls apart"),
        (_strip_neighbor, "gap"),
        (_change_terrain, "terrains"),
        (_shrink_huts_place, "no room for huts"),
        (_dry_up, "rivers"),
        (_fill_in_lakes, "holes"),
        (_swap_names, "out of order"),
    ],
)
def test_it_finds_the_fault_of_a_spoiled_map(
    board: dict[str, Any], outlines: dict[str, Any], spoil: Any, fault: str
) -> None:
    spoiled = copy.deepcopy(board), copy.deepcopy(outlines)
    spoil(*spoiled)
    assert any(fault in found for found in faults(Survey(*spoiled)))

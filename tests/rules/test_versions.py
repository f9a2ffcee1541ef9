"""Versions of the rules: a game goes by the one that it began with, whatever is played today."""

import json
from dataclasses import replace
from random import Random

import pytest

from games.rules import (
    STANDARD,
    VERSIONS,
    Counts,
    Epoch,
    InvalidRecord,
    Position,
    Ruleset,
    UnknownRuleset,
    Version,
    find_ruleset,
    legal_moves,
    random_game,
    read_record,
    simulate,
    write_record,
)
from games.rules.stacks import CLANS, Clan
from tests.rules.checked import read_checked
from tests.rules.openings import opening

FIRST = find_ruleset(STANDARD.board.id, 1)
NEXT = STANDARD.version.number + 1


def peace(before: Counts) -> tuple[Counts, tuple[Clan, ...]]:
    """No clan loses a hut."""
    return before, ()


def lose_one_each(before: Counts) -> tuple[Counts, tuple[Clan, ...]]:
    """Where all five clans have huts, each loses one."""
    if 0 in before:
        return before, ()
    red, blue, green, yellow, black = before
    return (red - 1, blue - 1, green - 1, yellow - 1, black - 1), CLANS


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """A version in which nobody fights, groups of five stay, and the last epoch has no bonus."""
    *epochs, last = FIRST.version.epochs
    chart = (*epochs, Epoch(last.number, last.chips, last.favorable, last.unfavorable, 0))
    monkeypatch.setitem(VERSIONS, NEXT, Version(NEXT, chart, heavy=5, apply_strife=peace))
    return find_ruleset(STANDARD.board.id, NEXT)


def test_it_has_one_ruleset_for_each_map_and_version() -> None:
    assert find_ruleset("atlas-1", STANDARD.version.number) is STANDARD
    for board, version in (("nowhere", 1), ("atlas-1", 99)):
        with pytest.raises(UnknownRuleset):
            find_ruleset(board, version)


@pytest.mark.parametrize(("chips", "rows"), [(3, 5), (4, 4)])
def test_it_refuses_a_chart_that_has_not_five_rows_and_twelve_chips(chips: int, rows: int) -> None:
    chart = (replace_chips(FIRST.version.epochs[0], chips), *FIRST.version.epochs[1:rows])
    with pytest.raises(ValueError, match="has not five epochs with 12 chips"):
        replace(FIRST.version, epochs=chart)


def replace_chips(epoch: Epoch, chips: int) -> Epoch:
    return epoch._replace(chips=chips)


def test_strife_belongs_to_the_version(second: Ruleset) -> None:
    """rules 5.2"""
    place = STANDARD.board.names[STANDARD.board.terrains.index("steppe")]
    line = f"seats=2 villages={place}:0:rrbbggyyk"
    fought, stood = Position.parse(f"rules=1 {line}"), Position.parse(f"rules={NEXT} {line}")
    assert (fought.stack(place), stood.stack(place)) == ((2, 2, 2, 2, 0), (2, 2, 2, 2, 1))
    assert (fought.villages[0].strife, stood.villages[0].strife) == (("black",), ())


@pytest.mark.parametrize(
    ("huts", "after", "strife"),
    [
        ("rrbbggyykk", (1, 1, 1, 1, 1), CLANS),
        ("rbbggyykk", (0, 1, 1, 1, 1), CLANS),
        ("rrbbggyy", (2, 2, 2, 2, 0), ()),
    ],
)
def test_the_version_alone_says_when_there_is_strife(
    huts: str, after: Counts, strife: tuple[Clan, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this version, huts are lost where no clan has a single one, too."""
    monkeypatch.setitem(VERSIONS, NEXT, replace(FIRST.version, number=NEXT, apply_strife=lose_one_each))
    place = STANDARD.board.names[STANDARD.board.terrains.index("steppe")]
    position = Position.parse(f"rules={NEXT} seats=2 villages={place}:0:{huts}")
    [village] = position.villages
    assert (village.after, village.strife, village.value) == (after, strife, sum(after))
    assert position.stack(place) == after


def test_the_size_from_which_a_group_is_heavy_belongs_to_the_version(second: Ruleset) -> None:
    """rules 3.2"""
    line = "seats=2 huts=C4:rrbbg,C5:k"
    by_version = [[str(move) for move in legal_moves(Position.parse(f"rules={number} {line}"))] for number in (1, NEXT)]
    assert by_version == [["C4-C5", "C5-C4"], ["C5-C4"]]


def test_the_epoch_chart_belongs_to_the_version(second: Ruleset) -> None:
    """rules 1.5"""
    assert [entry["bonus"] for entry in FIRST.export()["epochs"]] == [1, 2, 3, 4, 5]
    assert [entry["bonus"] for entry in second.export()["epochs"]] == [1, 2, 3, 4, 0]


def test_the_same_moves_come_to_another_end_by_another_version(second: Ruleset) -> None:
    """Of 30 games, some differ in their scores; each keeps those of its own version when it is read again."""
    differing = 0
    for number in range(30):
        game = simulate(number, seed=4)
        again = simulate(number, seed=4, ruleset=second)
        for record, version in ((game, NEXT - 1), (again, NEXT)):
            read = read_checked(json.dumps(record))
            assert read.opening.ruleset.version.number == record["rules"]["version"] == version
        differing += game["result"] != again["result"]
    assert differing


def test_a_record_without_a_version_is_of_the_first() -> None:
    """Records that were written before there was a second."""
    start = replace(opening(seats=2), ruleset=FIRST)
    record = write_record(start, random_game(start, Random(3)), players=("alice", "bob"), clans=CLANS[:2])
    del record["rules"]["version"]
    assert read_checked(record).opening == start


@pytest.mark.parametrize("version", [NEXT, 0, "1", None, True])
def test_it_reads_no_record_of_a_version_that_it_does_not_know(version: object) -> None:
    record = simulate(0, seed=1)
    record["rules"]["version"] = version
    with pytest.raises(InvalidRecord):
        read_record(record)

"""Records as other programs write and read them (the format clans-record/1)."""

import json
from random import Random
from typing import Any

import pytest

from games.rules import STANDARD, InvalidRecord, fold, random_game, read_record, simulate, standings, write_record
from tests.rules.checked import read_checked
from tests.rules.openings import opening

CLANS = ("red", "black", "green")
NAMES = ("alice", "bob", "carol")


def finished() -> dict[str, Any]:
    start = opening(seats=3, first=2, five_clans="nothing")
    return write_record(start, random_game(start, Random(7)), players=NAMES, clans=CLANS)


def running(plies: int = 20) -> dict[str, Any]:
    start = opening(seats=3, first=2, five_clans="nothing")
    return write_record(start, random_game(start, Random(7))[:plies], players=NAMES, clans=CLANS)


def test_it_writes_a_finished_game() -> None:
    record = finished()
    start = opening(seats=3, first=2, five_clans="nothing")
    last = random_game(start, Random(7))[-1].position
    by_seat = standings(last, CLANS)
    assert (record["format"], record["board"], record["first"]) == ("clans-record/1", STANDARD.board.id, 2)
    assert record["rules"] == {"five_clans": "nothing", "version": STANDARD.version.number}
    assert record["huts"] == start.huts
    assert record["players"][1] == {"name": "bob", "clan": "black"}
    assert record["moves"][0].keys() == {"from", "to", "villages"}
    assert sum(len(move["villages"]) for move in record["moves"]) == len(last.villages)
    assert record["result"] == {
        "end": last.end,
        "scores": dict(zip(("red", "blue", "green", "yellow", "black"), last.scores, strict=True)),
        "chips": list(last.chips),
        "totals": [standing.total for standing in by_seat],
        "winners": [standing.seat for standing in by_seat if standing.won],
    }


def test_it_keeps_the_clans_of_a_running_game_to_itself() -> None:
    record = running()
    assert "result" not in record
    assert record["players"] == [{"name": name} for name in NAMES]
    assert read_checked(record).clans is None


def test_it_names_no_winner_of_an_abandoned_game() -> None:
    start = opening(seats=3)
    steps = random_game(start, Random(7))[:20]
    record = write_record(start, steps, players=NAMES, clans=CLANS, end="abandoned")
    assert (record["result"]["end"], record["result"]["winners"]) == ("abandoned", [])
    assert record["players"][0]["clan"] == "red"
    assert read_checked(record).clans == CLANS


def test_it_writes_a_game_that_was_abandoned_before_the_first_move() -> None:
    record = write_record(opening(seats=3), [], players=NAMES, clans=CLANS, end="abandoned")
    assert read_checked(json.dumps(record)).moves == ()


@pytest.mark.parametrize("end", ["villages", "no-moves", "boredom"])
def test_it_does_not_write_an_end_that_the_position_denies(end: str) -> None:
    with pytest.raises(ValueError, match=end):
        write_record(opening(seats=3), [], players=NAMES, clans=CLANS, end=end)


def test_it_does_not_write_a_finished_game_without_its_clans() -> None:
    start = opening(seats=3)
    with pytest.raises(ValueError, match="shows the clans"):
        write_record(start, random_game(start, Random(7)), players=NAMES)


def test_it_adds_keys_but_replaces_none() -> None:
    record = write_record(opening(seats=3), [], players=NAMES, extra={"deal": {"seed": "00"}, "first": 9})
    assert (record["deal"], record["first"]) == ({"seed": "00"}, 0)


def test_it_reads_what_it_wrote() -> None:
    record = read_checked(json.dumps(finished()))
    assert record.opening == opening(seats=3, first=2, five_clans="nothing")
    assert (record.players, record.clans) == (NAMES, CLANS)
    assert record.result == finished()["result"]
    steps = fold(record.opening, record.moves)
    assert record.replay() == steps
    again = write_record(record.opening, steps, players=record.players, clans=record.clans)
    assert again == finished()


def test_it_ignores_keys_that_it_does_not_know() -> None:
    record = finished()
    record |= {"site": "example.com"}
    record["moves"][0]["at"] = "2026-03-02T20:00:00Z"
    record["players"][0]["rating"] = 1500
    record["rules"]["color"] = "blue"
    record["result"]["comment"] = "close"
    assert read_checked(record).players == NAMES


def refused(record: Any, *, check: bool = False) -> InvalidRecord:
    with pytest.raises(InvalidRecord) as caught:
        (read_checked if check else read_record)(record)
    return caught.value


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\ud800"])
def test_it_refuses_what_is_not_json(text: str) -> None:
    assert refused(text).code == "not-json"


@pytest.mark.parametrize("record", ["[]", "7", "{}", {"format": "clans-record/2"}, ["format"]])
def test_it_refuses_another_format(record: Any) -> None:
    assert refused(record).code == "format"


def test_it_refuses_another_map() -> None:
    error = refused(finished() | {"board": "atlantis"})
    assert error.code == "board"
    assert "atlantis" in str(error)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("huts", None),
        ("huts", 60),
        ("players", None),
        ("players", "abc"),
        ("players", [{"clan": "red"}] * 3),
        ("players", [{"name": 1}] * 3),
        ("players", [{"name": "a", "clan": "red"}, {"name": "b"}, {"name": "c"}]),
        ("players", [{"name": "a", "clan": "red"}] * 3),
        ("players", [{"name": "a", "clan": []}] * 3),
        ("first", "2"),
        ("first", True),
        ("rules", {}),
        ("rules", []),
        ("moves", None),
        ("moves", [7]),
        ("moves", [{"from": "A1", "to": "A2"}]),
        ("moves", [{"from": "A1", "to": "A9", "villages": []}]),
        ("moves", [{"from": "A1", "to": "A2", "villages": "B5"}]),
        ("moves", [{"from": [], "to": "A2", "villages": []}]),
        ("result", "won"),
    ],
)
def test_it_refuses_a_field_that_cannot_be_read(key: str, value: Any) -> None:
    error = refused(finished() | {key: value})
    assert (error.code, error.params["key"]) == ("field", key)


@pytest.mark.parametrize("key", ["huts", "players", "first", "rules", "moves"])
def test_it_refuses_a_record_that_lacks_a_field(key: str) -> None:
    record = finished()
    del record[key]
    assert refused(record).params["key"] == key


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("huts", "rbgyk" * 11),
        ("first", 3),
        ("players", [{"name": "alice"}]),
        ("rules", {"five_clans": "maybe"}),
        ("rules", {"five_clans": []}),
    ],
)
def test_it_refuses_an_opening_that_no_game_has(key: str, value: Any) -> None:
    """rules 2"""
    assert refused(finished() | {"first": 0, key: value}).code == "opening"


def test_it_checks_that_the_moves_are_legal() -> None:
    record = finished()
    record["moves"].insert(1, record["moves"][0])
    assert read_record(record).players == NAMES
    error = refused(record, check=True)
    assert error.code == "move"
    assert "is empty" in str(error)


def test_it_checks_the_villages() -> None:
    """rules 4.4: the record says which villages a move founded, in founding order"""
    record = finished()
    founding = next(move for move in record["moves"] if move["villages"])
    founding["villages"] = []
    assert refused(record, check=True).code == "villages"


@pytest.mark.parametrize(
    ("key", "value"), [("scores", {}), ("chips", [0, 0, 0]), ("totals", None), ("winners", []), ("end", "abandoned")]
)
def test_it_checks_the_result(key: str, value: Any) -> None:
    """rules 7"""
    record = finished()
    record["result"][key] = value
    assert refused(record, check=True).code == "result"


def test_it_checks_that_a_running_game_has_no_result() -> None:
    record = running() | {"result": finished()["result"], "players": finished()["players"]}
    assert refused(record, check=True).code == "result"


def test_it_checks_that_a_finished_game_has_a_result() -> None:
    record = finished()
    del record["result"]
    assert refused(record, check=True).code == "result"


def test_it_simulates_games_of_each_kind_in_turn() -> None:
    records = [simulate(number, seed=5) for number in range(6)]
    assert [len(record["players"]) for record in records] == [2, 3, 4, 2, 3, 4]
    assert [record["rules"]["five_clans"] for record in records] == ["score", "nothing"] * 3
    assert [player["name"] for player in records[1]["players"]] == ["player 1", "player 2", "player 3"]
    for record in records:
        read_checked(record)

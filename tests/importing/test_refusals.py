"""What `manage.py import_games` refuses, by its line, and files that are a trap."""

from __future__ import annotations

import gzip
import json
import os
import re
import tracemalloc
from collections.abc import Callable
from io import FileIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import importing
from games.models import Game, ImportedRecord
from tests.importing.helpers import KEPT, counts, simulated, verified

pytestmark = pytest.mark.django_db

Change = Callable[[dict[str, Any]], Any]


def other(**values: Any) -> Change:
    return lambda record: record | values


def deal(**values: Any) -> Change:
    return lambda record: record | {"deal": record["deal"] | values}


def of_player(**values: Any) -> Change:
    """The first one of the deal."""

    def change(record: dict[str, Any]) -> dict[str, Any]:
        first, *others = record["deal"]["players"]
        return record | {"deal": record["deal"] | {"players": [first | values, *others]}}

    return change


def called(name: Any) -> Change:
    return lambda record: record | {"players": [record["players"][0] | {"name": name}, *record["players"][1:]]}


def moved(**values: Any) -> Change:
    return lambda record: record | {"moves": [record["moves"][0] | values, *record["moves"][1:]]}


REFUSED: dict[str, tuple[Change, str]] = {
    "an illegal move": (moved(**{"from": "A1", "to": "L5"}), "Move 1 of the record is not allowed: "),
    "an illegal move later": (
        lambda record: record | {"moves": [*record["moves"][:20], record["moves"][0], *record["moves"][21:]]},
        "Move 21 of the record is not allowed: ",
    ),
    "another village": (moved(villages=["A1"]), "founds no village there"),
    "no move": (other(moves=["A1-A2"]), "The record's field moves is missing or cannot be read."),
    "a move less": (lambda record: record | {"moves": record["moves"][:-1]}, "not what its moves lead to"),
    "another result": (lambda record: record | {"result": record["result"] | {"winners": []}}, "not what its moves"),
    "a game that runs": (
        lambda record: (
            {key: value for key, value in record.items() if key != "result"}
            | {"moves": record["moves"][:3], "players": [{"name": "a"}, {"name": "b"}]}
        ),
        "This game is not over.",
    ),
    "a game that runs and shows its clans": (
        lambda record: (
            {key: value for key, value in record.items() if key != "result"} | {"moves": record["moves"][:3]}
        ),
        "This game is not over.",
    ),
    "no record": (lambda record: [record], "no record in the format"),
    "another format": (other(format="clans-record/9"), "no record in the format"),
    "an unknown map": (other(board="moon"), "moon"),
    "an unknown version": (other(rules={"five_clans": "score", "version": 99}), "99"),
    "huge numbers": (other(first=10**4000), "starting player"),
    "a hidden sign": (called("ali\u202ece"), "signs that nobody sees"),
    "half a sign": (called("\ud800"), "signs that nobody sees"),
    "a zero byte": (called("a\0b"), "signs that nobody sees"),
    "an empty name": (called(" "), "signs that nobody sees"),
    "a long name": (called("a" * 61), "A name in it has more than 60 letters."),
    "no name": (called(None), "field players"),
    "the same name twice": (lambda record: called(record["players"][1]["name"])(record), "the same name"),
    "a long title": (other(name="a" * 61), "more than 60 letters"),
    "a title that turns": (other(name="\u202egame"), "signs that nobody sees"),
    "a title of another kind": (other(name=7), "The record's field name cannot be read."),
    "fewer times": (other(times=["2026-03-02T20:00:00+00:00"]), "not as many times as moves"),
    "no times": (lambda record: record | {"times": ["soon"] * len(record["moves"])}, "field times cannot be read"),
    "no time zone": (other(ended="2026-03-02T20:00:00"), "The record's field ended cannot be read."),
    "the first of all days": (other(ended="0001-01-01T00:00:00+23:00"), "field ended cannot be read"),
    "the future": (other(ended="2999-01-01T00:00:00+00:00"), "still to come"),
    "takeovers of nobody": (other(takeovers=[{"seat": 9, "ply": 1, "name": "eve"}]), "field takeovers"),
    "takeovers after the end": (other(takeovers=[{"seat": 0, "ply": 99, "name": "eve"}]), "field takeovers"),
    "another seed": (deal(seed="00" * 32), "does not prove its"),
    "another commitment": (deal(commitment="00" * 32), "does not prove its salted-seed"),
    "another address": (deal(game="../../etc"), "is none of a table"),
    "a page as address": (deal(game="new"), "is none of a table"),
    "an unknown deal": (deal(version="clans-deal/99"), "Its deal cannot be read."),
    "half a deal": (other(deal={"version": "clans-deal/3"}), "The record's field deal cannot be read."),
    "a deal of another kind": (other(deal=[1]), "The record's field deal cannot be read."),
    "a deal of others": (of_player(name="eve"), "Its deal cannot be read."),
    "other words": (of_player(entropy="forged"), "does not prove its shares"),
    "long words": (of_player(entropy="a" * 201), "Its deal cannot be read."),
    "words that cannot be stored": (of_player(entropy="\ud800"), "Its deal cannot be read."),
    "a place that there is not": (of_player(place=7), "Its deal cannot be read."),
    "a salt of another kind": (of_player(salt=[]), "Its deal cannot be read."),
}
"""What is changed in a record, and what is said of it."""


@pytest.mark.parametrize("what", REFUSED)
def test_it_refuses_by_line_and_reason_and_imports_the_others(imported: Callable[[bytes], str], what: str) -> None:
    change, reason = REFUSED[what]
    good = KEPT.read_bytes().splitlines()
    bad = json.dumps(change(json.loads(good[0]))).encode()
    said = imported(b"\n".join((good[1], bad, good[2])))
    line, last = said.splitlines()
    assert line.startswith("line 2: refused. ")
    assert reason in line
    assert last == "Imported: 2, here already: 0, refused: 1."
    imported(b"")
    assert {Game.objects.count(), ImportedRecord.objects.count()} == {2}
    assert verified() == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "This is not JSON."),
        (b"[" * 60_000, "This is not JSON."),
        (b'{"first": ' + b"9" * 5000 + b"}", "This is not JSON."),
        (b"\xff\xfe{}", "This is not JSON."),
        (b"null", "no record in the format"),
        (b'{"format": "clans-record/1"}', "is missing or cannot be read"),
        (b'"\x1b[2J"', "This is not JSON."),
        (b'"x"', "no record in the format"),
    ],
)
def test_it_refuses_what_is_no_record(imported: Callable[[bytes], str], line: bytes, reason: str) -> None:
    said = imported(line + b"\n\n" + simulated(1))
    first, last = said.splitlines()
    assert first.startswith("line 1: refused. ")
    assert reason in first
    assert last == "Imported: 1, here already: 0, refused: 1."


def test_what_it_repeats_is_short_and_can_be_printed(imported: Callable[[bytes], str]) -> None:
    record = json.loads(simulated(1)) | {"board": "\x1b[2J" + "x" * 5000}
    line = imported(json.dumps(record).encode()).splitlines()[0]
    assert len(line) < 300
    assert line.isprintable()


def test_lines_in_a_row_that_are_refused_for_one_reason_are_told_once(imported: Callable[[bytes], str]) -> None:
    said = imported(b"nothing\n" * 3000 + simulated(1) + b"nothing\n[]\n")
    told = [line for line in said.splitlines() if "lines: " not in line]
    assert told[:-1] == [
        "line 1: refused. This is not JSON.",
        "up to line 3000: refused for the same reason.",
        "line 3002: refused. This is not JSON.",
        "line 3003: refused. This is no record in the format clans-record/1.",
    ]
    assert told[-1] == "Imported: 1, here already: 0, refused: 3,002."


def test_a_reader_who_is_gone_is_no_fault_of_the_file(tmp_path: Path) -> None:
    """As in `import_games FILE | head`: manage.py ends in silence then."""
    (file := tmp_path / "games.jsonl").write_bytes(b"nothing\n")
    reads, writes = os.pipe()
    os.close(reads)
    with TextIOWrapper(FileIO(writes, "w"), write_through=True) as gone, pytest.raises(BrokenPipeError):
        call_command("import_games", str(file), stdout=gone)


def test_it_fails_where_something_was_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"nothing\n")
    with pytest.raises(CommandError, match="Imported: 0, here already: 0, refused: 1"):
        call_command("import_games", str(file), stdout=StringIO())
    file.write_bytes(b"\n")
    with pytest.raises(CommandError, match="has no records"):
        call_command("import_games", str(file), stdout=StringIO())
    with pytest.raises(CommandError, match="cannot be read: No such file or directory"):
        call_command("import_games", str(tmp_path / "nowhere"))
    with pytest.raises(CommandError, match="cannot be read: Is a directory"):
        call_command("import_games", str(tmp_path))


# --- Files that are a trap -------------------------------------------------------------------------


def test_a_line_of_50_megabytes_is_refused_without_reading_it_whole(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    with file.open("wb") as long:
        long.write(b'{"name": "')
        for _piece in range(50):
            long.write(b"a" * 2**20)
        long.write(b'"}\n' + simulated(1))
    tracemalloc.start()
    lines = [(line.number, line.text and len(line.text)) for line in importing.read_lines(file)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert lines == [(1, None), (2, len(simulated(1)))]
    assert peak < 2**20


def test_a_line_may_be_as_long_as_that(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    longest = b"a" * (importing.LONGEST - 1) + b"\n"
    file.write_bytes(longest + b"b" + longest + b"c" * importing.LONGEST)
    assert [(line.number, line.text is None) for line in importing.read_lines(file)] == [
        (1, False),
        (2, True),
        (3, False),
    ]


def test_a_bomb_is_not_unpacked(imported: Callable[[bytes], str]) -> None:
    """200 MB in 200 kB."""
    bomb = gzip.compress((b" " * 1023 + b"\n") * 2**10, 9) * 200
    tracemalloc.start()
    said = imported(gzip.compress(simulated(1)) + bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "the file unpacks to more than 100 times its size" in said
    assert peak < 20 * 2**20


@pytest.mark.parametrize("cut", [20, 300, -4])
def test_a_file_that_breaks_off_says_where(imported: Callable[[bytes], str], cut: int) -> None:
    packed = gzip.compress(simulated(3))
    said = imported(packed[:cut])
    assert re.search(r"line \d+: the file is broken here", said)
    assert Game.objects.count() == counts(said)[0]


def test_the_games_before_a_break_stay(imported: Callable[[bytes], str]) -> None:
    """Many lines are stored at a time, and the next ones are checked meanwhile: those are not lost either."""
    packed = gzip.compress(simulated(350))
    said = imported(packed[:-20])
    found = re.search(r"line (3\d\d): the file is broken here .* Imported: (\d+)", said)
    assert found, said
    broken, stored = map(int, found.groups())
    assert Game.objects.count() == stored == broken - 1


def test_a_file_that_is_damaged_says_where(imported: Callable[[bytes], str]) -> None:
    packed = bytearray(gzip.compress(simulated(3)))
    packed[len(packed) // 2] ^= 0xFF
    assert re.search(r"line \d+: the file is broken here", imported(bytes(packed)))
    assert verified() == []


def test_it_says_that_what_follows_is_not_gzipped(imported: Callable[[bytes], str]) -> None:
    said = imported(gzip.compress(simulated(2)) + b"and so on")
    assert said == (
        f"{said.partition(',')[0]}, line 3: what follows in the file is not gzipped, so it is not read."
        " Imported: 2, here already: 0, refused: 0."
    )

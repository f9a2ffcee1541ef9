"""`manage.py import_games`: what was exported comes back to the byte, and what is no game is refused by its line."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games import importing, play, pov, rules
from games.models import Game, ImportedRecord, Move, PassedPosition, Player, Seat
from tests.cast import AT, make_game, make_table, play_random
from tests.pages.helpers import soup_of, table_url

pytestmark = pytest.mark.django_db

KEPT = Path(__file__).parent / "kept.jsonl"
"""Games that this site exported once: with takeovers, closed accounts, computer players, abandoned (keep_games.py)."""
RECORDED = Path(__file__).parents[1] / "rules/recorded"
DONE = re.compile(r"([\d,]+) games imported, ([\d,]+) here already, ([\d,]+) refused")


def exported(*options: str) -> bytes:
    stdout = StringIO()
    call_command("export_games", *options, stdout=stdout)
    return stdout.getvalue().encode()


def simulated(games: int, seed: int = 1) -> bytes:
    stdout = StringIO()
    call_command("simulate", str(games), "--seed", str(seed), stdout=stdout)
    return stdout.getvalue().encode()


@pytest.fixture
def imported(tmp_path: Path) -> Callable[[bytes], str]:
    """What the command says when it reads a file with these bytes."""

    def run(data: bytes) -> str:
        file, said = tmp_path / "games", StringIO()
        file.write_bytes(data)
        try:
            call_command("import_games", str(file), stdout=said)
        except CommandError as error:
            said.write(str(error))
        return said.getvalue().strip()

    return run


def counts(said: str) -> tuple[int, ...]:
    """How many games were imported, here already, and refused, by what the command says last."""
    *_before, last = DONE.findall(said)
    return tuple(map(int, last))


def stored() -> tuple[int, ...]:
    return tuple(model._default_manager.count() for model in (Game, Seat, Move, PassedPosition, ImportedRecord))


def verified() -> list[str]:
    return [said for wrong in pov.verify_archive() for said in wrong]


# --- There and back --------------------------------------------------------------------------------


def test_export_and_import_give_the_same_bytes(imported: Callable[[bytes], str]) -> None:
    assert imported(KEPT.read_bytes()) == "12 games imported, 0 here already, 0 refused."
    assert exported() == KEPT.read_bytes()
    assert verified() == []


def test_games_played_here_come_back_to_the_byte(
    alice: Player, bob: Player, carol: Player, imported: Callable[[bytes], str]
) -> None:
    play_random(make_game(alice, bob, carol), seed=1)
    play_random(make_game(alice, bots=2, five_clans="nothing"), seed=2, every=timedelta(minutes=7))
    abandoned = play_random(make_game(alice, bob), 9, seed=3)
    for player in (alice, bob):
        play.agree_to_abandon(abandoned, player=player, agrees=True, at=AT + timedelta(days=40, microseconds=5))
    play.close_account(carol, at=AT)
    before = exported()
    assert before.count(b"\n") == 3
    Game.objects.all().delete()
    assert counts(imported(before)) == (3, 0, 0)
    assert exported() == before
    assert verified() == []


def test_records_of_others_come_back_to_the_byte(imported: Callable[[bytes], str]) -> None:
    """They have no title, no times, no address and no deal, and get none."""
    assert counts(imported(simulated(12))) == (12, 0, 0)
    assert exported() == simulated(12)
    assert verified() == []


def test_it_reads_compressed_files(imported: Callable[[bytes], str]) -> None:
    halves = [simulated(2), simulated(3, seed=2)]
    assert counts(imported(b"".join(map(gzip.compress, halves)))) == (5, 0, 0)
    assert exported() == b"".join(halves)


def test_the_kept_games_are_of_all_versions_of_the_rules(imported: Callable[[bytes], str]) -> None:
    """A new version needs kept games of its own, so that what is played by it is read for ever."""
    files = [KEPT, *RECORDED.glob("*.jsonl")]
    lines = [line for file in files for line in file.read_bytes().splitlines(keepends=True)]
    # Some of the rare games are among the random ones, too.
    assert counts(imported(b"".join(lines))) == (78, 3, 0)
    assert {json.loads(line)["rules"].get("version", 1) for line in lines} == {*rules.VERSIONS}
    assert verified() == []


def test_a_table_by_link_stays_one(alice: Player, bob: Player, imported: Callable[[bytes], str]) -> None:
    game = play_random(make_game(alice, bob, is_public=False))
    line = exported("--all")
    Game.objects.all().delete()
    assert counts(imported(line)) == (1, 0, 0)
    assert (exported(), exported("--all")) == (b"", line)
    assert game.slug not in Client().get("/archive/").content.decode()


# --- What an imported game is ----------------------------------------------------------------------


def test_its_people_have_names_and_no_accounts(imported: Callable[[bytes], str], alice: Player) -> None:
    """Also one who is called as somebody here."""
    imported(KEPT.read_bytes())
    game = Game.objects.filter(seats__name="alice", has_computers=True).first()
    assert game is not None
    page = soup_of(Client().get(game.get_absolute_url()).content)
    assert "alice" in page.get_text()
    assert page.select('a[href*="/players/"]') == []
    assert not alice.seats.exists()
    assert Player.objects.count() == 1
    by_name = {seat.name: seat.is_bot for seat in game.seats.all()}
    assert by_name["alice"] is False
    assert by_name["computer 1"] is True


def test_all_its_pages_are_there(imported: Callable[[bytes], str]) -> None:
    imported(KEPT.read_bytes() + simulated(2))
    client, times = Client(), 0
    for game in Game.objects.all():
        for page in ("", "ply/0/", f"ply/{game.ply}/", "ply/0/public/", "deal/", "record.json", "keepsake.html"):
            response = client.get(table_url(game, page))
            assert response.status_code == 200, f"{game.slug} {page}"
            times += 1
        assert client.get(f"/tables/{game.slug}/small/0-{game.ply}.svg").status_code == 200
    assert times == 14 * 7
    assert client.get("/archive/").content.count(b'class="table-row') == 14
    assert client.get("/archive/?computers=yes").status_code == 200
    for path in ("/", "/watch/", "/ratings/"):
        assert client.get(path).status_code == 200
    call_command("recount", stdout=StringIO())
    assert verified() == []


def test_its_page_says_that_it_was_imported(imported: Callable[[bytes], str], alice: Player, bob: Player) -> None:
    imported(simulated(1))
    said = "This game was not played here"
    assert said in Client().get(Game.objects.get().get_absolute_url()).content.decode()
    played = play_random(make_game(alice, bob))
    assert said not in Client().get(played.get_absolute_url()).content.decode()


def test_a_game_without_a_deal_claims_no_fair_one(imported: Callable[[bytes], str]) -> None:
    imported(simulated(1))
    game = Game.objects.get()
    for page in ("deal/", "keepsake.html"):
        text = Client().get(table_url(game, page)).content.decode()
        assert "The deal was fair" not in text
        assert "its record has no deal" in text


def test_takeovers_are_told(imported: Callable[[bytes], str]) -> None:
    imported(KEPT.read_bytes())
    seat = Seat.objects.exclude(taken_over_at=None).get()
    record = Client().get(table_url(seat.game, "record.json")).json()
    [taken] = record["takeovers"]
    assert (seat.number, seat.name) == (taken["seat"], taken["name"])
    assert seat.dealt_name == record["players"][taken["seat"]]["name"]
    shown = pov.look(seat.game, viewer=None).seats[taken["seat"]]
    assert [(held.name, held.ply) for held in shown.former] == [(seat.dealt_name, taken["ply"])]


# --- Games that are here already -------------------------------------------------------------------


def test_what_is_here_already_is_skipped(imported: Callable[[bytes], str]) -> None:
    lines = simulated(3) + KEPT.read_bytes()
    imported(lines)
    before = stored()
    assert imported(lines + simulated(1)) == "0 games imported, 16 here already, 0 refused."
    assert stored() == before


def test_it_is_also_skipped_where_it_was_played(alice: Player, bob: Player, imported: Callable[[bytes], str]) -> None:
    play_random(make_game(alice, bob))
    assert counts(imported(exported())) == (0, 1, 0)


def test_another_game_at_the_same_address_is_refused(
    alice: Player, bob: Player, imported: Callable[[bytes], str]
) -> None:
    """Also where the one that is here still runs, of which nothing is said."""
    one, other = KEPT.read_bytes().splitlines()[:2]
    slug = json.loads(one)["deal"]["game"]
    forged = json.dumps(json.loads(simulated(1)) | {"name": "Forged"}).encode()
    assert imported(one) == "1 games imported, 0 here already, 0 refused."
    renamed = json.dumps(json.loads(one) | {"name": "Another title"}).encode()
    differs = f"There is a game at its address {slug} already, and it differs."
    assert imported(renamed) == f"line 1: refused. {differs}\n0 games imported, 0 here already, 1 refused."
    Game.objects.all().delete()
    Game.objects.filter(pk=make_game(alice, bob).pk).update(slug=slug)
    said = imported(b"\n".join((one, other, forged)))
    assert said == f"line 1: refused. {differs}\n2 games imported, 0 here already, 1 refused."
    assert make_table(alice).is_imported is False


# --- What is refused -------------------------------------------------------------------------------

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
    "an illegal move": (moved(**{"from": "A1", "to": "L5"}), "a move that is not allowed"),
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
    "no record": (lambda record: [record], "no record in the format"),
    "another format": (other(format="clans-record/9"), "no record in the format"),
    "an unknown map": (other(board="moon"), "moon"),
    "an unknown version": (other(rules={"five_clans": "score", "version": 99}), "99"),
    "huge numbers": (other(first=10**4000), "starting player"),
    "a hidden sign": (called("ali\u202ece"), "signs that nobody sees"),
    "half a sign": (called("\ud800"), "signs that nobody sees"),
    "a zero byte": (called("a\0b"), "signs that nobody sees"),
    "an empty name": (called(" "), "signs that nobody sees"),
    "a long name": (called("a" * 151), "more than 150 letters"),
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
    assert last == "2 games imported, 0 here already, 1 refused."
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
    ],
)
def test_it_refuses_what_is_no_record(imported: Callable[[bytes], str], line: bytes, reason: str) -> None:
    said = imported(line + b"\n\n" + simulated(1))
    first, last = said.splitlines()
    assert first.startswith("line 1: refused. ")
    assert reason in first
    assert last == "1 games imported, 0 here already, 1 refused."


def test_what_it_repeats_is_short_and_can_be_printed(imported: Callable[[bytes], str]) -> None:
    record = json.loads(simulated(1)) | {"board": "\x1b[2J" + "x" * 5000}
    line = imported(json.dumps(record).encode()).splitlines()[0]
    assert len(line) < 300
    assert line.isprintable()


def test_it_fails_where_something_was_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"nothing\n")
    with pytest.raises(CommandError, match="0 games imported, 0 here already, 1 refused"):
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


def test_a_file_that_is_damaged_says_where(imported: Callable[[bytes], str]) -> None:
    packed = bytearray(gzip.compress(simulated(3)))
    packed[len(packed) // 2] ^= 0xFF
    assert re.search(r"line \d+: the file is broken here", imported(bytes(packed)))
    assert verified() == []

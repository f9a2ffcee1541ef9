"""The archive as files: what is in them, who gets them, and that they tell nothing of other games."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import json
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.test import Client, RequestFactory
from pytest_django import Settings

from games import play, pov, tasks
from games.limits import ARCHIVE_FILES
from games.models import Game, Player
from games.pages.counting import refused
from tests.cast import AT, make_game, make_player, make_table, play_out, play_random
from tests.made_once import made_once
from tests.pages.helpers import soup_of
from tests.rules.checked import read_checked

PAGE = "/archive/download/"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    folder = tmp_path / "archive"
    settings.ARCHIVE_DIR = folder
    return folder


@pytest.fixture
def archived(db: None) -> list[Game]:
    """Three games that are over, the oldest first."""
    made_once(play_three)
    return list(Game.objects.order_by("ended_at"))


def play_three() -> None:
    alice, bob, carol = map(make_player, ("alice", "bob", "carol"))
    hours = [timedelta(hours=hours) for hours in (1, 2, 3)]
    play_out(make_game(alice, bob), seed=1, every=hours[2])
    play_out(make_game(alice, bots=2, five_clans="nothing"), seed=2, every=hours[0])
    play_out(make_game(alice, bob, carol), seed=3, every=hours[1])


def links_of(page: Any) -> set[str]:
    return {link["href"] for link in page.select("a[href]")}


def published() -> pov.Archive:
    archive = pov.publish_archive(at=AT)
    assert archive is not None
    return archive


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def downloaded(client: Client) -> Iterator[bytes]:
    """The files of the manifest, by HTTP, as they are compressed."""
    for file in client.get(f"{PAGE}manifest.json").json()["files"]:
        response = client.get(PAGE + file["name"])
        assert (response.status_code, response["Content-Type"]) == (200, "application/gzip")
        yield body_of(response)


def test_it_has_the_record_of_each_game_oldest_first(client: Client, archived: list[Game]) -> None:
    tasks.publish_archive()
    [packed] = downloaded(client)
    lines = gzip.decompress(packed).decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        client.get(f"{game.get_absolute_url()}record.json").json() for game in archived
    ]
    for line, game in zip(lines, archived, strict=True):
        record = read_checked(line)
        assert record.replay()[-1].position == game.position()


def test_the_command_prints_the_same_lines(archived: list[Game], folder: Path) -> None:
    printed, said = StringIO(), StringIO()
    call_command("export_games", stdout=printed)
    call_command("export_games", "--publish", stdout=said)
    [file] = folder.glob("*.gz")
    assert gzip.decompress(file.read_bytes()).decode() == printed.getvalue()
    assert said.getvalue() == f"Games: 3; files: 1; bytes: {file.stat().st_size:,}.\n"


def test_its_manifest_has_the_sums(client: Client, archived: list[Game]) -> None:
    pov.publish_archive(at=AT, games_in_file=2)
    manifest = client.get(f"{PAGE}manifest.json").json()
    files = list(downloaded(client))
    assert [file["games"] for file in manifest["files"]] == [2, 1]
    assert (manifest["format"], manifest["games"], manifest["size"]) == ("clans-archive/1", 3, sum(map(len, files)))
    for told, packed in zip(manifest["files"], files, strict=True):
        unpacked = gzip.decompress(packed)
        assert (told["size"], told["sha256"]) == (len(packed), hashlib.sha256(packed).hexdigest())
        assert (told["unpacked_size"], told["unpacked_sha256"]) == (
            len(unpacked),
            hashlib.sha256(unpacked).hexdigest(),
        )
        assert told["games"] == unpacked.count(b"\n")


def test_the_same_games_make_the_same_bytes(client: Client, archived: list[Game], folder: Path) -> None:
    published()
    before = {file.name: file.read_bytes() for file in folder.glob("*.gz")}
    pov.publish_archive(at=AT + timedelta(days=1))
    assert {file.name: file.read_bytes() for file in folder.glob("*.gz")} == before
    assert client.get(f"{PAGE}manifest.json").json()["made_at"] == "2026-03-03T20:00:00+00:00"


def test_files_of_before_go_and_so_does_what_a_crash_has_left(
    archived: list[Game], folder: Path, alice: Player, bob: Player
) -> None:
    old = published().files[0].name
    (folder / "tmp-half").write_bytes(b"half")
    play_out(make_game(alice, bob), seed=4)
    new = published().files[0].name
    assert old != new
    assert {file.name for file in folder.iterdir()} == {"lock", "manifest.json", new}


def test_a_game_that_cannot_be_read_is_left_out_and_named(
    archived: list[Game], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken, *others = archived
    broken.moves.filter(ply=5).update(text="A1-L5")
    [file] = published().files
    assert len(gzip.decompress((folder / file.name).read_bytes()).splitlines()) == file.games == len(others)
    assert f"the game {broken.slug} cannot be read" in caplog.text
    for options in ((), ("--all",), ("--publish",)):
        printed = StringIO()
        with pytest.raises(CommandError, match=f"cannot be read, and are left out: {broken.slug}"):
            call_command("export_games", *options, stdout=printed)
        assert printed.getvalue().count("\n") == (1 if options == ("--publish",) else 2)


def test_no_temporary_file_stays_where_writing_fails(archived: list[Game], folder: Path) -> None:
    published()
    before = {file.name for file in folder.iterdir()}
    with connection.execute_wrapper(_break_down), pytest.raises(DatabaseError):
        published()
    assert {file.name for file in folder.iterdir()} == before


def _break_down(_execute: Any, *_args: Any) -> None:
    raise DatabaseError("the connection was lost")


def test_one_process_at_a_time_writes_them(archived: list[Game], folder: Path) -> None:
    published()
    said = StringIO()
    with (folder / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        call_command("export_games", "--publish", stdout=said)
    assert said.getvalue() == "It is being made already.\n"


def test_the_page_says_what_there_is(client: Client, archived: list[Game]) -> None:
    assert client.get(f"{PAGE}manifest.json").status_code == 404
    assert "for the first time in the next one" in client.get(PAGE).content.decode()
    [file] = published().files
    page = soup_of(client.get(PAGE).content)
    assert file.sha256 in page.get_text()
    assert "3 games" in page.get_text()
    assert {f"{PAGE}{file.name}", f"{PAGE}manifest.json"} <= links_of(page)
    assert PAGE in links_of(soup_of(client.get("/archive/").content))


def test_its_page_writes_large_numbers_as_others_do(client: Client, archived: list[Game], folder: Path) -> None:
    published()
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"][0]["games"] = 1234
    (folder / "manifest.json").write_text(json.dumps(manifest))
    page = soup_of(client.get(PAGE).content)
    told = [part.get_text() for part in page.select("main p") if "games, " in part.get_text()]
    assert [text[:11] for text in told] == ["1,234 games"] * 2, "of all files, and of this one"


@pytest.mark.django_db
def test_a_site_without_games_says_so(client: Client) -> None:
    published()
    assert "No game has been finished yet" in client.get(PAGE).content.decode()
    assert client.get(f"{PAGE}manifest.json").json()["files"] == []


@pytest.mark.parametrize("name", ["lock", "games-0001-0123456789abcdef.jsonl.gz", "..%2Fclans.sqlite3", "manifest"])
def test_nothing_else_is_to_be_had_there(client: Client, archived: list[Game], folder: Path, name: str) -> None:
    published()
    (folder.parent / "clans.sqlite3").write_bytes(b"secret")
    assert client.get(PAGE + name).status_code == 404


def test_its_files_are_counted(client: Client, archived: list[Game], rf: RequestFactory) -> None:
    [file] = published().files
    for _time in range(ARCHIVE_FILES.rates[0].amount):
        assert refused(ARCHIVE_FILES, rf.get("/")) is None
    assert client.get(PAGE + file.name).status_code == 429
    assert client.get(PAGE).status_code == 200


def test_a_closed_account_is_not_named_from_the_next_time_on(archived: list[Game], carol: Player, folder: Path) -> None:
    for is_closed in (False, True):
        if is_closed:
            play.close_account(carol, at=AT)
        published()
        [file] = folder.glob("*.gz")
        assert (b"carol" in gzip.decompress(file.read_bytes())) is not is_closed


def test_two_worlds_games_that_are_not_public_or_not_over_leave_nothing(
    client: Client, archived: list[Game], alice: Player, bob: Player, folder: Path
) -> None:
    """Not by counts either: with or without them all answers are the same to the byte."""
    worlds = []
    for others in (False, True):
        if others:
            play_out(make_game(alice, bob, is_public=False), seed=5)
            play_random(make_game(alice, bob), 20, seed=6)
            make_table(bob)
            given_up = make_game(alice, bots=1)
            play.resign(given_up, player=alice, at=AT)
        published()
        files = {file.name: file.read_bytes() for file in folder.iterdir()}
        # The page has a new token for its forms each time.
        page = soup_of(client.get(PAGE).content).select_one("main")
        worlds.append((files, str(page), client.get(f"{PAGE}manifest.json").content, list(downloaded(client))))
    assert worlds[0] == worlds[1]
    assert Game.objects.finished().count() == 5

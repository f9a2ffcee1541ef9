"""`manage.py import_games`: what was exported comes back to the byte, as a game like all others."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, pov, rules
from games.clocks import PRESETS
from games.models import Game, Move, Player, Seat
from games.pages.lists.summaries import ListedGame
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.importing.helpers import KEPT, RECORDED, counts, exported, simulated, stored, verified
from tests.pages.helpers import soup_of, table_url

pytestmark = pytest.mark.django_db


# --- There and back --------------------------------------------------------------------------------


def test_export_and_import_give_the_same_bytes(imported: Callable[[bytes], str]) -> None:
    assert imported(KEPT.read_bytes()) == "Imported: 12, here already: 0, refused: 0."
    assert exported() == KEPT.read_bytes()
    assert verified() == []


def test_games_played_here_come_back_to_the_byte(
    alice: Player, bob: Player, carol: Player, imported: Callable[[bytes], str]
) -> None:
    play_out(make_game(alice, bob, carol), seed=1)
    play_out(make_game(alice, bots=2, five_clans="nothing"), seed=2, every=timedelta(minutes=7))
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


def test_lists_read_of_it_what_they_read_where_it_was_played(
    alice: Player, bob: Player, imported: Callable[[bytes], str]
) -> None:
    """But for who opened the table, and when, which no record tells."""
    play_out(make_game(alice, bob))
    [played] = Game.objects.values(*ListedGame._fields)
    record = exported()
    Game.objects.all().delete()
    imported(record)
    [read] = Game.objects.values(*ListedGame._fields)
    differs = {name for name in played if played[name] != read[name]}
    assert differs == {"pk", "opener_id", "created_at"}


def test_records_of_others_come_back_to_the_byte(
    imported: Callable[[bytes], str], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """They have no title, no times, no address and no deal, and get none."""
    assert counts(imported(simulated(12))) == (12, 0, 0)
    assert exported() == simulated(12)
    with django_assert_num_queries(5):
        assert verified() == []


def test_it_reads_compressed_files(imported: Callable[[bytes], str]) -> None:
    halves = [simulated(2), simulated(3, seed=2)]
    assert counts(imported(b"".join(map(gzip.compress, halves)))) == (5, 0, 0)
    assert exported() == b"".join(halves)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_it_reads_standard_input(imported: Callable[[bytes], str], pack: Callable[[bytes], bytes]) -> None:
    reads, writes = os.pipe()
    kept, said = os.dup(0), StringIO()
    os.dup2(reads, 0)
    os.write(writes, pack(simulated(3)))  # less than a pipe holds
    os.close(writes)
    try:
        call_command("import_games", "-", stdout=said)
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(reads)
    assert counts(said.getvalue()) == (3, 0, 0)
    assert exported() == simulated(3)


def test_the_kept_games_are_of_all_versions_of_the_rules(imported: Callable[[bytes], str]) -> None:
    """A new version needs kept games of its own, so that what is played by it is read for ever."""
    files = [KEPT, *RECORDED.glob("*.jsonl")]
    lines = [line for file in files for line in file.read_bytes().splitlines(keepends=True)]
    # Some of the rare games are among the random ones, too.
    assert counts(imported(b"".join(lines))) == (78, 3, 0)
    assert {json.loads(line)["rules"].get("version", 1) for line in lines} == {*rules.VERSIONS}
    assert verified() == []


def test_a_table_by_link_stays_one(alice: Player, bob: Player, imported: Callable[[bytes], str]) -> None:
    game = play_out(make_game(alice, bob, is_public=False))
    line = exported("--all")
    Game.objects.all().delete()
    assert counts(imported(line)) == (1, 0, 0)
    assert (exported(), exported("--all")) == (b"", line)
    assert game.slug not in Client().get("/archive/").content.decode()


def test_a_game_here_that_cannot_be_read_stops_no_other(imported: Callable[[bytes], str]) -> None:
    imported(simulated(3))
    Move.objects.filter(game=Game.objects.earliest("pk"), ply=3).update(text="A1-L5")
    assert counts(imported(simulated(4))) == (1, 2, 1)


# --- What an imported game is ----------------------------------------------------------------------


def test_its_people_have_names_and_no_accounts(imported: Callable[[bytes], str], alice: Player) -> None:
    """Also one who is called as somebody here."""
    imported(KEPT.read_bytes())
    game = Game.objects.filter(seats__name="alice", has_computers=True).first()
    assert game is not None
    page = soup_of(Client().get(game.get_absolute_url()).content)
    assert "alice" in page.get_text()
    assert page.select('main a[href*="/players/"]') == []
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


def test_no_search_by_pace_finds_it(imported: Callable[[bytes], str]) -> None:
    imported(KEPT.read_bytes())
    client = Client()
    assert soup_of(client.get("/archive/").content).select(".table-name")
    for preset in PRESETS:
        assert not soup_of(client.get(f"/archive/?pace={preset.key}").content).select(".table-name")


def test_its_page_says_that_it_was_imported(imported: Callable[[bytes], str], alice: Player, bob: Player) -> None:
    imported(simulated(1))
    said = "This game was not played here"
    assert said in Client().get(Game.objects.get().get_absolute_url()).content.decode()
    played = play_out(make_game(alice, bob))
    assert said not in Client().get(played.get_absolute_url()).content.decode()


def test_a_game_whose_record_tells_no_times_shows_none(imported: Callable[[bytes], str]) -> None:
    imported(simulated(1))
    game, client = Game.objects.get(), Client()
    [since] = soup_of(client.get("/archive/").content).select(".table-since")
    assert since.get_text() == "time unknown"
    for page in ("", "ply/5/", "ply/5/public/"):
        assert soup_of(client.get(table_url(game, page)).content).select(".prompt time") == [], page


def test_what_is_kept_of_a_game_tells_no_time_that_its_record_does_not_tell(
    imported: Callable[[bytes], str], client: Client
) -> None:
    imported(simulated(1))
    game = Game.objects.get()
    assert game.ended_at
    assert f"{game.ended_at:%B %Y}" not in soup_of(client.get(table_url(game, "keepsake.html")).content).get_text()
    drawn = client.get(table_url(game, "result.png")).headers["ETag"]
    Game.objects.update(ended_at=game.ended_at - timedelta(days=40))
    assert client.get(table_url(game, "result.png")).headers["ETag"] == drawn


def test_programs_are_told_no_time_that_a_record_does_not_tell(
    imported: Callable[[bytes], str], client: Client
) -> None:
    imported(simulated(1))
    [game] = Game.objects.all()
    [listed] = client.get("/api/v1/games").json()["games"]
    whole = client.get(f"/api/v1/games/{game.slug}").json()
    assert [listed["since"], *(whole[name] for name in ("created_at", "started_at", "ended_at"))] == [None] * 4
    assert whole["state"]["move"]["at"] is None
    assert "<published>" not in client.get("/archive/feed/").content.decode()


def test_a_game_whose_record_tells_times_shows_them(imported: Callable[[bytes], str]) -> None:
    imported(KEPT.read_bytes().splitlines()[0])
    game, client = Game.objects.get(), Client()
    for path in ("/archive/", table_url(game), table_url(game, "ply/5/")):
        assert soup_of(client.get(path).content).select(".table-since time, .prompt time")


def test_lists_and_replays_say_that_it_was_imported(
    imported: Callable[[bytes], str], alice: Player, bob: Player
) -> None:
    imported(KEPT.read_bytes().splitlines()[0])
    client, foreign, own = Client(), Game.objects.get(), play_out(make_game(alice, bob))
    for game, is_told in ((foreign, True), (own, False)):
        rows = soup_of(client.get("/archive/").content).select(".table-row")
        [row] = [row for row in rows if row.select(f'[href="{table_url(game)}"]')]
        assert ("imported" in [tag.get_text() for tag in row.select(".tag")]) is is_told
        assert ("Imported: not played here" in client.get(table_url(game, "ply/3/")).content.decode()) is is_told


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
    assert imported(lines + simulated(1)) == "Imported: 0, here already: 16, refused: 0."
    assert stored() == before


def test_it_is_also_skipped_where_it_was_played(alice: Player, bob: Player, imported: Callable[[bytes], str]) -> None:
    play_out(make_game(alice, bob))
    assert counts(imported(exported())) == (0, 1, 0)


def test_another_game_at_the_same_address_is_refused(
    alice: Player, bob: Player, imported: Callable[[bytes], str]
) -> None:
    """Also where the one that is here still runs, of which nothing is said."""
    one, other = KEPT.read_bytes().splitlines()[:2]
    slug = json.loads(one)["deal"]["game"]
    forged = json.dumps(json.loads(simulated(1)) | {"name": "Forged"}).encode()
    assert imported(one) == "Imported: 1, here already: 0, refused: 0."
    renamed = json.dumps(json.loads(one) | {"name": "Another title"}).encode()
    differs = f"There is a game at its address {slug} already, and it differs."
    assert imported(renamed) == f"line 1: refused. {differs}\nImported: 0, here already: 0, refused: 1."
    Game.objects.all().delete()
    Game.objects.filter(pk=make_game(alice, bob).pk).update(slug=slug)
    said = imported(b"\n".join((one, other, forged)))
    assert said == f"line 1: refused. {differs}\nImported: 2, here already: 0, refused: 1."
    assert make_table(alice).is_imported is False

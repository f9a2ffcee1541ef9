"""Feeds: what they say, to whom, and that a secret address is one."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
import time_machine
from django.http import Http404
from django.test import Client
from icalendar import Calendar

from games import play
from games.models import Game, Player, Seat
from games.pages import replies
from games.pages.player import feeds
from games.pages.player.feeds import feed_address
from tests.cast import AT, make_game, make_table, play_out, play_random, seat_to_move
from tests.pages.helpers import soup, table_url, text_of

pytestmark = pytest.mark.django_db
ATOM = {"a": "http://www.w3.org/2005/Atom"}
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def path_of(player: Player, name: str) -> str:
    player.refresh_from_db()
    return "/feeds/" + feed_address(player, name).split("/feeds/")[1]


def make_key(client: Client, player: Player, do: str = "make") -> None:
    client.force_login(player)
    assert client.post("/preferences/feeds/", {"do": do}).status_code == 303


@pytest.fixture
def mover(client: Client, game: Game) -> Player:
    """Who is to move in the game, and has secret addresses."""
    player = seat_to_move(game).player
    assert player
    make_key(client, player)
    client.logout()
    return player


def events(client: Client, player: Player, *, at: datetime) -> list[Any]:
    with time_machine.travel(at, tick=False):
        response = client.get(path_of(player, "deadlines"))
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


def entries(response: Any) -> list[dict[str, str]]:
    """The entries of an Atom feed, their fields by name."""
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    found = ElementTree.fromstring(response.content).findall("a:entry", ATOM)  # noqa: S314
    return [{child.tag.partition("}")[2]: child.text or child.get("href") or "" for child in entry} for entry in found]


# --- The calendar ----------------------------------------------------------------------------------


def test_it_tells_when_the_reserve_begins_and_then_when_time_is_up(client: Client, game: Game, mover: Player) -> None:
    game.refresh_from_db()
    assert game.free_until
    assert game.due_at
    [free] = events(client, mover, at=AT)
    [late] = events(client, mover, at=game.free_until)
    assert free["DTSTART"].dt == game.free_until.replace(microsecond=0)
    assert late["DTSTART"].dt == game.due_at.replace(microsecond=0)
    assert free["UID"] == late["UID"] == f"deadline-{game.slug}@localhost"
    assert free["SEQUENCE"] < late["SEQUENCE"]
    assert (free["DTSTAMP"].dt, late["DTSTAMP"].dt) == (AT, game.free_until)
    assert game.name in free["SUMMARY"]
    assert free["URL"].endswith(game.get_absolute_url())
    assert [alarm["TRIGGER"].dt for alarm in free.walk("VALARM")] == [-DAY, -2 * HOUR]
    assert "autopilot" in late["DESCRIPTION"]


def test_it_tells_one_moment_where_there_is_no_reserve(client: Client, game: Game, mover: Player) -> None:
    Game.objects.update(free_until=AT + DAY, due_at=AT + DAY, overdue="abandon")
    [event] = events(client, mover, at=AT)
    assert event["DTSTART"].dt == AT + DAY
    assert "abandoned" in event["DESCRIPTION"]


def test_it_keeps_the_same_event_for_a_later_turn(client: Client, game: Game, mover: Player) -> None:
    [before] = events(client, mover, at=AT)
    play_random(game, 1)
    assert events(client, mover, at=AT + 3 * HOUR) == []
    game = play_random(game, 2)
    [after] = events(client, mover, at=game.turn_since or AT)
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["DTSTAMP"].dt == game.turn_since


def test_it_revises_an_event_when_the_clock_is_set_again(client: Client, game: Game, mover: Player) -> None:
    [before] = events(client, mover, at=AT)
    play.take_reserve_day(game, player=mover, at=AT + HOUR)
    [after] = events(client, mover, at=AT + HOUR)
    assert after["DTSTART"].dt == before["DTSTART"].dt + DAY
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["DTSTAMP"].dt == AT + HOUR


def test_it_has_an_event_for_each_table_that_waits(client: Client, game: Game, mover: Player, mallory: Player) -> None:
    other = make_game(mover, mallory)
    mine = 1 + (seat_to_move(other).player == mover)
    assert len(events(client, mover, at=AT)) == mine


def test_a_calendar_without_events_is_one_to_strict_programs(client: Client, game: Game, mover: Player) -> None:
    play_random(game, 1)
    assert events(client, mover, at=AT + 3 * HOUR) == []
    calendar = Calendar.from_ical(client.get(path_of(mover, "deadlines")).content)
    # RFC 5545, 3.6: a calendar has at least one component; 3.6.5: what one of a time zone must have.
    [zone] = calendar.subcomponents
    [standard] = zone.subcomponents
    assert (zone.name, zone["TZID"], standard.name) == ("VTIMEZONE", "UTC", "STANDARD")
    assert {"TZOFFSETFROM", "TZOFFSETTO", "DTSTART"} == {*standard}


def test_each_line_of_a_calendar_is_as_strict_programs_read_it(client: Client, game: Game, mover: Player) -> None:
    Game.objects.filter(pk=game.pk).update(name="Ä; b, \\n é\U0001f600" + "\U0001f600ö" * 20)
    text = client.get(path_of(mover, "deadlines")).content
    lines = text.removesuffix(b"\r\n").split(b"\r\n")
    assert b"".join(lines).translate(None, b"\r\n") == b"".join(lines)
    # RFC 5545, 3.1: at most 75 octets, and no letter torn apart.
    assert max(map(len, lines)) <= 75
    assert all(line.decode() for line in lines)


def test_it_tells_a_name_of_several_lines_on_one(client: Client, game: Game, mover: Player) -> None:
    Game.objects.filter(pk=game.pk).update(name="Friday\r\nDESCRIPTION:gone\x07\u202e")
    [event] = events(client, mover, at=AT)
    assert event["SUMMARY"] == "Your move: Friday DESCRIPTION:gone"


def test_it_tells_times_in_the_zone_of_the_player(client: Client, game: Game, mover: Player) -> None:
    Player.objects.filter(pk=mover.pk).update(time_zone="Asia/Tokyo")
    Game.objects.update(due_at=datetime(2026, 3, 20, 15, 0, tzinfo=UTC))
    [event] = events(client, mover, at=AT)
    assert "until Saturday 21\N{NO-BREAK SPACE}March, 00:00 at the latest" in event["DESCRIPTION"]


# --- Turns -----------------------------------------------------------------------------------------


def test_it_tells_what_has_happened_since_the_last_move(client: Client, game: Game, mover: Player) -> None:
    game = play_random(game, 3)
    assert seat_to_move(game).player == mover
    [entry] = entries(client.get(path_of(mover, "turns")))
    assert entry["title"] == f"Your turn: {game.name} (move 4)"
    assert entry["link"].endswith(game.get_absolute_url())
    assert [str(move.text).partition("-")[0] in entry["summary"] for move in game.moves.order_by("ply")[1:]] == [
        True
    ] * 2
    assert game.turn_since
    assert datetime.fromisoformat(entry["updated"]) == game.turn_since


def test_it_names_each_turn_once(client: Client, game: Game, mover: Player) -> None:
    ids = []
    for _turn in range(3):
        [entry] = entries(client.get(path_of(mover, "turns")))
        ids.append(entry["id"])
        play_random(game, 3)
    assert len(set(ids)) == 3


def test_it_has_no_turns_while_nothing_waits(client: Client, game: Game, mover: Player) -> None:
    play_random(game, 1)
    assert entries(client.get(path_of(mover, "turns"))) == []


# --- The moves of a table --------------------------------------------------------------------------


def test_it_tells_the_moves_of_a_table_newest_first(client: Client, game: Game) -> None:
    game = play_out(game)
    found = entries(client.get(table_url(game, "feed/")))
    moves = list(game.moves.order_by("-ply")[: replies.MOST_ENTRIES])
    assert found[0]["link"].endswith(game.get_absolute_url())
    assert len(found) == len(moves) + 1
    for entry, move in zip(found[1:], moves, strict=True):
        assert entry["link"].endswith(table_url(game, f"ply/{move.ply + 1}/"))
        assert f" {move.text.partition('-')[0]} to " in entry["title"]
    assert len({entry["id"] for entry in found}) == len(found)


def test_it_tells_what_else_was_done_at_a_table(client: Client, game: Game, alice: Player, bob: Player) -> None:
    play_random(game, 2)
    play.agree_to_abandon(game, player=bob, agrees=True, at=AT + timedelta(days=2))
    before = client.get(table_url(game, "feed/"))
    assert entries(before)[0]["title"] == "bob proposed to abandon the game."
    play_out(game)
    make_table(alice, follows=game, at=AT + timedelta(days=900))
    after = client.get(table_url(game, "feed/"))
    newest, end = entries(after)[:2]
    assert newest["title"] == "alice asked the others to play again."
    assert "won" in end["title"] or "win" in end["title"]
    assert before["Last-Modified"] != after["Last-Modified"]


def test_it_keeps_names_of_moves_as_the_game_goes_on(client: Client, game: Game) -> None:
    game = play_random(game, 4)
    before = [entry["id"] for entry in entries(client.get(table_url(game, "feed/")))]
    play_random(game, 2)
    after = [entry["id"] for entry in entries(client.get(table_url(game, "feed/")))]
    assert after[2:] == before


def test_it_has_a_feed_of_a_table_for_who_has_the_link(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob, is_public=False), 2)
    assert len(entries(client.get(table_url(game, "feed/")))) == 2
    assert client.get("/tables/unknownxyz/feed/").status_code == 404


def test_it_has_a_feed_of_a_table_that_has_not_begun(client: Client, alice: Player) -> None:
    game = play.open_table(alice, name="<b>&\x07", size=2, bots=0, entropy="w", at=AT)
    response = client.get(table_url(game, "feed/"))
    assert entries(response) == []
    title = ElementTree.fromstring(response.content).findtext("a:title", namespaces=ATOM)  # noqa: S314
    assert title == "<b>&"


def test_it_is_found_from_the_page_of_the_table(client: Client, game: Game) -> None:
    [link] = soup(client.get(table_url(game))).select("link[rel=alternate]")
    assert (link["type"], link["href"]) == ("application/atom+xml", table_url(game, "feed/"))


# --- Secret addresses ------------------------------------------------------------------------------


def answer(client: Client, address: str) -> tuple[int, bytes]:
    """The answer, without what differs at each look."""
    response = client.get(address)
    return response.status_code, re.sub(rb'(nonce|value)="[^"]+"', b"", response.content)


@pytest.mark.parametrize("name", ["deadlines", "turns"])
def test_it_reads_nothing_at_a_wrong_address(client: Client, game: Game, mover: Player, name: str) -> None:
    right = path_of(mover, name)
    assert client.get(right).status_code == 200
    number, _dash, key = right.split("/")[2].partition("-")
    other = Player.objects.exclude(pk=mover.pk).values_list("pk", flat=True)[0]
    wrong = [
        f"{number}-{key[:-1]}",
        f"{number}-{'x' * 43}",
        f"{other}-{key}",
        f"{other}-{'-' * 43}",
        f"99999-{key}",
        key,
    ]
    wrong += [f"{number}-None", f"0{number}-{key}", f"{number}-{key.swapcase()}"]
    client.force_login(mover)
    answers = {answer(client, right.replace(f"{number}-{key}", address)) for address in wrong}
    assert [status for status, _content in answers] == [404]


@pytest.mark.parametrize("do", ["replace", "remove"])
def test_it_forgets_an_address(client: Client, game: Game, mover: Player, do: str) -> None:
    old = path_of(mover, "turns")
    make_key(client, mover, do)
    client.logout()
    assert answer(client, old) == answer(client, f"/feeds/99999-{'x' * 43}/turns.atom")
    mover.refresh_from_db()
    assert (mover.feed_key is None) == (do == "remove")
    assert client.get(path_of(mover, "turns")).status_code == (404 if do == "remove" else 200)


def test_it_reads_nothing_of_who_may_not_come_in(client: Client, game: Game, mover: Player) -> None:
    Player.objects.filter(pk=mover.pk).update(is_active=False)
    assert client.get(path_of(mover, "turns")).status_code == 404


def test_it_makes_an_address_that_nobody_guesses(client: Client, alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        make_key(client, player)
        player.refresh_from_db()
    assert alice.feed_key
    assert (len(alice.feed_key), alice.feed_key == bob.feed_key) == (43, False)
    first = alice.feed_key
    make_key(client, alice)
    alice.refresh_from_db()
    assert alice.feed_key == first


def test_it_shows_the_addresses_to_their_player_alone(client: Client, alice: Player, bob: Player) -> None:
    make_key(client, alice)
    page = client.get("/preferences/feeds/")
    alice.refresh_from_db()
    shown = {str(field["value"]) for field in soup(page).select("input[readonly]")}
    assert shown == {feed_address(alice, "deadlines"), feed_address(alice, "turns")}
    assert page["Cache-Control"] == "private, no-store"
    client.force_login(bob)
    assert str(alice.feed_key) not in client.get("/preferences/feeds/").content.decode()


def test_it_changes_nothing_by_a_form_that_says_nothing(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert client.post("/preferences/feeds/", {"do": "nothing"}).status_code == 422
    alice.refresh_from_db()
    assert alice.feed_key is None


def test_it_asks_for_a_sign_in_to_make_one(client: Client) -> None:
    assert client.post("/preferences/feeds/", {"do": "make"})["Location"].startswith("/accounts/login/")


def test_it_logs_no_address(
    client: Client, game: Game, mover: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even where the program fails, which Django logs with the path."""
    caplog.set_level(logging.DEBUG)
    client.raise_request_exception = False

    def fails(_player: Player) -> datetime:
        raise RuntimeError("broken")

    address = path_of(mover, "turns")
    monkeypatch.setattr(feeds, "_changed", fails)
    response = client.get(address)
    assert response.status_code == 500
    assert "broken" in caplog.text
    assert str(mover.feed_key) not in caplog.text + response.content.decode()


# --- Asking again ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["deadlines", "turns", "table"])
def test_it_says_that_nothing_is_new(client: Client, game: Game, mover: Player, name: str) -> None:
    game = play_random(game, 3)
    address = table_url(game, "feed/") if name == "table" else path_of(mover, name)
    at = (game.turn_since or AT) + HOUR
    with time_machine.travel(at, tick=False):
        first = client.get(address)
    with time_machine.travel(at + HOUR, tick=False):
        for header in ("ETag", "Last-Modified"):
            asked = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}[header]
            again = client.get(address, headers={asked: first[header]})
            assert (again.status_code, again.content) == (304, b"")
    game = play_random(game, 1)
    with time_machine.travel(at + 5 * HOUR, tick=False):
        for header in ("ETag", "Last-Modified"):
            asked = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}[header]
            assert client.get(address, headers={asked: first[header]}).status_code == 200


@pytest.mark.parametrize("name", ["deadlines", "turns", "table"])
def test_it_is_kept_from_lists_and_shared_caches(client: Client, game: Game, mover: Player, name: str) -> None:
    response = client.get(table_url(game, "feed/") if name == "table" else path_of(mover, name))
    assert response["Cache-Control"] == "private, no-cache"
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert response["Referrer-Policy"] == "no-referrer"


def test_it_tells_the_same_whoever_holds_which_clan(client: Client, game: Game, mover: Player) -> None:
    game = play_random(game, 3)
    pages = [path_of(mover, "deadlines"), path_of(mover, "turns"), table_url(game, "feed/")]
    before = [client.get(page).content for page in pages]
    spare = ({"red", "blue", "green", "yellow", "black"} - set(game.seats.values_list("clan", flat=True))).pop()
    for seat in Seat.objects.filter(game=game):
        Seat.objects.filter(pk=seat.pk).update(clan=spare)
        spare = seat.clan
    assert [client.get(page).content for page in pages] == before


def test_it_tells_what_is_on_the_page(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert "Make secret addresses" in text_of(client.get("/preferences/feeds/"))


def test_it_raises_for_an_address_of_nobody() -> None:
    with pytest.raises(Http404):
        feeds._player_of("0-" + "-" * 43)


def test_it_costs_5_queries_however_many_tables_wait_and_one_more_for_moves_that_are_new(
    client: Client, mover: Player, mallory: Player, django_assert_num_queries: Any
) -> None:
    games = [make_game(mover, mallory) for _number in range(12)]
    for game in games:
        play_random(game, 2)
    path = path_of(mover, "turns")
    with django_assert_num_queries(6):
        found = entries(client.get(path))
    with django_assert_num_queries(5):
        assert entries(client.get(path)) == found
    assert len(found) == Game.objects.filter(awaited=mover).count() > 1
    assert all("<p>" in entry["summary"] for entry in found)

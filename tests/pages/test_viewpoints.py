"""A finished game replayed with the eyes of the public and of each seat: what they saw then, and not a card more."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules, words
from games.models import Game, Player, Seat
from games.words import name_clan
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.pages.helpers import links, seat_of, soup, table_url, text_of

PUBLIC = "public/"
SEATS = ("seat/1/", "seat/2/", "seat/3/")


def at(game: Game, ply: int, viewpoint: str = "") -> str:
    return table_url(game, f"ply/{ply}/{viewpoint}")


def end_of(game: Game, player: Player) -> str:
    """The end of the addresses of what the player's seat saw."""
    return SEATS[seat_of(game, player).number or 0]


def names_in_order(game: Game) -> list[str]:
    return list(game.seats.order_by("number").values_list("name", flat=True))


def clans_told(client: Client, address: str) -> list[str]:
    """The clans that the page tells of players: beside them, and as a card."""
    huts = soup(client.get(address)).select(".seat-note .hut, section[aria-labelledby=known] > p .hut")
    return [next(name.removeprefix("hut-") for name in hut.classes if name != "hut") for hut in huts]


def test_it_offers_all_revealed_the_public_and_each_seat(client: Client, over: Game) -> None:
    for chosen, viewpoint in enumerate(("", PUBLIC, *SEATS)):
        nav = soup(client.get(at(over, 5, viewpoint))).select_one("nav[aria-labelledby=viewpoints]")
        assert nav is not None
        assert nav.select_one("#viewpoints") is not None
        offered = nav.select("a")
        assert [link["href"] for link in offered] == [at(over, 5), *(at(over, 5, end) for end in (PUBLIC, *SEATS))]
        assert [link.get_text() for link in offered] == ["All revealed", "The public", *names_in_order(over)]
        assert [use["href"] for use in nav.select("a .seal-mark use")] == [
            f"#seal-{seat}" for seat in range(len(SEATS))
        ]
        assert [link.get("aria-current") for link in offered].index("true") == chosen
        assert sum(link.has_attr("aria-current") for link in offered) == 1


def test_what_is_read_out_differs_between_viewpoints(client: Client, over: Game) -> None:
    pages = [soup(client.get(at(over, 5, viewpoint))) for viewpoint in ("", PUBLIC, *SEATS)]
    said = [" ".join(element.get_text().split()) for page in pages for element in page.select("[data-say]")]
    assert len({*said}) == len(said)
    seen = ["the public", *names_in_order(over)]
    assert said[1:] == [f"{said[0]} As {name} saw it." for name in seen]


@pytest.mark.parametrize("viewpoint", [PUBLIC, *SEATS])
def test_steps_keep_the_viewpoint(client: Client, over: Game, viewpoint: str) -> None:
    response = client.get(at(over, 5, viewpoint))
    steps = [step.partition("#")[0] for step in links(response, ".plies")]
    assert steps == [at(over, ply, viewpoint) for ply in (0, 4, 6, over.ply)]
    numbers = soup(response).select(".history li > a")
    assert [link["href"] for link in numbers] == [at(over, ply, viewpoint) for ply in (5, 4, 3, 2, 1)]


@pytest.mark.parametrize("viewpoint", [PUBLIC, *SEATS])
@pytest.mark.parametrize("is_last", [False, True])
def test_it_is_shared_by_its_own_address(client: Client, over: Game, viewpoint: str, is_last: bool) -> None:
    ply = over.ply if is_last else 5
    page = soup(client.get(at(over, ply, viewpoint)))
    [field] = page.select("section[aria-labelledby=share] input[readonly]")
    assert field["value"] == settings.SITE_URL + at(over, ply, viewpoint)
    assert page.select(f'button[data-share="#{field["id"]}"]')
    assert any("site" in str(script["src"]) for script in page.select("script[src]"))
    handed_on = [link["href"] for link in page.select("section[aria-labelledby=share] a")]
    assert handed_on == [table_url(over, f"ply/{ply}.png")]
    about = {tag["property"]: tag["content"] for tag in page.select("head meta[property^='og:']")}
    assert about["og:url"] == field["value"]
    assert about["og:title"] == page.select("title")[0].get_text().removesuffix(" · Clans by mail")
    assert about["og:image"] == settings.SITE_URL + handed_on[0]
    told = _what_happened(page.select("#ply")[0].get_text())
    names = words.join_words(names_in_order(over))
    assert about["og:description"] == f"A game of Clans: {names}. Move {ply}: {told}"


@pytest.mark.parametrize("viewpoint", [PUBLIC, *SEATS])
def test_no_head_of_a_viewpoint_leads_to_all_revealed(client: Client, over: Game, viewpoint: str) -> None:
    """A phone shares the canonical address of a page."""
    page = soup(client.get(at(over, 5, viewpoint)))
    assert page.select("head link[rel=canonical]") == []
    assert page.select("head meta[name=robots][content=noindex]")
    assert soup(client.get(at(over, 5))).select("head meta[name=robots]") == []


@pytest.mark.parametrize(("number", "hidden"), [(None, (0, 1, 2)), (0, (1, 2)), (1, (0, 2)), (2, (0, 1))])
def test_it_is_the_same_whatever_cards_the_others_held(
    client: Client, over: Game, number: int | None, hidden: tuple[int, ...]
) -> None:
    addresses = [at(over, ply, PUBLIC if number is None else SEATS[number]) for ply in (0, 5, over.ply)]
    before = [_without_chance(client.get(address).content) for address in addresses]
    seats = [over.seats.get(number=place) for place in hidden]
    told = [(seat.clan, seat.total, seat.rank) for seat in seats]
    over.seats.filter(number__in=hidden).update(clan="", number=None)
    for place, seat, (clan, total, rank) in zip(hidden, seats, told[1:] + told[:1], strict=True):
        Seat.objects.filter(pk=seat.pk).update(number=place, clan=clan, total=total, rank=rank)
    assert client.get(at(over, 5)).content != client.get(addresses[1]).content
    assert [_without_chance(client.get(address).content) for address in addresses] == before


def _without_chance(page: bytes) -> bytes:
    """A page without what differs in each answer."""
    return re.sub(rb'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"', b"", page)


def test_the_picture_stays_when_somebody_else_has_taken_the_seat(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    game = make_table(alice, size=2, terms=play.Terms(allows_takeover=True))
    play.join_table(game, player=bob, at=AT)
    game.refresh_from_db()
    place = seat_of(game, bob).number
    assert place is not None
    while place not in {village.founder for village in game.position().villages}:
        play_random(game, 1, seed=game.ply)
    picture = table_url(game, f"ply/{game.ply}.png")
    before = client.get(picture)
    play_random(game, 1)
    play.resign(game, player=bob, at=AT + timedelta(days=2))
    play.take_over(game, player=mallory, number=place, at=AT + timedelta(days=3))
    play_out(game)
    after = client.get(picture)
    assert (before.status_code, after.status_code) == (200, 200)
    assert after["ETag"] == before["ETag"]


def test_each_seat_saw_its_own_card_alone(client: Client, over: Game) -> None:
    players = json.loads(client.get(table_url(over, "record.json")).content)["players"]
    clans = [player["clan"] for player in players]
    for ply in (0, 7, over.ply):
        assert clans_told(client, at(over, ply)) == clans
        assert clans_told(client, at(over, ply, PUBLIC)) == []
        assert [clans_told(client, at(over, ply, end)) for end in SEATS] == [[clan] for clan in clans]
    page = text_of(client.get(at(over, 7, SEATS[1])), "section[aria-labelledby=known]")
    assert page == f"What {players[1]['name']} knew Clan card: {name_clan(clans[1])}"


def test_the_public_sees_what_visitors_saw_when_it_ran(client: Client, game: Game) -> None:
    seen = {}
    for _move in range(12):
        play_random(game, 1, seed=game.ply)
        seen[game.ply] = _position_and_history(client, at(game, game.ply))
    play.resign(game, player=Player.objects.get(username="bob"), at=AT + timedelta(days=5))
    play_out(game)
    assert {ply: _position_and_history(client, at(game, ply, PUBLIC)) for ply in seen} == seen
    assert _position_and_history(client, at(game, 12, PUBLIC))["history"] != seen[11]["history"]


def _what_happened(told: str) -> str:
    """Without whose viewpoint it is."""
    return re.sub(r" As [a-z ]+ saw it\.$", "", told)


def _position_and_history(client: Client, address: str) -> dict[str, object]:
    """What a page shows of the game but for the clocks of its seats."""
    response = client.get(address)
    page = soup(response)
    return {
        "said": _what_happened(text_of(response, "#ply")),
        "board": str(page.select_one("#board svg")),
        "seats": [text_of(response, f".seats > li:nth-child({place}) > .seat-name") for place in (1, 2, 3)],
        "chips": [chips.get_text() for chips in page.select(".seat-chips")],
        "list": text_of(response, "#as-list"),
        "epochs": text_of(response, ".epochs"),
        "scores": text_of(response, ".track"),
        "history": [item.get_text() for item in page.select(".history > li") if not _is_event(item.get_text())],
    }


def _is_event(text: str) -> bool:
    return "resigned" in text


def test_it_tells_who_had_resigned_by_then(client: Client, game: Game, bob: Player) -> None:
    play_random(game, 6)
    play.resign(game, player=bob, at=AT + timedelta(days=5))
    play_out(game)
    place = SEATS.index(end_of(game, bob))
    notes = f".seats > li:nth-child({place + 1}) .seat-note"
    assert "resigned" not in text_of(client.get(at(game, 5, PUBLIC)), notes)
    assert "resigned" not in text_of(client.get(at(game, 5, PUBLIC)), ".history")
    assert "resigned, a computer player moves" in text_of(client.get(at(game, 6, PUBLIC)), notes)
    assert "bob resigned" in text_of(client.get(at(game, 6, PUBLIC)), ".history")


def test_it_tells_who_would_abandon_the_game_by_then(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), 4)
    play.agree_to_abandon(game, player=alice, agrees=True, at=AT)
    play_random(game, 1)
    play.agree_to_abandon(game, player=alice, agrees=False, at=AT)
    play_random(game, 1)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    told = [text_of(client.get(at(game, ply, PUBLIC)), ".seats").count("wants to abandon") for ply in range(7)]
    assert told == [0, 0, 0, 0, 1, 0, 2]
    assert text_of(client.get(at(game, 6, PUBLIC)), ".verdict") == ""
    assert text_of(client.get(at(game, 6)), ".verdict") == "Nobody wins."


def test_it_names_who_had_the_seat_then(alice: Player, bob: Player, carol: Player, mallory: Player) -> None:
    game = make_table(alice, size=3, terms=play.Terms(allows_takeover=True))
    for player in (bob, carol):
        play.join_table(game, player=player, at=AT)
    play_random(game, 4)
    play.resign(game, player=bob, at=AT + timedelta(days=2))
    play_random(game, 2)
    seat = seat_of(game, bob)
    assert seat.number is not None
    play.take_over(game, player=mallory, number=seat.number, at=AT + timedelta(days=3))
    play_out(game)
    client, end = Client(), end_of(game, mallory)
    shown = [text_of(client.get(at(game, ply, end)), "#known") for ply in (3, 5, 6, game.ply)]
    assert shown == ["What bob knew", "What bob knew", "What mallory knew", "What mallory knew"]
    assert [clans_told(client, at(game, ply, end)) for ply in (3, game.ply)] == [[seat.clan], [seat.clan]]
    notes = [text_of(client.get(at(game, ply, end)), ".seats").count("resigned") for ply in (3, 5, 6)]
    assert notes == [0, 1, 0]


def test_it_shows_the_sheet_as_it_stood(client: Client, game: Game, alice: Player) -> None:
    play_random(game, 3)
    seat = seat_of(game, alice)
    other = game.seats.exclude(pk=seat.pk).order_by("number")[0]
    assert other.number is not None
    clan = next(clan for clan in rules.CLANS if clan != seat.clan)
    for mark in ("suspected", "excluded"):
        play.mark_suspicion(game, player=alice, about=other.number, clan=clan, mark=mark, at=AT + timedelta(days=9))
        play_random(game, 3)
    play_out(game)
    end = end_of(game, alice)

    def mark_at(ply: int) -> list[str]:
        rows = soup(client.get(at(game, ply, end))).select("section[aria-labelledby=known] tbody tr")
        found = {
            head.get_text(): [str(sign["title"]) for sign in row.select("td > span")]
            for row in rows
            for head in row.select("th")
        }
        return [title for title in found.get(other.name, []) if str(title).startswith(f"{name_clan(clan)}:")]

    told = {ply: mark_at(ply) for ply in (2, 3, 5, 6, game.ply)}
    suspected, excluded = [f"{name_clan(clan)}: suspected"], [f"{name_clan(clan)}: excluded"]
    assert told == {2: [], 3: suspected, 5: suspected, 6: excluded, game.ply: excluded}
    for viewpoint in {PUBLIC, *SEATS} - {end}:
        assert soup(client.get(at(game, 6, viewpoint))).select(".suspicion") == []


def test_there_are_none_while_the_game_runs(client: Client, game: Game, alice: Player) -> None:
    play_random(game, 9)
    client.force_login(alice)
    for end in (PUBLIC, *SEATS):
        assert client.get(at(game, 5, end)).status_code == 404
    assert soup(client.get(at(game, 5))).select("#viewpoints") == []
    assert client.get(at(make_table(alice), 0, PUBLIC)).status_code == 404


@pytest.mark.parametrize("path", ["ply/99/public/", "ply/5/seat/0/", "ply/5/seat/4/", "ply/5/seat/99999999999/"])
def test_it_knows_no_other_seat_and_ply(client: Client, over: Game, path: str) -> None:
    assert client.get(table_url(over, path)).status_code == 404


def test_whoever_has_the_link_of_a_table_by_link_replays_it(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob, is_public=False))
    response = client.get(at(game, 3, PUBLIC))
    assert response.status_code == client.get(at(game, 3)).status_code == 200
    assert len(soup(response).select("meta[name=robots][content=noindex]")) == 1
    assert soup(response).select("#share") == []
    client.force_login(bob)
    share = soup(client.get(at(game, 3, PUBLIC))).select_one("section[aria-labelledby=share]")
    assert share is not None
    assert [field["value"] for field in share.select("input")] == [settings.SITE_URL + at(game, 3, PUBLIC)]
    assert share.select("a") == []


def test_it_costs_no_query_more_than_all_revealed(
    client: Client, over: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(at(over, 5))
    for end in ("", PUBLIC, *SEATS):
        with django_assert_num_queries(2):
            client.get(at(over, 5, end))


def test_it_escapes_names(client: Client, alice: Player) -> None:
    game = play_out(make_game(alice, bots=1))
    Seat.objects.filter(game=game, player=alice).update(name="<b>alice</b>")
    content = client.get(at(game, 3, end_of(game, alice))).content.decode()
    assert "<b>alice" not in content
    assert "&lt;b&gt;alice" in content

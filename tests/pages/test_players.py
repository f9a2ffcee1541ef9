"""The list of all players, and the way from it to a table."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games import play
from games.models import PageFor, Player, Tally
from tests.cast import AT, make_game, make_player, play_out
from tests.pages.helpers import signed_in, soup, text_of
from tests.plans import asks_sqlite, steps_of

pytestmark = pytest.mark.django_db


def names(client: Client, query: str = "") -> list[str]:
    return [link.get_text() for link in soup(client.get(f"/players/{query}")).select("tbody a.who")]


def test_it_lists_those_who_show_their_page_by_name(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    make_player("Bertram")
    hidden, met, gone = (make_player(name) for name in ("hidden", "met", "gone"))
    Player.objects.filter(pk=hidden.pk).update(page_for=PageFor.NOBODY)
    Player.objects.filter(pk=met.pk).update(page_for=PageFor.MET)
    play.close_account(gone, at=AT)
    Player.objects.create(username="beginner", email="beginner@example.com", date_joined=AT)
    assert names(client) == ["alice", "Bertram", "bob", "carol"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("b", ["Bertram", "bob"]),
        ("BO", ["bob"]),
        (" bob ", ["bob"]),
        ("ob", []),
        ("%", []),
        ("_", []),
        ("b_b", []),
        ("m\\", []),
        ("\u00e4", ["\u00c4gidius"]),
        ("\u00c4GI", ["\u00c4gidius"]),
        ("b\x00", ["Bertram", "bob"]),
        ("x" * 5000, []),
    ],
)
def test_it_finds_how_a_name_begins_in_any_case(
    client: Client, alice: Player, bob: Player, typed: str, found: list[str]
) -> None:
    make_player("Bertram")
    make_player("\u00c4gidius")
    page = client.get("/players/", {"name": typed})
    assert page.status_code == 200
    assert [link.get_text() for link in soup(page).select("tbody a.who")] == found
    assert ("No name begins so." in text_of(page)) is (not found)


def test_it_tells_games_that_are_over_and_whose_row_is_the_readers(alice: Player, bob: Player, carol: Player) -> None:
    play_out(make_game(alice, bob))
    rows = [row.get_text(" ", strip=True) for row in soup(signed_in(alice).get("/players/")).select("tbody tr")]
    assert rows == [
        "alice (you) answers in about 2 hours, suits every pace 1",
        "bob answers in about 2 hours, suits every pace 1",
        "carol 0",
    ]


def test_a_page_costs_the_same_queries_however_many_there_are(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: Any
) -> None:
    play_out(make_game(alice, bob))
    for number in range(120):
        Tally.objects.create(player=make_player(f"guest{number:03}"), size=3, with_computers=False, pace="", played=2)
    with django_assert_num_queries(1):
        client.get("/players/")


def test_its_pages_follow_each_other_both_ways(client: Client) -> None:
    everybody = [make_player(f"g&st{number:03}").username for number in range(120)]
    found, query = [], "?name=G%26"
    for links in (["next"], ["prev", "next"], ["prev"]):
        shown = names(client, query)
        found += shown
        way = {str(link["rel"]): str(link["href"]) for link in soup(client.get(f"/players/{query}")).select(".pager a")}
        assert list(way) == links
        query = way.get("next", way.get("prev", ""))
    assert found == everybody
    assert names(client, query) == everybody[50:100]
    [first] = [link for link in soup(client.get(f"/players/{query}")).select(".pager a") if link["rel"] == "prev"]
    assert names(client, str(first["href"])) == everybody[:50]
    for odd in ("?at=before-a", "?at=after-zzz", "?at=x", "?at=before-", "?at=after-%00", "?at=" + "x" * 5000):
        assert names(client, odd) == everybody[:50]


@asks_sqlite
def test_a_search_reads_a_part_of_the_index_of_names(client: Client, alice: Player) -> None:
    first, *_others = steps_of(lambda: client.get("/players/?name=al"))
    assert first == "SEARCH games_player USING INDEX player_username_any_case_unique (<expr>>? AND <expr><?)"
    assert steps_of(lambda: client.get("/players/?name=al"), of="ORDER BY") == []

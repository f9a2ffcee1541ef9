"""Black or white is a matter of looks: who wants the white clan gets it on all pages, and nobody else does."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games import rules, words
from games.models import Game, Player
from tests.cast import play_out
from tests.pages.helpers import soup, table_url, text_of

WHITE = {"white_clan": "on", "time_zone": "UTC"}


def html_tag(client: Client, url: str) -> str:
    """The language of a page, by which stylesheets know the color of the clan."""
    tag = soup(client.get(url)).select_one("html")
    assert tag
    return str(tag["lang"])


@pytest.mark.usefixtures("one_language")
def test_it_calls_the_fifth_clan_white_from_the_next_page_on(client: Client, alice: Player, mid: Game) -> None:
    client.force_login(alice)
    assert "black" in text_of(client.get(table_url(mid)))
    client.post("/preferences/", WHITE)
    for url in (table_url(mid), table_url(mid, "ply/3/"), "/rules/"):
        page = text_of(client.get(url))
        assert "white" in page
        assert "black" not in page
        assert html_tag(client, url) == "en-x-white"
    client.post("/preferences/", {"time_zone": "UTC"})
    assert "white" not in text_of(client.get(table_url(mid)))
    assert html_tag(client, table_url(mid)) == "en"


def test_it_changes_nothing_for_anybody_else(client: Client, alice: Player, bob: Player, mid: Game) -> None:
    client.force_login(bob)
    before = text_of(client.get(table_url(mid)))
    other = Client()
    other.force_login(alice)
    other.post("/preferences/", WHITE)
    assert "white" in text_of(other.get(table_url(mid)))
    assert text_of(client.get(table_url(mid))) == before
    assert "white" not in before


def test_it_knows_the_looks_of_whoever_signs_in(client: Client, alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(white_clan=True)
    for player, color in ((alice, "white"), (bob, "black")):
        client.force_login(player)
        client.get("/preferences/")
        assert color in text_of(client.get("/rules/"))


def test_it_asks_the_database_no_more_for_it(client: Client, alice: Player, mid: Game) -> None:
    client.force_login(alice)
    asked = []
    for white_clan in (False, True):
        Player.objects.filter(pk=alice.pk).update(white_clan=white_clan)
        client.get(table_url(mid))
        with CaptureQueriesContext(connection) as captured:
            client.get(table_url(mid))
        asked.append(len(captured))
    assert asked[0] == asked[1] > 0


def test_it_keeps_one_name_in_records_and_one_color_in_cookies(client: Client, alice: Player, game: Game) -> None:
    play_out(game)
    client.force_login(alice)
    client.post("/preferences/", WHITE)
    record = client.get(table_url(game, "record.json")).json()
    assert "white" not in str(record)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en-x-purple"
    assert client.get(table_url(game)).status_code == 200


def test_it_names_the_clan_by_what_its_reader_prefers() -> None:
    with words.speaking("en", white_clan=True):
        assert words.join_clans(rules.CLANS) == "red, blue, green, yellow and white"
        with words.speaking("en"):
            assert words.join_clans(rules.CLANS) == "red, blue, green, yellow and black"
        assert words.is_white()
    assert not words.is_white()


@pytest.mark.usefixtures("two_languages")
def test_it_does_so_beside_a_second_language() -> None:
    assert words.language_tag("de", white_clan=True) == "de-x-white"
    with words.speaking("de", white_clan=True):
        assert (translation.get_language(), words.name_clan("black")) == ("de", "white")

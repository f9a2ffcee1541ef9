"""Looking for games in the archive: what is found is what Python finds in the same games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db.models.expressions import Col
from django.http import QueryDict
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Player
from games.pages.lists.search import SearchForm, find_games
from tests.cast import AT, make_game, play_out, play_random
from tests.pages.helpers import soup, text_of
from tests.pages.searching import SEARCHES, TALK, archived, found, margin, sat, totals

__all__ = ["archived"]
pytestmark = pytest.mark.django_db
GIVEN = {"status", "is_public", "is_listed"}
"""What the condition of the index says of every game in it."""


def test_it_finds_what_fits_newest_first(client: Client, archived: list[Game]) -> None:
    public = [game for game in archived if game.is_public]
    assert any(len([game for game in public if fits(game)]) not in (0, len(public)) for fits in SEARCHES.values())
    for query, fits in SEARCHES.items():
        assert found(client, query) == [game.name for game in public if fits(game)], query


def test_each_field_is_searched_by(db: None) -> None:
    """A field without a condition would find all games; that of the map is there with a second map alone."""
    asked = {name for query in SEARCHES for name in QueryDict(query)}
    tested_elsewhere = {"position", "opening", "order"}
    assert {*SearchForm({}).fields} - asked == tested_elsewhere, "add a search to tests/pages/searching.py"


def test_each_column_that_is_searched_by_is_in_the_index_of_the_archive(db: None, archived: list[Game]) -> None:
    """Otherwise a search that finds nothing reads the row of every game."""
    [index] = [index for index in Game._meta.indexes if index.name == "game_archive"]
    for query in SEARCHES:
        form = SearchForm(QueryDict(query))
        assert form.is_valid()
        where = find_games(form.cleaned_data, viewer=None, mine=False).query.where
        missing = {*columns_of_games(where)} - {field.removeprefix("-") for field in index.fields} - GIVEN
        assert not missing, f"{query}: add {missing} to SEARCHED in games/models/game.py"


def columns_of_games(condition: Any) -> Iterator[str]:
    """The columns of games that a condition of a query is about."""
    if isinstance(condition, Col) and condition.target.model is Game:
        yield condition.target.name
    for inner in getattr(condition, "get_source_expressions", list)():
        yield from columns_of_games(inner)


def test_it_finds_games_by_link_for_who_sat_there_among_their_own_alone(
    client: Client, archived: list[Game], alice: Player, carol: Player
) -> None:
    [by_link] = [game.name for game in archived if not game.is_public]
    for viewer in (alice, carol):
        client.force_login(viewer)
        for query, fits in SEARCHES.items():
            if "talk" in query:  # in one's own games that is all talk
                continue
            mine = [game.name for game in archived if sat(viewer.username)(game) and fits(game)]
            assert found(client, f"mine=1&{query}") == mine, query
            assert by_link not in found(client, query)


def test_it_finds_all_talk_in_games_of_ones_own(client: Client, archived: list[Game], alice: Player) -> None:
    client.force_login(alice)
    mine = [game.name for game in archived if sat("alice")(game)]
    assert found(client, "mine=1&talk=yes") == [name for name in mine if name in TALK]
    assert found(client, "mine=1&talk=no") == [name for name in mine if name not in TALK]


@pytest.mark.parametrize("order", ["closest", "clearest", "points"])
def test_it_sorts_by_the_result_games_that_have_one(client: Client, archived: list[Game], order: str) -> None:
    value: Callable[[Game], int] = (lambda game: totals(game)[0]) if order == "points" else margin
    sorted_by = {game.name: value(game) for game in archived if game.is_public and game.end != "abandoned"}
    for query in ("", "&player=alice"):
        shown = [sorted_by[name] for name in found(client, f"order={order}{query}")]
        assert len({*shown}) > 2
        assert shown == sorted(shown, reverse=order != "closest")
    assert {*found(client, f"order={order}")} == {*sorted_by}
    says = "Abandoned games have no result: this order leaves them out."
    assert [says in text_of(client.get(f"/archive/?{query}")) for query in (f"order={order}", "order=longest")] == [
        True,
        False,
    ]


def test_it_sorts_by_moves(client: Client, archived: list[Game]) -> None:
    moves = {game.name: game.ply for game in archived if game.is_public}
    for order, is_reversed in (("longest", True), ("shortest", False)):
        assert [moves[name] for name in found(client, f"order={order}")] == sorted(moves.values(), reverse=is_reversed)
        of_alice = [moves[name] for name in found(client, f"order={order}&player=alice")]
        assert of_alice == sorted(of_alice, reverse=is_reversed) != []


def test_it_pages_through_what_it_has_found(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    fields = {field.name: getattr(game, field.attname) for field in Game._meta.fields if not field.is_relation}
    Game.objects.bulk_create(
        Game(**(fields | {"id": None, "key": "", "slug": f"copy{n}", "name": f"x{n}", "opener": alice, "ply": n % 7}))
        for n in range(45)
    )
    pages = ["/archive/?title=x&order=longest"]
    while onward := soup(client.get(pages[-1])).select_one("a[rel=next]"):
        pages.append(f"/archive/{onward['href']}")
    shown = [link.get_text() for page in pages for link in soup(client.get(page)).select(".table-name")]
    assert shown == sorted((f"x{n}" for n in range(45)), key=lambda name: (-(int(name[1:]) % 7), -int(name[1:])))
    back = soup(client.get(pages[2])).select_one("a[rel=prev]")
    assert back
    assert [link.get_text() for link in soup(client.get(f"/archive/{back['href']}")).select(".table-name")] == shown[
        20:40
    ]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("player=nobody", "Nobody here is called nobody."),
        ("player=alice nobody", "Nobody here is called nobody."),
        ("player=nobody, alice", "Nobody here is called nobody."),
        ("winner=somebody else", "Nobody here is called somebody else."),
        ("winner=alice alice2", "Nobody here is called alice2."),
        ("player=one, alice, two three, alice two", "Nobody here is called one, two three, two."),
        ("player=alice one two", "Nobody here is called one, two."),
        ("winner=alice, alice2", "Write one name."),
        ("player=a%00b", "Leave out the signs that cannot be seen."),
        ("size=5", "Choose one of these."),
        ("order=secret", "Choose one of these."),
        ("since=2026-02-31", "That is not a day of the calendar. Write it as 2026-12-31."),
        ("since=2026-03-01&until=2026-02-01", "That is before the first day."),
        ("since=27.11.2026", "That is not a day of the calendar. Write it as 2026-12-31."),
        ("until=01/02/2026", "That is not a day of the calendar. Write it as 2026-12-31."),
        ("since=0001-01-01", "Take a day of the years 2000 to 2999."),
        ("until=9999-12-31", "Take a day of the years 2000 to 2999."),
        ("moves_from=30&moves_to=20", "That is below the first number."),
        ("margin_from=-1", "At least 0."),
        ("total_to=many", "Write a whole number."),
        ("total_to=99999999999999999999", "At most 999."),
        ("title=" + "x" * 61, "At most 60 letters fit here, and these are 61."),
    ],
)
def test_it_says_what_it_cannot_look_for(client: Client, alice: Player, query: str, said: str) -> None:
    response = client.get(f"/archive/?{query}")
    assert response.status_code == (400 if said else 200)
    assert said in text_of(response)


def test_each_thing_that_is_asked_for_is_a_link_without_it(client: Client, alice: Player) -> None:
    page = soup(client.get("/archive/?player=alice&size=2&order=oldest"))
    assert [link["href"] for link in page.select(".asked")] == [
        "/archive/?size=2&order=oldest#results",
        "/archive/?player=alice&order=oldest#results",
        "/archive/?player=alice&size=2#results",
    ]
    [link] = soup(client.get("/archive/?size=2")).select(".asked")
    assert link["href"] == "/archive/"


def test_days_that_are_asked_for_are_written_as_elsewhere(client: Client) -> None:
    page = soup(client.get("/archive/?since=2026-03-02&until=2026-12-31"))
    assert [days.get_text() for days in page.select(".asked b")] == ["2\xa0March\xa02026", "31\xa0December\xa02026"]


def test_what_is_refused_is_not_shown_as_searched_by(client: Client, alice: Player) -> None:
    def asked(query: str) -> list[str]:
        return [span.get_text() for span in soup(client.get(f"/archive/?{query}")).select(".asked > span:first-child")]

    assert asked("player=nobody&size=2") == ["Seats: 2"]
    assert asked("winner=nobody&since=x") == []
    assert asked("player=alice") == ["Played by: alice"]
    assert asked("winner=alice,") == ["Won by: alice"]
    # It has no field in which it could be corrected.
    assert asked("position=x") == ["Position: x"]


def test_its_form_shows_the_fields_that_are_asked_for(client: Client) -> None:
    def opened(query: str) -> list[str]:
        groups = soup(client.get(f"/archive/?{query}")).select(".search form details[open] > summary")
        return [group.get_text() for group in groups]

    assert opened("size=3") == []
    assert opened("moves_from=20&talk=no&order=longest") == ["When, and how long", "Moves, table and talk"]
    form = soup(client.get("/archive/?size=3")).select(".search form [name]:not([type=hidden])")
    assert {field["name"] for field in form} == {*SearchForm({}).fields} - {"position"}


def test_each_group_of_fields_is_named_once_by_ear(client: Client) -> None:
    folded = soup(client.get("/archive/?margin_from=9")).select(".search form details")
    assert len(folded) > 1
    for group in folded:
        [summary], [fields] = group.select("summary"), group.select("fieldset")
        assert fields["aria-label"] == summary.get_text()
        assert not group.select("legend"), "read again right after the summary"


@pytest.mark.parametrize(
    ("title", "finds"), [("cAFé", 1), ("é 50%", 1), ("STRAßE no", 1), ("strae", 0), ("5_", 0), ("O\\W", 1), ("ow", 0)]
)
def test_a_title_is_found_by_a_part_in_capitals_or_small_letters(
    client: Client, archived: list[Game], title: str, finds: int
) -> None:
    game = next(game for game in archived if game.is_public)
    Game.objects.filter(pk=game.pk).update(name="Café 50% Straße no\\w")
    assert len(found(client, urlencode({"title": title}))) == finds


def test_it_says_first_what_is_wrong(client: Client) -> None:
    response = client.get("/archive/?margin_from=9&margin_to=1&position=nowhere")
    page, html = soup(response), response.content.decode()
    [errors] = page.select(".form-errors[autofocus]")
    assert errors.get_text(" ", strip=True).startswith("There was no search yet. Please correct: Position: ")
    assert [link["href"] for link in errors.select("a")] == ["#id_margin_to"]
    assert page.select_one("#id_margin_to")
    assert html.index("form-errors") < html.index('class="form form-wide"')
    assert [group.get_text() for group in page.select(".search form details[open] > summary")] == ["How it ended"]


def test_the_first_page_of_a_search_says_how_many_games_there_are(
    client: Client, archived: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(query: str) -> str:
        heading = soup(client.get(f"/archive/{query}")).select_one("h2#results[tabindex='-1']")
        return heading.get_text() if heading else ""

    three = len(found(client, "size=3"))
    assert said("?size=3") == f"{three} games"
    assert said("?title=Table 0") == "1 game"
    assert (said("?title=nowhere"), said("")) == ("", "")
    assert text_of(client.get("/archive/?title=nowhere"), "#results[tabindex='-1']").startswith("No finished game")
    assert not soup(client.get("/archive/?player=nobody&order=longest")).select("#results"), "what is wrong comes first"
    monkeypatch.setattr("games.pages.lists.archive.PAGE", 2)
    assert said("?size=3") == f"{three} games"
    after = soup(client.get("/archive/?size=3")).select_one("a[rel=next]")
    assert after
    assert str(after["href"]).endswith("#results")
    assert said(str(after["href"])) == "Games that fit"
    monkeypatch.setattr("games.pages.lists.paging.MOST_COUNTED", three - 1)
    assert said("?size=3") == f"More than {three - 1} games"


def test_it_keeps_what_was_asked_and_says_it(client: Client, alice: Player, bob: Player) -> None:
    page = soup(client.get("/archive/?player=alice+bob&size=2&order=oldest"))
    field = page.select_one("[name=player]")
    assert field
    assert field["value"] == "alice bob"
    assert [option["value"] for option in page.select(".search [selected]") if option["value"]] == ["2", "oldest"]
    assert [span.get_text() for span in page.select(".asked > span:first-child")] == [
        "Played by: alice bob",
        "Seats: 2",
        "Order: oldest first",
    ]
    assert "No finished game fits all of that." in page.get_text()


@pytest.mark.parametrize(
    ("sent", "short"),
    [
        ("?player=alice&winner=&clan=&size=2&order=", "?player=alice&size=2"),
        ("?player=+&title=&board=", ""),
        ("?mine=1&size=&size=3&end=&at=after-5", "?mine=1&size=3&at=after-5"),
        ("?size=&size=3&end=&at=after-5", "?size=3&at=after-5"),
        ("?player=no%26body,%20Zo%C3%AB&talk=", "?player=no%26body%2C+Zo%C3%AB"),
    ],
)
def test_the_address_of_a_search_has_what_is_asked_for_alone(client: Client, sent: str, short: str) -> None:
    response = client.get(f"/archive/{sent}")
    assert (response.status_code, response.headers.get("Location")) == (302, f"/archive/{short}")
    assert "mine" in short or client.get(f"/archive/{short}").status_code != 302


def test_it_tells_nothing_of_games_that_run(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), plies=10)
    assert not game.is_over
    play.write_postcard(game, player=alice, text="Your move", at=AT)
    Game.objects.filter(pk=game.pk).update(talk="open")
    asked = ("player=alice", "player=alice&clan=red", "winner=alice", "clan=red", "size=2", "computers=no", "talk=yes")
    for query in (*asked, "margin_to=999", "moves_to=999", "tie=no", "order=closest", "order=points&player=bob"):
        assert found(client, query) == []


def test_it_costs_the_same_queries_whatever_it_finds(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Player.objects.update(last_login=AT)
    for seed in range(2):
        play_out(make_game(alice, bob), seed=seed)
    with django_assert_num_queries(3):
        assert len(found(client, "size=2&computers=no")) == 2
    with django_assert_num_queries(4):
        assert len(found(client, "player=alice bob")) == 2


@pytest.mark.parametrize("query", ["", "player=alice&size=2", "player=nobody&since=x&until=2026-03-01&margin_to=-3"])
def test_each_of_its_fields_is_as_django_draws_it(client: Client, archived: list[Game], query: str) -> None:
    """Whether it is cached or not."""
    search = SearchForm(QueryDict(query))
    search.is_valid()
    search.refuse_nobody()
    page = client.get(f"/archive/?{query}").content.decode()
    assert [field.name for field in search.visible_fields() if str(field.as_field_group()) not in page] == []

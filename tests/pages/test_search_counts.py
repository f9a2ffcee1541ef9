"""The counts beside the choices of a search: as many as that choice alone finds, from the last count of the archive."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Player, Seat
from tests.cast import AT, make_game, play_out, play_random
from tests.pages.helpers import soup, text_of
from tests.pages.searching import archived, found

__all__ = ["archived"]
pytestmark = pytest.mark.django_db

COUNT = re.compile(r".* \((?P<games>[\d,]+)\)")
COUNTED = {"clan", "size", "computers", "end", "five_clans", "pace", "tie", "talk"}
SAYS = "They are counted every few hours."


def counts(client: Client, query: str = "") -> dict[str, dict[str, int]]:
    """What the form says beside its choices, by field and choice."""
    shown: dict[str, dict[str, int]] = {}
    for option in soup(client.get(f"/archive/?{query}")).select("form.form-wide option[value]"):
        if match := COUNT.fullmatch(option.get_text()):
            field = option.find_parent("select")
            assert field
            shown.setdefault(str(field["name"]), {})[str(option["value"])] = int(match["games"].replace(",", ""))
    return shown


def test_it_says_how_many_games_each_choice_finds(client: Client, archived: list[Game]) -> None:
    play.count_archive(at=AT)
    shown = counts(client)
    assert {*shown} == COUNTED
    for field, choices in shown.items():
        assert {*choices.values()} > {0} or min(choices.values()) > 0
        for choice, games in choices.items():
            assert len(found(client, f"{field}={choice}")) == games, (field, choice)
    assert SAYS in text_of(client.get("/archive/"))


def test_it_says_so_whatever_else_is_asked(client: Client, archived: list[Game]) -> None:
    play.count_archive(at=AT)
    page = soup(client.get("/archive/?size=2&clan=red"))
    assert counts(client, "size=2&clan=red") == counts(client)
    assert [span.get_text() for span in page.select(".asked > span:first-child")] == ["Winner’s clan: red", "Seats: 2"]


def test_it_says_nothing_before_anything_was_counted_and_nothing_of_ones_own_games(
    client: Client, archived: list[Game], alice: Player
) -> None:
    assert counts(client) == {}
    assert SAYS not in text_of(client.get("/archive/"))
    play.count_archive(at=AT)
    client.force_login(alice)
    assert counts(client, "mine=1") == counts(client, "mine=1&size=2") == {}
    assert counts(client) != {}


def test_it_tells_nothing_of_games_that_run_and_of_those_by_link(
    client: Client, archived: list[Game], alice: Player, bob: Player
) -> None:
    play.count_archive(at=AT)
    before = counts(client)
    running = play_random(make_game(alice, bob), plies=30)
    play_out(make_game(alice, bob, is_public=False))
    for clan in Seat.Clan.values:
        running.seats.filter(number=0).exclude(game__seats__clan=clan).update(clan=clan)
        play.count_archive(at=AT)
        assert counts(client) == before


def test_it_costs_one_query(
    client: Client, archived: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play.count_archive(at=AT)
    for query in ("", "size=2"):
        with django_assert_num_queries(3):
            assert counts(client, query) != {}

"""Looking for games whose players have names here, but no account: those that were imported."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.importing import FileLine, import_records
from games.models import Game, Player
from tests.cast import AT
from tests.pages.helpers import soup, text_of
from tests.pages.searching import archived, found

__all__ = ["archived"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def imported(archived: list[Game]) -> list[Game]:
    """Games of people who have no account here: Zoë Müller against alice, Li, a computer player and both."""
    names = [("Zoë Müller", "alice"), ("Li", "zoë müller"), ("Li", "computer 1", "Zoë Müller"), ("Li", "alice")]
    lines = []
    for number, players in enumerate(names):
        record = rules.simulate(len(players) - 2 + 3 * number, seed=5)
        assert len(record["players"]) == len(players)
        for player, name in zip(record["players"], players, strict=True):
            player["name"] = name
        lines.append(FileLine(number, json.dumps(record | {"name": f"Imported {number}"}).encode()))
    assert [each.outcome for each in import_records(lines, at=AT)] == ["imported"] * len(names)
    return list(Game.objects.filter(name__startswith="Imported").order_by("name"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("player=zoë müller", "0 1 2"),
        ("player=Zoë Müller, Li", "1 2"),
        ("player=li,COMPUTER 1", "2"),
        ("player=Li&order=oldest&size=2", "1 3"),
    ],
)
def test_it_finds_imported_games_by_their_names(
    client: Client, imported: list[Game], query: str, expected: str
) -> None:
    games = {name.removeprefix("Imported ") for name in found(client, query)}
    assert games == {*expected.split()}


def test_it_finds_who_won_imported_games(client: Client, imported: list[Game]) -> None:
    for name in ("Zoë Müller", "Li"):
        won = [
            game.name for game in imported for seat in game.seats.filter(rank=1) if seat.name.lower() == name.lower()
        ]
        assert sorted(found(client, f"winner={name}")) == sorted(won)


def test_a_name_with_an_account_leads_to_that_alone(client: Client, imported: list[Game]) -> None:
    """Whoever is called so elsewhere is somebody else."""
    assert not [name for name in found(client, "player=alice") if name.startswith("Imported")]


def test_a_name_is_no_way_round_a_closed_account(client: Client, archived: list[Game], carol: Player) -> None:
    assert found(client, "player=carol")
    play.close_account(carol, at=AT)
    assert "Nobody here is called carol." in text_of(client.get("/archive/?player=carol"))


def test_it_does_not_tell_who_sat_at_a_table_by_link(client: Client, imported: list[Game], alice: Player) -> None:
    Game.objects.filter(name__startswith="Imported").update(is_public=False)
    for path in ("/archive/?player=Li", "/archive/?winner=Zoë Müller", "/archive/?player=Nobody at all"):
        response = client.get(path)
        assert response.status_code == 400
        assert "Nobody here is called" in text_of(response)


def test_names_without_account_cost_one_query_more_and_another_where_nothing_is_found(
    client: Client, imported: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/archive/?size=2")
    with django_assert_num_queries(4):
        assert found(client, "player=Li, Zoë Müller, computer 1") == ["Imported 2"]
    with django_assert_num_queries(5):
        assert found(client, "player=Li, Zoë Müller, computer 1&size=2") == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("player=alice (imported)", "0 3"),
        ("player=ALICE (Imported), Li", "3"),
        ("player=Li (imported), zoë müller (imported)", "1 2"),
        ("player=alice (imported), bob", ""),
    ],
)
def test_it_finds_who_is_called_as_an_account(client: Client, imported: list[Game], query: str, expected: str) -> None:
    games = found(client, query)
    assert {name.removeprefix("Imported ") for name in games} == {*expected.split()}


def test_it_finds_who_won_and_is_called_as_an_account(client: Client, imported: list[Game]) -> None:
    won = [game.name for game in imported if game.seats.filter(rank=1, name="alice").exists()]
    assert sorted(found(client, "winner=alice (imported)")) == won
    assert not {*won} & {*found(client, "winner=alice")}


def test_a_search_for_a_player_leads_to_who_is_called_so_in_imported_games(
    client: Client, imported: list[Game], alice: Player
) -> None:
    def namesakes(query: str) -> dict[str, str]:
        offered = soup(client.get(f"/archive/?{query}")).select(".search.more a")
        return {
            link.get_text(): str(link["href"]) for link in offered if link.get_text().endswith(" in imported games")
        }

    others = namesakes("player=alice, bob&size=2&winner=alice")
    assert [*others] == ["alice in imported games"]
    found_by = parse_qs(urlsplit(others["alice in imported games"]).query)
    assert found_by == {"player": ["alice, bob"], "size": ["2"], "winner": ["alice (imported)"]}
    [query] = namesakes("player=alice&order=oldest").values()
    assert sorted(found(client, urlsplit(query).query)) == ["Imported 0", "Imported 3"]
    assert namesakes("player=bob") == namesakes("player=alice (imported)") == {}
    client.force_login(alice)
    assert namesakes("mine=1&player=alice") == {}
    Game.objects.filter(name__startswith="Imported").update(is_public=False)
    assert namesakes("player=alice") == {}


@pytest.mark.parametrize("name", ["bob", "nobody", "computer 1"])
def test_it_says_that_nobody_is_called_so_in_imported_games(client: Client, imported: list[Game], name: str) -> None:
    response = client.get(f"/archive/?player=alice, bob, {name} (imported)")
    assert response.status_code == 400
    assert f"Nobody here is called {name} (imported)." in text_of(response)


def test_names_at_imported_games_lead_to_the_games_of_who_is_called_so(client: Client, imported: list[Game]) -> None:
    game = imported[0]
    for page in (f"/tables/{game.slug}/", f"/tables/{game.slug}/ply/3/", "/archive/?title=Imported 0"):
        shown = {link.get_text(): str(link["href"]) for link in soup(client.get(page)).select("a.who")}
        assert {*shown} == {"Zoë Müller", "alice"}
        assert sorted(found(client, shown["alice"].partition("?")[2])) == ["Imported 0", "Imported 3"]
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert soup(client.get(f"/tables/{game.slug}/")).select("a.who") == []


def test_a_name_with_a_comma_leads_nowhere(client: Client, imported: list[Game]) -> None:
    imported[0].seats.filter(name="alice").update(name="Liddell, Alice")
    shown = soup(client.get(f"/tables/{imported[0].slug}/")).select("a.who")
    assert {link.get_text() for link in shown} == {"Zoë Müller"}


def test_whoever_is_asked_for_no_search_takes_more_than_eight_queries(
    client: Client, imported: list[Game], alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Player.objects.update(last_login=AT)
    play.rename_player(bob, "robert", at=AT)
    client.force_login(alice)
    client.get("/archive/?size=2")
    place = f"position={imported[2].slug}-3"
    winner = imported[2].seats.filter(rank=1)[0].name
    with django_assert_num_queries(7):
        assert found(client, f"player=Li, Zoë Müller&winner={winner}&{place}") == ["Imported 2"]
    with django_assert_num_queries(8):
        assert found(client, f"player=alice, bob, Li&winner=alice (imported)&{place}") == []

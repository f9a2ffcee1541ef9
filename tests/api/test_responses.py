"""What all answers of the API have in common: tokens, limits, caching, errors, costs."""

from __future__ import annotations

import json
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from games import play
from games.limits import API_BY_TOKEN, API_WITHOUT_TOKEN
from games.models import ApiToken, Game, PageFor, Player
from tests.api.helpers import API, PROBLEM, call, read, refuse, token_of
from tests.cast import AT, make_game, make_player, play_out, play_random
from tests.made_once import scene
from tests.pages.helpers import soup

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(alice: Player, bob: Player, carol: Player) -> Game:
    return scene("finished", lambda: play_out(make_game(alice, bob, carol), seed=5))


# --- Tokens ----------------------------------------------------------------------------------------


def test_a_token_counts_until_it_is_revoked(alice: Player) -> None:
    token = token_of(alice)
    assert read("running?mine=true", token=token)["games"] == []
    assert play.revoke_api_token(alice, ApiToken.objects.get().pk)
    response = call("running?mine=true", token=token)
    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")


def test_the_database_cannot_tell_a_token(alice: Player) -> None:
    token = token_of(alice)
    assert not [value for row in ApiToken.objects.values() for value in row.values() if token[6:] in str(value)]


def test_nobody_revokes_the_token_of_another(alice: Player, bob: Player) -> None:
    token = token_of(alice)
    assert not play.revoke_api_token(bob, ApiToken.objects.get().pk)
    assert read("running?mine=true", token=token)["games"] == []


def test_there_are_at_most_five(alice: Player) -> None:
    for _ in range(5):
        token_of(alice)
    with pytest.raises(play.ApiTokensFull):
        token_of(alice)


def test_a_closed_account_has_none(alice: Player) -> None:
    token = token_of(alice)
    play.close_account(alice, at=AT)
    assert call("games", token=token).status_code == 401
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer wrong", "Basic YWxpY2U6eA==", "\xff", "Bearer a b"])
def test_a_wrong_token_is_refused_also_where_none_is_needed(header: str) -> None:
    response = call("games", Authorization=header)
    assert (response.status_code, response["Content-Type"]) == (401, PROBLEM)


def test_a_session_counts_for_nothing(client: Client, alice: Player, game: Game) -> None:
    """Else a page of another site could read in somebody's name, and caches would mix what two people get."""
    client.force_login(alice)
    response = client.get(f"{API}games/{game.slug}")
    assert response.content == call(f"games/{game.slug}").content
    assert "Cookie" not in response["Vary"]
    assert client.get(f"{API}running?mine=true").status_code == 401


# --- Limits ----------------------------------------------------------------------------------------


def test_too_many_calls_are_told_when_to_come_back(alice: Player) -> None:
    token = token_of(alice)
    with time_machine.travel(AT, tick=False) as traveller:
        amount = API_WITHOUT_TOKEN.rates[0].amount
        assert {call("players/alice").status_code for _ in range(amount)} == {200}
        refuse("players/alice", 429)
        refuse("players/alice", 429, token="wrong")
        assert read("players/alice", token=token)
        response = call("players/alice")
        assert 0 < int(response["Retry-After"]) <= 60
        traveller.shift(int(response["Retry-After"]))
        assert read("players/alice")


def test_all_tokens_of_a_player_are_counted_together(alice: Player, bob: Player) -> None:
    tokens = [token_of(alice), token_of(alice)]
    with time_machine.travel(AT, tick=False):
        amount = API_BY_TOKEN.rates[0].amount
        assert {call("players/bob", token=tokens[number % 2]).status_code for number in range(amount)} == {200}
        for token in tokens:
            refuse("players/bob", 429, token=token)
        assert read("players/alice", token=token_of(bob))


# --- Caching ---------------------------------------------------------------------------------------


def test_who_has_an_answer_gets_304(game: Game, alice: Player) -> None:
    for path, token in ((f"games/{game.slug}", ""), (f"games/{game.slug}", token_of(alice)), ("games", "")):
        first = call(path, token=token)
        again = call(path, token=token, **{"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert again["Vary"] == first["Vary"]
    before = call(f"games/{game.slug}")["ETag"]
    play_random(game, 1)
    assert call(f"games/{game.slug}", **{"If-None-Match": before}).status_code == 200


def test_caches_mix_no_callers(game: Game, finished: Game, alice: Player) -> None:
    token = token_of(alice)
    told = {
        (path, bool(asked)): call(path, token=asked)["Cache-Control"]
        for path in (f"games/{game.slug}", f"games/{finished.slug}", f"games/{finished.slug}/plies/3", "games")
        for asked in ("", token)
    }
    assert told == {
        (f"games/{game.slug}", False): "no-cache",
        (f"games/{game.slug}", True): "private, no-cache",
        (f"games/{finished.slug}", False): "max-age=86400",
        (f"games/{finished.slug}", True): "private, max-age=86400",
        (f"games/{finished.slug}/plies/3", False): "max-age=86400",
        (f"games/{finished.slug}/plies/3", True): "private, max-age=86400",
        ("games", False): "no-cache",
        ("games", True): "private, no-cache",
    }
    assert "Authorization" in call(f"games/{finished.slug}")["Vary"]
    assert call("games/unknown")["Cache-Control"] == "no-store"


# --- Errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["nothing", "games/", "games/a/b/c", "games/x/plies/-1", "games/x/plies/one", "games/%00"]
)
def test_what_is_not_there_is_a_problem(path: str, db: None) -> None:
    refuse(path, 404)


@pytest.mark.parametrize("path", ["", "openapi.json", "games", "nothing"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_is_there_for_other_methods(path: str, method: str) -> None:
    response = call(path, method=method)
    assert (response.status_code, response["Content-Type"], response["Allow"]) == (405, PROBLEM, "GET, HEAD")


@pytest.mark.parametrize("path", ["", "openapi.json", "games", "running"])
def test_head_answers_what_get_does(path: str) -> None:
    got, head = call(path), call(path, method="HEAD")
    assert (head.status_code, head.content, head.get("ETag")) == (200, b"", got.get("ETag"))


def test_a_request_that_cannot_be_read_is_a_problem() -> None:
    response = Client().get(f"{API}games", headers={"Host": "elsewhere.example"})
    assert (response.status_code, response["Content-Type"]) == (400, PROBLEM)


def test_a_fault_of_ours_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("a secret of the machine")

    monkeypatch.setattr("games.api.operations.page_in", fail)
    response = Client(raise_request_exception=False).get(f"{API}games")
    assert (response.status_code, response["Content-Type"]) == (500, PROBLEM)
    assert b"secret" not in response.content


# --- Players ---------------------------------------------------------------------------------------


def test_a_player_is_what_their_page_shows_to_everybody(finished: Game, alice: Player) -> None:
    shown = read("players/ALICE")
    mine = finished.seats.get(player=alice)
    assert shown["name"] == "alice"
    assert shown["results"] == [
        {"size": 3, "computers": False, "played": 1, "won": int(mine.rank == 1), "points": mine.total}
    ]
    assert shown["rating"] is None
    assert shown["answers"]["answers"] == finished.moves.filter(seat=mine.number or 0).count()
    assert shown["answers"]["median"] == pytest.approx(3 * 3600, rel=0.2)


@pytest.mark.parametrize("page_for", [PageFor.MET, PageFor.NOBODY])
def test_a_player_who_hides_is_nobody(finished: Game, bob: Player, page_for: str) -> None:
    Player.objects.filter(username="alice").update(page_for=page_for)
    for token in ("", token_of(bob)):
        assert call("players/alice", token=token).content == call("players/nobody", token=token).content
        refuse("players/alice", 404, token=token)


def test_a_former_name_leads_on(alice: Player) -> None:
    play.rename_player(alice, "Ysolde", at=AT)
    Player.objects.filter(pk=alice.pk).update(last_login=AT)
    assert read("players/alice")["name"] == "Ysolde"


# --- Statistics ------------------------------------------------------------------------------------


def test_statistics_are_what_their_page_shows(finished: Game, client: Client) -> None:
    assert read("statistics") == {"players": "all", "counted_at": None, "games": 0, "sections": []}
    play.count_archive(at=AT)
    for players in ("all", "people"):
        shown = read(f"statistics?players={players}")
        assert (shown["players"], shown["games"]) == (players, 1)
        page = soup(client.get("/archive/statistics/", {"players": players}))
        assert [section["title"] for section in shown["sections"]] == [
            heading.get_text(strip=True) for heading in page.select("section:has(svg) h2")
        ]
        [places] = [section for section in shown["sections"] if section["key"] == "places"]
        assert sum(row["value"] for row in places["rows"]) == finished.seats.filter(rank=1).count()
    refuse("statistics?players=nobody", 422)


# --- Costs -----------------------------------------------------------------------------------------


def test_no_answer_takes_more_than_eight_queries(
    game: Game, finished: Game, alice: Player, django_assert_max_num_queries: Any
) -> None:
    Player.objects.update(last_login=AT)
    for _ in range(3):
        make_game(alice, make_player(f"p{Player.objects.count()}"))
    play_random(game, 5)
    play.resign(game, player=Player.objects.get(username="bob"), at=AT)
    token, slug = token_of(alice), finished.slug
    position = read(f"games/{slug}/plies/4")["position"]
    paths = [
        "games",
        "games?limit=1&mine=true",
        f"games?player=alice,bob,carol&winner=alice&position={slug}-4&limit=1",
        "running?limit=1",
        "running?mine=true&limit=1",
        f"games/{game.slug}",
        f"games/{slug}",
        f"games/{slug}/plies/4",
        f"positions/{position}/games",
        "players/alice",
        "statistics",
    ]
    for path in paths:
        with django_assert_max_num_queries(8):
            read(path, token=token)


def test_the_description_and_its_page_ask_nothing(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        described = json.loads(client.get(f"{API}openapi.json").content)
        page = client.get(API)
    assert described["openapi"].startswith("3.1")
    for path, operations in described["paths"].items():
        assert path in page.content.decode()
        for parameter in operations["get"]["parameters"]:
            assert f"<code>{parameter['name']}</code>" in page.content.decode()


def test_programs_made_from_the_description_call_this_site(client: Client, settings: Settings) -> None:
    described = json.loads(client.get(f"{API}openapi.json").content)
    assert described["servers"] == [{"url": settings.SITE_URL}]
    assert all(path.startswith(API) for path in described["paths"])


def test_the_page_says_what_parameters_may_be_and_what_counts_without_them(client: Client) -> None:
    page = soup(client.get(API))
    rows = {
        row.select("th")[0].get_text(): row.select("td")[1].get_text()
        for row in page.select('[aria-labelledby="games"] tbody tr')
    }
    assert rows["limit"] == "Games on a page. 1 to 100; 20 if not given."
    assert rows["margin_from"].endswith("0 to 999.")
    assert rows["title"].endswith("At most 60 letters.")
    assert rows["mine"].endswith("false if not given.")
    [players] = [row.get_text() for row in page.select('[aria-labelledby="statistics"] tbody tr')]
    assert "all if not given." in players


def test_the_page_says_what_each_parameter_field_and_answer_means(client: Client) -> None:
    page = soup(client.get(API))
    rows = [[cell.get_text(strip=True) for cell in row.select("th, td")] for row in page.select("tbody tr")]
    assert len(rows) > 150
    assert [name for name, _kind, meaning in rows if not meaning] == []
    assert [head.get_text() for head in page.select("h3 + p") if not head.get_text(strip=True)] == []


def test_the_page_begins_with_where_its_parts_are(client: Client) -> None:
    page = soup(client.get(API))
    leads_to = [str(link["href"]) for link in page.select("nav[aria-labelledby=contents] a")]
    parts = page.select(".section > h2, .section > h3")
    assert sorted(leads_to) == sorted(f"#{part['id']}" for part in parts)


def test_the_page_describes_records_and_calls_with_a_token(client: Client, finished: Game) -> None:
    page = soup(client.get(API))
    told = {code.get_text() for code in page.select('[aria-labelledby="record"] th code')}
    assert {*read(f"games/{finished.slug}")["record"]} <= told
    assert told - {*read(f"games/{finished.slug}")["record"]} == {"takeovers"}
    assert "Authorization: Bearer $TOKEN" in page.get_text()
    assert "api/v1/running?mine=true" in page.get_text()


@pytest.mark.parametrize("address", ["/archive/statistics/", "/archive/download/", "/preferences/feeds/"])
def test_its_page_is_linked(client: Client, alice: Player, address: str) -> None:
    client.force_login(alice)
    assert soup(client.get(address)).select_one(f'#main a[href="{API}"]')

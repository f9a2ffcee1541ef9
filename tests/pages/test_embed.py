"""A ply of a finished game in a frame of another site: who gets it, what it shows, and that it knows nobody."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.test import Client

from games import play
from games.models import Game, Player
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.pages.helpers import links, soup, soup_of, table_url, text_of


def test_other_sites_may_frame_it_and_nothing_else(client: Client, over: Game) -> None:
    for page in ("embed/", "ply/5/embed/"):
        response = client.get(table_url(over, page))
        assert response.status_code == 200
        assert "X-Frame-Options" not in response
        policy = dict(part.partition(" ")[::2] for part in response["Content-Security-Policy"].split("; "))
        assert policy["frame-ancestors"] == "*"
        assert (policy["default-src"], policy["form-action"], policy["base-uri"]) == ("'none'",) * 3
        assert "script-src" not in policy
    for page in ("", "ply/5/", "deal/", "ply/99/embed/"):
        response = client.get(table_url(over, page))
        assert response["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


def test_it_needs_no_script_and_offers_no_form(client: Client, over: Game) -> None:
    page = soup(client.get(table_url(over, "embed/")))
    assert page.select("script, form, [style], style") == []


def test_it_shows_the_move_and_who_played(client: Client, over: Game) -> None:
    page = client.get(table_url(over, "ply/5/embed/"))
    told = text_of(client.get(table_url(over, "ply/5/")), "#ply")
    assert told
    assert text_of(page, "main h2") == told
    assert text_of(page, "h1") == over.name
    assert "Move 5 of" in text_of(page, ".plies")
    first, second, third = over.seats.order_by("number").values_list("name", flat=True)
    assert f"With {first}, {second} and {third}." in text_of(page, "main")
    assert not soup(page).select("table")
    assert "Before the first move." in text_of(client.get(table_url(over, "ply/0/embed/")))


def test_it_shows_who_won_with_the_last_move_alone(client: Client, over: Game) -> None:
    page = client.get(table_url(over, "embed/"))
    rows = [[cell.get_text(" ", strip=True) for cell in row.select("th, td")] for row in soup(page).select("tbody tr")]
    best_first = over.seats.order_by("rank", "number")
    assert rows == [[seat.name, seat.clan, str(seat.total)] for seat in best_first]
    assert len(soup(page).select("tbody th .seal-mark")) == len(rows)
    assert f"Move {over.ply} of {over.ply}" in text_of(page, ".plies")


def test_who_searches_finds_the_replay_and_not_the_frame(client: Client, over: Game) -> None:
    head = soup(client.get(table_url(over, "ply/5/embed/"))).select_one("head")
    assert head is not None
    assert [link["href"] for link in head.select("link[rel=canonical]")] == [
        settings.SITE_URL + table_url(over, "ply/5/")
    ]
    assert head.select("meta[name=robots][content=noindex]")


def test_its_links_step_inside_the_frame_and_lead_out_of_it(client: Client, over: Game) -> None:
    page = client.get(table_url(over, "ply/5/embed/"))
    places = ("0/embed/#ply-next", "4/embed/#ply-back", "6/embed/#ply-next", f"{over.ply}/embed/#ply-back")
    steps = [table_url(over, f"ply/{place}") for place in places]
    assert links(page, ".plies") == steps
    assert [client.get(step).status_code for step in steps] == [200] * 4
    assert links(client.get(table_url(over, "embed/")), ".plies") == [
        table_url(over, f"ply/{place}") for place in ("0/embed/#ply-next", f"{over.ply - 1}/embed/#ply-back")
    ]
    out = soup(page).select("a[target]")
    assert {(link["href"], link["target"], link["rel"].split()[0]) for link in out} == {
        (table_url(over, "ply/5/"), "_blank", "noopener")
    }
    assert len(soup(page).select("a")) == len(steps) + len(out)


def test_it_is_the_same_whoever_looks(client: Client, over: Game, alice: Player) -> None:
    """Nothing of it depends on a cookie, and it sets none."""
    address = table_url(over, "ply/5/embed/")
    first = client.get(address)
    client.force_login(alice)
    Player.objects.filter(pk=alice.pk).update(white_clan=True, time_zone="Asia/Tokyo")
    # Pages set the cookie of the language for her.
    client.get("/")
    client.cookies[settings.THEME_COOKIE_NAME] = "night"
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "en-x-white"
    again = client.get(address)
    assert again.content == first.content
    kept = ("ETag", "Cache-Control", "Vary", "Content-Language")
    assert [again[name] for name in kept] == [first[name] for name in kept]
    assert "Cookie" not in first["Vary"]
    assert not first.cookies
    assert not again.cookies
    assert first["Cache-Control"] == "public, max-age=86400"
    unchanged = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert "X-Frame-Options" not in unchanged
    assert unchanged["Content-Security-Policy"] == first["Content-Security-Policy"]


def test_it_asks_for_no_session_and_no_player(
    client: Client, over: Game, alice: Player, django_assert_max_num_queries: Any
) -> None:
    client.force_login(alice)
    address = table_url(over, "ply/5/embed/")
    client.get(address)
    with django_assert_max_num_queries(4) as asked:
        client.get(address)
    assert [query["sql"] for query in asked if "session" in query["sql"] or "is_superuser" in query["sql"]] == []


def test_a_game_that_runs_has_none(client: Client, alice: Player, game: Game) -> None:
    play_random(game, 5)
    client.force_login(alice)
    unknown = client.get("/tables/unknown/embed/")
    assert unknown.status_code == 404
    for table in (game, make_table(alice)):
        for page in ("embed/", "ply/2/embed/", "ply/99/embed/"):
            refused = client.get(table_url(table, page))
            assert refused.status_code == 404
            assert text_of(refused) == text_of(unknown)
        assert soup(client.get(table_url(table, "ply/2/"))).select("#embed, #share") == []


def test_there_is_none_beyond_the_last_move(client: Client, over: Game) -> None:
    assert client.get(table_url(over, f"ply/{over.ply}/embed/")).status_code == 200
    assert client.get(table_url(over, f"ply/{over.ply + 1}/embed/")).status_code == 404


def test_that_of_a_table_by_link_is_as_open_as_its_replay_and_offered_by_its_players(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    hidden = play_out(make_game(alice, bob, is_public=False))
    response = client.get(table_url(hidden, "embed/"))
    assert response.status_code == client.get(table_url(hidden, "ply/0/")).status_code == 200
    assert response["Cache-Control"] == "private, max-age=86400"
    assert soup(response).select('meta[name="robots"][content~="noindex"]')
    client.force_login(mallory)
    assert soup(client.get(table_url(hidden, "ply/2/"))).select("#share") == []
    client.force_login(bob)
    assert soup(client.get(table_url(hidden, "ply/2/"))).select("#share")


def test_the_replay_has_the_markup_to_copy(client: Client, over: Game) -> None:
    Game.objects.filter(pk=over.pk).update(name='"Sea" & <land>')
    page = soup(client.get(table_url(over, "ply/5/")))
    [field] = page.select("input#embed[readonly]")
    [frame] = soup_of(str(field["value"])).select("iframe")
    assert frame["src"] == settings.SITE_URL + table_url(over, "ply/5/embed/")
    assert frame["title"] == '"Sea" & <land>, a game of Clans'
    assert page.select('button[data-copy="#embed"]')
    assert any("site" in str(script["src"]) for script in page.select("script[src]"))
    assert soup(client.get(table_url(over, "ply/5/public/"))).select("#embed") == []


def test_it_names_nobody_who_has_closed_the_account(client: Client, over: Game, alice: Player) -> None:
    before = client.get(table_url(over, "embed/"))
    assert "alice" in text_of(before)
    play.close_account(alice, at=AT)
    after = client.get(table_url(over, "embed/"))
    assert "alice" not in after.content.decode()
    assert after["ETag"] != before["ETag"]


def test_that_of_an_abandoned_game_says_that_nobody_wins(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), 9)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    page = client.get(table_url(game, "embed/"))
    assert "Nobody wins." in text_of(page, "caption")
    assert soup(page).select(".has-won") == []

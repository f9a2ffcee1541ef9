"""How a page that waits polls its table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Player
from games.pages.table.poll import poll_url, version_of
from games.pov import look
from tests.cast import AT, make_game, make_table
from tests.pages.helpers import play_next, seat_of, soup, table_url, to_move


def poll(client: Client, game: Game, player: Player | None = None, *, known: str = "") -> Any:
    """The answer to a page of `player` that knows the answer `known` already."""
    return client.get(poll_url(game.slug, player), headers={"If-None-Match": known} if known else {})


def knows_nothing_new(client: Client, game: Game, known: str) -> bool:
    return bool(poll(client, game, known=known).status_code == 304)


def test_it_tells_how_far_the_table_is_and_how_many_wait(client: Client, game: Game) -> None:
    player = to_move(game)
    make_game(player, bots=1)
    response = poll(client, game, player)
    assert response.json() == {
        "version": version_of(look(game, viewer=None)),
        "ply": 0,
        "status": "running",
        "waiting": Game.objects.awaiting(player).count(),
    }
    assert response["Cache-Control"] == "private, no-cache"
    assert not response.cookies


def test_it_says_nothing_while_nothing_has_changed(client: Client, game: Game, alice: Player) -> None:
    etag = poll(client, game, alice)["ETag"]
    for known in (etag, f"W/{etag}"):
        response = poll(client, game, alice, known=known)
        assert (response.status_code, response.content, response["ETag"]) == (304, b"", etag)
    assert poll(client, game, alice, known='"another"').status_code == 200


def test_it_says_so_early_and_as_safely_as_the_view(
    client: Client, game: Game, alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(alice)
    late = poll(client, game, alice)
    with django_assert_num_queries(1):
        early = poll(client, game, alice, known=late["ETag"])
    assert not early.has_header("Content-Language")
    assert (early.status_code, early.content) == (304, b"")
    for name in ("ETag", "Cache-Control", "X-Content-Type-Options", "Referrer-Policy"):
        assert early[name] == late[name]
    known = {"If-None-Match": late["ETag"], "Host": "evil.example.com"}
    assert client.get(poll_url(game.slug, alice), headers=known).status_code == 400


def test_it_says_nothing_in_the_clear_where_the_site_speaks_https(game: Game, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    client = Client()
    etag = client.get(poll_url(game.slug, None), secure=True)["ETag"]
    for secure, status in ((True, 304), (False, 301)):
        known = {"If-None-Match": etag}
        assert client.get(poll_url(game.slug, None), headers=known, secure=secure).status_code == status


@pytest.mark.parametrize("signed_in", [True, False])
def test_it_looks_up_neither_session_nor_player(
    client: Client, game: Game, alice: Player, signed_in: bool, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(alice)
    poll(client, game, alice)
    with django_assert_num_queries(1) as asked:
        poll(client, game, alice if signed_in else None)
    assert not any("session" in query["sql"] for query in asked.captured_queries)


def test_it_shows_a_move_of_somebody_else(client: Client, game: Game) -> None:
    known = poll(client, game)["ETag"]
    play_next(game)
    response = poll(client, game, known=known)
    assert (response.status_code, response.json()["ply"]) == (200, 1)


def test_it_shows_who_comes_and_goes_and_the_start(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    table = make_table(alice)
    known = [poll(client, table)["ETag"]]
    for name, player in (("join", bob), ("leave", bob), ("join", carol)):
        client.force_login(player)
        client.post(table_url(table, f"{name}/"))
        known.append(poll(client, table)["ETag"])
    assert known[0] == known[2]
    assert len(set(known)) == 3
    play.join_table(table, player=bob, at=AT)
    response = poll(client, table, known=known[-1])
    assert (response.status_code, response.json()["status"]) == (200, "running")


def test_it_shows_a_closed_table(client: Client, alice: Player) -> None:
    table = make_table(alice)
    known = poll(client, table)["ETag"]
    play.close_table(table, player=alice, at=AT)
    assert poll(client, table, known=known).json()["status"] == "closed"


def test_it_shows_who_resigns_or_agrees_to_abandon_and_the_end(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    game = make_game(alice, bob, carol)
    known = poll(client, game)["ETag"]
    play.resign(game, player=alice, at=AT)
    assert not knows_nothing_new(client, game, known)
    for player in (bob, carol):
        known = poll(client, game)["ETag"]
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
        assert not knows_nothing_new(client, game, known)
    assert poll(client, game).json()["status"] == "finished"


def test_it_counts_the_tables_of_whom_the_page_was_made_for(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    game = make_game(alice, bob)
    client.force_login(mallory)
    waiting = {player: poll(client, game, player).json()["waiting"] for player in (alice, bob, mallory)}
    assert waiting == {player: int(player == to_move(game)) for player in (alice, bob, mallory)}


def test_it_says_the_same_to_all_but_for_the_count(client: Client, game: Game, mallory: Player) -> None:
    answers = [poll(client, game, player).json() for player in (to_move(game), mallory, None)]
    assert [answer.pop("waiting") for answer in answers] == [1, 0, 0]
    assert answers[0] == answers[1] == answers[2]


def test_it_counts_nothing_for_an_address_that_was_not_made_here(client: Client, game: Game) -> None:
    player = to_move(game)
    address = poll_url(game.slug, player)
    forged = address.replace(f"{player.pk}:", f"{player.pk + 1}:")
    assert forged != address
    for other in (forged, f"{table_url(game)}poll/{player.pk}/", f"{address[:-3]}/"):
        assert client.get(other).json()["waiting"] == 0
    assert client.get(address).json()["waiting"] == 1


def test_it_knows_no_table_that_there_is_not(client: Client, db: None) -> None:
    assert client.get("/tables/unknownxyz/poll/visitor/").status_code == 404


def test_every_page_of_a_table_that_can_change_carries_its_version(client: Client, game: Game, alice: Player) -> None:
    for running in (game, make_table(alice)):
        for player in (alice, None):
            client.logout()
            if player:
                client.force_login(player)
            part = soup(client.get(table_url(running))).select_one("#table")
            assert part is not None
            assert part["data-poll"] == poll_url(running.slug, player)
            assert part["data-version"] == poll(client, running).json()["version"]


def test_a_nudge_is_news_for_all_who_wait(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    at = timezone.now()
    game = make_game(alice, bob, carol, at=at - timedelta(days=2))
    nudger = next(player for player in (alice, bob, carol) if player != game.awaited)
    before = {who: poll(client, game, who)["ETag"] for who in (None, alice, bob, carol)}
    play.nudge(game, player=nudger, at=at)
    for who, known in before.items():
        after = poll(client, game, who, known=known)
        assert after.status_code == 200
        assert after.json()["version"] == version_on_page(who, game)


def test_a_game_that_is_over_is_not_polled(client: Client, game: Game, alice: Player) -> None:
    play.resign(game, player=alice, at=AT)
    for seat in game.seats.filter(is_bot=False).select_related("player"):
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT)
    part = soup(client.get(table_url(game))).select_one("#table")
    assert part is not None
    assert "data-poll" not in part.attrs
    assert seat_of(game, alice).resigned_at


# --- Open tables ---------------------------------------------------------------------------------


def version_on_page(player: Player | None, game: Game) -> str:
    client = Client()
    if player:
        client.force_login(player)
    table = soup(client.get(table_url(game))).select_one("#table")
    assert table
    return str(table["data-version"])


@pytest.fixture
def table(alice: Player, bob: Player) -> Game:
    """An open table of alice to which bob is invited, for whom a seat is kept."""
    game = make_table(alice, size=4, at=timezone.now())
    play.invite(game, by=alice, to="bob", keeps_seat=True, at=timezone.now())
    return game


ANSWERS: dict[str, Callable[[Game], object]] = {
    "declined": lambda table: play.decline_invitation(table.invitations.get(), at=timezone.now()),
    "sat down": lambda table: play.join_table(table, player=Player.objects.get(username="bob"), at=timezone.now()),
    "another is invited": lambda table: play.invite(
        table, by=Player.objects.get(username="alice"), to="carol", at=timezone.now()
    ),
    "time is over": lambda table: table.invitations.update(kept_until=timezone.now()),
    "gone": lambda table: table.invitations.all().delete(),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_the_opener_of_an_open_table_learns_of_answers(
    client: Client, table: Game, alice: Player, carol: Player, answer: str
) -> None:
    before = poll(client, table, alice)
    assert before.json()["version"] == version_on_page(alice, table)
    assert poll(client, table, alice, known=before["ETag"]).status_code == 304
    ANSWERS[answer](table)
    after = poll(client, table, alice, known=before["ETag"])
    assert after.status_code == 200
    assert after.json()["version"] == version_on_page(alice, table)


@pytest.mark.parametrize("answer", ["declined", "sat down", "time is over", "gone"])
def test_others_learn_that_a_seat_is_free_or_taken(client: Client, table: Game, mallory: Player, answer: str) -> None:
    before = {who: poll(client, table, who)["ETag"] for who in (None, mallory)}
    ANSWERS[answer](table)
    for who, known in before.items():
        after = poll(client, table, who, known=known)
        assert after.status_code == 200
        assert after.json()["version"] == version_on_page(who, table)


def test_others_learn_nothing_of_invitations_without_a_seat(
    client: Client, table: Game, alice: Player, carol: Player, mallory: Player
) -> None:
    before = poll(client, table, mallory)["ETag"]
    made = play.invite(table, by=alice, to="carol", at=timezone.now())
    play.decline_invitation(made, at=timezone.now())
    assert poll(client, table, mallory, known=before).status_code == 304


def test_an_open_table_costs_a_poll_one_query_more_for_invitations(
    client: Client, table: Game, alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    known = poll(client, table, alice)["ETag"]
    with django_assert_num_queries(2):
        assert poll(client, table, alice, known=known).status_code == 304

"""Moving without signing in: a page for whoever has the mail, which knows one seat in one turn and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games import play
from games.models import Game, Player, TurnToken
from tests.cast import AT, make_game
from tests.faults.worlds import turn_cards
from tests.pages.helpers import hidden, links, next_move, play_next, seat_of, soup, text_of
from tests.pages.press.pressing import COOKIE, enter, press_url, secret_for, send_directly, send_move, why

# --- What it is for --------------------------------------------------------------------------------


def test_it_plays_a_move(reader: Client, game: Game, mover: Player) -> None:
    move = next_move(game)
    page = reader.get(press_url(game))
    assert (page.status_code, "It is your move." in text_of(page)) == (200, True)
    assert f"You move for {mover.username} here, in this turn alone." in text_of(page)
    answer = send_move(reader, game, move)
    assert (answer.status_code, answer["Location"]) == (303, press_url(game))
    made = game.moves.get()
    assert (made.text, made.seat, made.key) == (str(move), seat_of(game, mover).number, f"press-0-{move}")
    assert f"Your move {move} is played." in text_of(reader.get(press_url(game)))


def test_it_takes_the_move_back_and_plays_another(reader: Client, game: Game, mover: Player) -> None:
    send_move(reader, game)
    page = reader.get(press_url(game))
    assert f"Take {game.moves.get().text} back" in text_of(page)
    form = hidden(page, ".take-back")
    for _click in range(2):
        assert reader.post(press_url(game, "take-back/"), form).status_code == 303
    game.refresh_from_db()
    assert (game.ply, game.edition, game.awaited) == (0, 1, mover)
    assert "It is your move." in text_of(reader.get(press_url(game)))
    assert send_move(reader, game).status_code == 303
    game.refresh_from_db()
    assert (game.ply, game.edition) == (1, 1)


def test_it_offers_a_move_that_was_made_elsewhere_to_nobody(reader: Client, game: Game) -> None:
    play_next(game)
    answer = reader.get(press_url(game))
    assert (answer.status_code, why(answer)) == (410, "That turn is over, and what was played in it stands.")
    assert reader.post(press_url(game, "take-back/"), {"ply": "1"}).status_code == 410
    game.refresh_from_db()
    assert game.ply == 1


def test_it_keeps_the_draft_of_a_move_that_the_rules_refuse(reader: Client, game: Game) -> None:
    answer = reader.post(press_url(game, "move/"), {"ply": "0", "move": "A1-L5"})
    assert (answer.status_code, soup(answer).select_one("[role=alert]") is not None) == (422, True)
    assert reader.post(press_url(game, "move/"), {}).status_code == 422
    assert not game.moves.exists()


def test_it_leads_its_own_player_who_is_signed_in_to_the_table(
    client: Client, game: Game, mover: Player, secret: str
) -> None:
    client.force_login(mover)
    answer = enter(client, game, secret)
    assert (answer["Location"], COOKIE in answer.cookies) == (f"/tables/{game.slug}/", False)


# --- What it does not do ---------------------------------------------------------------------------


def test_it_shows_the_same_whoever_is_signed_in(reader: Client, game: Game, mover: Player, mallory: Player) -> None:
    """Neither a card nor the number of tables that wait, nor anything else of whoever uses this browser."""
    play.write_postcard(game, player=mover, text="a secret plan", at=AT)
    visited = _plain(reader.get(press_url(game)))
    for player in (mover, mallory, *Player.objects.filter(seats__game=game)):
        reader.force_login(player)
        assert _plain(reader.get(press_url(game))) == visited
    assert "a secret plan" not in visited
    assert {"/preferences/", "/next/", "/accounts/logout/"} & set(links(reader.get(press_url(game)), "body")) == set()


def _plain(response: Any) -> str:
    assert response.status_code == 200
    return _without_nonces(response.content)


def _without_nonces(page: bytes) -> str:
    """The page without what each request makes anew."""
    return re.sub(r'(nonce|name="csrfmiddlewaretoken" value)="[^"]*"', "", page.decode())


def test_it_says_nothing_with_a_move(reader: Client, game: Game) -> None:
    reader.post(press_url(game, "move/"), {"ply": "0", "move": str(next_move(game)), "say": "hello"})
    assert (game.moves.count(), game.postcards.count()) == (1, 0)


@pytest.mark.parametrize("verb", ["", "open/", "move/", "take-back/"])
def test_a_get_changes_nothing(reader: Client, game: Game, verb: str, secret: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        reader.get(press_url(game, verb), {"secret": secret, "ply": "0", "move": str(next_move(game))})
    assert [query for query in queries.captured_queries if not query["sql"].startswith("SELECT")] == []


def test_the_exchange_changes_nothing(client: Client, game: Game, secret: str) -> None:
    """Programs that open the links of mails may run scripts."""
    with CaptureQueriesContext(connection) as queries:
        assert enter(client, game, secret).status_code == 303
    assert [query for query in queries.captured_queries if not query["sql"].startswith("SELECT")] == []
    assert list(client.session.keys()) == []


@pytest.mark.parametrize("verb", ["open/", "move/", "take-back/"])
def test_it_asks_for_a_form_of_this_site(game: Game, secret: str, verb: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    form = {"secret": secret, "ply": "0", "move": str(next_move(game))}
    assert strict.post(press_url(game, verb), form).status_code == 403
    token = hidden(strict.get(press_url(game)), "form#press")["csrfmiddlewaretoken"]
    assert strict.post(press_url(game, verb), {**form, "csrfmiddlewaretoken": token}).status_code == 303
    assert not game.moves.exists()


def test_its_cookie_is_for_this_page_alone(client: Client, game: Game, secret: str, settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = enter(client, game, secret).cookies[f"__Secure-{COOKIE}"]
    assert (cookie["path"], cookie["samesite"], cookie["httponly"], cookie["secure"]) == (
        press_url(game),
        "Strict",
        True,
        True,
    )
    assert cookie["max-age"] == 3600


def test_it_is_stored_nowhere_and_tells_nobody(reader: Client, game: Game) -> None:
    for browser in (reader, Client()):
        page = browser.get(press_url(game))
        assert (page["Cache-Control"], page["X-Robots-Tag"]) == ("private, no-store", "noindex, nofollow")
    assert Client().get(press_url(game))["Referrer-Policy"] == "no-referrer"
    # With `no-referrer` browsers would send its forms with the origin `null`, which the check of forms refuses.
    assert reader.get(press_url(game))["Referrer-Policy"] == "same-origin"


# --- What others try -------------------------------------------------------------------------------


@pytest.mark.parametrize("forged", ["", "a" * 32, "\x00", "A1-L5", "\u0661" * 32])
def test_it_knows_no_other_secret(client: Client, game: Game, mover: Player, forged: str) -> None:
    answer = enter(client, game, forged)
    assert (answer["Location"], COOKIE in answer.cookies) == (f"{press_url(game)}?link=unknown", False)
    assert why(client.get(answer["Location"])) == "That link is not whole, or it is no longer valid."


def test_a_secret_to_answer_by_mail_opens_nothing(client: Client, game: Game, mover: Player) -> None:
    answer = enter(client, game, secret_for(game, mover, TurnToken.Use.ANSWER))
    assert (answer["Location"], COOKIE in answer.cookies) == (f"{press_url(game)}?link=unknown", False)


def test_it_is_for_no_other_table(client: Client, game: Game, mover: Player, secret: str) -> None:
    other = make_game(mover, *Player.objects.exclude(pk=mover.pk).filter(seats__game=game))
    assert COOKIE not in enter(client, other, secret).cookies
    enter(client, game, secret)
    # Moved to another page by hand.
    client.cookies[COOKIE]["path"] = "/"
    assert client.get(press_url(other)).status_code == 200
    assert send_directly(client, other)["Location"] == press_url(other)
    assert not other.moves.exists()


def test_it_believes_no_cookie_of_others(client: Client, game: Game, secret: str) -> None:
    client.cookies[COOKIE] = str(TurnToken.objects.get().pk)
    assert send_directly(client, game)["Location"] == press_url(game)
    assert not game.moves.exists()


def test_a_form_that_is_sent_again_plays_once(reader: Client, game: Game) -> None:
    form = {"ply": "0", "move": str(next_move(game))}
    assert [reader.post(press_url(game, "move/"), form).status_code for _time in range(3)] == [303] * 3
    assert game.moves.count() == 1
    reader.post(press_url(game, "take-back/"), hidden(reader.get(press_url(game)), ".take-back"))
    answer = reader.post(press_url(game, "move/"), form)
    assert (answer.status_code, game.moves.count()) == (409, 0)
    assert f"Your draft is kept: {form['move']} ." in text_of(answer)


def test_two_mails_about_a_turn_play_once(client: Client, game: Game, mover: Player, secret: str) -> None:
    other = Client()
    enter(client, game, secret)
    enter(other, game, secret_for(game, mover))
    form = {"ply": "0", "move": str(next_move(game))}
    assert [browser.post(press_url(game, "move/"), form).status_code for browser in (client, other)] == [303, 303]
    assert game.moves.count() == 1


def test_it_opens_120_links_an_hour(client: Client, game: Game, secret: str) -> None:
    cache.clear()
    assert {enter(client, game, "forged")["Location"] for _time in range(120)} == {f"{press_url(game)}?link=unknown"}
    answer = enter(client, game, secret)
    assert (answer["Location"], COOKIE in answer.cookies) == (f"{press_url(game)}?link=later", False)
    assert "Many such links were opened" in why(client.get(answer["Location"]))


# --- Two worlds ------------------------------------------------------------------------------------


def test_it_is_the_same_in_all_worlds(reader: Client, game: Game, mover: Player) -> None:
    """Whatever the cards are, its player's own among them: it is the mail that opens it, not its player."""
    chosen = [{}, {"from": next_move(game).origin}, {"move": str(next_move(game))}, {"move": "A1-L5"}]
    seen = []
    for turn in range(3):
        turn_cards(None, turn=turn)
        refused = reader.post(press_url(game, "move/"), {"ply": "0", "move": "A1-L5"}).content
        seen.append([*(_plain(reader.get(press_url(game), draft)) for draft in chosen), _without_nonces(refused)])
    assert seen[1:] == seen[:1] * 2
    assert not any(seat.clan for seat in reader.get(press_url(game)).context["pov"].seats)
    send_directly(reader, game)
    played = []
    for turn in range(3):
        turn_cards(None, turn=turn)
        played.append(_plain(reader.get(press_url(game))))
    assert played[1:] == played[:1] * 2

"""Moving without signing in: a page for whoever has the mail, which knows one seat in one turn and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games import play
from games.models import Game, Player, TurnToken, make_turn_token
from tests.account.door import code_in, enter_code, sign_in
from tests.cast import AT, PASSWORD, make_game, play_random
from tests.faults.worlds import turn_cards
from tests.pages.helpers import hidden, links, next_move, play_next, seat_of, soup, text_of, to_move

COOKIE = "turn"


@pytest.fixture(autouse=True)
def _mails_wait(settings: Settings) -> Iterator[None]:
    settings.MAIL_WAIT_SECONDS = 120
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def mover(game: Game) -> Player:
    """Who is to move, and wishes to do so without signing in."""
    player = to_move(game)
    player.presses = True
    player.save(update_fields=("presses",))
    return player


@pytest.fixture
def secret(game: Game, mover: Player) -> str:
    return secret_for(game, mover)


@pytest.fixture
def reader(client: Client, game: Game, secret: str) -> Client:
    """The browser of whoever has opened the mail."""
    enter(client, game, secret)
    return client


def secret_for(game: Game, player: Player, use: TurnToken.Use = TurnToken.Use.PRESS) -> str:
    seat = game.seats.select_related("game").get(player=player)
    return make_turn_token(player, {1: seat}, use=use, at=AT)


def press_url(game: Game, verb: str = "") -> str:
    return f"/turn/{game.slug}/{verb}"


def enter(client: Client, game: Game, secret: str) -> Any:
    return client.post(press_url(game, "open/"), {"secret": secret})


def send_move(client: Client, game: Game, move: object = None) -> Any:
    """Preview and confirm the move as the page has it."""
    shown = client.get(press_url(game), {"move": str(move or next_move(game))})
    return client.post(press_url(game, "move/"), hidden(shown))


def why(response: Any) -> str:
    return text_of(response, ".lead")


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


# --- How it follows its turn ------------------------------------------------------------------------


def poll(client: Client, page: Any) -> int:
    """What the script of that page is answered when it asks for news."""
    [table] = soup(page).select("#table")
    known = f'"{table["data-version"]}-{table["data-waiting"]}"'
    return int(client.get(str(table["data-poll"]), headers={"If-None-Match": known}).status_code)


def follows(page: Any) -> bool:
    return bool(soup(page).select("#table[data-poll]"))


def test_it_has_no_news_while_nothing_changes(reader: Client, game: Game) -> None:
    choosing = reader.get(press_url(game))
    assert (follows(choosing), poll(reader, choosing)) == (True, 304)
    send_move(reader, game)
    assert poll(reader, choosing) == 200
    made = reader.get(press_url(game))
    with CaptureQueriesContext(connection) as queries:
        assert poll(reader, made) == 304
    # The turn, whether this page made the move, and whether that may be taken back.
    assert len(queries) <= 5


def test_it_says_when_the_time_to_take_back_is_over(reader: Client, game: Game) -> None:
    send_move(reader, game)
    page = reader.get(press_url(game))
    assert "can no longer be taken back" not in text_of(page)
    with time_machine.travel(AT + timedelta(seconds=121), tick=False):
        assert poll(reader, page) == 200
        page = reader.get(press_url(game))
    made = game.moves.get().text
    assert f"Your move {made} is played and can no longer be taken back." in text_of(page, "[data-fate]")
    assert (soup(page).select(".take-back"), follows(page)) == ([], False)


def test_it_says_so_as_soon_as_somebody_has_looked(reader: Client, game: Game) -> None:
    send_move(reader, game)
    page = reader.get(press_url(game))
    game.refresh_from_db()
    later = AT + timedelta(seconds=5)
    game.seats.filter(player=game.awaited).update(seen_ply=1, seen_at=later)
    with time_machine.travel(later, tick=False):
        assert poll(reader, page) == 200
        assert "can no longer be taken back." in text_of(reader.get(press_url(game)), "[data-fate]")


def test_it_follows_a_move_that_is_taken_back_elsewhere(reader: Client, game: Game, mover: Player) -> None:
    send_move(reader, game)
    page = reader.get(press_url(game))
    play.take_back(game, player=mover, ply=1, edition=0, at=AT)
    assert poll(reader, page) == 200
    assert "It is your move." in text_of(reader.get(press_url(game)))


@pytest.mark.parametrize("after_move", [False, True])
def test_it_follows_nothing_beyond_its_turn(reader: Client, game: Game, *, after_move: bool) -> None:
    if after_move:
        send_move(reader, game)
    page = reader.get(press_url(game))
    play_random(game, 2)
    assert poll(reader, page) == 410


def test_it_has_no_news_for_who_may_not_see_the_page(reader: Client, game: Game, mover: Player) -> None:
    page = reader.get(press_url(game))
    Player.objects.filter(pk=mover.pk).update(presses=False)
    assert poll(reader, page) == 410
    assert poll(Client(), page) == 200, "the way in, as for anybody"


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


# --- When it is over -------------------------------------------------------------------------------


def test_it_is_over_with_the_turn(reader: Client, game: Game) -> None:
    play_random(game, 3)
    answer = reader.get(press_url(game))
    assert (answer.status_code, why(answer)) == (410, "That turn is over, and what was played in it stands.")
    assert f"/accounts/login/?next=%2Ftables%2F{game.slug}%2F" in links(answer)


def test_it_is_not_for_the_next_turn_of_its_player(reader: Client, game: Game, mover: Player) -> None:
    send_move(reader, game)
    play_random(game, 2)
    assert to_move(game) == mover
    form = {"ply": str(game.ply), "move": str(next_move(game))}
    assert reader.post(press_url(game, "move/"), form).status_code == 410
    assert game.moves.count() == 3


def test_it_is_over_with_the_game(reader: Client, game: Game) -> None:
    play_random(game)
    assert why(reader.get(press_url(game))) == "This game is over."


def test_it_is_over_when_its_player_signs_out_everywhere(reader: Client, game: Game, mover: Player) -> None:
    elsewhere = Client()
    elsewhere.force_login(mover)
    elsewhere.post("/accounts/sessions/", {})
    answer = send_directly(reader, game)
    assert (answer.status_code, why(answer)) == (
        410,
        f"Since the mail was sent, {mover.username} has signed out everywhere.",
    )
    # A mail that is sent from then on works again.
    mover.refresh_from_db()
    enter(reader, game, secret_for(game, mover))
    assert reader.get(press_url(game)).status_code == 200


def test_it_is_over_with_the_switch(reader: Client, game: Game, mover: Player) -> None:
    Player.objects.filter(pk=mover.pk).update(presses=False)
    answer = send_directly(reader, game)
    assert (answer.status_code, why(answer)) == (
        410,
        f"{mover.username} no longer wishes to move without signing in.",
    )


def change_password(player: Player, _sent: list[EmailMessage]) -> None:
    form = {"oldpassword": PASSWORD} | dict.fromkeys(("password1", "password2"), "the-lake-thaws-slowly")
    come_in(player).post("/accounts/password/change/", form)


def reset_password(player: Player, sent: list[EmailMessage]) -> None:
    elsewhere = Client()
    elsewhere.post("/accounts/password/reset/", {"email": player.email})
    entered = enter_code(elsewhere, code_in(sent[-1]), page="account_confirm_password_reset_code")
    elsewhere.post(entered["Location"], dict.fromkeys(("password1", "password2"), "the-lake-thaws-slowly"))


def change_address(player: Player, sent: list[EmailMessage]) -> None:
    elsewhere = come_in(player)
    elsewhere.post("/accounts/email/", {"action_add": "", "email": "another@example.org"})
    enter_code(elsewhere, code_in(sent[-1]))


def come_in(player: Player) -> Client:
    """Another browser, in which the player has just shown the password."""
    elsewhere = Client()
    sign_in(elsewhere, player.username)
    elsewhere.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return elsewhere


@pytest.mark.parametrize("change", [change_password, reset_password, change_address])
def test_it_is_over_when_password_or_address_change(
    reader: Client,
    game: Game,
    mover: Player,
    mailoutbox: list[EmailMessage],
    change: Callable[[Player, list[EmailMessage]], None],
) -> None:
    secret_for(game, mover, TurnToken.Use.ANSWER)
    change(mover, mailoutbox)
    before = (mover.password, mover.email)
    mover.refresh_from_db()
    assert before != (mover.password, mover.email)
    assert reader.get(press_url(game)).status_code == 200
    assert "Open it from the mail again, or sign in." in text_of(reader.get(press_url(game)))
    assert send_directly(reader, game)["Location"] == press_url(game)
    assert (game.moves.count(), TurnToken.objects.get().use) == (0, TurnToken.Use.ANSWER)


def test_it_is_over_when_the_account_is_closed(reader: Client, game: Game, mover: Player) -> None:
    play.close_account(mover, at=AT)
    assert send_directly(reader, game)["Location"] == press_url(game)
    assert not game.moves.exists()


def test_it_is_over_when_somebody_else_has_the_seat(reader: Client, game: Game, mover: Player, mallory: Player) -> None:
    game.seats.filter(player=mover).update(player=mallory)
    Game.objects.filter(pk=game.pk).update(awaited=mallory)
    assert send_directly(reader, game).status_code == 410
    assert not game.moves.exists()


def test_it_is_over_after_an_hour(reader: Client, game: Game, secret: str) -> None:
    with time_machine.travel(AT + timedelta(hours=1, minutes=1), tick=False):
        assert "Open it from the mail again, or sign in." in text_of(reader.get(press_url(game)))
        assert send_directly(reader, game)["Location"] == press_url(game)
        enter(reader, game, secret)
        assert "It is your move." in text_of(reader.get(press_url(game)))


def send_directly(client: Client, game: Game) -> Any:
    """The next move of the game, as a form that was loaded long ago would send it."""
    game.refresh_from_db()
    return client.post(press_url(game, "move/"), {"ply": str(game.ply), "move": str(next_move(game))})


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
    assert f"Your draft is kept: {form['move']}." in text_of(answer)


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

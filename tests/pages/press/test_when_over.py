"""When the page that moves without signing in is over: with the turn, with the game, and when its player says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client

from games import play
from games.models import Game, Player, TurnToken
from tests.account.signing_in import code_in, enter_code, sign_in
from tests.cast import AT, PASSWORD, play_random
from tests.pages.helpers import links, next_move, text_of, to_move
from tests.pages.press.pressing import enter, press_url, secret_for, send_directly, send_move, why


def test_it_is_over_with_the_turn(reader: Client, game: Game) -> None:
    play_random(game, 3)
    answer = reader.get(press_url(game))
    assert (answer.status_code, why(answer)) == (410, "That turn is over, and what was played in it stands.")
    assert "Open it from the mail again" not in text_of(answer)
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

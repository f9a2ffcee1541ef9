"""Resigning, and agreeing to abandon a game."""

from __future__ import annotations

import pytest
from django.test import Client

from games import play
from games.models import Game, Notice, Player, Seat
from tests.cast import AT, make_game, make_player, make_table, play_out, seat_to_move
from tests.mail.composed import compose
from tests.pages.helpers import links, seat_of, soup, table_url, text_of


def test_it_gives_the_seat_to_a_computer_player(client: Client, game: Game, bob: Player) -> None:
    client.force_login(bob)
    response = client.post(table_url(game, "resign/"), {"sure": "yes"}, follow=True)
    assert seat_of(game, bob).is_bot
    assert "You have resigned." in text_of(response)
    assert "resigned, a computer player moves" in text_of(response, ".seats")


@pytest.mark.parametrize("allows", [True, False])
def test_it_says_how_long_a_computer_player_moves(client: Client, alice: Player, bob: Player, allows: bool) -> None:
    game = make_table(alice, size=3, terms=play.Terms(allows_takeover=allows))
    for player in (bob, make_player("carol")):
        play.join_table(game, player=player, at=AT)
    client.force_login(bob)
    told = "for the rest of the game, or until somebody takes the seat over"
    for response in (client.get(table_url(game)), client.post(table_url(game, "resign/"))):
        assert (told in text_of(response)) is allows
        assert "for the rest of the game" in text_of(response)
    play.resign(game, player=bob, at=AT)
    notice = Notice.objects.filter(kind=Notice.Kind.RESIGNED).select_related("seat__game", "seat__player")[0]
    assert (told in " ".join(str(compose(notice).body).split())) is allows


def test_it_calls_nobody_to_a_move_who_has_resigned(client: Client, game: Game) -> None:
    mover = seat_to_move(game).player
    assert mover is not None
    client.force_login(mover)
    assert "Your move" in text_of(client.get(table_url(game)), ".turn-line")
    client.post(table_url(game, "resign/"), {"sure": "yes"})
    assert text_of(client.get(table_url(game)), ".turn-line") == "A computer player moves for you"


def test_it_asks_before(client: Client, game: Game, bob: Player) -> None:
    client.force_login(bob)
    assert client.get(table_url(game, "resign/")).status_code == 302
    assert not seat_of(game, bob).is_bot
    page = soup(client.get(table_url(game)))
    button = page.select_one(f'form details button[formaction="{table_url(game, "resign/")}"]')
    assert button is not None
    assert "cannot be taken back" in button.find_parent("details").get_text()  # type: ignore[union-attr]


@pytest.mark.parametrize("data", [{}, {"sure": ""}, {"sure": "no"}])
def test_it_asks_again_who_has_tapped_on_resigning(
    client: Client, game: Game, bob: Player, data: dict[str, str]
) -> None:
    client.force_login(bob)
    response = client.post(table_url(game, "resign/"), data)
    assert response.status_code == 200
    assert not seat_of(game, bob).is_bot
    assert "cannot be taken back" in text_of(response)
    assert table_url(game) in links(response, "form.row")
    client.post(table_url(game, "resign/"), {"sure": soup(response).select_one("button[name=sure]")["value"]})  # type: ignore[index]
    assert seat_of(game, bob).is_bot


def test_it_ends_the_game_of_who_is_left_with_computer_players(client: Client, alice: Player) -> None:
    game = make_game(alice, bots=2)
    client.force_login(alice)
    assert "the game then ends" in text_of(client.post(table_url(game, "resign/")))
    page = text_of(client.post(table_url(game, "resign/"), {"sure": "yes"}, follow=True))
    assert "You have resigned, and with that the game has ended." in page
    assert "Nobody was left to play" in page
    assert "moves for you" not in page


def test_it_ends_the_game_when_the_others_would_abandon_it(
    client: Client, game: Game, alice: Player, bob: Player, carol: Player
) -> None:
    client.force_login(bob)
    for other, ends in ((carol, False), (alice, True)):
        play.agree_to_abandon(game, player=other, agrees=True, at=AT)
        assert ("the game then ends" in text_of(client.post(table_url(game, "resign/")))) is ends
    page = text_of(client.post(table_url(game, "resign/"), {"sure": "yes"}, follow=True))
    assert "with that the game has ended" in page
    for url in (table_url(game), table_url(game, "ply/0/")):
        assert "In epoch I" not in client.get(url).content.decode()


def test_it_lets_nobody_resign_twice(client: Client, game: Game, bob: Player) -> None:
    client.force_login(bob)
    client.post(table_url(game, "resign/"), {"sure": "yes"})
    before = list(Seat.objects.values())
    response = client.post(table_url(game, "resign/"), {"sure": "yes"}, follow=True)
    assert response.redirect_chain == [(table_url(game), 303)]
    assert "You have resigned already." in text_of(response, ".flashes")
    assert soup(response).select("button[formaction]") == []
    assert list(Seat.objects.values()) == before


def test_it_takes_a_second_click_of_the_last_for_the_first(client: Client, alice: Player, bob: Player) -> None:
    for game, verb, form in (
        (make_game(alice, bots=1), "resign/", {"sure": "yes"}),
        (make_game(alice, bots=1), "abandon/", {"agrees": "yes"}),
    ):
        client.force_login(alice)
        for _click in range(2):
            response = client.post(table_url(game, verb), form)
            assert (response.status_code, response.headers["Location"]) == (303, table_url(game))
        client.force_login(bob)
        assert client.post(table_url(game, verb), form).status_code == 409


def test_who_plays_against_computer_players_alone_asks_nobody(client: Client, alice: Player) -> None:
    game = make_game(alice, bots=2)
    client.force_login(alice)
    said = text_of(client.get(table_url(game)), "#give-up")
    assert "it ends at once" in said
    assert "ropose" not in said
    assert "esign" not in said, "that would end it, too"
    client.post(table_url(game, "abandon/"), {"agrees": "yes"})
    game.refresh_from_db()
    assert game.end == Game.End.ABANDONED


def test_it_lets_a_player_agree_and_take_it_back(client: Client, game: Game, bob: Player) -> None:
    client.force_login(bob)
    assert "Propose to abandon" in text_of(client.get(table_url(game)), "#give-up")
    response = client.post(table_url(game, "abandon/"), {"agrees": "yes"}, follow=True)
    assert seat_of(game, bob).agrees_to_abandon
    assert "wants to abandon the game" in text_of(response, ".seats")
    assert "You want to abandon this game" in text_of(response, ".notice")
    response = client.post(table_url(game, "abandon/"), {"agrees": "no"}, follow=True)
    assert not seat_of(game, bob).agrees_to_abandon
    assert "You play on." in text_of(response)
    assert soup(response).select(".prompt .notice") == []


def test_it_bears_who_changes_their_mind_twenty_times_an_hour(client: Client, game: Game, bob: Player) -> None:
    client.force_login(bob)
    answers = ["yes", "no"] * 10
    assert all(client.post(table_url(game, "abandon/"), {"agrees": one}).status_code == 303 for one in answers)
    refused = client.post(table_url(game, "abandon/"), {"agrees": "yes"})
    assert refused.status_code == 429
    assert "You have changed your mind often in this hour." in text_of(refused)
    assert not seat_of(game, bob).agrees_to_abandon


def test_it_tells_the_others_who_wants_to_abandon(
    client: Client, game: Game, alice: Player, bob: Player, carol: Player
) -> None:
    client.force_login(bob)
    client.post(table_url(game, "abandon/"), {"agrees": "yes"})
    client.force_login(alice)
    response = client.get(table_url(game))
    assert "bob wants to abandon this game. Agree, if you like" in text_of(response, ".notice")
    assert text_of(response, "details#give-up[open] button[value=yes]") == "Agree to abandon"
    play.agree_to_abandon(game, player=carol, agrees=True, at=AT)
    assert "bob and carol want to abandon this game." in text_of(client.get(table_url(game)), ".notice")


def test_it_tells_who_wants_to_abandon_that_others_do_and_not_all(
    client: Client, game: Game, bob: Player, carol: Player
) -> None:
    for player in (bob, carol):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    client.force_login(bob)
    said = text_of(client.get(table_url(game)), ".notice")
    assert said == "carol and you want to abandon this game; not everybody has agreed yet. Take it back"


def test_it_ends_the_game_when_all_agree(client: Client, game: Game, alice: Player, bob: Player, carol: Player) -> None:
    for player in (alice, bob, carol):
        client.force_login(player)
        response = client.post(table_url(game, "abandon/"), {"agrees": "yes"}, follow=True)
    assert "Nobody wins." in text_of(response)


@pytest.mark.parametrize("data", [{}, {"agrees": "perhaps"}])
def test_it_wants_a_plain_answer(client: Client, game: Game, bob: Player, data: dict[str, str]) -> None:
    client.force_login(bob)
    assert client.post(table_url(game, "abandon/"), data).status_code == 422
    assert not seat_of(game, bob).agrees_to_abandon


@pytest.mark.parametrize("verb", ["resign/", "abandon/"])
def test_it_is_not_for_strangers(client: Client, game: Game, mallory: Player, verb: str) -> None:
    client.force_login(mallory)
    response = client.post(table_url(game, verb), {"agrees": "yes", "sure": "yes"})
    assert response.status_code == 403
    assert "You have no seat at this table." in text_of(response, "[role=alert]")


@pytest.mark.parametrize("verb", ["resign/", "abandon/"])
def test_it_is_too_late_when_the_game_is_over(client: Client, game: Game, bob: Player, verb: str) -> None:
    play_out(game)
    client.force_login(bob)
    assert client.post(table_url(game, verb), {"agrees": "yes", "sure": "yes"}).status_code == 409

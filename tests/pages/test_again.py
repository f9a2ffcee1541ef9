"""Playing again with the same people."""

from __future__ import annotations

import pytest
from django.test import Client

from games import play
from games.models import Game, Player, next_name
from tests.cast import AT, make_game, make_table, play_out, put_in_season
from tests.made_once import scene
from tests.pages.helpers import links, soup, table_url, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(alice: Player, bob: Player) -> Game:
    """A finished game of alice, bob and a computer player, by link only and with choices of its own."""
    return scene("over by link", lambda: play_by_link(alice, bob))


def play_by_link(alice: Player, bob: Player) -> Game:
    terms = play.Terms(move_hours=20, reserve_hours=96, allows_vacation=False, overdue="abandon")
    game = make_table(alice, size=3, bots=1, five_clans="nothing", is_public=False, terms=terms)
    play.join_table(game, player=bob, at=AT)
    return play_out(game)


def form_url(game: Game) -> str:
    return f"/tables/new/?again={game.slug}"


def fields(client: Client, game: Game) -> dict[str, str]:
    """What the form sends as it stands."""
    inputs = soup(client.get(form_url(game))).select("form.new-table input[name]")
    return {
        str(field["name"]): str(field.get("value", ""))
        for field in inputs
        if field.get("type") != "radio" or field.has_attr("checked")
    }


def open_again(client: Client, game: Game) -> Game:
    """The table that the form opens as it stands."""
    response = client.post(form_url(game), fields(client, game))
    assert response.status_code == 303
    return Game.objects.get(slug=response["Location"].split("/")[2])


def asked(client: Client) -> list[str]:
    return [link for link in links(client.get("/"), "section[aria-labelledby=asking]") if link.startswith("/tables/")]


def test_it_begins_with_the_choices_of_the_old_game(client: Client, over: Game, alice: Player) -> None:
    client.force_login(alice)
    assert form_url(over) in links(client.get(table_url(over)))
    game = open_again(client, over)
    assert (game.name, game.size, game.is_public) == ("Friday table (2)", 3, False)
    assert (game.move_hours, game.reserve_hours, game.allows_vacation, game.overdue) == (20, 96, False, "abandon")
    assert game.five_clans == "nothing"
    assert [seat.is_bot for seat in game.seats.order_by("joined")] == [False, True]
    assert game.follows == over


def test_the_game_of_a_season_is_named_as_what_the_table_follows(client: Client, game: Game, alice: Player) -> None:
    put_in_season(game)
    Game.objects.filter(pk=game.pk).update(name="Autumn league 1.1")
    game.refresh_from_db()
    play_out(game)
    client.force_login(alice)
    assert open_again(client, game).name == "Rematch of Autumn league 1.1"


def test_it_keeps_a_pace_that_has_a_name(client: Client, game: Game, alice: Player) -> None:
    play_out(game)
    client.force_login(alice)
    assert "steady" in str(soup(client.get(form_url(game))).select_one("input[name=pace][checked]"))


def test_it_asks_the_others_on_their_first_page_and_on_that_of_the_old_game(
    client: Client, over: Game, alice: Player, bob: Player, mallory: Player
) -> None:
    client.force_login(bob)
    game = open_again(client, over)
    said = text_of(client.get(table_url(game)), ".flashes")
    assert said == "The table is open. alice is asked to play again."
    assert "bob would like" not in text_of(client.get(table_url(over)))
    assert table_url(game) in links(client.get(table_url(over)))
    assert asked(client) == []
    client.force_login(alice)
    assert asked(client) == [table_url(game)]
    page = client.get(table_url(over))
    assert "bob would like to play again" in text_of(page)
    assert table_url(game) in links(page)
    assert form_url(over) not in links(page)
    for stranger in (mallory, None):
        client.logout()
        if stranger:
            client.force_login(stranger)
        assert game.slug not in client.get("/").content.decode()
        assert game.slug not in client.get(table_url(over)).content.decode()


def test_the_way_to_the_new_table_stands_before_what_has_happened(
    client: Client, over: Game, alice: Player, bob: Player
) -> None:
    """On a phone, what is below that is below the first screen."""
    client.force_login(alice)
    new = open_again(client, over)
    client.force_login(bob)
    since = text_of(client.get(table_url(over)), ".since")
    assert table_url(new) in links(client.get(table_url(over)), ".since .notice")
    assert since.index("would like to play again") < since.index("While you were away")


def test_it_asks_no_more_who_has_sat_down_or_when_the_table_is_closed(
    client: Client, over: Game, alice: Player, bob: Player
) -> None:
    client.force_login(alice)
    game = open_again(client, over)
    client.force_login(bob)
    assert asked(client) == [table_url(game)]
    play.close_table(game, player=alice, at=AT)
    assert asked(client) == []
    assert form_url(over) in links(client.get(table_url(over)))
    client.force_login(alice)
    game = open_again(client, over)
    play.join_table(game, player=bob, at=AT)
    client.force_login(bob)
    assert asked(client) == []
    page = client.get(table_url(over))
    assert "the game that followed" in text_of(page)
    assert form_url(over) in links(page)


def test_whom_one_has_blocked_asks_nowhere(client: Client, over: Game, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    game = open_again(client, over)
    play.mute_player(bob, alice, blocks=True, at=AT)
    client.force_login(bob)
    assert asked(client) == []
    for path in (table_url(over), form_url(over)):
        page = client.get(path)
        assert "would like to play again" not in text_of(page)
        assert table_url(game) not in links(page)
    assert form_url(over) in links(client.get(table_url(over)))
    play.mute_player(alice, bob, blocks=True, at=AT)
    play.unmute_player(bob, alice.pk)
    assert table_url(game) in links(client.get(table_url(over)))


def test_whom_one_has_blocked_since_keeps_the_game_that_followed(
    client: Client, over: Game, alice: Player, bob: Player
) -> None:
    client.force_login(alice)
    game = open_again(client, over)
    play.join_table(game, player=bob, at=AT)
    play.mute_player(bob, alice, blocks=True, at=AT)
    client.force_login(bob)
    assert table_url(game) in links(client.get(table_url(over)))


def test_it_lists_a_public_table_once(client: Client, alice: Player, bob: Player) -> None:
    over = play_out(make_game(alice, bob))
    client.force_login(alice)
    game = open_again(client, over)
    client.force_login(bob)
    assert asked(client) == [table_url(game)]
    assert links(client.get("/")).count(table_url(game)) == 1


def test_it_says_first_that_somebody_else_has_just_opened_one(
    client: Client, over: Game, alice: Player, bob: Player
) -> None:
    client.force_login(alice)
    choices = fields(client, over)
    client.force_login(bob)
    his = open_again(client, over)
    client.force_login(alice)
    page = client.post(form_url(over), choices)
    assert page.status_code == 422
    assert "bob would like to play again" in text_of(page)
    assert table_url(his) in links(page)
    assert list(over.followed_by.all()) == [his]
    # Who knows opens another all the same, and once when clicking twice.
    choices |= {"known": his.slug}
    hers = [client.post(form_url(over), choices)["Location"] for _click in range(2)]
    assert len(set(hers)) == 1
    assert over.followed_by.count() == 2


def test_it_follows_only_what_one_has_played_to_its_end(
    client: Client, over: Game, game: Game, alice: Player, mallory: Player
) -> None:
    client.force_login(mallory)
    assert "Once more" not in text_of(client.get(form_url(over)))
    assert form_url(over) not in links(client.get(table_url(over)))
    client.force_login(alice)
    assert "Once more" in text_of(client.get(form_url(over)))
    assert "Once more" not in text_of(client.get(form_url(game)))
    assert client.get("/tables/new/?again=nowhere").status_code == 200


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("Friday table", "Friday table (2)"),
        ("Friday table (2)", "Friday table (3)"),
        ("(9)", "(9) (2)"),
        ("x" * 60, "x" * 56 + " (2)"),
        ("a\nb", "a\nb (2)"),
    ],
)
def test_it_counts_in_the_name(name: str, following: str) -> None:
    assert next_name(name) == following

"""What players say about the moves of a game that is over: who may, who reads it, and where it stands."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Notice, Player, Postcard
from tests.cast import AT, make_game, play_out, play_random
from tests.made_once import scene
from tests.pages.helpers import soup, table_url, text_of
from tests.pages.talking import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(alice: Player, bob: Player) -> Game:
    """A public game of two that is over and whose talk everybody may read then."""
    game = scene("over for comments", lambda: play_out(make_game(alice, bob)))
    Game.objects.filter(pk=game.pk).update(talk=Game.Talk.END)
    game.refresh_from_db()
    return game


def end_of(game: Game) -> datetime:
    assert game.ended_at
    return game.ended_at


def say(
    client: Client, game: Game, who: Player, text: str, ply: int = 5, *, later: timedelta = timedelta(hours=1)
) -> Any:
    client.force_login(who)
    with time_machine.travel((game.ended_at or AT) + later, tick=False):
        return client.post(table_url(game, f"ply/{ply}/comment/"), {"say": text})


def look(client: Client, game: Game, who: Player | None, ply: int = 5, *, later: timedelta = timedelta(hours=2)) -> Any:
    client.logout()
    if who:
        client.force_login(who)
    with time_machine.travel((game.ended_at or AT) + later, tick=False):
        return client.get(table_url(game, f"ply/{ply}/"))


def comments(client: Client, game: Game, who: Player | None, ply: int = 5) -> list[str]:
    return [
        item.get_text(" ", strip=True)
        for item in soup(look(client, game, who, ply)).select("[aria-labelledby=comments] li")
    ]


def test_it_stands_at_its_move_and_in_the_talk(client: Client, over: Game, alice: Player, bob: Player) -> None:
    response = say(client, over, alice, "A bold move")
    assert (response.status_code, response["Location"]) == (303, table_url(over, "ply/5/#comments"))
    for who in (alice, bob, None):
        [shown] = comments(client, over, who)
        assert shown.startswith("alice , about move 5")
        assert shown.endswith("A bold move")
        assert comments(client, over, who, ply=6) == []
    [shown] = said(client, over, None)
    assert "alice , about move 5" in shown
    links = [link["href"] for link in soup(client.get(table_url(over))).select("#said a")]
    assert table_url(over, "ply/5/#comments") in links


def test_it_tells_the_others_as_postcards_do(client: Client, over: Game, alice: Player) -> None:
    say(client, over, alice, "A bold move")
    [notice] = Notice.objects.filter(kind=Notice.Kind.POSTCARD)
    assert notice.seat.name == "bob"


@pytest.mark.parametrize("talk", [*Game.Talk.values])
@pytest.mark.parametrize("is_public", [True, False])
def test_it_is_read_by_who_reads_the_talk(
    client: Client, alice: Player, bob: Player, mallory: Player, talk: str, is_public: bool
) -> None:
    game = play_out(make_game(alice, bob, is_public=is_public))
    Game.objects.filter(pk=game.pk).update(talk=talk)
    before = look(client, game, mallory)
    say(client, game, alice, "A bold move")
    assert len(comments(client, game, bob)) == 1
    readable = is_public and talk != Game.Talk.PLAYERS
    assert len(comments(client, game, mallory)) == len(comments(client, game, None)) == int(readable)
    assert text_of(look(client, game, mallory)).count("A bold move") == int(readable)
    if not readable:
        assert text_of(look(client, game, mallory)) == text_of(before)


def test_only_who_has_a_seat_writes(client: Client, over: Game, mallory: Player) -> None:
    assert say(client, over, mallory, "Mine").status_code == 403
    client.logout()
    assert client.post(table_url(over, "ply/5/comment/"), {"say": "Mine"})["Location"].startswith("/accounts/login/")
    assert not Postcard.objects.exists()
    assert soup(look(client, over, mallory)).select_one("textarea") is None


def test_it_is_refused_while_the_game_runs(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), plies=9)
    response = say(client, game, alice, "A bold move")
    assert response.status_code == 409
    assert "Moves can be talked about once the game is over" in text_of(response)
    assert soup(look(client, game, alice)).select_one("[aria-labelledby=comments]") is None
    with pytest.raises(play.NothingToComment):
        play.write_postcard(game, player=alice, text="A bold move", about=5, at=AT)
    assert not Postcard.objects.exists()


@pytest.mark.parametrize("beyond", [0, 1])
def test_it_is_refused_for_a_move_that_there_is_not(client: Client, over: Game, alice: Player, beyond: int) -> None:
    ply = over.ply + 1 if beyond else 0
    assert say(client, over, alice, "A bold move", ply).status_code == 409
    with pytest.raises(play.NothingToComment):
        play.write_postcard(over, player=alice, text="A bold move", about=ply, at=end_of(over))
    assert soup(look(client, over, alice, 0)).select_one("textarea") is None
    assert not Postcard.objects.exists()


def test_it_is_refused_when_the_talk_is_over(client: Client, over: Game, alice: Player) -> None:
    late = play.TALK_GOES_ON + timedelta(minutes=1)
    assert soup(look(client, over, alice, later=late)).select_one("textarea") is None
    assert say(client, over, alice, "Too late", later=late).status_code == 409
    say(client, over, alice, "In time")
    assert "In time" in text_of(look(client, over, None, later=late))


@pytest.mark.parametrize(("text", "status"), [("", 422), ("x" * 501, 422)])
def test_it_keeps_what_cannot_be_sent(client: Client, over: Game, alice: Player, text: str, status: int) -> None:
    response = say(client, over, alice, text)
    assert response.status_code == status
    page = soup(response)
    assert page.select_one("[aria-labelledby=comments] [role=alert][autofocus]")
    assert page.select_one("textarea").get_text().strip() == text  # type: ignore[union-attr]
    assert not Postcard.objects.exists()


@pytest.mark.parametrize("text", [" ", "x" * 501])
def test_a_refused_one_loses_nothing_else_of_the_page(client: Client, over: Game, alice: Player, text: str) -> None:
    refused, page = soup(say(client, over, alice, text)), soup(look(client, over, alice))
    for part in (".prompt", ".board", "[aria-labelledby=viewpoints] a", "[aria-labelledby=share] input"):
        assert [str(found) for found in refused.select(part)] == [str(found) for found in page.select(part)] != []


def test_it_says_nothing_wrong_of_a_form_with_noise(client: Client, over: Game, alice: Player) -> None:
    client.force_login(alice)
    with time_machine.travel(end_of(over), tick=False):
        assert client.post(table_url(over, "ply/5/comment/"), {"say": "Fine", "heard": "x"}).status_code == 422


def marked(page: Any) -> list[str]:
    """Where the history and the links onward lead to comments."""
    found = soup(page).select("[aria-labelledby=history] p a[href$='#comments'], #next-comment")
    return [str(link["href"]) for link in found]


def test_the_history_marks_its_moves_and_a_link_leads_to_the_next(client: Client, over: Game, alice: Player) -> None:
    assert marked(look(client, over, None, 9)) == []
    for ply in (3, 5, 5, 12):
        say(client, over, alice, f"A bold move {ply}", ply)
    third, fifth, next_one = (table_url(over, f"ply/{ply}/") for ply in (3, 5, 12))
    assert marked(look(client, over, None, 9)) == [f"{next_one}#ply-next", f"{fifth}#comments", f"{third}#comments"]
    assert marked(look(client, over, None, 0)) == [f"{third}#next-comment"]
    assert soup(look(client, over, None, 9)).select("[aria-labelledby=comments]") == []
    with time_machine.travel(end_of(over) + timedelta(hours=2), tick=False):
        assert marked(client.get(table_url(over, "ply/9/public/"))) == []


def test_no_move_is_marked_for_comments_that_one_does_not_read(
    client: Client, over: Game, alice: Player, bob: Player
) -> None:
    say(client, over, alice, "A bold move")
    play.mute_player(bob, alice, blocks=False, at=AT)
    assert marked(look(client, over, bob, 9)) == []
    Game.objects.filter(pk=over.pk).update(talk=Game.Talk.PLAYERS)
    assert marked(look(client, over, None, 9)) == []
    assert len(marked(look(client, over, alice, 9))) == 1
    Postcard.objects.update(state=Postcard.State.REMOVED, text="")
    assert marked(look(client, over, alice, 9)) == []


def test_nobody_caches_what_only_players_read(client: Client, over: Game, alice: Player) -> None:
    assert say(client, over, alice, "Ha!").status_code == 303
    for talk in (Game.Talk.END, Game.Talk.PLAYERS):
        Game.objects.filter(pk=over.pk).update(talk=talk)
        response = look(client, over, alice)
        assert ("no-store" in response.get("Cache-Control", "")) == (talk == Game.Talk.PLAYERS)


def test_it_counts_in_the_limit_of_postcards(client: Client, over: Game, alice: Player) -> None:
    for number in range(40):
        assert say(client, over, alice, f"Comment {number}").status_code == 303
    response = say(client, over, alice, "One more")
    assert response.status_code == 429
    assert soup(response).select_one("textarea").get_text().strip() == "One more"  # type: ignore[union-attr]


def test_a_second_click_says_it_once(client: Client, over: Game, alice: Player) -> None:
    for ply in (5, 5, 6):
        say(client, over, alice, "A bold move", ply)
    assert [*Postcard.objects.order_by("number").values_list("about_ply", flat=True)] == [5, 6]


def test_it_is_left_out_for_who_mutes_its_writer(client: Client, over: Game, alice: Player, bob: Player) -> None:
    say(client, over, alice, "A bold move")
    play.mute_player(bob, alice, blocks=False, at=AT)
    assert comments(client, over, bob) == []
    assert len(comments(client, over, None)) == 1


def test_its_page_changes_removes_reports_and_hides_it(client: Client, over: Game, alice: Player, bob: Player) -> None:
    say(client, over, alice, "A bold move")
    [item] = soup(look(client, over, alice)).select("[aria-labelledby=comments] li")
    address = str(item.select("a:has(time)")[0]["href"])
    client.force_login(alice)
    with time_machine.travel(end_of(over) + timedelta(hours=1, minutes=2), tick=False):
        assert client.post(address, {"do": "edit", "say": "A very bold move"}).status_code == 303
    assert "A very bold move" in comments(client, over, bob)[0]
    client.force_login(bob)
    assert client.post(address, {"do": "report", "reason": ""}).status_code == 303
    play.hide_postcard(Postcard.objects.get(), is_hidden=True)
    assert "hidden by the operator" in comments(client, over, None)[0]
    play.hide_postcard(Postcard.objects.get(), is_hidden=False)
    client.force_login(alice)
    client.post(address, {"do": "remove"})
    assert comments(client, over, bob)[0].endswith("removed")


def test_it_stands_at_its_move_in_the_keepsake(client: Client, over: Game, alice: Player) -> None:
    say(client, over, alice, "A bold move")
    kept = soup(client.get(table_url(over, "keepsake.html")))
    assert [quote.get_text(" ", strip=True) for quote in kept.select("#move-5 blockquote")] == ["alice: A bold move"]
    assert len(kept.select("blockquote")) == 1


def test_it_shows_none_to_a_viewpoint_of_then(client: Client, over: Game, alice: Player) -> None:
    say(client, over, alice, "A bold move")
    assert "A bold move" not in client.get(table_url(over, "ply/5/public/")).content.decode()


def test_it_costs_a_query_where_something_was_said(
    client: Client, over: Game, alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = table_url(over, "ply/5/")
    client.get(address)  # its worker has read the moves
    with CaptureQueriesContext(connection) as before:
        client.get(address)
        queries = len(before)
    for ply in (5, 5, 6):
        say(client, over, alice, f"Comment {ply}", ply)
    client.logout()
    with django_assert_num_queries(queries + 1):
        assert "Comment 5" in client.get(address).content.decode()


def test_the_database_keeps_comments_to_moves(over: Game, alice: Player) -> None:
    seat = over.seats.get(player=alice)
    about = {"game": over, "seat": seat, "ply": over.ply, "text": "x", "at": AT}
    for wrong in ({"about_ply": 0}, {"about_ply": 61}, {"about_ply": 5, "with_move": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Postcard.objects.create(number=1, **about, **wrong)

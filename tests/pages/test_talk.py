"""Talk at the table: postcards are written and read, and kept from whom they are not for."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.limits import POSTCARDS
from games.models import Game, Player, Postcard, Seat
from games.pages.table.poll import poll_url
from tests.cast import AT, make_game, make_table, play_out
from tests.pages.helpers import seat_of, soup, soup_of, table_url, text_of, to_move
from tests.pages.talking import page, said, write

LATER = AT + timedelta(hours=1)


# --- Writing ---------------------------------------------------------------------------------------


def test_players_write_to_all_at_the_table(client: Client, game: Game, alice: Player, bob: Player) -> None:
    response = write(client, game, alice, "Hello,  all!\r\nA fine  lake.")
    assert (response.status_code, response["Location"]) == (303, f"{table_url(game)}#said")
    [postcard] = game.postcards.all()
    assert (postcard.text, postcard.seat.player, postcard.number) == ("Hello, all!\nA fine lake.", alice, 1)
    assert "Hello, all!" in said(client, game, bob)[0]
    history = soup_of(page(client, game, bob)).select("#history + .history li")
    assert [item.get_text() for item in history] == ["alice: Hello, all! A fine lake."]


def test_the_name_of_a_writer_leads_to_their_page(client: Client, game: Game, alice: Player, bob: Player) -> None:
    write(client, game, alice, "Hello")
    write(client, game, bob, "Here I am")
    Postcard.objects.filter(number=1).update(with_move=True, ply=3)
    for path in ("", "talk/"):
        shown = soup_of(client.get(table_url(game, path)).content.decode()).select(".history li a.who")
        assert {(link.get_text(), link["href"]) for link in shown} >= {
            ("alice", "/players/alice/"),
            ("bob", "/players/bob/"),
        }
    lead = soup_of(client.get(table_url(game, "talk/1/")).content.decode()).select(".lead a.who")
    assert [(link.get_text(), link["href"]) for link in lead] == [("alice", "/players/alice/")]
    play.close_account(alice, keeps_words=True, at=AT)
    names = [
        item.get_text(" ", strip=True).split(", with move")[0]
        for item in soup_of(client.get(table_url(game, "talk/")).content.decode()).select(".history li b")
    ]
    assert names == [f"former-{alice.pk}", "bob"]
    linked = soup_of(client.get(table_url(game, "talk/")).content.decode()).select(".history li a.who")
    assert [link.get_text() for link in linked] == ["bob"]


def test_strangers_and_visitors_write_nothing(client: Client, game: Game, mallory: Player) -> None:
    assert write(client, game, mallory, "Hello").status_code == 403
    client.logout()
    assert client.post(table_url(game, "talk/"), {"say": "Hello"}).status_code == 302
    assert not Postcard.objects.exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Fill this in."),
        (" \n\t ", "Fill this in."),
        ("x" * 501, "At most 500 letters fit here"),
        ("a\u202etxt.exe", "Leave out the signs that cannot be seen."),
        ("a\u2066b", "Leave out the signs that cannot be seen."),
        ("bell\x07", "Leave out the signs that cannot be seen."),
        ("null\x00", "Leave out the signs that cannot be seen."),
        ("blank\u200b", "Leave out the signs that cannot be seen."),
        ("\u3164", "Leave out the signs that cannot be seen."),
    ],
)
def test_it_refuses_what_is_no_postcard(client: Client, game: Game, alice: Player, text: str, why: str) -> None:
    response = write(client, game, alice, text)
    assert response.status_code == 422
    assert why in text_of(response, "[role=alert][autofocus]")
    assert not Postcard.objects.exists()


def test_what_was_refused_is_not_lost(client: Client, game: Game, alice: Player) -> None:
    html = write(client, game, alice, "<b>bold</b>" + "x" * 500).content.decode()
    assert soup_of(html).select_one("#say").get_text() == "<b>bold</b>" + "x" * 500
    assert soup_of(html).select_one("#talk").has_attr("open")
    assert not soup_of(html).select("textarea[maxlength]"), "browsers would cut what is pasted, without a word"


@pytest.mark.parametrize("end", ["talk/", "move/"])
def test_what_was_written_while_signed_out_waits_to_be_sent(client: Client, game: Game, end: str) -> None:
    table, player = table_url(game), to_move(game)
    sent = {"say": "Back from the tram!", "move": "C4-D1", "ply": str(game.ply)}
    page(client, game, player)
    Session.objects.all().delete()
    assert client.post(f"{table}{end}", sent)["Location"].startswith("/accounts/login/?next=")
    assert "tram" not in text_of(client.get(table))
    client.force_login(player)
    for _look in range(2):
        [field] = soup(client.get(table)).select("#say")
        assert field.get_text() == "Back from the tram!"
        assert not Postcard.objects.exists()
    other = make_table(player, size=2, at=AT)
    assert [field.get_text() for field in soup(client.get(table_url(other))).select("#say")] == [""]
    client.post(f"{table}talk/", {"say": "Back from the tram!"})
    assert [field.get_text() for field in soup(client.get(table)).select("#say")] == [""]


def test_visitors_store_few_sessions(game: Game) -> None:
    """None without words, and no more than one network may write."""
    for say in ("", *("Nothing to say" for _post in range(42))):
        client = Client()
        client.cookies["player"] = "1"
        client.post(f"{table_url(game)}move/", {"say": say, "move": "C4-D1", "ply": str(game.ply)})
        assert say or not Session.objects.exists()
    assert Session.objects.count() == POSTCARDS.rates[0].amount


def test_the_link_of_a_postcard_says_that_it_is_one(client: Client, game: Game, alice: Player) -> None:
    write(client, game, alice, "Good luck!")
    [link] = soup_of(page(client, game, alice)).select("#said a[href*='/talk/']")
    assert link.get_text().startswith("Postcard, just\N{NO-BREAK SPACE}now")


def test_headings_lead_to_what_is_folded(client: Client, game: Game) -> None:
    html = soup_of(page(client, game, to_move(game)))
    headings = [heading.get_text() for heading in html.select("#table h2")]
    assert {"Your clan card", "My notebook", "Talk", "The board as a list, to choose from"} <= {*headings}


def test_it_keeps_what_people_write_with(client: Client, game: Game, alice: Player) -> None:
    texts = ["👨‍👩‍👧 🏳️‍🌈", "می‌خواهم", "שלום", "¿Qué tal?", "a < b && c"]
    for text in texts:
        assert write(client, game, alice, text).status_code == 303
    assert [postcard.text for postcard in game.postcards.order_by("number")] == texts


def test_a_second_click_says_nothing_twice(client: Client, game: Game, alice: Player, bob: Player) -> None:
    with time_machine.travel(AT, tick=False) as traveller:
        for seconds in (0, 59):
            traveller.move_to(AT + timedelta(seconds=seconds))
            assert write(client, game, alice, "Hello").status_code == 303
        write(client, game, bob, "Hello")
        traveller.move_to(AT + timedelta(seconds=120))
        write(client, game, alice, "Hello")
    assert game.postcards.count() == 3


def test_nobody_floods_a_table(client: Client, game: Game, alice: Player, bob: Player) -> None:
    with time_machine.travel(AT, tick=False) as traveller:
        statuses = [write(client, game, alice, f"Hello {number}").status_code for number in range(41)]
        assert statuses == [303] * 40 + [429]
        assert write(client, game, bob, "Stop it").status_code == 303
        traveller.shift(3601)
        assert write(client, game, alice, "Sorry").status_code == 303


def test_markup_is_text_and_addresses_are_links(client: Client, game: Game, alice: Player, bob: Player) -> None:
    write(client, game, alice, "<script>x</script> https://example.com/?a=1&b=\"2\" www.example.org 'quoted'")
    html = page(client, game, bob)
    assert "<script>x" not in html
    links = soup_of(html).select("#said a[rel]")
    assert [link["href"] for link in links] == ["https://example.com/?a=1&b=", "http://www.example.org"]
    assert {link["rel"] for link in links} == {"nofollow noopener ugc"}
    assert "<script>x</script>" in soup_of(html).select_one("#said").get_text()


# --- With a move -----------------------------------------------------------------------------------


def test_a_postcard_goes_with_a_move(client: Client, game: Game) -> None:
    player = to_move(game)
    client.force_login(player)
    move = str(play_moves(game)[0])
    response = client.post(table_url(game, "move/"), {"ply": "0", "move": move, "say": "There you go"})
    assert response.status_code == 303
    [postcard] = game.postcards.all()
    assert (postcard.ply, postcard.with_move, postcard.text) == (1, True, "There you go")
    assert client.post(table_url(game, "move/"), {"ply": "0", "move": move, "say": "There you go"}).status_code == 303
    assert game.postcards.count() == 1
    history = soup_of(page(client, game, player)).select("#history + .history li")
    lines = [item.get_text() for item in history]
    assert lines[0] == f"{player.username}, with move 1: There you go"
    assert lines[1].startswith(f"1{player.username} moved")


def play_moves(game: Game) -> list[rules.Move]:
    return list(rules.legal_moves(game.position()))


@pytest.mark.parametrize(
    ("move", "text", "status"), [("A1-L5", "Ha", 422), ("", "x" * 501, 422), ("", "a\u202eb", 422)]
)
def test_with_a_move_all_goes_or_nothing(client: Client, game: Game, move: str, text: str, status: int) -> None:
    client.force_login(to_move(game))
    sent = {"ply": "0", "move": move or str(play_moves(game)[0]), "say": text}
    response = client.post(table_url(game, "move/"), sent)
    assert response.status_code == status
    assert soup_of(response.content).select_one("#say").get_text() == text
    game.refresh_from_db()
    assert (game.ply, game.postcards.count()) == (0, 0)


def test_without_script_a_button_sends_words_and_move(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    move = next(move for move in play_moves(game) if not move.order)
    assert not soup_of(client.get(table_url(game)).content).select("#talk [formaction]")
    html = soup_of(client.get(table_url(game) + f"?move={move}").content)
    [button] = html.select("#talk [formaction]")
    fields = {field["name"]: field["value"] for field in html.select("#talk form input")}
    response = client.post(button["formaction"], fields | {"say": "There you go"})
    assert (response.status_code, game.postcards.get().with_move) == (303, True)
    assert game.moves.get().text == str(move)


# --- Who reads -------------------------------------------------------------------------------------


@pytest.mark.parametrize("talk", Game.Talk.values)
@pytest.mark.parametrize("is_public", [True, False])
@pytest.mark.parametrize("is_over", [False, True])
def test_others_read_what_the_table_says(
    client: Client, alice: Player, bob: Player, mallory: Player, talk: str, is_public: bool, is_over: bool
) -> None:
    game = make_game(alice, bob, is_public=is_public)
    Game.objects.filter(pk=game.pk).update(talk=talk)
    play.write_postcard(game, player=alice, text="between us", at=AT)
    if is_over:
        for player in (alice, bob):
            play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    may_read = is_public and (talk == "open" or (talk == "end" and is_over))
    for reader, expected in ((alice, True), (bob, True), (mallory, may_read), (None, may_read)):
        assert ("between us" in page(client, game, reader)) == expected
        assert ("between us" in client.get(table_url(game, "talk/"), follow=True).content.decode()) == expected


def test_it_says_that_computer_players_read_nothing(client: Client, alice: Player, bob: Player) -> None:
    for game, is_alone in ((make_game(alice, bots=2), True), (make_game(alice, bob, bots=1), False)):
        assert ("Only you read it" in page(client, game, alice)) == is_alone
        assert ("Only the players of this table read it" in page(client, game, alice)) != is_alone
    assert "Only you read it" not in page(client, make_table(alice, size=4, bots=2), alice)


def test_what_is_said_is_the_same_to_others_in_all_worlds(
    client: Client, game: Game, alice: Player, mallory: Player
) -> None:
    """The words are the secret, and that there are any."""

    def world() -> list[bytes]:
        seen = []
        for reader in (mallory, None):
            client.logout()
            if reader:
                client.force_login(reader)
            for path in ("", "talk/", "talk/1/", "feed/", "ply/0/", "deal/", "record.json"):
                answer = client.get(table_url(game, path))
                seen.append(f"{answer.status_code} {answer.headers.get('Location')}".encode() + stable(answer.content))
            answer = client.get(poll_url(game.slug, reader))
            seen.append(answer.content + answer["ETag"].encode())
        return seen

    with time_machine.travel(AT, tick=False):
        silent = world()
        play.write_postcard(game, player=alice, text="bob is red", at=AT)
        worlds = [world()]
        Postcard.objects.update(text="carol is blue")
        worlds.append(world())
        assert worlds[0] == worlds[1] == silent
        client.force_login(alice)
        assert b"carol is blue" in client.get(table_url(game)).content


def stable(content: bytes) -> bytes:
    """A page without what chance puts into it."""
    return re.sub(rb'(csrfmiddlewaretoken" value=|nonce=)"[^"]+"', b"", content)


def test_nobody_caches_the_talk(client: Client, game: Game, alice: Player) -> None:
    play.write_postcard(game, player=alice, text="between us", at=AT)
    client.force_login(alice)
    for path in ("", "talk/", "talk/1/"):
        assert "no-store" in client.get(table_url(game, path))["Cache-Control"]


# --- While it goes on ------------------------------------------------------------------------------


def test_it_begins_at_the_open_table_and_goes_on_for_30_days_after_the_end(
    client: Client, alice: Player, bob: Player
) -> None:
    table = make_table(alice, size=2)
    assert write(client, table, alice, "Who comes?").status_code == 303
    assert "Who comes?" in page(client, table, alice)
    play.join_table(table, player=bob, at=AT)
    table.refresh_from_db()
    game = play_out(table)
    assert game.ended_at
    with time_machine.travel(game.ended_at + timedelta(days=30), tick=False) as traveller:
        assert write(client, game, bob, "Well played").status_code == 303
        traveller.shift(timedelta(seconds=1))
        response = write(client, game, bob, "Too late")
        assert response.status_code == 409
        assert "The talk at this table is over, so nothing was sent." in response.content.decode()
        html = page(client, game, bob)
    assert "Well played" in html
    assert not soup_of(html).select_one("#say")


def test_a_page_that_waits_hears_of_it(
    client: Client, game: Game, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    known = client.get(poll_url(game.slug, bob))["ETag"]
    with django_assert_num_queries(1):
        assert client.get(poll_url(game.slug, bob), headers={"If-None-Match": known}).status_code == 304
    play.write_postcard(game, player=alice, text="Hello", at=AT)
    answer = client.get(poll_url(game.slug, bob), headers={"If-None-Match": known})
    assert answer.status_code == 200
    client.force_login(bob)
    table = soup_of(client.get(table_url(game)).content).select_one("#table")
    assert (table["data-version"], table["data-heard"]) == (answer.json()["version"], "1")
    with django_assert_num_queries(1):
        again = client.get(poll_url(game.slug, bob), headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_what_is_new_is_marked_until_it_is_seen(client: Client, game: Game, alice: Player, bob: Player) -> None:
    write(client, game, alice, "Hello")
    html = soup_of(page(client, game, bob))
    assert html.select_one("#talk > summary").get_text() == "Talk (1 new)"
    assert html.select_one("#talk").has_attr("open")
    assert client.post(table_url(game, "seen/"), {"ply": "0", "heard": "1"}).status_code == 204
    html = soup_of(page(client, game, bob))
    assert html.select_one("#talk > summary").get_text() == "Talk"
    assert soup_of(page(client, game, alice)).select_one("#talk > summary").get_text() == "Talk"


def test_a_page_shows_the_last_20_and_another_all(
    client: Client, game: Game, alice: Player, bob: Player, django_assert_max_num_queries: Any
) -> None:
    client.force_login(bob)
    client.get(table_url(game))
    with django_assert_max_num_queries(50) as silent:
        client.get(table_url(game))
    for number in range(130):
        play.write_postcard(game, player=alice, text=f"number {number}.", at=AT + timedelta(minutes=number))
    with django_assert_max_num_queries(len(silent) + 1):
        html = client.get(table_url(game)).content.decode()
    assert [f"number {number}." in html for number in (109, 110, 129)] == [False, True, True]
    for part in ("#talk", "section[aria-labelledby=history]"):
        assert soup_of(html).select_one(f"{part} a[href='{table_url(game)}talk/']").get_text() == "All that was said"
    everything = client.get(table_url(game, "talk/")).content.decode()
    assert [f"number {number}." in everything for number in (29, 30, 129)] == [False, True, True]
    older = soup_of(everything).select_one("a[href^='?before=']")["href"]
    assert "number 0." in client.get(table_url(game, "talk/") + older).content.decode()


def test_seats_know_what_was_read(game: Game, alice: Player, bob: Player) -> None:
    play.write_postcard(game, player=alice, text="one", at=AT)
    play.mark_seen(game, player=bob, ply=0, heard=10**6, at=LATER)
    assert seat_of(game, bob).heard == 1
    assert Seat.objects.get(pk=seat_of(game, alice).pk).heard == 0

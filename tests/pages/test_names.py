"""Names in what a table tells: where they lead, and that the rest of a sentence stays what it was."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games import play
from games.models import Game, Player, Seat
from games.pages.table.sentences import link_words
from tests.cast import AT, make_game, make_table, play_random, seat_to_move
from tests.pages.helpers import seat_of, soup, table_url, to_move
from tests.pages.talking import write

LATER = AT + timedelta(hours=5)


def named(response: Any, selector: str) -> list[tuple[str, str]]:
    """The links of each place there: what they say and where they lead."""
    found = [link for part in soup(response).select(selector) for link in part.select("a")]
    return [(link.get_text(), str(link["href"])) for link in found]


def sentences(response: Any, selector: str) -> list[str]:
    return [" ".join(item.get_text().split()) for item in soup(response).select(selector)]


def test_names_of_the_history_lead_to_the_pages_of_players(client: Client, mid: Game) -> None:
    page = client.get(table_url(mid))
    movers = [mid.seats.get(number=move.seat).name for move in mid.moves.order_by("-ply")]
    assert len({*movers}) > 1
    assert named(page, ".history p") == [(name, f"/players/{name}/") for name in movers]
    last = mid.steps()[-1].move
    assert sentences(page, ".history p")[0].startswith(f"{movers[0]} moved {last.origin} to {last.target}")


def test_names_of_the_news_lead_there_and_what_they_did_to_its_ply(client: Client, game: Game) -> None:
    play_random(game, 3)
    client.force_login(to_move(game))
    page = client.get(table_url(game))
    moves = list(game.moves.order_by("ply"))[-2:]
    names = [game.seats.get(number=move.seat).name for move in moves]
    links = named(page, ".missed li")
    assert links[::2] == [(name, f"/players/{name}/") for name in names]
    assert [where for _text, where in links[1::2]] == [table_url(game, f"ply/{move.ply + 1}/") for move in moves]
    for name, (text, _where), whole in zip(names, links[1::2], sentences(page, ".missed li"), strict=True):
        assert f"{name} {text}" == whole


def test_a_single_last_move_names_its_player_with_a_link(client: Client, game: Game) -> None:
    mover = seat_to_move(game).name
    play_random(game, 1)
    client.force_login(to_move(game))
    for path, part in (("", ".prompt [data-news]"), ("ply/1/", ".prompt h2")):
        assert named(client.get(table_url(game, path)), part) == [(mover, f"/players/{mover}/")]
    assert named(client.get("/turns/"), "fieldset .stack > p")[:1] == [(mover, f"/players/{mover}/")]


def test_computer_players_and_closed_accounts_lead_nowhere(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob, bots=1)
    play_random(game, 6)
    name = play.close_account(bob, at=LATER)
    for path in ("", "ply/6/"):
        page = client.get(table_url(game, path))
        assert {name, "alice"} <= {sentence.split(" moved")[0] for sentence in sentences(page, ".history p")}
        assert {*named(page, ".history p")} == {("alice", "/players/alice/")}


def test_what_was_done_at_a_seat_leads_to_whoever_had_it_then(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    game = make_table(alice, size=2, terms=play.Terms(allows_takeover=True))
    play.join_table(game, player=bob, entropy="words", at=AT)
    play_random(game, 2)
    play.resign(game, player=bob, at=AT + timedelta(hours=1))
    play.take_over(game, player=mallory, number=seat_of(Game.objects.get(pk=game.pk), bob).number or 0, at=LATER)
    page = client.get(table_url(game))
    events = [sentence for sentence in sentences(page, ".history p") if " moved " not in sentence]
    assert events == ["mallory took over the seat of bob.", "bob resigned; a computer player moves on."]
    hers, his = ("mallory", "/players/mallory/"), ("bob", "/players/bob/")
    assert named(page, ".history p")[:3] == [hers, his, his]
    former = play.close_account(bob, at=LATER + timedelta(hours=1))
    page = client.get(table_url(game))
    assert sentences(page, ".history p")[0] == f"mallory took over the seat of {former}."
    assert {*named(page, ".history p")} == {hers, ("alice", "/players/alice/")}


def test_names_and_words_are_escaped(client: Client, game: Game, alice: Player) -> None:
    write(client, game, alice, "<i>Hello</i> & good morning")
    play_random(game, 3)
    Seat.objects.filter(game=game).update(name='<b>"&x')
    page = client.get(table_url(game))
    assert b"<b>&quot;" not in page.content
    assert b'<b>"' not in page.content
    assert b"<i>Hello" not in page.content
    told = sentences(page, ".history p")
    assert any(sentence.startswith('<b>"&x moved ') for sentence in told)
    client.force_login(alice)
    assert '<b>"&x: <i>Hello</i> & good morning' in sentences(client.get(table_url(game)), ".history p")
    assert ('<b>"&x', "/players/%3Cb%3E%22%26x/") in named(client.get(table_url(game)), ".history p")


BOB = '<a href="/p/">bob</a>'


@pytest.mark.parametrize(
    ("name", "sentence", "leads"),
    [
        (BOB, '<a href="/p/">bob</a> moved C4 to D1.', '<a href="/p/">bob</a> <a href="/x/">moved C4 to D1.</a>'),
        (
            BOB,
            'Moved for <a href="/p/">bob</a>: C4 to D1.',
            'Moved for <a href="/p/">bob</a>: <a href="/x/">C4 to D1.</a>',
        ),
        (BOB, 'C4 to D1 by <a href="/p/">bob</a>.', '<a href="/x/">C4 to D1 by </a><a href="/p/">bob</a>.'),
        ("computer 1", "computer 1 moved C4 to D1.", '<a href="/x/">computer 1 moved C4 to D1.</a>'),
    ],
)
def test_what_stands_beside_a_name_leads_to_the_ply(name: str, sentence: str, leads: str) -> None:
    assert link_words(sentence, name, "/x/") == leads

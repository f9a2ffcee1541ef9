"""A move that came by mail and waits to be confirmed, at its table."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games import play
from games.models import Game, InboundMail, MailAnswers, Player
from tests.cast import AT, make_game, seat_to_move
from tests.inbox.writing import answer, codes, mover, other_move, some_move
from tests.pages.helpers import signed_in, soup, table_url, text_of

LATER = AT + timedelta(hours=1)
SAID = "by mail. It is not played yet."


@pytest.fixture
def asked(by_mail: Game) -> Game:
    """A game whose players confirm on the site what they send by mail."""
    Player.objects.update(mail_answers=MailAnswers.ASK)
    return by_mail


def test_its_player_finds_it_at_the_table_and_confirms_it(asked: Game) -> None:
    player, move = mover(asked), some_move(asked)
    client = signed_in(player)
    assert SAID not in text_of(client.get(table_url(asked)))
    assert codes(answer(player, move, at=LATER)) == ["asked"]
    page = client.get(table_url(asked))
    assert f"You have sent {move} {SAID}" in text_of(page)
    [link] = [link for link in soup(page).select(".notice a") if link.get_text() == "Look and confirm"]
    draft = client.get(str(link["href"]))
    assert SAID not in text_of(draft)
    form = soup(draft).select_one("form#move")
    assert form is not None
    sent = {str(field["name"]): str(field.get("value", "")) for field in form.select("input[name]")}
    assert sent["move"] == move
    assert client.post(table_url(asked, "move/"), sent).status_code == 303
    assert asked.moves.get().text == move
    assert SAID not in text_of(client.get(table_url(asked)))


def test_nobody_else_gets_anything_of_it(asked: Game) -> None:
    player = mover(asked)
    others = [seat.player for seat in asked.seats.select_related("player") if seat.player != player]

    def shown() -> list[str]:
        return [text_of(signed_in(other).get(table_url(asked)), "body") for other in (*others, None)]

    before = shown()
    assert codes(answer(player, some_move(asked), at=LATER)) == ["asked"]
    assert shown() == before


def test_the_last_one_counts(asked: Game) -> None:
    player, last = mover(asked), other_move(asked)
    answer(player, some_move(asked), at=LATER)
    answer(player, last, at=LATER + timedelta(minutes=1))
    assert f"You have sent {last} {SAID}" in text_of(signed_in(player).get(table_url(asked)))


def test_one_of_an_earlier_turn_or_another_table_is_none(asked: Game) -> None:
    player, seat = mover(asked), seat_to_move(asked)
    people = [each.player for each in asked.seats.select_related("player").order_by("joined") if each.player]
    answer(player, some_move(asked), at=LATER)
    other = make_game(*people, at=LATER - timedelta(minutes=30))
    Game.objects.filter(pk=other.pk).update(to_move=other.seats.get(player=player).number, awaited=player)
    assert SAID not in text_of(signed_in(player).get(table_url(other)))
    play.play_move(asked, seat=seat, move=some_move(asked), ply=0, key="page", at=LATER)
    asked.refresh_from_db()
    Game.objects.filter(pk=asked.pk).update(to_move=seat.number, awaited=player, turn_since=LATER + timedelta(hours=1))
    assert SAID not in text_of(signed_in(player).get(table_url(asked)))
    assert InboundMail.objects.get().results[0]["code"] == "asked"


def test_it_costs_one_query_of_whoever_is_to_move(asked: Game, settings: Any) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count(client: Client) -> int:
        client.get(table_url(asked))
        with CaptureQueriesContext(connection) as made:
            client.get(table_url(asked))
        return len(made)

    client = signed_in(mover(asked))
    with_answers = count(client)
    settings.REPLY_ADDRESS = ""
    assert with_answers == count(client) + 1

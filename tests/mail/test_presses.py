"""Buttons of mails that move without signing in, for players who wish so."""

from __future__ import annotations

import re

import pytest

from games.mail.message import MailMessage
from games.models import Game, Notice, Player, TokenTurn, TurnToken, find_turn_token
from tests.cast import AT, make_game, play_random
from tests.faults.worlds import turn_cards
from tests.mail.composed import compose

SECRET = re.compile(r"/turn/(\w+)/#([a-z2-7]{32})(?!\w)")
WARNING = "Whoever has it can make this one move for you, without signing in."


@pytest.fixture
def call(game: Game) -> Notice:
    """The call to the first turn, of a player who wishes so."""
    Player.objects.update(presses=True)
    return calls(game)[0]


def calls(*games: Game) -> list[Notice]:
    found = Notice.objects.loaded().filter(kind=Notice.Kind.TURN, seat__game__in=games)
    return list(found.order_by("pk"))


def parts(message: MailMessage) -> list[str]:
    """Text and HTML."""
    found = [part for part in message.message().walk() if part.get_content_maintype() == "text"]
    return [bytes(part.get_payload(decode=True)).decode() for part in found]


def words(part: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", part).split())


def test_it_leads_to_a_page_that_moves(call: Notice) -> None:
    for part in parts(message := compose(call)):
        [(slug, secret)] = set(SECRET.findall(part))
        assert (slug, WARNING in words(part)) == (call.seat.game.slug, True)
        token = find_turn_token(secret, TurnToken.Use.PRESS)
        assert token is not None
        turn = token.turns.get()
        assert (token.player, turn.seat, turn.is_open) == (call.reader, call.seat, True)
    assert len(parts(message)) == 2


def test_it_leads_to_the_table_for_everybody_else(call: Notice) -> None:
    Player.objects.update(presses=False)
    for part in parts(compose(calls(call.seat.game)[0])):
        assert (SECRET.findall(part), f"/tables/{call.seat.game.slug}/" in part, WARNING in words(part)) == (
            [],
            True,
            False,
        )
    assert not TurnToken.objects.exists()


@pytest.mark.parametrize("kind", [Notice.Kind.REMINDER, Notice.Kind.NUDGE])
def test_so_do_other_calls_to_the_turn(call: Notice, kind: Notice.Kind) -> None:
    other = Notice(seat=call.seat, player=call.player, kind=kind, ply=0, about=0, created_at=AT)
    assert all(SECRET.search(part) for part in parts(compose(other)))


def test_no_other_mail_moves(call: Notice) -> None:
    game = call.seat.game
    waiting = game.seats.exclude(pk=call.seat.pk).select_related("game", "player").first()
    assert waiting is not None
    news = Notice(seat=waiting, player=waiting.player, kind=Notice.Kind.PROPOSAL, ply=0, about=0, created_at=AT)
    play_random(game)
    over = Notice.objects.loaded().filter(kind=Notice.Kind.FINISHED)[0]
    assert [SECRET.findall(part) for mail in (compose(news), compose(over)) for part in parts(mail)] == [[]] * 4
    assert not TurnToken.objects.exists()


def test_each_table_of_a_bundle_has_its_own(alice: Player, bob: Player) -> None:
    Player.objects.update(presses=True)
    called = calls(*(make_game(alice, bob) for _table in range(3)))
    mine = max(([one for one in called if one.reader == player] for player in (alice, bob)), key=len)
    for part in parts(compose(mine)):
        assert len(dict(SECRET.findall(part))) == len(mine)
    assert TurnToken.objects.count() == TokenTurn.objects.count() == len(mine)


def test_it_is_the_same_in_all_worlds(call: Notice) -> None:
    """But for the secret, which is random."""
    seen = []
    for turn in range(3):
        turn_cards(None, turn=turn)
        seen.append([SECRET.sub("", part) for part in parts(compose(calls(call.seat.game)[0]))])
    assert seen[1:] == seen[:1] * 2

"""Answers of players who have left the table meanwhile: nothing is done, and no worker fails."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import inbox, play
from games.inbox import Envelope
from games.models import Game, InboundMail, Player, Postcard, TurnToken, make_turn_token
from tests.cast import AT, make_table
from tests.inbox.conftest import REPLY_ADDRESS
from tests.inbox.dns_server import DnsServer
from tests.inbox.writing import write

LATER = AT + timedelta(hours=1)


@pytest.fixture
def address(answers: DnsServer, open_table: Game, bob: Player) -> str:
    """Where bob answers a postcard at an open table."""
    secret = make_turn_token(bob, {1: open_table.seats.get(player=bob)}, use=TurnToken.Use.TALK, at=AT)
    return REPLY_ADDRESS.replace("@", f"+{secret}@")


@pytest.fixture
def open_table(alice: Player, bob: Player) -> Game:
    table = make_table(alice)
    play.join_table(table, player=bob, at=AT)
    return table


def bring(address: str, bob: Player) -> InboundMail:
    raw = write(address, "See you tonight!", sender=bob.email)
    return inbox.receive(raw, Envelope(sender=bob.email, recipient=address), at=LATER)


def test_what_came_before_they_left_does_nothing(address: str, open_table: Game, bob: Player) -> None:
    taken = bring(address, bob)
    play.leave_table(open_table, player=bob)
    assert inbox.handle(taken.pk, at=LATER) == InboundMail.Outcome.EMPTY
    taken.refresh_from_db()
    assert (taken.state, taken.notice, taken.crashes) == (InboundMail.State.SUPERSEDED, None, 0)
    assert not Postcard.objects.exists()


def test_what_comes_after_is_refused_at_once(address: str, open_table: Game, bob: Player) -> None:
    play.leave_table(open_table, player=bob)
    with pytest.raises(inbox.MailRefused, match="no-such-address"):
        bring(address, bob)

"""What a host says when it brings a mail need not be text."""

from __future__ import annotations

import pytest

from games import inbox
from games.inbox import Envelope
from games.models import Game
from tests.cast import AT, seat_to_move
from tests.inbox.writing import call_of, reply_to, write

ODD = ["\udcff", "alice\0@example.com", "ä@example.com", "x" * 5000]


@pytest.mark.parametrize("odd", ODD)
def test_it_stores_a_mail_whatever_the_host_says(odd: str, by_mail: Game) -> None:
    player = seat_to_move(by_mail).player
    assert player is not None
    to = reply_to(call_of(player))
    taken = inbox.receive(write(to, "C4-D1"), Envelope(sender=odd, recipient=to, client=odd, helo=odd), at=AT)
    taken.refresh_from_db()
    assert "\0" not in taken.sender + taken.helo
    assert taken.client is None


@pytest.mark.parametrize("odd", ["\udcff", "a\0", "a" * 5000, "'"])
def test_it_knows_no_such_address(odd: str, by_mail: Game) -> None:
    with pytest.raises(inbox.MailRefused, match="no-such-address"):
        inbox.receive(b"", Envelope(sender="", recipient=f"turn+{odd}@clans.example.net"), at=AT)

"""Answers by mail while the database takes no writes."""

from __future__ import annotations

import pytest

from games import inbox
from games.models import Game, InboundMail
from games.outage import IN_VAIN
from tests.inbox.writing import LATER, call_of, mover, moves, reply_to, some_move, write
from tests.mail.test_full_disk import no_writes


@pytest.mark.django_db(transaction=True)
def test_a_sweep_ends_after_three_failures_and_the_next_handles_all(
    by_mail: Game, caplog: pytest.LogCaptureFixture
) -> None:
    player, move = mover(by_mail), some_move(by_mail)
    to = reply_to(call_of(player))
    for _number in range(IN_VAIN + 2):
        envelope = inbox.Envelope(sender=player.email, recipient=to)
        inbox.receive(write(to, move, sender=player.email), envelope, at=LATER)
    with no_writes():
        assert inbox.handle_due(at=LATER, most=100) == 0
    assert caplog.text.count("is left to its lease") == IN_VAIN
    assert inbox.handle_due(at=LATER, most=100) == IN_VAIN + 2
    assert moves(by_mail) == [move]
    assert not InboundMail.objects.filter(outcome="").exists()

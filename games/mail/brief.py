"""What a notice says in short, for webhooks and feeds."""

from __future__ import annotations

from datetime import datetime

from games.mail.compose import as_read_by
from games.mail.letter import Letter, write_letter
from games.models import Notice


def brief_letter(notice: Notice, *, at: datetime) -> Letter:
    """What a mail of `notice` would say to its reader at `at`, in short; nothing that a visitor does not know.

    The notice need not be owed, or even be saved. Costs 3 queries and one fold.
    """
    player = notice.seat.player
    if player is None:
        raise ValueError("nobody sits there")
    with as_read_by(player):
        return write_letter(notice, at=at, is_short=True).letter

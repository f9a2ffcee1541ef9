"""Mails that tell no notices, because a notice is about a seat: those of invitations and about seasons.

They take the same steps as the others, and end by the same rule (`delivery.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from games import outbox
from games.mail.delivery import LEASE, Ending, not_wanted, quarantined, try_to_send
from games.mail.invitations import decide_invitation, render_invitation
from games.mail.plan import Verdict, decide_without_seat
from games.mail.season_mails import render_season_mail
from games.mail.transport.connection import Connection
from games.models import Invitation, Mail, OutgoingMail, SeasonMail

Row = TypeVar("Row", bound=OutgoingMail)
OVER: Final = (Mail.State.SENT, Mail.State.SUPERSEDED)


def deliver_invitation(pk: int, *, at: datetime, connection: Connection | None = None) -> str | None:
    """Send the mail of an invitation or release if it is due; the state that it then has.

    None if it was not for this caller to send. Raises only what the database raises; the lease then runs out, and a
    sweep sends it again.
    """
    rows = Invitation.objects.select_related("game", "season", "by", "player").defer("by__password", "player__password")
    if row := outbox.claim(rows, pk, at=at, lease=LEASE):
        verdict = decide_invitation(row, row.invited, at=at)
        return _attempt(row, verdict, render_invitation, at=at, connection=connection)
    return None


def deliver_season_mail(pk: int, *, at: datetime, connection: Connection | None = None) -> str | None:
    """The same for a mail about the end of a season to somebody who has no seat in it."""
    rows = SeasonMail.objects.select_related("season", "player").defer("player__password")
    if row := outbox.claim(rows, pk, at=at, lease=LEASE):
        verdict = decide_without_seat(row.player, at=at)
        return _attempt(row, verdict, render_season_mail, at=at, connection=connection)
    return None


def _attempt(
    row: Row, verdict: Verdict, render: Callable[[Row], None], *, at: datetime, connection: Connection | None
) -> str | None:
    """The state that the row then has; None, and nothing changed, when the claim has been lost."""
    if not verdict.goes:
        return _settle(row, not_wanted([verdict]))
    if row.has_crashed:
        return _settle(row, quarantined(row, Mail.Error.CRASHED, at=at))
    ending = try_to_send(row, partial(render, row), at=at, connection=connection)
    return _settle(row, ending) if ending else None


def _settle(row: OutgoingMail, ending: Ending) -> str | None:
    emptied = row.emptied_at_end if ending.state in OVER else {}
    return ending.state if outbox.release(row, ending.state, **ending.row, **emptied) else None

"""What a mail of some notices would say, without sending it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.mail.compose import render
from games.mail.message import MailMessage, as_message
from games.models import Mail, Notice


def mail_of(notices: Notice | Sequence[Notice], *, at: datetime | None = None, may_draw: bool = True) -> Mail:
    """The mail of notices to one player, rendered as of `at` and not saved."""
    notices = [notices] if isinstance(notices, Notice) else notices
    first = notices[0]
    assert first.seat.player is not None
    message_id = f"<{first.kind}-{first.ply}-{first.number}-{first.seat.pk}@localhost>"
    mail = Mail(player=first.seat.player, message_id=message_id)
    render(mail, notices, at=at or first.created_at, may_draw=may_draw)
    return mail


def compose(notices: Notice | Sequence[Notice], *, at: datetime | None = None, may_draw: bool = True) -> MailMessage:
    """The same as the message that goes out."""
    return as_message(mail_of(notices, at=at, may_draw=may_draw))


def id_of(notice: Notice) -> str:
    """The Message-ID under which a notice goes."""
    found = Mail.objects.get(notices=notice)
    return found.message_id

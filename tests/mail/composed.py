"""What a mail of some notices would say, without sending it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from django.test import override_settings

from games.drawing import play_sample, png
from games.mail.compose import render
from games.mail.illustrate import NotDrawn
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


def compose_undrawn(notices: Iterable[Notice]) -> list[MailMessage]:
    """The message of each notice, for who reads its words alone: all boards in it are the one that a sample shows.

    A board of its own for each mail takes a tenth of a second; nothing is left of the sample in the site's pictures.
    """
    with TemporaryDirectory() as folder, override_settings(PICTURES_DIR=Path(folder)):
        return [_compose_undrawn(notice) for notice in notices]


def _compose_undrawn(notice: Notice) -> MailMessage:
    try:
        return compose(notice, may_draw=False)
    except NotDrawn as told:
        for view in told.missing:
            png.cached_picture(view.name, partial(_sample_board, view.width))
    return compose(notice, may_draw=False)


@cache
def _sample_board(width: int) -> bytes:
    step = play_sample()
    return png.draw_mail_picture(step.position, steps=[step], width=width)


def id_of(notice: Notice) -> str:
    """The Message-ID under which a notice goes."""
    found = Mail.objects.get(notices=notice)
    return found.message_id

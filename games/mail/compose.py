"""A notice as the mail that goes out: text and HTML, in the reader's language and time zone."""

from __future__ import annotations

import hashlib
import textwrap
import zoneinfo
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Final

import css_inline
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from games.mail.bounces import return_address
from games.mail.letter import Letter, write_letter
from games.models import Notice, Player

HEADER_LINE: Final = 900
LINE: Final = 76
"""The longest line of the text part, but for addresses."""

# It leaves the night sheet alone: programs that read one get the dark paper, the others lose nothing.
_inliner = css_inline.CSSInliner(load_remote_stylesheets=False)


class GameMail(EmailMultiAlternatives):
    """A mail that is the same to the byte each time it is made: its boundary is made from its Message-ID.

    Long headers stay on one line: some programs read a value that is folded right after its name with a space too many.
    """

    def message(self, **options: Any) -> Any:
        message = super().message(**options)
        message.policy = message.policy.clone(max_line_length=HEADER_LINE)
        message.set_boundary(hashlib.sha256(self.extra_headers["Message-ID"].encode()).hexdigest()[:32])
        return message


def compose(notices: Notice | Sequence[Notice], *, at: datetime | None = None) -> GameMail:
    """The mail of a notice whose seat has a player; the same each time. Costs 3 queries and one fold."""
    notice = notices if isinstance(notices, Notice) else notices[0]
    player = notice.seat.player
    if player is None:
        raise ValueError(f"nobody reads notice {notice.pk}")
    with _as_read_by(player):
        letter = write_letter(notice)
        mail = GameMail(
            subject=" ".join(_render(notice, "subject.txt", letter).split()),
            body=tidy(_render(notice, "body.txt", letter)),
            from_email=return_address(notice) or None,
            to=[player.email],
            headers=_headers(notice, letter) | _from(),
        )
        mail.attach_alternative(_inliner.inline(_render(notice, "body.html", letter)), "text/html")
    return mail


def tidy(text: str) -> str:
    """Text with no two empty lines in a row and no line over LINE; what is folded keeps its indent."""
    lines = [part for line in text.strip().split("\n") for part in _fold(line.rstrip())]
    kept = [line for before, line in zip(["", *lines], lines, strict=False) if before or line]
    return "\n".join(kept) + "\n"


def _fold(line: str) -> list[str]:
    if len(line) <= LINE or "://" in line:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, LINE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _render(notice: Notice, part: str, letter: Letter) -> str:
    return render_to_string(f"mail/{notice.kind}/{part}", {"letter": letter})


def _headers(notice: Notice, letter: Letter) -> dict[str, str]:
    """What mail programs sort by. All mails about one table refer to the same id, so that they are one thread."""
    slug = notice.seat.game.slug
    thread = f"<{slug}.table@{settings.MAIL_DOMAIN}>"
    return {
        "Message-ID": notice.message_id,
        "Date": format_datetime(notice.dated_at or notice.created_at),
        "In-Reply-To": thread,
        "References": thread,
        "X-Clans-Game": slug,
        "X-Clans-Ply": str(notice.ply),
        "X-Clans-Kind": notice.kind,
        "Auto-Submitted": "auto-generated",
        "List-Id": f"Clans by mail <tables.{settings.MAIL_DOMAIN}>",
        "List-Unsubscribe": f"<{letter.stop_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _from() -> dict[str, str]:
    """Who the mail is from, where its envelope has a sender of its own."""
    return {"From": settings.DEFAULT_FROM_EMAIL} if settings.BOUNCE_ADDRESS else {}


@contextmanager
def _as_read_by(player: Player) -> Iterator[None]:
    try:
        zone = zoneinfo.ZoneInfo(player.time_zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        zone = zoneinfo.ZoneInfo("UTC")
    with translation.override(player.language), timezone.override(zone):
        yield

"""Notices as the mail that goes out: text and HTML, in the reader's language and time zone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _, ngettext

from games import pictures, words
from games.clocks import zone_named
from games.mail import addresses, illustrate
from games.mail.bounces import return_address
from games.mail.envelope import Enclosed, GameMail
from games.mail.illustrate import View
from games.mail.letter import AWAITS_READER, Letter, Link, Stamp, Written, write_letter
from games.mail.stencil import Filling
from games.mail.stop import stop_url
from games.models import Notice, Player
from games.prepared import fetch

LINE: Final = 76
"""The longest line of the text part, but for addresses."""
MOST_BYTES: Final = 98_000
"""No mail is larger, as it is sent and without its headers."""
PICTURES: Final = 3
"""So many tables of several in one mail show their board: those that are due first."""
FULL: Final = 10
"""So many notices in one mail are told in full."""
NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Mailing:
    """All that the templates of a mail see."""

    title: str
    subject: str
    lead: str
    glance: str
    """What lists of mails show beside the subject."""
    stamp: Stamp
    letters: tuple[Letter, ...]
    why: str
    stops: tuple[Link, ...]
    preferences: Link


class NotDrawn(Exception):
    """Pictures of a mail are not on the shelf yet; `draw` puts them there."""

    def __init__(self, missing: Sequence[tuple[View, Written]]) -> None:
        super().__init__(f"{len(missing)} pictures are not drawn yet")
        self.missing = missing

    def draw(self) -> None:
        for view, written in self.missing:
            illustrate.draw(view, written.pov)


def compose(notices: Notice | Sequence[Notice], *, at: datetime | None = None, may_draw: bool = True) -> GameMail:
    """The mail of notices to one player, as of `at`: the first is its carrier, whose Message-ID and date it has.

    The same notices give the same bytes however often it is tried: what may have gone out is told as of the date it
    had then. Costs 3 queries and one fold for each notice and one query more; pictures that are not on the shelf yet
    cost a tenth of a second each, or raise NotDrawn unless it `may_draw`.
    """
    notices = [notices] if isinstance(notices, Notice) else notices
    carrier = notices[0]
    player = carrier.seat.player
    if player is None:
        raise ValueError(f"nobody reads notice {carrier.pk}")
    moment = carrier.dated_at or at or carrier.created_at
    with as_read_by(player):
        told = _without_repeats(notices)
        written = _written(told, at=moment)
        missing = [(view, one) for one in written for view in one.views if not pictures.is_kept(view.name)]
        if missing and not may_draw:
            raise NotDrawn(missing)
        stops = tuple(_stops(told[0], player, is_bundle=len(told) > 1))
        headers = _headers(carrier, told, at=moment, stop_all=stops[-1].url) | _from()
        mail = _mail(carrier, player, written, stops, headers)
        while mail.enclosed and mail.weight > MOST_BYTES:
            written = _with_a_picture_less(written)
            mail = _mail(carrier, player, written, stops, headers)
    return mail


def _mail(
    carrier: Notice, player: Player, written: Sequence[Written], stops: tuple[Link, ...], headers: dict[str, str]
) -> GameMail:
    mailing = _mailing(player, written, stops)
    filling = Filling(mailing, name="mail")
    form = "bundle" if len(written) > 1 else "letter"
    return GameMail(
        subject=" ".join(mailing.subject.split()),
        body=tidy(filling.fill(f"mail/{form}.txt")),
        html=filling.fill(f"mail/{form}.html"),
        enclosed=[_enclosed(view, one) for one in written for view in one.views],
        notice=carrier.pk,
        from_email=return_address(carrier) or None,
        to=[player.email],
        headers=headers,
    )


def _written(notices: Sequence[Notice], *, at: datetime) -> list[Written]:
    """The letters of `notices`, nearest deadline first; of several the first few have a picture, each table once, and
    what comes after FULL is told in a line."""
    if len(notices) == 1:
        return [write_letter(notices[0], at=at)]
    letters = [write_letter(notice, at=at, is_short=True) for notice in notices]
    letters.sort(key=lambda one: one.due_at or NEVER)
    shown: set[str] = set()
    for place, one in enumerate(letters):
        if one.slug in shown or len(shown) >= PICTURES:
            letters[place] = replace(one, views=(), letter=replace(one.letter, now=None))
        elif one.views:
            shown.add(one.slug)
    return letters[:FULL] + [_in_a_line(one) for one in letters[FULL:]]


def _without_repeats(notices: Sequence[Notice]) -> list[Notice]:
    """The notices, but for those that a game has begun where its reader is called to that very table."""
    called = {notice.seat_id for notice in notices if notice.kind == Notice.Kind.TURN}
    return [notice for notice in notices if notice.kind != Notice.Kind.STARTED or notice.seat_id not in called]


def _in_a_line(one: Written) -> Written:
    brief = replace(one.letter, now=None, answers=(), since="", history=(), standings=(), ask="")
    return replace(one, views=(), letter=brief)


def _mailing(player: Player, written: Sequence[Written], stops: tuple[Link, ...]) -> Mailing:
    letters = tuple(one.letter for one in written)
    first = letters[0]
    if len(letters) == 1:
        title, subject, lead, glance, stamp = first.table, first.subject, first.lead, first.glance, first.stamp
    else:
        title, subject, lead, glance, stamp = _of_several(player, written)
    return Mailing(
        title=title,
        subject=subject,
        lead=lead,
        glance=glance,
        stamp=stamp,
        letters=letters,
        why=_("You get this mail because you have a seat at Clans by mail."),
        stops=stops,
        preferences=Link(_("Preferences"), addresses.preferences_url()),
    )


def _of_several(player: Player, written: Sequence[Written]) -> tuple[str, str, str, str, Stamp]:
    """Title, subject, lead, glance and stamp of a mail about several things."""
    tables = {one.slug: one.letter.table for one in written}
    waiting = {one.slug for one in written if Notice.Kind(one.letter.kind) in AWAITS_READER}
    count = len(tables)
    if len(waiting) == count:
        template = ngettext("%(count)d table waits for you", "%(count)d tables wait for you", count)
    else:
        template = ngettext("News from %(count)d table", "News from %(count)d tables", count)
    title = template % {"count": count}
    lead = _("%(name)s, here is what has happened, the nearest deadline first.") % {"name": player.username}
    stamp = Stamp(_("Tables"), str(count), _("in one mail"))
    return (
        title,
        f"{title}: {words.join_words(tables.values())}",
        lead,
        " ".join(one.letter.lead for one in written),
        stamp,
    )


def _stops(notice: Notice, player: Player, *, is_bundle: bool) -> Iterator[Link]:
    """What its reader can turn off: this table, this kind, and last of all, all."""
    if not is_bundle:
        yield Link(_("No more about this table"), stop_url(player, scope="table", about=notice.seat.pk))
        yield Link(_say_stop_kind(notice.kind), stop_url(player, scope="kind", about=notice.kind))
    yield Link(_("No more mails about games"), stop_url(player))


def _say_stop_kind(kind: str) -> str:
    return _("Reminders only") if kind not in (Notice.Kind.REMINDER, Notice.Kind.NUDGE) else _("No more reminders")


def _enclosed(view: View, written: Written) -> Enclosed:
    return Enclosed(view.cid, view.name, illustrate.draw(view, written.pov))


def _with_a_picture_less(written: Sequence[Written]) -> list[Written]:
    """The letters without their last picture, where the mail is too heavy; what it shows is in words anyway."""
    last = max(place for place, one in enumerate(written) if one.views)
    letter = written[last].letter
    lighter = replace(letter, before=None) if letter.before else replace(letter, now=None)
    fewer = replace(written[last], views=written[last].views[:-1], letter=lighter)
    return [*written[:last], fewer, *written[last + 1 :]]


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


# --- Headers -------------------------------------------------------------------------------------


def _headers(carrier: Notice, told: Sequence[Notice], *, at: datetime, stop_all: str) -> dict[str, str]:
    """What mail programs and other programs sort by: the id of the mail's carrier, else what is told first.

    The button of a mail program means all mails from here (RFC 8058): who wants less, but not nothing, has the links in
    the mail.
    """
    first = told[0]
    return {
        "Message-ID": carrier.message_id,
        "Date": format_datetime(at),
        **({} if len(told) > 1 else _thread(first, at=at)),
        "X-Clans-Game": first.seat.game.slug,
        "X-Clans-Ply": str(first.ply),
        "X-Clans-Kind": first.kind,
        "Auto-Submitted": "auto-generated",
        "List-Id": f"Clans by mail <tables.{settings.MAIL_DOMAIN}>",
        "List-Unsubscribe": f"<{stop_all}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _thread(notice: Notice, *, at: datetime) -> dict[str, str]:
    """The first and the last mail that its reader got about this table, so that all of them are one thread."""
    ids = [message_id for [message_id] in fetch(_sent_before, notice.seat_id, at)]
    if not ids:
        return {}
    return {"In-Reply-To": ids[-1], "References": " ".join(dict.fromkeys((ids[0], ids[-1])))}


def _sent_before(seat: int, at: datetime) -> QuerySet[Notice, Any]:
    """The ids of the mails about one seat's table that were really sent, with nothing else in them."""
    sent = Notice.objects.filter(seat=seat, state=Notice.State.SENT, sent_at__lt=at, carrier=None, riders=None)
    return sent.order_by("sent_at", "pk").values_list("message_id")


def _from() -> dict[str, str]:
    """Who the mail is from, where its envelope has a sender of its own."""
    return {"From": settings.DEFAULT_FROM_EMAIL} if settings.BOUNCE_ADDRESS else {}


@contextmanager
def as_read_by(player: Player) -> Iterator[None]:
    """Words and times inside are those of `player`."""
    language = words.dialect(player.language, white_clan=player.white_clan)
    with translation.override(language), timezone.override(zone_named(player.time_zone)):
        yield

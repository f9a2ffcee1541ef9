"""The mails that a season was closed before it began (design 2.8): what they say, and how they go out.

They are no notices, because their readers have no seat yet. They are claimed, retried and set aside as all that is owed
(`games.outbox`), as those of invitations are.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.utils.translation import gettext as _

from games import outbox, words
from games.mail import delivery, links
from games.mail.compose import Mailing, as_read_by, mailing_of, render_mailing
from games.mail.delivery import Ending
from games.mail.kinds import Link, Stamp
from games.mail.letter import Letter
from games.mail.message import make_headers
from games.mail.plan import decide_without_seat
from games.mail.stop import stop_url
from games.mail.transport.connection import Connection
from games.models import Cancellation, Player
from games.words.seasons import say_closed


def deliver_cancellation(pk: int, *, at: datetime, connection: Connection | None = None) -> str | None:
    """Send the mail if it is due, and say what became of it: its state; None if it was not for this caller to send.
    Raises only what the database raises; the lease then runs out, and a sweep sends it again."""
    rows = Cancellation.objects.select_related("season", "player").defer("player__password")
    row = outbox.claim(rows, pk, at=at, lease=delivery.LEASE)
    if row is None:
        return None
    verdict = decide_without_seat(row.player, at=at)
    if not verdict.goes:
        return _settle(row, delivery.not_wanted([verdict]))
    if row.has_crashed:
        return _settle(row, delivery.crashed(row, at=at))
    ending = delivery.render_and_send(row, partial(render_cancellation, row), at=at, connection=connection)
    return _settle(row, ending) if ending else None


def _settle(row: Cancellation, ending: Ending) -> str | None:
    return ending.state if outbox.release(row, ending.state, **ending.row) else None


def render_cancellation(row: Cancellation) -> None:
    """Fill in what the mail says, in the language and zone of its reader; nothing is saved."""
    with as_read_by(row.player):
        mailing = _mailing(row, row.player)
        text, html, subject = render_mailing(mailing)
    headers = make_headers(
        row.message_id, at=row.created_at, kind="cancelled", sender="seasons", stop_url=mailing.stops[-1].url
    )
    row.fill(subject=subject, text=text, html=html, headers=headers)


def _mailing(row: Cancellation, reader: Player) -> Mailing:
    return mailing_of(
        _letter(row),
        why=_("You get this mail because you have opened this season.")
        if row.season.opener_id == reader.pk
        else _("You get this mail because you had joined this season."),
        stops=(Link(_("No more mails about games"), stop_url(reader)),),
        preferences=Link(_("Preferences"), links.url("mail_preferences")),
    )


def _letter(row: Cancellation) -> Letter:
    about = {"season": words.one_line(row.season.name)}
    lead = _("The season %(season)s will not be played.") % about
    joined = row.season.entrants.filter(left_at=None).count()
    return Letter(
        table=about["season"],
        subject=_("The season will not be played: %(season)s") % about,
        lead=lead,
        summary=lead,
        notes=(
            say_closed(row.season),
            _("You need not do anything. On the page of leagues you can join another season, or open one."),
        ),
        stamp=Stamp(_("Players"), str(joined), _("joined")),
        button=_("See all leagues"),
        url=links.url("seasons"),
        other_buttons=(Link(_("Look at this season"), links.url("season", row.season.slug)),),
    )

"""An open table was closed before its game began."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from games.mail import links
from games.mail.kinds import common
from games.mail.kinds.base import Facts, Link, Logged, NoticeKind
from games.models import Notice


def _lead(facts: Facts) -> str:
    """Why there was no game: its opener closed the table, or nobody came."""
    if facts.notice.seat.game.asks_who_is_ready:
        return _say_who_stops(facts)
    if facts.about:
        return _("%(name)s closed this table before its game began.") % {"name": facts.about.name}
    missing = facts.pov.size - len(facts.pov.seats)
    return ngettext(
        "One seat stayed empty, so this open table was closed.",
        "%(count)d seats stayed empty, so this open table was closed.",
        missing,
    ) % {"count": missing}


def _say_who_stops(facts: Facts) -> str:
    if facts.about:
        return _("%(name)s does not go on, and with that the series is over.") % {"name": facts.about.name}
    return _("Not everybody was ready in time, and with that the series is over.")


def _notes(facts: Facts) -> tuple[str, ...]:
    if facts.notice.seat.game.asks_who_is_ready:
        return common.series_notes(facts, with_totals=True)
    return (_("Nothing was played. You can open another table, for fewer players or by a link for friends."),)


def _log(logged: Logged) -> str:
    if not logged.about:
        return _("Closed without a game")
    return _("%(name)s closed the table") % {"name": logged.about}


KIND: Final = NoticeKind(
    name=Notice.Kind.EXPIRED,
    is_still_true=common.is_always_true,
    sending=common.NEWS,
    subject=common.say(gettext_lazy("Closed without a game: %(table)s")),
    lead=_lead,
    notes=_notes,
    button=lambda _facts: Link(_("Open another table"), links.url("new_table")),
    stamp=common.seats_stamp,
    log=_log,
)

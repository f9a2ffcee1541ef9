"""The game has begun; whoever makes the first move is called to the turn besides."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import BoardPicture, Facts, NoticeKind, Stamp, WebhookPolicy
from games.models import Notice


def _notes(facts: Facts) -> tuple[str, ...]:
    return (*common.place_notes(facts), _summary(facts), common.card_note())


def _summary(facts: Facts) -> str:
    """Who makes the first move."""
    pov = facts.pov
    first = pov.seats[pov.opening.first].name if pov.opening else ""
    return _("%(first)s makes the first move; a mail calls you when it is your turn.") % {"first": first}


KIND: Final = NoticeKind(
    name=Notice.Kind.STARTED,
    is_still_true=lambda notice: notice.seat.game.is_running and not notice.seat.is_bot,
    sending=common.NEWS_UNLESS_SEEN,
    left_out_beside=Notice.Kind.TURN,
    subject=common.say(gettext_lazy("The game has begun: %(table)s")),
    lead=common.say(gettext_lazy("All are seated, and the game has begun.")),
    notes=_notes,
    summary=_summary,
    button=common.table_button(gettext_lazy("See your card and the board")),
    stamp=lambda facts: Stamp(_("Seats"), str(facts.pov.size), common.say_epoch(facts.pov)),
    board=BoardPicture.LARGE_WITH_BEFORE,
    push_body=_summary,
    webhook=WebhookPolicy(is_called=True),
    log=lambda _logged: _("The game has started"),
)

"""A fellow player proposes to abandon the game."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail import links
from games.mail.kinds import common
from games.mail.kinds.base import Facts, Link, NoticeKind
from games.models import Notice


def _is_still_true(notice: Notice) -> bool:
    """Whether the proposal stands and its reader is still asked. One query."""
    seat = notice.seat
    if not seat.game.is_running or seat.is_automatic or seat.agrees_to_abandon:
        return False
    return seat.game.seats.filter(number=notice.about, agrees_to_abandon=True).exists()


def _notes(facts: Facts) -> tuple[str, ...]:
    return (
        _("It ends once every person at the table agrees; then the cards are shown and nobody wins."),
        *common.abandoned_notes(facts),
        _("If you would rather play on, you need not do anything."),
    )


KIND: Final = NoticeKind(
    name=Notice.Kind.PROPOSAL,
    is_still_true=_is_still_true,
    sending=common.NEWS_UNLESS_SEEN,
    subject=common.say(gettext_lazy("%(name)s proposes to abandon the game: %(table)s")),
    lead=common.say(gettext_lazy("%(name)s proposes to abandon this game.")),
    notes=_notes,
    button=lambda facts: Link(_("Look and answer"), f"{links.url('table', facts.pov.slug)}#give-up"),
    stamp=common.move_stamp,
    log=lambda logged: _("%(name)s proposes to abandon the game") % {"name": common.name_fellow(logged.about)},
)

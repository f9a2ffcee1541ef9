"""The next table of a series is open: is its reader ready?"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import Facts, NoticeKind
from games.models import Game, Notice
from games.words.times import name_moment_and_zone


def _notes(facts: Facts) -> tuple[str, ...]:
    """Which game it is, how the totals stand, and until when the seats are kept."""
    notes, due_at = common.series_notes(facts, with_totals=True), facts.notice.seat.game.due_at
    if due_at is None:
        return notes
    until = _("The seats are kept until %(when)s. If somebody does not go on, or says nothing, the series ends there.")
    return *notes, until % {"when": name_moment_and_zone(due_at)}


KIND: Final = NoticeKind(
    name=Notice.Kind.NEXT,
    is_still_true=lambda notice: notice.seat.game.status == Game.Status.OPEN and not notice.seat.is_ready,
    sending=common.URGENT,
    subject=common.say(gettext_lazy("Are you ready for the next game? %(table)s")),
    lead=common.say(gettext_lazy("The next game of your series begins as soon as everybody is ready.")),
    notes=_notes,
    button=common.table_button(gettext_lazy("I am ready")),
    stamp=common.seats_stamp,
    log=lambda _logged: _("Are you ready for the next game?"),
)

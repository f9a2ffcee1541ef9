"""A fellow player has resigned."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import Facts, NoticeKind
from games.models import Notice, Seat


def _is_still_true(notice: Notice) -> bool:
    """Whether a computer player still moves there: nobody has taken the seat over since. One query."""
    left = Seat.objects.filter(game=notice.seat.game, number=notice.about, resigned_at__isnull=False)
    return notice.seat.game.is_running and left.exists()


def _notes(facts: Facts) -> tuple[str, ...]:
    on = _("A computer player moves for %(name)s for the rest of the game; the game goes on for everybody else.")
    if facts.pov.terms and facts.pov.terms.allows_takeover:
        on = _(
            "A computer player moves for %(name)s for the rest of the game, or until somebody takes the seat over; the"
            " game goes on for everybody else."
        )
    return (on % {"name": common.name_about(facts)},)


KIND: Final = NoticeKind(
    name=Notice.Kind.RESIGNED,
    is_still_true=_is_still_true,
    sending=common.NEWS_UNLESS_SEEN,
    subject=common.say(gettext_lazy("%(name)s has resigned: %(table)s")),
    lead=common.say(gettext_lazy("%(name)s has resigned.")),
    notes=_notes,
    button=common.table_button(gettext_lazy("Go to the table")),
    stamp=common.move_stamp,
    log=lambda logged: _("%(name)s has resigned") % {"name": common.name_fellow(logged.about)},
)

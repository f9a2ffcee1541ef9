"""A fellow player no longer wants to abandon the game."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import NoticeKind
from games.models import Notice


def _is_still_true(notice: Notice) -> bool:
    """Whether the proposal is still withdrawn. One query."""
    if not notice.seat.game.is_running or notice.seat.is_automatic:
        return False
    return notice.seat.game.seats.filter(number=notice.about, agrees_to_abandon=False).exists()


KIND: Final = NoticeKind(
    name=Notice.Kind.WITHDRAWN,
    is_still_true=_is_still_true,
    sending=common.NEWS_UNLESS_SEEN,
    subject=common.say(gettext_lazy("%(name)s plays on after all: %(table)s")),
    lead=common.say(gettext_lazy("%(name)s has withdrawn the proposal to abandon this game.")),
    notes=common.no_notes,
    button=common.table_button(gettext_lazy("Go to the table")),
    stamp=common.move_stamp,
    log=lambda logged: _("%(name)s withdrew the proposal") % {"name": common.name_fellow(logged.about)},
)

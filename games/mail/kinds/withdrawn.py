"""A fellow player no longer wants to abandon the game."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import Facts, NoticeKind
from games.models import Notice


def _is_still_true(notice: Notice) -> bool:
    """Whether the proposal is still withdrawn. One query."""
    if not notice.seat.game.is_running or notice.seat.is_automatic:
        return False
    return notice.seat.game.seats.filter(number=notice.about, agrees_to_abandon=False).exists()


def _subject(facts: Facts) -> str:
    return _("%(name)s plays on after all: %(table)s") % {"name": common.name_about(facts), "table": facts.table}


def _lead(facts: Facts) -> str:
    return _("%(name)s has withdrawn the proposal to abandon this game.") % {"name": common.name_about(facts)}


KIND: Final = NoticeKind(
    name=Notice.Kind.WITHDRAWN,
    is_still_true=_is_still_true,
    sending=common.NEWS_UNLESS_SEEN,
    subject=_subject,
    lead=_lead,
    notes=common.no_notes,
    button=common.table_button(gettext_lazy("Go to the table")),
    stamp=common.move_stamp,
    log=lambda logged: _("%(name)s withdrew the proposal") % {"name": common.name_fellow(logged.about)},
)

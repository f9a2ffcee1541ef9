"""A fellow player asks for the move."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import Facts, NoticeKind, StoppedBy
from games.models import Notice


def _is_still_true(notice: Notice) -> bool:
    """Whether the game waits for the reader, who has not blocked whoever nudges. One query while it waits."""
    return common.is_still_to_move(notice) and not common.is_from_blocked(notice)


def _subject(facts: Facts) -> str:
    if facts.about:
        return _("%(name)s nudges you: %(table)s") % {"name": facts.about.name, "table": facts.table}
    return _("A nudge: %(table)s") % {"table": facts.table}


def _lead(facts: Facts) -> str:
    if facts.about:
        return _("%(name)s asks you to move.") % {"name": facts.about.name}
    return _("The others ask you to move.")


def _notes(_facts: Facts) -> tuple[str, ...]:
    return (_("A nudge changes nothing about your time. The others can send at most one every 24 hours."),)


KIND: Final = NoticeKind(
    name=Notice.Kind.NUDGE,
    is_still_true=_is_still_true,
    sending=common.URGENT,
    stopped_by=StoppedBy.REMINDERS,
    subject=_subject,
    lead=_lead,
    notes=_notes,
    summary=common.no_summary,
    button=common.table_button(gettext_lazy("Make your move")),
    asks_for_move=True,
    stamp=common.move_stamp,
    answers=common.ANSWER_TURN,
    log=lambda logged: _("%(name)s nudges you") % {"name": common.name_fellow(logged.about)},
)

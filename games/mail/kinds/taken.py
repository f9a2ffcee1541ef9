"""Somebody else has taken over the seat that its reader had."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import Facts, NoticeKind
from games.models import Notice


def _notes(_facts: Facts) -> tuple[str, ...]:
    return (
        _("A computer player moved there for you. You can watch the game, as everybody can, but not play in it again."),
        _("Your notes and marks at this table were yours alone: they are deleted. The game counts for no rating."),
    )


KIND: Final = NoticeKind(
    name=Notice.Kind.TAKEN,
    is_still_true=common.is_always_true,
    sending=common.NEWS,
    subject=common.say(gettext_lazy("Your seat is taken over: %(table)s")),
    lead=common.say(gettext_lazy("%(name)s has taken over your seat at this table and plays on with your card.")),
    notes=_notes,
    button=common.table_button(gettext_lazy("Look at the table")),
    stamp=common.move_stamp,
    log=lambda logged: _("%(name)s has taken over your seat") % {"name": common.name_fellow(logged.about)},
)

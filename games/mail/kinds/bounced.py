"""Mails to a fellow player do not arrive, so nothing calls them to the table."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import Facts, NoticeKind
from games.models import Notice
from games.words.times import name_moment_and_zone


def _notes(facts: Facts) -> tuple[str, ...]:
    name = {"name": common.name_about(facts)}
    silence = _("So nothing calls %(name)s to this table. If you know each other, say so before time runs out.") % name
    if not (facts.about and facts.about.is_to_move and facts.pov.due_at):
        return (silence,)
    until = _("It is %(name)s’s turn, until %(moment)s at the latest.")
    return silence, until % (name | {"moment": name_moment_and_zone(facts.pov.due_at)})


KIND: Final = NoticeKind(
    name=Notice.Kind.BOUNCED,
    is_still_true=lambda notice: notice.seat.game.is_running,
    sending=common.NEWS,
    subject=common.say(gettext_lazy("%(name)s gets no mail: %(table)s")),
    lead=common.say(gettext_lazy("Mails to %(name)s do not arrive.")),
    notes=_notes,
    button=common.table_button(gettext_lazy("Go to the table")),
    stamp=common.move_stamp,
    log=lambda logged: _("Mails to %(name)s do not arrive") % {"name": common.name_fellow(logged.about)},
)

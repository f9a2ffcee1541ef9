"""The mail to a player to whom the opener has handed on a table before its start."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import Facts, NoticeKind
from games.models import Game, Notice


def _is_still_true(notice: Notice) -> bool:
    game = notice.seat.game
    return game.status == Game.Status.OPEN and game.opener_id == notice.seat.player_id


def _notes(_facts: Facts) -> tuple[str, ...]:
    return (_("You can invite people, start the game as soon as two seats are taken, hand it on, or close it."),)


KIND: Final = NoticeKind(
    name=Notice.Kind.HANDED,
    is_still_true=_is_still_true,
    sending=common.NEWS,
    subject=common.say(gettext_lazy("The table is yours now: %(table)s")),
    lead=common.say(gettext_lazy("%(name)s has handed this open table on to you.")),
    notes=_notes,
    button=common.table_button(gettext_lazy("Go to the table")),
    stamp=common.seats_stamp,
    log=lambda logged: _("%(name)s has handed the table on to you") % {"name": common.name_fellow(logged.about)},
)

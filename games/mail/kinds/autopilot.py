"""The autopilot has moved for a player whose time was up."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import BoardPicture, Facts, NoticeKind, Sending, WebhookPolicy
from games.models import Notice


def _lead(facts: Facts) -> str:
    own = [move.step.move for move in facts.pov.moves if move.step.seat == facts.mine.number]
    places = {"move": own[-1] if own else ""}
    return _("Your time was up, so the autopilot has played %(move)s for you.") % places


def _notes(facts: Facts) -> tuple[str, ...]:
    seat = _say_seat(facts)
    if not facts.mine.can_withdraw:
        return (seat,)
    back = _(
        "As long as nobody has moved since, you can withdraw this move at the table and play another, once a game."
    )
    return back, seat


def _say_seat(facts: Facts) -> str:
    """Who plays on."""
    if facts.mine.is_on_autopilot:
        return _(
            "It has moved for you so often that it keeps the seat until you open the table; then it is yours again."
        )
    return _("The seat is yours as before, and the next move is again for you to make.")


KIND: Final = NoticeKind(
    name=Notice.Kind.AUTOPILOT,
    is_still_true=lambda notice: notice.seat.game.is_running and notice.number == notice.seat.game.edition,
    sending=Sending(is_urgent=True, waits_for_presence=True),
    subject=common.say(gettext_lazy("The autopilot has moved for you: %(table)s")),
    lead=_lead,
    notes=_notes,
    button=common.table_button(gettext_lazy("Go to the table")),
    stamp=common.move_stamp,
    board=BoardPicture.LARGE_WITH_BEFORE,
    webhook=WebhookPolicy(is_called=True),
    log=lambda _logged: _("The autopilot moved for you"),
)

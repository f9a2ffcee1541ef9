"""The call to a turn."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games import words
from games.mail.kinds import common
from games.mail.kinds.base import BoardPicture, Facts, Logged, NoticeKind, WebhookPolicy
from games.models import Notice
from games.pov import SeatPov


def _lead(facts: Facts) -> str:
    lead = _("It is your turn, %(name)s.") % {"name": facts.mine.name}
    return lead if facts.pov.ply else f"{lead} {_say_begun()}"


def _notes(facts: Facts) -> tuple[str, ...]:
    if withdrew := _who_withdrew(facts):
        return (_say_withdrawn(withdrew),)
    if facts.pov.ply:
        return ()
    return (*common.place_notes(facts), common.card_note())


def _who_withdrew(facts: Facts) -> SeatPov | None:
    """Who withdrew a move of the autopilot, where the notice calls to a turn that its reader was called to before. No
    query at most tables, else one."""
    notice, pov = facts.notice, facts.pov
    if not notice.number:
        return None
    earlier = Notice.objects.filter(seat=notice.seat, kind=Notice.Kind.TURN, ply=notice.ply, number__lt=notice.number)
    if not earlier.exists():
        return None
    last = pov.seats[pov.moves[-1].step.seat] if pov.moves else None
    return pov.withdrew or (last if last and last.has_withdrawn else None)


def _say_withdrawn(seat: SeatPov) -> str:
    """Why a turn comes a second time."""
    if seat.is_mine:
        return _("You have withdrawn the autopilot’s move, and your turn began again.")
    return _("%(name)s withdrew the autopilot’s move and played again.") % {"name": seat.name}


def _summary(facts: Facts) -> str:
    """The last move, in words."""
    pov = facts.pov
    last = words.describe_moves(pov.moves[-1:], pov.seats)[0] if pov.moves else ""
    return last or _say_begun()


def _say_begun() -> str:
    return _("The game has begun, and you make the first move.")


def _log(logged: Logged) -> str:
    if logged.ply is None:
        return _("Your turn")
    return _("Your turn (move %(number)d)") % {"number": logged.ply + 1}


KIND: Final = NoticeKind(
    name=Notice.Kind.TURN,
    is_still_true=lambda notice: common.is_still_to_move(notice) and notice.number == notice.seat.game.edition,
    sending=common.NEWS_UNLESS_SEEN,
    tells_talk=True,
    subject=common.say(gettext_lazy("Your turn: %(table)s (move %(number)d)")),
    lead=_lead,
    notes=_notes,
    summary=_summary,
    button=common.table_button(gettext_lazy("Make your move")),
    asks_for_move=True,
    stamp=common.move_stamp,
    board=BoardPicture.LARGE_WITH_BEFORE,
    answers=common.ANSWER_TURN,
    push_body=_summary,
    webhook=WebhookPolicy(is_called=True, waits_for_presence=True, has_lead=False, has_deadline=True),
    log=_log,
)

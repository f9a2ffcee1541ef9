"""The reminder that a turn's time runs out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.clocks import Clock
from games.mail import links
from games.mail.kinds import common
from games.mail.kinds.base import Facts, Link, Logged, NoticeKind, StoppedBy, WebhookPolicy
from games.models import Notice
from games.pov import Pov

DAY: Final = timedelta(days=1)


def _lead(facts: Facts) -> str:
    clock = _clock(facts)
    left = _say_part_left(clock, at=facts.at) if clock else ""
    lead = _("Your move is still awaited, %(name)s.") % {"name": facts.mine.name}
    return f"{lead} {left}".strip()


def _clock(facts: Facts) -> Clock | None:
    """The clock of the turn that runs. A query where its player has planned vacations."""
    pov, player = facts.pov, facts.notice.reader
    if not (pov.turn_since and pov.free_until and pov.due_at):
        return None
    allows = bool(pov.terms and pov.terms.allows_vacation)
    still = player.calendar(with_vacations=allows, at=pov.turn_since).still
    return Clock(pov.turn_since, pov.free_until, pov.due_at, facts.mine.reserve_left, still)


def _say_part_left(clock: Clock, *, at: datetime) -> str:
    """How much is left of the turn and its reserve. `A quarter` and `half` allow for a mail that is a little early or
    late."""
    part = clock.part_left(at)
    if part <= 0.11:
        return _("Less than a tenth of your time is left.")
    if part < 0.24:
        return _("Less than a quarter of your time is left.")
    if part <= 0.26:
        return _("A quarter of your time is left.")
    if part < 0.49:
        return _("More than half of your time is over.")
    return _("Half of your time is over.") if part <= 0.51 else ""


def _other_buttons(facts: Facts) -> tuple[Link, ...]:
    return tuple(_meanwhile_buttons(facts.pov, reserve=facts.mine.reserve_left))


def _meanwhile_buttons(pov: Pov, *, reserve: timedelta) -> Iterator[Link]:
    yield Link(_("I will play tonight"), links.answer_reminder_url(pov.slug, "tonight"))
    if reserve >= DAY:
        yield Link(_("Take a day from my reserve"), links.answer_reminder_url(pov.slug, "day"))
    if not pov.plays_alone:
        yield Link(_("Tell the others I am thinking"), links.answer_reminder_url(pov.slug, "thinking"))


def _log(logged: Logged) -> str:
    if logged.ply is None:
        return _("Reminder of your turn")
    return _("Reminder of your turn (move %(number)d)") % {"number": logged.ply + 1}


KIND: Final = NoticeKind(
    name=Notice.Kind.REMINDER,
    is_still_true=common.is_still_to_move,
    sending=common.URGENT,
    stopped_by=StoppedBy.REMINDERS,
    subject=common.say(gettext_lazy("Reminder: %(table)s waits for your move %(number)d")),
    lead=_lead,
    notes=common.no_notes,
    summary=common.no_summary,
    button=common.table_button(gettext_lazy("Make your move")),
    other_buttons=_other_buttons,
    asks_for_move=True,
    stamp=common.move_stamp,
    answers=common.ANSWER_TURN,
    webhook=WebhookPolicy(is_called=True, has_deadline=True),
    log=_log,
)

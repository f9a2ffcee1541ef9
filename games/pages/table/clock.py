"""The clock of a table as its page shows it: until when the turn lasts, what others hear, and what can be done."""

from __future__ import annotations

from datetime import UTC, datetime

from django.utils.safestring import SafeString

from games import play
from games.pages.forms import MailModeForm
from games.pages.times import show_sentence
from games.pov import Pov
from games.words.spans import DAY
from games.words.time_left import say_clock, say_meanwhile, say_of_seat, say_turn_line


def about_clock(pov: Pov) -> dict[str, object]:
    """What the page of a running game says about its clock and offers to do about it; empty for any other game."""
    if not (pov.is_running and pov.is_now):
        return {}
    now, me = datetime.now(UTC), pov.me
    return {
        "turn_line": str(say_turn_line(pov, now=now)),
        "clock": show_sentence(say_clock(pov, now=now)),
        "meanwhile": show_sentence(say_meanwhile(pov, now=now)),
        "can_take_day": bool(me and me.reserve_left >= DAY),
        "this_turn": f"{pov.edition}-{pov.last_ply}-{me.days_taken}" if me else "",
        **(_about_nudge(pov, now=now) if me and not me.is_bot else {}),
    }


def mail_choice(mode: str) -> SafeString:
    """Which mail about this table, to choose from; `mode` is the chosen one."""
    field = MailModeForm(initial={"mode": mode})["mode"]
    return field.as_widget(attrs={"id": "mail-mode", "class": "input"})


def _about_nudge(pov: Pov, *, now: datetime) -> dict[str, object]:
    """Whom the viewer may `nudge`, or when that was done (`nudged`); empty in the first day of a turn, and when it is
    too old."""
    mover = pov.mover
    if mover is None or mover.is_mine or mover.is_bot or mover.is_on_autopilot or pov.turn_since is None:
        return {}
    if pov.due_at is None or pov.due_at <= now:
        return {}
    nudged = mover.nudged_at if mover.nudged_at and mover.nudged_at > pov.turn_since else None
    if now - (nudged or pov.turn_since) >= play.BETWEEN_NUDGES:
        return {"nudge": mover.name}
    return {"nudged": nudged, "nudged_name": mover.name} if nudged else {}


def seat_notes(pov: Pov) -> tuple[SafeString, ...]:
    """For each seat of a running game what its clock says, as markup; empty for any other game."""
    if not (pov.is_running and pov.is_now and pov.terms):
        return ()
    now, has_reserve = datetime.now(UTC), pov.terms.reserve_hours > 0
    return tuple(
        SafeString(", ".join(map(show_sentence, say_of_seat(seat, has_reserve=has_reserve, now=now))))
        for seat in pov.seats
    )

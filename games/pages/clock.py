"""The clock of a table as its page shows it: until when a move may take, what is told meanwhile, and what can be done.

Joined as strings. What depends on the minute is kept by it for the next reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext as _, gettext_noop

from games import play
from games.models import Game
from games.pages.forms import MailModeForm
from games.pages.middleware import zone_here
from games.pages.pace import DAY, count_time
from games.pages.times import roughly, say_moment, say_when
from games.pov import Pov, SeatPov


def about_clock(seen: Pov) -> dict[str, object]:
    """What the page of a running game says of its clock and offers to do about it; nothing of any other."""
    if not (seen.is_running and seen.is_now):
        return {}
    now, me = datetime.now(UTC), seen.me
    return {
        "clock": say_clock(seen, now=now),
        "told": _say_told(seen, now=now),
        "can_take_day": bool(me and me.reserve_left >= DAY),
        "this_turn": f"{seen.edition}-{seen.last_ply}-{me.days_taken}" if me else "",
        "mail_choice": _mail_choice(get_language() or "", me.mail_mode) if me else "",
        **(_about_nudge(seen, now=now) if me and not me.is_bot else {}),
    }


@lru_cache(maxsize=64)
def _mail_choice(_language: str, mode: str) -> SafeString:
    """Which mail about this table, to choose from; `mode` is the chosen one."""
    field = MailModeForm(initial={"mode": mode})["mode"]
    return field.as_widget(attrs={"id": "mail-mode", "class": "input"})


# --- Until when ----------------------------------------------------------------------------------


def say_clock(seen: Pov, *, now: datetime) -> SafeString:
    """Until when the move of a running game may take and what comes then; empty while a computer player is to move."""
    mover = seen.mover
    if mover is None or seen.due_at is None or seen.free_until is None or seen.terms is None:
        return SafeString()
    is_free = now < seen.free_until
    until = _moment(seen.free_until if is_free else seen.due_at, now=now)
    ahead = roughly(seen.free_until if is_free else seen.due_at, now=now)
    places = {"until": until, "span": ahead, "name": escape(mover.name)}
    if now >= seen.due_at:
        return _filled(_overdue(seen.terms.overdue), places)
    reserve = mover.reserve_left
    then = _then(seen.terms.overdue, is_mine=mover.is_mine)
    if not is_free:
        said = f"{_drawing(is_mine=mover.is_mine)} {then}"
    elif reserve and seen.due_at > seen.free_until:
        said = _then_reserve(is_mine=mover.is_mine)
        places |= {"reserve": escape(count_time(reserve)), "last": _moment(seen.due_at, now=now)}
    else:
        said = _("Until %(until)s (%(span)s).") + f" {then}"
    return _filled(said, places)


def _then_reserve(*, is_mine: bool) -> str:
    if is_mine:
        return _(
            "Until %(until)s (%(span)s). Then your reserve of %(reserve)s is drawn on, until %(last)s at the latest."
        )
    return _(
        "Until %(until)s (%(span)s). Then %(name)s’s reserve of %(reserve)s is drawn on, until %(last)s at the latest."
    )


def _drawing(*, is_mine: bool) -> str:
    if is_mine:
        return _("Your reserve is being drawn on now, until %(until)s (%(span)s).")
    return _("%(name)s’s reserve is being drawn on now, until %(until)s (%(span)s).")


def _then(overdue: str, *, is_mine: bool) -> str:
    """What comes when there is no more time."""
    if overdue == Game.Overdue.ABANDON:
        return _("Then the game is abandoned.")
    return _("Then the autopilot moves for you.") if is_mine else _("Then the autopilot moves for %(name)s.")


def _overdue(overdue: str) -> str:
    if overdue == Game.Overdue.ABANDON:
        return _("Time ran out %(span)s: the game is about to be abandoned.")
    return _("Time ran out %(span)s: the autopilot is about to move for %(name)s.")


def _filled(template: str, places: dict[str, str]) -> SafeString:
    """A sentence with markup in its places, whose words are escaped already."""
    return mark_safe(escape(template, quote=False) % places)  # noqa: S308


def _moment(moment: datetime, *, now: datetime) -> str:
    return say_moment(moment, now=now, zone=zone_here(), language=get_language() or "")


# --- What is told meanwhile ----------------------------------------------------------------------


def _say_told(seen: Pov, *, now: datetime) -> SafeString:
    """What the player to move tells the others, that they are away, or play again; empty when there is nothing."""
    mover = seen.mover
    if mover is None:
        return SafeString()
    away = next((end for begin, end in mover.vacations if begin <= now), None)
    if away is not None:
        until = {"name": escape(mover.name), "until": _moment(away, now=now)}
        mine, other = (
            _("You are on vacation; until %(until)s the clock stands still."),
            _("%(name)s is on vacation; until %(until)s the clock stands still."),
        )
        return _filled(mine if mover.is_mine else other, until)
    if mover.says_at is None:
        return _say_withdrawn(seen, now=now)
    when = say_when(mover.says_at, now=now, zone=zone_here(), language=get_language() or "")
    said = _TOLD_BY_ME if mover.is_mine else _TOLD
    return _filled(_(said[mover.says]), {"name": escape(mover.name), "when": when})


def _say_withdrawn(seen: Pov, *, now: datetime) -> SafeString:
    """That the turn began anew because what the autopilot had played was withdrawn; empty when it did not."""
    mover = seen.withdrew
    if mover is None or seen.turn_since is None:
        return SafeString()
    mine, other = (
        _("You withdrew the autopilot’s move %(when)s and play again."),
        _("%(name)s withdrew the autopilot’s move %(when)s and plays again."),
    )
    when = say_when(seen.turn_since, now=now, zone=zone_here(), language=get_language() or "")
    return _filled(mine if mover.is_mine else other, {"name": escape(mover.name), "when": when})


_TOLD = {
    "tonight": gettext_noop("%(name)s will play tonight (said %(when)s)."),
    "thinking": gettext_noop("%(name)s is thinking it over (said %(when)s)."),
}
_TOLD_BY_ME = {
    "tonight": gettext_noop("You have told the others that you will play tonight (%(when)s)."),
    "thinking": gettext_noop("You have told the others that you are thinking it over (%(when)s)."),
}


def _about_nudge(seen: Pov, *, now: datetime) -> dict[str, object]:
    """Whom the viewer may `nudge`, or when that was done (`nudged`); nothing while the turn is young or too old."""
    mover = seen.mover
    if mover is None or mover.is_mine or mover.is_bot or mover.is_on_autopilot or seen.turn_since is None:
        return {}
    if seen.due_at is None or seen.due_at <= now:
        return {}
    nudged = mover.nudged_at if mover.nudged_at and mover.nudged_at > seen.turn_since else None
    if now - (nudged or seen.turn_since) >= play.BETWEEN_NUDGES:
        return {"nudge": mover.name}
    return {"nudged": nudged, "nudged_name": mover.name} if nudged else {}


# --- Beside the seats ----------------------------------------------------------------------------


def seat_notes(seen: Pov) -> tuple[str, ...]:
    """For each seat of a running game what is to be known of its clock, as markup; empty for any other."""
    if not (seen.is_running and seen.is_now and seen.terms):
        return ()
    now, language, has_reserve = datetime.now(UTC), get_language() or "", seen.terms.reserve_hours > 0
    return tuple(", ".join(_seat_notes(seat, language, has_reserve=has_reserve, now=now)) for seat in seen.seats)


def _seat_notes(seat: SeatPov, language: str, *, has_reserve: bool, now: datetime) -> Iterator[str]:
    if seat.is_bot:
        return
    if seat.is_on_autopilot:
        yield _say(language, gettext_noop("the autopilot has the seat"))
    if has_reserve:
        yield _say_reserve(language, seat.reserve_left)
    if seat.vacations:
        begin, end = seat.vacations[0]
        away = _("on vacation until %(until)s") if begin <= now else _("on vacation from %(since)s until %(until)s")
        yield _filled(away, {"since": _moment(begin, now=now), "until": _moment(end, now=now)})
    if seat.mail_bounces:
        yield _say(language, gettext_noop("mails do not arrive"))


@lru_cache(maxsize=64)
def _say(_language: str, words: str) -> str:
    return escape(_(words))


@lru_cache(maxsize=1024)
def _say_reserve(_language: str, left: timedelta) -> str:
    return escape(_("%(time)s in reserve") % {"time": count_time(left)} if left else _("no reserve left"))

"""Whether and when a mail that is owed goes out, by what its reader wishes and has seen meanwhile.

Presence delays a mail, it never drops one. It is dropped where its reader has seen that table at that ply, or moved;
wants no such mail, or no more until the next visit; or has an address that takes none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from games.models import Game, MailMode, Notice, Player, Seat

Kind, Reason = Notice.Kind, Notice.Reason

LOOK_TELLS: Final = frozenset({Kind.TURN, Kind.STARTED, Kind.FINISHED, Kind.AUTOPILOT})
"""What a look at the table tells as well: these wait for a while, in case that the reader is there."""
URGENT: Final = frozenset({Kind.REMINDER, Kind.NUDGE, Kind.AUTOPILOT})
"""What no digest keeps, and what remains to those who want reminders only."""

NAGS: Final = frozenset({Kind.REMINDER, Kind.NUDGE})
"""What a player can do without and still be called to every turn."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a notice now: it goes (neither field), waits `until`, or is dropped (a reason and no time)."""

    reason: str = ""
    until: datetime | None = None

    @property
    def goes(self) -> bool:
        return not self.reason

    @property
    def is_dropped(self) -> bool:
        return bool(self.reason) and self.until is None


GO: Final = Verdict()


def decide(notice: Notice, *, at: datetime) -> Verdict:
    """The verdict on a notice whose seat, game and player are loaded. Costs no query, but for who wants one mail until
    their next visit."""
    player = notice.seat.player
    if player is None or not player.is_active:
        return Verdict(Reason.UNWANTED)
    if notice.kind == Kind.TEST:
        return GO
    reason = _why_not(notice, player)
    if reason:
        return Verdict(reason)
    return _wait(notice, player, at=at)


def mode_of(seat: Seat, player: Player) -> str:
    """What mail the player of the seat wants about its table."""
    return seat.mail_mode or player.mail_mode


def _why_not(notice: Notice, player: Player) -> str:
    """Why the mail is not worth sending at any time; empty when it is."""
    mode = mode_of(notice.seat, player)
    if player.mail_bounced_at is not None:
        return Reason.BOUNCED
    if mode == MailMode.NOTHING or (mode == MailMode.REMINDERS and notice.kind not in URGENT):
        return Reason.UNWANTED
    if notice.kind in NAGS and not player.reminds:
        return Reason.UNWANTED
    if not still_true(notice):
        return Reason.PAST
    if notice.kind in LOOK_TELLS and notice.seat.has_seen(notice.ply, since=notice.created_at):
        return Reason.SEEN
    if mode == MailMode.ONCE and notice.kind not in URGENT and _had_one_since_visit(notice, player):
        return Reason.VISIT
    return ""


def still_true(notice: Notice) -> bool:
    """Whether the mail still says how things are. Costs no query when seat and game are loaded."""
    seat = notice.seat
    match notice.kind:
        case Kind.TURN | Kind.REMINDER | Kind.NUDGE:
            return _is_awaited(seat, ply=notice.ply) and (
                notice.kind != Kind.TURN or notice.number == seat.game.edition
            )
        case Kind.STARTED:
            return seat.game.status == Game.Status.RUNNING and not seat.is_bot
        case Kind.AUTOPILOT:
            return seat.game.status == Game.Status.RUNNING and notice.number == seat.game.edition
        case Kind.BOUNCED:
            return seat.game.status == Game.Status.RUNNING
        case _:
            return True


def _is_awaited(seat: Seat, *, ply: int) -> bool:
    """Whether the game still waits for the person on `seat` to make the move after `ply`."""
    game = seat.game
    running = game.status == Game.Status.RUNNING
    return running and game.ply == ply and game.to_move == seat.number and not seat.is_automatic


def _had_one_since_visit(notice: Notice, player: Player) -> bool:
    sent = Notice.objects.filter(seat__player=player, state=Notice.State.SENT).exclude(kind__in=(*URGENT, Kind.TEST))
    if player.visited_at is not None:
        sent = sent.filter(sent_at__gt=player.visited_at)
    return sent.exists()


def _wait(notice: Notice, player: Player, *, at: datetime) -> Verdict:
    """Until when the mail waits, and for what; it goes when it need not."""
    if notice.kind in LOOK_TELLS:
        looked = notice.created_at + timedelta(seconds=settings.MAIL_WAIT_SECONDS)
        if looked > at:
            return Verdict(Reason.PRESENCE, looked)
    calendar = player.calendar()
    if mode_of(notice.seat, player) == MailMode.DIGEST and notice.kind not in URGENT:
        hour = calendar.next_hour(notice.created_at, player.hours)
        if hour > at:
            return Verdict(Reason.DIGEST, hour)
    awake = calendar.next_open(at)
    return Verdict(Reason.QUIET, awake) if awake > at else GO

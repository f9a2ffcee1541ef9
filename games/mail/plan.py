"""Whether and when a mail that is owed goes out, by what its reader wishes and has seen meanwhile.

A call to a turn waits a moment, in case that its reader is at the table. It is dropped where its reader has seen that
table at that ply, or moved; wants no such mail, or no more until the next visit; or has an address that takes none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games.mail.kinds import NoticeKind, StoppedBy, kind_of, kinds_that
from games.models import MailMode, Notice, Player, Seat

Reason = Notice.Reason


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a notice now: it is sent if both fields are empty, delayed if `until` is set, else dropped."""

    reason: str = ""
    until: datetime | None = None

    @property
    def goes(self) -> bool:
        return not self.reason

    @property
    def is_dropped(self) -> bool:
        return bool(self.reason) and self.until is None


GO: Final = Verdict()
NOT_COUNTED: Final = kinds_that(lambda kind: kind.sending.is_urgent or kind.sending.is_requested)
"""What may come besides the one mail until the next visit."""


def decide(notice: Notice, *, at: datetime, by_mail: bool = True) -> Verdict:
    """The verdict on a notice whose seat, game and player are loaded. Costs what `still_true` costs, and a query for
    players who want one mail until their next visit.

    Not `by_mail` it is the verdict on a notification: it goes whether the address takes mail or not, and also
    to players who want no mails.
    """
    player = notice.reader
    if not player.is_active:
        return Verdict(Reason.UNWANTED)
    kind = kind_of(notice.kind)
    if kind.sending.is_requested:
        return GO
    reason = _why_not(notice, kind, player, by_mail=by_mail)
    if reason:
        return Verdict(reason)
    return _wait(notice, kind, player, at=at)


def decide_without_seat(player: Player, *, at: datetime, by_mail: bool = True) -> Verdict:
    """The verdict on a mail about no seat of `player`, such as an invitation: it goes at once to who wants mail of all
    that happens, also to who wants it in a digest. Not `by_mail` as `decide`. No query."""
    if not player.is_active or player.mail_mode == MailMode.REMINDERS:
        return Verdict(Reason.UNWANTED)
    if by_mail and (player.mail_mode == MailMode.NOTHING or player.mail_bounced_at is not None):
        return Verdict(Reason.UNWANTED)
    return wait_for_quiet_hours(player, at=at)


def mode_of(seat: Seat, player: Player) -> str:
    """What mail the player of the seat wants about its table."""
    return seat.mail_mode or player.mail_mode


def _why_not(notice: Notice, kind: NoticeKind, player: Player, *, by_mail: bool) -> str:
    """Why the mail is not worth sending at any time; empty when it is."""
    mode = mode_of(notice.seat, player)
    if by_mail and player.mail_bounced_at is not None:
        return Reason.BOUNCED
    if (by_mail and mode == MailMode.NOTHING) or (mode == MailMode.REMINDERS and not kind.sending.is_urgent):
        return Reason.UNWANTED
    if kind.stopped_by is StoppedBy.REMINDERS and not player.reminds:
        return Reason.UNWANTED
    if kind.stopped_by is StoppedBy.TALK and not notice.seat.talk_mail:
        return Reason.UNWANTED
    if not kind.is_still_true(notice):
        return Reason.PAST
    if kind.sending.waits_for_presence and kind.is_seen(notice):
        return Reason.SEEN
    if mode == MailMode.ONCE and not kind.sending.is_urgent and _had_one_since_visit(notice, player):
        return Reason.VISIT
    return ""


def still_true(notice: Notice) -> bool:
    """Whether the mail still says how things are. Costs no query when seat and game are loaded, or one
    for kinds that ask who is blocked."""
    return kind_of(notice.kind).is_still_true(notice)


def _had_one_since_visit(notice: Notice, player: Player) -> bool:
    sent = Notice.objects.filter(player=player, state=Notice.State.SENT).exclude(kind__in=NOT_COUNTED)
    if player.visited_at is not None:
        sent = sent.filter(sent_at__gt=player.visited_at)
    return sent.exists()


def _wait(notice: Notice, kind: NoticeKind, player: Player, *, at: datetime) -> Verdict:
    """Until when the mail waits, and for what; it goes when it need not."""
    if kind.sending.waits_for_presence:
        waits_until = notice.created_at + notice.seat.game.call_waits
        if waits_until > at:
            return Verdict(Reason.PRESENCE, waits_until)
    if mode_of(notice.seat, player) == MailMode.DIGEST and not kind.sending.is_urgent:
        hour = player.calendar().next_hour(notice.created_at, player.hours)
        if hour > at:
            return Verdict(Reason.DIGEST, hour)
    return wait_for_quiet_hours(player, at=at)


def wait_for_quiet_hours(player: Player, *, at: datetime) -> Verdict:
    """It waits until the quiet hours of its reader are over, or goes."""
    awake = player.calendar().next_open(at)
    return Verdict(Reason.QUIET, awake) if awake > at else GO

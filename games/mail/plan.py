"""What is owed by mail, as rows written with what causes them, so that neither exists without the other; and whether
and when it goes out, by what its reader wishes and has seen meanwhile.

A call to a turn waits a moment, in case that its reader is at the table. It is dropped where its reader has seen that
table at that ply, or moved; wants no such mail, or no more until the next visit; or has an address that takes none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from games.enqueue import enqueue
from games.mail.kinds import NoticeKind, StoppedBy, kind_of, kinds_that
from games.models import MailMode, Notice, Player, Seat

SEND_TASK: Final = "games.tasks.send_notice"

State, Reason = Notice.State, Notice.Reason


# --- What is owed ---------------------------------------------------------------------------------


def owe(
    seats: Sequence[Seat],
    *,
    kind: Notice.Kind,
    ply: int,
    at: datetime,
    number: int = 0,
    about: int | None = None,
) -> list[Notice]:
    """Owe a mail of `kind` to the player of each of `seats`, and ask for it to be sent once the transaction has
    committed. What is owed.

    Call it inside the transaction that causes the mail, with the game and the player of each seat loaded. What nobody
    wants is owed all the same, and superseded at once: the player's mail log tells why.
    """
    notices = [_filled_in(Notice(seat=seat, kind=kind, ply=ply, number=number, about=about), at=at) for seat in seats]
    owed = Notice.objects.bulk_create(notices)
    for notice in owed:
        if notice.state == State.DUE and notice.due_at <= at:
            enqueue(SEND_TASK, notice.pk)
    return owed


def _filled_in(notice: Notice, *, at: datetime) -> Notice:
    if notice.seat.player_id is not None:
        notice.player_id = notice.seat.player_id
    notice.created_at = notice.due_at = at
    verdict = decide(notice, at=at)
    notice.state, notice.reason = State.SUPERSEDED if verdict.is_dropped else State.DUE, verdict.reason
    notice.due_at = verdict.until or at
    return notice


def owe_many(notices: Sequence[Notice], *, at: datetime) -> None:
    """Owe these, whose seats are loaded with game and player, for the sweep; what is owed already stays as it is."""
    Notice.objects.bulk_create([_filled_in(notice, at=at) for notice in notices], ignore_conflicts=True)


def replan(player: Player, *, at: datetime) -> None:
    """Decide again on mail that waits for `player`, whose preferences have changed. Dropped mail stays dropped."""
    waiting = Notice.objects.loaded().filter(player=player, state=State.DUE, mail__isnull=True)
    for notice in waiting:
        verdict = decide(notice, at=at)
        fields: dict[str, Any] = {"state": State.SUPERSEDED} if verdict.is_dropped else {"due_at": verdict.until or at}
        free = Notice.objects.filter(pk=notice.pk, state=State.DUE, mail__isnull=True)
        free.update(reason=verdict.reason, **fields)


def supersede_before(moment: datetime) -> int:
    """Supersede every notice that was due before then: where a whole history is made at once, nobody wants all of it.
    How many they were, in one query."""
    late = Notice.objects.filter(state=State.DUE, due_at__lt=moment, mail__isnull=True)
    return late.update(state=State.SUPERSEDED, reason=Notice.Reason.PAST)


# --- Whether and when it goes ---------------------------------------------------------------------


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
    sent = Notice.objects.filter(player=player, state=State.SENT).exclude(kind__in=NOT_COUNTED)
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

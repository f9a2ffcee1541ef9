"""Turning mail off by a link that needs no sign-in (RFC 8058)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final, NamedTuple

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.mail import links
from games.mail.kinds import Link, StoppedBy, kind_of
from games.mail.plan import mode_of, replan
from games.models import MailMode, Notice, Player, Seat

_signer = Signer(salt="games.mail.stop")
_before_signer = Signer(salt="games.mail.stop.before")


class MailPreferences(NamedTuple):
    """What mail a player wants: the mode, whether reminders, and the modes of tables with one of their own, by the key
    of the seat (a text, as in JSON)."""

    mode: str
    reminds: bool
    tables: dict[str, str]


UNKNOWN: Final = MailPreferences(MailMode.EVERY, True, {})
"""What is brought back where nobody has said what held."""


@dataclass(frozen=True)
class Stop:
    """Whose mail a link turns off, and which: all that is about games. Each subclass turns off less."""

    scope: ClassVar[str] = "games"
    mode: ClassVar[MailMode] = MailMode.NOTHING
    """What mail is left."""

    player: Player

    @property
    def about(self) -> int | str:
        """The key of a seat or the kind of a notice, where the link is about one."""
        return ""

    @property
    def mode_now(self) -> str:
        """What mail comes about the table, or where no table has a mode of its own."""
        return self.player.mail_mode

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left for it to turn off. Costs a query, but for a table."""
        return _modes(self.player) <= {MailMode.NOTHING, self.mode}

    @property
    def can_be_undone(self) -> bool:
        """Whether this link has turned off what it is for, and no other preference has."""
        return self.player.mail_mode == self.mode

    def turn_off(self) -> None:
        """Write that the player does not want it."""
        few = {MailMode.NOTHING, self.mode}
        _own_modes(self.player).exclude(mail_mode__in=few).update(mail_mode=self.mode_of_tables)
        _row(self.player).exclude(mail_mode__in=few).update(mail_mode=self.mode)

    def turn_on(self, before: MailPreferences) -> None:
        """Write what held `before`, where it still is as `turn_off` wrote it."""
        _row(self.player).filter(mail_mode=self.mode).update(mail_mode=before.mode)
        for seat, own in before.tables.items():
            quiet = Seat.objects.filter(pk=seat, player=self.player, mail_mode=self.mode_of_tables)
            quiet.update(mail_mode=own)

    @property
    def mode_of_tables(self) -> str:
        """What tables that had a louder mode of their own get: none of their own, so they go as everywhere."""
        return ""


@dataclass(frozen=True)
class CallStop(Stop):
    """A link that turns off all mail about games but reminders and nudges."""

    scope = "kind"
    mode = MailMode.REMINDERS

    kind: str

    @property
    def about(self) -> str:
        return self.kind

    @property
    def mode_of_tables(self) -> str:
        """Where no mail comes by the usual mode, a table still has its reminders."""
        return self.mode if self.player.mail_mode == MailMode.NOTHING else ""


@dataclass(frozen=True)
class ReminderStop(CallStop):
    """A link that turns off reminders and nudges."""

    @property
    def is_done(self) -> bool:
        return not self.player.reminds or _modes(self.player) == {MailMode.NOTHING}

    @property
    def can_be_undone(self) -> bool:
        return not self.player.reminds

    def turn_off(self) -> None:
        _row(self.player).update(reminds=False)

    def turn_on(self, before: MailPreferences) -> None:
        _row(self.player).update(reminds=True)


@dataclass(frozen=True)
class TableStop(Stop):
    """A link that turns off mail about one table."""

    scope = "table"

    seat: Seat

    @property
    def about(self) -> int:
        return self.seat.pk

    @property
    def mode_now(self) -> str:
        return mode_of(self.seat, self.player)

    @property
    def is_done(self) -> bool:
        return self.mode_now == MailMode.NOTHING

    @property
    def can_be_undone(self) -> bool:
        return self.seat.mail_mode == MailMode.NOTHING

    def turn_off(self) -> None:
        self._seat.update(mail_mode=MailMode.NOTHING)

    def turn_on(self, before: MailPreferences) -> None:
        own = before.tables.get(str(self.seat.pk), "")
        self._seat.filter(mail_mode=MailMode.NOTHING).update(mail_mode=own)

    @property
    def _seat(self) -> QuerySet[Seat]:
        return Seat.objects.filter(pk=self.seat.pk)


@dataclass(frozen=True)
class TalkStop(TableStop):
    """A link that turns off mail about the talk at one table."""

    scope = "talk"

    @property
    def is_done(self) -> bool:
        return super().is_done or not self.seat.talk_mail

    @property
    def can_be_undone(self) -> bool:
        return not self.seat.talk_mail

    def turn_off(self) -> None:
        self._seat.update(talk_mail=False)

    def turn_on(self, before: MailPreferences) -> None:
        self._seat.update(talk_mail=True)


def _modes(player: Player) -> set[str]:
    """The usual mode of the player and those of tables with one of their own. A query."""
    return {player.mail_mode, *_own_modes(player).values_list("mail_mode", flat=True).distinct()}


def _row(player: Player) -> QuerySet[Player]:
    return Player.objects.filter(pk=player.pk)


def _own_modes(player: Player) -> QuerySet[Seat]:
    """The seats of the player at tables with a mode of their own."""
    return Seat.objects.filter(player=player).exclude(mail_mode="")


# --- Links ----------------------------------------------------------------------------------------


def stop_url(player: Player, *, scope: str = "games", about: int | str | None = None) -> str:
    """The whole address of the page that turns mail off; `about` is the key of a seat or the kind of a notice.

    It never runs out, and it can do nothing else.
    """
    token = _signer.sign_object([player.pk, scope] if about is None else [player.pk, scope, about])
    return links.url("unsubscribe", token)


def stop_links(player: Player, notices: Sequence[Notice]) -> Iterator[Link]:
    """What the reader of a mail of these can turn off: its table if it is about one, its kind if it is about one thing,
    and last of all, all."""
    seat, kind = notices[0].seat, notices[0].kind
    if all(notice.seat_id == seat.pk for notice in notices):
        yield Link(_("No more about this table"), stop_url(player, scope="table", about=seat.pk))
    if len(notices) == 1:
        stopped_by = kind_of(kind).stopped_by
        scope, about = ("talk", seat.pk) if stopped_by is StoppedBy.TALK else ("kind", kind)
        yield Link(stopped_by.link_text, stop_url(player, scope=scope, about=about))
    yield Link(_("No more mails about games"), stop_url(player))


def read_stop_token(token: str) -> Stop | None:
    """What the token of such an address turns off; None if it was not made here. Costs a query or two."""
    try:
        pk, scope, *about = _signer.unsign_object(token)
    except (BadSignature, ValueError, TypeError):
        return None
    player = Player.objects.filter(pk=pk).first()
    match player, scope, about:
        case Player(), "games", []:
            return Stop(player)
        case Player(), "table" | "talk", [int(key)]:
            seat = Seat.objects.defer("clan", "entropy").select_related("game").filter(pk=key, player=player).first()
            of_table = TalkStop if scope == "talk" else TableStop
            return of_table(player, seat) if seat else None
        case Player(), "kind", [str(kind)] if kind in Notice.Kind.values:
            is_reminder = kind_of(kind).stopped_by is StoppedBy.REMINDERS
            return ReminderStop(player, kind) if is_reminder else CallStop(player, kind)
    return None


# --- Off and on -----------------------------------------------------------------------------------


def stop_mail(stop: Stop, *, at: datetime) -> None:
    """Turn the mail off, what waits as well; no matter if it was off already."""
    if stop.is_done:
        return
    with transaction.atomic():
        stop.turn_off()
    replan(stop.player, at=at)


def resume_mail(stop: Stop, *, before: str, at: datetime) -> bool:
    """Turn on again what the link has turned off, and nothing else, as `sign_preferences` said `before`; whether all is
    as it was then.

    Where nothing was said, or by another link, a table goes as everywhere and everything else by the usual mode. What
    has been changed since stays as it is.
    """
    known = _read_before(stop, before)
    with transaction.atomic():
        stop.turn_on(known or UNKNOWN)
    stop.player.refresh_from_db(fields=["mail_mode", "reminds"])
    if isinstance(stop, TableStop):
        stop.seat.refresh_from_db(fields=["mail_mode", "talk_mail"])
    replan(stop.player, at=at)
    return _preferences(stop.player) == known


def sign_preferences(stop: Stop) -> str:
    """What mail the player wants now, for `resume_mail` to bring back by the same link; signed. Costs a query."""
    return _before_signer.sign_object([*_subject(stop), *_preferences(stop.player)], compress=True)


def _read_before(stop: Stop, before: str) -> MailPreferences | None:
    """What held then; None if it was not signed here, or for another link."""
    try:
        player, scope, about, *preferences = _before_signer.unsign_object(before)
    except (BadSignature, ValueError, TypeError):
        return None
    return MailPreferences(*preferences) if [player, scope, about] == _subject(stop) else None


def _subject(stop: Stop) -> list[Any]:
    return [stop.player.pk, stop.scope, stop.about]


def _preferences(player: Player) -> MailPreferences:
    own = _own_modes(player).values_list("pk", "mail_mode")
    return MailPreferences(player.mail_mode, player.reminds, {str(pk): mode for pk, mode in own})

"""Turning mail off by a link that needs no sign-in (RFC 8058)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from games.mail.kinds import Link, Preference, kind_of
from games.mail.owed import replan
from games.mail.plan import mode_of
from games.models import MailMode, Notice, Player, Seat

SCOPES: Final = ("games", "table", "talk", "kind")
"""What a link can turn off: `games`, every mail about games; `table`, those about one table; `talk`, those about its
talk alone; `kind`, reminders and nudges, or all but them."""

_signer = Signer(salt="games.mail.stop")
_sealer = Signer(salt="games.mail.stop.before")


class _Wishes(NamedTuple):
    """What mail a player wants: the mode, whether reminders, and the modes of tables with one of their own, by the key
    of the seat (a text, as in JSON)."""

    mode: str
    reminds: bool
    tables: dict[str, str]


UNKNOWN: Final = _Wishes(MailMode.EVERY, True, {})
"""What is brought back where nobody has said what held."""


class Stop(NamedTuple):
    """Whose mail a link turns off, and which: `seat` is that of a table, `kind` that of a notice."""

    player: Player
    scope: str
    seat: Seat | None = None
    kind: str = ""

    @property
    def is_about_reminders(self) -> bool:
        """Whether it is reminders that are turned off."""
        return bool(self.kind) and kind_of(self.kind).stopped_by is Preference.REMINDERS

    @property
    def is_about_talk(self) -> bool:
        """Whether it is the talk at one table that is turned off."""
        return self.scope == "talk"

    @property
    def mode(self) -> str:
        """What is left, where it is more than a table or reminders that are turned off."""
        return MailMode.REMINDERS if self.scope == "kind" else MailMode.NOTHING

    @property
    def mode_now(self) -> str:
        """What mail comes about the table, or where no table has a mode of its own."""
        return mode_of(self.seat, self.player) if self.seat else self.player.mail_mode

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left for it to turn off. Costs a query, but for a table."""
        if self.seat:
            return self.mode_now == MailMode.NOTHING or (self.is_about_talk and not self.seat.talk_mail)
        modes = {self.player.mail_mode, *_own_modes(self.player).values_list("mail_mode", flat=True).distinct()}
        if self.is_about_reminders:
            return not self.player.reminds or modes == {MailMode.NOTHING}
        return modes <= {MailMode.NOTHING, self.mode}

    @property
    def can_be_undone(self) -> bool:
        """Whether this link has turned off what it is for, and no other preference has."""
        if self.seat:
            return not self.seat.talk_mail if self.is_about_talk else self.seat.mail_mode == MailMode.NOTHING
        return not self.player.reminds if self.is_about_reminders else self.player.mail_mode == self.mode


def stop_url(player: Player, *, scope: str = "games", about: int | str | None = None) -> str:
    """The whole address of the page that turns mail off; `about` is the key of a seat or the kind of a notice.

    It never runs out, and it can do nothing else.
    """
    token = _signer.sign_object([player.pk, scope] if about is None else [player.pk, scope, about])
    return settings.SITE_URL + reverse("unsubscribe", args=(token,))


def stop_links(player: Player, notices: Sequence[Notice]) -> Iterator[Link]:
    """What the reader of a mail of these can turn off: its table and its kind, if it is about one thing, and last of
    all, all."""
    if len(notices) == 1:
        seat, kind = notices[0].seat, notices[0].kind
        yield Link(_("No more about this table"), stop_url(player, scope="table", about=seat.pk))
        stopped_by = kind_of(kind).stopped_by
        scope, about = ("talk", seat.pk) if stopped_by is Preference.TALK else ("kind", kind)
        yield Link(stopped_by.link_text, stop_url(player, scope=scope, about=about))
    yield Link(_("No more mails about games"), stop_url(player))


def read_stop_token(token: str) -> Stop | None:
    """What the token of such an address stands for; None if it was not made here. Costs a query or two."""
    try:
        pk, scope, *about = _signer.unsign_object(token)
    except (BadSignature, ValueError, TypeError):
        return None
    player = Player.objects.filter(pk=pk).first()
    match player, scope, about:
        case Player(), "games", []:
            return Stop(player, scope)
        case Player(), "table" | "talk", [int(seat_pk)]:
            seat = (
                Seat.objects.defer("clan", "entropy").select_related("game").filter(pk=seat_pk, player=player).first()
            )
            return Stop(player, scope, seat=seat) if seat else None
        case Player(), "kind", [str(kind)] if kind in Notice.Kind.values:
            return Stop(player, scope, kind=kind)
    return None


def stop_mail(stop: Stop, *, at: datetime) -> None:
    """Turn the mail off, what waits as well; no matter if it was off already."""
    if stop.is_done:
        return
    mine = Player.objects.filter(pk=stop.player.pk)
    with transaction.atomic():
        if stop.seat and stop.is_about_talk:
            Seat.objects.filter(pk=stop.seat.pk).update(talk_mail=False)
        elif stop.seat:
            Seat.objects.filter(pk=stop.seat.pk).update(mail_mode=MailMode.NOTHING)
        elif stop.is_about_reminders:
            mine.update(reminds=False)
        else:
            few = {MailMode.NOTHING, stop.mode}
            _own_modes(stop.player).exclude(mail_mode__in=few).update(mail_mode=_mode_of_tables(stop))
            mine.exclude(mail_mode__in=few).update(mail_mode=stop.mode)
    replan(stop.player, at=at)


def seal_wishes(stop: Stop) -> str:
    """What the player wants now, for `resume_mail` to bring back by the same link; signed. Costs a query."""
    return _sealer.sign_object([*_subject(stop), *_wishes(stop.player)], compress=True)


def resume_mail(stop: Stop, *, before: str, at: datetime) -> bool:
    """Turn on again what the link has turned off, and nothing else, as `seal_wishes` said `before`; whether all is as
    it was then.

    Where nothing was said, or by another link, a table goes as everywhere and everything else by the usual mode. What
    has been changed since stays as it is.
    """
    known = _unsealed(stop, before)
    wishes = known or UNKNOWN
    mine = Player.objects.filter(pk=stop.player.pk)
    with transaction.atomic():
        if stop.seat and stop.is_about_talk:
            Seat.objects.filter(pk=stop.seat.pk).update(talk_mail=True)
        elif stop.seat:
            own = wishes.tables.get(str(stop.seat.pk), "")
            Seat.objects.filter(pk=stop.seat.pk, mail_mode=MailMode.NOTHING).update(mail_mode=own)
        elif stop.is_about_reminders:
            mine.update(reminds=True)
        else:
            mine.filter(mail_mode=stop.mode).update(mail_mode=wishes.mode)
            for seat, own in wishes.tables.items():
                quiet = Seat.objects.filter(pk=seat, player=stop.player, mail_mode=_mode_of_tables(stop))
                quiet.update(mail_mode=own)
    for row in filter(None, (stop.player, stop.seat)):
        row.refresh_from_db(fields=["mail_mode"])
    if stop.seat:
        stop.seat.refresh_from_db(fields=["talk_mail"])
    replan(stop.player, at=at)
    return _wishes(Player.objects.get(pk=stop.player.pk)) == known


def _mode_of_tables(stop: Stop) -> str:
    """What becomes of the tables with a louder mode of their own: they go as everywhere, but where that is nothing, who
    wants reminders only still wants these."""
    return stop.mode if stop.player.mail_mode == MailMode.NOTHING and stop.scope == "kind" else ""


def _own_modes(player: Player) -> QuerySet[Seat]:
    """The seats of the player at tables with a mode of their own."""
    return Seat.objects.filter(player=player).exclude(mail_mode="")


def _wishes(player: Player) -> _Wishes:
    own = _own_modes(player).values_list("pk", "mail_mode")
    return _Wishes(player.mail_mode, player.reminds, {str(pk): mode for pk, mode in own})


def _subject(stop: Stop) -> list[Any]:
    return [stop.player.pk, stop.scope, stop.seat.pk if stop.seat else stop.kind]


def _unsealed(stop: Stop, before: str) -> _Wishes | None:
    """The wishes of then; None if they were not sealed here, or for another link."""
    try:
        player, scope, about, *wishes = _sealer.unsign_object(before)
    except (BadSignature, ValueError, TypeError):
        return None
    return _Wishes(*wishes) if [player, scope, about] == _subject(stop) else None

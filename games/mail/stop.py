"""Turning mail off by a link that needs no sign-in (RFC 8058)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from games.mail.plan import NAGS
from games.models import MailMode, Notice, Player, Seat

SCOPES: Final = ("games", "table", "kind")
"""What a link can turn off: `games`, every mail about games; `table`, those about one table; `kind`, reminders and
nudges, or all but them."""

_signer = Signer(salt="games.mail.stop")
_BLANK: Final = "-token-of-a-stop-"


class Stop(NamedTuple):
    """Whose mail a link turns off, and which: `seat` is that of a table, `kind` that of a notice."""

    player: Player
    scope: str
    seat: Seat | None = None
    kind: str = ""

    @property
    def is_nag(self) -> bool:
        """Whether it is reminders that are turned off."""
        return self.kind in NAGS

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left for it to turn off."""
        if self.player.mail_mode == MailMode.NOTHING:
            return True
        if self.seat:
            return self.seat.mail_mode == MailMode.NOTHING
        if self.is_nag:
            return not self.player.reminds
        return self.scope == "kind" and self.player.mail_mode == MailMode.REMINDERS


def stop_url(player: Player, *, scope: str = "games", about: int | str | None = None) -> str:
    """The whole address of the page that turns mail off; `about` is the key of a seat or the kind of a notice.

    It never runs out, and it can do nothing else.
    """
    token = _signer.sign_object([player.pk, scope] if about is None else [player.pk, scope, about])
    return _address(settings.SITE_URL).replace(_BLANK, token)


@lru_cache(maxsize=4)
def _address(site: str) -> str:
    return site + reverse("unsubscribe", args=(_BLANK,))


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
        case Player(), "table", [int(seat_pk)]:
            seat = (
                Seat.objects.defer("clan", "entropy").select_related("game").filter(pk=seat_pk, player=player).first()
            )
            return Stop(player, scope, seat=seat) if seat else None
        case Player(), "kind", [str(kind)] if kind in Notice.Kind.values:
            return Stop(player, scope, kind=kind)
    return None


def stop_mail(stop: Stop) -> None:
    """Turn the mail off; no matter if it was off already."""
    if stop.is_done:
        return
    mine = Player.objects.filter(pk=stop.player.pk)
    if stop.seat:
        Seat.objects.filter(pk=stop.seat.pk).update(mail_mode=MailMode.NOTHING)
    elif stop.is_nag:
        mine.update(reminds=False)
    else:
        mine.update(mail_mode=MailMode.REMINDERS if stop.scope == "kind" else MailMode.NOTHING)


def resume_mail(stop: Stop) -> None:
    """Turn it on again, for who has changed their mind."""
    mine = Player.objects.filter(pk=stop.player.pk)
    if stop.seat:
        Seat.objects.filter(pk=stop.seat.pk).update(mail_mode="")
    elif stop.is_nag:
        mine.update(reminds=True)
    if stop.player.mail_mode == MailMode.NOTHING or (stop.scope == "kind" and not stop.is_nag):
        mine.update(mail_mode=MailMode.EVERY)

"""Turning mail off by a link that needs no sign-in (RFC 8058)."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from games.models import MailMode, Player

SCOPES: Final = ("games",)
"""What a link can turn off: `games`, every mail about games."""

_signer = Signer(salt="games.mail.stop")


class Stop(NamedTuple):
    """Whose mail a link turns off, and which."""

    player: Player
    scope: str


def stop_url(player: Player, *, scope: str = "games") -> str:
    """The whole address of the page that turns mail off. It never runs out, and it can do nothing else."""
    return settings.SITE_URL + reverse("unsubscribe", args=(_signer.sign_object([player.pk, scope]),))


def read_stop_token(token: str) -> Stop | None:
    """What the token of such an address stands for; None if it was not made here. Costs a query."""
    try:
        pk, scope = _signer.unsign_object(token)
    except (BadSignature, ValueError):
        return None
    player = Player.objects.filter(pk=pk).first()
    return Stop(player, scope) if player and scope in SCOPES else None


def stop_mail(stop: Stop) -> None:
    """Turn the mail off; no matter if it was off already."""
    Player.objects.filter(pk=stop.player.pk).update(mail_mode=MailMode.NOTHING)

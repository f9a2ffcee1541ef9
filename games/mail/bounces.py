"""Addresses that take no mail any more, and the envelope senders that tell whose mail came back."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from games.mail.outbox import ERROR_LENGTH, owe_many
from games.models import Game, Notice, Player, Seat

_SIGNATURE_LENGTH: Final = 20
"""80 bits, in 20 letters: with the rest, a local part has room for 64."""
_TAG: Final = re.compile(r"([0-9]{1,18})-([0-9a-f]{20})", re.ASCII)
_WHY_LENGTH: Final = 200


def bounced(
    address: str, *, why: str, at: datetime, happened: datetime | None = None, notice: int | None = None
) -> bool:
    """Note that `address` takes no mail, and why, and owe it to fellow players to know; whether that is news. If it is
    known which `notice` came back, its reader's mail log says so.

    Nothing changes when it was noted before, when it `happened` (now, if that is not known) before the player said that
    the address takes mail, or when nobody has this address now: who has given another one since is reached by that.
    Costs a query, and 4 more when it is news.
    """
    news = Q(mail_again_at=None) | Q(mail_again_at__lt=happened or at)
    reached = Player.objects.filter(news, email=address.strip().lower(), mail_bounced_at=None)
    with transaction.atomic():
        player = reached.first()
        if player is None:
            return False
        _note_on(notice, player, why=why)
        if not reached.filter(pk=player.pk).update(mail_bounced_at=at, mail_bounce=why[:_WHY_LENGTH]):
            return False
        owe_many(_news_for_fellows(player), at=at)
    return True


def _note_on(notice: int | None, player: Player, *, why: str) -> None:
    """On the mail that came back, with all that rode with it."""
    mail = Notice.objects.filter(Q(pk=notice) | Q(carrier=notice), seat__player=player, state=Notice.State.SENT)
    if notice is not None:
        mail.update(reason=Notice.Reason.BOUNCED, error=why[:ERROR_LENGTH])


def _news_for_fellows(player: Player) -> list[Notice]:
    """To all who play with them, once for each table: nothing calls this player to it any more."""
    tables = {seat.game_id: seat.number for seat in _seats().filter(player=player)}
    fellows = _seats().filter(game__in=tables, player__isnull=False).exclude(player=player)
    return [
        Notice(seat=seat, kind=Notice.Kind.BOUNCED, ply=seat.game.ply, number=about, about=about)
        for seat in fellows
        if (about := tables[seat.game_id]) is not None
    ]


def _seats() -> QuerySet[Seat]:
    """Where people play, in games that run."""
    seats = Seat.objects.filter(game__status=Game.Status.RUNNING, is_bot=False)
    return seats.select_related("game", "player").defer("clan", "entropy", "player__password")


def return_address(notice: Notice) -> str:
    """The envelope sender of the mail of a notice: BOUNCE_ADDRESS with a signed id after a plus; empty without one."""
    if not settings.BOUNCE_ADDRESS:
        return ""
    name, _at, domain = settings.BOUNCE_ADDRESS.rpartition("@")
    return f"{name}+{notice.pk}-{_sign(str(notice.pk))}@{domain}"


def read_return_address(address: str) -> int | None:
    """The key of the notice whose envelope sender this is; None if it was not made here. In any case of letters."""
    name, _at, domain = settings.BOUNCE_ADDRESS.lower().rpartition("@")
    local, _at, found = address.strip().lower().rpartition("@")
    tag = _TAG.fullmatch(local.removeprefix(f"{name}+"))
    if not (name and tag and local.startswith(f"{name}+") and found == domain):
        return None
    return int(tag[1]) if constant_time_compare(tag[2], _sign(tag[1])) else None


def _sign(key: str) -> str:
    return salted_hmac("games.mail.bounces", key, algorithm="sha256").hexdigest()[:_SIGNATURE_LENGTH]

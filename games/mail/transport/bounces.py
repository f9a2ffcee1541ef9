"""Addresses that take no mail any more."""

from __future__ import annotations

import re
from datetime import datetime
from email import message_from_bytes, policy
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from games.mail.message import read_return_address
from games.mail.plan import owe_many
from games.mail.transport.connection import DETAIL_LENGTH, quote
from games.models import Game, Mail, Notice, Player, Seat

_WHY_LENGTH: Final = 200
# As a server says it at once (transport.connection); 5.0.0 is what others write for a refusal without such a code.
_FOR_GOOD: Final = re.compile(r"5\.(0\.0|1\.\d{1,3}|2\.[01])\b")


def bounced(address: str, *, why: str, at: datetime, happened: datetime | None = None, mail: int | None = None) -> bool:
    """Note that `address` takes no mail, and why, and owe it to fellow players to know; whether that is news. If it is
    known which `mail` came back, its reader's mail log says so.

    Nothing changes when it was noted before, when it `happened` (now, if that is not known) before the player said that
    the address takes mail, or when nobody has this address now: a player who has given another one since is reached by
    that. Costs a query, and 4 more when it is news.
    """
    news = Q(mail_again_at=None) | Q(mail_again_at__lt=happened or at)
    reached = Player.objects.filter(news, email=address.strip().lower(), mail_bounced_at=None)
    with transaction.atomic():
        player = reached.first()
        if player is None:
            return False
        _note_on(mail, player, why=why)
        if not reached.filter(pk=player.pk).update(mail_bounced_at=at, mail_bounce=why[:_WHY_LENGTH]):
            return False
        owe_many(_news_for_fellows(player), at=at)
    return True


def _note_on(mail: int | None, player: Player, *, why: str) -> None:
    """On the mail that came back, and on all notices in it."""
    if mail is None:
        return
    sent = Mail.objects.filter(pk=mail, player=player, state=Mail.State.SENT)
    if sent.update(error=Mail.Error.RETURNED, detail=why[:DETAIL_LENGTH]):
        Notice.objects.filter(mail=mail, state=Notice.State.SENT).update(reason=Notice.Reason.BOUNCED)


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


def came_back(address: str, *, why: str, at: datetime) -> bool:
    """Note that the mail with this envelope sender came back; whether that is news, as `bounced` says it. Raises
    LookupError, which says in one line what is wrong with the address."""
    if not settings.BOUNCE_ADDRESS:
        raise LookupError("BOUNCE_ADDRESS is not set: mails of this site have no return addresses of their own.")
    mail = Mail.objects.select_related("player").filter(pk=read_return_address(address) or 0).first()
    if mail is None and read_return_address(address):
        raise LookupError("There is no mail of that number any more.")
    if mail is None:
        raise LookupError(f"{address!r} is no return address of this site.")
    sent_at = mail.sent_at or mail.dated_at or mail.created_at
    return bounced(mail.player.email, why=why, at=at, happened=sent_at, mail=mail.pk)


def read_report(mail: bytes) -> str:
    """Why a mail did not arrive, from what came back (RFC 3464): in the words of the server that refused its address
    for good. Empty when it may still arrive, when the fault may pass, and for answers of people and their programs."""
    for part in message_from_bytes(mail, policy=policy.compat32).walk():
        if part.get_content_type() == "message/delivery-status":
            for report in part.walk():
                if str(report["Action"]).strip().lower() == "failed" and _FOR_GOOD.match(str(report["Status"]).strip()):
                    return quote(str(report["Diagnostic-Code"] or report["Status"]).removeprefix("smtp;"))
    return ""

"""What a player does about their mail, besides choosing preferences: another mode for a table, a test, another try."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from django.db.models import Case, F, When

from games.limits import TEST_MAILS
from games.mail.plan import owe, replan
from games.models import Game, Notice, Player, Seat

TEST_PAUSE: Final = timedelta(seconds=TEST_MAILS.rates[0].seconds)


class RequestedTest(Enum):
    """What became of the wish for a test mail."""

    OWED = "owed"
    TOO_SOON = "too soon"
    """There was one less than TEST_PAUSE ago."""
    NO_TABLE = "no table"
    """A mail always is about a table, and the player sits at none."""


def choose_modes(player: Player, modes: Mapping[str, str], *, at: datetime) -> int:
    """Let mail about the tables of these slugs go by these modes, an empty one by the player's own, and decide again on
    what waits for the player; how many of them have a seat of theirs."""
    seats = 0
    for mode in sorted(set(modes.values())):
        slugs = [slug for slug, wished in modes.items() if wished == mode]
        seats += Seat.objects.filter(player=player, game__slug__in=slugs).update(mail_mode=mode)
    replan(player, at=at)
    return seats


def choose_talk(player: Player, game: Game, *, wants: bool, at: datetime) -> None:
    """Mail the player about the talk at one table, or do not, and decide again on what waits for them."""
    changed = Seat.objects.filter(player=player, game=game).exclude(talk_mail=wants)
    if changed.update(talk_mail=wants):
        replan(player, at=at)


def request_test(player: Player, *, at: datetime) -> RequestedTest:
    """Owe a test mail, at once and whatever mail the player wants; of wishes that come together one is granted."""
    with player.locked():
        seat = _seat_for_test(player)
        tests = Notice.objects.filter(player=player, kind=Notice.Kind.TEST)
        if seat is None:
            return RequestedTest.NO_TABLE
        if tests.filter(created_at__gt=at - TEST_PAUSE).exists():
            return RequestedTest.TOO_SOON
        number = tests.filter(seat=seat, ply=seat.game.ply).count()
        owe([seat], kind=Notice.Kind.TEST, ply=seat.game.ply, number=number, at=at)
    return RequestedTest.OWED


def _seat_for_test(player: Player) -> Seat | None:
    """A seat whose table the test can show: of a game that runs, or else the newest."""
    seats = Seat.objects.filter(player=player).exclude(game__status=Game.Status.CLOSED)
    seats = seats.select_related("game", "player").defer("clan", "entropy", "player__password")
    runs = Case(When(game__status=Game.Status.RUNNING, then=0), default=1)
    return seats.order_by(runs, "-pk").first()


def try_again(player: Player, *, at: datetime) -> None:
    """Mail the player again, whose address took no mail; no matter if it did.

    Of what was dropped meanwhile the calls come back to turns that still run: nobody else would tell of them.
    """
    player.mail_bounced_at, player.mail_bounce, player.mail_again_at = None, "", at
    player.save(update_fields=("mail_bounced_at", "mail_bounce", "mail_again_at"))
    dropped = Notice.objects.filter(player=player, kind=Notice.Kind.TURN).filter(
        state__in=(Notice.State.SUPERSEDED, Notice.State.QUARANTINED), reason=Notice.Reason.BOUNCED
    )
    dropped.filter(seat__game__awaited=player, seat__game__ply=F("ply"), seat__game__edition=F("number")).update(
        state=Notice.State.DUE, reason="", due_at=at, mail=None
    )
    replan(player, at=at)

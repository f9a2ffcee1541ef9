"""People who answer the mails that they get: through the whole site, but for the mail server."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

from games import inbox, rules
from games.inbox import Envelope
from games.models import Game, InboundMail, Move, Notice, Player
from tests.cast import AT, seat_to_move
from tests.inbox.signing import make_key, sign
from tests.mail.composed import compose

LATER = AT + timedelta(hours=1)
SELECTOR = "s1"
_numbers = itertools.count(1)


def call_of(player: Player) -> Notice:
    """What calls `player` to a turn, the last of these."""
    return Notice.objects.loaded().filter(player=player, kind=Notice.Kind.TURN).order_by("-pk")[0]


def reply_to(notice: Notice) -> str:
    """The address to which the reader of a mail answers."""
    return str(compose(notice).extra_headers["Reply-To"])


def write(
    to: str,
    text: str,
    *,
    sender: str = "alice@example.com",
    signed: bool = True,
    message_id: str = "",
    headers: dict[str, str] | None = None,
) -> bytes:
    """A mail to `to`, signed by the mail server of its sender's domain."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: Your turn"
    mail["Date"] = format_datetime(AT)
    mail["Message-ID"] = message_id or f"<{next(_numbers)}@example.com>"
    for name, value in (headers or {}).items():
        mail[name] = value
    mail.set_content(text)
    raw = mail.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return sign(raw, make_key(), selector=SELECTOR, domain="example.com") if signed else raw


def send(raw: bytes, to: str, *, sender: str = "alice@example.com", at: datetime) -> InboundMail:
    """Bring a mail, and let the site handle it; what became of it."""
    taken = inbox.receive(raw, Envelope(sender=sender, recipient=to), at=at)
    inbox.handle(taken.pk, at=at)
    taken.refresh_from_db()
    return taken


def answer(player: Player, text: str, *, at: datetime, signed: bool = True) -> InboundMail:
    """`player` answers the mail that calls them to a turn."""
    to = reply_to(call_of(player))
    return send(write(to, text, sender=player.email, signed=signed), to, sender=player.email, at=at)


def said_in_receipt(taken: InboundMail) -> str:
    """The text of the mail that answers a mail."""
    assert taken.notice is not None
    return str(compose(Notice.objects.loaded().get(pk=taken.notice.pk)).body)


def flat(taken: InboundMail) -> str:
    """The text of the receipt in one line."""
    return " ".join(said_in_receipt(taken).split())


def mover(game: Game) -> Player:
    player = seat_to_move(game).player
    assert player is not None
    return player


def some_move(game: Game) -> str:
    """A legal move of which only one founding order is possible."""
    position = Game.objects.get(pk=game.pk).position()
    return next(str(move) for move in rules.legal_moves(position) if not rules.founding_orders(position, move))


def other_move(game: Game) -> str:
    """A legal move from another territory than `some_move` has it."""
    position = Game.objects.get(pk=game.pk).position()
    return next(str(move) for move in rules.legal_moves(position) if move.origin not in some_move(game))


def codes(taken: InboundMail) -> list[str]:
    return [result["code"] for result in taken.results]


def moves(game: Game) -> list[str]:
    return list(Move.objects.filter(game=game).order_by("ply").values_list("text", flat=True))

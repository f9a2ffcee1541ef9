"""A site of real processes with a player whose turn it is, and the mails that get in."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from games import rules
from games.enqueue import without_enqueueing
from games.models import InboundMail, MailAnswers, Player, TurnToken, make_turn_token
from tests.cast import make_game, make_player, seat_to_move
from tests.inbox.writing import write
from tests.servers import HOST, Site, free_port, site, wait_until

REPLY_ADDRESS = "turn@clans.example.com"
TAKES_ANSWERS = {"REPLY_ADDRESS": REPLY_ADDRESS}


@dataclass(frozen=True)
class Inbox:
    """`secret` is that of the mail which called `sender` to the table."""

    site: Site
    sender: str
    secret: str
    blocker: DjangoDbBlocker

    @property
    def recipient(self) -> str:
        return REPLY_ADDRESS.replace("@", f"+{self.secret}@")

    @property
    def mails(self) -> list[InboundMail]:
        """What is stored, oldest first."""
        with self.blocker.unblock(), self.site.database():
            return list(InboundMail.objects.select_related("player").order_by("pk"))

    @property
    def raw(self) -> list[bytes]:
        """What came, as far as it is stored, oldest first."""
        return [mail.raw for mail in self.mails]

    def forget_all(self) -> None:
        with self.blocker.unblock(), self.site.database():
            InboundMail.objects.all().delete()

    def answer(self, text: str = "C4-D1", *, number: int = 1) -> bytes:
        """A mail to the address of the turn; each `number` is another one."""
        return (
            f"From: {self.sender}\r\nTo: {self.recipient}\r\nSubject: Re: Your turn\r\n"
            f"Message-ID: <{number}@mail.example.com>\r\n\r\n{text}\r\n"
        ).encode()


@contextmanager
def inbox(
    folder: Path,
    blocker: DjangoDbBlocker,
    *,
    processes: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Iterator[Inbox]:
    """A site that takes answers, with a running game and a token of the player to move."""
    with site(folder, processes=processes, environment=TAKES_ANSWERS | dict(environment or {})) as served:
        with blocker.unblock(), served.database():
            seat = seat_to_move(make_game(*(make_player(name) for name in ("alice", "bob", "carol"))))
            assert seat.player is not None
            secret = make_turn_token(seat.player, {1: seat}, use=TurnToken.Use.ANSWER, at=timezone.now())
        if "inbox" in processes:
            wait_until_it_listens(served)
        yield Inbox(served, seat.player.email, secret, blocker)


def listen_anywhere(scheme: str = "lmtp") -> dict[str, str]:
    """The setting for a port that is free."""
    return {"REPLY_LISTEN": f"{scheme}://{HOST}:{free_port()}"}


def listens_at(served: Site) -> tuple[str, int]:
    """Host and port at which a site takes answers in; a path and 0 for a socket that is a file."""
    where = urlsplit(served.environment["REPLY_LISTEN"])
    return where.path or where.hostname or "", where.port or 0


def wait_until_it_listens(served: Site) -> None:
    """Until somebody can bring a mail; raises ServerDied if the process has ended before."""

    def it_does() -> bool:
        served.check_alive()
        return can_connect(*listens_at(served))

    wait_until(it_does, what="server of answers")


def can_connect(host: str, port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket(socket.AF_INET if port else socket.AF_UNIX) as probe:
        return probe.connect_ex((host, port) if port else host) == 0


Answer = tuple[str, str, bytes]
"""Who sends a mail, where to, and its bytes."""


def stage_answers(count: int) -> list[Answer]:
    """Answers to `count` games that each wait for one, signed, with a move that is legal. They are made in
    the database that is open (`Site.database`)."""
    answers = []
    with transaction.atomic(), without_enqueueing():
        for number in range(count):
            people = [make_player(f"{name}-{number}") for name in ("white", "black")]
            seat = seat_to_move(game := make_game(*people, at=timezone.now()))
            assert seat.player is not None
            secret = make_turn_token(seat.player, {1: seat}, use=TurnToken.Use.ANSWER, at=timezone.now())
            to = REPLY_ADDRESS.replace("@", f"+{secret}@")
            move = str(rules.legal_moves(game.position())[0])
            answers.append((seat.player.email, to, write(to, move, sender=seat.player.email)))
        Player.objects.update(mail_answers=MailAnswers.PLAY)
    return answers

"""A game of three, played to its end by three mail programs and nothing else: real worker, beat and listener, signed
mails, and the DNS that has the key of their domain. Every move comes from the text of a mail."""

from __future__ import annotations

import random
import re
import smtplib
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from games import rules
from games.models import Game, InboundMail, MailAnswers, MailText, Player
from tests.cast import make_game, make_player
from tests.inbox.dns_server import dns_server
from tests.inbox.signing import make_key
from tests.inbox.ways import TAKES_ANSWERS, listen_anywhere, listens_at, wait_until_it_listens
from tests.inbox.writing import SELECTOR, write
from tests.servers import Mail, MailServer, Site, mail_server, site, wait_until

FOUNDING = re.compile(r"^([A-L][1-5]-[A-L][1-5](?:=[A-L][1-5](?:,[A-L][1-5])*)?) founds", re.MULTILINE)
LISTED = re.compile(r"^([A-L][1-5]-[A-L][1-5] #\d+), ", re.MULTILINE)
OTHERS = re.compile(r"^From ([A-L][1-5]), [^:]*?, to ([^.]+)\.", re.MULTILINE)


@dataclass
class MailProgram:
    """Somebody who has only a mail program, and reads all that comes."""

    name: str
    site: Site
    smtp: MailServer
    chance: random.Random
    read: int = 0
    confirmed: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.name}@example.com"

    def work(self) -> None:
        """Read the mails that have come, and answer each that calls to a turn."""
        mails = self.smtp.mails_to(self.address)
        for mail in mails[self.read :]:
            self.read += 1
            if mail.kind == "turn":
                self.bring(self.answer(mail), str(mail.message["Reply-To"]))
            elif mail.kind == "receipt":
                self.confirmed.append(str(mail.message["Subject"]))

    def answer(self, mail: Mail) -> bytes:
        """A move, chosen from those that the mail tells, above the mail that it answers."""
        move = self.chance.choice(read_moves(mail.text))
        quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
        text = f"{move.lower()}\n\nOn Monday, Clans by mail wrote:\n{quoted}\n"
        return write(str(mail.message["Reply-To"]), text, sender=self.address)

    def bring(self, raw: bytes, to: str) -> None:
        with smtplib.LMTP(*listens_at(self.site)) as server:
            server.sendmail(self.address, [to], raw)


def read_moves(text: str) -> list[str]:
    """The legal moves as a mail tells them to somebody who wants the whole position."""
    told = text.partition("# Legal moves")[2].partition("# How to answer")[0]
    founding = [found[1] for form in (FOUNDING, LISTED) for found in form.finditer(told)]
    others = [
        f"{found[1]}-{target}" for found in OTHERS.finditer(told) for target in re.findall(r"[A-L][1-5]", found[2])
    ]
    assert founding or others, text
    return founding + others


@pytest.mark.parametrize("seed", [1])
def test_three_mail_programs_play_a_game_to_its_end(
    seed: int, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with dns_server() as dns, mail_server() as smtp:
        dns.publish(f"{SELECTOR}._domainkey.example.com", make_key().record)
        environment = TAKES_ANSWERS | listen_anywhere() | {"REPLY_RESOLVER": dns.address, "MAIL_MOVE_WAIT_SECONDS": "0"}
        processes = ("worker", "beat", "inbox")
        with site(tmp_path, smtp=smtp, processes=processes, environment=environment) as served:
            wait_until_it_listens(served)
            with django_db_blocker.unblock(), served.database():
                people = [make_player(name) for name in ("alice", "bob", "carol")]
                Player.objects.update(mail_answers=MailAnswers.PLAY, mail_text=MailText.FULL)
                for player in people:
                    player.refresh_from_db()
                game = make_game(*people)
            chance = random.Random(seed)
            programs = [MailProgram(player.username, served, smtp, chance) for player in people]

            def is_over() -> bool:
                served.check_alive()
                for program in programs:
                    program.work()
                return all(smtp.mails_to(program.address, kind="finished") for program in programs)

            wait_until(is_over, what="end of the game", patience=400)
            with django_db_blocker.unblock(), served.database():
                game.refresh_from_db()
                log = list(game.moves.order_by("ply").values_list("text", flat=True))
                outcomes = set(InboundMail.objects.values_list("outcome", flat=True))
    assert game.status == Game.Status.FINISHED
    assert game.end in {"villages", "no-moves"}
    assert outcomes == {InboundMail.Outcome.READ}
    assert rules.fold(game.opening(), [rules.Move.parse(text, game.ruleset.board) for text in log])[-1].position.over
    confirmed = sum(len(program.confirmed) for program in programs)
    assert confirmed >= len(log) - len(programs), "each move is confirmed; the last ones may be on their way"

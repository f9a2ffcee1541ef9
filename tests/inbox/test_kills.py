"""Processes are killed while answers come in: each is played once and answered once, and none is lost."""

from __future__ import annotations

import random
import smtplib
from collections import Counter
from pathlib import Path

from pytest_django import DjangoDbBlocker

from games.models import Game, InboundMail, Move, Notice
from tests.inbox.dns_server import dns_server
from tests.inbox.signing import make_key
from tests.inbox.ways import TAKES_ANSWERS, listen_anywhere, listens_at, stage_answers, wait_until_it_listens
from tests.inbox.writing import SELECTOR
from tests.servers import Site, mail_server, site, wait_until

ANSWERS = 40
KILLS = 12


def bring(served: Site, sender: str, to: str, raw: bytes) -> bool:
    """Whether the site has acknowledged a mail; a server that is away, or dies, has not."""
    try:
        with smtplib.LMTP(*listens_at(served), timeout=10) as server:
            return not server.sendmail(sender, [to], raw)
    except (OSError, smtplib.SMTPException):
        return False


def kill(served: Site, name: str) -> None:
    """Kill a process, and start it again."""
    if name in served.processes:
        served.kill(name)
    served.start(name)


def test_each_answer_is_played_once_and_answered_once(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    chance = random.Random(4)
    with dns_server() as dns, mail_server() as smtp:
        dns.publish(f"{SELECTOR}._domainkey.example.com", make_key().record)
        environment = TAKES_ANSWERS | listen_anywhere() | {"REPLY_RESOLVER": dns.address, "MAIL_LEASE_SECONDS": "5"}
        with site(tmp_path, smtp=smtp, processes=("worker", "inbox"), environment=environment) as served:
            wait_until_it_listens(served)
            with django_db_blocker.unblock(), served.database():
                mails = stage_answers(ANSWERS)
            when = set(chance.sample(range(len(mails)), KILLS))
            for number, mail in enumerate(mails):
                if number in when:
                    kill(served, chance.choice(("worker", "inbox")))
                # A mail server tries again until its mail is taken, also one that is brought a second time for that.
                wait_until(lambda mail=mail: bring(served, *mail), what="acknowledgement")  # type: ignore[misc]
            kill(served, "worker")

            def is_quiet() -> bool:
                served.manage("sweep")
                with django_db_blocker.unblock(), served.database():
                    open_mails = InboundMail.objects.exclude(state__in=("sent", "superseded")).count()
                    return not open_mails and not Notice.objects.filter(kind="receipt", state="due").exists()

            wait_until(is_quiet, what="end of all work", patience=300)
            with django_db_blocker.unblock(), served.database():
                outcomes = Counter(InboundMail.objects.values_list("outcome", flat=True))
                played = Counter(Move.objects.filter(key__startswith="mail-").values_list("game__slug", flat=True))
                games = set(Game.objects.values_list("slug", flat=True))
    assert outcomes[InboundMail.Outcome.READ] == len(games) == ANSWERS
    assert played == Counter(games)
    confirmed: dict[str, set[str]] = {}
    for sent in smtp.mails:
        if sent.kind == "receipt" and "is played" in sent.subject:
            confirmed.setdefault(str(sent.message["X-Clans-Game"]), set()).add(str(sent.message["Message-ID"]))
    # A mail whose sender died may go out a second time, as the same mail.
    assert {slug: len(ids) for slug, ids in confirmed.items()} == dict.fromkeys(games, 1)

"""Answers are moves: they are handled before the mails that wait to be sent."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from games import inbox, tasks
from games.inbox import Envelope
from games.models import InboundMail, Mail, Move, Notice
from tests.inbox import ways
from tests.inbox.dns_server import DnsServer, dns_server
from tests.inbox.signing import make_key
from tests.inbox.writing import SELECTOR
from tests.redis_server import redis_server
from tests.servers import MailServer, Site, mail_server, site, wait_until

Outcome = InboundMail.Outcome
WAITING = 200
ENQUEUE_MAILS = """
from clans_site.celery import app
import django; django.setup()
from games.models import Notice
for pk in Notice.objects.filter(state="due").values_list("pk", flat=True)[:WAITING]:
    app.send_task("games.tasks.send_notice", args=(pk,))
""".replace("WAITING", str(WAITING))


@contextmanager
def site_that_listens(folder: Path, smtp: MailServer, environment: dict[str, str]) -> Iterator[Site]:
    """A site without a worker, that takes answers in."""
    with dns_server() as dns:
        dns.publish(f"{SELECTOR}._domainkey.example.com", make_key().record)
        environment = ways.TAKES_ANSWERS | ways.listen_anywhere() | {"REPLY_RESOLVER": dns.address} | environment
        with site(folder / "site", smtp=smtp, processes=("inbox",), environment=environment) as served:
            ways.wait_until_it_listens(served)
            yield served


@contextmanager
def redis(folder: Path) -> Iterator[dict[str, str]]:
    with redis_server(folder / "redis") as broker:
        yield {"CELERY_BROKER_URL": broker.url}


@contextmanager
def files(folder: Path) -> Iterator[dict[str, str]]:
    yield {}


@pytest.mark.parametrize("broker", [redis, files])
def test_an_answer_is_handled_before_mails_that_have_waited_longer(
    broker: Callable[[Path], AbstractContextManager[dict[str, str]]], tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with (
        django_db_blocker.unblock(),
        broker(tmp_path) as environment,
        mail_server() as smtp,
        site_that_listens(tmp_path, smtp, environment) as served,
    ):
        with served.database():
            sender, to, raw = ways.stage_answers(WAITING // 2)[0]
            assert Notice.objects.filter(state="due").count() >= WAITING
        served.python("-c", ENQUEUE_MAILS)
        with smtplib.LMTP(*ways.listens_at(served)) as server:
            server.sendmail(sender, [to], raw)
        served.start("worker")

        def move() -> Move | None:
            with served.database():
                return Move.objects.filter(key__startswith="mail-").first()

        wait_until(move, what="move")
        wait_until(lambda: smtp.mails, what="mail")
        with served.database():
            played = Move.objects.get().at
            # A mail is sent at the time when its task began.
            before = Mail.objects.filter(sent_at__lt=played).count()
    assert before <= 2, "no more than the threads of the worker had in hand"


@pytest.mark.django_db
def test_a_sweep_that_sends_mails_handles_answers_between_two_of_them(answers: DnsServer, settings: Settings) -> None:
    settings.REPLY_ADDRESS = ways.REPLY_ADDRESS
    (sender, to, raw), *_others = ways.stage_answers(2)
    came: list[InboundMail] = []
    outcomes: list[str] = []

    def watch(handled: int) -> None:
        if came:
            outcomes.append(InboundMail.objects.get(pk=came[0].pk).outcome)
        else:
            came.append(inbox.receive(raw, Envelope(sender=sender, recipient=to), at=timezone.now()))

    swept = tasks.sweep_all(report=watch)
    assert outcomes[0] == Outcome.READ
    assert swept.answers == 1

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from games.models import Game, MailAnswers, Player
from tests.inbox.dns_server import DnsServer, dns_server
from tests.inbox.judging import KEY, KEY_NAME
from tests.inbox.signing import make_key
from tests.inbox.writing import SELECTOR

REPLY_ADDRESS = "turn@clans.example.net"


@pytest.fixture
def answers(settings: Settings) -> Iterator[DnsServer]:
    """A site that takes answers by mail, and the DNS that it asks: example.com has a key, and signs with it."""
    settings.REPLY_ADDRESS = REPLY_ADDRESS
    settings.REPLY_TRUSTED_HOST = settings.REPLY_LOCAL_KEYS = ""
    with dns_server() as server:
        settings.REPLY_RESOLVER = server.address
        server.publish(f"{SELECTOR}._domainkey.example.com", make_key().record)
        yield server


@pytest.fixture
def by_mail(answers: DnsServer, game: Game) -> Game:
    """A game whose players let their moves be played at once."""
    Player.objects.update(mail_answers=MailAnswers.PLAY)
    game.refresh_from_db()
    return game


@pytest.fixture
def zone(settings: Settings) -> Iterator[DnsServer]:
    """The DNS that the site asks, with the key of example.com, by which tests sign themselves."""
    settings.REPLY_TRUSTED_HOST = settings.REPLY_LOCAL_KEYS = ""
    with dns_server() as server:
        settings.REPLY_RESOLVER = server.address
        server.publish(KEY_NAME, KEY.record)
        yield server

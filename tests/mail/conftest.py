from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from games.models import Game, Notice
from tests.mail.post_office import PostOffice, open_post_office
from tests.mail.provider_office import Provider, open_provider, use
from tests.servers import free_port


@pytest.fixture
def post_office(settings: Settings) -> Iterator[PostOffice]:
    """A mail server, and the site told to use it."""
    with open_post_office() as office:
        settings.EMAIL_BACKEND = "games.mail.transport.connection.SmtpBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        yield office


@pytest.fixture
def no_post_office(settings: Settings) -> None:
    """The site is told to use a mail server that is not there."""
    settings.EMAIL_BACKEND = "games.mail.transport.connection.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    """A provider, and the site told to use it."""
    with open_provider() as office:
        use(settings, "postmark", server_token="token", api_url=f"http://127.0.0.1:{office.port}/")
        yield office


@pytest.fixture
def mailbox(settings: Settings, tmp_path: Path) -> Path:
    """The mailbox of a site that is being tried out."""
    settings.DEBUG = True
    settings.EMAIL_BACKEND = "games.mail.transport.mailbox.MailboxBackend"
    settings.MAILBOX_DIR = tmp_path / "mailbox"
    return tmp_path / "mailbox"


@pytest.fixture
def turn(game: Game) -> Notice:
    """The mail that calls the first player to the table."""
    return Notice.objects.get(seat__game=game, kind=Notice.Kind.TURN)

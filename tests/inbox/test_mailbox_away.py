"""A mailbox for answers that cannot be read is a fault of the site, which /health/ tells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from django.test import Client

from games import mail
from games.inbox import polling
from games.inbox.polling import Poller
from tests.inbox.imap_server import open_imap_server
from tests.servers import PATIENCE, wait_until

FAULT = "The mailbox for answers cannot be read.\n"


@contextmanager
def looked_into(address: str) -> Iterator[None]:
    """As the process does that looks into a mailbox."""
    stop = Event()
    thread = Thread(target=Poller(address).run, kwargs={"stop": stop})
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(PATIENCE)


@pytest.mark.django_db
def test_health_says_that_it_cannot_be_read_until_it_can(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # In place of minutes.
    monkeypatch.setattr(polling, "LONGEST_PAUSE", 2)

    def said() -> str:
        return client.get("/health/").content.decode()

    with open_imap_server() as server:
        assert said() == "All is in order.\n"
        server.stop()
        with looked_into(server.url):
            wait_until(lambda: said() == FAULT, what="word of the mailbox")
            assert client.get("/health/").status_code == 503
            server.start()
            wait_until(lambda: said() == "All is in order.\n", what="word of the mailbox")


@pytest.mark.django_db
def test_health_forgets_what_a_process_of_before_has_noted(client: Client) -> None:
    """Whoever mends the setting starts the site again."""
    mail.note_mailbox(is_away=True)
    with open_imap_server() as server, looked_into(server.url):
        wait_until(lambda: client.get("/health/").status_code == 200, what="word of the mailbox")

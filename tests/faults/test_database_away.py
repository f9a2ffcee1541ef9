"""A real PostgreSQL that is stopped, or crashes, while a site asks it: pages say so and when to come back, nothing is
lost, and all goes on once it is there again."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker

from games.enqueue import without_enqueueing
from games.models import Game, Mail, Notice
from tests.browser.chromium import started
from tests.browser.hotseat import at_the_database, hotseat
from tests.faults.brokers import some_moves
from tests.pages.helpers import play_next, table_url
from tests.postgres_server import PostgresServer
from tests.servers import HOST, Site, mail_server, site, wait_until

pytestmark = pytest.mark.timeout(300)

SENTENCE = "The site can neither read nor store anything just now."
NO_DATABASE = "The database cannot be used: nobody can read or play.\n"


class Answer(NamedTuple):
    status: int
    retry_after: str
    media_type: str
    text: str


@pytest.mark.parametrize("end", [PostgresServer.stop, PostgresServer.crash])
def test_it_says_when_to_come_back_and_goes_on(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, database: PostgresServer, end: Callable[[PostgresServer], None]
) -> None:
    with (
        mail_server() as smtp,
        site(tmp_path / "site", smtp=smtp, environment={"DATABASE_URL": database.url}) as served,
    ):
        with django_db_blocker.unblock(), served.database(), without_enqueueing():
            first, second = some_moves(served, 2)
            table = table_url(Game.objects.order_by("pk")[0])
        pages = ["/", table, f"{table}poll/visitor/", "/archive/"]
        assert {ask(served, page).status for page in pages} == {200}
        assert first()().status == 303
        end(database)
        begun = served.log("web")
        for page in pages:
            answer = ask(served, page)
            assert answer[:3] == (503, "30", "text/html; charset=utf-8")
            assert SENTENCE in answer.text
        assert second()().status == 503
        assert ask(served, "/health/") == (503, "", "text/plain; charset=utf-8", NO_DATABASE)
        problem = {"type": "about:blank", "title": "Service Unavailable", "status": 503}
        *about, text = ask(served, "/api/v1/games")
        assert (*about, json.loads(text)) == (503, "30", "application/problem+json", problem)
        said = served.log("web").removeprefix(begun).splitlines()
        assert [("Service Unavailable: /" in line, "Traceback" in line) for line in said] == [(True, False)] * 7
        assert sum("OperationalError (connection failed" in line for line in said) == 6
        database.start()
        assert {ask(served, page).status for page in pages} == {200}
        assert second()().status == 303

        def all_is_sent() -> bool:
            with served.database():
                return not Notice.objects.filter(state=Notice.State.DUE).exists()

        with django_db_blocker.unblock():
            wait_until(all_is_sent, what="mail of the moves")
            with served.database():
                assert len(smtp.mails) == Mail.objects.filter(state=Mail.State.SENT).count() > 0
        served.check_alive()


def test_an_open_page_goes_on_by_itself(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, database: PostgresServer
) -> None:
    environment = {"DATABASE_URL": database.url}
    with (
        site(tmp_path / "site", processes=("web",), environment=environment) as served,
        started("chromium-headless-shell", "chromium") as browser,
        hotseat(browser, served, django_db_blocker) as two,
    ):
        page = two.seats[1].page
        before = page.locator("#table").get_attribute("data-ply")
        database.stop()
        with page.expect_response(lambda response: "/poll/" in response.url) as asked:
            page.evaluate("dispatchEvent(new Event('online'))")
        assert asked.value.status == 503
        database.start()
        at_the_database(served, django_db_blocker, lambda: play_next(two.game, at=timezone.now()))
        expect(page.locator("#table")).not_to_have_attribute("data-ply", before or "", timeout=60_000)


def ask(site: Site, path: str) -> Answer:
    """What a visitor gets there, whose page is of an older version."""
    with closing(HTTPConnection(HOST, site.port, timeout=60)) as connection:
        connection.request("GET", path, headers={"If-None-Match": '"older"'})
        answer = connection.getresponse()
        retry_after, media_type = (answer.getheader(name, "") for name in ("Retry-After", "Content-Type"))
        return Answer(answer.status, retry_after, media_type, answer.read().decode())

"""A GET changes nothing (design 4.1), and no link leads nowhere: following every link as every kind of visitor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core import mail
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings

from games.mail.transport.mailbox import store_mail
from games.models import Notice
from tests.faults import memory
from tests.faults.addresses import Samples, routes
from tests.faults.browser import Browser
from tests.faults.crawler import Crawl, links_in, links_on
from tests.faults.scenery import Scenery
from tests.mail.composed import compose, compose_undrawn


def mails() -> list[tuple[str, str]]:
    """The text and the HTML of every mail that is owed."""
    notices = Notice.objects.select_related("seat__game", "seat__player").order_by("pk")
    return [(str(letter.body), str(letter.alternatives[0][0])) for letter in compose_undrawn(notices)]


@pytest.fixture(scope="module")
def mail_links(_painted: Scenery, django_db_blocker: DjangoDbBlocker) -> list[str]:
    with django_db_blocker.unblock():
        return _links()


def _links() -> list[str]:
    found = [link for text, html in mails() for link in [*links_in(text), *links_on(html, "/")]]
    return list(dict.fromkeys(found))


def some_addresses(scenery: Scenery) -> Iterator[str]:
    """All addresses of the site's own pages, and a few of each kind of the admin's, which has links to the others."""
    samples = Samples(scenery)
    for route in routes():
        paths = samples.paths(route)
        yield from paths[:2] if route.name.startswith("admin:") else paths


@pytest.mark.parametrize("name", ["visitor", "alice", "mallory", "warden"])
def test_it_changes_nothing_by_following_links(scenery: Scenery, mail_links: list[str], name: str) -> None:
    crawl = Crawl(Browser(scenery.viewer(name)))
    before, queue = memory.dump(), memory.files(memory.queue_folder())
    crawl.visit(some_addresses(scenery))
    crawl.visit(mail_links)
    crawl.follow()
    assert crawl.faults == []
    assert memory.changes(before, memory.dump()) == []
    assert memory.files(memory.queue_folder()) == queue
    assert mail.outbox == []
    assert len(crawl.statuses) > 150


def test_it_has_links_in_mails_that_lead_somewhere(scenery: Scenery, mail_links: list[str]) -> None:
    visitor, links = Browser(None), mail_links
    assert {game.get_absolute_url() for game in scenery.games.values() if game.huts} <= set(links)
    assert [link for link in links if visitor.get(link).status_code not in {200, 302}] == []


def test_it_changes_nothing_in_the_mailbox(scenery: Scenery, settings: Settings, tmp_path: Path) -> None:
    settings.DEBUG, settings.MAILBOX_DIR = True, tmp_path
    settings.EMAIL_BACKEND = "games.mail.transport.mailbox.MailboxBackend"
    for notice in Notice.objects.select_related("seat__game", "seat__player").order_by("-pk")[:3]:
        store_mail(compose(notice).message().as_bytes())
    before, kept = memory.dump(), memory.files(tmp_path)
    crawl = Crawl(Browser(None))
    crawl.visit(["/mailbox/", "/mailbox/?to=alice%40example.com"])
    crawl.follow()
    assert crawl.faults == []
    assert sum(path.endswith("/html/") for path in crawl.statuses) == 3
    assert (memory.dump(), memory.files(tmp_path)) == (before, kept)


def test_it_leads_from_the_first_page_to_the_archive_and_back(scenery: Scenery) -> None:
    crawl = Crawl(Browser(None))
    crawl.visit(["/"])
    crawl.follow()
    finished = scenery.games["finished"].get_absolute_url()
    assert {"/archive/", "/rules/", finished, f"{finished}record.json", f"{finished}deal/"} <= set(crawl.statuses)
    hidden = scenery.games["finished by link"].get_absolute_url()
    assert not any(path.startswith(hidden) for path in crawl.statuses)


@pytest.mark.urls("tests.faults.careless")
def test_it_notices_careless_pages(db: None) -> None:
    crawl = Crawl(Browser(None))
    crawl.visit(["/careless/"])
    crawl.follow()
    told = "\n".join(crawl.faults)
    for fault in ("/careless/ writes: UPDATE", "404: /nowhere/", "no such file: /static/nowhere.png", "500: /careless"):
        assert fault in told


def test_it_takes_down_what_a_post_changes(scenery: Scenery) -> None:
    """The dump that crawls compare sees what it must see."""
    before = memory.dump()
    client = Client()
    client.force_login(scenery.players["carol"])
    client.post(f"{scenery.games['open'].get_absolute_url()}join/", {"words": "hello"})
    lines = memory.changes(before, memory.dump())
    assert any(line.startswith("+ games_seat") and "hello" in line for line in lines)

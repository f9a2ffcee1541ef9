"""An address that takes no mail: what its player is told, and how it is tried again."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings
from time_machine import travel

from games.models import Game, Notice, Player
from tests.cast import AT
from tests.pages.helpers import links, seat_of, soup, table_url, text_of
from tests.pages.mail_log.reading import NOW, PAGE, SOON, owed

pytestmark = pytest.mark.django_db


@pytest.fixture
def bounced(her: Client, game: Game) -> Client:
    """Her browser, since when mails to her came back."""
    why = "550 5.1.1 <…>: no such user"
    Player.objects.filter(username="alice").update(mail_bounced_at=AT, mail_bounce=why)
    return her


BANNER = "Our mails to alice@example.com do not arrive, so none calls you to the table."


def test_it_says_so_on_every_page(bounced: Client, game: Game, settings: Settings) -> None:
    pages = (
        "/",
        table_url(game),
        "/archive/",
        "/rules/",
        "/preferences/",
        "/vacation/",
        "/accounts/email/",
        "/accounts/2fa/",
    )
    for page in (*pages, table_url(game, "ply/0/"), table_url(game, "deal/"), "/nowhere/"):
        response = bounced.get(page)
        assert BANNER in text_of(response, "main > .mail-stopped"), page
        assert "/mail/" in links(response, "main > .mail-stopped")


def test_it_says_so_to_nobody_else(bounced: Client, game: Game, bob: Player) -> None:
    visitor = Client()
    assert not soup(visitor.get("/")).select(".mail-stopped")
    visitor.force_login(bob)
    for page in ("/", table_url(game), "/mail/"):
        assert not soup(visitor.get(page)).select(".mail-stopped, .mail-bounced")
        assert "alice@example.com" not in visitor.get(page).content.decode()


def test_it_costs_no_query(bounced: Client, bob: Player, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    other = Client()
    other.force_login(bob)
    for client in (other, bounced):
        with django_assert_num_queries(2):  # session, player and the tables that wait
            client.get("/rules/")


def test_it_tells_why_and_what_can_be_done(bounced: Client) -> None:
    with travel(NOW, tick=False):
        page = bounced.get(PAGE)
    assert not soup(page).select(".mail-stopped")
    said = text_of(page, ".mail-bounced")
    assert "What we mailed to alice@example.com came back 24 hours ago" in said
    assert "“550 5.1.1 <…>: no such user”." in said
    assert "/accounts/email/" in links(page, ".mail-bounced")


def test_it_tries_again_when_asked(bounced: Client, alice: Player, game: Game) -> None:
    response = bounced.post("/mail/again/", follow=True)
    assert response.redirect_chain == [(PAGE, 303)]
    alice.refresh_from_db()
    assert (alice.mail_bounced_at, alice.mail_bounce) == (None, "")
    assert not soup(bounced.get("/")).select(".mail-stopped")


def test_it_does_not_try_again_by_get(bounced: Client, alice: Player) -> None:
    assert bounced.get("/mail/again/")["Location"] == PAGE
    alice.refresh_from_db()
    assert alice.mail_bounced_at == AT


def test_it_decides_again_on_what_waits_when_it_tries_again(bounced: Client, game: Game, alice: Player) -> None:
    Notice.objects.all().delete()
    call = owed(seat_of(game, alice), "bounced", due_at=SOON, reason="quiet")
    with travel(NOW, tick=False):
        bounced.post("/mail/again/")
    call.refresh_from_db()
    assert (call.state, call.reason, call.due_at) == ("due", "", NOW)

"""Turning mail off by the link in a mail (RFC 8058)."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse

from games import mail
from games.mail.compose import compose
from games.models import Notice, Player

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def stranger() -> Client:
    """Not signed in, and strict about CSRF as a browser's victim would wish."""
    return Client(enforce_csrf_checks=True)


def link(player: Player) -> str:
    return mail.stop_url(player).removeprefix("http://localhost:8000")


def wants_mail(player: Player) -> bool:
    return Player.objects.get(pk=player.pk).mail_mode != "nothing"


def test_it_asks_first(alice: Player, stranger: Client) -> None:
    for _visit in range(2):
        answer = stranger.get(link(alice))
        assert answer.status_code == 200
        assert "No more mails about games?" in answer.content.decode()
        assert '<form class="form" method="post">' in answer.content.decode()
    assert stranger.head(link(alice)).status_code == 200
    assert wants_mail(alice)


def test_it_turns_mail_off_by_one_click_however_often(alice: Player, bob: Player, stranger: Client) -> None:
    for _click in range(2):
        answer = stranger.post(link(alice), ONE_CLICK)
        assert answer.status_code == 200
        assert not wants_mail(alice)
    page = unescape(answer.content.decode())
    assert "No more mails about games</h1>" in page
    assert reverse("preferences") in page
    assert wants_mail(bob)


def test_it_says_so_when_mail_is_off_already(alice: Player, stranger: Client) -> None:
    stranger.post(link(alice), ONE_CLICK)
    page = stranger.get(link(alice)).content.decode()
    assert "No more mails about games</h1>" in page
    assert "One-Click" not in page.split("<main")[1].split("</main>")[0]


def test_it_works_by_the_link_in_the_mail(turn: Notice, stranger: Client) -> None:
    header = compose(Notice.objects.get(pk=turn.pk)).message()["List-Unsubscribe"]
    assert turn.seat.player is not None
    stranger.post(header.strip("<>").removeprefix("http://localhost:8000"), ONE_CLICK)
    assert not wants_mail(turn.seat.player)


def test_it_signs_nobody_in(alice: Player, stranger: Client) -> None:
    stranger.get(link(alice))
    stranger.post(link(alice), ONE_CLICK)
    assert "sessionid" not in stranger.cookies
    assert "alice@example.com" not in stranger.get(link(alice)).content.decode()


def test_it_knows_no_link_that_was_not_made_here(alice: Player, stranger: Client) -> None:
    good = link(alice)
    scope = Signer(salt="games.mail.stop").sign_object([alice.pk, "taxes"])
    nobody = Signer(salt="games.mail.stop").sign_object([alice.pk + 1000, "games"])
    odd = Signer(salt="games.mail.stop").sign_object({"player": alice.pk})
    other_use = Signer(salt="elsewhere").sign_object([alice.pk, "games"])
    tokens = [good[:-3] + "/", "/mail/stop/x/", *(f"/mail/stop/{t}/" for t in (scope, nobody, odd, other_use))]
    for path in tokens:
        for answer in (stranger.get(path), stranger.post(path, ONE_CLICK)):
            assert answer.status_code == 404
            assert "This link turns off no mail" in answer.content.decode()
    assert wants_mail(alice)


def test_it_takes_no_other_verb(alice: Player, stranger: Client) -> None:
    assert stranger.delete(link(alice)).status_code == 405
    assert stranger.put(link(alice)).status_code == 405
    assert wants_mail(alice)

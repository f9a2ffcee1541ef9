"""Turning mail off by the link in a mail (RFC 8058)."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse

from games import mail
from games.mail.compose import compose
from games.models import Game, Notice, Player

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
    assert reverse("mail_preferences") in page
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


# --- Less than all -------------------------------------------------------------------------------


def scoped(player: Player, scope: str, about: int | str) -> str:
    return mail.stop_url(player, scope=scope, about=about).removeprefix("http://localhost:8000")


def modes(player: Player) -> tuple[str, bool, dict[str, str]]:
    """What mail the player wants: the mode, whether reminders, and the exceptions by table."""
    found = Player.objects.get(pk=player.pk)
    tables = {seat.game.name: seat.mail_mode for seat in found.seats.select_related("game") if seat.mail_mode}
    return found.mail_mode, found.reminds, tables


def test_it_turns_off_one_table(game: Game, alice: Player, bob: Player, stranger: Client) -> None:
    seat = game.seats.get(player=alice)
    path = scoped(alice, "table", seat.pk)
    page = unescape(stranger.get(path).content.decode())
    assert "No more mails about “Friday table”?</h1>" in page
    assert modes(alice) == ("every", True, {})
    assert stranger.post(path, ONE_CLICK).status_code == 200
    assert modes(alice) == ("every", True, {"Friday table": "nothing"})
    assert modes(bob) == ("every", True, {})
    stranger.post(path, {"again": "1"})
    assert modes(alice) == ("every", True, {})


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("turn", ("reminders", True, {})),
        ("finished", ("reminders", True, {})),
        ("reminder", ("every", False, {})),
        ("nudge", ("every", False, {})),
    ],
)
def test_it_turns_off_one_kind(
    alice: Player, stranger: Client, kind: str, after: tuple[str, bool, dict[str, str]]
) -> None:
    path = scoped(alice, "kind", kind)
    for _visit in range(2):
        stranger.get(path)
        assert modes(alice) == ("every", True, {})
    for _click in range(2):
        stranger.post(path, ONE_CLICK)
        assert modes(alice) == after
    stranger.post(path, {"again": "1"})
    assert modes(alice) == ("every", True, {})


def test_it_takes_back_what_one_click_did(alice: Player, stranger: Client) -> None:
    page = stranger.post(link(alice), ONE_CLICK).content.decode()
    assert 'name="again"' in page
    assert "Mail comes as before" in stranger.post(link(alice), {"again": "1"}).content.decode()
    assert wants_mail(alice)


def test_who_wants_nothing_does_not_get_more_by_wanting_less(alice: Player, stranger: Client) -> None:
    stranger.post(link(alice), ONE_CLICK)
    stranger.post(scoped(alice, "kind", "turn"), ONE_CLICK)
    assert modes(alice) == ("nothing", True, {})


def test_it_stops_nobody_elses_table(game: Game, alice: Player, bob: Player, stranger: Client) -> None:
    theirs = game.seats.get(player=bob)
    for path in (scoped(alice, "table", theirs.pk), scoped(alice, "table", 10**6), scoped(alice, "kind", "taxes")):
        assert stranger.post(path, ONE_CLICK).status_code == 404
    assert modes(bob) == modes(alice) == ("every", True, {})

"""The page that closes an account, and what is found of it afterwards."""

from __future__ import annotations

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from games import play
from games.models import Deal, Game, Player
from games.pages.accounts.adapter import AccountAdapter
from games.rules import FIRST_DEAL_VERSION
from tests.account.signing_in import sign_in
from tests.cast import AT, PASSWORD, make_game, make_player, make_table
from tests.pages.helpers import links, soup, table_url, text_of

pytestmark = pytest.mark.django_db
PAGE = "/preferences/close/"
AGAIN = "/accounts/reauthenticate/"


def enter(client: Client, player: Player) -> None:
    """Be in, with a password hashed as the site does it: sessions hang on the hash."""
    sign_in(client, player.username)
    client.force_login(Player.objects.get(pk=player.pk))


@pytest.fixture
def her(client: Client, alice: Player) -> Client:
    """alice's browser; she has just given her password."""
    enter(client, alice)
    client.post(AGAIN, {"password": PASSWORD})
    return client


def test_it_is_found_from_the_preferences(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert PAGE in links(client.get("/preferences/"))


def test_it_asks_first_who_it_is(client: Client, alice: Player) -> None:
    client.force_login(alice)
    for answer in (client.get(PAGE), client.post(PAGE)):
        assert answer.headers["Location"] == f"{AGAIN}?next=%2Fpreferences%2Fclose%2F"
    assert Player.objects.get(pk=alice.pk).closed_at is None
    wrong = client.post(AGAIN, {"password": "wrong", "next": PAGE})
    assert "That is not your password." in text_of(wrong)
    assert client.get(PAGE).status_code == 302


def test_it_shows_itself_to_who_gave_the_password(client: Client, alice: Player) -> None:
    enter(client, alice)
    client.get(PAGE)
    shown = client.post(AGAIN, {"password": PASSWORD, "next": PAGE}, follow=True)
    assert shown.redirect_chain == [(PAGE, 302)]
    assert "Close my account for good" in text_of(shown)


def test_it_goes_on_with_what_was_asked_once_it_knows(client: Client, alice: Player) -> None:
    """The page had been open too long when the button was clicked."""
    enter(client, alice)
    client.post(PAGE)
    done = client.post(AGAIN, {"password": PASSWORD, "next": PAGE}, follow=True)
    assert done.redirect_chain == [("/accounts/closed/", 303)]
    assert Player.objects.get(pk=alice.pk).closed_at


def test_it_lets_a_visitor_sign_in(client: Client, db: None) -> None:
    assert client.get(PAGE).headers["Location"].startswith("/accounts/login/")


def test_it_says_what_will_happen_and_changes_nothing(her: Client, alice: Player, bob: Player, carol: Player) -> None:
    running = make_game(alice, bob)
    own, others = make_table(alice, name="Mine & open"), make_table(bob, name="At the mill")
    her.post(table_url(others, "join/"))
    shown = her.get(PAGE)
    words = text_of(shown)
    assert "takes over your seat in 1 game." in words
    assert "1 open table of yours is closed:" in words
    assert "You give up your seat at 1 open table:" in words
    assert f"you are called former-{alice.pk}" in words
    assert {table_url(game) for game in (running, own, others)} <= set(links(shown))
    assert Player.objects.get(pk=alice.pk).closed_at is None
    assert EmailAddress.objects.filter(user=alice).exists()


def test_it_says_which_deals_cannot_be_checked_any_more(her: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    assert "what is left of you in a deal names nobody" in text_of(her.get(PAGE))
    assert "cannot be checked any more" not in text_of(her.get(PAGE))
    Deal.objects.filter(game=game).update(version=FIRST_DEAL_VERSION)
    assert "cannot be checked any more" in text_of(her.get(PAGE))


def test_it_names_no_games_where_there_are_none(her: Client) -> None:
    words = text_of(her.get(PAGE))
    assert "computer player" not in words
    assert "open table" not in words


def test_it_closes_the_account(her: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    assert her.cookies["player"].value == str(alice.pk)
    done = her.post(PAGE, follow=True)
    assert done.redirect_chain == [("/accounts/closed/", 303)]
    assert not her.cookies["player"].value
    assert "Your account is closed" in text_of(done)
    assert "If you miss it, you can sign up again at any time, also with the same address." in text_of(done)
    assert her.get("/preferences/").status_code == 302
    page = her.get(table_url(game))
    assert f"former-{alice.pk}" in text_of(page)
    assert "alice" not in page.content.decode()


def test_it_says_that_it_is_done_to_nobody_who_is_signed_in(her: Client) -> None:
    assert her.get("/accounts/closed/").headers["Location"] == "/"


@pytest.mark.parametrize("login", ["alice", "alice@example.com", "former-{pk}"])
def test_it_lets_nobody_in_any_more(her: Client, alice: Player, login: str) -> None:
    other = Client()
    other.force_login(Player.objects.get(pk=alice.pk))
    assert other.get("/preferences/").status_code == 200
    her.post(PAGE)
    assert other.get("/preferences/").status_code == 302
    refused = Client().post(reverse("account_login"), {"login": login.format(pk=alice.pk), "password": PASSWORD})
    assert "do not go together" in text_of(refused)


def test_it_lets_the_same_person_come_back(her: Client, alice: Player) -> None:
    her.post(PAGE)
    form = {"email": "alice@example.com", "username": "alice", "password1": PASSWORD}
    assert her.post(reverse("account_signup"), form).status_code == 302
    again = Player.objects.get(username="alice")
    assert again.pk != alice.pk
    assert again.email == "alice@example.com"


@pytest.mark.parametrize("name", ["former-17", "Former-x", "ｆormer-17"])
def test_it_keeps_the_names_of_who_has_left(client: Client, db: None, name: str) -> None:
    form = {"email": "new@example.com", "username": name, "password1": PASSWORD}
    refused = client.post(reverse("account_signup"), form)
    assert "stand for players who have closed their account" in text_of(refused)
    assert AccountAdapter().clean_username("formerly") == "formerly"


def test_it_is_done_by_the_operator(alice: Player, game: Game) -> None:
    said = StringIO()
    call_command("close_account", "ALICE", "--no-input", stdout=said)
    assert said.getvalue() == f"The account is closed; its player is former-{alice.pk} now.\n"
    assert not Player.objects.filter(username="alice").exists()
    with pytest.raises(CommandError, match="no account of alice"):
        call_command("close_account", "alice", "--no-input")
    with pytest.raises(CommandError, match="no account of former"):
        call_command("close_account", f"former-{alice.pk}", "--no-input")


@pytest.mark.parametrize("typed", ["", "bob\n"])
def test_it_is_not_done_without_the_name(alice: Player, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    with pytest.raises(CommandError, match="Nothing was closed"):
        call_command("close_account", "alice")
    assert Player.objects.filter(username="alice").exists()


def test_it_is_shown_to_the_operator_and_not_to_be_changed(her: Client, alice: Player, client: Client) -> None:
    her.post(PAGE)
    warden = make_player("warden")
    Player.objects.filter(pk=warden.pk).update(is_staff=True, is_superuser=True)
    TOTP.activate(warden, "JBSWY3DPEHPK3PXP")
    operator = Client()
    operator.force_login(Player.objects.get(pk=warden.pk))
    page = operator.get(f"/admin/games/player/{alice.pk}/change/")
    assert f"former-{alice.pk}" in text_of(page, "body")
    assert not soup(page).select("input[name=is_active]")
    assert soup(operator.get(f"/admin/games/player/{warden.pk}/change/")).select("input[name=is_active]")


@pytest.mark.parametrize(("words", "kept"), [({}, ""), ({"words": "empty"}, ""), ({"words": "keep"}, "Hello")])
def test_it_asks_what_becomes_of_words(
    her: Client, game: Game, alice: Player, words: dict[str, str], kept: str
) -> None:
    assert not soup(her.get(PAGE)).select("[name=words]")
    play.write_postcard(game, player=alice, text="Hello", at=AT)
    assert [field["value"] for field in soup(her.get(PAGE)).select("[name=words]:checked")] == ["empty"]
    her.post(PAGE, words)
    assert game.postcards.get().text == kept

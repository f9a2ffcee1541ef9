"""Messages to browsers: a stand-in for the service that carries them, and a browser that can read what it gets."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice, permutations
from pathlib import Path

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from py_vapid import Vapid02
from pytest_django import Settings

from games import hooks, play, rules
from games.hooks import push
from games.models import Game, MailMode, Notice, Player, Webhook, WebhookCall
from games.tasks import sweep_all
from tests.cast import AT, make_game, play_random, put_in_season, seat_to_move
from tests.hooks.ear import Ear, Heard
from tests.pages.helpers import text_of

pytestmark = pytest.mark.django_db
SOON = AT + timedelta(minutes=5)
State = WebhookCall.State


@dataclass
class Reader:
    """What a browser keeps to itself, and what it tells."""

    key: ec.EllipticCurvePrivateKey
    secret: bytes

    def says(self, url: str) -> dict[str, str]:
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"url": url, "public_key": plain(point), "secret": plain(self.secret)}

    def read(self, heard: Heard) -> dict[str, str]:
        assert heard.headers["Content-Encoding"] == "aes128gcm"
        found = json.loads(http_ece.decrypt(heard.body, private_key=self.key, auth_secret=self.secret))
        assert isinstance(found, dict)
        return found


def plain(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@pytest.fixture
def reader() -> Reader:
    return Reader(ec.generate_private_key(ec.SECP256R1()), b"sixteen bytes ok")


@pytest.fixture(autouse=True)
def _key(settings: Settings) -> None:
    settings.PUSH_KEY = push.new_key()


@pytest.fixture
def phone(ear: Ear, alice: Player, reader: Reader) -> Webhook:
    """alice's browser, before she sits anywhere."""
    hook = hooks.add_browser(alice, name="Firefox on Android", at=AT, **reader.says(ear.url("/push/1")))
    alice.refresh_from_db()
    return hook


def to_alice(game: Game) -> Game:
    while seat_to_move(game).name != "alice":
        play_random(game, 1, every=timedelta(0))
    return game


def test_a_turn_reaches_the_browser_and_nobody_else_can_read_it(
    phone: Webhook, ear: Ear, reader: Reader, alice: Player, bob: Player, settings: Settings
) -> None:
    game = to_alice(make_game(alice, bob))
    assert hooks.sweep(at=SOON) > 0
    heard = ear.heard[-1]
    said = reader.read(heard)
    assert said["title"] == f"Your turn: Friday table (move {game.ply + 1})"
    assert said["url"] == f"{settings.SITE_URL}/tables/{game.slug}/"
    assert said["tag"] == game.slug
    assert b"Friday" not in heard.body
    assert game.slug not in heard.headers["Topic"]
    with pytest.raises(http_ece.ECEException):
        Reader(ec.generate_private_key(ec.SECP256R1()), reader.secret).read(heard)


def test_it_is_signed_for_the_service_by_the_key_that_browsers_were_told(
    phone: Webhook, ear: Ear, alice: Player, bob: Player
) -> None:
    to_alice(make_game(alice, bob))
    hooks.sweep(at=SOON)
    signed = ear.heard[-1].headers["Authorization"]
    assert Vapid02.verify(signed)
    token, key = (part.partition("=")[2] for part in signed.removeprefix("vapid ").split(","))
    assert key == hooks.push_public_key()
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == f"http://127.0.0.1:{ear.port}"
    assert claims["sub"].startswith("mailto:")
    assert 0 < claims["exp"] - SOON.timestamp() <= 24 * 3600


def test_it_goes_by_what_its_player_wishes_for_mails_but_for_none(
    phone: Webhook, ear: Ear, alice: Player, bob: Player
) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_mode=MailMode.REMINDERS)
    game = to_alice(make_game(Player.objects.get(pk=alice.pk), bob))
    hooks.sweep(at=SOON)
    assert ear.heard == []
    assert game.remind_at is not None
    play.owe_reminders(at=game.remind_at)
    hooks.sweep(at=game.remind_at)
    assert len(ear.heard) == 1
    Player.objects.filter(pk=alice.pk).update(mail_mode=MailMode.NOTHING)
    play_random(game, 2)
    to_alice(game)
    hooks.sweep(at=AT + timedelta(days=3))
    assert len(ear.heard) == 2


def test_it_waits_and_does_not_go_when_its_player_was_there(
    phone: Webhook, ear: Ear, alice: Player, bob: Player, settings: Settings
) -> None:
    settings.MAIL_WAIT_SECONDS = 120
    game = to_alice(make_game(alice, bob))
    hooks.sweep(at=AT + timedelta(seconds=30))
    assert ear.heard == []
    play.mark_seen(game, player=alice, ply=game.ply, at=AT + timedelta(seconds=60))
    hooks.sweep(at=SOON)
    assert ear.heard == []
    assert set(WebhookCall.objects.values_list("state", flat=True)) == {State.SUPERSEDED}


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_takes_none_any_more_is_removed(
    phone: Webhook, ear: Ear, alice: Player, bob: Player, status: int
) -> None:
    ear.status = status
    to_alice(make_game(alice, bob))
    assert hooks.sweep(at=SOON) == len(ear.heard) > 0
    assert not Webhook.objects.exists()
    alice.refresh_from_db()
    assert not alice.has_webhooks


def test_one_that_is_away_is_tried_again(phone: Webhook, ear: Ear, alice: Player, bob: Player) -> None:
    ear.answers = [503]
    to_alice(make_game(alice, bob))
    hooks.sweep(at=SOON)
    hooks.sweep(at=SOON + timedelta(minutes=2))
    assert len(ear.heard) == WebhookCall.objects.count() + 1
    assert set(WebhookCall.objects.values_list("state", flat=True)) == {State.SENT}


def test_a_browser_gets_what_chats_do_not(phone: Webhook, ear: Ear, reader: Reader, alice: Player, bob: Player) -> None:
    game = to_alice(make_game(alice, bob))
    hooks.sweep(at=SOON)
    later = AT + timedelta(days=2)
    play.nudge(game, player=bob, at=later)
    hooks.sweep(at=later)
    assert reader.read(ear.heard[-1])["body"] == "bob asks you to move."


def test_a_postcard_reaches_the_browser_once_until_it_is_read(
    phone: Webhook, ear: Ear, reader: Reader, alice: Player, bob: Player
) -> None:
    game = make_game(alice, bob)
    hooks.sweep(at=SOON)
    before, later = len(ear.heard), AT + timedelta(hours=2)
    for minute, text in enumerate(("Are you there?", "I wait.")):
        play.write_postcard(game, player=bob, text=text, at=later + timedelta(minutes=minute))
    hooks.sweep(at=later + timedelta(minutes=9))
    [said] = [reader.read(heard) for heard in ear.heard[before:]]
    assert said["title"] == "bob: a postcard from Friday table"
    assert said["body"].endswith("I wait.")


@pytest.mark.parametrize("kind", Notice.Kind.values)
def test_no_message_knows_a_card(phone: Webhook, alice: Player, bob: Player, kind: str) -> None:
    from games.mail import brief_push

    game = play_random(make_game(alice, bob), 9)
    put_in_season(game)
    seat = game.seats.select_related("game", "player").get(player=alice)
    notice = Notice(seat=seat, kind=kind, ply=game.ply, about=1 - (seat.number or 0), created_at=AT)
    worlds = set()
    for cards in islice(permutations(rules.CLANS, 2), 0, None, 3):
        game.seats.update(clan="", number=None)
        seats = list(game.seats.order_by("pk").values_list("pk", flat=True))
        for number, (pk, card) in enumerate(zip(seats, cards, strict=True)):
            game.seats.filter(pk=pk).update(clan=card, number=number)
        worlds.add(brief_push(notice, at=AT))
    assert len(worlds) == 1


# --- The page ------------------------------------------------------------------------------------


@pytest.fixture
def page(client: Client, alice: Player, internal: None) -> Client:
    client.force_login(alice)
    return client


def test_a_browser_is_added_tested_renamed_and_removed(page: Client, ear: Ear, reader: Reader, alice: Player) -> None:
    assert hooks.push_public_key() in page.get(reverse("browsers")).content.decode()
    agent = "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"
    added = page.post(reverse("browsers"), reader.says(ear.url("/push/1")), headers={"user-agent": agent}, follow=True)
    assert "Firefox on Android" in added.content.decode()
    assert ear.url("/push/1") not in added.content.decode()
    hook = Webhook.objects.get(player=alice)
    asked = page.post(reverse("browser", args=(hook.pk,)), {"do": "test"}, follow=True)
    assert "The test is on its way." in text_of(asked, "[autofocus]")
    sweep_all()
    assert reader.read(ear.heard[0])["body"] == "Notifications arrive in this browser."
    assert "Last notification: it was taken" in page.get(reverse("browsers")).content.decode()
    named = page.post(reverse("browser", args=(hook.pk,)), {"do": "rename", "name": "My <b>phone</b>"}, follow=True)
    assert "It is called My <b>phone</b> now." in text_of(named, "[autofocus]")
    assert "My &lt;b&gt;phone&lt;/b&gt;" in page.get(reverse("browsers")).content.decode()
    page.post(reverse("browser", args=(hook.pk,)), {"do": "remove"})
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"public_key": "x"},
        {"public_key": plain(b"\x04" + bytes(64))},
        {"secret": plain(b"short")},
        {"secret": "ä" * 22},
        {"url": "ftp://push.example/1"},
        {"url": ""},
    ],
)
def test_what_cannot_be_used_is_refused(page: Client, ear: Ear, reader: Reader, wrong: dict[str, str]) -> None:
    answer = page.post(reverse("browsers"), reader.says(ear.url("/push/1")) | wrong)
    assert answer.status_code == 422
    assert b'role="alert" tabindex="-1" autofocus' in answer.content
    assert not Webhook.objects.exists()


def test_an_address_of_the_own_network_is_refused(page: Client, reader: Reader, settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_INTERNAL = False
    for url in ("https://127.0.0.1/x", "https://localhost/x", "http://push.example.com/x", "https://[::1]/x"):
        assert page.post(reverse("browsers"), reader.says(url)).status_code == 422
    assert not Webhook.objects.exists()


def test_a_browser_belongs_to_who_added_it_last(
    phone: Webhook, client: Client, bob: Player, ear: Ear, reader: Reader
) -> None:
    client.force_login(bob)
    client.post(reverse("browsers"), reader.says(ear.url("/push/1")))
    assert Webhook.objects.get().player == bob


def test_nobody_has_more_than_ten(page: Client, ear: Ear, reader: Reader) -> None:
    for number in range(hooks.MOST_BROWSERS):
        assert page.post(reverse("browsers"), reader.says(ear.url(f"/push/{number}"))).status_code == 303
    assert page.post(reverse("browsers"), reader.says(ear.url("/push/more"))).status_code == 422
    assert page.post(reverse("browsers"), reader.says(ear.url("/push/0"))).status_code == 303


def test_browsers_and_webhooks_stand_apart(phone: Webhook, client: Client, bob: Player) -> None:
    client.force_login(phone.player)
    assert "Firefox on Android" not in client.get(reverse("webhooks")).content.decode()
    assert client.post(reverse("webhook", args=(phone.pk,)), {"do": "remove"}).status_code == 404
    client.force_login(bob)
    assert client.post(reverse("browser", args=(phone.pk,)), {"do": "remove"}).status_code == 404
    assert Webhook.objects.exists()


# --- Keys ----------------------------------------------------------------------------------------


def test_a_site_without_settings_makes_its_own_key_once(settings: Settings, tmp_path: Path) -> None:
    settings.PUSH_KEY, settings.PUSH_KEY_FILE = "", str(tmp_path / "push-key")
    public = hooks.push_public_key()
    assert len(public) == 87
    assert hooks.push_public_key() == public
    assert (tmp_path / "push-key").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["push-key"]


def test_without_a_key_nothing_is_offered(page: Client, ear: Ear, reader: Reader, settings: Settings) -> None:
    settings.PUSH_KEY = settings.PUSH_KEY_FILE = ""
    assert "no key" in page.get(reverse("browsers")).content.decode()
    assert page.post(reverse("browsers"), reader.says(ear.url("/push/1"))).status_code == 422


def test_without_a_key_the_tests_of_others_are_made(phone: Webhook, bob: Player, ear: Ear, settings: Settings) -> None:
    program = hooks.add_hook(bob, kind="json", url=ear.url("/hook"), at=AT)
    for hook in (phone, program):
        hooks.request_test(hook, at=AT)
    settings.PUSH_KEY = settings.PUSH_KEY_FILE = ""
    assert hooks.make_tests(at=AT) == 1
    assert [heard.path for heard in ear.heard] == ["/hook"]


def test_a_command_prints_a_key_that_can_be_used(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("push_key")
    settings.PUSH_KEY = capsys.readouterr().out.strip()
    assert len(settings.PUSH_KEY) == 43
    assert hooks.push_public_key()

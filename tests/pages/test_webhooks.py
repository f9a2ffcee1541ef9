"""The page of a player's webhooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games import hooks, mail
from games.mail.kinds import KINDS
from games.models import Player, Webhook
from tests.cast import AT
from tests.hooks.ear import Ear, open_ear
from tests.pages.helpers import soup, text_of

pytestmark = pytest.mark.django_db
PAGE = "/preferences/webhooks/"
SECRET_URL = "https://discord.com/api/webhooks/123456/a-secret-of-the-channel-wxyz"


@pytest.fixture
def ear(settings: Settings) -> Iterator[Ear]:
    """A host that hears calls."""
    settings.WEBHOOK_ALLOW_INTERNAL = True
    with open_ear() as opened:
        yield opened


@pytest.fixture
def hook(client: Client, alice: Player, ear: Ear) -> Webhook:
    """A webhook of alice's, who is signed in."""
    client.force_login(alice)
    return hooks.add_hook(alice, kind="discord", url=ear.url("/a-secret-wxyz"), at=AT)


def do(client: Client, hook: Webhook, what: str) -> Any:
    return client.post(f"{PAGE}{hook.pk}/", {"do": what}, follow=True)


def test_it_adds_one(client: Client, alice: Player) -> None:
    client.force_login(alice)
    response = client.post(PAGE, {"kind": "discord", "url": SECRET_URL})
    assert response.status_code == 201
    [hook] = alice.webhooks.all()
    assert (hook.kind, hook.url, hook.is_on) == ("discord", SECRET_URL, True)
    alice.refresh_from_db()
    assert alice.has_webhooks
    assert "discord.com/…wxyz" in text_of(response)


def test_it_shows_a_secret_this_once(client: Client, alice: Player) -> None:
    client.force_login(alice)
    response = client.post(PAGE, {"kind": "json", "url": "https://hooks.example/"})
    [hook] = alice.webhooks.all()
    assert [field["value"] for field in soup(response).select("input[readonly]")] == [hook.secret]
    assert "The webhook is added" in text_of(response, "[autofocus]")
    assert response["Cache-Control"] == "private, no-store"
    assert hook.secret not in client.get(PAGE).content.decode()
    with time_machine.travel(hook.created_at + hooks.SAME_CLICK):
        assert client.post(PAGE, {"kind": "json", "url": "https://hooks.example/"}).status_code == 422
    assert alice.webhooks.count() == 1


@time_machine.travel(AT, tick=False)
def test_it_shows_a_secret_to_who_clicked_twice(client: Client, alice: Player) -> None:
    """The answer to the first click was never seen."""
    client.force_login(alice)
    form = {"kind": "json", "url": "https://hooks.example/"}
    first, second = (client.post(PAGE, form) for _click in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    [hook] = alice.webhooks.all()
    for answer in (first, second):
        assert [field["value"] for field in soup(answer).select("input[readonly]")] == [hook.secret]
    assert client.post(PAGE, form | {"kind": "slack"}).status_code == 422


def test_it_never_shows_a_whole_address(client: Client, hook: Webhook) -> None:
    page = client.get(PAGE)
    assert f"{urlsplit(hook.url).netloc}/…wxyz" in text_of(page)
    assert "a-secret" not in page.content.decode()


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"kind": "json", "url": "http://hooks.example/"}, "only to public addresses"),
        ({"kind": "json", "url": "https://192.168.1.1:8443/hook"}, "only to public addresses"),
        ({"kind": "slack", "url": "https://localhost/hook"}, "only to public addresses"),
        ({"kind": "discord", "url": "https://discord.example/api/webhooks/1/a"}, "begins with https://discord.com"),
        ({"kind": "json", "url": "https://name:word@hooks.example/"}, "only to public addresses"),
        ({"kind": "pigeon", "url": SECRET_URL}, "Choose one of these."),
        ({"kind": "json", "url": ""}, "Fill this in."),
        ({"kind": "json", "url": "https://hooks.example/" + "a" * 500}, "At most 500 letters"),
        ({}, "Choose one of these."),
    ],
)
def test_it_says_why_there_is_none(client: Client, alice: Player, form: dict[str, str], said: str) -> None:
    client.force_login(alice)
    response = client.post(PAGE, form)
    assert response.status_code == 422
    assert said in text_of(response, ".form-errors[autofocus]"), "on a phone the field itself lies out of sight"
    assert soup(response).select("input[type=radio]")
    assert not alice.webhooks.exists()


@pytest.mark.parametrize("host", ["discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"])
def test_it_takes_what_discord_writes(client: Client, alice: Player, host: str) -> None:
    client.force_login(alice)
    assert client.post(PAGE, {"kind": "discord", "url": f"https://{host}/api/webhooks/1/a-B_c"}).status_code == 201


@pytest.mark.parametrize("kind", ["discord", "slack", "json"])
@pytest.mark.parametrize(
    "pasted",
    [" {}\n", "\r\n\t{}\u00a0", "\ufeff{}\u200b", "\u2066{}\u2069", "https://discord.com/api/\n  webhooks/1/a-B_c"],
)
def test_it_takes_an_address_as_it_is_pasted(client: Client, alice: Player, kind: str, pasted: str) -> None:
    client.force_login(alice)
    address = "https://discord.com/api/webhooks/1/a-B_c"
    assert client.post(PAGE, {"kind": kind, "url": pasted.format(address)}).status_code == 201
    assert alice.webhooks.get().url == address


def test_it_takes_whatever_is_near_where_that_is_allowed(client: Client, alice: Player, settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_INTERNAL = True
    client.force_login(alice)
    assert client.post(PAGE, {"kind": "discord", "url": "http://192.168.1.1/hook"}).status_code == 201


def test_it_takes_a_few(client: Client, alice: Player) -> None:
    client.force_login(alice)
    for number in range(hooks.MOST_HOOKS):
        assert client.post(PAGE, {"kind": "slack", "url": f"https://hooks.example/{number}"}).status_code == 201
    assert not soup(client.get(PAGE)).select("input[name=url]")
    response = client.post(PAGE, {"kind": "slack", "url": "https://hooks.example/more"})
    assert "Remove one first" in text_of(response)
    assert alice.webhooks.count() == hooks.MOST_HOOKS


@time_machine.travel(AT, tick=False)
def test_it_shows_what_came_of_a_test_once_the_worker_has_made_it(client: Client, hook: Webhook, ear: Ear) -> None:
    assert "The test is on its way." in text_of(do(client, hook, "test"))
    assert ear.heard == [], "no request waits for a host of others"
    hooks.make_tests(at=timezone.now())
    assert "Last call: it was taken (status 204)" in text_of(client.get(PAGE))
    assert "only seconds old" in text_of(do(client, hook, "test"))
    assert hooks.make_tests(at=timezone.now()) == 0
    ear.status = 403
    with time_machine.travel(timedelta(minutes=1)):
        do(client, hook, "test")
        hooks.make_tests(at=timezone.now())
        assert "Last call: the host refused (status 403)" in text_of(client.get(PAGE))


def test_the_answer_to_a_form_has_the_focus_and_no_earlier_test(client: Client, hook: Webhook) -> None:
    tested = f"{PAGE}?tested={hook.pk}"
    assert "Not called yet" in text_of(client.get(tested), "[autofocus]")
    assert not soup(client.get(f"{PAGE}?tested=1{hook.pk}")).select("[autofocus]")
    for form in ({"kind": "slack", "url": hook.url}, {"kind": "slack", "url": f"{hook.url}2"}):
        [focused] = soup(client.post(tested, form)).select("[autofocus]")
        assert "hook-said" not in focused["class"] if focused.has_attr("class") else focused["id"] == "added"


def test_it_says_that_an_internal_address_is_not_called(
    client: Client, hook: Webhook, ear: Ear, settings: Settings
) -> None:
    settings.WEBHOOK_ALLOW_INTERNAL = False
    Webhook.objects.update(url=f"https://localhost:{ear.port}/")
    do(client, hook, "test")
    hooks.make_tests(at=timezone.now())
    assert "that is not an address on the public net" in text_of(client.get(PAGE))
    assert ear.heard == []


def test_it_says_which_one_a_button_is_for(client: Client, hook: Webhook) -> None:
    hooks.add_hook(hook.player, kind="json", url="https://hooks.example/", at=AT)
    labels = [button.get_text() for button in soup(client.get(PAGE)).select(".hook button")]
    assert len(set(labels)) == len(labels) == 6


def test_it_switches_and_removes(client: Client, hook: Webhook, alice: Player) -> None:
    for what, is_on in (("off", False), ("on", True)):
        do(client, hook, what)
        hook.refresh_from_db()
        alice.refresh_from_db()
        assert (hook.is_on, alice.has_webhooks) == (is_on, is_on)
    do(client, hook, "remove")
    alice.refresh_from_db()
    assert (alice.webhooks.exists(), alice.has_webhooks) == (False, False)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({}, "You have switched it off."),
        ({"failing_since": AT, "trouble": "refused", "failures": 12}, "for days it has taken no call"),
        ({"failing_since": AT, "trouble": "gone", "failures": 1}, "nothing at its address any more"),
    ],
)
def test_it_says_why_one_is_off(client: Client, hook: Webhook, state: dict[str, Any], said: str) -> None:
    Webhook.objects.update(is_on=False, said_at=AT, **state)
    assert said in text_of(client.get(PAGE))


@pytest.mark.parametrize("what", ["test", "on", "off", "remove"])
def test_it_touches_no_webhook_of_others(client: Client, hook: Webhook, ear: Ear, mallory: Player, what: str) -> None:
    client.force_login(mallory)
    before = Webhook.objects.values().get()
    assert do(client, hook, what).status_code == 404
    assert Webhook.objects.values().get() == before
    assert ear.heard == []
    assert "wxyz" not in text_of(client.get(PAGE))


def test_it_changes_nothing_by_reading(client: Client, hook: Webhook, ear: Ear) -> None:
    before = Webhook.objects.values().get()
    assert client.get(f"{PAGE}{hook.pk}/")["Location"] == PAGE
    assert client.post(f"{PAGE}{hook.pk}/", {"do": "nothing"})["Location"] == PAGE
    assert Webhook.objects.values().get() == before
    assert ear.heard == []


def test_it_is_for_players(client: Client) -> None:
    assert client.post(PAGE, {"kind": "json", "url": SECRET_URL})["Location"].startswith("/accounts/login/")
    assert client.get(PAGE).status_code == 302
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "A call to your turn goes at once"),
        (1, "waits 1 second and does not go"),
        (5, "waits 5 seconds and"),
        (60, "waits 1 minute and"),
        (90, "waits 90 seconds and"),
        (120, "waits 2 minutes and"),
    ],
)
def test_it_says_how_long_a_call_waits_at_this_site(
    client: Client, alice: Player, settings: Settings, seconds: int, said: str
) -> None:
    settings.MAIL_WAIT_SECONDS = seconds
    client.force_login(alice)
    assert said in text_of(client.get(PAGE), "#when ~ p")


def test_it_says_each_event_that_is_called_for(client: Client, alice: Player) -> None:
    words = {"turn": "your turn", "reminder": "before your time", "autopilot": "autopilot", "postcard": "has written"}
    words |= {"started": "begins", "finished": "ends"}
    assert {str(kind.name) for kind in KINDS.values() if kind.webhook.is_called} == words.keys()
    client.force_login(alice)
    page = text_of(client.get(PAGE), "#when ~ p")
    assert [event for event, said in words.items() if said not in page] == []


def test_the_preferences_say_how_many_there_are_and_lead_there(client: Client, alice: Player, hook: Webhook) -> None:
    def said() -> str:
        page = soup(client.get("/preferences/"))
        [link] = page.select(f'#feeds ~ p a[href="{PAGE}"]')
        return link.get_text()

    assert said() == "One webhook"
    hooks.add_hook(alice, kind="discord", url=hook.url + "2", at=AT)
    assert said() == "2 webhooks"
    alice.webhooks.all().delete()
    assert said() == "A webhook"


def test_the_page_tells_a_programmer_the_fields_of_a_call(client: Client, alice: Player) -> None:
    client.force_login(alice)
    page = soup(client.get("/preferences/webhooks/"))
    docs = (Path(__file__).parents[2] / "docs/webhooks.md").read_text()
    [example] = re.findall(r"```json\n(.*?)```", docs, re.DOTALL)
    rows = page.select('[aria-labelledby="json"] tbody tr')
    assert {row.select("th code")[0].get_text() for row in rows} == {*json.loads(example)}
    events = {*mail.kinds_that(lambda kind: kind.webhook.is_called), "test"}
    told = page.select('[aria-labelledby="json"]')[0].get_text()
    assert {event for event in events if event not in told} == set()

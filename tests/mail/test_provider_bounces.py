"""Bounces and complaints that a provider tells of at an address of this site."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from anymail.signals import tracking
from django.test import Client
from django.urls import URLResolver, include, path
from pytest_django import DjangoDbBlocker, Settings

from games import mail
from games.mail.transport.provider import note_event, webhooks
from games.models import Mail, Notice, Player
from tests.cast import AT, make_player
from tests.mail.provider_office import SECRET, Provider, basic, use
from tests.servers import HOST, site

SIGNING_KEY = "key-of-the-provider"


@pytest.fixture
def webhook(settings: Settings) -> Iterator[None]:
    """The addresses that a site has which takes in what its provider tells of bounces."""
    tracking.connect(note_event)
    yield
    tracking.disconnect(note_event)


@pytest.fixture
def postmark(settings: Settings, webhook: None) -> str:
    use(settings, "postmark", server_token="token", api_url="http://127.0.0.1:1/")
    settings.ROOT_URLCONF = addresses()
    return "/anymail/postmark/tracking/"


@pytest.fixture
def mailgun(settings: Settings, webhook: None) -> str:
    use(settings, "mailgun", api_key="key", webhook_signing_key=SIGNING_KEY)
    settings.ROOT_URLCONF = addresses()
    return "/anymail/mailgun/tracking/"


def addresses() -> tuple[URLResolver, ...]:
    """Those that a site has with BOUNCE_WEBHOOK_SECRET."""
    return path("", include("clans_site.urls")), path("anymail/", include(webhooks()))


def post(address: str, event: dict[str, Any], *, secret: str | None = SECRET) -> int:
    """The status of the answer to what a provider tells."""
    headers = {} if secret is None else basic(secret)
    answer = Client().post(address, json.dumps(event), content_type="application/json", headers=headers)
    return answer.status_code


def of_postmark(kind: str, *, to: str = "Alice@example.com", record: str = "Bounce") -> dict[str, Any]:
    return {
        "RecordType": record,
        "ID": 42,
        "Type": kind,
        "Email": to,
        "BouncedAt": "2026-03-02T20:00:00Z",
        "Description": "The server was unable to deliver your message",
        "Details": "550 5.1.1 no such user",
    }


def of_mailgun(*, key: str = SIGNING_KEY, severity: str = "permanent", at: datetime = AT) -> dict[str, Any]:
    token, timestamp = "t" * 50, str(int(at.timestamp()))
    signature = hmac.new(key.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    event = {
        "event": "failed",
        "severity": severity,
        "reason": "bounce",
        "recipient": "alice@example.com",
        "timestamp": float(timestamp),
        "delivery-status": {"code": 550, "message": "5.1.1\nno such user"},
    }
    return {"signature": {"token": token, "timestamp": timestamp, "signature": signature}, "event-data": event}


def marked() -> list[tuple[str, str]]:
    """Whose address takes no mail, and why."""
    return list(Player.objects.exclude(mail_bounced_at=None).values_list("username", "mail_bounce"))


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("HardBounce", "550 5.1.1 no such user"),
        ("BadEmailAddress", "550 5.1.1 no such user"),
        ("SpamComplaint", "reported as spam"),
        ("SpamNotification", "reported as spam"),
        ("SoftBounce", None),
        ("Transient", None),
        ("DnsError", None),
        ("AutoResponder", None),
        ("Blocked", None),
        ("Unknown", None),
        ("SomethingNew", None),
    ],
)
def test_it_notes_what_will_never_arrive_and_nothing_else(
    kind: str, why: str | None, postmark: str, alice: Player, bob: Player
) -> None:
    assert post(postmark, of_postmark(kind)) == 200
    assert marked() == ([("alice", why)] if why else [])


def test_it_hears_the_same_bounce_twice(postmark: str, alice: Player) -> None:
    assert post(postmark, of_postmark("HardBounce")) == 200
    Player.objects.update(mail_bounced_at=AT)
    assert post(postmark, of_postmark("SpamComplaint", record="SpamComplaint")) == 200
    alice.refresh_from_db()
    assert (alice.mail_bounced_at, alice.mail_bounce) == (AT, "550 5.1.1 no such user")


def test_it_keeps_no_address_that_the_provider_says(postmark: str, alice: Player) -> None:
    event = of_postmark("HardBounce") | {
        "Details": "550 5.1.1 <alice@example.com>:\n unknown to postmaster@example.com"
    }
    assert post(postmark, event) == 200
    assert marked() == [("alice", "550 5.1.1 <…>: unknown to …")]


def test_it_says_of_the_very_mail_that_it_came_back(turn: Notice, postmark: str, provider: Provider) -> None:
    Notice.objects.update(due_at=AT)
    assert mail.sweep(at=AT) == 3
    keys = {sent["To"]: sent["Metadata"] for sent in provider.mails}
    address = f"{turn.seat.name}@example.com"
    assert keys[address] == {"mail": str(Mail.objects.get(notices=turn).pk)}
    assert post(postmark, of_postmark("HardBounce", to=address) | {"Metadata": keys[address]}) == 200
    came_back = Notice.objects.exclude(reason="").filter(state="sent")
    assert list(came_back.values_list("pk", "reason", "mail__error", "mail__detail")) == [
        (turn.pk, "bounced", "returned", "550 5.1.1 no such user")
    ]


def test_it_knows_a_mail_of_before_by_the_key_of_its_notice(turn: Notice, postmark: str, provider: Provider) -> None:
    """Which the mail has, since there are mails."""
    Notice.objects.update(due_at=AT)
    mail.sweep(at=AT)
    key = str(Mail.objects.get(notices=turn).pk)
    event = of_postmark("HardBounce", to=f"{turn.seat.name}@example.com") | {"Metadata": {"notice": key}}
    assert post(postmark, event) == 200
    assert Notice.objects.get(pk=turn.pk).reason == "bounced"


def test_it_says_nothing_of_mails_to_others(turn: Notice, postmark: str, provider: Provider) -> None:
    """Whoever knows the secret may still name a mail that went to somebody else."""
    Notice.objects.update(due_at=AT)
    mail.sweep(at=AT)
    other = Mail.objects.exclude(notices=turn).first()
    assert other is not None
    event = of_postmark("HardBounce", to=f"{turn.seat.name}@example.com") | {"Metadata": {"mail": str(other.pk)}}
    assert post(postmark, event) == 200
    assert not Notice.objects.filter(state="sent").exclude(reason="").exists()


def test_it_leaves_who_has_another_address_since(postmark: str, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(email="alice@example.org")
    assert post(postmark, of_postmark("HardBounce")) == 200
    assert marked() == []


@pytest.mark.parametrize("secret", [None, "", "anymail", "anymail:", SECRET[:-1], f"{SECRET}x", "None"])
def test_it_believes_nobody_without_the_secret(secret: str | None, postmark: str, alice: Player) -> None:
    assert post(postmark, of_postmark("HardBounce"), secret=secret) == 400
    assert marked() == []


def test_it_believes_what_the_provider_has_signed(mailgun: str, alice: Player) -> None:
    forged = of_mailgun()
    forged["signature"]["timestamp"] = str(int(AT.timestamp()) + 1)
    assert post(mailgun, of_mailgun(key="another")) == 400
    assert post(mailgun, forged) == 400
    assert post(mailgun, of_mailgun(), secret=None) == 400
    assert post(mailgun, {"event-data": of_mailgun()["event-data"]}) == 400
    assert marked() == []
    assert post(mailgun, of_mailgun(severity="temporary")) == 200
    assert marked() == []
    assert post(mailgun, of_mailgun()) == 200
    assert marked() == [("alice", "5.1.1 no such user")]


def test_it_knows_a_bounce_again_that_is_told_once_more(mailgun: str, alice: Player) -> None:
    """Providers repeat what they tell, and who has overheard it can send it again; the player has been back since."""
    event = of_mailgun()
    assert post(mailgun, event) == 200
    assert marked()
    mail.try_again(alice, at=AT + timedelta(days=1))
    for late in (event, of_mailgun(at=AT + timedelta(hours=23))):
        assert post(mailgun, late) == 200
        assert marked() == []
    assert post(mailgun, of_mailgun(at=AT + timedelta(days=2))) == 200
    assert marked() == [("alice", "5.1.1 no such user")]


def test_it_takes_for_new_what_is_told_without_a_time(postmark: str, alice: Player) -> None:
    event = of_postmark("HardBounce")
    del event["BouncedAt"]
    mail.try_again(alice, at=AT)
    assert post(postmark, event) == 200
    assert marked()


@pytest.mark.parametrize(
    ("event", "counts"),
    [
        ({"event": "hard_bounce", "email": "alice@example.com"}, True),
        ({"event": "soft_bounce", "email": "alice@example.com"}, False),
        ({"event": "spam", "email": "alice@example.com"}, True),
    ],
)
def test_it_knows_how_another_provider_says_that_it_may_pass(
    event: dict[str, str], counts: bool, settings: Settings, webhook: None, alice: Player
) -> None:
    use(settings, "brevo", api_key="key")
    settings.ROOT_URLCONF = addresses()
    assert post("/anymail/brevo/tracking/", event) == 200
    assert bool(marked()) is counts


def test_it_hears_the_provider_at_a_real_site(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    """All that it takes are the two variables."""
    environment = {"EMAIL_URL": "anymail+postmark://?server_token=token", "BOUNCE_WEBHOOK_SECRET": SECRET}
    with site(tmp_path, processes=("web",), environment=environment) as served, django_db_blocker.unblock():
        with served.database():
            make_player("alice")

        def call(secret: str) -> int:
            line = HTTPConnection(HOST, served.port, timeout=60)
            headers = {**basic(secret), "Content-Type": "application/json", "Host": "localhost"}
            line.request("POST", "/anymail/postmark/tracking/", json.dumps(of_postmark("HardBounce")), headers)
            status = line.getresponse().status
            line.close()
            return status

        assert call("anymail:forged") == 400
        with served.database():
            assert marked() == []
        assert call(SECRET) == 200
        with served.database():
            assert marked() == [("alice", "550 5.1.1 no such user")]


def test_it_has_no_such_address_where_nothing_is_configured(alice: Player) -> None:
    assert post("/anymail/postmark/tracking/", of_postmark("HardBounce")) == 404
    assert marked() == []


def test_it_changes_nothing_when_it_is_only_looked_at(postmark: str, alice: Player) -> None:
    assert [Client().get(postmark).status_code, Client().head(postmark).status_code] == [405, 200]
    assert marked() == []

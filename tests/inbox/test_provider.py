"""Answers that a mail provider brings to an address of this site."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from email import message_from_bytes, policy
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import dkim
import pytest
from anymail.signals import inbound
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.db import connection
from django.test import Client
from django.urls import URLResolver, include, path
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from games.inbox.provider import take_in, webhooks
from games.limits import INBOUND_MAILS
from games.models import Game, InboundMail, TurnToken, make_turn_token
from tests.cast import seat_to_move
from tests.inbox.ways import REPLY_ADDRESS, inbox
from tests.mail.provider_office import SECRET, basic, use
from tests.servers import HOST, PATIENCE

SENDER = "alice@mail.example.com"
SIGNING_KEY = "key-of-the-provider"


@pytest.fixture
def recipient(game: Game, settings: Settings) -> str:
    """The address of a turn."""
    settings.REPLY_ADDRESS = REPLY_ADDRESS
    seat = seat_to_move(game)
    assert seat.player is not None
    secret = make_turn_token(seat.player, {1: seat}, use=TurnToken.Use.ANSWER, at=timezone.now())
    return REPLY_ADDRESS.replace("@", f"+{secret}@")


@pytest.fixture
def webhook() -> Iterator[None]:
    inbound.connect(take_in)
    yield
    inbound.disconnect(take_in)


@pytest.fixture
def postmark(settings: Settings, webhook: None) -> str:
    use(settings, "postmark", server_token="token")
    settings.ROOT_URLCONF = addresses()
    return "/anymail/postmark/inbound/"


@pytest.fixture
def mailgun(settings: Settings, webhook: None) -> str:
    use(settings, "mailgun", api_key="key", webhook_signing_key=SIGNING_KEY)
    settings.ROOT_URLCONF = addresses()
    return "/anymail/mailgun/inbound_mime/"


def addresses() -> tuple[URLResolver, ...]:
    """Those that a site has with BOUNCE_WEBHOOK_SECRET and REPLY_ADDRESS."""
    return path("", include("clans_site.urls")), path("anymail/", include(webhooks()))


def post(address: str, told: dict[str, Any], *, secret: str = SECRET) -> int:
    """The status of the answer to what Postmark brings."""
    client = Client(raise_request_exception=False)
    return client.post(address, json.dumps(told), content_type="application/json", headers=basic(secret)).status_code


def post_form(address: str, told: dict[str, str]) -> int:
    """The same for Mailgun."""
    return Client(raise_request_exception=False).post(address, told, headers=basic(SECRET)).status_code


def answer(recipient: str, text: str = "C4-D1 und schöne Grüße") -> str:
    return (
        f"From: =?utf-8?q?Al=C3=ADce?= <alice@example.com>\r\nTo: Clans\r\n by mail <{recipient}>\r\n"
        f"Subject: Re: {'your turn ' * 12}\r\nMessage-ID: <1@mail.example.com>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
    )


def of_postmark(raw: str, recipient: str) -> dict[str, Any]:
    """As it brings mails where "Include raw email" is switched on."""
    headers = [{"Name": "Return-Path", "Value": f"<{SENDER}>"}]
    return {"OriginalRecipient": recipient, "Headers": headers, "RawEmail": raw}


def of_mailgun(raw: str, recipient: str, *, key: str = SIGNING_KEY) -> dict[str, str]:
    token, timestamp = "t" * 50, "1772481600"
    signature = hmac.new(key.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    about = {"sender": SENDER, "recipient": recipient, "body-mime": raw}
    return about | {"token": token, "timestamp": timestamp, "signature": signature}


def stored() -> list[tuple[str, str, str | None]]:
    return [(mail.raw.decode(), mail.sender, mail.client) for mail in InboundMail.objects.order_by("pk")]


def test_it_stores_what_postmark_brings_as_it_came(postmark: str, recipient: str) -> None:
    assert post(postmark, of_postmark(answer(recipient), recipient)) == 200
    assert stored() == [(answer(recipient), SENDER, None)]


def test_it_stores_what_mailgun_brings_as_it_came(mailgun: str, recipient: str) -> None:
    assert post_form(mailgun, of_mailgun(answer(recipient), recipient)) == 200
    assert stored() == [(answer(recipient), SENDER, None)]


@pytest.mark.parametrize("how", [(b"relaxed", b"relaxed"), (b"simple", b"simple")])
def test_signatures_stay_good(how: tuple[bytes, bytes], postmark: str, recipient: str) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    raw = answer(recipient).encode()
    signed = dkim.sign(raw, b"s", b"example.com", private, canonicalize=how) + raw
    assert post(postmark, of_postmark(signed.decode(), recipient)) == 200
    record = b"v=DKIM1; p=" + base64.b64encode(public)
    assert dkim.verify(InboundMail.objects.get().raw, dnsfunc=lambda name, timeout: record)


def test_it_builds_a_mail_of_its_parts_where_there_is_no_other(postmark: str, recipient: str) -> None:
    told = {
        "OriginalRecipient": recipient,
        "FromFull": {"Email": "alice@example.com", "Name": "Alice"},
        "Subject": "Re: your turn",
        "TextBody": "C4-D1",
        "Headers": [{"Name": "Message-ID", "Value": "<1@mail.example.com>"}],
    }
    assert post(postmark, told) == 200
    [mail] = InboundMail.objects.all()
    read = message_from_bytes(mail.raw, policy=policy.default)
    body = read.get_body(preferencelist=("plain",))
    assert body is not None
    assert (str(read["Message-ID"]), str(body.get_content())) == ("<1@mail.example.com>", "C4-D1")
    # No sender at all would make it the answer of a program.
    assert mail.sender == "alice@example.com"


def test_it_looks_for_the_address_where_the_provider_names_another(postmark: str, recipient: str) -> None:
    assert post(postmark, of_postmark(answer(recipient), "hash@inbound.postmarkapp.com")) == 200
    assert len(stored()) == 1


def test_it_wants_nothing_twice_that_is_for_nobody(postmark: str, recipient: str) -> None:
    nobody = recipient.replace("turn+", "turn+x")
    assert post(postmark, of_postmark(answer(nobody), nobody)) == 200
    assert stored() == []


def test_it_wants_it_again_while_there_are_too_many(postmark: str, recipient: str) -> None:
    most = 2 * INBOUND_MAILS.rates[0].amount
    codes = [post(postmark, of_postmark(answer(recipient), recipient)) for _mail in range(most + 1)]
    assert codes == [200] * most + [503]


@pytest.mark.django_db(transaction=True)
def test_it_wants_it_again_while_the_database_is_away(
    postmark: str, recipient: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What a database says may have values of rows, so the log has only the kind of its error."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_inboundmail RENAME TO elsewhere")
        try:
            assert post(postmark, of_postmark(answer(recipient), recipient)) == 503
        finally:
            cursor.execute("ALTER TABLE elsewhere RENAME TO games_inboundmail")
    assert "is put off: OperationalError" in caplog.text
    assert "games_inboundmail" not in caplog.text
    assert post(postmark, of_postmark(answer(recipient), recipient)) == 200
    assert len(stored()) == 1


@pytest.mark.parametrize("secret", ["anymail:forged", "anymail", f"{SECRET}x"])
def test_it_believes_nobody_without_the_secret(secret: str, postmark: str, recipient: str) -> None:
    assert post(postmark, of_postmark(answer(recipient), recipient), secret=secret) == 400
    assert stored() == []


def test_it_believes_what_the_provider_has_signed(mailgun: str, recipient: str) -> None:
    assert post_form(mailgun, of_mailgun(answer(recipient), recipient, key="another")) == 400
    assert stored() == []


def test_it_changes_nothing_when_it_is_only_looked_at(postmark: str, recipient: str) -> None:
    assert [Client().get(postmark).status_code, Client().head(postmark).status_code] == [405, 200]
    assert stored() == []


def test_it_has_no_such_address_where_nothing_is_configured(recipient: str) -> None:
    assert post("/anymail/postmark/inbound/", of_postmark(answer(recipient), recipient)) == 404


def test_it_hears_the_provider_at_a_real_site(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    """All that it takes are three variables."""
    environment = {"EMAIL_URL": "anymail+postmark://?server_token=token", "BOUNCE_WEBHOOK_SECRET": SECRET}
    with inbox(tmp_path, django_db_blocker, processes=("web",), environment=environment) as ours:
        line = HTTPConnection(HOST, ours.site.port, timeout=PATIENCE)
        headers = {**basic(SECRET), "Content-Type": "application/json", "Host": "localhost"}
        told = of_postmark(ours.answer().decode(), ours.recipient)
        line.request("POST", "/anymail/postmark/inbound/", json.dumps(told), headers)
        assert line.getresponse().status == 200
        line.close()
        assert ours.raw == [ours.answer()]

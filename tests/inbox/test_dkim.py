"""Mails with real signatures, whose keys a real DNS server on this machine has."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.inbox.alignment import are_aligned
from games.inbox.authentic import Authenticity
from games.models.names import has_address
from tests.inbox.dns_server import DnsServer
from tests.inbox.judging import FAILED, FROM, KEY, KEY_NAME, MAIL, PASSED, REST, judge
from tests.inbox.signing import WEAK, make_key, sign


def test_it_takes_a_mail_that_its_domain_has_signed(zone: DnsServer) -> None:
    assert judge(sign(MAIL, KEY)) is PASSED
    assert judge(sign(MAIL, KEY, body=b"simple")) is PASSED
    assert judge(MAIL) is FAILED


def test_it_takes_it_with_the_line_ends_of_a_pipe(zone: DnsServer) -> None:
    assert judge(sign(MAIL, KEY).replace(b"\r\n", b"\n")) is PASSED
    assert (
        judge(b"From alice@example.com Mon Nov 23 14:00:00 2026\n" + sign(MAIL, KEY).replace(b"\r\n", b"\n")) is PASSED
    )


@pytest.mark.parametrize(
    ("signing", "author", "verdict"),
    [
        ("example.com", "example.com", PASSED),
        ("EXAMPLE.com", "example.com", PASSED),
        ("mail.example.com", "example.com", PASSED),
        ("example.com", "mail.example.com", PASSED),
        ("a.example.com", "b.example.com", PASSED),
        ("a.example.co.uk", "b.example.co.uk", PASSED),
        ("example.org", "example.com", FAILED),
        ("example.com.example.org", "example.com", FAILED),
        ("notexample.com", "example.com", FAILED),
        ("com", "example.com", FAILED),
        ("co.uk", "example.co.uk", FAILED),
        ("mallory.co.uk", "example.co.uk", FAILED),
        ("mallory.github.io", "alice.github.io", FAILED),
        ("mallory.pages.dev", "alice.pages.dev", FAILED),
        ("github.io", "alice.github.io", FAILED),
        ("mallory.internal", "alice.internal", FAILED),
        ("alice.internal", "alice.internal", PASSED),
    ],
)
def test_it_asks_whether_the_domains_belong_together(
    zone: DnsServer, signing: str, author: str, verdict: Authenticity
) -> None:
    zone.publish(f"s1._domainkey.{signing}", KEY.record) if signing != "example.com" else None
    mail = sign(MAIL.replace(b"example.com>\r\nTo", f"{author}>\r\nTo".encode()), KEY, domain=signing)
    if signing == "EXAMPLE.com":
        zone.zone[KEY_NAME, "TXT"].pop()
    assert judge(mail, address=f"alice@{author}") is verdict


@pytest.mark.parametrize("domain", ["", ".", "example..com", "-", "exämple.com", "a@example.com", "example.com\n"])
def test_it_aligns_nothing_with_what_is_no_domain(domain: str) -> None:
    assert not are_aligned(domain, domain)


def test_a_name_that_was_checked_before_aligns_no_strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library keeps the list that it reads first; its own is older."""
    monkeypatch.setattr("publicsuffix2._PSL", None)
    assert has_address("evil.io")
    assert not are_aligned("mallory.pages.dev", "alice.pages.dev")


Change = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda mail: b"Received: from mx.example.org\r\nX-Spam: no\r\n" + mail, PASSED),
        (lambda mail: mail.replace(b"Subject: Re: Your turn", b"subject:  Re:  Your \r\n\tturn"), PASSED),
        (lambda mail: mail.replace(b"C4-D1", b"C4-D2"), FAILED),
        (lambda mail: mail + b"C4-D2\r\n", FAILED),
        (lambda mail: mail.replace(b"Your turn", b"Your turns"), FAILED),
        (lambda mail: mail.replace(b"Alice <", b"Alicia <"), FAILED),
        (lambda mail: b"From: Mallory <mallory@example.org>\r\n" + mail, FAILED),
        (lambda mail: FROM + mail, FAILED),
        (lambda mail: mail.replace(b"\r\n\r\n", b"\r\n" + FROM + b"\r\n"), FAILED),
        (lambda mail: mail.replace(FROM, FROM + b"from : mallory@example.org\r\n"), FAILED),
        (lambda mail: mail.replace(FROM, b""), FAILED),
        (lambda mail: mail.replace(b"To:", b"X: a\rFrom: bob@example.com\r\nTo:"), FAILED),
        (lambda mail: mail.replace(b"To:", b"X: a\nFrom: bob@example.com\r\nTo:"), FAILED),
        (lambda mail: mail.replace(b"To:", b"X: a\0\r\nTo:"), FAILED),
        (lambda mail: mail.replace(b"To:", b"no field\r\nTo:"), FAILED),
        (lambda mail: b" folded\r\n" + mail, FAILED),
        (lambda mail: mail.replace(b"To:", b"X: a\n\r\nTo:"), FAILED),
        (lambda mail: b"X: a\r\n" * 501 + mail, FAILED),
        (lambda mail: b"X: " + b"a" * 100_000 + b"\r\n" + mail, FAILED),
        (lambda mail: mail.partition(b"\r\n\r\n")[0], FAILED),
        (lambda mail: b"", FAILED),
    ],
)
def test_it_sees_what_was_changed_after_signing(zone: DnsServer, change: Change, verdict: Authenticity) -> None:
    signed = sign(MAIL, KEY)
    assert change(signed) != signed
    assert judge(change(signed)) is verdict


@pytest.mark.parametrize(
    "author",
    [
        b"alice@example.com",
        b"Alice<ALICE@Example.com>",
        b'"Alice, of \\"Clans\\" <bob@example.com>" <alice@example.com>',
        b"=?utf-8?q?Alice_=40_home?= <alice@example.com>",
        "Alíce Q. Ünal\r\n <alice@example.com>".encode(),
        b"alice@example.com (Alice)",
    ],
)
def test_it_finds_the_one_address_of_from(zone: DnsServer, author: bytes) -> None:
    assert judge(sign(b"From: " + author + b"\r\n" + REST, KEY)) is PASSED


@pytest.mark.parametrize(
    "author",
    [
        b"mallory@example.com",
        b'"alice@example.com" <mallory@example.com>',
        b"alice@example.com <mallory@example.com>",
        b"<alice@example.com> <mallory@example.com>",
        b"<alice@example.com> mallory@example.com",
        b"alice@example.com, mallory@example.com",
        b"mallory@example.com, alice@example.com",
        b"mallory@example.com (<alice@example.com>)",
        b"(alice@example.com) mallory@example.com",
        b"Friends: alice@example.com;",
        b"<@example.com:alice@example.com>",
        b"<@mallory.example.com,@example.com:alice@example.com>",
        b"alice(comment)@example.com",
        b"alice @ example.com",
        b"<alice@example.com",
        b"alice@example.com>",
        b'"alice"@example.com',
        b"alice@[127.0.0.1]",
        b"=?utf-8?q?alice=40example=2Ecom?=",
        b"=?utf-8?q?=3Calice=40example=2Ecom=3E?= <mallory@example.com>",
        "аlice@example.com".encode(),
        b"alice@example.com.example.org",
        b"alice@@example.com",
        b"mallory@example.com\r\n\t<alice@example.com>",
        b"(" * 3000 + b"alice@example.com",
        b'"' * 9000 + b"alice@example.com",
        b"alice",
        b"",
    ],
)
def test_it_takes_no_address_for_another(zone: DnsServer, author: bytes) -> None:
    assert judge(sign(b"From: " + author + b"\r\n" + REST, KEY)) is FAILED


def test_it_never_authenticates_nobody(zone: DnsServer) -> None:
    assert judge(sign(b"From: \r\n" + REST, KEY), address="") is FAILED
    assert judge(sign(MAIL, KEY), address="") is FAILED


def test_it_does_not_take_a_signed_text_under_another_name(zone: DnsServer) -> None:
    signature = sign(MAIL, KEY).removesuffix(MAIL)
    assert judge(signature + MAIL.replace(b"alice@", b"bob@"), address="bob@example.com") is FAILED
    assert judge(signature + MAIL, address="bob@example.com") is FAILED


def test_it_asks_that_from_is_signed(zone: DnsServer) -> None:
    assert judge(sign(MAIL, KEY, h="to : subject")) is FAILED
    assert judge(sign(MAIL, KEY, h="to : from")) is PASSED


def test_it_asks_that_the_address_that_it_came_to_is_signed(zone: DnsServer) -> None:
    elsewhere = MAIL.replace(b"turn+token@clans.example.net", b"bob@example.org")
    assert judge(sign(elsewhere, KEY)) is FAILED
    assert judge(b"To: turn+token@clans.example.net\r\n" + sign(elsewhere, KEY)) is FAILED
    assert judge(b"Cc: turn+token@clans.example.net\r\n" + sign(elsewhere, KEY)) is FAILED
    assert judge(sign(b"Cc: Clans <Turn+TOKEN@clans.example.net>, x@example.org\r\n" + elsewhere, KEY)) is PASSED
    assert judge(sign(MAIL, KEY, h="from : subject")) is FAILED
    assert judge(sign(MAIL.replace(b"To: turn+token@clans.example.net\r\n", b""), KEY)) is FAILED


def test_it_asks_that_the_whole_text_is_signed(zone: DnsServer) -> None:
    assert judge(sign(MAIL, KEY, length=True)) is FAILED
    assert judge(sign(MAIL, KEY, length=True) + b"C4-D2\r\n") is FAILED


def test_a_signature_expires(zone: DnsServer) -> None:
    now = timezone.now()
    mail = sign(MAIL, KEY, x=str(int(now.timestamp()) + 600))
    assert judge(mail, at=now) is PASSED
    assert judge(mail, at=now + timedelta(minutes=9)) is PASSED
    assert judge(mail, at=now + timedelta(minutes=11)) is FAILED
    assert judge(sign(MAIL, KEY, x="never"), at=now) is FAILED


def test_it_refuses_what_is_too_weak(zone: DnsServer) -> None:
    zone.publish("weak._domainkey.example.com", WEAK.record)
    assert judge(sign(MAIL, WEAK, selector="weak")) is FAILED
    assert judge(sign(MAIL, KEY, algorithm=b"rsa-sha1")) is FAILED


OTHER = make_key(1).record


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        (KEY.record, PASSED),
        (KEY.record.removeprefix("v=DKIM1; k=rsa; "), PASSED),
        (KEY.record + "; t=s; s=email; h=sha1:sha256; n=x", PASSED),
        (OTHER, FAILED),
        ("v=DKIM1; k=rsa; p=", FAILED),
        ("v=DKIM1", FAILED),
        ("p=####", FAILED),
        ("p=AAAA", FAILED),
        ("v=spf1 -all", FAILED),
        (KEY.record + "; t=y", FAILED),
        (KEY.record + "; t=s : y", FAILED),
        (KEY.record + "; s=tlsrpt", FAILED),
        (KEY.record + "; s=other", FAILED),
        (KEY.record + "; h=sha1", FAILED),
        (KEY.record.replace("k=rsa", "k=ed25519"), FAILED),
        (KEY.record.replace("k=rsa", "k=none"), FAILED),
        (KEY.record.replace("DKIM1", "DKIM2"), FAILED),
        (KEY.record + "; n=" + "x" * 1500, FAILED),
    ],
)
def test_it_uses_a_key_as_its_record_says(zone: DnsServer, record: str, verdict: Authenticity) -> None:
    zone.zone.clear()
    zone.publish(KEY_NAME, record)
    assert judge(sign(MAIL, KEY)) is verdict


def test_it_uses_no_key_that_is_not_unique(zone: DnsServer) -> None:
    zone.publish(KEY_NAME, OTHER)
    assert judge(sign(MAIL, KEY)) is FAILED


def test_a_key_may_be_for_the_domain_itself_alone(zone: DnsServer) -> None:
    zone.publish("s2._domainkey.example.com", KEY.record + "; t=s")
    assert judge(sign(MAIL, KEY, selector="s2", i="@lists.example.com")) is FAILED
    assert judge(sign(MAIL, KEY, i="@lists.example.com")) is PASSED
    assert judge(sign(MAIL, KEY, i="@example.org")) is FAILED


def test_one_good_signature_of_several_suffices(zone: DnsServer) -> None:
    zone.publish("s1._domainkey.example.org", KEY.record)
    others = sign(sign(MAIL, make_key(1)), KEY, domain="example.org")
    assert judge(others) is FAILED
    assert judge(sign(others, KEY)) is PASSED
    assert judge(sign(sign(MAIL, KEY), make_key(1))) is PASSED
    assert ("s1._domainkey.example.org", "TXT") not in zone.asked


def test_it_looks_at_few_signatures(zone: DnsServer) -> None:
    mail = MAIL
    for number in range(20):
        mail = sign(mail, make_key(1), selector=f"no{number}")
    assert judge(mail) is FAILED
    assert len(zone.asked) == 5


@pytest.mark.parametrize(
    "signature",
    [
        b"",
        b";",
        b"v=1",
        b"v=1; v=1",
        b"v=1; a=rsa-sha256; d=example.com; s=s1; h=from; bh=AAAA; b=AAAA",
        b"v=1; a=rsa-sha256; d=example.com; s=s1; h=from; bh=AAAA; b=\xff",
        b"v=1; a=rsa-sha256; d=example.com; s=" + b"s" * 70 + b"; h=from; bh=AAAA; b=AAAA",
        b"v=1; a=rsa-sha256; d=example.com; s=a..b; h=from; bh=AAAA; b=AAAA",
        b"v=1; a=rsa-sha256; d=example.com; s=\xc3\xa4; h=from; bh=AAAA; b=AAAA",
        b"v=1; a=rsa-sha256; d=example.com; s=s1; h=from; bh=AAAA; b=AAAA; c=no/no",
        b"v=1; a=rsa-sha256; d=example.com; h=from",
        b"v=1; a=rsa-sha256; d=example.com; s=s1; h=" + b"from:" * 3000 + b"; bh=AAAA; b=AAAA",
    ],
)
def test_it_stands_a_signature_that_cannot_be_read(zone: DnsServer, signature: bytes) -> None:
    assert judge(b"DKIM-Signature: " + signature + b"\r\n" + MAIL) is FAILED


@pytest.mark.parametrize("filling", [b" " * 900_000, b" \t" * 400_000 + b"x", b"\r\n" * 400_000, b"\r\n " * 300_000])
def test_a_bomb_of_blanks_takes_no_time(zone: DnsServer, filling: bytes) -> None:
    signed = sign(MAIL, KEY, h="from : to")
    began = time.process_time()
    judge(signed + filling)
    judge(signed.replace(b"To:", b"X: " + filling.replace(b"\r\n\r\n", b"\r\n ") + b"\r\nTo:"))
    judge(signed.replace(b"; s=s1", b"; n= b" + filling[:9_000].replace(b"\r\n", b"\r\n ") + b"; s=s1"))
    assert time.process_time() - began < 5


def test_it_may_know_keys_without_dns_while_it_is_tried_out(
    zone: DnsServer, settings: Settings, tmp_path: Path
) -> None:
    settings.REPLY_LOCAL_KEYS = str(tmp_path / "keys.json")
    mail = sign(MAIL, KEY, selector="mailbox")
    settings.DEBUG = True
    assert judge(mail) is FAILED
    (tmp_path / "keys.json").write_text(json.dumps({"mailbox._domainkey.*": KEY.record}))
    zone.asked.clear()
    assert judge(mail) is PASSED
    assert not zone.asked
    assert judge(sign(MAIL, make_key(1), selector="mailbox")) is FAILED
    (tmp_path / "keys.json").write_text(json.dumps({"mailbox._domainkey.example.com": KEY.record}))
    assert judge(mail) is PASSED
    (tmp_path / "keys.json").write_text(json.dumps({"mailbox._domainkey.example.org": KEY.record}))
    assert judge(mail) is FAILED
    (tmp_path / "keys.json").write_text(json.dumps({"mailbox._domainkey.*": KEY.record}))
    settings.DEBUG = False
    assert judge(mail) is FAILED

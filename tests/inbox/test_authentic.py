"""Real signatures, and a real DNS server on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import dns.rcode
import pytest
from django.utils import timezone
from pytest_django import Settings

from games.inbox import Envelope
from games.inbox.alignment import are_aligned
from games.inbox.authentic import Authenticity, check
from games.models import digest_of
from tests.inbox.dns_server import DnsServer, dns_server
from tests.inbox.signing import WEAK, make_key, sign

PASSED, FAILED, UNKNOWN = Authenticity.PASSED, Authenticity.FAILED, Authenticity.UNKNOWN
FROM = b"From: Alice <alice@example.com>\r\n"
REST = (
    b"To: turn+token@clans.example.net\r\n"
    b"Subject: Re: Your turn\r\n"
    b"Message-ID: <1@example.com>\r\n"
    b"Content-Type: text/plain\r\n"
    b"\r\n"
    b"C4-D1\r\n"
)
MAIL = FROM + REST
KEY = make_key()
CLIENT = "8.8.4.4"
KEY_NAME = "s1._domainkey.example.com"


@pytest.fixture
def zone(settings: Settings) -> Iterator[DnsServer]:
    """The DNS that the site asks, with the key of example.com."""
    settings.REPLY_TRUSTED_HOST = settings.REPLY_LOCAL_KEYS = ""
    with dns_server() as server:
        settings.REPLY_RESOLVER = server.address
        server.publish(KEY_NAME, KEY.record)
        yield server


def judge(
    raw: bytes, *, address: str = "alice@example.com", sender: str = "", client: str = "", at: datetime | None = None
) -> Authenticity:
    envelope = Envelope(sender, "turn+token@clans.example.net", client, "mail.example.org")
    return check(raw, envelope, from_address=address, token_digest=digest_of("token"), at=at or timezone.now())


# --- Signed -----------------------------------------------------------------------------------------------------------


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
    began = time.monotonic()
    judge(signed + filling)
    judge(signed.replace(b"To:", b"X: " + filling.replace(b"\r\n\r\n", b"\r\n ") + b"\r\nTo:"))
    judge(signed.replace(b"; s=s1", b"; n= b" + filling[:9_000].replace(b"\r\n", b"\r\n ") + b"; s=s1"))
    assert time.monotonic() - began < 5


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


# --- Sent by a host of the domain -------------------------------------------------------------------------------------

ALICE = "alice@example.com"


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        (f"v=spf1 ip4:{CLIENT} -all", PASSED),
        ("v=spf1 a:mail.example.com -all", PASSED),
        ("v=spf1 mx -all", PASSED),
        ("v=spf1 include:spf.example.org -all", PASSED),
        ("v=spf1 redirect=spf.example.org", PASSED),
        ("v=spf1 exists:%{i}.%{l}.spf.example.org -all", PASSED),
        ("v=spf1 +all", PASSED),
        ("v=spf1 -all", FAILED),
        ("v=spf1 -all exp=explain.example.org", FAILED),
        ("v=spf1 ~all", FAILED),
        ("v=spf1 ?all", FAILED),
        ("v=spf1 ip4:192.0.2.1", FAILED),
        (f"v=spf1 -ip4:{CLIENT} +all", FAILED),
        ("v=spf1 foo +all", FAILED),
        ("v=spf1 include:nowhere.example.org +all", FAILED),
        ("v=spf1 redirect=nowhere.example.org", FAILED),
        ("v=spf1 include:loop.example.org +all", FAILED),
        ("v=spf1 a:1.example.org a:2.example.org a:3.example.org +all", FAILED),  # RFC 7208 4.6.4: void lookups
        ("v=spf1" + " a:mail.example.org" * 11 + " +all", FAILED),  # ... and ten lookups in all
        ("v=spf1 ip4:999.1.1.1 +all", FAILED),
        ("v=spf1 a:%{x} +all", FAILED),
        ("v=spf2.0/pra +all", FAILED),
        ("v=DMARC1; p=none", FAILED),
    ],
)
def test_it_takes_a_mail_that_its_domain_has_sent(zone: DnsServer, record: str, verdict: Authenticity) -> None:
    zone.publish("example.com", record)
    zone.publish("example.com", "10 mail.example.com.", "MX")
    zone.publish("mail.example.com", CLIENT, "A")
    zone.publish("mail.example.org", "192.0.2.9", "A")
    zone.publish(f"{CLIENT}.alice.spf.example.org", "127.0.0.2", "A")
    zone.publish("spf.example.org", f"v=spf1 ip4:{CLIENT} -all")
    zone.publish("loop.example.org", "v=spf1 include:example.com include:loop.example.org -all")
    zone.publish("explain.example.org", "%{s} may not")
    assert judge(MAIL, sender=ALICE, client=CLIENT) is verdict


@pytest.mark.parametrize(
    ("sender", "client", "verdict"),
    [
        (ALICE, CLIENT, PASSED),
        ("Bounces+42@EXAMPLE.com", CLIENT, PASSED),
        (ALICE, f"::ffff:{CLIENT}", PASSED),
        (ALICE, "2001:4860:4860::8844", FAILED),
        (ALICE, "8.8.4.5", FAILED),
        (ALICE, "", FAILED),
        (ALICE, "list", FAILED),
        (ALICE, "mail.example.com", FAILED),
        ("", CLIENT, FAILED),
        ("alice", CLIENT, FAILED),
        ("example.com", CLIENT, FAILED),
        ("@example.com", CLIENT, FAILED),
        ("mallory@example.org", CLIENT, FAILED),
        ("alice@example.com@example.org", CLIENT, FAILED),
        ("mallory@example.org@example.com", CLIENT, FAILED),
        ('"mallory@example.org"@example.com', CLIENT, FAILED),
        ("<alice@example.com>", CLIENT, FAILED),
        ("alice@example.com\n", CLIENT, FAILED),
    ],
)
def test_it_asks_who_sent_it_for_whom(zone: DnsServer, sender: str, client: str, verdict: Authenticity) -> None:
    for domain in ("example.com", "example.org", "mail.example.org"):
        zone.publish(domain, f"v=spf1 ip4:{CLIENT} -all")
    assert judge(MAIL, sender=sender, client=client) is verdict


@pytest.mark.parametrize(
    "client", ["127.0.0.1", "10.1.2.3", "192.168.0.1", "::1", "fe80::1", "100.64.0.1", "::ffff:10.1.2.3"]
)
def test_a_host_of_its_own_network_has_only_passed_it_on(zone: DnsServer, client: str) -> None:
    zone.publish("example.com", "v=spf1 +all")
    assert judge(MAIL, sender=ALICE, client=client) is FAILED
    assert judge(MAIL, sender=ALICE, client=CLIENT) is PASSED


@pytest.mark.parametrize(
    "header",
    [
        FROM + FROM,
        FROM + b"From: Bob <bob@example.com>\r\n",
        FROM + b"X: a\rY: b\r\n",
        FROM + b"X: a\nY: b\r\n",
        FROM + b"X: a\0b\r\n",
        FROM + b"no field\r\n",
        FROM + b"X: a\r\n" * 500,
        FROM + b"X: " + b"a" * 100_000 + b"\r\n",
        b" folded\r\n" + FROM,
        b"X: a\r\n",
        b"",
    ],
)
def test_it_takes_no_mail_that_can_be_read_in_two_ways(zone: DnsServer, header: bytes) -> None:
    zone.publish("example.com", "v=spf1 +all")
    assert judge(FROM + b"To: x\r\n\r\n" + REST, sender=ALICE, client=CLIENT) is PASSED
    assert judge(header + b"To: x\r\n\r\n" + REST, sender=ALICE, client=CLIENT) is FAILED


def test_two_records_are_none(zone: DnsServer) -> None:
    zone.publish("example.com", "v=spf1 +all")
    zone.publish("example.com", f"v=spf1 ip4:{CLIENT} -all")
    assert judge(MAIL, sender=ALICE, client=CLIENT) is FAILED


def test_one_of_both_suffices(zone: DnsServer) -> None:
    zone.publish("example.com", "v=spf1 -all")
    assert judge(sign(MAIL, KEY), sender=ALICE, client=CLIENT) is PASSED
    zone.zone.clear()
    zone.publish("example.com", "v=spf1 +all")
    assert judge(sign(MAIL, KEY), sender=ALICE, client=CLIENT) is PASSED


# --- DNS is away ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [dns.rcode.SERVFAIL, dns.rcode.REFUSED])
def test_it_does_not_judge_while_dns_cannot_answer(zone: DnsServer, fault: dns.rcode.Rcode) -> None:
    signed = sign(MAIL, KEY)
    zone.publish("example.com", "v=spf1 -all")
    zone.faults[KEY_NAME] = fault
    assert judge(signed) is UNKNOWN
    assert judge(signed, sender=ALICE, client=CLIENT) is UNKNOWN
    assert judge(MAIL, sender=ALICE, client=CLIENT) is FAILED
    zone.faults = {"example.com": fault}
    assert judge(MAIL, sender=ALICE, client=CLIENT) is UNKNOWN
    assert judge(signed, sender=ALICE, client=CLIENT) is PASSED
    zone.faults = {"example.com": fault, KEY_NAME: fault}
    assert judge(sign(signed, KEY, selector="s2"), sender="mallory@example.org", client=CLIENT) is UNKNOWN


def test_a_name_that_does_not_exist_is_an_answer(zone: DnsServer) -> None:
    zone.zone.clear()
    assert judge(sign(MAIL, KEY), sender=ALICE, client=CLIENT) is FAILED
    zone.publish(KEY_NAME, "192.0.2.1", "A")
    assert judge(sign(MAIL, KEY)) is FAILED


def test_it_never_waits_long(zone: DnsServer) -> None:
    mail = MAIL
    for number in range(5):
        mail = sign(mail, KEY, selector=f"silent{number}")
        zone.faults[f"silent{number}._domainkey.example.com"] = DnsServer.SILENT
    zone.faults["example.com"] = DnsServer.SILENT
    began = time.monotonic()
    assert judge(mail, sender=ALICE, client=CLIENT) is UNKNOWN
    assert time.monotonic() - began < 7


def test_it_waits_for_a_slow_answer(zone: DnsServer) -> None:
    zone.seconds = 1.0
    assert judge(sign(MAIL, KEY)) is PASSED


def test_it_does_not_judge_without_dns(zone: DnsServer, settings: Settings) -> None:
    settings.REPLY_RESOLVER = "127.0.0.1:9"
    assert judge(sign(MAIL, KEY)) is UNKNOWN
    assert judge(MAIL) is FAILED


# --- Reported by a host that is trusted -------------------------------------------------------------------------------

MX = "mx.clans.example.net"


def reported(result: str, *, host: str = MX) -> bytes:
    return f"Authentication-Results: {host}; {result}\r\n".encode() + MAIL


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        ("dkim=pass header.d=example.com", PASSED),
        ("dkim=pass header.i=@mail.example.com header.s=s1 header.b=AbC/", PASSED),
        ("dkim=pass (2048-bit key) header.d=EXAMPLE.com header.i=alice@example.com", PASSED),
        ("dkim=fail header.d=example.com; dkim=pass header.d=example.com", PASSED),
        ("spf=pass (x designates 1.2.3.4 as permitted sender) smtp.mailfrom=alice@example.com", PASSED),
        ("spf=pass smtp.mailfrom=mail.example.com smtp.helo=mx.example.org", PASSED),
        ("dmarc=pass (p=none dis=none) header.from=Example.com", PASSED),
        ("dkim = pass (a (nested) comment; dkim=fail)\r\n\theader . d = example.com", PASSED),
        ("spf=fail smtp.mailfrom=x@example.org; dkim=none; dmarc=pass action=none header.from=example.com", PASSED),
        ("none", FAILED),
        ("dkim=fail header.d=example.com", FAILED),
        ("dkim=neutral header.d=example.com", FAILED),
        ("dkim=fail (dkim=pass header.d=example.com)", FAILED),
        ('dkim=fail reason="dkim=pass header.d=example.com"', FAILED),
        ("dkim=pass", FAILED),
        ("dkim=pass header.s=example.com", FAILED),
        ("dkim=pass header.d=example.org header.i=@example.com", FAILED),
        ("dkim=pass header.d=example.org header.d=example.com", FAILED),
        ("dkim=pass header.d=example.org; dkim=fail header.d=example.com", FAILED),
        ("dkim=pass header.from=example.com", FAILED),
        ("spf=pass smtp.helo=example.com", FAILED),
        ("spf=softfail smtp.mailfrom=alice@example.com", FAILED),
        ("spf=pass smtp.mailfrom=mallory@example.org", FAILED),
        ("spf=pass smtp.mailfrom=mallory@notexample.com", FAILED),
        ('spf=pass smtp.mailfrom="x; dkim=pass header.d=example.com"@example.org', FAILED),
        ("spf=pass smtp.mailfrom=alice@example.com@example.org", FAILED),
        ("dmarc=pass header.from=mail.example.com", FAILED),
        ("dmarc=bestguesspass header.from=example.com", FAILED),
        ("dmarc=pass header.d=example.com", FAILED),
        ("arc=pass header.d=example.com", FAILED),
        ("auth=pass smtp.auth=alice@example.com", FAILED),
        ("dkim=pass (" + "(" * 4000, FAILED),
        ("dkim=pass header.d=example.com (", FAILED),
        ("dkim=pass header.d=example.com \\", FAILED),
        ("dkim=pass header.d=example.com" + "; dkim=fail" * 4000, FAILED),
    ],
)
def test_it_believes_the_host_that_the_operator_trusts(
    zone: DnsServer, settings: Settings, result: str, verdict: Authenticity
) -> None:
    assert judge(reported(result)) is FAILED
    settings.REPLY_TRUSTED_HOST = MX
    assert judge(reported(result)) is verdict


@pytest.mark.parametrize(
    ("host", "verdict"),
    [
        (MX.upper(), PASSED),
        (f"(mine) {MX} (really) 1 (version)", PASSED),
        (f"\r\n {MX}", PASSED),
        (f"{MX} 2", FAILED),
        ("mx.example.org", FAILED),
        (f"{MX}.example.org", FAILED),
        (f"mx.example.org ({MX})", FAILED),
        (f"mx.example.org; none\r\nX: {MX}", FAILED),
        ("", FAILED),
    ],
)
def test_it_believes_no_other_host(zone: DnsServer, settings: Settings, host: str, verdict: Authenticity) -> None:
    settings.REPLY_TRUSTED_HOST = MX
    assert judge(reported("dkim=pass header.d=example.com", host=host)) is verdict


def test_it_believes_the_topmost_report_alone(zone: DnsServer, settings: Settings) -> None:
    settings.REPLY_TRUSTED_HOST = MX
    forged = reported("dkim=pass header.d=example.com")
    assert judge(f"Received: from x\r\nAuthentication-Results: {MX}; none\r\n".encode() + forged) is FAILED
    assert judge(b"Authentication-Results: mx.example.org; none\r\n" + forged) is FAILED
    assert judge(b"authentication-results: \r\n" + forged) is FAILED
    assert judge(b"Received: from x\r\n" + forged) is PASSED
    assert judge(forged, address="bob@example.com") is FAILED


def test_its_own_eyes_suffice_where_the_trusted_host_says_nothing(zone: DnsServer, settings: Settings) -> None:
    settings.REPLY_TRUSTED_HOST = MX
    assert judge(sign(MAIL, KEY)) is PASSED
    assert judge(f"Authentication-Results: {MX}; dkim=fail\r\n".encode() + sign(MAIL, KEY)) is PASSED

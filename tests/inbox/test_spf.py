"""Mails from hosts that may send for a domain, or may not, as a real DNS server on this machine tells."""

from __future__ import annotations

import pytest

from games.inbox.authentic import Authenticity
from tests.inbox.dns_server import DnsServer
from tests.inbox.judging import ALICE, CLIENT, FAILED, FROM, KEY, MAIL, PASSED, REST, judge
from tests.inbox.signing import sign


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

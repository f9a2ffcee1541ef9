"""Whether a mail is taken for its player's while DNS does not answer, and where another host has judged it."""

from __future__ import annotations

import dns.rcode
import pytest
from pytest_django import Settings

from games.inbox.authentic import Authenticity
from tests.inbox.dns_server import DnsServer
from tests.inbox.judging import ALICE, CLIENT, FAILED, KEY, KEY_NAME, MAIL, PASSED, UNKNOWN, judge
from tests.inbox.signing import sign


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


def test_it_waits_for_few_names_of_a_dns_that_is_silent(zone: DnsServer) -> None:
    mail = MAIL
    for number in range(5):
        mail = sign(mail, KEY, selector=f"silent{number}")
        zone.faults[f"silent{number}._domainkey.example.com"] = DnsServer.SILENT
    zone.faults["example.com"] = DnsServer.SILENT
    assert judge(mail, sender=ALICE, client=CLIENT) is UNKNOWN
    assert 1 < len(set(zone.asked)) <= 3, "each waits for 3 seconds, all together for 6"


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

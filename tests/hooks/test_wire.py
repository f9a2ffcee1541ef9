"""Where calls go, and where never; for how long, and what is read of the answer."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import chain, cycle
from pathlib import Path
from threading import Event

import pytest
from pytest_django import Settings

from games.hooks import wire
from games.hooks.hosts import is_public
from games.hooks.wire import Answer, Refused, post, read_target
from games.models import Webhook
from tests.hooks.ear import HERE, NAME, Ear, make_certificate, open_crank, open_ear
from tests.servers import PATIENCE, free_port

Trouble = Webhook.Trouble
PUBLIC = "93.184.215.14"


def leads_to(*addresses: str) -> wire.Resolver:
    """A resolver that knows these addresses for every name."""
    return lambda _host, _port: addresses


class Rebinding:
    """A resolver that names a public host when it is asked first, and this machine ever after."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return [PUBLIC] if self.asked == 1 else [HERE]


# --- Which hosts are public ------------------------------------------------------------------------

INTERNAL = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",  # noqa: S104
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:10.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:5db8:d70e::",
    "2001:0:1::1",
    "2001:db8::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", INTERNAL)
def test_it_knows_hosts_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"])
def test_it_knows_hosts_that_are_public(address: str) -> None:
    assert is_public(address)


# --- Where no call goes ----------------------------------------------------------------------------


@pytest.mark.parametrize("address", INTERNAL)
def test_it_calls_no_name_that_leads_to_an_internal_host(address: str) -> None:
    assert post(f"https://{NAME}/", b"", {}, resolver=leads_to(address)) == Answer(trouble=Trouble.ADDRESS)


def test_it_calls_no_name_of_which_one_host_is_internal() -> None:
    answer = post(f"https://{NAME}/", b"", {}, resolver=leads_to(PUBLIC, HERE))
    assert answer.trouble == Trouble.ADDRESS


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0", "[::1]"])
def test_it_calls_this_machine_by_no_name(host: str) -> None:
    """The system's own resolver reads all of these."""
    with open_ear() as ear:
        assert post(f"https://{host}:{ear.port}/", b"{}", {}).trouble == Trouble.ADDRESS
        assert ear.heard == []


def test_it_calls_what_it_has_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked up once: that it means this machine a moment later leads nowhere."""
    called: list[str] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        called.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    resolver = Rebinding()
    assert post(f"https://{NAME}/", b"", {}, resolver=resolver).trouble == Trouble.AWAY
    assert (called, resolver.asked) == ([PUBLIC], 1)
    assert post(f"https://{NAME}/", b"", {}, resolver=resolver).trouble == Trouble.ADDRESS
    assert called == [PUBLIC]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example",
        "http://hooks.example/",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "gopher://hooks.example/",
        "https://",
        "https:///hook",
        "https://name:password@hooks.example/",
        "https://hooks.example@127.0.0.1/",
        "https://hooks.example:0/",
        "https://hooks.example:22/",
        "https://hooks.example:99999/",
        "https://hooks.example\\@127.0.0.1/",
        "https://hooks.example/ HTTP/1.1",
        "https://hooks.example/\r\nHost: internal",
        "https://hooks.example/é",
        "https://[::1/",
    ],
)
def test_it_reads_no_address_that_is_never_called(url: str) -> None:
    with pytest.raises(Refused) as refused:
        read_target(url)
    assert refused.value.trouble == Trouble.ADDRESS


@pytest.mark.parametrize("url", ["https://hooks.example", "https://hooks.example:8443/a?b=c", "HTTPS://HOOKS.EXAMPLE/"])
def test_it_reads_an_address(url: str) -> None:
    assert read_target(url).host == "hooks.example"


def test_it_reads_addresses_without_tls_where_internal_ones_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_INTERNAL = True
    assert read_target("http://127.0.0.1:80/a").named == "127.0.0.1"


def test_it_follows_nowhere(ear: Ear) -> None:
    with open_ear() as other:
        ear.status, ear.headers = 307, {"Location": other.url()}
        answer = post(ear.url(), b"{}", {})
        assert (answer.status, answer.trouble) == (307, Trouble.REDIRECT)
        assert other.heard == []
    assert len(ear.heard) == 1


def test_it_asks_no_proxy_of_the_environment(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_ear() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://{HERE}:{proxy.port}")
        assert post(ear.url(), b"{}", {}).is_taken
        assert proxy.heard == []


# --- TLS -------------------------------------------------------------------------------------------


def server_side(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def test_it_calls_over_tls_by_the_name_that_was_given(internal: None, tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with open_ear(server_side(certificate)) as ear:
        answer = post(f"https://{NAME}:{ear.port}/a?b=c", b"{}", {}, resolver=leads_to(HERE), tls=trusting)
        assert answer == Answer(204)
        [heard] = ear.heard
        assert (heard.path, heard.headers["Host"]) == ("/a?b=c", f"{NAME}:{ear.port}")


def test_it_trusts_no_certificate_that_signs_itself(internal: None, tmp_path: Path) -> None:
    with open_ear(server_side(make_certificate(tmp_path))) as ear:
        answer = post(f"https://{NAME}:{ear.port}/", b"{}", {}, resolver=leads_to(HERE))
        assert answer == Answer(trouble=Trouble.TLS)
        assert ear.heard == []


def test_it_trusts_no_certificate_of_another_name(internal: None, tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path, name="other.example")
    trusting = ssl.create_default_context(cafile=str(certificate))
    with open_ear(server_side(certificate)) as ear:
        answer = post(f"https://{NAME}:{ear.port}/", b"{}", {}, resolver=leads_to(HERE), tls=trusting)
        assert answer.trouble == Trouble.TLS
        assert ear.heard == []


# --- What hosts do ---------------------------------------------------------------------------------


def test_it_posts_what_it_is_given(ear: Ear) -> None:
    assert post(ear.url("/hook?key=a%20b"), b'{"a":"\xc3\xa9"}', {"X-Clans-Event": "turn"}) == Answer(204)
    [heard] = ear.heard
    assert (heard.path, heard.body) == ("/hook?key=a%20b", b'{"a":"\xc3\xa9"}')
    assert heard.headers["X-Clans-Event"] == "turn"


@pytest.mark.parametrize(
    ("status", "trouble"),
    [(200, ""), (202, ""), (301, "redirect"), (400, "refused"), (404, "gone"), (410, "gone"), (500, "refused")],
)
def test_it_says_what_the_host_says(ear: Ear, status: int, trouble: str) -> None:
    ear.status = status
    answer = post(ear.url(), b"{}", {})
    assert (answer.status, answer.trouble) == (status, trouble)


@pytest.mark.parametrize(("asked", "seconds"), [("7", 7), ("86400", 3600), ("Mon, 02 Mar 2026", 0), ("-1", 0), ("", 0)])
def test_it_hears_when_to_come_again(ear: Ear, asked: str, seconds: int) -> None:
    ear.status, ear.headers = 429, {"Retry-After": asked}
    assert post(ear.url(), b"{}", {}).retry_after == timedelta(seconds=seconds)


def test_it_knows_no_host_of_that_name() -> None:
    assert post("https://hooks.example/", b"", {}, resolver=leads_to()).trouble == Trouble.NAME


def test_it_is_told_that_a_name_cannot_be_looked_up() -> None:
    def fails(_host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror

    assert post("https://hooks.example/", b"", {}, resolver=fails).trouble == Trouble.NAME


def test_it_finds_nobody_there(internal: None) -> None:
    assert post(f"http://{HERE}:{free_port()}/", b"", {}).trouble == Trouble.AWAY


def test_it_tries_another_address_of_the_host(ear: Ear) -> None:
    answer = post(f"http://{NAME}:{ear.port}/", b"{}", {}, resolver=leads_to("127.0.0.2", HERE))
    assert answer.is_taken


@pytest.mark.parametrize("said", [b"SSH-2.0-OpenSSH_9.2\r\n", b"\r\n\r\n", b"HTTP/1.1 two hundred\r\n\r\n"])
def test_it_understands_no_other_tongue(internal: None, said: bytes) -> None:
    def speak(caller: socket.socket) -> None:
        caller.recv(9999)
        caller.sendall(said)

    with open_crank(speak) as port:
        assert post(f"http://{HERE}:{port}/", b"", {}).trouble == Trouble.GARBLED


def hang_up(caller: socket.socket) -> None:
    caller.recv(9999)


def say_nothing(caller: socket.socket) -> None:
    while caller.recv(9999):
        """Until the caller has had enough."""


def drip(caller: socket.socket) -> None:
    """A letter now and then, so that no single wait is long, until the caller has had enough."""
    for letter in chain(b"HTTP/1.1 200 OK\r\n", cycle(b"X-Long: 1\r\n")):
        caller.sendall(bytes([letter]))
        time.sleep(0.05)


def babble(caller: socket.socket) -> None:
    caller.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in range(90):
        caller.sendall(b"X-%d: %s\r\n" % (number, b"a" * 2000))
    hang_up(caller)


@pytest.mark.parametrize(
    ("speak", "trouble"),
    [(hang_up, Trouble.AWAY), (babble, Trouble.GARBLED)],
)
def test_it_says_what_is_wrong_with_the_host(
    internal: None, speak: Callable[[socket.socket], None], trouble: str
) -> None:
    with open_crank(speak) as port:
        assert post(f"http://{HERE}:{port}/", b"{}", {}).trouble == trouble


@pytest.mark.parametrize("speak", [say_nothing, drip])
def test_it_waits_for_nobody_for_long(
    internal: None, monkeypatch: pytest.MonkeyPatch, speak: Callable[[socket.socket], None]
) -> None:
    """They would go on for ever."""
    monkeypatch.setattr(wire, "SECONDS", 0.5)
    with open_crank(speak) as port:
        assert post(f"http://{HERE}:{port}/", b"{}", {}).trouble == Trouble.SLOW


def test_it_waits_for_no_resolver_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "SECONDS", 0.2)

    over = Event()

    def waits(_host: str, _port: int) -> Sequence[str]:
        over.wait(PATIENCE)
        return [PUBLIC]

    assert post("https://hooks.example/", b"", {}, resolver=waits).trouble == Trouble.SLOW
    over.set()


# --- What is refused before any call ---------------------------------------------------------------


@pytest.mark.parametrize(
    "host", [*INTERNAL, "2130706433", "0x7f.1", "127.1", "localhost", "a.localhost", "nas", "nas.local", "localhost."]
)
def test_it_refuses_at_once_what_shows_that_it_is_near(host: str) -> None:
    with pytest.raises(Refused):
        wire.check_host(host)


@pytest.mark.parametrize("host", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "hooks.example", "a.b.example."])
def test_it_leaves_other_hosts_to_the_call(host: str) -> None:
    wire.check_host(host)

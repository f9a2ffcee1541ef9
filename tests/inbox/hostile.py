"""A thousand mails that must not move, each with the reason why.

Alice is awaited at a table. Mallory knows the address that takes her answer, and a legal move. He has a domain of his
own, with keys and hosts that may send for it, an account at Alice's provider, which signs what he writes there under
his name, and some mails that Alice has written to others and for other turns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from games.inbox import Envelope
from tests.inbox.bombs import bombs
from tests.inbox.dns_server import DnsServer
from tests.inbox.signing import make_key, sign

ALICE = "alice@example.com"
MALLORY = "mallory@example.org"
PROVIDER_KEY, MALLORYS_KEY = make_key(11, bits=1024), make_key(12, bits=1024)
PROVIDER, MALLORYS_HOST = "8.8.4.4", "9.9.9.9"
TRUSTED_HOST = "mx.clans.example.net"
MALLORYS_DOMAINS = (
    "example.org",
    "example.com.example.org",
    "examp1e.com",
    "xn--xample-9uf.com",
    "example.co",
    "example-com.org",
    "alice.example.org",
)


@dataclass(frozen=True)
class Scene:
    """Addresses with tokens: of the turn that Alice is awaited for, of one that is over, and of somebody else's."""

    alive: str
    over: str
    of_another: str
    move: str


@dataclass(frozen=True)
class Hostile:
    name: str
    why: str
    raw: bytes
    envelope: Envelope


Means = Callable[[bytes, Envelope], tuple[bytes, Envelope]]
"""What Mallory can do for a mail: sign it, and send it from some host under some name."""


def publish(zone: DnsServer) -> None:
    """What DNS says of the domains."""
    zone.publish("provider._domainkey.example.com", PROVIDER_KEY.record)
    zone.publish("testing._domainkey.example.com", PROVIDER_KEY.record + "; t=y")
    zone.publish("revoked._domainkey.example.com", "v=DKIM1; p=")
    zone.publish("example.com", f"v=spf1 ip4:{PROVIDER} -all")
    for domain in MALLORYS_DOMAINS:
        zone.publish(f"s1._domainkey.{domain}", MALLORYS_KEY.record)
        zone.publish(domain, "v=spf1 +all")


def from_alice(raw: bytes) -> bytes:
    """As her provider signs what Alice writes."""
    return sign(raw, PROVIDER_KEY, selector="provider")


def compose(scene: Scene, text: str | None = None, *, author: str | bytes = f"Alice <{ALICE}>", **fields: str) -> bytes:
    """A plain answer to the living token, without any proof."""
    author = author if isinstance(author, bytes) else author.encode()
    fields = {"To": scene.alive, "Subject": "Re: Your turn", "Message_ID": "<hostile@example.org>"} | fields
    header = b"".join(f"{name.replace('_', '-')}: {value}\r\n".encode() for name, value in fields.items())
    return b"From: " + author + b"\r\n" + header + b"\r\n" + (text or f"{scene.move}\r\n").encode()


# --- What Mallory can do ----------------------------------------------------------------------------------------------


def nothing(raw: bytes, envelope: Envelope) -> tuple[bytes, Envelope]:
    return raw, envelope


def signed(**how: str) -> Means:
    """Signed by Mallory's key, or by another that `how` tells of."""
    return lambda raw, envelope: (sign(raw, MALLORYS_KEY, **{"domain": "example.org"} | how), envelope)  # type: ignore[arg-type]


def sent(sender: str, client: str = MALLORYS_HOST) -> Means:
    return lambda raw, envelope: (raw, replace(envelope, sender=sender, client=client))


def both(one: Means, other: Means) -> Means:
    return lambda raw, envelope: other(*one(raw, envelope))


def under(line: str) -> Means:
    """With a line above the mail."""
    return lambda raw, envelope: (line.encode() + b"\r\n" + raw, envelope)


def by_provider(raw: bytes, envelope: Envelope) -> tuple[bytes, Envelope]:
    """Mallory's own account at Alice's provider."""
    return from_alice(raw), replace(envelope, sender="mallory@example.com", client=PROVIDER)


def provider_key(**how: str) -> Means:
    """Signed by the key of Alice's provider, which does not do so: only broken ways of checking let it pass."""
    algorithm = how.pop("algorithm", "rsa-sha256").encode()
    how = {"selector": "provider"} | how
    return lambda raw, envelope: (sign(raw, PROVIDER_KEY, algorithm=algorithm, **how), envelope)  # type: ignore[arg-type]


OWN = both(signed(), sent(MALLORY))
REPORT = f"Authentication-Results: {TRUSTED_HOST}; "


def reported(result: str, *, host: str = TRUSTED_HOST) -> Means:
    """With a report that Mallory has written, below that of the trusted host."""
    return under(f"{REPORT}none\r\nAuthentication-Results: {host}; {result}")


# Each with why it proves nothing about Alice.
MEANS: dict[str, tuple[str, Means]] = {
    "no proof": ("nobody has signed it, and nobody says who sent it", nothing),
    "signed by himself": ("the signature is of another domain", signed()),
    "sent by himself": ("SPF passes for another domain", sent(MALLORY)),
    "signed and sent by himself": ("both are of another domain", OWN),
    "wrong key": ("Mallory has not the key of example.com", signed(domain="example.com")),
    "wrong key of a subdomain": ("mail.example.com has no such key", signed(domain="mail.example.com")),
    "no such selector": ("the key does not exist", signed(domain="example.com", selector="none")),
    "revoked key": ("the key was revoked", signed(domain="example.com", selector="revoked")),
    "testing": ("a key in testing proves nothing", provider_key(selector="testing")),
    "sha1": ("SHA-1 is broken", provider_key(algorithm="rsa-sha1")),
    "from not signed": ("the signature does not cover From", provider_key(h="to : subject")),
    "to not signed": ("the signature does not say to whom it was written", provider_key(h="from : subject")),
    "expired": ("the signature has expired", provider_key(x="1700000000", t="1600000000")),
    "identity of alice": ("the signature is of another domain", signed(i="@example.org", d="example.org")),
    "lies about the sender": ("his host may not send for example.com", sent(ALICE)),
    "lies about the sender twice": ("his host may not send for example.com", both(signed(), sent(ALICE))),
    "alice in his sender": ("the domain of the sender is his", sent(f"{ALICE}@example.org")),
    "alice quoted in his sender": ("the domain of the sender is his", sent(f'"{ALICE}"@example.org')),
    "his domain in alice's": ("no address has two domains", sent(f"{MALLORY}@example.com")),
    "from the site's own network": ("who passes a mail on proves nothing", sent(ALICE, "127.0.0.1")),
    "from a network of hosts": ("who passes a mail on proves nothing", sent(ALICE, "192.168.0.1")),
    "from no host": ("an unknown host proves nothing", sent(ALICE, "list")),
    "subdomain of his": ("the domain has another owner", signed(domain="example.com.example.org")),
    "look-alike domain": ("the domain has another owner", signed(domain="examp1e.com")),
    "punycode": ("the domain has another owner", signed(domain="xn--xample-9uf.com")),
    "shorter domain": ("the domain has another owner", signed(domain="example.co")),
    "sent by a look-alike": ("the domain has another owner", sent("alice@examp1e.com")),
    "sent by a subdomain of his": ("the domain has another owner", sent("alice@example.com.example.org")),
    "forged report": ("the topmost is that of the host itself", reported("dmarc=pass header.from=example.com")),
    "forged report of dkim": ("it is not the topmost", reported("dkim=pass header.d=example.com")),
    "forged report of spf": ("it is not the topmost", reported(f"spf=pass smtp.mailfrom={ALICE}")),
    "report of his": ("only one host is trusted", reported("dkim=pass header.d=example.com", host="mx.example.org")),
    "report that he has led on": (
        "the comment is no result",
        under(f"{REPORT}dkim=fail (dkim=pass header.d=example.com)"),
    ),
    "report of his own domain": ("the report is of another domain", under(f"{REPORT}dkim=pass header.d=example.org")),
    "report of his sender": (
        "the report is of another domain",
        under(f'{REPORT}spf=pass smtp.mailfrom="x; dkim=pass header.d=example.com"@example.org'),
    ),
    "forged arc": (
        "ARC does not count",
        under(f"ARC-Authentication-Results: i=1; {TRUSTED_HOST}; dkim=pass header.d=example.com"),
    ),
    "forged spf header": (
        "Received-SPF does not count",
        under("Received-SPF: pass (example.com) envelope-from=" + ALICE),
    ),
}

# --- Mails ------------------------------------------------------------------------------------------------------------

TEXTS: dict[str, Callable[[str], str]] = {
    "plain": lambda move: f"{move}\r\n",
    "lower case": lambda move: f"{move.lower().replace('-', ' ')}\r\n",
    "in words": lambda move: f"{move.replace('-', ' to ')}\r\n",
    "numbered": lambda move: f"1 {move}\r\n",
    "more time": lambda move: "more time\r\n",
    "vacation": lambda move: "vacation until 3 Dec\r\n",
    "back": lambda move: "back\r\n",
    "above a quotation": lambda move: f"{move}\r\n\r\nOn Monday Clans by mail wrote:\r\n> Your turn\r\n",
    "after dots": lambda move: f".\r\n..\r\n{move}\r\n.\r\n",
    "after a second mail": lambda move: (
        f"\r\n.\r\nMAIL FROM:<{ALICE}>\r\nRCPT TO:<x>\r\nDATA\r\nFrom: {ALICE}\r\n\r\n{move}\r\n"
    ),
}

# What stands in From, and none is Alice's address alone: Mallory's provider lets him write what it does not understand.
AUTHORS: dict[str, str | bytes] = {
    "himself": "mallory@example.com",
    "his name is her address": f'"{ALICE}" <mallory@example.com>',
    "his name is her address, bare": f"{ALICE} <mallory@example.com>",
    "his name is her whole From": f'"Alice <{ALICE}>" <mallory@example.com>',
    "his name is her address, encoded": "=?utf-8?q?alice=40example=2Ecom?= <mallory@example.com>",
    "his name is her From, encoded": "=?utf-8?q?Alice_=3Calice=40example=2Ecom=3E?= <mallory@example.com>",
    "his name ends the line, encoded": "=?utf-8?q?x=0D=0AFrom=3A_alice=40example=2Ecom?= <mallory@example.com>",
    "base64": "=?utf-8?b?QWxpY2UgPGFsaWNlQGV4YW1wbGUuY29tPg==?= <mallory@example.com>",
    "both, hers first": f"{ALICE}, mallory@example.com",
    "both, hers last": f"mallory@example.com, {ALICE}",
    "both with names": f"Alice <{ALICE}>, Mallory <mallory@example.com>",
    "two angles, hers first": f"<{ALICE}> <mallory@example.com>",
    "two angles, hers last": f"<mallory@example.com> <{ALICE}>",
    "angle in angle": f"<mallory@example.com <{ALICE}>>",
    "no end of the angle": f"<{ALICE}",
    "group": f"Friends: {ALICE};",
    "group of both": f"Friends: mallory@example.com, {ALICE};",
    "empty group": "undisclosed-recipients:;",
    "route": f"<@example.com,@example.org:{ALICE}>",
    "route through alice": f"<@{ALICE}:mallory@example.com>",
    "comment before": f"({ALICE}) mallory@example.com",
    "comment behind": f"mallory@example.com ({ALICE})",
    "angle in a comment": f"mallory@example.com (<{ALICE}>)",
    "comment inside": "alice(mallory)@example.com, mallory@example.com",
    "nested comments": "((((alice)@example.com))) mallory@example.com",
    "blanks inside": "alice @ example . com, mallory@example.com",
    "quoted local part": '"alice@example.com"@example.com',
    "escaped": r'"alice\"" <mallory@example.com>',
    "domain literal": "alice@[8.8.4.4]",
    "percent": "alice%example.com@example.com",
    "bang": "example.com!alice@example.com",
    "plus": "alice+mallory@example.com",
    "two ats": "alice@example.com@example.com",
    "longer domain": "alice@example.com.example.com",
    "subdomain": "alice@mail.example.com",
    "dot at the end": "alice@example.com.",
    "cyrillic": "\u0430lice@example.com",
    "full width": "ａlice@example.com",
    "dotless i": "al\u0131ce@example.com",
    "zero width": "al\u200bice@example.com",
    "right to left": "\u202emoc.elpmaxe@ecila\u202c <mallory@example.com>",
    "invalid utf-8": b"\xff\xfe alice@example.com <mallory@example.com>",
    "null byte": b"alice@example.com\0 <mallory@example.com>",
    "carriage return": b"mallory@example.com\rFrom: alice@example.com",
    "line feed": b"mallory@example.com\nFrom: alice@example.com",
    "folded": f"mallory@example.com\r\n\t<{ALICE}>",
    "empty": "",
    "only a name": "Alice",
}

# Fields that name Alice where From names Mallory, and lines that pretend to be a From.
LINES: dict[str, bytes] = {
    "second from below": b"To: x@example.net\r\nFrom: alice@example.com",
    "from in capitals": b"FROM: alice@example.com",
    "from with a blank": b"From : alice@example.com",
    "from with a tab": b"From\t: alice@example.com",
    "from folded": b"X: y\r\n From: alice@example.com",
    "from after a bare cr": b"X: y\rFrom: alice@example.com",
    "from after a bare lf": b"X: y\nFrom: alice@example.com",
    "header ends at bare crs": b"X: y\rFrom: alice@example.com\r\r",
    "header ends at bare lfs": b"X: y\nFrom: alice@example.com\n\n",
    "from after a null": b"X: y\0\r\nFrom: alice@example.com",
    "from after a form feed": b"X: y\x0cFrom: alice@example.com",
    "from after a line separator": "X: y\u2028From: alice@example.com".encode(),
    "from after an unix from": b"From alice@example.com Mon Nov 23 14:00:00 2026",
    "encoded line end": b"X: =?utf-8?q?y=0D=0AFrom=3A_alice=40example=2Ecom?=",
    "sender": b"Sender: alice@example.com",
    "reply-to": b"Reply-To: alice@example.com",
    "return-path": b"Return-Path: <alice@example.com>",
    "resent-from": b"Resent-From: alice@example.com",
    "resent-sender": b"Resent-Sender: alice@example.com",
    "x-original-from": b"X-Original-From: alice@example.com",
    "x-google-original-from": b"X-Google-Original-From: alice@example.com",
    "apparently-from": b"Apparently-From: alice@example.com",
    "envelope-from": b"X-Envelope-From: alice@example.com",
    "authenticated sender": b"X-Authenticated-Sender: alice@example.com",
    "no colon": b"From alice",
    "no field": b"alice@example.com",
    "empty name": b": alice@example.com",
    "received for alice": b"Received: from mail.example.com (authenticated alice@example.com)",
}

# What Mallory does to a mail that Alice has written, for an earlier turn or to him.
CHANGES: dict[str, Callable[[bytes, Scene], bytes]] = {
    "nothing": lambda raw, scene: raw,
    "to above": lambda raw, scene: f"To: {scene.alive}\r\n".encode() + raw,
    "to below": lambda raw, scene: raw.replace(b"\r\n\r\n", f"\r\nTo: {scene.alive}\r\n\r\n".encode(), 1),
    "to replaced": lambda raw, scene: raw.replace(scene.over.encode(), scene.alive.encode()),
    "to added": lambda raw, scene: raw.replace(scene.over.encode(), f"{scene.over}, {scene.alive}".encode()),
    "to in a comment": lambda raw, scene: raw.replace(scene.over.encode(), f"{scene.over} ({scene.alive})".encode()),
    "cc": lambda raw, scene: f"Cc: {scene.alive}\r\n".encode() + raw,
    "cc below": lambda raw, scene: raw.replace(b"\r\n\r\n", f"\r\nCc: {scene.alive}\r\n\r\n".encode(), 1),
    "delivered-to": lambda raw, scene: f"Delivered-To: {scene.alive}\r\n".encode() + raw,
    "x-original-to": lambda raw, scene: f"X-Original-To: {scene.alive}\r\n".encode() + raw,
    "resent": lambda raw, scene: f"Resent-From: {ALICE}\r\nResent-To: {scene.alive}\r\n".encode() + raw,
    "new message-id": lambda raw, scene: b"Message-ID: <new@example.org>\r\n" + raw,
    "his received": lambda raw, scene: b"Received: from mail.example.com by mx.example.org\r\n" + raw,
    "his signature above": lambda raw, scene: sign(raw, MALLORYS_KEY, domain="example.org"),
    "no signature": lambda raw, scene: raw[raw.index(b"From: ") :],
    "another text": lambda raw, scene: raw.replace(b"thank you", scene.move.encode()),
    "text behind": lambda raw, scene: raw + f"{scene.move}\r\n".encode(),
    "text before": lambda raw, scene: raw.replace(b"\r\n\r\n", f"\r\n\r\n{scene.move}\r\n".encode(), 1),
    "another type": lambda raw, scene: b"Content-Type: text/html\r\n" + raw,
    "another encoding": lambda raw, scene: b"Content-Transfer-Encoding: quoted-printable\r\n" + raw,
    "as a part": lambda raw, scene: b'Content-Type: multipart/mixed; boundary="thank you"\r\n' + raw,
    "another from": lambda raw, scene: b"From: bob@example.com\r\n" + raw,
    "line feeds": lambda raw, scene: raw.replace(b"\r\n", b"\n"),
    "folded": lambda raw, scene: raw.replace(b"Re: Your turn", b"Re:\r\n Your turn"),
    "blanks": lambda raw, scene: raw.replace(b"\r\n\r\n", b"  \r\n\r\n", 1),
    "eight signatures": lambda raw, scene: raw[: raw.index(b"From: ")] * 8 + raw,
}


# --- All together -----------------------------------------------------------------------------------------------------


def hostile_mails(scene: Scene) -> Iterator[Hostile]:
    """Those that must not move."""
    yield from _forged(scene)
    yield from _under_his_own_name(scene)
    yield from _replayed(scene)
    yield from _foreign_tokens(scene)
    yield from _bombs(scene)
    yield from _not_from_her_hand(scene)
    yield from _odd_envelopes(scene)


def bombs_of_alice(scene: Scene) -> Iterator[Hostile]:
    """Those that are hers: they may move or not, but are read."""
    header = compose(scene).partition(b"\r\n\r\n")[0]
    for name, raw in bombs(header, scene.move.encode()).items():
        yield Hostile(f"bomb: {name}, of Alice", "", *sent(ALICE, PROVIDER)(raw, to_alive(scene)))


def to_alive(scene: Scene) -> Envelope:
    return Envelope(MALLORY, scene.alive, "", "mail.example.org")


def _forged(scene: Scene) -> Iterator[Hostile]:
    """From is Alice's address, and nothing proves it."""
    for (means, (why, do)), (text, write) in product(MEANS.items(), TEXTS.items()):
        raw, envelope = do(compose(scene, write(scene.move)), to_alive(scene))
        yield Hostile(f"forged: {means}, {text}", why, raw, envelope)


def _under_his_own_name(scene: Scene) -> Iterator[Hostile]:
    """The mail is proved, but not as Alice's."""
    why = "From is not Alice's address, or not hers alone"
    proofs = {
        "signed by their provider": by_provider,
        "his own domain": OWN,
        "their provider's host": sent(ALICE, PROVIDER),
    }
    for (author, value), (proof, do) in product(AUTHORS.items(), proofs.items()):
        raw, envelope = do(compose(scene, author=value), to_alive(scene))
        yield Hostile(f"author: {author}, {proof}", why, raw, envelope)
    for (line, value), (proof, do), below in product(LINES.items(), proofs.items(), (False, True)):
        raw = compose(scene, author="Mallory <mallory@example.com>")
        raw = raw.replace(b"\r\n\r\n", b"\r\n" + value + b"\r\n\r\n", 1) if below else value + b"\r\n" + raw
        try:
            raw, envelope = do(raw, to_alive(scene))
        except Exception:  # what dkimpy cannot read, it cannot sign
            raw, envelope = raw, replace(to_alive(scene), sender=ALICE, client=PROVIDER)
        yield Hostile(f"line: {line}, {proof}, {'below' if below else 'above'}", why, raw, envelope)


def _replayed(scene: Scene) -> Iterator[Hostile]:
    """Alice has written and her provider has signed it, but for another turn, or to somebody else."""
    why = "Alice did not write it to this address"
    written = {
        "for a turn that is over": compose(scene, To=scene.over),
        "to mallory": compose(scene, f"{scene.move}\r\nthank you\r\n", To="mallory@example.com"),
        "to nobody": compose(scene).replace(f"To: {scene.alive}\r\n".encode(), b""),
        "to another at the table": compose(scene, To=scene.of_another),
    }
    for (mail, raw), (change, do) in product(written.items(), CHANGES.items()):
        name = f"replayed: {mail}, {change}"
        yield Hostile(
            name, why, do(from_alice(raw), scene), replace(to_alive(scene), sender=MALLORY, client=MALLORYS_HOST)
        )


def _foreign_tokens(scene: Scene) -> Iterator[Hostile]:
    """Real mails of people to addresses that are not for them, or for nothing."""
    name, _at, domain = scene.alive.rpartition("@")
    base, _plus, secret = name.partition("+")
    wrong = [
        base,
        f"{base}+",
        f"{base}+{secret[:-1]}",
        f"{base}+{secret}a",
        f"{base}+{secret[::-1]}",
        f"{base}-{secret}",
        secret,
        f"{base}+{secret}+{secret}",
        f"{base}++{secret}",
        f"{base}+{secret[:16]}",
        f"{base}+' OR 1=1",
        f"{base}+%",
        f"{base}+*",
        f"{base}+{secret}\0",
        f"{base}+{secret} ",
        f"{base}+../{secret}",
        f"x{base}+{secret}",
        f"{base}+\u0430{secret[1:]}",
        f"{base}+" + "a" * 32,
        f"{base}+" + "a" * 5000,
        f"{base}+{secret[:-1]}\r\n",
        f"{base}+null",
        f"{base}+None",
        f"{base}+\udcff",
        f"{base}+{secret}\udcff",
        f"{base}+1",
    ]
    addresses = {f"{local}@{domain}": "no turn has this token" for local in wrong} | {
        scene.over: "the turn is over",
        scene.of_another: "the token is not Alice's",
        f"{name}@example.org": "this site does not take mail for that domain",
        f"{name}@{domain}.example.org": "this site does not take mail for that domain",
        f"{name}@x.{domain}": "this site does not take mail for that domain",
        f"{name}@": "this is no address",
        name: "this is no address",
        "": "this is no address",
        f"<{scene.over}>": "the turn is over",
        f"{scene.alive},{scene.alive}": "this is no address",
    }
    for address, why in addresses.items():
        raw = from_alice(compose(scene, To=re.sub(r"[\r\n\0\udcff]", "", address) or "x"))
        envelope = Envelope(ALICE, address, PROVIDER, "mail.example.com")
        yield Hostile(f"token: {address[:60]!r}, alice", why, raw, envelope)
    for address in (scene.alive, scene.alive.upper(), f"<{scene.alive}>"):
        for person in ("mallory@example.com", "bob@example.com", "carol@example.com"):
            raw, envelope = by_provider(
                compose(scene, author=person, To=address), replace(to_alive(scene), recipient=address)
            )
            why = "the token is Alice's alone"
            yield Hostile(f"token: {address[-20:]}, {person}", why, raw, replace(envelope, sender=person))


# Alice's own programs, and what she did not write as her answer.
PROGRAMS = (
    "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated", "auto-submitted: Auto-Replied; owner-email=a@b.c",
    "Precedence: bulk", "Precedence: list", "Precedence: junk", "Precedence: auto_reply", "List-Id: <x.example.com>",
    "List-Unsubscribe: <mailto:x@example.com>", "X-Autoreply: yes",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
)  # fmt: skip


def _not_from_her_hand(scene: Scene) -> Iterator[Hostile]:
    """They pass as Alice's, but she has not written the move."""
    for line in PROGRAMS:
        for text, write in list(TEXTS.items())[:3]:
            raw, envelope = sent(ALICE, PROVIDER)(compose(scene, write(scene.move)), to_alive(scene))
            yield Hostile(
                f"program: {line}, {text}", "a program has written it", line.encode() + b"\r\n" + raw, envelope
            )
    raw, envelope = sent("", PROVIDER)(from_alice(compose(scene)), to_alive(scene))
    yield Hostile("program: no sender", "a mail server has written it", raw, envelope)


def _odd_envelopes(scene: Scene) -> Iterator[Hostile]:
    """What a way in may be told by whoever connects to it."""
    odd = (
        "\0",
        "\udcff",
        "\r\n",
        "\u2028",
        "<>",
        "@",
        '"',
        "' OR 1=1",
        "x" * 5000,
        "[127.0.0.1]",
        "ä",
        "::1",
        "list",
        "-",
    )
    for value in odd:
        for field in ("sender", "client", "helo"):
            raw, envelope = compose(scene), replace(to_alive(scene), **{field: value})
            yield Hostile(f"envelope: {field} {value[:10]!r}", "nothing proves that it is Alice's", raw, envelope)


def _bombs(scene: Scene) -> Iterator[Hostile]:
    header = compose(scene).partition(b"\r\n\r\n")[0]
    for name, raw in bombs(header, scene.move.encode()).items():
        envelope = to_alive(scene)
        yield Hostile(f"bomb: {name}", "nothing proves that it is Alice's", raw, envelope)
        _raw, envelope = sent(MALLORY)(raw, envelope)
        yield Hostile(f"bomb: {name}, sent by himself", "SPF passes for another domain", raw, envelope)

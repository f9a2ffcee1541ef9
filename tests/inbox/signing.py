"""Mails signed by keys of the tests, well or badly."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from dkim import DKIM

Fields = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Key:
    """A private key for signing, and the record of its public key."""

    pem: bytes
    record: str


# Of 768 bits. cryptography makes no such keys; OpenSSL does.
WEAK = Key(
    b"""-----BEGIN RSA PRIVATE KEY-----
MIIBygIBAAJhAJqNIytHvvpDnJP5zbkG55b6kHsBDOoIy+Z1uvvMoR37+iKGh4YE
aIICD4jZ9gKh754p4rwCaXXcxwI/NgqmOFuEsiRJmZ/02dy9TnPE3Ur13aEGGG9k
3xv0gnvSp+bs7wIDAQABAmBDBykUkTYzhfU3fCSLtYHlSeA1aJw4N/5ugerJX9MU
lP7D0IKgTfMhR1GDcbwvIhmEePDRtsEsPWv/7TPObjMTcIgEpmBzc/foO5j/zHCr
GoXBTmaL+O/xY1oH5wAzkLkCMQDKQmLxltaO1SQVgLvFEP78QLbq9VDOTwwMiZ/Z
vv5QiA/qwMvo6yh1WasA6dHjQQUCMQDDnar7O1o9pIzx8Gw03cKe8CapfLuoNCKQ
vEkzG336reyWvIzW5IjnAn9BnfYsKGMCMCHaNKdM4MJtSCnVLxhPvO3JgxQWVR0C
u/iJPFj8j6I487kN5dMpMM9bX7S6befEZQIxALfkO30sAZxbWWiDtKVKJ5BUgHPq
X1szj57ycfnKiXakE/psTBYkBxLrxQfBYE+IswIwT2VP/PwwLGfvMgxIhsgc/j1H
+MaryatQntTGMM2bpKwmKonqY4tKTnRKctuqnU7P
-----END RSA PRIVATE KEY-----
""",
    "v=DKIM1; k=rsa; "
    "p=MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhAJqNIytHvvpDnJP5zbkG55b6kHsBDOoIy+Z1uvvMoR37+iKGh4YEaIICD4"
    "jZ9gKh754p4rwCaXXcxwI/NgqmOFuEsiRJmZ/02dy9TnPE3Ur13aEGGG9k3xv0gnvSp+bs7wIDAQAB",
)


@cache
def make_key(number: int = 0, *, bits: int = 2048) -> Key:
    """The same number gets the same key in one run."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    public = private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    return Key(pem, f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}")


class _Signer(DKIM):  # type: ignore[misc]
    """Signs with tags that dkimpy itself would not write."""

    changed: dict[bytes, bytes] = {}

    def gen_header(self, fields: Fields, include_headers: tuple[bytes, ...], *others: object) -> bytes:
        tags = dict(fields) | self.changed
        tags[b"b"] = tags.pop(b"b")
        return bytes(super().gen_header(list(tags.items()), tags[b"h"].split(b" : "), *others))


def sign(
    raw: bytes,
    key: Key,
    *,
    domain: str = "example.com",
    selector: str = "s1",
    algorithm: bytes = b"rsa-sha256",
    body: bytes = b"relaxed",
    length: bool = False,
    **tags: str,
) -> bytes:
    """The mail with a signature before it; `tags` are added to the signature, or replace what dkimpy writes."""
    signer = _Signer(raw, signature_algorithm=algorithm)
    signer.changed = {name.encode(): value.encode() for name, value in tags.items()}
    header = signer.sign(selector.encode(), domain.encode(), key.pem, canonicalize=(b"relaxed", body), length=length)
    return bytes(header) + raw

"""Mails of a megabyte that are made to cost much: each is nothing but one thing, very often."""

from __future__ import annotations

from typing import Final

MEGABYTE: Final = 2**20
_HTML: Final = b"Content-Type: text/html\n\n"
_MIXED: Final = b"Content-Type: multipart/mixed; boundary=b\n\n"


def _filled(head: bytes, unit: bytes, tail: bytes = b"") -> bytes:
    """As much of `unit` as a mail may have."""
    return head + unit * ((MEGABYTE - len(head) - len(tail)) // len(unit)) + tail


def _nested(levels: int) -> bytes:
    return b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(levels)
    )


BOMBS: Final = {
    "nothing but nulls": _filled(b"", b"\0"),
    "empty lines": _filled(b"\n", b"\n"),
    "empty lines of old macs": _filled(b"\r", b"\r"),
    "blanks": _filled(b"\n", b" "),
    "blank lines": _filled(b"\n", b" \n"),
    "marks": _filled(b"\n", b">"),
    "marked lines": _filled(b"\n", b">\n"),
    "announcements": _filled(b"\n", b"2026 a@b:\n"),
    "announcements that never end": _filled(b"\n", b"On "),
    "one long line for the library": b"\n" + b"On " * 1_600,
    "short lines for the library": b"\n" + b"On a\n\n" * 800,
    "small print for the library": b"\nWarning: " + b"mail " * 900,
    "headers of quotations": _filled(b"\n", b"From: \n"),
    "headers with addresses": _filled(b"\n", b"From: a@b\n\n\n\n"),
    "titles": _filled(b"\n", b"--- a "),
    "rules": _filled(b"\n", b"-- -\n"),
    "footers": _filled(b"\n", b"sent from a a a\n"),
    "frames": _filled(b"\n", b"-----BEGIN PGP SIGNED MESSAGE-----\n"),
    "headers": _filled(b"", b"a: b\n", b"\n"),
    "one long header": _filled(b"From: ", b"a", b"\n\n"),
    "folded header": _filled(b"Subject: a", b"\n b", b"\n\n"),
    "comments in an address": b"From: " + b"(" * 990 + b"\n\nx",
    "quotes in an address": b"From: " + b'"' * 990 + b"\n\nx",
    "angles in an address": b"From: " + b"<" * 990 + b"\n\nx",
    "encoded words in an address": b"From: " + b"=?utf-8?q?a?= " * 70 + b"\n\nx",
    "parameters": _filled(b"Content-Type: text/plain; ", b"a*0=b;", b"\n\nx"),
    "quoted parameters": _filled(b"Content-Type: text/plain; ", b';"', b"\n\nx"),
    "parameters of a file": _filled(b"Content-Disposition: attachment; ", b"a*0=b;", b"\n\nx"),
    "parameters of a part": _filled(_MIXED + b"--b\nContent-Type: text/plain; ", b";a*0=", b"\n\nx"),
    "parts": _filled(_MIXED, b"--b\n\n"),
    "fewer parts": _MIXED + b"--b\n\nx\n" * 1_900,
    "containers": _nested(18_000),
    "fewer containers": _filled(_nested(49) + b"\n", b"x\n"),
    "mails in mails": _filled(b"", b"Content-Type: message/rfc822\n\n"),
    "base64": _filled(b"Content-Transfer-Encoding: base64\n\n", b"QzQt"),
    "quoted-printable": _filled(b"Content-Transfer-Encoding: quoted-printable\n\n", b"="),
    "soft breaks": _filled(b"Content-Transfer-Encoding: quoted-printable\n\n", b"=\n"),
    "uuencode": _filled(b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n", b"M"),
    "punycode": _filled(b"Content-Type: text/plain; charset=punycode\n\n", b"a-"),
    "utf-7": _filled(b"Content-Type: text/plain; charset=utf-7\n\n", b"+"),
    "flowed lines": _filled(b"Content-Type: text/plain; format=flowed\n\n", b"a \n"),
    "html: angles": _filled(_HTML, b"<"),
    "html: tags without ends": _filled(_HTML, b"<a"),
    "html: open quotes": _filled(_HTML, b'<a b="'),
    "html: quotes over tags": _filled(_HTML, b'<a b="x>'),
    "html: two kinds of quotes": _filled(_HTML, b"<a b='x>\"<a "),
    "html: ampersands": _filled(_HTML, b"&"),
    "html: entities": _filled(_HTML, b"&#1"),
    "html: comments": _filled(_HTML, b"<!--"),
    "html: declarations": _filled(_HTML, b"<!["),
    "html: instructions": _filled(_HTML, b"<?"),
    "html: elements": _filled(_HTML, b"<div>"),
    "html: lines": _filled(_HTML, b"<br>"),
    "html: words": _filled(_HTML, b"a<b>"),
    "html: scripts": _filled(_HTML, b"<script></"),
    "html: style without an end": _filled(_HTML + b"<style>", b"</s"),
    "html: attributes": _filled(_HTML + b"<a", b" a=b", b">"),
    "html: blanks in a tag": _filled(_HTML + b"<a", b" ", b">"),
    "html: slashes in a tag": _filled(_HTML + b"<a", b"/", b">"),
    "html: classes": _filled(_HTML + b'<p class="', b"x ", b'">'),
    "html: one long class": _filled(_HTML + b'<p class="', b"ydp", b'">'),
    "html: one long style": _filled(_HTML + b'<p style="', b"display ", b'">'),
}

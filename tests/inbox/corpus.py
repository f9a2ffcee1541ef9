"""Answers to a mail about a turn, as people and their programs write them, and what each of them asks for.

What is expected stands in the tables of `written`; the rest says in which forms programs send it.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from tests.inbox import markup
from tests.inbox.announcements import FOOTERS, MARKED, UNMARKED
from tests.inbox.written import ALL, MOVES, USUAL, WITH_WORDS, Written

_HEADERS: Final = (
    "From: Alice <alice@example.com>\r\nTo: turn+abc@clans.example.com\r\n"
    "Subject: Re: Your turn: Friday table (move 28)\r\nMessage-ID: <{number}@example.com>\r\n"
    "Date: Mon, 23 Nov 2026 15:02:11 +0000\r\nMIME-Version: 1.0\r\n"
)
_numbers = count()


@dataclass(frozen=True, slots=True)
class Quoted:
    """The mail that is answered, with all that may be asked for as lines of its own, which nobody has written."""

    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A mail, and what was written into it. `is_unreadable` where nothing of it can be read."""

    name: str
    raw: bytes
    written: Written
    is_unreadable: bool = False


# --- Mails -----------------------------------------------------------------------------------------


def _part(text: str, *, kind: str = "plain", charset: str = "utf-8", coding: str = "8bit", more: str = "") -> bytes:
    """A part of text with its headers, in lines that end as on the wire."""
    content = text.replace("\n", "\r\n").encode(charset)
    if coding == "base64":
        content = base64.encodebytes(content)
    elif coding == "quoted-printable":
        content = quopri.encodestring(content.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    headers = f"Content-Type: text/{kind}; charset={charset}{more}\r\nContent-Transfer-Encoding: {coding}\r\n"
    return headers.encode() + b"\r\n" + content


def _several(*parts: bytes, kind: str = "alternative", boundary: str = "=_1") -> bytes:
    line = f"\r\n--{boundary}".encode()
    inner = b"".join(line + b"\r\n" + part for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n'.encode() + inner + line + b"--\r\n"


def mail(part: bytes) -> bytes:
    """A mail of alice's, of which this is the content."""
    return _HEADERS.format(number=next(_numbers)).encode() + part


def marked(text: str, mark: str = "> ") -> str:
    """Each line with a mark, as most programs quote."""
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


# --- Families --------------------------------------------------------------------------------------


def _in_every_form(quoted: Quoted) -> Iterator[Answer]:
    """All that people write, above a quotation."""
    for place, written in enumerate(ALL):
        text = f"{written.text}\n\n{MARKED['gmail en']}\n{marked(quoted.text)}\n"
        yield Answer(f"{place}: {written.text!r}", mail(_part(text)), written)


def _marked(quoted: Quoted) -> Iterator[Answer]:
    """Quotations with marks: what is written stands above, below or between them."""
    lines = marked(quoted.text).split("\n")
    first, second = "\n".join(lines[:20]), "\n".join(lines[20:])
    for place, (program, announcement) in enumerate(MARKED.items()):
        above, below, between = (USUAL[(3 * place + step) % len(USUAL)] for step in range(3))
        text = f"{above.text}\n\n{announcement}\n{first}\n{second}\n"
        yield Answer(f"{program}, above", mail(_part(text)), above)
        text = f"{announcement}\n{first}\n{second}\n\n{below.text}\n"
        yield Answer(f"{program}, below", mail(_part(text)), below)
        text = f"{announcement}\n{first}\n\n{between.text}\n\n{second}\n"
        yield Answer(f"{program}, between", mail(_part(text)), between)


def _marked_otherwise(quoted: Quoted) -> Iterator[Answer]:
    """Marks of other kinds, and lines that a program has broken without marking what came after."""
    on = MARKED["mutt"]
    for place, mark in enumerate((">", ">> ", "> > ", "A> ", "AA> ", " > ", "» ")):
        written = USUAL[place]
        text = f"{written.text}\n\n{on}\n{marked(quoted.text, mark)}\n"
        yield Answer(f"mark {mark!r}", mail(_part(text)), written)
    broken = "> " + "Since then the others have moved, and of all your moves there is only one: " + "\nC1-D2\n> more\n"
    for place, written in enumerate(USUAL[:6]):
        yield Answer(
            f"broken off {place}", mail(_part(f"{on}\n{broken}{marked(quoted.text)}\n\n{written.text}\n")), written
        )


def _unmarked(quoted: Quoted) -> Iterator[Answer]:
    """Quotations without marks: all that comes after their headers is quoted."""
    for place, (program, announcement) in enumerate(UNMARKED.items()):
        written = USUAL[place % len(USUAL)]
        yield Answer(program, mail(_part(f"{written.text}\n\n{announcement}\n{quoted.text}\n")), written)
    for program in ("outlook en", "outlook web fi", "samsung de", "yahoo fr", "gmx"):
        text = f"\n\n{UNMARKED[program]}\n{quoted.text}\n"
        yield Answer(f"{program}, nothing written", mail(_part(text)), Written(""))


def _html(quoted: Quoted) -> Iterator[Answer]:
    """HTML alone."""
    for place, program in enumerate(markup.PROGRAMS):
        for step in (0, 5):
            written = USUAL[(place + step) % len(USUAL)]
            page = markup.write(program, written.text, quoted.html)
            yield Answer(f"{program} {step}", mail(_part(page, kind="html", coding="quoted-printable")), written)


def _both(quoted: Quoted) -> Iterator[Answer]:
    """Text and HTML, with pictures and attachments around them, signed or not."""
    picture = b"Content-Type: image/png\r\nContent-Disposition: inline\r\nContent-ID: <a>\r\n\r\nC1-D2\r\n"
    attached = b"Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nC1-D2\r\n"
    named = b"Content-Type: text/plain; name=a.txt\r\n\r\nC1-D2\r\n"
    mail_inside = b"Content-Type: message/rfc822\r\n\r\nSubject: C1-D2\r\n\r\nC1-D2\r\n"
    calendar = b"Content-Type: text/calendar\r\n\r\nC1-D2\r\n"
    key = b"Content-Type: application/pgp-signature\r\n\r\nC1-D2\r\n"
    for place, program in enumerate(("gmail", "outlook web", "apple", "thunderbird", "yahoo", "outlook de")):
        written = USUAL[place]
        page = _part(markup.write(program, written.text, quoted.html), kind="html", coding="base64")
        text = _part(f"{written.text}\n\n{MARKED['gmail en']}\n{marked(quoted.text)}\n", coding="quoted-printable")
        pair = _several(text, page)
        shapes = {
            "both": pair,
            "with a picture": _several(pair, picture, kind="related", boundary="=_2"),
            "picture in html": _several(text, _several(page, picture, kind="related", boundary="=_2")),
            "attached": _several(pair, attached, named, mail_inside, kind="mixed", boundary="=_2"),
            "signed": _several(pair, key, kind="signed; micalg=pgp-sha256", boundary="=_2"),
            "with a calendar": _several(text, page, calendar),
            "text left empty": _several(_part(" \n"), page),
            "first an attachment": _several(attached, text, kind="mixed"),
        }
        for name, shape in shapes.items():
            yield Answer(f"{program}, {name}", mail(shape), written)


def _footers(quoted: Quoted) -> Iterator[Answer]:
    """Signatures, footers of phones and small print, above a quotation."""
    for place, footer in enumerate(FOOTERS):
        written = USUAL[place % len(USUAL)]
        text = f"{written.text}\n\n{footer}\n\n{MARKED['apple en']}\n{marked(quoted.text)}\n"
        yield Answer(footer, mail(_part(text)), written)


def _encodings(quoted: Quoted) -> Iterator[Answer]:
    """Character sets and transfer encodings, some of them wrongly named."""
    german, many = WITH_WORDS[2], WITH_WORDS[7]
    text = f"{german.text}\n\n{MARKED['gmail de']}\n{marked(quoted.text)}\n".replace("●", "*").replace("’", "'")
    for charset in ("iso-8859-1", "windows-1252", "utf-8", "utf-16", "utf-16-le", "utf-7", "cp850", "mac-roman"):
        raw = _part(text.encode(charset, "replace").decode(charset), charset=charset, coding="base64")
        yield Answer(charset, mail(raw), german)
    for coding in ("8bit", "binary", "quoted-printable", "base64"):
        shape = _part(f"{many.text}\n\n{MARKED['gmail ru']}\n{marked(quoted.text)}", coding=coding)
        yield Answer(coding, mail(shape), many)
    plain = text.encode("utf-8")
    latin = text.encode("iso-8859-1", "replace")
    wrong = {
        "no content type": b"\r\n" + plain,
        "no content type, latin": b"\r\n" + latin,
        "no character set": b"Content-Type: text/plain\r\n\r\n" + plain,
        "unknown character set": b"Content-Type: text/plain; charset=x-unknown\r\n\r\n" + plain,
        "character set that is none": b"Content-Type: text/plain; charset=punycode\r\n\r\n" + plain,
        "zipped character set": b"Content-Type: text/plain; charset=zlib\r\n\r\n" + plain,
        "quoted character set": b"Content-Type: text/plain; charset=\"'utf-8'\"\r\n\r\n" + plain,
        "ascii that is not": b"Content-Type: text/plain; charset=us-ascii\r\n\r\n" + plain,
        "utf-8 that is not": b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + latin,
        "with a mark of order": b"Content-Type: text/plain; charset=utf-8\r\n\r\n\xef\xbb\xbf" + plain,
        "utf-16 without a mark of order": b"Content-Type: text/plain; charset=utf-16\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(text.encode("utf-16-be")),
        "unknown transfer encoding": b"Content-Transfer-Encoding: x-none\r\n\r\n" + plain,
        "lines of unix": b"\n" + plain.replace(b"\r\n", b"\n"),
        "lines of old macs": b"Content-Type: text/plain\r\r" + plain.replace(b"\n", b"\r"),
        "null bytes": b"\r\n" + plain.replace(b"C4-D1", b"C4\0-D1"),
        "no version": b"Content-Type: text/plain; charset=utf-8; x\r\n ;\r\n\r\n" + plain,
    }
    for name, raw in wrong.items():
        yield Answer(name, mail(raw), german)


def _flowed(quoted: Quoted) -> Iterator[Answer]:
    """format=flowed, with and without delsp, and lines that were broken hard."""
    long = Written(
        "I was about to play on the other side of the lake, but then I saw that\n"
        "C1-D2 would be a gift for you.\n\nC4-D1",
        "C4-D1",
        "I was about to play on the other side of the lake, but then I saw that C1-D2 would be a gift for you.",
        "C1-D2",
    )
    for program in ("thunderbird en", "thunderbird de", "mutt", "apple, older"):
        soft = long.text.replace("that\n", "that \n")
        text = f"{soft}\n\n{MARKED[program]}\n{marked(quoted.text)}\n\n-- \nAlice\n"
        yield Answer(f"flowed, {program}", mail(_part(text, more="; format=flowed")), long)
        text = text.replace("that \n", "that  \n")
        yield Answer(f"delsp, {program}", mail(_part(text, more="; format=flowed; delsp=yes")), long)
        hard = Written(long.text, long.asks, long.words.replace("that ", "that\n"), long.stray)
        text = f"{long.text}\n\n{MARKED[program]}\n{marked(quoted.text)}\n"
        yield Answer(f"broken hard, {program}", mail(_part(text)), hard)
    stranded = Written(
        long.text.replace("C1-D2 would be a gift for you.", "C1-D2"),
        "C4-D1",
        stray="C1-D2",
        words="I was about to play on the other side of the lake, but then I saw that\nC1-D2",
    )
    yield Answer("a move alone in a broken line", mail(_part(stranded.text)), stranded)
    stuffed = Written("C4-D1\n\nFrom me to you", "C4-D1", "From me to you")
    text = f"C4-D1\n\n From me to you\n\n{marked(quoted.text)}\n"
    yield Answer("stuffed", mail(_part(text, more="; format=flowed")), stuffed)


def _broken(quoted: Quoted) -> Iterator[Answer]:
    """Mails that are not as they should be."""
    move, nothing = MOVES[0], Written("")
    text = f"C4-D1\n\n{MARKED['gmail en']}\n{marked(quoted.text)}\n"
    pair = _several(_part(text), _part(markup.write("gmail", "C4-D1", quoted.html), kind="html"))
    yield Answer("end missing", mail(pair.rpartition(b"\r\n--")[0]), move)
    yield Answer("cut within the html", mail(pair[:-500]), move)
    yield Answer("no boundary", mail(pair.replace(b'; boundary="=_1"', b"")), nothing, is_unreadable=True)
    yield Answer("another boundary", mail(pair.replace(b'"=_1"', b'"=_2"')), nothing, is_unreadable=True)
    yield Answer("no parts", mail(b"Content-Type: multipart/mixed; boundary=a\r\n\r\n"), nothing, is_unreadable=True)
    yield Answer("text before the parts", mail(pair.replace(b"\r\n--", b"\r\nC1-D2\r\n--", 1)), move)
    yield Answer("text after the parts", mail(pair + b"\r\nC1-D2\r\n"), move)
    yield Answer(
        "base64 with dirt", mail(_part(text, coding="base64").replace(b"\r\n\r\n", b"\r\n\r\n!!\r\n", 1)), move
    )
    yield Answer(
        "half of quoted-printable", mail(b"Content-Transfer-Encoding: quoted-printable\r\n\r\nC4-D1=\r\n"), move
    )
    yield Answer("no body", mail(b""), nothing)
    yield Answer("a picture", mail(b"Content-Type: image/png\r\n\r\nC1-D2\r\n"), nothing)
    yield Answer(
        "encrypted",
        mail(_several(b"Content-Type: application/pgp-encrypted\r\n\r\nC1-D2\r\n", kind="encrypted")),
        nothing,
    )
    yield Answer("winmail.dat", mail(b"Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\nC1-D2\r\n"), nothing)
    framed = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{text}-----BEGIN PGP SIGNATURE-----\n\nC1-D2\n"
    yield Answer("signed within", mail(_part(framed)), move)
    deep = _part("C1-D2")
    for level in range(6):
        deep = _several(deep, kind="mixed", boundary=f"={level}")
    yield Answer("too deep", mail(deep), nothing, is_unreadable=True)
    yield Answer("too many parts", mail(_several(*[_part("C1-D2")] * 21, kind="mixed")), nothing, is_unreadable=True)
    yield Answer("too large", mail(_part("C1-D2\n" + "x" * 2**20)), nothing, is_unreadable=True)
    yield Answer("a book", mail(_part("C1-D2\n" + "All work and no play.\n" * 1000)), nothing, is_unreadable=True)


FAMILIES: Final = (
    *(_in_every_form, _marked, _marked_otherwise, _unmarked, _html, _both, _footers, _encodings, _flowed, _broken),
)  # fmt: skip
"""Each yields answers to the same mail."""

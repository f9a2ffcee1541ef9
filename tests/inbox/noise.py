"""Mails made of chance: what somebody wrote, noise, quotations and attachments in every order and form."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from hypothesis import HealthCheck, settings as trying, strategies as some

from games.inbox.reading import read
from games.inbox.understanding import RequestKind, understand
from tests.inbox import markup
from tests.inbox.announcements import FOOTERS, MARKED, UNMARKED
from tests.inbox.corpus import marked
from tests.inbox.written import TODAY

OTHERS: Final = "X1-Y2\n1 X1-Y2\nmore time\nthinking\n\nX3 to Y4\nvacation until 3 Dec\nback\n#2 X1-Y2"
"""What others have written: quoted, attached, or between the parts. None of it may be read."""
REQUESTS: Final = {
    "C4-D1": "C4-D1",
    "c4 d2": "C4-D2",
    "1: C4 to D3": "C4-D3",
    "#2 C4–D1=H5,I4": "C4-D1=H5,I4",
    "*C4-D1 #2*": "C4-D1#2",
    "tonight.": "tonight",
}
"""Lines that ask for something, and what is read of them; none of it is among what others have written."""
_TRICKS: Final = (
    *(
        "",
        " ",
        "-- ",
        "--",
        "__",
        "—",
        ">",
        "> a",
        "Hi",
        "Thanks,",
        "Best regards",
        "On",
        "From: me",
        "a:",
        "2026-11-23 14:35:",
    ),
    *(
        "On 23 Nov 2026, at 14:35, you wrote:",
        "-----Original Message-----",
        "________________",
        "<blockquote>",
        "</div>",
    ),
    *(
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "Sent from my iPhone",
        "To: a@b\nDate: 14:35\nCc: c@d",
        "=20",
        "&nbsp;",
        "--=_1",
    ),
    *(
        "On C4-D1 and on",
        "a " * 40,
        "C4-D1 or C4-D2",
        "Content-Type: text/plain",
        "begin 644 a",
        "\N{ZERO WIDTH SPACE}",
    ),
)
_noise = some.text(max_size=60).map(lambda text: "~ " + " ".join(text.split()))
_line = some.one_of(some.sampled_from(list(REQUESTS)), some.sampled_from(_TRICKS), _noise)
# Made once: to make a strategy takes as long as some draws from it.
_lines, _few_lines, _three_lines = (some.lists(_line, max_size=size) for size in (8, 4, 3))
_footer = some.one_of(some.just(""), some.sampled_from(FOOTERS))
_form = some.integers(0, 2)
_sign = some.sampled_from(("> ", ">", ">> ", "A> "))
_marked, _unmarked = some.sampled_from(list(MARKED)), some.sampled_from(list(UNMARKED))
_program = some.sampled_from(list(markup.PROGRAMS))
_flowed = some.sampled_from(("", "; format=flowed", "; format=flowed; delsp=yes"))
_kind = some.sampled_from(("plain", "html", "attachment", "named", "message", "picture", "other text", "noise"))
_subtype = some.text('ab;="*', max_size=9)


@dataclass(frozen=True, slots=True)
class Noise:
    """A mail, and what may be read of it."""

    raw: bytes
    allowed: frozenset[str]


def _allowed(lines: list[str]) -> frozenset[str]:
    return frozenset(REQUESTS[line] for line in lines if line in REQUESTS)


_coding = some.sampled_from(("8bit", "base64", "quoted-printable"))
_charset = some.sampled_from(("utf-8", "utf-16", "utf-7"))


def _part(text: str, kind: str, charset: str, coding: str, more: str = "") -> bytes:
    content = text.encode(charset, "replace")
    coding = "base64" if charset == "utf-16" else coding
    if coding == "base64":
        content = base64.encodebytes(content)
    elif coding == "quoted-printable":
        content = quopri.encodestring(content)
    head = f"Content-Type: text/{kind}; charset={charset}{more}\nContent-Transfer-Encoding: {coding}\n\n"
    return head.encode() + content


@some.composite
def answers(draw: some.DrawFn) -> Noise:
    """An answer with a quotation, in one of the forms of the corpus."""
    lines = draw(_lines)
    above = "\n".join(lines)
    below_lines = draw(_three_lines)
    footer = draw(_footer)
    form = draw(_form)
    allowed = _allowed(lines)
    if form == 0:
        quoted = marked(OTHERS, draw(_sign))
        announcement = MARKED[draw(_marked)]
        # What is put below a mail begins a paragraph; in format=flowed a blank at the end of the line above joins both.
        text = "\n".join((above.rstrip(" "), footer, announcement, quoted, "", *below_lines))
        allowed |= _allowed(below_lines)
    elif form == 1:
        announcement = UNMARKED[draw(_unmarked)]
        text = f"{above}\n\n{footer}\n\n{announcement}\n{OTHERS}"
    else:
        program = draw(_program)
        page = markup.write(program, above, "".join(f"<p>{escape(line)}</p>" for line in OTHERS.split("\n")))
        return Noise(b"From: a@b\n" + _part(page, "html", draw(_charset), draw(_coding)), allowed)
    flowed = draw(_flowed)
    return Noise(b"From: a@b\n" + _part(text, "plain", draw(_charset), draw(_coding), flowed), allowed)


@some.composite
def _leaves(draw: some.DrawFn) -> Noise:
    """A part that is text to be read, or something of others."""
    lines = draw(_few_lines)
    kind = draw(_kind)
    text = "\n".join(lines)
    if kind == "plain":
        return Noise(_part(text, "plain", draw(_charset), draw(_coding)), _allowed(lines))
    if kind == "html":
        page = "<br>".join(escape(line) for line in lines)
        return Noise(_part(page, "html", draw(_charset), draw(_coding)), _allowed(lines))
    heads = {
        "attachment": "Content-Type: text/plain\nContent-Disposition: attachment",
        "named": "Content-Type: text/plain; name=a.txt",
        "message": "Content-Type: message/rfc822\n",
        "picture": "Content-Type: image/png",
        "other text": "Content-Type: text/calendar",
        "noise": "Content-Type: application/" + draw(_subtype),
    }
    return Noise(f"{heads[kind]}\n\n{OTHERS}".encode(), frozenset())


def _together(parts: list[Noise], kind: str, boundary: str, has_end: bool) -> Noise:
    line = f"\n--{boundary}".encode()
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{OTHERS}\n'.encode()
    raw = head + b"".join(line + b"\n" + part.raw for part in parts)
    end = line + b"--\n" + OTHERS.encode() if has_end else b""
    return Noise(raw + end, frozenset().union(*(part.allowed for part in parts)))


trees = some.recursive(
    _leaves(),
    lambda parts: some.builds(
        _together,
        some.lists(parts, max_size=4),
        some.sampled_from(("mixed", "alternative", "related", "signed", "report", "x")),
        some.text("abc", min_size=1, max_size=3).map("=_{}_".format),
        some.booleans(),
    ),
    max_leaves=12,
)
"""Parts within parts."""

_PIECES: Final = (
    *(
        b"Content-Type: ",
        b"multipart/mixed",
        b"; boundary=a",
        b"--a",
        b"--a--",
        b"\n",
        b"\r\n",
        b"\n\n",
        b"text/html",
        b"text/plain",
    ),
    *(
        b"charset=",
        b"utf-16",
        b"=?utf-8?b?",
        b"?=",
        b"From: ",
        b"<",
        b">",
        b"@",
        b"(",
        b'"',
        b"\\",
        b"\0",
        b"\xff",
        b"\x80",
        b"=",
        b"*0*=",
    ),
    *(
        b"Content-Transfer-Encoding: ",
        b"base64",
        b"quoted-printable",
        b"x-uuencode",
        b"begin 644 a",
        b"format=flowed",
        b"&#xD800;",
    ),
    *(
        b"<blockquote",
        b"<![",
        b"<!--",
        b"-->",
        b"<div class=",
        b"&",
        b";",
        b"C4-D1",
        b"On ",
        b" wrote:",
        b"-- ",
        b"vacation until ",
    ),
    *(
        b"message/rfc822",
        b"Auto-Submitted: ",
        b"Message-ID: ",
        b"name*=utf-8''%ff",
        b"29 Feb",
        b"\xe2\x80\xa8",
        b"\x0b",
        b"\x1c",
    ),
)
noise = some.lists(some.one_of(some.sampled_from(_PIECES), some.binary(max_size=8)), max_size=60).map(b"".join)
"""Pieces of mails in no order."""
_any_mail = some.one_of(answers(), trees)


@some.composite
def damaged(draw: some.DrawFn) -> bytes:
    """A mail of which a piece was lost, doubled or overwritten."""
    raw = draw(_any_mail).raw
    begin, end = sorted(draw(some.tuples(some.integers(0, len(raw)), some.integers(0, len(raw)))))
    middle = draw(some.sampled_from((b"", raw[begin:end] * 2, raw[begin:end][::-1], b"\0" * 9, b"\n\n")))
    return raw[:begin] + middle + raw[end:]


def tried(often: int) -> Callable[[Any], Any]:
    """So many examples, new ones each time, however long one of them takes."""
    return trying(max_examples=often, deadline=None, suppress_health_check=list(HealthCheck), database=None)


def asks_for_nothing_else(mail: Noise) -> None:
    """All that is read as a request was written as one."""
    asked = understand(read(mail.raw).text, today=TODAY).requests
    assert {request.read for request in asked} <= mail.allowed


def is_read(raw: bytes) -> None:
    """Read without an error, into what a database can store, with each request a line of the text."""
    incoming = read(raw)
    understood = understand(incoming.text, today=TODAY)
    said = "".join((incoming.text, incoming.from_address, incoming.message_id, understood.words, *understood.stray))
    assert "\0" not in said
    said.encode()
    assert incoming.text == "" or not incoming.trouble
    moves = [request.read for request in understood.requests if request.kind is RequestKind.MOVE]
    assert all(move[:2].lower() in incoming.text.lower() for move in moves)

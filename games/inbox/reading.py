"""Mails as they come in: bytes in, what somebody wrote out."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import InvalidHeaderDefect
from email.headerregistry import HeaderRegistry
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from typing import Any, Final

from games.inbox.html_text import text_of_html
from games.inbox.own_words import own_words

MOST_BYTES: Final = 1_000_000
MOST_PARTS: Final = 20
MOST_DEPTH: Final = 5

_MOST_BOUNDARIES: Final = 2_000
"""Lines that may part a mail, before it is parsed: each could become an object of its own. Text has such lines, too."""
_MOST_CONTAINERS: Final = 50
"""Headers that announce parts within a part, before it is parsed: the parser calls itself for each."""
_MOST_HEADER: Final = 1_000
"""No address or Message-ID of people is longer; longer ones cost the parsers of headers much time."""
_MOST_OF_HEADERS: Final = 128 * 1024
"""At most this many bytes of all headers together are read."""
_MOST_CONTENT_HEADER: Final = 4_000
"""The same for what a header says of a part, with all its lines."""

_BOUNDARY: Final = re.compile(rb"^--", re.MULTILINE)
_CONTAINER: Final = re.compile(rb"^content-type:\s*(?:multipart|message)/", re.MULTILINE | re.IGNORECASE)
_CONTENT_HEADER: Final = re.compile(rb"^content-[\w-]+:[^\n]*(?:\n[ \t][^\n]*)*", re.MULTILINE | re.IGNORECASE)
_CODECS: Final = re.compile(
    r"(?:ascii|utf|iso8859|iso2022|cp\d|koi8|mac-|gb|big5|euc|shift|hz|johab|tis|kz1048|ptcp|hp).*"
)
"""Character sets of mails; Python has others, such as punycode, that are none and may take long."""
_AUTOMATIC_PRECEDENCE: Final = frozenset(("bulk", "list", "junk", "auto_reply"))
_AUTOMATIC_HEADERS: Final = ("x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponse", "x-failed-recipients")
_AUTOMATIC_TYPES: Final = ("multipart/report", "message/disposition-notification", "message/delivery-status")


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a mail says of itself, and what its writer says in it."""

    from_address: str = ""
    """In small letters; empty unless there is exactly one From with exactly one address."""
    message_id: str = ""
    is_automatic: bool = False
    """Whether a program sent it, as it says itself (RFC 3834), or a list. Who asks also looks at the envelope: only
    programs have no sender there."""
    text: str = ""
    """What its writer wrote, without quotations, signatures and footers of programs."""
    trouble: str = ""
    """Why its text is not read: `too-large`, `too-many-parts`, `too-deep` or `unreadable`; the text is empty then."""


class _Trouble(Exception):
    """The code of what is wrong with a mail."""


def read(raw: bytes) -> Incoming:
    """What a mail says. Never raises, and takes time and memory in proportion to the limits, whatever `raw` is;
    attachments are not opened."""
    raw = re.sub(rb"\r\n?", b"\n", raw[: MOST_BYTES + 1])
    headers = _headers(raw)
    text = trouble = ""
    try:
        text = _text(raw)
    except _Trouble as error:
        trouble = str(error)
    # The parser of the standard library raises errors of many kinds for what is not in its format.
    except Exception:
        trouble = "unreadable"
    return Incoming(
        from_address=_from_address([value for name, value in headers if name == "from"]),
        message_id=next((value[:_MOST_HEADER] for name, value in headers if name == "message-id"), ""),
        is_automatic=_is_automatic(headers),
        text=text,
        trouble=trouble,
    )


# --- Headers ---------------------------------------------------------------------------------------


def _headers(raw: bytes) -> list[tuple[str, str]]:
    """The headers of a mail, each in one line, with encoded words as they are. What comes after them is not read."""
    message = BytesHeaderParser(policy=policy.compat32).parsebytes(raw.partition(b"\n\n")[0][:_MOST_OF_HEADERS])
    return [(name.lower(), _decoded_header(value)) for name, value in message.raw_items()]


def _decoded_header(value: str) -> str:
    decoded = value.encode("ascii", "surrogateescape").decode("utf-8", "replace")
    return " ".join(decoded.replace("\0", "\ufffd").split())


def _from_address(values: list[str]) -> str:
    """The one address of the one From, in which two parsers agree: they differ where somebody plays tricks."""
    if len(values) != 1 or len(values[0]) > _MOST_HEADER:
        return ""
    try:
        header: Any = HeaderRegistry()("From", values[0])
        listed = [address.lower() for _, address in getaddresses(values)]
    # Both call themselves for each bracket, and stumble over what they do not expect.
    except Exception:
        return ""
    if len(header.groups) != 1 or header.groups[0].display_name is not None or len(header.addresses) != 1:
        return ""
    if any(isinstance(defect, InvalidHeaderDefect) for defect in header.defects):
        return ""
    address: str = header.addresses[0].addr_spec.lower()
    return address if listed == [address] and re.fullmatch(r"[^\s@\ufffd]+@[^\s@\ufffd]+", address) else ""


def _is_automatic(headers: list[tuple[str, str]]) -> bool:
    return any(
        (name == "auto-submitted" and not re.match(r"no\b", value, re.IGNORECASE))
        or (name == "precedence" and value.lower() in _AUTOMATIC_PRECEDENCE)
        or (name == "content-type" and value.partition(";")[0].strip().lower() in _AUTOMATIC_TYPES)
        or name.startswith("list-")
        or name in _AUTOMATIC_HEADERS
        for name, value in headers
    )


# --- Text ------------------------------------------------------------------------------------------


def _text(raw: bytes) -> str:
    """What the writer of a mail has written; raises _Trouble, and whatever the parser raises."""
    if len(raw) > MOST_BYTES:
        raise _Trouble("too-large")
    if len(_BOUNDARY.findall(raw)) > _MOST_BOUNDARIES:
        raise _Trouble("too-many-parts")
    if len(_CONTAINER.findall(raw)) > _MOST_CONTAINERS:
        raise _Trouble("too-deep")
    if any(len(found[0]) > _MOST_CONTENT_HEADER for found in _CONTENT_HEADER.finditer(raw)):
        raise _Trouble("unreadable")
    message = message_from_bytes(raw, policy=policy.compat32)
    if sum(1 for _ in message.walk()) > MOST_PARTS:
        raise _Trouble("too-many-parts")
    words = own_words(_body(message, depth=1).replace("\0", ""))
    if words is None:
        raise _Trouble("too-large")
    return words


def _body(part: Message, *, depth: int) -> str:
    """The text of a part: of alternatives the plain one, of other parts one after the other."""
    if depth > MOST_DEPTH:
        raise _Trouble("too-deep")
    if part.get_content_disposition() == "attachment" or part.get_filename():
        return ""
    content_type = part.get_content_type()
    if content_type == "text/plain":
        return _plain_text(part)
    if content_type == "text/html":
        return text_of_html(_decoded(part))
    if part.get_content_maintype() != "multipart":
        return ""
    if not part.is_multipart():
        raise _Trouble("unreadable")
    return _body_of_several(part, depth=depth)


def _body_of_several(part: Message, *, depth: int) -> str:
    parts = [one for one in part.get_payload() if isinstance(one, Message)]
    if part.get_content_type() != "multipart/alternative":
        return "\n".join(filter(str.strip, (_body(one, depth=depth + 1) for one in parts)))
    # The first is the plainest. Its quotations have marks, and its lines are those that were written.
    bodies = (_body(one, depth=depth + 1) for one in parts)
    return next(filter(str.strip, bodies), "")


def _plain_text(part: Message) -> str:
    text = _decoded(part)
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    return _unflowed(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")


def _decoded(part: Message) -> str:
    """The letters of a part of text, whatever it says of its character set."""
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    for charset in (_charset(part, content), "utf-8", "cp1252"):
        try:
            text = content.decode(charset)
            # Python's UTF-7 lets halves of letters through, which no database takes.
            text.encode()
        except (UnicodeError, LookupError):
            continue
        return text.removeprefix("\ufeff")
    return content.decode("latin-1")


def _charset(part: Message, content: bytes) -> str:
    """The character set that a part names, or that its first bytes show; UTF-8 where it names none."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    named = part.get_content_charset("utf-8")
    name = codecs.lookup(named).name if _is_codec(named) else "utf-8"
    if name == "utf-16":
        return "utf-16-be" if content[:2].startswith(b"\0") else "utf-16-le"
    return name if _CODECS.fullmatch(name) else "utf-8"


def _is_codec(name: str) -> bool:
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return True


def _unflowed(text: str, *, deletes_space: bool) -> str:
    """Text of format=flowed (RFC 3676) with its paragraphs in one line each."""
    lines: list[str] = []
    flows, depth_before = False, 0
    for line in text.splitlines():
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_delimiter = content == "-- "
        if flows and depth == depth_before and not is_delimiter:
            lines[-1] += content
        else:
            lines.append("> " * bool(depth) + content)
        flows, depth_before = content.endswith(" ") and not is_delimiter, depth
        if flows and deletes_space:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)

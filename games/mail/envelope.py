"""A mail as bytes: made by hand where it is large, so that ten thousand take seconds, and the same each time."""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from django.core.mail import EmailMultiAlternatives, SafeMIMEMultipart

BASE64_LINE: Final = 76
METADATA: Final = "notice"
LONGEST_LINE: Final = 900
PLAIN: Final = frozenset(
    {
        "Message-ID",
        "Date",
        "In-Reply-To",
        "References",
        "X-Clans-Game",
        "X-Clans-Ply",
        "X-Clans-Kind",
        "Auto-Submitted",
        "List-Id",
        "List-Unsubscribe",
        "List-Unsubscribe-Post",
    }
)
"""Headers that hold neither words nor names of people."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A picture that travels inside a mail, under the id by which its HTML part names it."""

    cid: str
    name: str
    png: bytes

    def part(self) -> bytes:
        """As a part of a MIME message."""
        packed = binascii.b2a_base64(self.png, newline=False)
        lines = [packed[at : at + BASE64_LINE] for at in range(0, len(packed), BASE64_LINE)]
        head = (
            f"Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-ID: <{self.cid}>\n"
            f'Content-Disposition: inline; filename="{self.name}"\n\n'
        )
        return head.encode() + b"\n".join(lines)

    def attachment(self) -> MIMEBase:
        """For backends that take a mail apart instead of sending it as it is."""
        image = MIMEImage(self.png, "png")
        image.add_header("Content-ID", f"<{self.cid}>")
        image.add_header("Content-Disposition", "inline", filename=self.name)
        return image


class Sealed(SafeMIMEMultipart):
    """A message whose body is bytes already; only its headers can be asked for."""

    body: bytes = b""

    def __setitem__(self, name: str, value: str) -> None:
        """As Django does it, which encodes and checks each; most of ours are plain, and that is seen sooner."""
        if name in PLAIN and value.isascii() and value.isprintable():
            MIMEMultipart.__setitem__(self, name, value)
        else:
            super().__setitem__(name, value)

    def as_bytes(self, unixfrom: bool = False, linesep: str = "\n") -> bytes:  # type: ignore[override]
        """Every header on one line but for what is encoded: some programs read a value that is folded right after its
        name with a space too many."""
        head = "".join(f"{name}: {value}\n" for name, value in self.items())
        whole = head.encode("ascii") + b"\n" + self.body
        return whole.replace(b"\n", linesep.encode()) if linesep != "\n" else whole


class GameMail(EmailMultiAlternatives):
    """A mail of text, HTML and the pictures that the HTML shows; the same to the byte each time it is made, since its
    boundaries are made from its Message-ID."""

    def __init__(
        self, *args: Any, html: str, enclosed: Sequence[Enclosed] = (), notice: int | None = None, **options: Any
    ) -> None:
        self.enclosed = tuple(enclosed)
        # A provider gives it back with what it tells of the mail.
        self.metadata = {METADATA: str(notice or "")}
        super().__init__(*args, **options)
        self.attach_alternative(html, "text/html")

    @property
    def attachments(self) -> list[Any]:
        return [one.attachment() for one in self.enclosed]

    @attachments.setter
    def attachments(self, _given: Sequence[Any]) -> None:
        """What Django sets is empty: pictures come as `enclosed`."""

    def message(self, **_options: Any) -> Any:
        sealed = Sealed("alternative", boundary=self._boundary("text"), encoding=self.encoding or "utf-8")
        sealed["Subject"] = str(self.subject)
        sealed["From"] = self.extra_headers.get("From", self.from_email)
        sealed["To"] = ", ".join(self.to)
        for name, value in self.extra_headers.items():
            if name != "From":
                sealed[name] = value
        sealed.body = self._body
        return sealed

    @cached_property
    def weight(self) -> int:
        """Its bytes as it is sent, but for its headers."""
        return len(self._body) + self._body.count(b"\n")

    @cached_property
    def _body(self) -> bytes:
        [(html, _kind)] = self.alternatives
        page = _html_part(str(html))
        if self.enclosed:
            boundary = self._boundary("picture")
            head = f'Content-Type: multipart/related; type="text/html"; boundary="{boundary}"\n\n'
            page = head.encode() + _parts([page, *(one.part() for one in self.enclosed)], boundary)
        return _parts([_text_part(str(self.body)), page], self._boundary("text"))

    def _boundary(self, of: str) -> str:
        return f"={sha256((of + self.extra_headers['Message-ID']).encode()).hexdigest()[:32]}"


def _parts(parts: Sequence[bytes], boundary: str) -> bytes:
    line = b"--" + boundary.encode()
    return b"".join(b"%s\n%s\n" % (line, part) for part in parts) + line + b"--\n"


def _text_part(text: str) -> bytes:
    head = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    return head + binascii.b2a_qp(text.replace("\r", "").encode(), istext=True)


def _html_part(html: str) -> bytes:
    """Seven bits, with what is beyond them as character references: smaller than quoted-printable, and as safe."""
    head = b"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 7bit\n\n"
    plain = html.encode("ascii", "xmlcharrefreplace").replace(b"\r", b"")
    lines = plain.split(b"\n")
    if max(map(len, lines)) > LONGEST_LINE:
        lines = [part for line in lines for part in _folded(line)]
    return head + b"\n".join(lines)


def _folded(line: bytes) -> Iterator[bytes]:
    """The line in parts that a mail server takes, broken at spaces: in HTML they are worth as much as ends of lines."""
    while len(line) > LONGEST_LINE:
        at = line.rfind(b" ", 1, LONGEST_LINE)
        if at < 0:
            break
        yield line[:at]
        line = line[at + 1 :]
    yield line

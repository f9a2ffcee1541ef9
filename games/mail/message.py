"""The message that goes out: the same bytes each time it is made of a mail's row."""

from __future__ import annotations

from email.mime.image import MIMEImage
from email.policy import compat32
from hashlib import sha256
from typing import Any, Final

from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import utf8_charset_qp

from games.mail import illustrate
from games.mail.transport.bounces import return_address
from games.models import Mail, MailContent

METADATA: Final = "mail"
# Unfolded, since some programs read a value that begins on the line after its name with a space too many.
_UNFOLDED: Final = compat32.clone(max_line_length=0)


class MailMessage(EmailMultiAlternatives):
    """Text, HTML and the pictures that the HTML shows, with boundaries made from the Message-ID."""

    # Quoted-printable passes every mail server; Django's own choice is 8 bits, which some do not take.
    encoding = utf8_charset_qp
    mixed_subtype = "related"
    metadata: dict[str, str]
    """A provider gives it back with what it tells of the mail."""

    def message(self, **options: Any) -> Any:
        made = super().message(**options)
        parts = [part for part in made.walk() if part.is_multipart()]
        for number, part in enumerate(parts):
            seed = f"{number}{self.extra_headers['Message-ID']}"
            part.set_boundary(f"={sha256(seed.encode()).hexdigest()[:32]}")
        if made.get_content_subtype() == self.mixed_subtype:
            # RFC 2387: what the root of the related parts is.
            made.set_param("type", "multipart/alternative")
        made.policy = _UNFOLDED
        return made


def as_message(mail: Mail) -> MailMessage:
    """The message of a mail that is rendered."""
    message = message_to(mail.address, mail)
    message.from_email = return_address(mail) or message.from_email
    message.metadata = {METADATA: str(mail.pk or "")}
    return message


def message_to(address: str, content: MailContent) -> MailMessage:
    """A message of this content. Reads a file for each picture; one that is not cached and cannot be drawn again is
    left out, its words stand in the HTML."""
    message = MailMessage(subject=content.subject, body=content.text, to=[address], headers=dict(content.headers))
    message.attach_alternative(content.html, "text/html")
    for name in content.pictures:
        if (picture := illustrate.read(name)) is None:
            continue
        part = MIMEImage(picture, "png")
        part.add_header("Content-ID", f"<{illustrate.cid_of(name)}>")
        part.add_header("Content-Disposition", "inline", filename=name)
        message.attach(part)
    message.metadata = {}
    return message

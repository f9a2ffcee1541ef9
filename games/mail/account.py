"""Mails about an account as HTML, in the same hand as those about games: made from their text, so that both say the
same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.mail.compose import with_styles

_SIGNATURE: Final = "\n-- \n"
_ADDRESS: Final = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph: its lines, a code that stands alone, or the address of a page after what says why to open it."""

    text: tuple[str, ...] = ()
    code: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class AccountMail:
    """What the template shows. `lead` is the first paragraph."""

    title: str
    lead: str
    parts: tuple[Part, ...]
    site: str

    @property
    def summary(self) -> str:
        """What lists of mails show beside the subject: never a code, which a locked screen would show."""
        return self.lead


def account_html(subject: str, text: str) -> str:
    """The text of a mail about an account as HTML."""
    lead, *others = _paragraphs(text)
    parts = tuple(map(_part, others))
    # The code of the subject is for lists of mails: here it stands below, and its heading fits a phone.
    title = _("Your code") if any(part.code for part in parts) else subject
    mail = AccountMail(title, " ".join(lead.split()), parts, settings.SITE_URL)
    return with_styles(render_to_string("mail/account.html", {"mail": mail}))


def _paragraphs(text: str) -> Iterator[str]:
    said, _sign, _foot = text.partition(_SIGNATURE)
    return filter(str.strip, said.split("\n\n"))


def _part(paragraph: str) -> Part:
    if paragraph.startswith("    "):
        return Part(code=paragraph.strip())
    lines = paragraph.strip().split("\n")
    if _ADDRESS.fullmatch(lines[-1]):
        return Part(tuple(lines[:-1]), url=lines[-1])
    return Part(tuple(lines))

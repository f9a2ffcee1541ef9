"""Whom the form of a new table invites, several names and addresses in one field, and how long seats are kept."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games import play
from games.pages.forms import NameInput
from games.words.spans import count_units

LONGEST: Final = 2000
KEPT_DAYS: Final = (1, play.KEPT_FOR.days, 7, 14)
"""For how many days a seat can be kept; at most as long as an invitation is valid."""
_BETWEEN: Final = re.compile(r"[\s,;]+")
_NAMED: Final = re.compile(
    r"""("[^"]*"\s*|(?<![^">,;])[^"<>,;]*)<(?:mailto:)?([^<>\s]+@[^<>\s]+)>|mailto:""", re.IGNORECASE
)
"""An address as mail programs copy it, with a name before it, such as `Dora <dora@example.com>`."""


def read_guests(text: str) -> tuple[str, ...]:
    """The names and addresses of a text, nobody twice; without the names that stand beside addresses."""
    first: dict[str, str] = {}
    for name in filter(None, _BETWEEN.split(_NAMED.sub(_address, text))):
        first.setdefault(name.casefold(), name)
    return tuple(first.values())


def _address(found: re.Match[str]) -> str:
    name, address = found.groups("")
    beside = name.replace('"', "") if "@" in name else ""  # Perhaps somebody else.
    return f" {beside} {address} "


class GuestsField(forms.CharField):
    """Names and addresses separated by blanks, commas or semicolons; nobody twice. When the table is opened,
    `games.play` decides whether somebody can be invited."""

    def __init__(self, **about: Any) -> None:
        super().__init__(
            label=_("Invite people"),
            help_text=_(
                "User names and e-mail addresses, with commas between them. Each gets one mail from you, with a link"
                " that works for 14 days."
            ),
            required=False,
            max_length=LONGEST,
            widget=NameInput(),
            **about,
        )
        # What is too long is refused: browsers would cut it without a word.
        del self.widget.attrs["maxlength"]

    def clean(self, value: Any) -> tuple[str, ...]:
        return read_guests(super().clean(value))


class KeptForField(forms.ChoiceField):
    """How long a seat is kept for somebody who is invited."""

    def __init__(self) -> None:
        super().__init__(
            label=_("For how long a seat is kept"),
            choices=lambda: [(days, count_units("day", days)) for days in KEPT_DAYS],
            initial=play.KEPT_FOR.days,
            required=False,
        )

    def clean(self, value: Any) -> timedelta:
        """The usual value if nothing is chosen."""
        chosen = super().clean(value)
        return timedelta(days=int(chosen)) if chosen else play.KEPT_FOR

"""Whom the form of a new table invites: several names and addresses in one field."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST: Final = 2000
_BETWEEN: Final = re.compile(r"[\s,;]+")


class GuestsField(forms.CharField):
    """Names and addresses with blanks, commas or semicolons between them; nobody twice. Whether somebody can be invited
    is for `games.play` to say, when the table is opened."""

    def __init__(self, **about: Any) -> None:
        super().__init__(
            label=_("Invite people"),
            help_text=_(
                "User names and e-mail addresses, with commas between them. Each gets one mail from you, with a link"
                " that works for 14 days."
            ),
            required=False,
            max_length=LONGEST,
            widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
            **about,
        )

    def clean(self, value: Any) -> tuple[str, ...]:
        first: dict[str, str] = {}
        for name in filter(None, _BETWEEN.split(super().clean(value))):
            first.setdefault(name.casefold(), name)
        return tuple(first.values())

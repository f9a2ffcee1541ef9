"""Whom forms invite, several names and addresses in one field, how long seats are kept, and how those who are invited
are shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _, ngettext

from games import play, words
from games.models import Invitation, Player
from games.pages.access import link_player
from games.pages.forms import NameInput
from games.pages.replies import INCOMPLETE, TOO_OFTEN
from games.words.spans import count_units
from games.words.times import name_moment

LONGEST: Final = 5000
"""Room for a club of fifty, by addresses with the names that mail programs copy."""
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


def say_sent(invitations: int) -> str:
    """That so many are on their way."""
    said = ngettext("%(guests)d invitation is on its way.", "%(guests)d invitations are on their way.", invitations)
    return said % {"guests": invitations}


def refuse_guests(form: forms.BaseForm, field: str, error: play.GuestsRefused) -> HTTPStatus:
    """Let the form say who cannot be invited, and why. The status of the page that shows it."""
    for name, why in error.refused:
        form.add_error(field, f"{name}: {words.explain_refusal(why)}")
    is_too_often = all(isinstance(why, play.InvitesTooOften | play.TooManyUnanswered) for _name, why in error.refused)
    return TOO_OFTEN if is_too_often else INCOMPLETE


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody who is invited, as the inviter typed it, and what has come of it."""

    pk: int
    to: str
    shown: SafeString
    """The same, leading to the page of a player who is invited by name."""
    answer: str
    is_open: bool
    kept_until: str
    """Until when a seat is kept; empty if none is."""


def as_shown(invitation: Invitation, viewer: Player | None, at: datetime) -> Invited:
    """What the opener of a table or season sees of an invitation. An address is shown only to the player who typed it,
    not to one to whom the table was handed on later."""
    address = invitation.address if viewer and invitation.by_id == viewer.pk else _("somebody by mail")
    to = invitation.player.username if invitation.player else str(address)
    return Invited(
        pk=invitation.pk,
        to=to,
        shown=link_player(to, has_page=invitation.player is not None),
        answer=str(invitation.Answer(invitation.answer).label),
        is_open=invitation.is_open(at),
        kept_until=name_moment(invitation.kept_until) if invitation.kept_until and invitation.keeps_seat(at) else "",
    )

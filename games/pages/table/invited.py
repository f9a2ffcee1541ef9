"""Who is invited to an open table, as its page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.clocks import Pace
from games.models import Game, Invitation, Player, Terms, choose_those_to
from games.pages.forms import NameInput, PlainForm
from games.pages.lists.favorites import Companion, companions_of
from games.pages.lists.guests import Invited, KeptForField, as_shown, read_guests
from games.pages.table.poll import count_invited
from games.pov import Pov

LONGEST: Final = 254
"""Characters of an address (RFC 5321), and more than a name has."""


class InviteForm(PlainForm, forms.Form):
    """Who is to be invited, and whether a seat is kept for them."""

    to = forms.CharField(
        label=_("Name or e-mail address"),
        help_text=_("They get one mail from you, with a link that works for 14 days."),
        max_length=LONGEST,
        widget=NameInput(),
    )
    keeps_seat = forms.BooleanField(label=_("Keep a seat for them"), required=False)
    kept_for = KeptForField()

    def clean_to(self) -> str:
        return " ".join(read_guests(self.cleaned_data["to"]))


def about_invitations(game: Game, viewer: Player | None, *, form: InviteForm) -> dict[str, Any]:
    """How many seats are kept for others than `viewer`, whether they are invited themselves and, for the opener, who is
    and the form to invite somebody. One query."""
    at = timezone.now()
    found = list(game.invitations.exclude(answer=Invitation.Answer.WITHDRAWN).select_related("player"))
    mine = choose_those_to(viewer, found) if viewer else []
    is_opener = viewer is not None and game.opener_id == viewer.pk
    kept = [each for each in found if each.keeps_seat(at)]
    return {
        "invited_counts": count_invited(found, is_opener=is_opener, at=at),
        "kept": sum(each not in mine for each in kept),
        "kept_for_me": any(each in mine for each in kept),
        "is_invited": any(each.is_open(at) for each in mine),
        "invited": [as_shown(each, viewer, at) for each in found] if is_opener else [],
        "invite_form": form if is_opener else None,
    }


def favorites_at(pov: Pov, terms: Terms, viewer: Player, *, invited: Iterable[Invited]) -> list[tuple[Companion, str]]:
    """The people on the list of `viewer` who neither sit at an open table nor are invited to it by name, and how their
    answer times suit it. One query for those who have a list."""
    here = {seat.name for seat in pov.seats} | {each.to for each in invited}
    pace = Pace.of_hours(terms.move_hours, terms.reserve_hours)
    return [(each, each.answers_at(pace)) for each in companions_of(viewer) if each.name not in here]

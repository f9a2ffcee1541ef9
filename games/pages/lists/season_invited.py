"""Who is invited to a season, as its page shows it, and the form that invites."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Invitation, Player, Season, choose_those_to
from games.pages.access import link_player
from games.pages.forms import PlainForm
from games.pages.lists.favorites import companions_of
from games.pages.lists.guests import GuestsField, Invited, as_shown


class InviteToSeasonForm(PlainForm, forms.Form):
    """Names and addresses of those who are to be invited."""

    to = GuestsField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].required, self.fields["to"].label = True, _("By name or by address")


def about_invited(season: Season, viewer: Player | None, form: InviteToSeasonForm | None) -> dict[str, Any]:
    """Of an open season, whether `viewer` is invited and, for its opener, who has not joined yet, whom they like to
    play with, and the form to invite people. One query for a player; another one for an opener who has such a list."""
    if viewer is None or season.status != Season.Status.OPEN:
        return {}
    at = timezone.now()
    found = season.invitations.filter(answer__in=(Invitation.Answer.NONE, Invitation.Answer.DECLINED))
    rows = list(found.select_related("player", "by"))
    mine = next((each for each in choose_those_to(viewer, rows) if each.is_open(at)), None)
    about: dict[str, Any] = {"invited_by": link_player(mine.by.username) if mine else ""}
    if season.opener_id != viewer.pk:
        return about
    invited = [as_shown(each, viewer, at) for each in rows]
    return about | {
        "invited": invited,
        "invite_form": form or InviteToSeasonForm(),
        **_favorites(season, viewer, invited),
    }


def _favorites(season: Season, viewer: Player, invited: list[Invited]) -> dict[str, Any]:
    """The people on the list of `viewer` who are neither invited by name nor have joined."""
    companions = companions_of(viewer)
    if not companions:
        return {}
    here = {each.to for each in invited} | {*season.entrants.values_list("player__username", flat=True)}
    return {"favorites": [(each, each.answers) for each in companions if each.name not in here]}

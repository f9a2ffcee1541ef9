"""Inviting people to a season from its page, withdrawing that, and declining."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from games import play, words
from games.models import Player, Season
from games.pages.access import season_of, viewer_of
from games.pages.lists.season_invited import InviteToSeasonForm
from games.pages.lists.seasons import season_verb, show_season, sign_in_first
from games.pages.replies import CONFLICT, FORBIDDEN, INCOMPLETE, TOO_OFTEN, SeeOther


def invite_to_season(request: HttpRequest, season: str) -> HttpResponse:
    """Invite people. If anybody cannot be invited, nobody is, and the form says why and keeps what was typed."""
    found = season_of(season)
    if request.method != "POST":
        return redirect(found)
    viewer = viewer_of(request)
    if viewer is None:
        return sign_in_first(request, found)
    form = InviteToSeasonForm(request.POST)
    try:
        return _invite(request, found, viewer, form)
    except play.PlayError as error:
        status = FORBIDDEN if isinstance(error, play.NotYourSeason) else CONFLICT
        return show_season(request, season_of(season), refusal=words.explain_refusal(error), status=status)


def _invite(request: HttpRequest, found: Season, viewer: Player, form: InviteToSeasonForm) -> HttpResponse:
    status = INCOMPLETE
    if found.opener_id != viewer.pk:
        raise play.NotYourSeason
    if form.is_valid():
        names = form.cleaned_data["to"]
        try:
            play.invite_to_season(found, by=viewer, names=names, at=timezone.now())
        except play.GuestsRefused as error:
            for name, why in error.refused:
                form.add_error("to", f"{name}: {words.explain_refusal(why)}")
            too_often = (play.InvitesTooOften, play.TooManyUnanswered)
            status = TOO_OFTEN if all(isinstance(why, too_often) for _name, why in error.refused) else status
        else:
            sent = ngettext(
                "%(guests)d invitation is on its way.", "%(guests)d invitations are on their way.", len(names)
            )
            messages.success(request, sent % {"guests": len(names)})
            return SeeOther(found.get_absolute_url())
    form.fields["to"].widget.attrs["autofocus"] = True
    return show_season(request, found, form=form, status=status)


def _withdraw(request: HttpRequest, found: Season, player: Player) -> None:
    pk = request.POST.get("invitation", "")
    number = int(pk) if pk.isascii() and pk.isdecimal() and len(pk) < 19 else 0
    play.withdraw_from_season(found, by=player, invitation=number, at=timezone.now())


withdraw_from_season = season_verb(
    _withdraw, lambda: _("The invitation is withdrawn, and its link does not work any more.")
)
decline_season = season_verb(
    lambda _request, found, player: play.decline_invitations(found, player=player, at=timezone.now()),
    lambda: _("You have declined. Whoever invited you sees that on this page."),
)

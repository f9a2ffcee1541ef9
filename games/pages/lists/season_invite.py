"""Inviting people to a season from its page, withdrawing that, and declining."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play
from games.models import Player, Season
from games.pages.forms import read_number
from games.pages.lists.guests import refuse_guests, say_sent
from games.pages.lists.season_invited import InviteToSeasonForm
from games.pages.lists.seasons import season_action, show_season
from games.pages.replies import INCOMPLETE, done


@season_action
def invite_to_season(request: HttpRequest, found: Season, player: Player) -> HttpResponse:
    """Invite people. If anybody cannot be invited, nobody is, and the form says why and keeps what was typed."""
    form, status = InviteToSeasonForm(request.POST), INCOMPLETE
    if found.opener_id != player.pk:
        raise play.NotYourSeason
    if form.is_valid():
        names = form.cleaned_data["to"]
        try:
            play.invite_to_season(found, by=player, names=names, at=timezone.now())
            return done(request, found, say_sent(len(names)))
        except play.GuestsRefused as error:
            if len(names) > 1:
                form.add_error("to", _("Nobody is invited yet."))
            status = refuse_guests(form, "to", error)
    form.fields["to"].widget.attrs["autofocus"] = True
    return show_season(request, found, form=form, status=status)


@season_action
def withdraw_from_season(request: HttpRequest, found: Season, player: Player) -> HttpResponse:
    number = read_number(request.POST.get("invitation", ""))
    play.withdraw_from_season(found, by=player, invitation=number, at=timezone.now())
    return done(request, found, _("The invitation is withdrawn, and its link does not work any more."))


@season_action
def decline_season(request: HttpRequest, found: Season, player: Player) -> HttpResponse:
    play.decline_invitations(found, player=player, at=timezone.now())
    return done(request, found, _("You have declined. Whoever invited you sees that on this page."))

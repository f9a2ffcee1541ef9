"""Joining a season without an account: a visitor first asks for it, then makes the account, and has joined."""

from __future__ import annotations

from typing import Any, Final

from allauth.account.signals import user_logged_in
from django.contrib import messages
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play, words
from games.models import Player, Season
from games.pages.replies import ask_to_sign_up, take_wish
from games.words.seasons import say_joined

SALT: Final = "games.pages.lists.joining_season"


def ask_for_season(request: HttpRequest, season: Season) -> HttpResponse:
    """Send a visitor who wants to play a season to the page for signing up. If they come back signed in, they have
    joined."""
    said = _("So that your turns can call you, a season needs an account. Once you are in, you have joined.")
    page = season.get_absolute_url()
    return ask_to_sign_up(request, page=page, wish=(season.slug,), salt=SALT, said=said, tag="joins")


@receiver(user_logged_in)
def join_wished_season(request: HttpRequest, response: HttpResponse, user: Player, **_signal: Any) -> None:
    """Let a player who has just signed in join the season that they asked for, if that is where they are going."""
    wish = take_wish(request, response, salt=SALT)
    season = Season.objects.filter(slug=wish[0]).first() if wish else None
    if season is None:
        return
    try:
        play.join_season(season, player=user, at=timezone.now())
        messages.success(request, say_joined())
    except play.PlayError as error:
        messages.info(request, words.explain_refusal(error))

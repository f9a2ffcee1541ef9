"""Where a player makes, replaces and removes the secret addresses of their feeds."""

from __future__ import annotations

import secrets
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.models import Player
from games.pages.forms import for_players
from games.pages.player.feeds import feed_address
from games.pages.replies import INCOMPLETE, done


@for_players
def feed_preferences(request: HttpRequest, player: Player) -> HttpResponse:
    """The addresses, and what can be done about them. This page has a secret, so no cache stores it."""
    do = request.POST.get("do")
    if do in ("make", "replace", "remove"):
        return done(request, "feeds", _change(player, do))
    about = {name: feed_address(player, name) for name in ("deadlines", "turns")} if player.feed_key else {}
    webcal = "webcal:" + about["deadlines"].partition(":")[2] if about else ""
    status = INCOMPLETE if request.method == "POST" else HTTPStatus.OK
    return render(request, "games/feeds.html", about | {"webcal": webcal}, status=status)


def _change(player: Player, do: str) -> str:
    """Do it, and say what was done. If a player makes them twice, from two pages, the first ones stay."""
    mine = Player.objects.filter(pk=player.pk)
    if do == "remove":
        mine.update(feed_key=None)
        return _("The addresses are removed. Whoever has them reads nothing more.")
    (mine if do == "replace" else mine.filter(feed_key=None)).update(feed_key=secrets.token_urlsafe(32))
    if do == "replace":
        return _("The old addresses no longer work. Give the new ones to your calendar and your feed reader.")
    return _("Here are your addresses. Keep them to yourself.")

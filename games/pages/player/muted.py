"""The page of people whom a player has muted or blocked."""

from __future__ import annotations

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import play
from games.models import Mute, Player
from games.pages.forms import PlainForm
from games.pages.replies import SeeOther, status_of


class UnmuteForm(PlainForm, forms.Form):
    """The key of a player who is to be heard again."""

    who = forms.IntegerField(min_value=1, max_value=2**31 - 1)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def muted(request: HttpRequest) -> HttpResponse:
    """Whom the player has muted and blocked; POST takes one of them back."""
    player = cast("Player", request.user)
    form = UnmuteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if play.unmute_player(player, form.cleaned_data["who"]):
            messages.success(request, _("You hear them again."))
        return SeeOther(reverse("muted"))
    found = (
        Mute.objects.filter(player=player)
        .order_by("other__username")
        .values_list("other_id", "other__username", "blocks")
    )
    response = render(request, "games/muted.html", {"muted": list(found)}, status=status_of(form))
    response["Cache-Control"] = "private, no-store"
    return response

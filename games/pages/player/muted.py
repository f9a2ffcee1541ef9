"""The page of people whom a player has muted or blocked; there they do so by name, and undo it."""

from __future__ import annotations

from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from games import play, words
from games.models import Mute, Player
from games.pages.access import link_player, player_url
from games.pages.forms import NameInput, PlainForm, for_players
from games.pages.replies import SeeOther, done, status_of

LONGEST_NAME: Final = 150


class MuteForm(PlainForm, forms.Form):
    """The name of a player who is to be muted or blocked."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("The name that this player has, or had, on this site."),
        max_length=LONGEST_NAME,
        widget=NameInput(),
    )


class UnmuteForm(PlainForm, forms.Form):
    """The key of a player who is to be heard again, or only to be blocked no more, and whether that was asked on their
    own page."""

    who = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    only_unblocks = forms.BooleanField(required=False)
    on_their_page = forms.BooleanField(required=False)


@for_players
def muted(request: HttpRequest, player: Player) -> HttpResponse:
    """Whom the player has muted and blocked; POST mutes or blocks somebody by name, or undoes that."""
    if "who" in request.POST:
        return _unmute(request, player)
    form = MuteForm(request.POST if request.method == "POST" else None, initial={"name": request.GET.get("name", "")})
    if form.is_valid() and (mute := _mute(player, form)):
        return done(request, "muted", words.describe_mute(mute.other.username, blocks=mute.blocks))
    return _show(request, player, form)


def _mute(player: Player, form: MuteForm) -> Mute | None:
    """Mute or block whom the form names; None, and the form says why, when that cannot be done."""
    name, blocks = form.cleaned_data["name"], form.data.get("do") == "block"
    try:
        return play.mute_player_called(name, player=player, blocks=blocks, at=timezone.now())
    except play.PlayError as error:
        form.add_error("name", words.explain_refusal(error))
        return None


def _unmute(request: HttpRequest, player: Player) -> HttpResponse:
    form = UnmuteForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {}
    only_unblocks = given.get("only_unblocks", False)
    other = play.unmute_player(player, given["who"], only_unblocks=only_unblocks) if given else None
    if other is None:
        return SeeOther(reverse("muted"))
    is_muted = words.describe_mute(other.username, blocks=False)
    said = is_muted if only_unblocks else _("Done: they are no longer muted or blocked.")
    return done(request, player_url(other.username) if given["on_their_page"] else "muted", said)


def _show(request: HttpRequest, player: Player, form: MuteForm) -> HttpResponse:
    found = Mute.objects.filter(player=player).select_related("other").order_by("other__username")
    rows = [
        {
            "who": mute.other_id,
            "name": mute.other.username,
            "link": link_player(mute.other.username, has_page=mute.other.closed_at is None),
            "blocks": mute.blocks,
        }
        for mute in found
    ]
    return render(request, "games/muted.html", {"form": form, "muted": rows}, status=status_of(form))

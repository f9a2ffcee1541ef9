"""A player's tokens of the API: making one, which is shown this once, and revoking it."""

from __future__ import annotations

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from games import play, words
from games.limits import API_TOKENS
from games.models import Player
from games.pages.access import Missing
from games.pages.forms import LineField, PlainForm, for_players, refill, sign_in_to_send
from games.pages.replies import done, status_of
from games.pages.times import when


class TokenForm(PlainForm, forms.Form):
    """What a new token is to be called."""

    name = LineField(
        label=gettext_lazy("What is it for?"),
        help_text=gettext_lazy("A name by which you know it later, such as: statistics on my laptop."),
        max_length=40,
        widget=forms.TextInput({"autocomplete": "off"}),
    )


@sign_in_to_send
def api_tokens(request: HttpRequest, player: Player) -> HttpResponse:
    """The tokens, and the form for one more. The answer to that form shows the new one, and no page shows it again.

    Who has not just confirmed their identity is asked to, and then gets that answer: allauth keeps what was sent."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    made = _make(request, player, form) if form.is_valid() else ""
    refill(form, request)
    tokens = list(player.api_tokens.order_by("pk"))
    about = {
        "form": TokenForm() if made else form,
        "made": made,
        "rows": [(token, when(token.created_at)) for token in tokens],
        "is_full": len(tokens) >= API_TOKENS.rates[0].amount,
        "most": API_TOKENS.rates[0].amount,
    }
    status = HTTPStatus.CREATED if made else status_of(form)
    return render(request, "games/api_tokens.html", about, status=status)


@reauthentication_required  # type: ignore[untyped-decorator]
def _make(request: HttpRequest, player: Player, form: TokenForm) -> str:
    """The new token; empty, and the form says why, when there is none."""
    try:
        return play.make_api_token(player, name=form.cleaned_data["name"], at=timezone.now())
    except play.PlayError as error:
        form.add_error("name" if isinstance(error, play.ApiTokenNamed) else None, words.explain_refusal(error))
        return ""


@for_players
def api_token(request: HttpRequest, player: Player, api_token: int) -> HttpResponse:
    """Revoke one by POST. A GET changes nothing and leads to all of them."""
    if request.method != "POST":
        return redirect("api_tokens")
    if not play.revoke_api_token(player, api_token):
        raise Missing(_("You have no such token."))
    return done(request, "api_tokens", _("It is revoked: nothing can be read by it any more."))

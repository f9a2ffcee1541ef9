"""The page on which players change their user name."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from games import play, words
from games.models import Player
from games.pages.accounts.adapter import NAME_LENGTH
from games.pages.accounts.sign_up import clean_another_name, unconfirmed_players
from games.pages.forms import NameInput, PlainForm, refill, sign_in_to_send
from games.pages.replies import TOO_OFTEN, done, status_of
from games.words.times import name_moment


class NameForm(PlainForm, forms.Form):
    """The name that `player` wants."""

    name = forms.CharField(
        label=gettext_lazy("New user name"),
        help_text=gettext_lazy("At most 30 letters, digits and . + - _ without spaces."),
        max_length=NAME_LENGTH,
        widget=NameInput(),
    )

    def __init__(self, data: Any = None, *, player: Player) -> None:
        super().__init__(data)
        # What is too long is refused: browsers would cut it without a word.
        del self.fields["name"].widget.attrs["maxlength"]
        self.player = player

    def clean_name(self) -> str:
        return clean_another_name(self.cleaned_data["name"], player=self.player)


@sign_in_to_send
def rename(request: HttpRequest, player: Player) -> HttpResponse:
    """What another name means, and taking one."""
    at = timezone.now()
    later = play.may_rename_at(player)
    form, status = NameForm(request.POST if request.method == "POST" else None, player=player), None
    if form.is_valid():
        try:
            name = form.cleaned_data["name"]
            play.rename_player(player, name, instead_of=unconfirmed_players(email=player.email, name=name), at=at)
        except play.PlayError as error:
            form.add_error("name", words.explain_refusal(error))
            status = TOO_OFTEN if isinstance(error, play.RenamedLately) else None
        else:
            return done(request, "preferences", _("You are called %(name)s now.") % {"name": name})
    refill(form, request)
    about = {"form": form, "later": name_moment(later) if later and later > at else ""}
    return render(request, "games/rename.html", about, status=status or status_of(form))

"""The form that opens a season of a league."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext as _, gettext_lazy

from games import play
from games.clocks import PRESETS_BY_KEY, STEADY
from games.models import MOST_ROUNDS, Player, Season
from games.pages.forms import PlainForm, TitleField, YesOrNoField, new_chance, refill, sign_in_to_send
from games.pages.lists.new_table_form import ABOUT_PACE, preset_choices
from games.pages.lists.opening_limits import check_seasons, key_of
from games.pages.replies import SeeOther, status_of


class NewSeasonForm(PlainForm, forms.Form):
    """The choices for a season that `player` opens."""

    name = TitleField(label=gettext_lazy("Name of the season"), max_length=40)
    size = forms.TypedChoiceField(
        label=gettext_lazy("Seats at a table"),
        choices=[(n, n) for n in (2, 3, 4)],
        coerce=int,
        widget=forms.RadioSelect,
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Who plays whom"),
        choices=[
            (Season.Format.SWISS, gettext_lazy("Swiss: any number of people, those with similar points meet")),
            (Season.Format.ROUND_ROBIN, gettext_lazy("Round robin: up to 12 people, everybody meets everybody")),
        ],
        widget=forms.RadioSelect,
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy(
            "From 1 to 20. If you leave this empty and choose a last day, as many are played as fit until that day, at"
            " most 20. A round robin has as many as it needs."
        ),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
    )
    ends_on = forms.DateField(
        label=gettext_lazy("Last day"),
        help_text=gettext_lazy("If you like: after it no round begins. The round that is being played is played out."),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    is_public = YesOrNoField(
        label=gettext_lazy("Who finds the season"),
        yes=gettext_lazy("Everybody: it is listed, and so are its games"),
        no=gettext_lazy("Only those who have its link"),
    )
    pace = forms.ChoiceField(
        label=gettext_lazy("Pace"),
        help_text=ABOUT_PACE,
        choices=lazy(preset_choices, list)(),
        widget=forms.RadioSelect,
    )
    is_rated = forms.BooleanField(
        label=gettext_lazy("Games count for ratings"),
        help_text=gettext_lazy("Those with a computer player, or by link, never do."),
        required=False,
    )
    only_opens = forms.BooleanField(
        label=gettext_lazy("I do not play myself"),
        help_text=gettext_lazy(
            "You still begin the season. You get no mails about its games and its end; look at its page or its feed."
        ),
        required=False,
    )
    chance = forms.CharField(max_length=64, initial=new_chance, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, player: Player, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.player = player

    def clean_ends_on(self) -> date | None:
        day: date | None = self.cleaned_data["ends_on"]
        if day is not None and day < timezone.now().date():
            raise ValidationError(_("That day is over."))
        return day

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors and values["rounds"] is None:
            if values["ends_on"] is None and values["format"] == Season.Format.SWISS:
                self.add_error("rounds", _("Fill in how many rounds there are, or the last day."))
            values["rounds"] = MOST_ROUNDS
        if not self.errors:
            check_seasons(self.player, key=key_of(self))
        return values

    def open(self) -> Season:
        """The season, opened; the same one again for a form that is sent again."""
        values = self.cleaned_data
        pace = PRESETS_BY_KEY[values["pace"]]
        return play.open_season(
            self.player,
            name=values["name"],
            size=values["size"],
            rounds=values["rounds"],
            format=values["format"],
            ends_on=values["ends_on"],
            is_public=values["is_public"],
            is_rated=values["is_rated"],
            plays=not values["only_opens"],
            move_hours=pace.move_hours,
            reserve_hours=pace.reserve_hours,
            key=key_of(self),
            at=timezone.now(),
        )


@sign_in_to_send
def new_season(request: HttpRequest, player: Player) -> HttpResponse:
    """The form; opens the season and goes there."""
    name = (_("%(player)s’s season") % {"player": player.username})[:40]
    usual = {"size": 2, "format": "swiss", "rounds": 5, "is_public": "yes", "pace": STEADY.key, "is_rated": True}
    data = request.POST if request.method == "POST" else None
    form = NewSeasonForm(data, player=player, initial=usual | {"name": name})
    if form.is_valid():
        return SeeOther(form.open().get_absolute_url())
    refill(form, request)
    return render(request, "games/new_season.html", {"form": form}, status=status_of(form))

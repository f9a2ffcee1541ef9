"""The player's vacations: what is planned, how many days are left, and at which tables the clock does not stop."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from games import play, words
from games.models import Game, Player, Vacation
from games.pages.access import table_url
from games.pages.forms import PlainForm, for_players, read_number, refill, sign_in_to_send
from games.pages.replies import SeeOther, done, status_of
from games.words.spans import say_days_left
from games.words.times import name_days


def _day_input() -> forms.DateInput:
    # Chromium calls a day that is required wrong before anybody has chosen it. Django says so where it is.
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "aria-invalid": "false"})


class VacationForm(PlainForm, forms.Form):
    """First and last day, both included."""

    first = forms.DateField(label=gettext_lazy("First day"), widget=_day_input())
    last = forms.DateField(label=gettext_lazy("Last day"), widget=_day_input())

    def begin_on(self, today: date) -> None:
        """Let browsers offer no day before `today`."""
        for field in self.fields.values():
            field.widget.attrs["min"] = today.isoformat()


@sign_in_to_send
def vacation(request: HttpRequest, player: Player) -> HttpResponse:
    """The page; plans a vacation."""
    at = play.now() if request.method == "POST" else timezone.now()
    form = VacationForm(request.POST if request.method == "POST" else None)
    form.begin_on(player.calendar().day(at))
    if form.is_valid() and (planned := _plan(form, player, at=at)):
        said = _("You are on vacation now.") if planned.starts_at <= at else _("Your vacation is planned.")
        return done(request, "vacation", said)
    refill(form, request)
    page = _page(form, player, at=at)
    return render(request, "games/vacation.html", page, status=status_of(form))


def _plan(form: VacationForm, player: Player, *, at: datetime) -> Vacation | None:
    """The vacation that was asked for; None, and the form says why, when there is none."""
    try:
        return play.plan_vacation(player, first=form.cleaned_data["first"], last=form.cleaned_data["last"], at=at)
    except play.PlayError as error:
        form.add_error(None, words.explain_refusal(error))
        return None


def _page(form: VacationForm, player: Player, *, at: datetime) -> dict[str, Any]:
    """What the page shows: vacations of this year and later ones, and what is left of each budget. 4 queries."""
    this_year = player.calendar().day(at).year
    lines = [line for each in player.vacations.all() if (line := _line(each, player, at=at))["last"].year >= this_year]
    unstopped = Game.objects.unfinished_of(player).filter(allows_vacation=False)
    left = {year: play.vacation_days_left(player, year=year) for year in (this_year, this_year + 1)}
    return {
        "form": form,
        "years": [{"year": year, "text": say_days_left(days, of=play.VACATION_DAYS)} for year, days in left.items()],
        "vacations": lines,
        "away": next((line for line in lines if line["has_begun"] and not line["is_over"]), None),
        "running_on": [(table_url(slug), name) for slug, name in unstopped.values_list("slug", "name")],
    }


def _line(vacation: Vacation, player: Player, *, at: datetime) -> dict[str, Any]:
    """A vacation, by the days of the player's own clock."""
    first = player.calendar().day(vacation.starts_at)
    last = player.calendar().day(max(vacation.starts_at, vacation.ends_at - timedelta(microseconds=1)))
    return {
        "pk": vacation.pk,
        "text": name_days(first, last),
        "last": last,
        "days": vacation.days,
        "has_begun": vacation.starts_at <= at,
        "is_over": vacation.ends_at <= at,
    }


@for_players
def end_vacation(request: HttpRequest, player: Player) -> HttpResponse:
    """End a vacation now, or cancel it before it begins. A GET changes nothing and leads to the page."""
    if request.method != "POST":
        return redirect("vacation")
    at = play.now()
    planned = player.vacations.filter(pk=read_number(request.POST.get("vacation", ""))).first()
    try:
        if planned is None:
            raise play.NoSuchVacation
        play.end_vacation(player, vacation=planned, at=at)
    except play.PlayError as error:
        messages.error(request, words.explain_refusal(error))
        return SeeOther(reverse("vacation"))
    begun = planned.starts_at < at
    return done(request, "vacation", _("Your vacation is over.") if begun else _("The vacation is taken back."))

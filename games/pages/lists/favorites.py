"""People one likes to play with: the page on which a player keeps that list, and what forms that invite show of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from django import forms
from django.contrib import messages
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, TextField, When
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import play, words
from games.clocks import FEW, Pace, quantile
from games.limits import FAVORITES
from games.models import Favorite, Meeting, Mute, PageFor, Player
from games.pages.access import link_player, player_url
from games.pages.forms import PlainForm, for_players
from games.pages.lists.paging import page_of_rows
from games.pages.replies import CONFLICT, SeeOther, status_of
from games.words.answer_times import say_answers, say_answers_at

PAGE: Final = 50
MOST: Final = FAVORITES.rates[0].amount


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody on a list, as its owner sees them. `median` is of their answer times; None where these are few or
    hidden."""

    pk: int
    name: str
    median: timedelta | None

    @property
    def link(self) -> SafeString:
        return link_player(self.name)

    @property
    def answers(self) -> str:
        """`answers in about 5 hours, suits every pace`; empty where nothing is known."""
        return "" if self.median is None else say_answers(self.median)

    def answers_at(self, pace: Pace) -> str:
        """The same for one pace: `answers in about 5 hours, suits this pace`."""
        return "" if self.median is None else say_answers_at(self.median, pace)


def companions_of(player: Player) -> tuple[Companion, ...]:
    """Who is on the list of `player`, by name: one query where there is anybody, and at most as many rows as the list
    may have. All have met its owner, so only players who show their page to nobody hide their answer times here."""
    if not player.has_favorites:
        return ()
    rows = Favorite.objects.of(player).values_list(
        "other_id", "other__username", "other__page_for", Cast("other__answer_times__counts", TextField())
    )
    return tuple(
        Companion(pk, name, None if page_for == PageFor.NOBODY or counts is None else median_of(counts))
        for pk, name, page_for, counts in rows
    )


@lru_cache(maxsize=512)
def median_of(counts: str) -> timedelta | None:
    """The median of `AnswerTimes.counts`, as the database has it; None where the answers are few. Cached because
    reading and adding up 50 of them takes as long as a page."""
    by_class = [sum(column) for column in zip(*json.loads(counts), strict=True)]
    return quantile(by_class, 0.5) if sum(by_class) >= FEW else None


class MetPlayer(NamedTuple):
    """Somebody with whom a player has sat at a table, by the names of its columns."""

    played: int
    pk: int
    who: int
    name: str


class FavoriteForm(PlainForm, forms.Form):
    """The key of a player who comes on the list or is taken off, and whether that was asked on their own page."""

    add = forms.IntegerField(min_value=1, max_value=2**31 - 1, required=False)
    remove = forms.IntegerField(min_value=1, max_value=2**31 - 1, required=False)
    on_their_page = forms.BooleanField(required=False)


@for_players
def favorites(request: HttpRequest, player: Player) -> HttpResponse:
    """The player's list, and others whom they have met, beginning with those with whom they have played most. POST puts
    somebody on it or takes them off."""
    form = FavoriteForm(request.POST if request.method == "POST" else None)
    status, refusal = status_of(form), ""
    if form.is_valid():
        try:
            changed = _change(request, player, form)
        except play.PlayError as error:
            status, refusal = CONFLICT, words.explain_refusal(error)
        else:
            theirs = changed is not None and form.cleaned_data["on_their_page"]
            return SeeOther(player_url(changed.username) if changed and theirs else request.get_full_path())
    elif form.is_bound:
        refusal = words.explain_refusal(play.NeverMet())
    page = page_of_rows(_met_by(player), MetPlayer, size=PAGE, cursor=request.GET.get("at", ""))
    met = [(link_player(each.name), each) for each in page.rows]
    about = {"refusal": refusal, "listed": companions_of(player), "most": MOST, "met": met, "page": page, "here": "?"}
    return render(request, "games/favorites.html", about, status=status)


def _change(request: HttpRequest, player: Player, form: FavoriteForm) -> Player | None:
    """Who was put on the list or taken off; None if there was nothing to do."""
    if add := form.cleaned_data["add"]:
        added = play.add_favorite(player, add, at=play.now())
        messages.success(request, _("%(name)s is on your list.") % {"name": added.username})
        return added
    removed = play.remove_favorite(player, form.cleaned_data["remove"] or 0)
    if removed is not None:
        messages.success(request, _("%(name)s is off your list.") % {"name": removed.username})
    return removed


def _met_by(player: Player) -> QuerySet[Meeting]:
    """The people whom `player` has met and could put on the list."""
    me = Q(first=player)
    met = Meeting.objects.filter(me | Q(second=player)).annotate(
        who=Case(When(me, then=F("second_id")), default=F("first_id")),
        name=Case(When(me, then=F("second__username")), default=F("first__username")),
    )
    here = {"player": player, "other": OuterRef("who")}
    apart = Exists(Favorite.objects.filter(**here)) | Exists(Mute.objects.filter(**here, blocks=True))
    return met.filter(~apart, first__is_active=True, second__is_active=True).order_by("-played", "-pk")

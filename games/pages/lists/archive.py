"""The archive: finished games, newest first, read from the games' own columns without folding any. What a row shows is
in `summaries.py`."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe

from games import rules
from games.caching import cached
from games.models import ArchiveStatistics, Game, GameQuerySet, Player, Seat
from games.pages.access import viewer_of
from games.pages.lists.archive_feed import query_of
from games.pages.lists.paging import Page, count_found, page_in, page_of
from games.pages.lists.rows import table_rows
from games.pages.lists.search import Choices, Criterion, SearchForm, find_games
from games.pages.lists.summaries import ListedGame, summarize_tables

PAGE = 20


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Public games for everybody; `?mine=1` the viewer's own, including those by link only; everything else in the
    address is a search. A search that cannot be read is answered 400, with the form and why. The form sends all its
    fields: an address with empty ones leads to the one without them, which is the one to share."""
    if short := _without_empty(request):
        return redirect(short)
    viewer = viewer_of(request)
    mine = "mine" in request.GET
    if mine and viewer is None:
        return redirect_to_login(request.get_full_path())
    search = SearchForm(request.GET)
    page, found = _find_page(search, viewer, mine=mine, cursor=request.GET.get("at", ""))
    if not page.rows:
        search.refuse_nobody()
    [tables] = summarize_tables([page.rows], viewer=viewer)
    here = {"mine": "1"} if mine else {}
    here |= {name: request.GET[name] for name in search.fields if request.GET.get(name)}
    about = {
        "mine": mine,
        "here": f"?{urlencode(here)}&" if here else "?",
        "page": page,
        "rows": table_rows(tables, with_ending=True),
        "search": search,
        "has_criteria": search.has_criteria,
        "found": found,
        "anchor": "#results" if search.has_criteria else "",
        "criteria": _criteria(search, here),
        "namesakes": [] if mine else [(name, urlencode(here | field)) for name, field in search.namesakes()],
        "feed": reverse("archive_feed") + query_of(search) if search.is_valid() and not mine else "",
        "search_form": _form(search, () if mine else _counted_choices(), mine=mine),
    }
    return render(request, "games/archive.html", about, status=200 if search.is_valid() else 400)


def _find_page(search: SearchForm, viewer: Player | None, *, mine: bool, cursor: str) -> tuple[Page[ListedGame], str]:
    """The page of games that is asked for, and how many the search has found, in words; no words without a search."""
    if not search.is_valid():
        return Page([]), ""
    if search.has_criteria:
        games = find_games(search.cleaned_data, viewer=viewer, mine=mine)
        page = page_in(games, size=PAGE, cursor=cursor)
        return page, _("Games that fit") if cursor else _say_found(*count_found(games, page))
    if viewer and mine:
        return page_of(finished_by, viewer.pk, size=PAGE, cursor=cursor), ""
    return page_of(finished_in_public, size=PAGE, cursor=cursor), ""


def _criteria(search: SearchForm, here: dict[str, str]) -> list[tuple[Criterion, str]]:
    """What is asked for, each with the address that asks for the others alone, at what it finds."""
    criteria = search.criteria()
    rest = ({name: value for name, value in here.items() if name != each.name} for each in criteria)
    archive_url = reverse("archive")
    return [
        (each, f"{archive_url}?{urlencode(others)}#results" if others else archive_url)
        for each, others in zip(criteria, rest, strict=True)
    ]


def _say_found(games: int, is_exact: bool) -> str:
    """How many games a search has found; nothing where it is none, which the page says in a sentence."""
    number = number_format(games, force_grouping=True)
    if not is_exact:
        return _("More than %(games)s games") % {"games": number}
    return ngettext("%(games)s game", "%(games)s games", games) % {"games": number} if games else ""


def _without_empty(request: HttpRequest) -> str:
    """The address without fields that are empty; empty if it has none."""
    sent = [(name, value) for name, values in request.GET.lists() for value in values]
    filled = [(name, value) for name, value in sent if value.strip() or name not in SearchForm.base_fields]
    if filled == sent:
        return ""
    return f"{request.path}?{urlencode(filled)}" if filled else request.path


class EmptyForm(NamedTuple):
    """The form while nothing is asked for: all of it, and each of its fields by name."""

    whole: SafeString
    fields: dict[str, SafeString]


def _form(search: SearchForm, choices: Choices, *, mine: bool) -> SafeString:
    """The form, with the number of games of each choice in the whole archive, if they were counted."""
    empty = _empty_form(choices, tuple(rules.BOARDS), mine=mine)
    if not search.has_criteria:
        return empty.whole
    search.show_counts(choices)
    filled = (field for field in search.visible_fields() if search.data.get(field.name))
    drawn = empty.fields | {field.name: field.as_field_group() for field in filled}
    return _draw_form(search, drawn, has_counts=bool(choices), mine=mine)


@cached(most=4)
def _empty_form(choices: Choices, _boards: tuple[str, ...], *, mine: bool) -> EmptyForm:
    """Cached because a field is several templates: all together take twice as long as the rest of a page."""
    search = SearchForm({})
    search.show_counts(choices)
    fields = {field.name: field.as_field_group() for field in search.visible_fields()}
    return EmptyForm(_draw_form(search, fields, has_counts=bool(choices), mine=mine), fields)


def _draw_form(search: SearchForm, drawn: dict[str, SafeString], *, has_counts: bool, mine: bool) -> SafeString:
    """The form of fields that are drawn."""
    groups = [(group, [drawn[name] for name in group.fields]) for group in search.groups()]
    about = {"mine": mine, "hidden": search.hidden_fields(), "groups": groups, "order": drawn["order"]}
    return render_to_string("games/_archive_form.html", about | {"has_counts": has_counts})


def _counted_choices() -> Choices:
    """How many games there were of each choice when the archive was last counted; nothing before that. One query."""
    return tuple(
        (field, tuple(sorted(of_choice.items())))
        for choices in ArchiveStatistics.objects.values_list("choices", flat=True)
        for field, of_choice in sorted(choices.items())
    )


def finished_in_public() -> GameQuerySet:
    """Games that are over, for everybody; not those that were given up at once."""
    return Game.objects.finished().filter(is_public=True, is_listed=True)


def finished_here() -> GameQuerySet:
    """Of these the games that were played here: one that was imported without times counts as of the day of its import,
    and many may come at once."""
    return finished_in_public().filter(opener__isnull=False)


def finished_by(player: int) -> QuerySet[Seat]:
    """The player's seats in games that are over, those by link among them."""
    return Seat.objects.filter(player=player, ended_at__isnull=False).order_by("-ended_at", "-game_id")

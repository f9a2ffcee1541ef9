"""Seasons of a league: the list, a season's page, and what is done there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import play, words
from games.models import Entrant, Game, Player, Season, Seat
from games.pages.access import link_player, season_of, table_url, viewer_of
from games.pages.lists.asked import asked
from games.pages.lists.joining import ask_for_season
from games.pages.lists.listed_season import ListedSeason
from games.pages.lists.paging import page_of_rows
from games.pages.lists.season_invited import InviteToSeasonForm, about_invited
from games.pages.replies import CONFLICT, FORBIDDEN, SeeOther, done
from games.pages.times import show_sentence
from games.words import summary
from games.words.pace import say_pace
from games.words.seasons import say_closed, say_joined, say_points, write_points
from games.words.time_left import say_due
from games.words.times import name_moment
from games.words.zone import zone_here

PAGE = 30


@require_safe
def list_seasons(request: HttpRequest) -> HttpResponse:
    """The public seasons, except those that were closed before they began, newest first; above them those that the
    viewer is invited to, and those that they play or have opened, also by link. One query for each, besides those for
    the viewer."""
    listed = Season.objects.filter(is_public=True).exclude(status=Season.Status.OVER, started_at=None).order_by("-id")
    page = page_of_rows(listed, ListedSeason, size=PAGE, cursor=request.GET.get("at", ""))
    viewer = viewer_of(request)
    mine, inviting = (_seasons_of(viewer), asked(viewer)[1]) if viewer else ([], [])
    about = {"here": "?", "page": page, "seasons": page.rows, "mine": mine, "inviting": inviting}
    return render(request, "games/seasons.html", about)


def _seasons_of(viewer: Player) -> list[ListedSeason]:
    """The seasons that are not over and that the viewer plays or has opened, newest first."""
    played = Entrant.objects.filter(player=viewer, left_at=None).values("season")
    mine = Season.objects.filter(Q(pk__in=played) | Q(opener=viewer)).exclude(status=Season.Status.OVER)
    return [ListedSeason._make(row) for row in mine.order_by("-id").values_list(*ListedSeason._fields)]


@require_safe
def one_season(request: HttpRequest, season: str) -> HttpResponse:
    """A season's standings, and the tables of one round: the last one, or `?round=`."""
    return show_season(request, season_of(season))


def show_season(
    request: HttpRequest,
    found: Season,
    *,
    form: InviteToSeasonForm | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of a season. Costs 6 queries, however many people and rounds there are, besides those for the viewer,
    and one more for a player of the season."""
    viewer = viewer_of(request)
    entrants = list(found.entrants.select_related("player").order_by("pk"))
    mine = next((each for each in entrants if viewer and each.player_id == viewer.pk and not each.left_at), None)
    numbers = list(found.drawn_rounds.order_by("number").values_list("number", flat=True))
    chosen = request.GET.get("round", "")
    number = next((number for number in numbers if str(number) == chosen), len(numbers))
    is_opener = viewer is not None and found.opener_id == viewer.pk
    is_open = found.status == Season.Status.OPEN
    players = {each.player_id: each.player for each in entrants}
    rows = _standing_rows(found, players, viewer) if found.started_at else []
    about = {
        "season": found,
        "last_day": date_format(found.ends_on) if found.ends_on else "",
        "opener": link_player(found.opener.username, has_page=found.opener.closed_at is None),
        "pace": say_pace(found.move_hours, found.reserve_hours),
        "people": [
            link_player(e.player.username, has_page=e.player.closed_at is None) for e in entrants if not e.left_at
        ],
        "left": [link_player(e.player.username, has_page=e.player.closed_at is None) for e in entrants if e.left_at],
        "open_until": name_moment(found.open_until) if is_open else "",
        "link": request.build_absolute_uri(found.get_absolute_url()) if is_open and (mine or is_opener) else "",
        "closed": say_closed(found),
        "rows": rows,
        "my_row": next((row for row in rows if row["is_mine"]), None),
        "numbers": numbers,
        "number": number,
        "tables": _table_rows(found, number, viewer) if number else [],
        "mine": _running_table_of(found, viewer) if mine and found.started_at else "",
        "may_join": is_open and mine is None,
        "may_leave": mine is not None and found.status != Season.Status.OVER,
        "may_begin": is_open and is_opener,
        "refusal": refusal,
        **about_invited(found, viewer, form),
    }
    return render(request, "games/season.html", about, status=status)


def _standing_rows(found: Season, players: dict[int, Player], viewer: Player | None) -> list[dict[str, object]]:
    return [
        {
            "place": each.place,
            "link": link_player(players[each.player].username),
            "points": write_points(each.points),
            "said": say_points(each.points),
            "opponents": write_points(each.opponents),
            "total": each.total,
            "games": each.games,
            "is_mine": viewer is not None and each.player == viewer.pk,
        }
        for each in found.standings()
    ]


class _SeatRow(NamedTuple):
    """What the tables of a round show of a seat, by the names of its columns."""

    game__season_table__number: int
    game__slug: str
    game__status: str
    game__awaited: int | None
    game__free_until: datetime | None
    game__due_at: datetime | None
    name: str
    total: int | None
    player: int | None


def _table_rows(found: Season, number: int, viewer: Player | None) -> list[dict[str, object]]:
    """The tables of a round that are open: one query, which reads no card."""
    seats = Seat.objects.filter(game__season_table__round__season=found, game__season_table__round__number=number)
    rows: dict[str, list[_SeatRow]] = {}
    in_order = seats.order_by("game__season_table__number", "rank", "number")
    for row in map(_SeatRow._make, in_order.values_list(*_SeatRow._fields)):
        rows.setdefault(row.game__slug, []).append(row)
    now = timezone.now()
    return [_table_row(slug, seats, viewer, now=now) for slug, seats in rows.items()]


def _table_row(slug: str, seats: list[_SeatRow], viewer: Player | None, *, now: datetime) -> dict[str, object]:
    first, me = seats[0], viewer.pk if viewer else 0
    awaited = next((seat for seat in seats if seat.player and seat.player == first.game__awaited), None)
    return {
        "number": first.game__season_table__number,
        "url": table_url(slug),
        "text": _say_seats([(seat.name, seat.total) for seat in seats]),
        "is_over": first.game__status == Game.Status.FINISHED,
        "is_mine": any(seat.player == me for seat in seats),
        "to_move": summary.say_who_moves(awaited.name, is_me=awaited.player == me) if awaited else "",
        "due": _say_due(first.game__free_until, first.game__due_at, now=now) if awaited else "",
    }


def _say_due(free_until: datetime | None, due_at: datetime | None, *, now: datetime) -> SafeString:
    """Until when the move may take, as every list of tables says it, on one line; empty where no clock runs."""
    if free_until is None or due_at is None:
        return SafeString()
    due = say_due(free_until=free_until, due_at=due_at, now=now, zone=zone_here())
    return show_sentence(due._replace(template=due.template.replace(" ", "\N{NO-BREAK SPACE}")))


def _running_table_of(found: Season, viewer: Player | None) -> str:
    """The address of the table at which the viewer plays in the round that runs; empty for none. One query."""
    running = Game.objects.filter(season_table__round__season=found, status=Game.Status.RUNNING)
    slug = running.filter(seats__player=viewer).values_list("slug", flat=True).first()
    return table_url(slug) if slug else ""


def _say_seats(people: list[tuple[str, int | None]]) -> str:
    """Who sits there, with what they scored once the game is over: `alice (45) and bob (40)`."""
    return words.join_words([name if total is None else f"{name} ({total})" for name, total in people])


# --- What is done there ------------------------------------------------------------------------------


def _sign_in_first(_request: HttpRequest, found: Season) -> HttpResponse:
    """Lead a visitor to the page for signing in, and from there to the season."""
    return redirect_to_login(found.get_absolute_url())


def _join_later(request: HttpRequest, found: Season) -> HttpResponse:
    """What *Join* does for a visitor, if the season is open."""
    if found.status != Season.Status.OPEN:
        return _sign_in_first(request, found)
    return ask_for_season(request, found)


def season_action(
    act: Callable[[HttpRequest, Season, Player], HttpResponse],
    *,
    for_visitors: Callable[[HttpRequest, Season], HttpResponse] = _sign_in_first,
) -> Callable[[HttpRequest, str], HttpResponse]:
    """The view of a POST-only address, as `action` is for tables: a GET leads to the season, a visitor signs in first,
    and the season's page says what is refused."""

    @wraps(act)
    def view(request: HttpRequest, season: str) -> HttpResponse:
        found = season_of(season)
        if request.method != "POST":
            return redirect(found)
        viewer = viewer_of(request)
        if viewer is None:
            return for_visitors(request, found)
        try:
            return act(request, found, viewer)
        except play.DoneAlready as error:
            messages.info(request, words.explain_refusal(error))
            return SeeOther(found.get_absolute_url())
        except play.PlayError as error:
            status = FORBIDDEN if isinstance(error, play.NotYourSeason) else CONFLICT
            return show_season(request, season_of(season), refusal=words.explain_refusal(error), status=status)

    return view


def _join(request: HttpRequest, found: Season, player: Player) -> HttpResponse:
    play.join_season(found, player=player, at=timezone.now())
    return done(request, found, say_joined())


join_season = season_action(_join, for_visitors=_join_later)


@season_action
def leave_season(request: HttpRequest, found: Season, player: Player) -> HttpResponse:
    play.leave_season(found, player=player, at=timezone.now())
    return done(request, found, _("You have left this season."))


@season_action
def begin_season(request: HttpRequest, found: Season, player: Player) -> HttpResponse:
    play.begin_season(found, by=player, at=timezone.now())
    return done(request, found, _("The first round is drawn. Its tables open within a minute."))


@season_action
def close_season(request: HttpRequest, found: Season, player: Player) -> HttpResponse:
    play.close_season(found, by=player, at=timezone.now())
    return done(request, found, _("You have closed this season."))

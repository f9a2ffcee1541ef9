"""Feeds: a player's deadlines for calendars and their turns for readers, behind a secret address; the news of a table.

None shows a clan card. Whoever knows a secret address sees names of tables, deadlines and moves, and can do nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import wraps
from operator import attrgetter
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_safe

from games import mail, words
from games.models import Game, Notice, Player, Seat
from games.pages.access import Missing, game_of, season_of
from games.pages.player.ical import CalendarEvent, write_calendar
from games.pages.replies import ATOM, MOST_ENTRIES, Feed, respond_with_feed
from games.pov import Pov, look, read_awaiting
from games.words.time_left import say_free_until

CALENDAR: Final = "text/calendar; charset=utf-8"
_ADDRESS = re.compile(r"([1-9][0-9]{0,17})-([A-Za-z0-9_-]{43})", re.ASCII)
_NO_KEY = "-" * 43

PlayersView = Callable[[HttpRequest, Player], HttpResponse]


def feed_address(player: Player, name: str) -> str:
    """The whole secret address of a feed of `player`; `name` is `deadlines` or `turns`."""
    return settings.SITE_URL + reverse(name, args=(f"{player.pk}-{player.feed_key}",))


def _for_its_player(view: PlayersView) -> Callable[[HttpRequest, str], HttpResponse]:
    """A view for anybody who knows the secret address, in the language and the zone of its player. A removed address
    gets the same answer as one that never existed."""

    @wraps(view)
    def guarded(request: HttpRequest, feed: str) -> HttpResponse:
        # What goes wrong is logged by its path, and a page that says so names it.
        request.path = reverse("feeds")
        player = _player_of(feed)
        with mail.as_read_by(player):
            response = view(request, player)
            response["Content-Language"] = get_language()
        return response

    return require_safe(guarded)


def _player_of(feed: str) -> Player:
    """The player with this secret address; raises Http404. The number in the address finds them; then the key is
    compared in constant time."""
    address = _ADDRESS.fullmatch(feed)
    number, key = (int(address[1]), address[2]) if address else (0, _NO_KEY)
    player = Player.objects.filter(pk=number, is_active=True).first()
    known = player.feed_key if player else None
    if not constant_time_compare(key, known or _NO_KEY) or player is None or not known:
        raise Missing(_("There is no feed at this address."))
    return player


@_for_its_player
def deadlines(request: HttpRequest, player: Player) -> HttpResponse:
    """The deadlines of the player's turns, a calendar of one event for each table that waits."""
    at = timezone.now()
    waiting = Game.objects.awaiting(player).filter(due_at__isnull=False, started_at__isnull=False)
    found = [CalendarEvent.of(game, at=at) for game in waiting]
    changed = max([_changed(player), *(deadline.revised for deadline in found)])
    return respond_with_feed(request, write_calendar(found, player), CALENDAR, changed=changed)


def _changed(player: Player) -> datetime:
    """When a turn of the player's games last began, ended or had its clock set. 2 queries, by index however many games
    the player has finished."""
    clocks = Game.objects.unfinished_of(player).order_by().values_list("turn_since", "clock_set_at")
    ended = Seat.objects.filter(player=player, ended_at__isnull=False).order_by("-ended_at", "-game_id")
    moments = (moment for row in (*clocks, *ended.values_list("ended_at")[:1]) for moment in row if moment)
    return max(moments, default=player.date_joined)


@_for_its_player
def turns(request: HttpRequest, player: Player) -> HttpResponse:
    """The tables that wait for the player, newest first, each with what has happened there: 5 queries, and one more for
    the moves that this process has not read."""
    changed = _changed(player)
    feed = Feed(
        _("Your turns at Clans by mail"),
        link=settings.SITE_URL + reverse("home"),
        description=_("What waits for %(name)s.") % {"name": player.username},
        address=feed_address(player, "turns"),
        name=f"players/{player.pk}/turns",
    )
    seats = Seat.objects.filter(game__awaited=player, player=player, game__turn_since__isnull=False)
    loaded = seats.select_related("game__deal").defer("clan", "entropy")
    waiting = list(loaded.order_by("-game__turn_since", "-game_id")[:MOST_ENTRIES])
    read_awaiting(player, [seat.game for seat in waiting])
    for seat in waiting:
        seat.player = player
        _add_turn(feed, seat)
    return respond_with_feed(request, feed.dated(changed), ATOM, changed=changed)


def _add_turn(feed: Feed, seat: Seat) -> None:
    game = seat.game
    since = game.turn_since or game.created_at
    notice = Notice(seat=seat, kind=Notice.Kind.TURN, ply=game.ply, number=game.edition, created_at=since)
    entry = mail.brief_entry(notice, at=since)
    feed.add(
        entry.title,
        link=entry.url,
        lines=[*entry.history, say_free_until(game)],
        name=f"tables/{game.slug}/turns/{game.edition}-{game.ply}",
        author=game.name,
        at=since,
        changed=max(since, game.clock_set_at or since),
    )


@require_safe
def table_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """What happened at a table in words, newest first, as anybody who has its address may see it."""
    game = game_of(slug)
    pov = look(game, viewer=None)
    url = settings.SITE_URL + game.get_absolute_url()
    moments = (pov.created_at, pov.started_at, pov.turn_since, pov.ended_at, *(event.at for event in pov.events))
    changed = max(filter(None, moments))
    feed = Feed(
        pov.name,
        link=url,
        description=_("What happens at this table of Clans by mail."),
        address=settings.SITE_URL + reverse("table_feed", args=(slug,)),
        name=f"tables/{slug}",
    )
    for entry in sorted(_entries(pov, url), key=attrgetter("at"))[: -MOST_ENTRIES - 1 : -1]:
        name = f"tables/{slug}/{entry.name}"
        feed.add(entry.lines[-1], link=entry.url, lines=entry.lines, name=name, author=entry.author, at=entry.at)
    return respond_with_feed(request, feed.dated(changed), ATOM, changed=changed)


class _Entry(NamedTuple):
    """Something that happened at a table: told in `lines`; the last line is enough by itself."""

    at: datetime
    lines: list[str]
    name: str
    """Its permanent name among the entries of its table."""
    url: str
    author: str


def _entries(pov: Pov, url: str) -> Iterator[_Entry]:
    for move, text in zip(pov.moves, words.describe_moves(pov.moves, pov.seats), strict=True):
        ply = move.step.ply + 1
        # A move that was withdrawn and made again is another one.
        name = f"ply/{ply}/{_moment(move.at)}"
        ply_address = settings.SITE_URL + reverse("ply", args=(pov.slug, ply))
        yield _Entry(move.at, [text], name, ply_address, pov.seats[move.step.seat].name)
    for event in pov.events:
        text = words.describe_event(event, pov.seats)
        name = f"{event.kind}/{event.seat}/{_moment(event.at)}"
        yield _Entry(event.at, [text], name, url, pov.seats[event.seat].name_at(event.at))
    if pov.is_over and pov.ended_at:
        yield _Entry(pov.ended_at, [words.say_end(pov), words.say_result(pov)], "end", url, pov.name)


def _moment(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%S}"


@require_safe
def season_feed(request: HttpRequest, season: str) -> HttpResponse:
    """The rounds of a season and its end, newest first, for anybody who has its address. Two queries."""
    found = season_of(season)
    url = settings.SITE_URL + found.get_absolute_url()
    news = [
        (_("Round %(number)s has begun") % {"number": number}, f"round/{number}", began_at)
        for number, began_at in found.drawn_rounds.order_by("number").values_list("number", "began_at")
    ]
    if found.ended_at:
        ended = _("The season is over") if found.started_at else _("The season was closed before it began")
        news.append((ended, "end", found.ended_at))
    feed = Feed(
        found.name,
        link=url,
        description=_("The rounds of this season of Clans by mail."),
        address=settings.SITE_URL + reverse("season_feed", args=(season,)),
        name=f"leagues/{season}",
    )
    for text, name, at in reversed(news):
        lines, entry = [f"{found.name}: {text}."], f"leagues/{season}/{name}"
        feed.add(text, link=url, lines=lines, name=entry, author=found.name, at=at)
    changed = max([found.created_at, *(at for _text, _name, at in news)])
    return respond_with_feed(request, feed.dated(changed), ATOM, changed=changed)

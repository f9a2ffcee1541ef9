"""Tables as lists show them: plain values from the games' own columns, nothing folded and no card near them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import get_language, gettext as _, ngettext

from games import words
from games.models import Game, Player, Seat
from games.prepared import prepare


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Who sits in a seat, and the result once the game is over."""

    place: int
    name: str
    is_bot: bool
    has_resigned: bool
    is_mine: bool
    total: int | None
    rank: int | None

    @property
    def has_won(self) -> bool:
        return self.rank == 1

    @property
    def named(self) -> str:
        """The name, and whether a computer player has taken over."""
        return _("%(name)s (resigned)") % {"name": self.name} if self.has_resigned else self.name


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table of a list. `since` is when it was opened, when the turn began, or when the game ended."""

    url: str
    name: str
    status: str
    size: int
    is_public: bool
    has_house_rule: bool
    ply: int
    since: datetime
    end: str
    seats: tuple[SeatLine, ...]
    mover: SeatLine | None

    @property
    def is_open(self) -> bool:
        return self.status == Game.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == Game.Status.RUNNING

    @property
    def is_my_turn(self) -> bool:
        return self.mover is not None and self.mover.is_mine and not self.mover.is_bot

    @property
    def state(self) -> str:
        """What it is waiting for or how it ended, in a few words."""
        if self.is_open:
            free = self.size - len(self.seats)
            return ngettext("%(free)s seat free", "%(free)s seats free", free) % {"free": free}
        if self.is_running:
            return self._turn()
        return self._result()

    @property
    def ending(self) -> str:
        """What ended a game that was played to its end (rules 7.1 and 7.2)."""
        return _say_ending(get_language() or "", self.end)

    @property
    def tags(self) -> list[str]:
        """What else one should know before going there."""
        house_rule = [_("house rule")] if self.has_house_rule else []
        link_only = [] if self.is_public else [_("by link only")]
        return house_rule + link_only

    def _turn(self) -> str:
        if self.is_my_turn:
            return _("Your turn")
        return _("%(name)s to move") % {"name": self.mover.name if self.mover else "?"}

    def _result(self) -> str:
        winners = tuple(seat.named for seat in self.seats if seat.has_won)
        return _say_winners(get_language() or "", self.end, winners)


@lru_cache(maxsize=4096)
def _say_winners(_language: str, end: str, winners: tuple[str, ...]) -> str:
    """Who won a game that ended so; kept, as `_say_ending`, because a translation is dear in a long list."""
    if end == Game.End.ABANDONED:
        return _("Abandoned, nobody won")
    if len(winners) > 1:
        return _("%(names)s share the win") % {"names": words.join_words(winners)}
    return _("%(name)s won") % {"name": winners[0] if winners else "?"}


@lru_cache(maxsize=64)
def _say_ending(_language: str, end: str) -> str:
    if end == Game.End.VILLAGES:
        return _("twelve villages")
    return _("no move left") if end == Game.End.NO_MOVES else ""


def table_lines(lists: Iterable[Sequence[Game]], *, viewer: Player | None) -> list[list[TableLine]]:
    """The lines of several lists of games, with one query for all their seats."""
    lists = list(lists)
    seats = _seats([game for games in lists for game in games], viewer)
    return [[_line(game, seats[game.pk]) for game in games] for games in lists]


@lru_cache(maxsize=4096)
def table_url(slug: str) -> str:
    """The address of a table; kept, because making one costs as much as the rest of its row."""
    return reverse("table", args=(slug,))


def _line(game: Game, seats: list[SeatLine]) -> TableLine:
    return TableLine(
        url=table_url(game.slug),
        name=game.name,
        status=game.status,
        size=game.size,
        is_public=game.is_public,
        has_house_rule=game.five_clans == Game.FiveClans.NOTHING,
        ply=game.ply,
        since=game.ended_at or game.turn_since or game.created_at,
        end=game.end,
        seats=tuple(seats),
        mover=seats[game.to_move] if game.to_move is not None else None,
    )


def _seats(games: Sequence[Game], viewer: Player | None) -> defaultdict[int, list[SeatLine]]:
    """The seats of each game in the order of play, or of joining before the start."""
    seats: defaultdict[int, list[SeatLine]] = defaultdict(list)
    me = viewer.pk if viewer else 0
    for game, player, name, is_bot, resigned_at, joined, number, total, rank in _seat_rows([game.pk for game in games]):
        place = joined if number is None else number
        has_resigned = resigned_at is not None
        seats[game].append(SeatLine(place, name, bool(is_bot), has_resigned, player == me, total, rank))
    for found in seats.values():
        found.sort(key=attrgetter("place"))
    return seats


def _seat_rows(games: list[int]) -> list[tuple[Any, ...]]:
    """One query; made up to a multiple of eight by games that there are not, so that its SQL is one of a few."""
    games += [0] * (-len(games) % 8 if games else 8)
    with connection.cursor() as cursor:
        cursor.execute(*prepare(_seats_of, *games))
        return list(cursor.fetchall())


def _seats_of(*games: int) -> QuerySet[Seat, Any]:
    columns = ("game_id", "player_id", "name", "is_bot", "resigned_at", "joined", "number", "total", "rank")
    return Seat.objects.filter(game__in=games).values_list(*columns)

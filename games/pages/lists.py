"""Tables as lists show them: plain values from columns. No game is folded for them, and no clan card is read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from games import words
from games.models import Game, Player, Seat
from games.pages.pace import name_pace
from games.prepared import fetch


class Listed(NamedTuple):
    """What lists read of a game, by the names of its columns."""

    pk: int
    slug: str
    name: str
    status: str
    size: int
    is_public: bool
    five_clans: str
    to_move: int | None
    awaited_id: int | None
    created_at: datetime
    turn_since: datetime | None
    ended_at: datetime | None
    end: str
    move_hours: int
    reserve_hours: int
    free_until: datetime | None
    due_at: datetime | None


class SeatLine(NamedTuple):
    """Who sits in a seat, and the result once the game is over."""

    name: str
    has_resigned: bool
    total: int | None
    rank: int | None

    @property
    def has_won(self) -> bool:
        return self.rank == 1

    @property
    def named(self) -> str:
        """The name, and whether a computer player has taken over."""
        return _("%(name)s (resigned)") % {"name": self.name} if self.has_resigned else self.name


class TableLine(NamedTuple):
    """One table of a list. `since` is when it was opened, when the turn began, or when the game ended; the turn that
    runs is free until `free_until` and over at `due_at`.

    What it says in words it says in the active language.
    """

    slug: str
    name: str
    status: str
    size: int
    is_public: bool
    has_house_rule: bool
    is_my_turn: bool
    to_move: int | None
    since: datetime
    end: str
    move_hours: int
    reserve_hours: int
    free_until: datetime | None
    due_at: datetime | None
    seats: tuple[SeatLine, ...]

    @property
    def state(self) -> str:
        """What it is waiting for or how it ended, in a few words."""
        if self.status == Game.Status.OPEN:
            free = self.size - len(self.seats)
            return ngettext("%(free)s seat free", "%(free)s seats free", free) % {"free": free}
        if self.status == Game.Status.RUNNING:
            return self._turn()
        return self._result()

    @property
    def ending(self) -> str:
        """What ended a game that was played to its end (rules 7.1 and 7.2)."""
        if self.end == Game.End.VILLAGES:
            return _("twelve villages")
        return _("no move left") if self.end == Game.End.NO_MOVES else ""

    @property
    def tags(self) -> list[str]:
        """What else one should know before going there."""
        house_rule = [_("house rule")] if self.has_house_rule else []
        link_only = [] if self.is_public else [_("by link only")]
        pace = [name_pace(self.move_hours, self.reserve_hours)] if self.status == Game.Status.OPEN else []
        return pace + house_rule + link_only

    def _turn(self) -> str:
        if self.is_my_turn:
            return _("Your turn")
        return _("%(name)s to move") % {"name": "?" if self.to_move is None else self.seats[self.to_move].name}

    def _result(self) -> str:
        if self.end == Game.End.ABANDONED:
            return _("Abandoned, nobody won")
        winners = [seat.named for seat in self.seats if seat.has_won]
        if len(winners) > 1:
            return _("%(names)s share the win") % {"names": words.join_words(winners)}
        return _("%(name)s won") % {"name": winners[0] if winners else "?"}


def table_lines(lists: Iterable[Sequence[Listed]], *, viewer: Player | None) -> list[list[TableLine]]:
    """The lines of several lists of games, with one query for all their seats."""
    lists = list(lists)
    seats = _seats([game.pk for games in lists for game in games])
    me = viewer.pk if viewer else 0
    return [[_line(game, seats[game.pk], is_my_turn=game.awaited_id == me) for game in games] for games in lists]


@lru_cache(maxsize=4096)
def table_url(slug: str) -> str:
    """The address of a table; kept, because making one costs as much as the rest of its row."""
    return reverse("table", args=(slug,))


def _line(game: Listed, seats: list[SeatLine], *, is_my_turn: bool) -> TableLine:
    return TableLine(
        slug=game.slug,
        name=game.name,
        status=game.status,
        size=game.size,
        is_public=game.is_public,
        has_house_rule=game.five_clans == Game.FiveClans.NOTHING,
        is_my_turn=is_my_turn,
        to_move=game.to_move,
        since=game.ended_at or game.turn_since or game.created_at,
        end=game.end,
        move_hours=game.move_hours,
        reserve_hours=game.reserve_hours,
        free_until=game.free_until,
        due_at=game.due_at if game.status == Game.Status.RUNNING else None,
        seats=tuple(seats),
    )


def _seats(games: list[int]) -> defaultdict[int, list[SeatLine]]:
    """The seats of each game in the order of play, or before the start of joining: one query, made up to a multiple of
    eight by games that there are not, so that its SQL is one of a few."""
    games += [0] * (-len(games) % 8 if games else 8)
    seats: defaultdict[int, list[SeatLine]] = defaultdict(list)
    for game, name, has_resigned, total, rank in fetch(_seats_of, *games):
        seats[game].append(SeatLine(name, has_resigned, total, rank))
    return seats


def _seats_of(*games: int) -> QuerySet[Seat, tuple[int, str, bool, int | None, int | None]]:
    seats = Seat.objects.filter(game__in=games).annotate(has_resigned=Q(resigned_at__isnull=False))
    return seats.order_by("number", "joined").values_list("game_id", "name", "has_resigned", "total", "rank")

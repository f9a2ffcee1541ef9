"""Tables as lists show them: plain values from columns. No game is folded for them, and no clan card is read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, Final, NamedTuple

from django.db.models import Case, Count, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext

from games.caching import prepared
from games.models import AUTOMATIC, FORMER, Game, ImportedRecord, Invitation, Player, Seat
from games.pages.access import link_imported, link_player
from games.words import summary
from games.words.pace import name_pace
from games.words.vocabulary import count_moves

VISITOR: Final = Player(pk=0, email="nobody")
"""A visitor, for queries that depend on their reader."""


class ListedGame(NamedTuple):
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
    board: str
    ply: int
    edition: int
    follows_id: int | None
    winning_total: int | None
    margin: int | None
    allows_takeover: bool
    opener_id: int | None


class SeatSummary(NamedTuple):
    """Who sits in a seat, and the result once the game is over."""

    name: str
    has_resigned: bool
    total: int | None
    rank: int | None
    is_person: bool = True
    is_automatic: bool = False
    """Whether a computer player, or the autopilot, moves there."""
    is_computer: bool = False
    """Whether a computer player has had it from the start."""
    kept_for_others: int = 0
    """Before the start: how many seats of the table are kept for others than the reader."""
    i_resigned: bool = False
    """Whether it was the reader who resigned."""
    imported_at: datetime | None = None
    """When the game was imported, if it was."""

    @property
    def link(self) -> SafeString:
        """The name as a link to the page of its player, if there is one, or to the games of a person of imported
        ones."""
        if self.imported_at and not (self.is_person or self.is_computer):
            return link_imported(self.name)
        return link_player(self.name, has_page=self.is_person and not self.name.startswith(FORMER))

    @property
    def linked(self) -> SafeString:
        """`named` with that link."""
        return SafeString(escape(self.named).replace(escape(self.name), self.link, 1))

    @property
    def has_won(self) -> bool:
        return self.rank == 1

    @property
    def named(self) -> str:
        """The name, and whether a computer player has taken over."""
        return _("%(name)s (resigned)") % {"name": self.name} if self.has_resigned else self.name


class TableSummary(NamedTuple):
    """A table in a list, with its seats in the order of play, or before the start of joining.

    What it says in words it says in the active language.
    """

    game: ListedGame
    seats: tuple[SeatSummary, ...]
    is_my_turn: bool

    @property
    def since(self) -> datetime:
        """When it was opened, when the turn began, or when the game ended."""
        return self.game.ended_at or self.game.turn_since or self.game.created_at

    @property
    def has_time(self) -> bool:
        """Whether `since` is known. Of an imported game whose record tells no time it is the moment of the import."""
        return not any(seat.imported_at and seat.imported_at == self.game.ended_at for seat in self.seats)

    @property
    def due_at(self) -> datetime | None:
        """When the turn that runs is over; it is free until `game.free_until`."""
        return self.game.due_at if self.game.status == Game.Status.RUNNING else None

    @property
    def i_resigned(self) -> bool:
        """Whether the reader has resigned from it."""
        return any(seat.i_resigned for seat in self.seats)

    @property
    def state(self) -> str:
        """What it is waiting for or how it ended, in a few words."""
        if self.game.status == Game.Status.OPEN:
            if len(self.seats) == self.game.size:
                return _("begins when all are ready")  # It is a later one of a series.
            kept = self.seats[0].kept_for_others if self.seats else 0
            free = max(0, self.game.size - len(self.seats) - kept)
            said = ngettext("%(free)s seat free", "%(free)s seats free", free) if free else _("no seat free")
            return said % {"free": free}
        if self.game.status == Game.Status.RUNNING:
            mover = "?" if self.game.to_move is None else self.seats[self.game.to_move].name
            return summary.say_who_moves(mover, is_me=self.is_my_turn)
        return summary.say_who_won(self.game.end, [seat.named for seat in self.seats if seat.has_won])

    @property
    def picture(self) -> str:
        """What its small board shows, for readers who do not see it."""
        has_begun = self.game.status in (Game.Status.RUNNING, Game.Status.FINISHED)
        return summary.say_picture(self.game.ply if has_begun else None)

    @property
    def ending(self) -> str:
        """What ended a game that was played to its end (rules 7.1 and 7.2)."""
        if self.game.end == Game.End.VILLAGES:
            return _("twelve villages")
        return _("no move left") if self.game.end == Game.End.NO_MOVES else ""

    @property
    def course(self) -> str:
        """How many moves were played, and what ended the game, if it was played to its end."""
        return ", ".join(filter(None, [count_moves(self.game.ply), self.ending]))

    @property
    def tags(self) -> list[str]:
        """What else one should know before opening it."""
        game = self.game
        is_free = game.allows_takeover and any(seat.is_person and seat.is_automatic for seat in self.seats)
        tags = {
            name_pace(game.move_hours, game.reserve_hours): game.status == Game.Status.OPEN,
            _("house rule"): game.five_clans == Game.FiveClans.NOTHING,
            _("by link only"): not game.is_public,
            _("a seat is free to take over"): is_free and game.status == Game.Status.RUNNING,
            _("imported"): game.opener_id is None,
        }
        return [tag for tag, holds in tags.items() if holds]


def summarize_tables(lists: Iterable[Sequence[ListedGame]], *, viewer: Player | None) -> list[list[TableSummary]]:
    """Summaries of several lists of games, with one query for all their seats."""
    lists = list(lists)
    seats = _seats([game.pk for games in lists for game in games], viewer or VISITOR)
    me = viewer.pk if viewer else 0
    return [
        [TableSummary(game, tuple(seats[game.pk]), is_my_turn=game.awaited_id == me) for game in games]
        for games in lists
    ]


def _seats(games: list[int], reader: Player) -> defaultdict[int, list[SeatSummary]]:
    """The seats of each game in the order of play, or before the start of joining: one query. The list of keys is
    padded to a multiple of eight with keys of no game, so that there are few different SQL texts."""
    games += [0] * (-len(games) % 8 if games else 8)
    seats: defaultdict[int, list[SeatSummary]] = defaultdict(list)
    for game, *seat in _seats_of(datetime.now(UTC), reader.pk, reader.email, *games):
        seats[game].append(SeatSummary(*seat))
    return seats


@prepared
def _seats_of(at: datetime, reader: int, address: str, *games: int) -> QuerySet[Seat, Any]:
    invited = Invitation.objects.filter(game=OuterRef("game_id")).order_by()
    kept = invited.keeping_from(Player(pk=reader, email=address), at=at).values("game").values(count=Count("pk"))
    seats = Seat.objects.filter(game__in=games).annotate(
        has_resigned=Q(resigned_at__isnull=False),
        is_person=Q(player_id__isnull=False),
        automatic=AUTOMATIC,
        is_computer=Q(is_bot=True, resigned_at=None),
        kept_for_others=Case(When(number=None, then=Coalesce(Subquery(kept), 0)), default=0),
        i_resigned=Q(player_id=reader, resigned_at__isnull=False),
        imported_at=Subquery(ImportedRecord.objects.filter(game=OuterRef("game_id")).values("at")),
    )
    seats = seats.order_by("number", "joined")
    # `Seat.is_automatic` is a property, so the column has another name.
    columns = ["automatic" if name == "is_automatic" else name for name in SeatSummary._fields]
    return seats.values_list("game_id", *columns)

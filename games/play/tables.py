"""Tables before they start: open, join, leave, close, start (rules 2, design 2.8)."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction

from games import clocks, rules
from games.models import Deal, Game, Player, Seat
from games.play.announce import announce_closing, announce_expiry, announce_start
from games.play.clock import wind_up
from games.play.errors import (
    AccountClosed,
    AlreadySeated,
    ClosedAlready,
    NoSuchSeat,
    NotEnoughPlayers,
    NotTheOpener,
    StartedAlready,
    TableFull,
    TableNotOpen,
)
from games.play.lock import locked

OPEN_FOR = timedelta(days=30)
"""So long a table waits for its players."""


class Terms(NamedTuple):
    """How fast a table plays, and what becomes of who does not."""

    move_hours: int = clocks.STEADY.move_hours
    reserve_hours: int = clocks.STEADY.reserve_hours
    allows_vacation: bool = True
    overdue: str = Game.Overdue.AUTOPILOT


def open_table(
    player: Player,
    *,
    name: str,
    size: int,
    bots: int = 0,
    five_clans: str = Game.FiveClans.SCORE,
    is_public: bool = True,
    terms: Terms | None = None,
    follows: Game | None = None,
    entropy: str = "",
    key: str = "",
    at: datetime,
) -> Game:
    """A new table of `size` seats: its opener in the first, `bots` computer players in the next.

    The deal's seed is fixed here, and so is the commitment that everybody sees. A table that computer players fill
    starts at once. Who has played in the finished game that it `follows` is asked to play again. The same `key` from
    the same opener again gets the table that it opened before. Raises ValueError when `size` is not 2 to 4 or `bots`
    leaves no first seat, and AccountClosed.
    """
    if not 2 <= size <= 4 or not 0 <= bots < size:
        raise ValueError(f"{bots} computer players do not fit into {size} seats")
    with transaction.atomic():
        about = {
            "name": name,
            "size": size,
            "five_clans": five_clans,
            "is_public": is_public,
            "follows": follows,
            "created_at": at,
            "due_at": at + OPEN_FOR,
            **(terms or Terms())._asdict(),
        }
        game, is_new = Game.objects.get_or_create(about, opener=player, key=key or secrets.token_hex(16))
        if not is_new:
            return game
        _fix_seed(game)
        _seat_player(game, player, joined=0, entropy=entropy)
        Seat.objects.bulk_create(
            Seat(game=game, name=f"computer {number}", is_bot=True, joined=number) for number in range(1, bots + 1)
        )
        _start_when_full(game, at=at)
    return game


def join_table(game: Game, *, player: Player, entropy: str = "", at: datetime) -> Seat:
    """The seat that `player` took; the game starts when it was the last.

    Raises TableNotOpen, AlreadySeated, TableFull, AccountClosed.
    """
    with locked(game) as game:
        if game.seats.filter(player=player).exists():
            raise AlreadySeated
        if game.status == Game.Status.RUNNING:
            raise TableFull
        _check_open(game)
        seat = _seat_player(game, player, joined=_first_free_place(game), entropy=entropy)
        _start_when_full(game, at=at)
        return seat


def leave_table(game: Game, *, player: Player) -> None:
    """Give up a seat before the start. The opener closes the table instead. Raises TableNotOpen, NoSuchSeat."""
    with locked(game) as game:
        _check_open(game)
        left, _rows = game.seats.filter(player=player).exclude(player=game.opener).delete()
        if not left:
            raise NoSuchSeat


def close_table(game: Game, *, player: Player, at: datetime) -> None:
    """Close a table that has not started, and tell the others who sit there. Of one that expires nobody says when it
    ended. Raises TableNotOpen, NotTheOpener, ClosedAlready."""
    with locked(game) as game:
        if game.status == Game.Status.CLOSED and game.opener_id == player.pk:
            raise ClosedAlready
        _check_open(game)
        _check_opener(game, player)
        game.status, game.due_at, game.ended_at = Game.Status.CLOSED, None, at
        game.save(update_fields=("status", "due_at", "ended_at"))
        announce_closing(list(game.seats.select_related("player")), by=player, at=at)


def expire_tables(*, at: datetime) -> int:
    """Close the open tables that have waited too long, and tell those who waited there; how many they were."""
    closed = 0
    for game in Game.objects.filter(status=Game.Status.OPEN, due_at__lte=at).only("pk"):
        with locked(game) as current:
            if current.status == Game.Status.OPEN and current.due_at is not None and current.due_at <= at:
                current.status, current.due_at = Game.Status.CLOSED, None
                current.save(update_fields=("status", "due_at"))
                announce_expiry(list(current.seats.select_related("player")), at=at)
                closed += 1
    return closed


def start_table(game: Game, *, player: Player, at: datetime) -> None:
    """Start with the seats taken so far. Raises TableNotOpen, NotTheOpener, NotEnoughPlayers, StartedAlready."""
    with locked(game) as game:
        if game.started_at and game.opener_id == player.pk:
            raise StartedAlready
        _check_open(game)
        _check_opener(game, player)
        if game.seats.count() < 2:
            raise NotEnoughPlayers
        _start(game, at=at)


def _check_open(game: Game) -> None:
    if game.status != Game.Status.OPEN:
        raise TableNotOpen


def _check_opener(game: Game, player: Player) -> None:
    if game.opener_id != player.pk:
        raise NotTheOpener


def _fix_seed(game: Game) -> None:
    seed = secrets.token_bytes(rules.SEED_BYTES)
    Deal.objects.create(game=game, seed=seed, commitment=rules.commitment(seed), version=rules.DEAL_VERSION)


def _seat_player(game: Game, player: Player, *, joined: int, entropy: str) -> Seat:
    seat = Seat.objects.create(game=game, player=player, name=player.username, joined=joined, entropy=entropy)
    # Asked with the seat taken: an account that is being closed either has this seat among its own, or is closed here.
    if not Player.objects.filter(pk=player.pk, is_active=True).exists():
        raise AccountClosed
    return seat


def _first_free_place(game: Game) -> int:
    taken = set(game.seats.values_list("joined", flat=True))
    free = [place for place in range(game.size) if place not in taken]
    if not free:
        raise TableFull
    return free[0]


def _start_when_full(game: Game, *, at: datetime) -> None:
    if game.seats.count() == game.size:
        _start(game, at=at)


def _start(game: Game, *, at: datetime) -> None:
    """Draw opening, cards, seats and starting player from the deal and begin (rules 2)."""
    seats = list(game.seats.order_by("joined").select_related("player"))
    draw = rules.draw(bytes(game.deal.seed), game=game.slug, players=[(seat.name, seat.entropy) for seat in seats])
    in_order = [seats[joined] for joined in draw.order]
    for number, (seat, clan) in enumerate(zip(in_order, draw.clans, strict=True)):
        seat.number, seat.clan = number, clan
    Seat.objects.bulk_update(in_order, ("number", "clan"))
    game.size, game.board, game.huts, game.first = len(seats), rules.BOARD.id, draw.huts, draw.first
    game.status, game.started_at = Game.Status.RUNNING, at
    wind_up(game, in_order[draw.first], at=at)
    game.save()
    announce_start(game, in_order, at=at)

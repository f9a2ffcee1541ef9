"""Tables before they start: open, join, leave, close, start (rules 2, design 1.6)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games import rules
from games.models import (
    COMPUTER,
    MOST_GAMES,
    Game,
    Invitation,
    Player,
    Seat,
    Series,
    Terms,
    free_seats,
    hash_opening,
    new_slug,
)
from games.play.announce import (
    announce_again,
    announce_closing,
    announce_expiry,
    announce_handing_on,
    announce_start,
)
from games.play.deadlines import start_clock
from games.play.deals import FixedDeal, draw_deal, keep_deal, random_deal
from games.play.invitations import Guests, accept_invitation, accept_invitations, invite_guests, owe_release
from games.play.lock import locked
from games.play.mutes import check_welcome
from games.play.totals import note_meetings
from games.words.refusals import (
    AccountClosed,
    AlreadySeated,
    ClosedAlready,
    NoSuchSeat,
    NotAllReady,
    NotEnoughPlayers,
    NotSeated,
    NotTheOpener,
    StartedAlready,
    TableFull,
    TableNotOpen,
)

OPEN_FOR = timedelta(days=30)
"""How long a table waits for players."""


USUAL: Final = Terms()


def open_table(
    player: Player,
    *,
    name: str,
    size: int,
    bots: int = 0,
    terms: Terms = USUAL,
    follows: Game | None = None,
    games: int = 1,
    guests: Guests | None = None,
    fixed: FixedDeal | None = None,
    entropy: str = "",
    key: str = "",
    at: datetime,
) -> Game:
    """Open a table of `size` seats, with its opener in the first and computer players in the next `bots`.

    The deal is the one that was `fixed` before its opener chose words, or a random one. A table that computer players
    fill starts at once. The players of the finished game that it `follows` are asked to play again, and the `guests`
    are invited; if one of them cannot be invited, no table is opened. The same `key` from the same opener returns the
    table that it opened before, and invites nobody again. It is played by the version of the rules that is standard
    now. A table by link, or with computer players, is never rated: no rating tells who plays there; and nobody but its
    players reads the talk at a table by link. With more than one of `games` it is the first of a series. Raises
    ValueError when `size` is not 2 to 4, `bots` leaves no first seat or `games` are more than 12, rules.UnknownRuleset,
    DealUsed, GuestsRefused and AccountClosed.
    """
    ruleset = rules.standard_ruleset(terms.board)
    if not 2 <= size <= 4 or not 0 <= bots < size:
        raise ValueError(f"{bots} computer players do not fit into {size} seats")
    if not 1 <= games <= MOST_GAMES:
        raise ValueError(f"there is no series of {games} games")
    if bots or not terms.is_public:
        terms = terms._replace(is_rated=False)
    if not terms.is_public:
        terms = terms._replace(talk=Game.Talk.PLAYERS)
    with transaction.atomic():
        about = {
            "slug": new_slug(is_public=terms.is_public),
            "name": name,
            "size": size,
            "rules": ruleset.version.number,
            "follows": follows,
            "created_at": at,
            "due_at": at + OPEN_FOR,
            **terms._asdict(),
        }
        game, is_new = Game.objects.get_or_create(about, opener=player, key=key or secrets.token_hex(16))
        if not is_new:
            return game
        if games > 1:
            _begin_series(game, length=games)
        keep_deal(game, fixed or random_deal())
        _seat_player(game, player, joined=0, entropy=entropy)
        Seat.objects.bulk_create(
            Seat(game=game, name=f"{COMPUTER} {number}", is_bot=True, joined=number) for number in range(1, bots + 1)
        )
        if follows is not None:
            announce_again(follows, by=player, number=follows.followed_by.count(), at=at)
        start_when_full(game, at=at)
        invite_guests(game, by=player, guests=guests or Guests(), at=at)
    return game


def _begin_series(game: Game, *, length: int) -> None:
    slug = new_slug(is_public=game.is_public)
    game.series, game.series_number = Series.objects.create(slug=slug, length=length), 1
    game.save(update_fields=("series", "series_number"))


def _end_series(game: Game) -> None:
    """End the series, if there is one, of a table that is closed before its game begins."""
    if game.series_id is not None:
        Series.objects.filter(pk=game.series_id).update(state=Series.State.OVER)


def begin_table(
    players: Sequence[Player],
    *,
    name: str,
    size: int,
    terms: Terms,
    key: str,
    at: datetime,
) -> Game:
    """A game of 1 to `size` players that starts at once, with computer players in the other seats; the first of them is
    its opener. Nobody is asked who blocks whom. The same `key` returns the game that it began before. Raises
    AccountClosed."""
    with transaction.atomic():
        game = open_table(
            players[0],
            name=name,
            size=size,
            bots=size - len(players),
            terms=terms,
            key=key,
            at=at,
        )
        if game.status == Game.Status.OPEN:
            for player in players[1:]:
                _seat_player(game, player, joined=_first_free_place(game), entropy="")
            start_when_full(game, at=at)
    return game


def join_table(
    game: Game, *, player: Player, entropy: str = "", invitation: Invitation | None = None, at: datetime
) -> Seat:
    """Seat `player` at an open table; the game starts when no seat is left. This answers their invitations to the
    table, and the `invitation` by whose link they come.

    Raises TableNotOpen, AlreadySeated, NotWelcome, TableFull (also when the free seats are kept for others),
    AccountClosed.
    """
    with locked(game) as game:
        if game.seats.filter(player=player).exists():
            raise AlreadySeated
        if game.is_running:
            raise TableFull
        _check_open(game)
        check_welcome(game, player)
        if not free_seats(game, at=at, but_for=invitation or player):
            raise TableFull
        seat = _seat_player(game, player, joined=_first_free_place(game), entropy=entropy)
        accept_invitations(game, player=player, at=at)
        if invitation:
            accept_invitation(invitation, at=at)
        start_when_full(game, at=at)
        return seat


def leave_table(game: Game, *, player: Player) -> None:
    """Give up a seat before the start. The opener closes the table instead, and so does a player who does not go on
    with a series. Raises TableNotOpen, NoSuchSeat, NotAllReady."""
    with locked(game) as game:
        _check_open(game)
        _check_no_later_game(game)
        left, _rows = game.seats.filter(player=player).exclude(player=game.opener).delete()
        if not left:
            raise NoSuchSeat


def release_player(game: Game, *, by: Player, name: str, at: datetime) -> None:
    """Let the opener of an open table take the seat of the player of that `name`, who is told, and may sit down again
    unless they are blocked. Raises TableNotOpen, NotTheOpener, NotAllReady, NotSeated."""
    with locked(game) as game:
        _check_open(game)
        _check_opener(game, by)
        _check_no_later_game(game)
        seat, player = _seat_of_another(game, by, name)
        owe_release(game, by=by, player=player, at=at)
        seat.delete()


def hand_on_table(game: Game, *, by: Player, name: str, at: datetime) -> None:
    """Make the player of that `name`, who sits at the open table of `by`, its opener. `by` keeps the seat. Raises
    TableNotOpen, NotTheOpener, NotSeated."""
    with locked(game) as game:
        _check_open(game)
        _check_opener(game, by)
        seat, game.opener = _seat_of_another(game, by, name)
        game.save(update_fields=("opener",))
        announce_handing_on(game, seat, by=by, at=at)


def close_table(game: Game, *, player: Player, at: datetime) -> None:
    """Close a table that has not started, and tell the others who sit there. `ended_at` tells it from a table that has
    expired, which has none. The table of a later game of a series is closed by whichever of its players does not go on.
    Raises TableNotOpen, NotTheOpener, NoSuchSeat, ClosedAlready."""
    with locked(game) as game:
        if game.status == Game.Status.CLOSED and game.opener_id == player.pk:
            raise ClosedAlready
        _check_open(game)
        if not game.asks_who_is_ready:
            _check_opener(game, player)
        elif not game.seats.filter(player=player).exists():
            raise NoSuchSeat
        game.status, game.due_at, game.ended_at = Game.Status.CLOSED, None, at
        game.save(update_fields=("status", "due_at", "ended_at"))
        _end_series(game)
        announce_closing(game, list(game.seats.select_related("player")), by=player, at=at)


def expire_tables(*, at: datetime) -> int:
    """Close the open tables that have waited too long, and tell those who sit there; returns how many."""
    closed = 0
    for game in Game.objects.filter(status=Game.Status.OPEN, due_at__lte=at).only("pk"):
        with locked(game) as current:
            if current.status == Game.Status.OPEN and current.due_at is not None and current.due_at <= at:
                current.status, current.due_at = Game.Status.CLOSED, None
                current.save(update_fields=("status", "due_at"))
                _end_series(current)
                announce_expiry(current, list(current.seats.select_related("player")), at=at)
                closed += 1
    return closed


def start_table(game: Game, *, player: Player, at: datetime) -> None:
    """Start with the seats taken so far. Raises TableNotOpen, NotTheOpener, NotAllReady, NotEnoughPlayers,
    StartedAlready."""
    with locked(game) as game:
        if game.started_at and game.opener_id == player.pk:
            raise StartedAlready
        _check_open(game)
        _check_opener(game, player)
        _check_no_later_game(game)
        if game.seats.count() < 2:
            raise NotEnoughPlayers
        _start(game, at=at)


def _check_open(game: Game) -> None:
    if game.status != Game.Status.OPEN:
        raise TableNotOpen


def _check_opener(game: Game, player: Player) -> None:
    if game.opener_id != player.pk:
        raise NotTheOpener


def _check_no_later_game(game: Game) -> None:
    if game.asks_who_is_ready:
        raise NotAllReady


def _seat_of_another(game: Game, player: Player, name: str) -> tuple[Seat, Player]:
    """The seat of another person than `player`, by the name that the table shows, and who that is."""
    for seat in game.seats.select_related("player"):
        if seat.player is not None and seat.player != player and seat.name == name:
            return seat, seat.player
    raise NotSeated


def _seat_player(game: Game, player: Player, *, joined: int, entropy: str) -> Seat:
    seat = Seat.objects.create(game=game, player=player, name=player.username, joined=joined, entropy=entropy)
    # Read after the seat is written: either the closing of the account finds this seat, or this finds it closed.
    if not Player.objects.filter(pk=player.pk, is_active=True).exists():
        raise AccountClosed
    return seat


def _first_free_place(game: Game) -> int:
    taken = set(game.seats.values_list("joined", flat=True))
    free = [place for place in range(game.size) if place not in taken]
    if not free:
        raise TableFull
    return free[0]


def start_when_full(game: Game, *, at: datetime) -> None:
    """Start the locked `game` if all of its seats are taken by players who are ready."""
    if game.seats.filter(is_ready=True).count() == game.size:
        _start(game, at=at)


def _start(game: Game, *, at: datetime) -> None:
    """Draw opening, cards, seats and starting player from the deal and begin (rules 2)."""
    seats = list(game.seats.order_by("joined").select_related("player"))
    draw = draw_deal(game, seats)
    in_order = [seats[joined] for joined in draw.order]
    for number, (seat, clan) in enumerate(zip(in_order, draw.clans, strict=True)):
        seat.number, seat.clan = number, clan
    Seat.objects.bulk_update(in_order, ("number", "clan", "share"))
    game.size, game.huts, game.first = len(seats), draw.huts, draw.first
    game.status, game.started_at = Game.Status.RUNNING, at
    game.last_hash = hash_opening(game)
    start_clock(game, in_order[draw.first], at=at)
    game.save()
    note_meetings(seats)
    announce_start(game, in_order, at=at)

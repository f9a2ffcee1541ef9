"""Whether what is remembered of a game agrees with itself: the log is the truth (design 1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Prefetch

from games import rules
from games.models import Game, Move, Notice, Seat


def unsound() -> list[str]:
    """What does not agree, of all games; empty when all is well. Costs four queries, and one for each that runs."""
    seats = Seat.objects.select_related("player").order_by("joined")
    notices = Notice.objects.filter(kind__in=(Notice.Kind.TURN, Notice.Kind.FINISHED))
    games = Game.objects.select_related("deal", "awaited").prefetch_related(
        Prefetch("seats", seats),
        Prefetch("seats__notices", notices.only("seat_id", "player_id", "kind", "ply")),
        Prefetch("moves", Move.objects.order_by("ply")),
    )
    return [f"{game}: {fault}" for game in games for fault in _faults(game)]


def _faults(game: Game) -> Iterator[str]:
    seats = list(game.seats.all())
    if len(seats) > game.size:
        yield f"{len(seats)} seats of {game.size}"
    if not game.huts:
        if any(seat.clan or seat.number is not None for seat in seats):
            yield "cards were dealt before the start"
        return
    yield from _deal_faults(game, seats)
    yield from _log_faults(game)
    yield from _turn_faults(game, {seat.number: seat for seat in seats})


def _deal_faults(game: Game, seats: list[Seat]) -> Iterator[str]:
    """The draw, made again."""
    salts = [bytes.fromhex(game.deal.salts[seat.joined]) for seat in seats]
    shares = [
        (rules.share(salt, name=seat.name_in_deal, entropy=seat.entropy),)
        for salt, seat in zip(salts, seats, strict=True)
    ]
    if [(seat.share,) for seat in seats] != shares:
        yield "the shares are not made of what the players added"
    drawn = rules.draw(bytes(game.deal.seed), version=game.deal.version, game=game.deal.commitment, players=shares)
    places = [seats[joined] for joined in drawn.order]
    if [seat.number for seat in places] != list(range(game.size)):
        yield "the seats are not the ones drawn"
    if [seat.clan for seat in places] != list(drawn.clans) or game.huts != drawn.huts:
        yield "cards or huts are not the ones drawn"


def _log_faults(game: Game) -> Iterator[str]:
    moves = list(game.moves.all())
    if [move.ply for move in moves] != list(range(game.ply)):
        yield f"ply {game.ply}, but the log has {[move.ply for move in moves]}"
    for move in moves:
        if move.by_bot and move.key.startswith("page-"):
            yield f"{move} was sent by a page, but counts as a computer player's"


def _turn_faults(game: Game, seats: dict[int | None, Seat]) -> Iterator[str]:
    """Who is to move is who is called, once."""
    notices = [notice for seat in seats.values() for notice in seat.notices.all()]
    if game.status == Game.Status.FINISHED:
        told = [notice for notice in notices if notice.kind == Notice.Kind.FINISHED]
        if len(told) != sum(seat.player_id is not None for seat in seats.values()):
            yield "not everybody is told of the end"
        return
    seat = seats[game.position().to_move]
    if game.to_move != seat.number or game.awaited != (None if seat.is_bot else seat.player):
        yield f"awaits {game.awaited} on seat {game.to_move}, but {seat} is to move"
    called = [notice for notice in notices if notice.kind == Notice.Kind.TURN and notice.ply == game.ply]
    # Whoever had the seat before may have been called, too.
    counted = [notice.seat_id for notice in called if notice.seat_id != seat.pk or notice.player_id == seat.player_id]
    if not seat.is_bot and counted != [seat.pk]:
        yield f"{len(called)} calls to move"

"""A game that is over as it was seen while it ran: by the public, or by one seat with its own card alone."""

from __future__ import annotations

from dataclasses import replace

from games.models import Event
from games.pov.values import DealPov, Pov, SeatPov

_GAVE_UP = {Event.Kind.RESIGNED: True, Event.Kind.TAKEN_OVER: False}
_AGREED = {
    Event.Kind.PROPOSED: True,
    Event.Kind.AGREED: True,
    Event.Kind.PLAYS_ON: False,
    Event.Kind.RESIGNED: False,
    Event.Kind.TAKEN_OVER: False,
}
"""What each kind of event makes of whether a seat was given up, and whether it wants to abandon the game."""


def as_seen_then(pov: Pov, *, seat: int | None) -> Pov:
    """`pov`, a game that is over, as it was seen at its ply: without the result, and without cards but that of `seat`
    (None: the public, who saw none). Also at the last ply, before the cards were opened.

    Who had a seat, had resigned or wanted to abandon the game is told as it was then, by what the history says until
    then.
    """
    return replace(
        pov,
        end="",
        ended_at=None,
        deal=DealPov(pov.deal.version, pov.deal.commitment),
        imported=None
        if pov.imported is None
        else {key: pov.imported[key] for key in ("times",) if key in pov.imported},
        events=tuple(event for event in pov.events if event.kind != Event.Kind.AGAIN),
        seats=tuple(_seat_then(pov, one, knows_card=one.number == seat) for one in pov.seats),
    )


def _seat_then(pov: Pov, seat: SeatPov, *, knows_card: bool) -> SeatPov:
    ahead = [former for former in seat.former if pov.ply < former.ply]
    before = tuple(former for former in seat.former if former not in ahead)
    holder = ahead[0] if ahead else seat
    gave_up = _state(pov, seat, _GAVE_UP)
    return replace(
        seat,
        name=holder.name,
        has_page=holder.has_page,
        former=before,
        is_bot=gave_up or (seat.is_bot and not seat.has_resigned),
        has_resigned=gave_up,
        agrees_to_abandon=_state(pov, seat, _AGREED),
        clan=seat.clan if knows_card else "",
        score=None,
        total=None,
        rank=None,
    )


def _state(pov: Pov, seat: SeatPov, made: dict[Event.Kind, bool]) -> bool:
    """What the last event of the seat has `made` of it by then; at first it is not so."""
    kinds = [Event.Kind(event.kind) for event in pov.events if event.seat == seat.number]
    return next((made[kind] for kind in reversed(kinds) if kind in made), False)

"""Which seats of a running game somebody may take over, as its page offers them."""

from __future__ import annotations

from games import play
from games.models import Game, Player
from games.pov import Pov, SeatPov


def free_seats_for(game: Game, pov: Pov, viewer: Player | None) -> tuple[SeatPov, ...]:
    """The seats that `viewer` may take over; for a visitor those that anybody may take over. No query if none is free,
    else 3 for a player."""
    free = tuple(seat for seat in pov.seats if seat.is_free)
    if not free or pov.me:
        return ()
    try:
        if viewer:
            play.check_takeover(game, player=viewer)
    except play.PlayError:
        return ()
    return free

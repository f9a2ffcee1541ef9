"""What is done at a game besides moving, as rows for its history."""

from __future__ import annotations

from datetime import datetime

from games.models import Event, Game, Seat


def note_event(game: Game, seat: Seat, kind: Event.Kind, *, at: datetime, text: str = "") -> None:
    """Note that the player of `seat` did this now, at the ply that the locked `game` has. 2 queries, one after the
    first."""
    Event.objects.create(game=game, seat=seat.number or 0, kind=kind, ply=game.ply, text=text, at=at)
    if not game.has_events:
        game.has_events = True
        Game.objects.filter(pk=game.pk).update(has_events=True)

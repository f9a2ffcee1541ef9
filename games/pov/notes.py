"""Notes and sheets: a note only ever for its writer, sheets for everybody once the game is over (design 4.4)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from games.caching import prepared
from games.models import Game, Note, Player, Suspicion


@dataclass(frozen=True, slots=True)
class SuspicionPov:
    """A change on a sheet: what was thought of seat `about` and a clan from `ply` on."""

    about: int
    clan: str
    mark: str
    ply: int
    at: datetime


def read_note(game: Game, *, viewer: Player) -> tuple[str, datetime | None]:
    """What `viewer` has noted at this table and when, or an empty text. One query."""
    notes = _notes_of(game.pk, viewer.pk)
    return (notes[0].text, notes[0].updated_at) if notes else ("", None)


def read_sheet(game: Game, *, viewer: Player) -> list[tuple[int, str, str, int]]:
    """The changes on the sheet of `viewer` in order, each as seat, clan, mark and ply. One query."""
    return _suspicions_of(game.pk, viewer.pk)


def reveal_sheets(game: Game) -> dict[int, list[SuspicionPov]]:
    """The changes on everybody's sheet by seat, once the game is over; nothing before. One query."""
    sheets: defaultdict[int, list[SuspicionPov]] = defaultdict(list)
    rows = Suspicion.objects.filter(seat__game=game).order_by("pk") if game.is_over else Suspicion.objects.none()
    for seat, about, clan, mark, ply, at in rows.values_list("seat__number", "about", "clan", "mark", "ply", "at"):
        sheets[seat or 0].append(SuspicionPov(about, clan, mark, ply, at))
    return dict(sorted(sheets.items()))


@prepared
def _notes_of(game: int, player: int) -> QuerySet[Note]:
    return Note.objects.filter(seat__game=game, seat__player=player)


@prepared
def _suspicions_of(game: int, player: int) -> QuerySet[Suspicion, Any]:
    mine = Suspicion.objects.filter(seat__game=game, seat__player=player).order_by("pk")
    return mine.values_list("about", "clan", "mark", "ply")

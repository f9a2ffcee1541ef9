"""What the site stores about a player at tables, for that player alone: their own seats, and nothing of others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import F, Model, QuerySet

from games.models import Event, Move, Notice, Player, Postcard, Seat, Suspicion

Row = dict[str, Any]

_OF_GAMES = ("slug", "name", "status", "is_public", "started_at", "ended_at")
_OF_NOTES = ("text", "updated_at")


def columns(model: type[Model], *, without: Iterable[str]) -> list[str]:
    """The names of a table's columns but for those of these fields."""
    left_out = set(without)
    return [field.attname for field in model._meta.concrete_fields if field.name not in left_out]  # noqa: SLF001


def own_games(player: Player) -> list[Row]:
    """A row for each seat of `player`, newest first: the game, the seat with the card, moves, events, postcards, note,
    marks and notices. Costs 6 queries.

    All is found by the player's own key. What stands for them in the draw is left out: others may see it at the end.
    """
    seats = Seat.objects.filter(player=player).order_by("-pk")
    mine = {"seat__player": player}
    moves = Move.objects.filter(game__seats__player=player, seat=F("game__seats__number"))
    events = Event.objects.filter(game__seats__player=player, seat=F("game__seats__number"))
    found = {
        "events": _by_owner(events, Event, "game", without=("id", "game", "seat")),
        "moves": _by_owner(moves, Move, "game", without=("id", "game", "seat", "key")),
        "notices": _by_owner(
            Notice.objects.filter(**mine).order_by("pk"), Notice, "seat", without=("id", "seat", "mail")
        ),
        "postcards": _by_owner(Postcard.objects.filter(**mine), Postcard, "seat", without=("id", "game", "seat")),
        "marks": _by_owner(Suspicion.objects.filter(**mine).order_by("pk"), Suspicion, "seat", without=("id", "seat")),
    }
    about = (f"game__{name}" for name in (*_OF_GAMES, "opener"))
    notes = (f"note__{name}" for name in _OF_NOTES)
    rows = seats.values("pk", "game_id", *about, *notes, *columns(Seat, without=("id", "game", "player", "share")))
    return [_row(row, found, player) for row in rows]


def _row(seat: Row, found: dict[str, dict[int, list[Row]]], player: Player) -> Row:
    key, game = seat.pop("pk"), seat.pop("game_id")
    about = {name: seat.pop(f"game__{name}") for name in _OF_GAMES}
    note = {name: seat.pop(f"note__{name}") for name in _OF_NOTES}
    return {
        "game": about | {"opened_by_you": seat.pop("game__opener") == player.pk},
        "seat": seat,
        "moves": found["moves"][game],
        "events": found["events"][game],
        "postcards": found["postcards"][key],
        "note": note if note["text"] else None,
        "marks": found["marks"][key],
        "notices": found["notices"][key],
    }


def _by_owner(found: QuerySet[Any], model: type[Model], owner: str, *, without: Iterable[str]) -> dict[int, list[Row]]:
    """The rows by the key of the seat or the game that they belong to."""
    rows: dict[int, list[Row]] = defaultdict(list)
    for row in found.order_by("pk").values(f"{owner}_id", *columns(model, without=without)):
        rows[row.pop(f"{owner}_id")].append(row)
    return rows

"""What the site stores about a player at tables, for that player alone: their own seats, and nothing of others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import F, Model, Q, QuerySet

from games.models import Event, FormerHolder, Move, Notice, Player, Postcard, Seat, Suspicion

Row = dict[str, Any]

_OF_GAMES = ("slug", "name", "status", "is_public", "started_at", "ended_at")
_OF_NOTES = ("text", "updated_at")
_OF_MOVES_NOT = ("id", "game", "seat", "key", "previous_hash")


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
    own = {"game__seats__player": player, "seat": F("game__seats__number")}
    since_mine = Q(game__seats__taken_over_at=None) | Q(at__gte=F("game__seats__taken_over_at"))
    moves, events = Move.objects.filter(since_mine, **own), Event.objects.filter(since_mine, **own)
    found = {
        "events": _by_owner(events, Event, "game", without=("id", "game", "seat")),
        "moves": _by_owner(moves, Move, "game", without=_OF_MOVES_NOT),
        "notices": _by_owner(
            Notice.objects.filter(player=player, **mine).order_by("pk"), Notice, "seat", without=("id", "seat", "mail")
        ),
        "postcards": _by_owner(Postcard.objects.by(player), Postcard, "seat", without=("id", "game", "seat")),
        "marks": _by_owner(Suspicion.objects.filter(**mine).order_by("pk"), Suspicion, "seat", without=("id", "seat")),
    }
    about = (f"game__{name}" for name in (*_OF_GAMES, "opener"))
    notes = (f"note__{name}" for name in _OF_NOTES)
    rows = seats.values(
        "pk", "game_id", *about, *notes, *columns(Seat, without=("id", "game", "player", "share", "dealt_name"))
    )
    return [_row(row, found, player) for row in rows]


def former_seats(player: Player) -> list[Row]:
    """A row for each seat of `player` that somebody else has taken over, newest first: the game, when that was, and
    their moves, events, postcards and notices. The card is not theirs to know any more. Costs 5 queries."""
    held = FormerHolder.objects.filter(player=player).order_by("-pk")
    own = {"game__seats__former_holders__player": player, "seat": F("game__seats__number")}
    before = Q(at__lt=F("game__seats__former_holders__at"))
    theirs = {"seat__former_holders__player": player}
    found = {
        "moves": _by_owner(Move.objects.filter(before, **own), Move, "game", without=_OF_MOVES_NOT),
        "events": _by_owner(Event.objects.filter(before, **own), Event, "game", without=("id", "game", "seat")),
        "postcards": _by_owner(Postcard.objects.by(player), Postcard, "seat", without=("id", "game", "seat")),
        "notices": _by_owner(
            Notice.objects.filter(player=player, **theirs), Notice, "seat", without=("id", "seat", "mail")
        ),
    }
    about = (f"seat__game__{name}" for name in _OF_GAMES)
    rows = held.values("seat_id", "seat__game_id", "name", "has_resigned", "ply", "at", *about)
    return [_former_row(row, found) for row in rows]


def _former_row(held: Row, found: dict[str, dict[int, list[Row]]]) -> Row:
    seat, game = held.pop("seat_id"), held.pop("seat__game_id")
    about = {name: held.pop(f"seat__game__{name}") for name in _OF_GAMES}
    of_game = {name: found[name][game] for name in ("moves", "events")}
    return {"game": about, "seat": held, **of_game, **{name: found[name][seat] for name in ("postcards", "notices")}}


def _row(seat: Row, found: dict[str, dict[int, list[Row]]], player: Player) -> Row:
    key, game = seat.pop("pk"), seat.pop("game_id")
    about = {name: seat.pop(f"game__{name}") for name in _OF_GAMES}
    note = {name: seat.pop(f"note__{name}") for name in _OF_NOTES}
    if seat["taken_over_at"] is not None:
        # The words for the deal are those of whoever had the seat then.
        del seat["entropy"]
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

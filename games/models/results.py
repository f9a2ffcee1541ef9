"""What a finished game is searched by, in columns of its own row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from games import rules
from games.models.game import in_batches

if TYPE_CHECKING:
    from games.models.seat import Seat

RESULT = ("has_computers", "winning_clans", "winning_total", "margin")


def result_of(seats: Sequence[Seat]) -> dict[str, Any]:
    """The columns `RESULT` of a finished game, from its seats with their totals and ranks. An abandoned game has no
    winner and no margin."""
    result: dict[str, Any] = dict.fromkeys(RESULT)
    result["has_computers"] = any(seat.player_id is None and seat.is_bot for seat in seats)
    result["winning_clans"] = write_clans(seat.clan for seat in seats if seat.rank == 1)
    if result["winning_clans"]:
        best, second, *_others = sorted((seat.total or 0 for seat in seats), reverse=True)
        result |= {"winning_total": best, "margin": best - second}
    return result


def set_result(game: Any, seats: Sequence[Seat]) -> None:
    """Set the columns `RESULT` of a finished game, which may be one of a migration. The caller saves it."""
    for name, value in result_of(seats).items():
        setattr(game, name, value)


def write_clans(clans: Any) -> str:
    """Clans as their letters, in the order of the rules."""
    held = {*clans}
    return "".join(letter for clan, letter in zip(rules.CLANS, rules.CLAN_LETTERS, strict=True) if clan in held)


def sets_of_clans_with(clan: str) -> list[str]:
    """Every `winning_clans` in which `clan` is one: it may have shared the win with up to three others."""
    sets = [held for size in range(1, max(rules.SEATS) + 1) for held in combinations(rules.CLANS, size)]
    return [write_clans(held) for held in sets if clan in held]


def fill_results(*, of: Any) -> int:
    """Write the columns `RESULT` of all finished games anew, 500 at a time; returns how many there are. `of` has the
    models: `apps`, or those of a migration, whose game may lack columns that came later."""
    game, done = of.get_model("games", "Game"), 0
    columns = [name for name in RESULT if hasattr(game, name)]
    finished = game.objects.filter(status="finished").only("pk")
    for some in in_batches(finished.prefetch_related("seats"), 500):
        for one in some:
            set_result(one, one.seats.all())
        game.objects.bulk_update(some, columns)
        done += len(some)
    return done

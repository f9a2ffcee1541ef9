"""Games in the archive to look for, and what each search has to find among them, found by Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.apps import apps
from django.test import Client

from games import play
from games.models import Game, Player, fill_results
from tests.cast import AT, make_game, make_player, play_out
from tests.made_once import made_once
from tests.pages.helpers import soup

Fits = Callable[[Game], bool]

TALK = {"Table 0": "players", "Table 3": "end", "Table 4": "open"}
"""Where something is said, and who else reads it."""
SHARED = "Table 5"
"""Where two have won."""


@pytest.fixture
def archived(db: None) -> list[Game]:
    """A few games of each sort: of two and three, with computer players, played out and abandoned, one by link."""
    made_once(fill_archive)
    return list(Game.objects.order_by("pk"))


def fill_archive() -> None:
    alice, bob, carol = map(make_player, ("alice", "bob", "carol"))
    circles = [(alice, bob), (alice, bob, carol), (bob, carol), (carol, alice)]
    games = [make_game(*circle, bots=bots) for circle in circles for bots in (0, 1) if len(circle) + bots < 4]
    games += [make_game(bob, alice, five_clans="nothing"), make_game(alice, bob, is_public=False)]
    for number, game in enumerate(games):
        if number == 2:
            for player in (alice, bob, carol):
                play.agree_to_abandon(game, player=player, agrees=True, at=AT)
        play_out(game, seed=number)
        ended_at = AT - timedelta(days=3 * number)
        if f"Table {number}" in TALK:
            play.write_postcard(game, player=next(sitting(game)), text="Well played", at=AT)
        name, hours = f"Table {number}", (12, 24, 72, 100, 168)[number % 5]
        told = {"name": name, "move_hours": hours, "talk": TALK.get(name, "players")}
        Game.objects.filter(pk=game.pk).update(ended_at=ended_at, **told)
        game.seats.update(ended_at=ended_at)
        game.refresh_from_db()
        assert game.is_over
    share_the_win(next(game for game in games if game.name == SHARED))


def sitting(game: Game) -> Iterator[Player]:
    return (seat.player for seat in game.seats.all() if seat.player)


def share_the_win(game: Game) -> None:
    """Let all at the table have won."""
    game.seats.update(rank=1, total=40)
    fill_results(of=apps)
    game.refresh_from_db()


def sat(*names: str) -> Fits:
    return lambda game: set(names) <= {seat.name for seat in game.seats.all()}


def won(name: str) -> Fits:
    return lambda game: any(seat.name == name and seat.rank == 1 for seat in game.seats.all())


def has_computers(game: Game) -> bool:
    return any(seat.player is None for seat in game.seats.all())


def totals(game: Game) -> list[int]:
    """Best first; none where nobody has won."""
    return sorted((seat.total or 0 for seat in game.seats.all() if seat.rank), reverse=True)


def margin(game: Game) -> int:
    """-1 where nobody has won."""
    return totals(game)[0] - totals(game)[1] if totals(game) else -1


def has_talk(game: Game) -> bool:
    """Whether anybody may read that something was said."""
    return game.name in TALK and game.talk != "players"


SEARCHES: dict[str, Fits] = {
    "player=carol": sat("carol"),
    "player=ALICE, carol": sat("alice", "carol"),
    "player=alice bob carol": sat("alice", "bob", "carol"),
    "winner=bob": won("bob"),
    "player=Computer 1": sat("computer 1"),
    "player=computer 1, carol": sat("computer 1", "carol"),
    "winner= bob , ": won("bob"),
    "winner=computer 1": won("computer 1"),
    "winner=computer 1&clan=green": lambda game: any(
        (seat.name, seat.clan, seat.rank) == ("computer 1", "green", 1) for seat in game.seats.all()
    ),
    "player=alice&winner=bob": lambda game: sat("alice")(game) and won("bob")(game),
    "clan=red": lambda game: any(seat.clan == "red" and seat.rank == 1 for seat in game.seats.all()),
    "winner=alice&clan=blue": lambda game: any(
        (seat.name, seat.clan, seat.rank) == ("alice", "blue", 1) for seat in game.seats.all()
    ),
    "size=2": lambda game: game.size == 2,
    "computers=yes": has_computers,
    "computers=no": lambda game: not has_computers(game),
    "end=abandoned": lambda game: game.end == "abandoned",
    "end=villages&size=3": lambda game: game.end == "villages" and game.size == 3,
    "five_clans=nothing": lambda game: game.five_clans == "nothing",
    "pace=daily": lambda game: game.move_hours == 24,
    "pace=leisurely": lambda game: 72 < game.move_hours <= 168,
    "pace=steady&player=alice": lambda game: sat("alice")(game) and 24 < game.move_hours <= 72,
    "tie=yes": lambda game: margin(game) == 0,
    "tie=no": lambda game: margin(game) > 0,
    "clan=red&tie=no": lambda game: (
        any(seat.clan == "red" and seat.rank == 1 for seat in game.seats.all()) and margin(game) > 0
    ),
    "margin_from=5": lambda game: margin(game) >= 5,
    "margin_to=12": lambda game: 0 <= margin(game) <= 12,
    "margin_from=1&margin_to=9": lambda game: 1 <= margin(game) <= 9,
    "total_from=40": lambda game: totals(game)[:1] >= [40],
    "total_to=45&player=bob": lambda game: sat("bob")(game) and 0 < max(totals(game), default=0) <= 45,
    "moves_from=30": lambda game: game.ply >= 30,
    "moves_to=30": lambda game: game.ply <= 30,
    "moves_from=32&moves_to=34": lambda game: 32 <= game.ply <= 34,
    "talk=yes": has_talk,
    "talk=no": lambda game: not has_talk(game),
    "talk=yes&player=alice": lambda game: has_talk(game) and sat("alice")(game),
    "title=table 5": lambda game: game.name == "Table 5",
    "title=50%": lambda game: False,
    "since=2026-02-20": lambda game: f"{game.ended_at:%Y-%m-%d}" >= "2026-02-20",
    "until=2026-02-20": lambda game: f"{game.ended_at:%Y-%m-%d}" <= "2026-02-20",
    "since=2026-02-18&until=2026-02-24": lambda game: "2026-02-18" <= f"{game.ended_at:%Y-%m-%d}" <= "2026-02-24",
    "player=bob&computers=no&size=2": lambda game: sat("bob")(game) and not has_computers(game) and game.size == 2,
}


def found(client: Client, query: str) -> list[str]:
    response = client.get(f"/archive/?{query}")
    assert response.status_code == 200
    return [link.get_text() for link in soup(response).select(".table-name")]

"""Players and games to measure pages with, and what a browser of theirs would send."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import play, rules
from games.enqueue import without_enqueueing
from games.models import Game, Move, Player, Seat

FINISHED = 1000
MID_GAME = 24
TABLES_EACH = 12
"""Running tables of a player, so many of which are on the first page."""
CSRF = secrets.token_hex(16)
AT = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Scene:
    """Three players, a game of theirs in mid-game in which alice is to move, and an archive."""

    alice: Player
    bob: Player
    carol: Player
    game: Game


@dataclass(frozen=True)
class Table:
    """A game, who is to move in it, and one of those who wait."""

    game: Game
    mover: Player
    waiting: Player


def set_scene() -> Scene:
    alice, bob, carol = _set_up_site()
    with without_enqueueing():
        _fill_archive(alice, bob, carol)
        game = begin_game(alice, bob, carol)
        rng = random.Random(1)
        while game.ply < MID_GAME or game.awaited_id != alice.pk:
            play_randomly(game, rng)
    return Scene(alice, bob, carol, game)


def set_finished_game() -> Game:
    """The only game of a site, played to its end."""
    with without_enqueueing():
        return _finished_game(*_set_up_site())


def _set_up_site() -> list[Player]:
    call_command("collectstatic", interactive=False, verbosity=0)
    return [Player.objects.create_user(name, email=f"{name}@example.com") for name in ("alice", "bob", "carol")]


def begin_game(*players: Player, at: datetime = AT, terms: play.Terms | None = None) -> Game:
    """A game of these players before its first move."""
    game = play.open_table(players[0], name="Bench", size=len(players), terms=terms or play.Terms(), at=at)
    for player in players[1:]:
        play.join_table(game, player=player, at=at)
    game.refresh_from_db()
    return game


def play_randomly(game: Game, rng: random.Random, *, at: datetime = AT) -> None:
    """Play a random move."""
    move, seat = rules.random_step(game.position(), rng).move, game.seats.get(number=game.to_move)
    play.play_move(game, seat=seat, move=move, ply=game.ply, key=str(game.ply), at=at)
    game.refresh_from_db()


def open_tables(count: int) -> list[Table]:
    """`count` tables in mid-game, each with a deal and moves of its own, of players of whom each has 12."""
    rng = random.Random(4)
    tables: list[Table] = []
    with without_enqueueing(), transaction.atomic():
        while len(tables) < count:
            names = [f"player{len(tables)}{letter}" for letter in "abc"]
            players = [Player.objects.create_user(name, email=f"{name}@example.com") for name in names]
            tables += [_table(players, rng) for _number in range(TABLES_EACH)]
    return tables[:count]


def _table(players: list[Player], rng: random.Random) -> Table:
    game = begin_game(*players)
    _skip(game, rng.randrange(MID_GAME - 6, MID_GAME + 6), rng)
    play_randomly(game, rng)
    mover = next(player for player in players if player.pk == game.awaited_id)
    return Table(game, mover, next(player for player in players if player != mover))


def _skip(game: Game, plies: int, rng: random.Random) -> None:
    """Write the first moves of a game at once: `play_move` takes a hundred times as long."""
    position, moves = game.position(), []
    for ply in range(plies):
        step = rules.random_step(position, rng)
        moves.append(Move(game=game, ply=ply, seat=step.seat, text=str(step.move), key=str(ply), at=AT))
        position = step.position
    Move.objects.bulk_create(moves)
    game.ply, game.to_move = plies, position.to_move
    game.awaited = game.seats.get(number=position.to_move).player
    game.save()


def _fill_archive(*players: Player) -> None:
    """One game played to its end, and what lists and small boards read of a thousand more."""
    game = _finished_game(*players)
    seats, moves = list(game.seats.all()), list(game.moves.all())
    for number in range(FINISHED):
        ended_at = AT - timedelta(hours=number)
        game.pk, game.slug, game.key, game.ended_at = None, f"old{number}", "", ended_at
        game.save(force_insert=True)
        for seat in seats:
            seat.pk, seat.game, seat.ended_at = None, game, ended_at
        Seat.objects.bulk_create(seats)
        for move in moves:
            move.pk, move.game = None, game
        Move.objects.bulk_create(moves)


def _finished_game(*players: Player) -> Game:
    game, rng = begin_game(*players), random.Random(2)
    while not game.is_over:
        play_randomly(game, rng)
    return game


def some_move(game: Game) -> rules.Move:
    """A move that the player to move could make."""
    return rules.legal_moves(game.position())[0]


def cookies(player: Player | None) -> str:
    """The Cookie header of a browser in which `player` is signed in."""
    if player is None:
        return ""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={CSRF}"


def ply_of_finished() -> str:
    """The address of the page of a move near the end of a game that is over."""
    game = Game.objects.filter(status=Game.Status.FINISHED).order_by("pk")[0]
    return f"{game.get_absolute_url()}ply/{game.ply - 3}/"


def queries(player: Player | None, path: str) -> int:
    """How many queries a page needs when it is asked for again."""
    client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
    if player:
        client.force_login(player)
    client.get(path)
    with CaptureQueriesContext(connection) as captured:
        response = client.get(path)
    assert response.status_code == 200, f"{path}: {response.status_code}"
    return len(captured)


def moves_to_post(*players: Player) -> Iterator[tuple[Player, str, dict[str, str]]]:
    """Games without end: who moves, where to, and the confirmed form."""
    rng = random.Random(3)
    while True:
        with without_enqueueing():
            game = begin_game(*players)
        opening = game.opening()
        by_seat = [seat.player for seat in game.seats.order_by("number").select_related("player")]
        position = rules.set_up(opening)
        while not position.over:
            step = rules.random_step(position, rng)
            player = by_seat[step.seat]
            assert player is not None
            form = {"ply": str(step.ply), "move": str(step.move), "csrfmiddlewaretoken": CSRF}
            yield player, f"{game.get_absolute_url()}move/", form
            position = step.position

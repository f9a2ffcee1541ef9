"""The hash chain of a log: who changes one row has to change all that come after it."""

from __future__ import annotations

import hashlib
import random
from datetime import UTC, timedelta

import pytest
from django.apps import apps
from django.core.management import call_command
from pytest_django import Settings

from games import play, pov
from games.models import Event, Game, Move, Player, fill_chain
from tests.cast import AT, make_game, play_random, random_move, seat_to_move

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def digest(*parts: object) -> bytes:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).digest()


def chain() -> list[object]:
    """All hashes that are stored."""
    moves = Move.objects.order_by("game", "ply").values_list("previous_hash", flat=True)
    games = Game.objects.order_by("pk").values_list("last_hash", flat=True)
    return [None if value is None else bytes(value) for value in (*moves, *games)]


def take_back_once(game: Game) -> None:
    """Let whoever is to move make a move and take it back."""
    game.refresh_from_db()
    seat, ply = seat_to_move(game), game.ply
    assert seat.player is not None
    assert game.turn_since is not None
    at = game.turn_since + HOUR
    move, key = random_move(game.position(), random.Random(ply)), f"back-{ply}-{game.edition}"
    play.play_move(game, seat=seat, move=move, ply=ply, key=key, at=at)
    play.take_back(game, player=seat.player, ply=ply + 1, edition=game.edition, at=at + timedelta(minutes=1))
    game.refresh_from_db()


@pytest.fixture
def edited(alice: Player, bob: Player, settings: Settings) -> Game:
    """A finished game in which moves were taken back after 0, 4 (twice) and 9 others."""
    settings.MAIL_WAIT_SECONDS = 120
    game = make_game(alice, bob)
    take_back_once(game)
    play_random(game, 4)
    take_back_once(game)
    take_back_once(game)
    play_random(game, 5)
    take_back_once(game)
    return play_random(game)


def test_it_is_made_of_what_everybody_may_know(alice: Player, bob: Player) -> None:
    """As docs/design.md has it, so that others can compute it."""
    game = play_random(make_game(alice, bob), 3)
    about = (game.slug, game.board, game.rules, game.five_clans, game.size, game.first, game.huts)
    last = digest("clans-chain/1", *about, 0)
    for move in game.moves.order_by("ply"):
        assert bytes(move.previous_hash or b"") == last
        at = move.at.astimezone(UTC).isoformat(timespec="microseconds")
        last = digest(last.hex(), 0, move.ply, move.seat, move.text, 0, 0, at)
    assert bytes(game.last_hash or b"") == last


def test_it_accounts_for_moves_that_were_taken_back(edited: Game) -> None:
    assert edited.edition == 4
    assert list(pov.verify_archive()) == [[]]


@pytest.mark.parametrize("which", range(4))
def test_it_notices_that_an_event_is_gone_which_tells_of_a_move_taken_back(edited: Game, which: int) -> None:
    Event.objects.order_by("pk")[which].delete()
    [[said]] = list(pov.verify_archive())
    assert said.startswith(f"{edited.slug} at ply 0: the hash of the opening is stored as ")


def test_it_accounts_for_a_move_of_the_autopilot_that_was_withdrawn(alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), 4)
    assert game.due_at is not None
    player, at = seat_to_move(game).player, game.due_at + HOUR
    assert player is not None
    play.end_overdue_turns(at=at)
    play.withdraw_autopilot(game, player=player, at=at + HOUR)
    play_random(game)
    assert Game.objects.get().edition == 1
    assert list(pov.verify_archive()) == [[]]


def test_it_is_filled_for_logs_of_before_and_no_other(edited: Game, alice: Player, bob: Player) -> None:
    play_random(make_game(alice, bob), 7)
    play.open_table(alice, name="Open", size=2, at=AT)
    before = chain()
    Move.objects.update(previous_hash=None)
    Game.objects.update(last_hash=None)
    call_command("recount", "chain")
    assert chain() == before
    Move.objects.filter(game=edited, ply=6).update(previous_hash=b"0" * 32)
    assert fill_chain(of=apps) == 0
    assert chain() != before


def test_a_game_goes_on_that_has_no_hashes_yet(alice: Player, bob: Player) -> None:
    """As one would whose moves were loaded from a copy of a site of before."""
    game = play_random(make_game(alice, bob), 4)
    Move.objects.update(previous_hash=None)
    Game.objects.update(last_hash=None)
    play_random(game)
    [[said]] = list(pov.verify_archive())
    assert said.startswith(f"{game.slug} at ply 0: the hash of the opening is missing, and is ")
    call_command("recount", "chain")
    assert list(pov.verify_archive()) == [[]]

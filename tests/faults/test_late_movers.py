"""Players who are late by seconds meet the sweep at the lock: one of them moves, and all get a plain answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from clans_site import run
from games import play, rules, words
from games.enqueue import without_enqueueing
from games.models import Game, Move, Notice, Player, Seat
from tests.cast import make_game, make_player, seat_to_move
from tests.faults.callers import Caller, all_at_once
from tests.servers import Site

SWEEPS = 3
POSTS = 4
ROUNDS = 4
STALE = words.explain_refusal(play.StaleMove())


@contextmanager
def sweeps(site: Site, signal: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that are ready to end overdue turns, and do so when the file `signal` appears."""
    command = [sys.executable, "-m", "tests.faults.ending", str(signal)]
    options = {"cwd": run.BASE_DIR, "env": site.environment, "stdout": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, **options) for _sweep in range(SWEEPS)]  # type: ignore[call-overload]
    try:
        for process in started:
            assert process.stdout.readline() == "ready\n"
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


def late_game() -> Game:
    """A game whose first turn has been over for a second, while nobody has looked."""
    game = Game.objects.get(pk=make_game(*people(), at=timezone.now() - timedelta(days=10, seconds=1)).pk)
    assert game.due_at is not None
    assert game.due_at <= timezone.now()
    return game


def people() -> list[Player]:
    return list(Player.objects.filter(username__in=("dora", "emil")).order_by("username"))


@pytest.mark.parametrize("number", range(ROUNDS))
def test_it_lets_one_of_them_move(
    served: Site, tmp_path: Path, django_db_blocker: DjangoDbBlocker, number: int
) -> None:
    with django_db_blocker.unblock(), served.database(), without_enqueueing():
        if not people():
            for name in ("dora", "emil"):
                make_player(name)
        signal = tmp_path / "now"
        with sweeps(served, signal) as started:
            game = late_game()
            seat = seat_to_move(game)
            assert seat.player is not None
            caller = Caller(served, seat.player)
            caller.open(game.get_absolute_url())
            move = rules.legal_moves(game.position())[number]
            form = {"ply": 0, "move": str(move)}
            posts = [caller.post(f"{game.get_absolute_url()}move/", form)] * POSTS
            # By turns a little head start for either.
            if number % 2:
                signal.touch()
            answers = all_at_once(posts)
            signal.touch()
            ended = [int(process.stdout.readline()) for process in started if process.stdout]
        made = Move.objects.get(game=game)
        assert sum(ended) == made.by_autopilot
        if made.by_autopilot:
            assert {answer.status for answer in answers} == {409}
            assert all(STALE in answer.text for answer in answers)
        else:
            assert {(answer.status, answer.location) for answer in answers} == {
                (303, game.get_absolute_url() + "#turn")
            }
            assert made.text == str(move)
        game.refresh_from_db()
        assert (game.ply, Seat.objects.get(pk=seat.pk).autopiloted) == (1, int(made.by_autopilot))
        assert Notice.objects.filter(seat__game=game, kind=Notice.Kind.AUTOPILOT).count() == made.by_autopilot
        Game.objects.all().delete()
    served.check_alive()

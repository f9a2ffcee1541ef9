"""The commands that print for other programs."""

import json
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.models import Player
from games.rules import STANDARD, simulate
from tests.cast import make_game, play_out
from tests.rules.checked import read_checked

VERIFIER = Path(__file__).parents[2] / "games/static/games/verify_deal.py"
MANAGE = Path(__file__).parents[2] / "manage.py"


def printed(*command: str) -> str:
    stdout = StringIO()
    call_command(*command, stdout=stdout)
    return stdout.getvalue()


def test_it_exports_the_board() -> None:
    assert json.loads(printed("export_board")) == STANDARD.export()


def test_it_prints_simulated_games_as_json_lines() -> None:
    lines = printed("simulate", "4", "--seed", "8").splitlines()
    assert [json.loads(line) for line in lines] == [simulate(number, seed=8) for number in range(4)]
    for line in lines:
        read_checked(line)


def test_it_prints_the_same_bytes_for_the_same_seed_without_a_database(tmp_path: Path) -> None:
    command = [sys.executable, str(MANAGE), "simulate", "3", "--seed", "8"]
    environment = {"PYTHONHASHSEED": "1", "DATABASE_URL": f"sqlite:///{tmp_path}/nowhere/none.sqlite3"}
    lines = subprocess.run(command, check=True, capture_output=True, env=environment, text=True).stdout
    assert lines == printed("simulate", "3", "--seed", "8")
    assert lines != printed("simulate", "3", "--seed", "9")


@pytest.mark.parametrize("games", ["-1", "many", "1.5"])
def test_it_refuses_what_is_no_number_of_games(games: str) -> None:
    with pytest.raises((CommandError, SystemExit)):
        call_command("simulate", games)


def test_it_exports_finished_games_oldest_first(alice: Player, bob: Player) -> None:
    later = play_out(make_game(alice, bob), seed=1, every=timedelta(hours=3))
    sooner = play_out(make_game(alice, bob, five_clans="nothing"), seed=2, every=timedelta(hours=1))
    make_game(alice, bob)
    lines = printed("export_games").splitlines()
    assert [json.loads(line)["deal"]["game"] for line in lines] == [sooner.slug, later.slug]
    for line in lines:
        assert {*read_checked(line).players} == {"alice", "bob"}


def test_it_exports_proof_of_a_fair_deal(alice: Player, bob: Player, carol: Player) -> None:
    """design 1.6: what the site exports, the stand-alone script verifies"""
    play_out(make_game(alice, bob, carol))
    exported = printed("export_games")
    command = [sys.executable, "-I", str(VERIFIER), "-"]
    ran = subprocess.run(command, input=exported, check=False, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")

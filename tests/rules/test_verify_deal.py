"""The stand-alone script that checks a deal (design 2.8), run as a player runs it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.rules import DEAL_VERSION, Opening, commitment, draw, random_game, write_record

SCRIPT = Path(__file__).parents[2] / "games/static/games/verify_deal.py"
SEED = bytes(range(32))
JOINED = [("alice", "the lake is frozen"), ("bob", ""), ("carol", "ß♞ 1:2,")]

Record = dict[str, Any]


@pytest.fixture
def record() -> Record:
    """A finished game as the site exports it."""
    drawn = draw(SEED, game="abcdefghjk", players=JOINED)
    opening = Opening(drawn.huts, 3, drawn.first)
    proof = {
        "version": DEAL_VERSION,
        "game": "abcdefghjk",
        "commitment": commitment(SEED),
        "seed": SEED.hex(),
        "players": [{"name": name, "entropy": entropy} for name, entropy in JOINED],
    }
    names = [JOINED[index][0] for index in drawn.order]
    return write_record(
        opening, random_game(opening, Random(1)), players=names, clans=drawn.clans, extra={"deal": proof}
    )


def verify(record: Any, *noted: str) -> tuple[int, str]:
    """Exit code and output of the script, isolated from the project; the record comes on standard input."""
    command = [sys.executable, "-I", str(SCRIPT), "-", *noted]
    ran = subprocess.run(command, input=json.dumps(record), capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    return ran.returncode, ran.stdout


def test_it_verifies_a_fair_deal(record: Record) -> None:
    code, output = verify(record)
    assert output.splitlines()[-1] == "The deal was fair."
    assert (code, output.count("agrees"), output.count("DIFFERS")) == (0, 7, 0)


def test_it_reads_a_file(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "clans-abcdefghjk.json"
    path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    ran = subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_it_compares_the_commitment_that_a_player_noted(record: Record) -> None:
    assert verify(record, f" {commitment(SEED).upper()}\n")[0] == 0
    code, output = verify(record, commitment(SEED[::-1]))
    assert code == 1
    assert "DIFFERS the SHA-256 of the seed is the commitment that you noted" in output


def test_it_does_not_take_a_closed_account_for_a_fraud(record: Record) -> None:
    record["players"][1]["name"] = record["deal"]["players"][0]["name"] = "former-17"
    assert verify(record)[0] == 1
    record["deal"]["players"][0] |= {"entropy": "", "closed": True}
    code, output = verify(record, commitment(SEED))
    assert (code, output.count("agrees"), output.count("DIFFERS")) == (2, 4, 0)
    assert "The draw was not checked" in output
    assert verify(record, commitment(SEED[::-1]))[0] == 1


def swap_players(record: Record) -> None:
    record["players"][0]["name"], record["players"][1]["name"] = (
        record["players"][1]["name"],
        record["players"][0]["name"],
    )


def swap_clans(record: Record) -> None:
    record["players"][0]["clan"], record["players"][1]["clan"] = (
        record["players"][1]["clan"],
        record["players"][0]["clan"],
    )


def turn_first(record: Record) -> None:
    record["first"] = (record["first"] + 1) % 3


def swap_huts(record: Record) -> None:
    record["huts"] = record["huts"][1::-1] + record["huts"][2:]


def change_seed(record: Record) -> None:
    record["deal"]["seed"] = SEED[::-1].hex()


def change_commitment(record: Record) -> None:
    record["deal"]["commitment"] = commitment(SEED[::-1])


def change_entropy(record: Record) -> None:
    record["deal"]["players"][1]["entropy"] = "late"


def change_version(record: Record) -> None:
    record["deal"]["version"] = "clans-deal/2"


def shorten_seed(record: Record) -> None:
    record["deal"]["seed"] = record["deal"]["seed"][:-2]


@pytest.mark.parametrize(
    ("tamper", "differs"),
    [
        (swap_players, "the seats"),
        (swap_clans, "the clan cards"),
        (turn_first, "the starting player"),
        (swap_huts, "the huts of the opening"),
        (change_seed, "the SHA-256 of the seed is the commitment of the record"),
        (change_commitment, "the SHA-256 of the seed is the commitment of the record"),
        (change_entropy, "the huts of the opening"),
        (change_version, "the version is clans-deal/1"),
        (shorten_seed, "the seed has 32 bytes"),
    ],
)
def test_it_notices_what_was_tampered_with(record: Record, tamper: Callable[[Record], None], differs: str) -> None:
    tamper(record)
    code, output = verify(record)
    assert (code, output.splitlines()[-1]) == (1, "The deal does not agree with the record.")
    assert f"DIFFERS {differs}" in output


def test_it_says_that_the_seed_is_not_shown_before_the_end(record: Record) -> None:
    del record["deal"]["seed"]
    code, output = verify(record)
    assert (code, output.strip()) == (
        2,
        "Nothing was checked. This record does not show the seed yet: it is shown once the game is over.",
    )


@pytest.mark.parametrize("broken", [[], {}, {"deal": {"seed": "00"}}, {"deal": {"seed": "x", "players": []}}])
def test_it_says_that_there_is_nothing_to_check(broken: Any) -> None:
    code, output = verify(broken)
    assert code == 2
    assert output.startswith("Nothing was checked.")


def test_it_says_that_a_file_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, "-I", str(SCRIPT), str(tmp_path / "none.json")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (2, "")
    assert ran.stdout.startswith("Nothing was checked.")


def test_it_explains_itself() -> None:
    ran = subprocess.run([sys.executable, "-I", str(SCRIPT)], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "clans-deal/1" in ran.stdout

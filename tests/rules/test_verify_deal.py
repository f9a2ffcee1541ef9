"""The stand-alone script that checks a deal (design 1.6), run as a player runs it."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.rules import (
    DEAL_VERSION,
    FIRST_DEAL_VERSION,
    SECOND_DEAL_VERSION,
    Opening,
    commitment,
    draw,
    hash_salt,
    name_of_draw,
    random_game,
    share,
    write_record,
)

SCRIPT = Path(__file__).parents[2] / "games/static/games/verify_deal.py"
SEED = bytes(range(32))
JOINED = [("alice", "the lake is frozen"), ("bob", ""), ("carol", "ß♞ 1:2,")]
PLACES = [0, 2, 3]
"""At a table of four seats of which one was given up before the start."""
SALTS = [bytes([place]) * 32 for place in range(4)]
HASHES = [hash_salt(salt) for salt in SALTS]

Record = dict[str, Any]


@pytest.fixture(params=[DEAL_VERSION, SECOND_DEAL_VERSION])
def record(request: pytest.FixtureRequest) -> Record:
    """A finished game as the site exports it."""
    players = [
        {
            "name": name,
            "entropy": entropy,
            "place": place,
            "salt": SALTS[place].hex(),
            "share": share(SALTS[place], name=name, entropy=entropy),
        }
        for place, (name, entropy) in zip(PLACES, JOINED, strict=True)
    ]
    proof = {
        "version": request.param,
        "commitment": commitment(SEED, HASHES),
        "salt_hashes": list(HASHES),
        "players": players,
    }
    return record_of(proof, [(str(player["share"]),) for player in players])


@pytest.fixture
def old_record() -> Record:
    """A finished game whose deal was fixed before there were salts."""
    players = [{"name": name, "entropy": entropy} for name, entropy in JOINED]
    proof = {"version": FIRST_DEAL_VERSION, "commitment": commitment(SEED), "players": players}
    return record_of(proof, JOINED)


def record_of(proof: dict[str, Any], added: Sequence[tuple[str, ...]]) -> Record:
    name = name_of_draw(proof["version"], game="abcdefghjk", commitment=proof["commitment"])
    drawn = draw(SEED, version=proof["version"], game=name, players=added)
    opening = Opening(drawn.huts, 3, drawn.first)
    proof |= {"game": "abcdefghjk", "seed": SEED.hex()}
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
    assert (code, output.count("agrees"), output.count("DIFFERS")) == (0, 13, 0)


def test_it_verifies_a_fair_deal_of_the_first_version(old_record: Record) -> None:
    code, output = verify(old_record)
    assert output.splitlines()[-1] == "The deal was fair."
    assert (code, output.count("agrees"), output.count("DIFFERS")) == (0, 7, 0)


def test_it_reads_a_file(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "clans-abcdefghjk.json"
    path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    ran = subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_it_compares_the_commitment_that_a_player_noted(record: Record) -> None:
    assert verify(record, f" {commitment(SEED, HASHES).upper()}\n")[0] == 0
    code, output = verify(record, commitment(SEED[::-1], HASHES))
    assert code == 1
    assert "DIFFERS the SHA-256 of the seed and the salts is the commitment that you noted" in output


def test_it_compares_the_commitment_of_the_first_version(old_record: Record) -> None:
    assert verify(old_record, f" {commitment(SEED).upper()}\n")[0] == 0
    code, output = verify(old_record, commitment(SEED[::-1]))
    assert code == 1
    assert "DIFFERS the SHA-256 of the seed is the commitment that you noted" in output


def close_account(record: Record) -> None:
    """Let alice close her account, as the site then exports the record."""
    drawn = next(player for player in record["players"] if player["name"] == "alice")
    drawn["name"] = "former-17"
    record["deal"]["players"][0] |= {"name": "former-17", "entropy": "", "salt": "", "closed": True}


def test_it_verifies_a_deal_with_a_closed_account(record: Record) -> None:
    close_account(record)
    code, output = verify(record, commitment(SEED, HASHES))
    assert (code, output.count("agrees"), output.count("DIFFERS")) == (0, 12, 0)
    assert output.splitlines()[-2:] == [
        "Of accounts that were closed only the share is left: that of former-17.",
        "The deal was fair.",
    ]


def test_it_notices_a_share_that_was_changed_after_an_account_was_closed(record: Record) -> None:
    close_account(record)
    record["deal"]["players"][0]["share"] = "0" * 64
    code, output = verify(record)
    assert code == 1
    assert "DIFFERS the huts of the opening" in output


def test_it_does_not_take_a_closed_account_for_a_fraud(old_record: Record) -> None:
    record = old_record
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
    record["deal"]["commitment"] = commitment(SEED[::-1], HASHES)


def change_entropy(record: Record) -> None:
    record["deal"]["players"][1]["entropy"] = "late"


def change_version(record: Record) -> None:
    record["deal"]["version"] = "clans-deal/4"


def change_salt(record: Record) -> None:
    record["deal"]["players"][1]["salt"] = SALTS[1].hex()


def change_salt_hash(record: Record) -> None:
    record["deal"]["salt_hashes"][1] = HASHES[0]


def change_share(record: Record) -> None:
    record["deal"]["players"][1]["share"] = HASHES[0]


def shorten_seed(record: Record) -> None:
    record["deal"]["seed"] = record["deal"]["seed"][:-2]


@pytest.mark.parametrize(
    ("tamper", "differs"),
    [
        (swap_players, "the seats"),
        (swap_clans, "the clan cards"),
        (turn_first, "the starting player"),
        (swap_huts, "the huts of the opening"),
        (change_seed, "the SHA-256 of the seed and the salts is the commitment of the record"),
        (change_commitment, "the SHA-256 of the seed and the salts is the commitment of the record"),
        (change_entropy, "the share of bob comes from the name and what was added"),
        (change_version, "the version is one of clans-deal/3, clans-deal/2, clans-deal/1"),
        (change_salt, "the salt of bob is the one that was fixed"),
        (change_salt_hash, "the SHA-256 of the seed and the salts is the commitment of the record"),
        (change_share, "the huts of the opening"),
        (shorten_seed, "the seed has 32 bytes"),
    ],
)
def test_it_notices_what_was_tampered_with(record: Record, tamper: Callable[[Record], None], differs: str) -> None:
    check_that_it_notices(record, tamper, differs)


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
        (shorten_seed, "the seed has 32 bytes"),
    ],
)
def test_it_notices_what_was_tampered_with_in_the_first_version(
    old_record: Record, tamper: Callable[[Record], None], differs: str
) -> None:
    check_that_it_notices(old_record, tamper, differs)


def check_that_it_notices(record: Record, tamper: Callable[[Record], None], differs: str) -> None:
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


def test_the_address_of_the_table_does_not_count(record: Record) -> None:
    """It does in deals of before, which were fixed with it."""
    record["deal"]["game"] = "zzzzzzzzzz"
    assert verify(record)[0] == (0 if record["deal"]["version"] == DEAL_VERSION else 1)


def test_it_explains_itself() -> None:
    ran = subprocess.run([sys.executable, "-I", str(SCRIPT)], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "clans-deal/1" in ran.stdout

"""What is exported and imported, and what is there afterwards."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from games import pov
from games.models import Game, ImportedRecord, Move, PassedPosition, Seat

KEPT = Path(__file__).parent / "kept.jsonl"
"""Games that this site exported once: with takeovers, closed accounts, computer players, abandoned (keep_games.py)."""
RECORDED = Path(__file__).parents[1] / "rules/recorded"
DONE = re.compile(r"Imported: ([\d,]+), here already: ([\d,]+), refused: ([\d,]+)")


def exported(*options: str) -> bytes:
    stdout = StringIO()
    call_command("export_games", *options, stdout=stdout)
    return stdout.getvalue().encode()


def simulated(games: int, seed: int = 1) -> bytes:
    stdout = StringIO()
    call_command("simulate", str(games), "--seed", str(seed), stdout=stdout)
    return stdout.getvalue().encode()


def counts(said: str) -> tuple[int, ...]:
    """How many games were imported, here already, and refused, by what the command says last."""
    *_before, last = DONE.findall(said)
    return tuple(map(int, last))


def stored() -> tuple[int, ...]:
    return tuple(model._default_manager.count() for model in (Game, Seat, Move, PassedPosition, ImportedRecord))


def verified() -> list[str]:
    return [said for wrong in pov.verify_archive() for said in wrong]

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games import importing

EVERY = 1000
"""After how many lines progress is printed."""
LONGEST_REASON = 200


class Command(BaseCommand):
    help = (
        "Read games from a file of JSON lines of clans-record/1, such as export_games prints, gzipped or not."
        " Each is checked by the rules and by its own proof; of each that is refused it says the line and why. A game"
        " that is here already is skipped. Fails if any was refused; the others stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="such as games.jsonl or games.jsonl.gz")

    def handle(self, *, file: Path, **options: Any) -> None:
        gc.freeze()  # what has been loaded by now stays: not to be searched for garbage again and again
        done: Counter[str] = Counter()
        try:
            for each in importing.import_records(importing.read_lines(file), at=timezone.now()):
                done[each.outcome] += 1
                if each.reason:
                    self.stdout.write(f"line {each.number}: refused. {_printable(each.reason)}")
                if done.total() % EVERY == 0:
                    self.stdout.write(f"{done.total():,} lines: {_say(done)}")
        except importing.BrokenFile as error:
            raise CommandError(f"{file}, {error} {_say(done)} before.") from error
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror or error}.") from error
        if done["refused"]:
            raise CommandError(f"{_say(done)}.")
        self.stdout.write(f"{_say(done)}.")


def _say(done: Counter[str]) -> str:
    return f"{done['imported']:,} games imported, {done['skipped']:,} here already, {done['refused']:,} refused"


def _printable(reason: str) -> str:
    """A reason may repeat what stands in the file: nothing of that is to reach the terminal as it is."""
    return "".join(sign if sign.isprintable() else "?" for sign in reason[:LONGEST_REASON])

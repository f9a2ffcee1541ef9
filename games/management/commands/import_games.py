from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games import importing

EVERY = 1000
"""After how many lines progress is printed."""
LONGEST_REASON = 200
STDIN = 0


class Command(BaseCommand):
    help = (
        "Read games from a file of JSON lines of clans-record/1, such as export_games prints, gzipped or not."
        " Each is checked by the rules and by its own proof; of those that are refused it says the lines and why. A"
        " game that is here already is skipped. Fails if any was refused, and if there is none; the others stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        says = "such as games.jsonl or games.jsonl.gz; - for standard input"
        parser.add_argument("file", metavar="FILE", type=Path, help=says)

    def handle(self, *, file: Path, **options: Any) -> None:
        gc.freeze()  # what has been loaded by now stays: not to be searched for garbage again and again
        done: Counter[str] = Counter()
        from_stdin = str(file) == "-"
        name = "Standard input" if from_stdin else file
        try:
            lines = importing.read_lines(STDIN if from_stdin else file)
            for reason, alike in groupby(importing.import_records(lines, at=timezone.now()), key=attrgetter("reason")):
                self._tell(alike, done, reason=_printable(reason))
        except importing.BrokenFile as error:
            raise CommandError(f"{name}, {error} {_say(done)}.") from error
        except BrokenPipeError:
            raise  # whoever reads what this says is gone; the file is as it should be
        except OSError as error:
            raise CommandError(f"{name} cannot be read: {error.strerror or error}.") from error
        if not done:
            raise CommandError(f"{name} has no records.")
        if done["refused"]:
            raise CommandError(f"{_say(done)}.")
        self.stdout.write(f"{_say(done)}.")

    def _tell(self, alike: Iterable[importing.Imported], done: Counter[str], *, reason: str) -> None:
        """Count lines in a row, and say why they are refused, all for one reason."""
        first = last = 0
        try:
            for each in alike:
                last = each.number
                if reason and not first:
                    self.stdout.write(f"line {last}: refused. {reason}")
                first = first or last
                done[each.outcome] += 1
                if done.total() % EVERY == 0:
                    self.stdout.write(f"{done.total():,} lines: {_say(done)}")
        finally:
            if reason and last > first:
                self.stdout.write(f"up to line {last}: refused for the same reason.")


def _say(done: Counter[str]) -> str:
    return f"Imported: {done['imported']:,}, here already: {done['skipped']:,}, refused: {done['refused']:,}"


def _printable(reason: str) -> str:
    """A reason may repeat what stands in the file: nothing of that is to reach the terminal as it is."""
    return "".join(sign if sign.isprintable() else "?" for sign in reason[:LONGEST_REASON])

"""`manage.py simulate N --seed S`: random games for other programs to study; touches no database."""

import json
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.rules import BOARDS, STANDARD, find_ruleset, simulate


class Command(BaseCommand):
    help = "Print N games of random legal moves as JSON lines of clans-record/1; the same seed gives the same bytes."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", metavar="N", type=_count, help="how many games")
        parser.add_argument("--seed", type=int, default=0, help="a whole number (0 if not given)")
        parser.add_argument("--board", default=STANDARD.board.id, choices=BOARDS, help="the map (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = find_ruleset(options["board"], STANDARD.version.number)
        for number in range(options["games"]):
            self.stdout.write(json.dumps(simulate(number, seed=options["seed"], ruleset=ruleset)))


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no number of games")
    return int(text)

"""The picture that previews of links show where a table has none of its own."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games import pictures
from games.pages.sample import play_sample

PREVIEW = Path(__file__).parents[2] / "static" / "games" / "preview.png"


class Command(BaseCommand):
    help = "Draw static/games/preview.png anew, after the map or the look of the board has changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, default=PREVIEW, help="the file to write")

    def handle(self, *args: Any, to: Path, **options: Any) -> None:
        step = play_sample()
        to.write_bytes(pictures.draw_png(pictures.draw_alone(step.position, last=step)))

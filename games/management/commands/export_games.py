"""`manage.py export_games`: what was played here, for other programs to study."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from games import pov
from games.models import Game


class Command(BaseCommand):
    help = "Print every finished game, oldest first, as JSON lines of clans-record/1."

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.finished().select_related("deal").order_by("ended_at", "pk")
        for game in games.iterator(chunk_size=100):
            self.stdout.write(json.dumps(pov.look(game, viewer=None).record()))

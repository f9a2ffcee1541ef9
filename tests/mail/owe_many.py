"""Run as a program: a database with many mails that are due, two for each of so many games whose players have
no other, for test_many_senders.py. Prints how many."""

from __future__ import annotations

import os
import sys
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from games.enqueue import without_enqueueing  # noqa: E402
from games.models import Notice, Player  # noqa: E402
from tests.cast import make_game  # noqa: E402

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    names = [f"player{number}" for number in range(2 * int(sys.argv[1]))]
    players = [Player.objects.create(username=name, email=f"{name}@example.com") for name in names]
    with without_enqueueing():
        for pair in zip(players[::2], players[1::2], strict=True):
            make_game(*pair, at=timezone.now() - timedelta(minutes=1))
    print(Notice.objects.count())

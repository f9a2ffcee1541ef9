"""What the page of a player with 10,000 games costs: CPU time and queries, for a visitor, for who has met them, and for
the player.

    python -m bench player
"""

from __future__ import annotations

import os

from bench._here import new_site
from bench.grows import cost

GAMES = int(os.environ.get("GAMES", "10000"))
TARGET = "at most 3,000 us of CPU and 8 queries"


def main() -> None:
    with new_site():
        _measure()


def _measure() -> None:
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client
    from django.utils import timezone

    from bench import _big_site
    from bench.grows import _page
    from games import play
    from games.models import Game, Player

    call_command("collectstatic", interactive=False, verbosity=0)
    at = timezone.now()
    site = _big_site.grow(_big_site.begin_site(at=at, every=1), GAMES, at=at)
    play.recount_totals()
    # Nobody has 4,000 tables waiting, which every page counts.
    Game.objects.filter(awaited=site.regular).update(awaited=None)
    print(f"{site.regular.seats.count():,} games of one player; {TARGET}")
    for name in ("", "other", "regular"):
        client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
        if name:
            client.force_login(Player.objects.get(username=name))
        for path in ("/players/regular/", "/archive/?player=regular", "/archive/"):
            print(f"{name or 'a visitor':10} {path:26}", cost(_page(client, path)))


if __name__ == "__main__":
    main()

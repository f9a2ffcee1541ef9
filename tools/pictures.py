"""`make pictures`: plays a fixed game on a site of its own and takes docs/pictures again, in Debian's Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from random import Random

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from clans_site import run
from games import rules
from tests.servers import free_port

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"
PASSWORD = "the-lake-is-frozen"  # noqa: S105
NAMES = ("alice", "bob", "carol")
CLANS = ("green", "red", "blue")
SEED = 3
MIDDLE = 24
EVERY = timedelta(hours=5)
WIDE, PHONE = (1180, 860), (390, 844)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb"]


@dataclass(frozen=True)
class Shot:
    """A picture to take: of the game after so many moves (None: the end), how wide, by day or by night."""

    name: str
    ply: int | None
    size: tuple[int, int]
    scheme: str


SHOTS = (
    Shot("opening", 0, WIDE, "light"),
    Shot("table", MIDDLE, WIDE, "light"),
    Shot("night", MIDDLE, WIDE, "dark"),
    Shot("end", None, WIDE, "light"),
    Shot("phone-opening", 0, PHONE, "dark"),
    Shot("phone", MIDDLE, PHONE, "light"),
    Shot("phone-night", MIDDLE, PHONE, "dark"),
    Shot("phone-end", None, PHONE, "light"),
)


def main() -> None:
    """Takes all pictures and says what they weigh."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="clans-pictures-") as folder, sync_playwright() as playwright:
        os.environ.update(VAR_DIR=folder, PORT=str(free_port()), DJANGO_SETTINGS_MODULE="clans_site.settings")
        # Playwright's loop runs in this thread, and Django would rather not be called beside one.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        tables = _play()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        with _site() as url:
            for shot in SHOTS:
                _take(shot, browser, url, tables[shot.ply])
        browser.close()
    print(f"{sum(file.stat().st_size for file in FOLDER.glob('*.png')) / 1e6:.2f} MB in {FOLDER}")


# --- The game ------------------------------------------------------------------------------------


def _play() -> dict[int | None, str]:
    """The slugs of three tables at which the same game has come so far, in a database made for it."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from allauth.account.models import EmailAddress

    from games.models import Player

    for name in NAMES:
        player = Player.objects.create_user(name, email=f"{name}@example.com", password=PASSWORD)
        EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    return {ply: _table(ply) for ply in (None, MIDDLE, 0)}


def _table(until: int | None) -> str:
    from games import play
    from games.enqueue import without_enqueueing
    from games.models import Game, Player

    opening, moves = _story()
    players = list(Player.objects.order_by("pk"))
    began = datetime.now(UTC) - EVERY * (len(moves[:until]) + 1)
    with without_enqueueing():
        game = play.open_table(players[0], name="Friday table", size=len(players), at=began)
        for player in players[1:]:
            play.join_table(game, player=player, at=began)
        # The draw is fair, and so another one each time: for the pictures it is put aside.
        game.seats.update(number=None, clan="")
        for number, (player, clan) in enumerate(zip(players, CLANS, strict=True)):
            game.seats.filter(player=player).update(number=number, clan=clan)
        first = opening.first
        Game.objects.filter(pk=game.pk).update(
            huts=opening.huts, first=first, to_move=first, awaited=players[first], turn_since=began
        )
        for ply, move in enumerate(moves[:until]):
            game.refresh_from_db()
            seat = game.seats.get(number=game.to_move)
            play.play_move(game, seat=seat, move=move, ply=ply, key=f"picture-{ply}", at=began + EVERY * (ply + 1))
    return game.slug


def _story() -> tuple[rules.Opening, list[rules.Move]]:
    """A whole game of players who like to found villages, always the same."""
    rng = Random(SEED)
    opening = rules.random_opening(rng, seats=len(NAMES))
    position = rules.set_up(opening)
    moves: list[rules.Move] = []
    while not position.over:
        thoughts = [rules.random_step(position, rng) for _thought in range(4)]
        step = max(thoughts, key=lambda step: sum(village.value for village in step.villages))
        position, moves = step.position, [*moves, step.move]
    return opening, moves


# --- The pictures --------------------------------------------------------------------------------


@contextmanager
def _site() -> Iterator[str]:
    """The site's address while it is up."""
    port = os.environ["PORT"]
    command = [sys.executable, "manage.py", "runserver", "--noreload", "--insecure", port]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        while server.poll() is None and not run.answers("127.0.0.1", int(port)):
            time.sleep(0.2)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(20)


def _take(shot: Shot, browser: Browser, url: str, slug: str) -> None:
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.scheme == "dark" else "light",
        device_scale_factor=1.5 if shot.size == PHONE else 1,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"{url}/accounts/login/?next=/tables/{slug}/")
    page.fill("[name=login]", NAMES[0])
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(f"**/tables/{slug}/")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    file = FOLDER / f"{shot.name}.png"
    shown = Image.open(BytesIO(page.screenshot())).convert("RGB")
    # A third of the bytes.
    few = shown.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
    few.save(file, optimize=True)
    print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")
    context.close()


if __name__ == "__main__":
    main()

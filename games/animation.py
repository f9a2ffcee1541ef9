"""A finished game as an animation: a page asks for it, the worker or a sweep draws it, and it is kept as a file.

Drawing takes seconds of CPU, so no page does it. What is asked for is an empty file for each game beside the pictures.
As what it asks for can be made again at any time, nothing about it is in the database.
"""

from __future__ import annotations

import logging
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings

from games import rules
from games.drawing import initials, png
from games.enqueue import enqueue
from games.models import Game
from games.pov import Pov, look

logger = logging.getLogger(__name__)

MOST_REQUESTS: Final = 20
"""Games that may wait to be drawn at the same time: about a minute of work."""
TASK: Final = "games.tasks.draw_animations"


def name_animation(pov: Pov) -> str:
    """The name of the file with the animation of a game that is over: another one if anything in it changes, be it the
    initial of a player who has closed the account, or how boards are drawn. About 2 ms."""
    if pov.opening is None or pov.position is None:
        raise ValueError(f"{pov.slug} is not over")
    letters = initials(seat.name for seat in pov.seats)
    drawn = png.draw_layers(pov.position, last=pov.last_step, initials=letters).digest
    moves = " ".join(str(move.step.move) for move in pov.moves)
    digest = sha256("\n".join((pov.opening.huts, moves, drawn)).encode()).hexdigest()
    return f"animation-{digest[:32]}.gif"


def is_requested(game: Game) -> bool:
    """Whether somebody has asked for it, and nobody has begun to draw it."""
    return _request(game.pk).exists()


def request_animation(game: Game) -> bool:
    """Have it drawn; False if too many others wait already. To ask again changes nothing."""
    request = _request(game.pk)
    if not request.exists():
        if len(_requests()) >= MOST_REQUESTS:
            return False
        request.parent.mkdir(parents=True, exist_ok=True)
        request.touch()
        enqueue(TASK)
    return True


def draw_requested(*, most: int = MOST_REQUESTS) -> int:
    """Draw what was asked for, first come, first served, and say how many those were. None while another process does
    so: one at a time, so that pages stay fast."""
    try:
        with png.drawing_slot("animating"):
            return _draw(most)
    except png.BusyError:
        return 0


def _draw(most: int) -> int:
    drawn = 0
    while drawn < most and (requests := _requests()):
        # Whatever happens to it, it is tried once: whoever wants it asks again.
        requests[0].unlink(missing_ok=True)
        drawn += 1
        try:
            _draw_one(int(requests[0].name))
        except Exception:
            logger.exception("the animation of game %s cannot be drawn", requests[0].name)
    return drawn


def _draw_one(pk: int) -> None:
    game = Game.objects.select_related("deal").filter(pk=pk).first()
    if game is None or not game.is_over:
        return
    pov = look(game, viewer=None)
    if pov.opening is None:
        raise ValueError(f"{pov.slug} has not begun")
    start, steps = rules.set_up(pov.opening), [move.step for move in pov.moves]
    letters = initials(seat.name for seat in pov.seats)
    png.cached_picture(name_animation(pov), lambda: png.draw_animation(start, steps, initials=letters))


def _request(pk: int) -> Path:
    return _folder() / str(pk)


def _requests() -> list[Path]:
    """What was asked for, first come first."""
    found = []
    for file in _folder().glob("*"):
        try:
            found.append((file.stat().st_mtime_ns, file))
        except FileNotFoundError:
            continue
    return [file for _at, file in sorted(found)]


def _folder() -> Path:
    return Path(settings.PICTURES_DIR) / "wanted"

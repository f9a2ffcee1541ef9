"""A whole game as an animated GIF: a frame for each ply, the move marked as in the other pictures.

GIF, because all frames have the few colors of the mail pictures, without dithering: what did not change is left out of
a frame, and a game of 48 moves has 124 kB. The same as lossless WebP has 173 kB or more and takes ten times as long to
write; lossy WebP has 450 kB.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final

from games import rules
from games.drawing.png.mail_picture import in_few_colors, paint_board
from games.drawing.seals import NOBODY

FRAME: Final = 700
LAST: Final = 4000
"""Milliseconds for which a ply is shown, and the last one, before all begins again."""


def draw_animation(start: rules.Position, steps: Sequence[rules.Step], *, initials: Sequence[str] = NOBODY) -> bytes:
    """The game from `start` by `steps`, as GIF, as large as the pictures of mails. About 60 ms of CPU and 3 kB for each
    step: never while somebody waits."""
    first = in_few_colors(paint_board(start, initials=initials))
    others = [in_few_colors(paint_board(step.position, steps=[step], initials=initials)) for step in steps]
    durations = [*[FRAME] * len(others), LAST]
    written = io.BytesIO()
    # disposal=1: each frame lies over the one before, so that it has only what changed.
    options = {"save_all": True, "append_images": others, "loop": 0, "optimize": True, "disposal": 1}
    first.save(written, "GIF", duration=durations, **options)
    return written.getvalue()

"""Draws what previews of links show where a table has no picture of its own: `python -m tools.preview` writes
static/games/preview.png, a game in its middle. Bytes may differ from machine to machine, so none are compared."""

import os
from pathlib import Path

import django

PREVIEW = Path(__file__).parent.parent / "games" / "static" / "games" / "preview.png"


def draw_preview() -> bytes:
    """The picture as PNG. Needs Django, which finds the drawings of maps."""
    from games.drawing import play_sample, png

    step = play_sample()
    return png.draw_png(png.draw_layers(step.position, last=step))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "clans_site.settings"
    django.setup()
    PREVIEW.write_bytes(draw_preview())

"""Draws what previews of links show where a table has no picture of its own: `python -m tools.preview` writes
static/games/preview.png, a game in its middle. Bytes may differ from machine to machine, so none are compared."""

from pathlib import Path

from games.drawing import play_sample, png

PREVIEW = Path(__file__).parent.parent / "games" / "static" / "games" / "preview.png"


def draw_preview() -> bytes:
    """The picture as PNG."""
    step = play_sample()
    return png.draw_png(png.draw_alone(step.position, last=step))


if __name__ == "__main__":
    PREVIEW.write_bytes(draw_preview())

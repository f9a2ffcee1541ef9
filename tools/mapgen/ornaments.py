"""What a sheet of an atlas has about it: the frame with its degrees, and a compass where the sea is widest."""

from collections.abc import Iterator

from tools.mapgen.ink import number, straight
from tools.mapgen.mesh import Spot
from tools.mapgen.sheet_shapes import Shapes

DEGREE = 50
POINTS: tuple[Spot, ...] = (
    (0, -1), (0.7071, -0.7071), (1, 0), (0.7071, 0.7071), (0, 1), (-0.7071, 0.7071), (-1, 0), (-0.7071, -0.7071),
)  # fmt: skip


def frame(bounds: tuple[float, float, float, float]) -> Iterator[str]:
    """A double line round the sheet, filled at every other degree."""
    left, top, right, bottom = bounds
    yield _frame_line(bounds, 2.0, 'stroke-width="1.6"')
    yield _frame_line(bounds, 7.0, 'stroke-width=".8"')
    bars = []
    for start in range(0, int(right) - DEGREE, 2 * DEGREE):
        bars += [f"M{start} {number(edge)}h{DEGREE}" for edge in (top + 4.5, bottom - 4.5)]
    for start in range(0, int(bottom) - DEGREE, 2 * DEGREE):
        bars += [f"M{number(edge)} {start}v{DEGREE}" for edge in (left + 4.5, right - 4.5)]
    yield f'<path class="s-ink" stroke-width="5" stroke-linecap="butt" opacity=".8" d="{"".join(bars)}"/>'


def _frame_line(bounds: tuple[float, float, float, float], inset: float, dress: str) -> str:
    left, top, right, bottom = bounds
    size = (
        f'x="{left + inset}" y="{top + inset}" width="{right - left - 2 * inset}" height="{bottom - top - 2 * inset}"'
    )
    return f'<rect class="s-ink" {size} {dress}/>'


def compass(shapes: Shapes, margin: int) -> Iterator[str]:
    """A rose of eight winds, as large as the widest water leaves room for."""
    room, x, y = max(_rooms(shapes, margin))
    size = min(room - 12, 40)
    if size < 16:
        return
    long, short, waist = size, size * 0.62, size * 0.17
    dark: list[str] = []
    light: list[str] = []
    for index, (dx, dy) in enumerate(POINTS):
        reach = short if index % 2 else long
        tip = (x + dx * reach, y + dy * reach)
        one, other = (POINTS[(index + turn) % 8] for turn in (1, -1))
        for side, half in ((one, dark), (other, light)):
            flank = (x + (dx + side[0]) * waist * 0.55, y + (dy + side[1]) * waist * 0.55)
            half.append(straight([(x, y), tip, flank]) + "z")
    circle = f'cx="{number(x)}" cy="{number(y)}"'
    yield f'<circle class="s-ink" {circle} r="{number(size * 0.5)}" stroke-width=".8" opacity=".6"/>'
    yield f'<path class="f-paper" stroke="none" d="{"".join(light)}"/>'
    yield f'<path class="s-ink" stroke-width=".8" d="{"".join(light + dark)}"/>'
    yield f'<path class="f-ink" d="{"".join(dark)}"/>'


def _rooms(shapes: Shapes, margin: int) -> Iterator[tuple[float, float, float]]:
    """For places on the sea: how far land and frame are, and where the place is."""
    width, height = shapes.outlines["width"], shapes.outlines["height"]
    for x in range(-margin, width + margin, 6):
        for y in range(-margin, height + margin, 6):
            edge = min(x + margin, y + margin, width + margin - x, height + margin - y) - 8
            yield min(shapes.room_at(x, y) - 8, edge), x, y

"""How the points of the clans grew over the moves of a game, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from django.utils.safestring import SafeString

from games import rules
from games.drawing.huts import MARKS

WIDTH, HEIGHT = 480, 276
FOOT: Final = 206
AXIS: Final = 13
"""How far the axis lies below no points, since the lines of several clans at no points lie below each other."""
NUMBERS: Final = FOOT + 36
"""How far down the numbers of the moves stand."""
LED: Final = FOOT + 48
"""Where the strip begins that says who led. Strips for what else is to be told of each move belong below it."""
STRIP: Final = 14
RADIUS: Final = 10
LETTER: Final = 5
"""How wide a letter of the name of a short epoch is at most."""


class ChartNames(NamedTuple):
    """What the chart calls what goes upwards, what goes to the right, and the strip below."""

    points: str
    moves: str
    led: str


class Field(NamedTuple):
    """Where the lines of a chart run: from move 0 at `left` to the `last` at `right`, from no points at `foot` to the
    `most` at `top`."""

    left: float
    right: float
    top: float
    foot: float
    last: int
    most: int

    def x(self, ply: float) -> float:
        return round(self.left + (self.right - self.left) * ply / self.last, 1)

    def y(self, score: float) -> float:
        return round(self.foot - (self.foot - self.top) * score / self.most, 1)


def clan_lines(scores: Sequence[Sequence[int]], field: Field) -> Iterator[tuple[str, str]]:
    """Each clan with its line as the data of a path, in steps as points come. A line is a little below the one before,
    so that those with the same points are seen."""
    for number, clan in enumerate(rules.CLANS):
        aside = 4 * (number - 2)
        drawn = f"M{field.left:g} {field.y(scores[0][number]) + aside:g}"
        for ply in range(1, len(scores)):
            if scores[ply][number] != scores[ply - 1][number]:
                drawn += f"H{min(field.x(ply) + aside, field.right):g}V{field.y(scores[ply][number]) + aside:g}"
        yield clan, f"{drawn}H{field.right:g}"


def apart(places: Mapping[str, float], *, highest: float, gap: float = 25) -> dict[str, float]:
    """The places, moved up where two would cover each other, and down where one would then be above the `highest`."""
    moved: dict[str, float] = {}
    above = float("inf")
    for clan, place in sorted(places.items(), key=lambda item: -item[1]):
        above = moved[clan] = min(place, above - gap)
    below = highest - gap
    for clan, place in sorted(moved.items(), key=lambda item: item[1]):
        below = moved[clan] = max(place, below + gap)
    return moved


def draw_chart(
    start: rules.Position,
    steps: Sequence[rules.Step],
    *,
    epochs: Mapping[int, str],
    names: ChartNames,
    at: int | None = None,
) -> SafeString:
    """The picture of a game with moves: a line for each clan with its mark and points at the end, below it a mark for
    each village and a strip of the clans that led, above it the `epochs` by their names. The move `at` a ply is
    marked. It is decoration: what it shows is to be said beside it."""
    scores = [start.scores, *(step.position.scores for step in steps)]
    field = Field(28, WIDTH - 80, 36, FOOT, last=len(steps), most=-(-max(10, *scores[-1]) // 10) * 10)
    parts = (
        *_grid(field),
        *_axes(field, names),
        *_epochs(start, steps, field, epochs),
        *_lines(scores, field),
        _villages(steps, field),
        *_led(scores, field),
        *_mark(field, at),
    )
    size = f"{WIDTH} {HEIGHT}"
    return SafeString(f'<svg class="scoring grown" viewBox="0 0 {size}" aria-hidden="true">{"".join(parts)}</svg>')


def _grid(field: Field) -> Iterator[str]:
    """A line at every tenth point, a stroke at every tenth move."""
    lines = "".join(f"M{field.left} {field.y(score):g}H{field.right}" for score in range(10, field.most + 1, 10))
    strokes = "".join(f"M{field.x(ply):g} {field.foot + AXIS}v5" for ply in range(10, field.last + 1, 10))
    yield f'<path stroke="var(--line)" d="{lines}"/>'
    yield f'<path class="rule" d="M{field.left} {field.foot + AXIS}H{field.right}{strokes}"/>'
    for score in range(0, field.most + 1, 10):
        yield f'<text x="{field.left - 14}" y="{field.y(score) + 4:g}">{score}</text>'
    for ply in range(0, field.last + 1, 10):
        yield f'<text x="{field.x(ply):g}" y="{NUMBERS}">{ply}</text>'


def _axes(field: Field, names: ChartNames) -> Iterator[str]:
    """What the numbers are: above those at the left, behind those at the foot, and behind the strip."""
    yield f'<text x="{field.left - 7}" y="{field.top - 14}">{names.points}</text>'
    yield f'<text x="{field.right + 36}" y="{NUMBERS}">{names.moves}</text>'
    yield f'<text x="{field.right + 36}" y="{LED + STRIP - 3}">{names.led}</text>'


def _epochs(
    start: rules.Position, steps: Sequence[rules.Step], field: Field, names: Mapping[int, str]
) -> Iterator[str]:
    """The name of each epoch above its moves, smaller where there are few, and where it began."""
    by_ply = [start.epoch, *(step.position.epoch for step in steps[:-1])]
    begins = [ply for ply, epoch in enumerate(by_ply) if epoch and (ply == 0 or epoch != by_ply[ply - 1])]
    borders = "".join(f"M{field.x(begin):g} {field.top - 12}V{field.foot}" for begin in begins if begin)
    yield f'<path stroke="var(--line-strong)" stroke-dasharray="2 4" d="{borders}"/>'
    drawn, free = [], field.right + RADIUS
    for begin, end in zip(reversed(begins), [field.last, *reversed(begins[1:])], strict=True):
        left, right, name = field.x(begin), field.x(end), names[by_ply[begin] or 0]
        brief = "" if right - left > 2 * RADIUS else ' class="brief"'
        # To the left of the name of the next epoch, which may be as short.
        half = len(name) * (LETTER if brief else LETTER * 1.5) / 2
        middle = min((left + right) / 2, free - half)
        free = middle - half - LETTER / 2
        drawn.append(f'<text{brief} x="{middle:g}" y="{field.top - 14}">{name}</text>')
    yield from reversed(drawn)


def _villages(steps: Sequence[rules.Step], field: Field) -> str:
    """A roof on the line of the moves for each village, those of one move above each other."""
    roofs = "".join(
        f"M{field.x(step.ply + 1):g} {field.foot + AXIS - 8 * storey:g}l5 8h-10z"
        for step in steps
        for storey in range(1, len(step.villages) + 1)
    )
    return f'<path class="roofs" d="{roofs}"/>'


def _lines(scores: Sequence[Sequence[int]], field: Field) -> Iterator[str]:
    """A thin line leads from the end of each to the mark of its clan, as marks have to move apart."""
    places: dict[str, float] = {clan: field.y(score) for clan, score in zip(rules.CLANS, scores[-1], strict=True)}
    ends = apart(places, highest=RADIUS + 2)
    lines = dict(clan_lines(scores, field))
    leads = "".join(
        f"M{field.right + 3} {places[clan] + 4 * (number - 2):g}L{field.right + 20} {ends[clan]:g}"
        for number, clan in enumerate(lines)
    )
    defined = "".join(f'<path id="grew-{clan}" d="{line}"/>' for clan, line in lines.items())
    yield f'<path class="lead" d="{leads}"/><defs>{defined}</defs><g class="grew">'
    for clan in lines:
        # Rim, outline and color, as of a hut.
        below = f'<use href="#grew-{clan}"/>'
        yield f'<g>{below}{below}<use href="#grew-{clan}" stroke="var(--clan-{clan})"/></g>'
    yield "</g>"
    for clan, score in zip(rules.CLANS, scores[-1], strict=True):
        sign = f'<g class="hut-sign sign-{clan}" transform="translate(-12-13.5)">{MARKS[clan]}</g>'
        disc = f'<circle class="rim" r="{RADIUS + 1.5}"/><circle class="disc fill-{clan}" r="{RADIUS}"/>{sign}'
        points = f'<text class="score" x="{RADIUS + 4}" y="6">{score}</text>'
        yield f'<g transform="translate({field.right + 30} {ends[clan]:g})">{disc}{points}</g>'


def leaders(scores: Sequence[int]) -> tuple[str, ...]:
    """The clans that have most points; none before there are any."""
    most = max(scores)
    return tuple(clan for clan, score in zip(rules.CLANS, scores, strict=True) if score == most > 0)


def _led(scores: Sequence[Sequence[int]], field: Field) -> Iterator[str]:
    """For the moves that each clan led a bar with its mark, where there is room for it; clans that led together share
    the height."""
    for led, plies in groupby(range(1, len(scores)), key=lambda ply: leaders(scores[ply])):
        moves = [*plies]
        left, right = field.x(moves[0]), min(field.x(moves[-1] + 1), field.right + 12)
        for place, clan in enumerate(led):
            high = STRIP / len(led)
            yield (f'<path class="bar fill-{clan}" d="M{left:g} {LED + place * high:g}H{right:g}v{high:g}H{left:g}z"/>')
            if len(led) == 1 and right - left >= STRIP:
                middle = f"translate({(left + right) / 2:g} {LED + STRIP / 2})scale(.6)translate(-12-13.5)"
                yield f'<g class="hut-sign sign-{clan}" transform="{middle}">{MARKS[clan]}</g>'


def _mark(field: Field, at: int | None) -> Iterator[str]:
    """A line over the move that is marked."""
    if at is not None:
        yield f'<path class="at" d="M{field.x(at):g} {field.top - 8}V{field.foot + AXIS}"/>'

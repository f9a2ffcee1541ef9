"""How the points of the clans grew over the moves of a game, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.safestring import SafeString

from games import rules
from games.drawing.huts import MARKS

WIDTH, HEIGHT = 480, 250
RADIUS: Final = 10


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
        aside = 3 * (number - 2)
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
    start: rules.Position, steps: Sequence[rules.Step], *, epochs: Mapping[int, str], axes: tuple[str, str]
) -> SafeString:
    """The picture of a game with moves: a line for each clan with its mark and points at the end, below it a mark for
    each village, above it the `epochs` by their names. `axes` says what goes upwards and what to the right. It is
    decoration: what it shows is to be said beside it."""
    scores = [start.scores, *(step.position.scores for step in steps)]
    field = Field(28, WIDTH - 80, 36, HEIGHT - 44, last=len(steps), most=-(-max(10, *scores[-1]) // 10) * 10)
    parts = (
        *_grid(field),
        *_axes(field, axes),
        *_epochs(start, steps, field, epochs),
        *_villages(steps, field),
        *_lines(scores, field),
    )
    return SafeString(f'<svg class="scoring" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>')


def _grid(field: Field) -> Iterator[str]:
    """A line at every tenth point, a stroke at every tenth move."""
    lines = "".join(f"M{field.left} {field.y(score):g}H{field.right}" for score in range(10, field.most + 1, 10))
    strokes = "".join(f"M{field.x(ply):g} {field.foot + 9}v5" for ply in range(10, field.last + 1, 10))
    yield f'<path stroke="var(--line)" d="{lines}"/>'
    yield f'<path class="rule" d="M{field.left} {field.foot + 9}H{field.right}{strokes}"/>'
    for score in range(0, field.most + 1, 10):
        yield f'<text x="{field.left - 14}" y="{field.y(score) + 4:g}">{score}</text>'
    for ply in range(0, field.last + 1, 10):
        yield f'<text x="{field.x(ply):g}" y="{HEIGHT - 12}">{ply}</text>'


def _axes(field: Field, names: tuple[str, str]) -> Iterator[str]:
    """What the numbers are: above those at the left, and behind those at the foot."""
    yield f'<text x="{field.left - 10}" y="{field.top - 14}">{names[0]}</text>'
    yield f'<text x="{field.right + 30}" y="{HEIGHT - 12}">{names[1]}</text>'


def _epochs(
    start: rules.Position, steps: Sequence[rules.Step], field: Field, names: Mapping[int, str]
) -> Iterator[str]:
    """The name of each epoch above its moves, and where it began."""
    by_ply = [start.epoch, *(step.position.epoch for step in steps)]
    begins = [ply for ply, epoch in enumerate(by_ply) if epoch and (ply == 0 or epoch != by_ply[ply - 1])]
    for begin, end in zip(begins, [*begins[1:], field.last], strict=True):
        left, right = field.x(begin), field.x(end)
        if begin:
            border = f"M{left:g} {field.top - 12}V{field.foot}"
            yield f'<path stroke="var(--line-strong)" stroke-dasharray="2 4" d="{border}"/>'
        if right - left > 2 * RADIUS:
            yield f'<text x="{(left + right) / 2:g}" y="{field.top - 14}">{names[by_ply[begin] or 0]}</text>'


def _villages(steps: Sequence[rules.Step], field: Field) -> Iterator[str]:
    """A roof on the line of the moves for each village, those of one move above each other."""
    for step in steps:
        for storey in range(len(step.villages)):
            yield f'<path fill="var(--ink)" d="M{field.x(step.ply + 1):g} {field.foot - 1 - 8 * storey:g}l5 8h-10z"/>'


def _lines(scores: Sequence[Sequence[int]], field: Field) -> Iterator[str]:
    """Each line leads to the mark of its clan, also where marks had to move apart."""
    places: dict[str, float] = {clan: field.y(score) for clan, score in zip(rules.CLANS, scores[-1], strict=True)}
    ends = apart(places, highest=RADIUS + 2)
    for clan, line in clan_lines(scores, field):
        for color, width in (("outline", 4.5), (clan, 2.5)):
            yield (
                f'<path fill="none" stroke="var(--clan-{color})" stroke-width="{width}" stroke-linejoin="round" '
                f'd="{line}L{field.right + 20} {ends[clan]:g}"/>'
            )
    for clan, score in zip(rules.CLANS, scores[-1], strict=True):
        sign = f'<g class="hut-sign sign-{clan}" transform="translate(-12-13.5)">{MARKS[clan]}</g>'
        disc = f'<circle class="rim" r="{RADIUS + 1.5}"/><circle class="disc fill-{clan}" r="{RADIUS}"/>{sign}'
        number = f'<text class="score" x="{RADIUS + 4}" y="6">{score}</text>'
        yield f'<g transform="translate({field.right + 30} {ends[clan]:g})">{disc}{number}</g>'

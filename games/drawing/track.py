"""The scoring track: five discs on one line, each with its clan's mark and its number beside it, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Final

from django.utils.safestring import SafeString

from games.drawing.huts import MARKS

PRINTED: Final = 60
"""Spaces of the printed track; a clan that comes further goes on (rules 5.7)."""
WIDE: Final = 340
START, END = 14, 296
"""Where 0 and the last number stand; behind it there is room for a number."""
RADIUS: Final = 10
STOREY: Final = 24
"""From a disc to one that stands above it."""
TOKEN: Final = 2 * RADIUS + 22
"""How wide a disc with its number is."""


def draw_track(scores: Mapping[str, int]) -> SafeString:
    """The picture of the scores by clan. Discs that would cover one another stand in storeys, each on a pole over its
    own place."""
    last = max(PRINTED, -(-max(scores.values()) // 10) * 10)
    placed = list(_in_storeys({clan: START + (END - START) * score / last for clan, score in scores.items()}))
    line = (max(storey for _clan, _x, storey in placed) + 1) * STOREY + 2
    poles = "".join(f"M{x:g} {line}V{line - storey * STOREY - 2 * RADIUS}" for _clan, x, storey in placed)
    discs = "".join(_disc(clan, x, line - storey * STOREY - RADIUS - 2, scores[clan]) for clan, x, storey in placed)
    return SafeString(
        f'<svg class="scoring" viewBox="0 0 {WIDE} {line + 22}" aria-hidden="true">'
        f'{_ruler(last, line)}<path class="pole" d="{poles}"/>{discs}</svg>'
    )


def _in_storeys(places: dict[str, float]) -> Iterator[tuple[str, float, int]]:
    """Each clan with its place and the lowest storey in which it covers nothing, from the right."""
    placed: list[tuple[float, int]] = []
    for clan, x in sorted(places.items(), key=lambda item: -item[1]):
        storey = next(storey for storey in count() if _is_free(x, storey, placed))
        placed.append((x, storey))
        yield clan, round(x, 1), storey


def _is_free(x: float, storey: int, placed: Iterable[tuple[float, int]]) -> bool:
    """Whether a disc with its number would meet neither another one nor, with its number, the pole of a higher one."""
    end = x - RADIUS + TOKEN
    return all(
        end <= other - RADIUS if above == storey else above < storey or not x + RADIUS < other <= end
        for other, above in placed
    )


def _ruler(last: int, line: int) -> str:
    """The line with a stroke at every fifth space and a number at every tenth."""
    strokes, numbers = [], []
    for score in range(0, last + 1, 5):
        x = round(START + (END - START) * score / last, 1)
        strokes.append(f"M{x:g} {line}v{3 if score % 10 else 6}")
        if score % 10 == 0:
            numbers.append(f'<text x="{x:g}" y="{line + 19}">{score}</text>')
    return f'<path class="rule" d="M{START} {line}H{END}{"".join(strokes)}"/><g class="spaces">{"".join(numbers)}</g>'


def _disc(clan: str, x: float, y: float, score: int) -> str:
    sign = f'<g class="hut-sign sign-{clan}" transform="translate(-12-13.5)">{MARKS[clan]}</g>'
    disc = f'<circle class="rim" r="{RADIUS + 1.5}"/><circle class="disc fill-{clan}" r="{RADIUS}"/>{sign}'
    number = f'<text class="score" x="{RADIUS + 4}" y="6">{score}</text>'
    return f'<g transform="translate({x:g} {y:g})">{disc}{number}</g>'

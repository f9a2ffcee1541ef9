"""The result of a game as one picture to keep: board, cards, totals, and how the points of the clans grew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from PIL import ImageFont

from games import rules
from games.drawing.chart import Field, apart, clan_lines
from games.drawing.huts import MARKS
from games.drawing.png.board import SYMBOLS, board_layers, board_style, day_tokens
from games.drawing.png.render import FACE, FONTS, RATIO, Drawing, Layer
from games.drawing.seals import define_seals

RESULT_WIDTH: Final = 1200
RESULT_HEIGHT: Final = 630
"""As large as previews of links are shown."""
EDGE: Final = 26
"""Between what is drawn and the rim of the picture, and between the board and what stands beside it."""
BOARD_HEIGHT: Final = RESULT_HEIGHT - 2 * EDGE
BOARD_WIDTH: Final = round(BOARD_HEIGHT / RATIO)
LEFT: Final = BOARD_WIDTH + 2 * EDGE + 6
RIGHT: Final = RESULT_WIDTH - EDGE - 4
ROW: Final = 42
_MEASURE: Final = ImageFont.truetype(FONTS[0], 100)
"""The face of the picture, to measure text by. It takes a letter that it lacks for a wide one."""
CHART_FOOT: Final = 556
"""Where 0 points stand."""


class ResultSeat(NamedTuple):
    """A seat of a game that is over, as its result shows it."""

    number: int
    name: str
    clan: str
    score: int
    chips: int
    total: int | None
    has_won: bool


def draw_result(
    steps: Sequence[rules.Step],
    start: rules.Position,
    *,
    seats: Sequence[ResultSeat],
    title: str,
    verdict: str,
    foot: str,
    initials: Sequence[str],
) -> Drawing:
    """The board at the end with the last move, beside it title and `verdict`, the `seats` best first, the points of
    the clans from `start` on, and a line at the `foot`. Everything written is given to it."""
    position, last = (steps[-1].position, steps[-1]) if steps else (start, None)
    board = board_layers(position, last=last, initials=initials, width=BOARD_WIDTH, at=(EDGE, EDGE))
    tokens = day_tokens()
    style = (
        f".title{{font-size:38px;font-weight:600}}.verdict{{font-size:25px}}.who{{font-size:26px}}.num{{font-size:26px;"
        f"text-anchor:end}}.small{{font-size:19px;fill:{tokens['ink-soft']}}}.axis{{stroke:{tokens['line']}}}"
    )
    top, lines = 84, _wrapped(verdict, size=25)
    words = [_text("title", LEFT, 68, _cut(title, size=38))]
    for line in lines:
        top += 32
        words.append(_text("verdict", LEFT, top - 10, line))
    rows = [part for place, seat in enumerate(seats) for part in _row(seat, top + 24 + ROW * place)]
    chart_top = top + ROW * len(seats) + 62
    chart = _curves([start.scores, *(step.position.scores for step in steps)], chart_top, tokens)
    below = _text("small", LEFT, RESULT_HEIGHT - EDGE - 6, foot)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {RESULT_WIDTH} {RESULT_HEIGHT}">'
        f"<style>{board_style()}{style}</style><defs>{SYMBOLS}{define_seals(initials)}</defs>"
        f'<g fill="{tokens["ink"]}" font-family="{FACE}">{"".join((*words, *rows, *chart))}{below}</g></svg>'
    )
    return Drawing(RESULT_WIDTH, RESULT_HEIGHT, (*board, Layer(svg, RESULT_WIDTH)))


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _cut(text: str, *, size: int, room: float = RIGHT - LEFT) -> str:
    """As much of the text as there is room for."""
    if _width(text, size) <= room:
        return text
    most = next(most for most in range(len(text) - 1, -1, -1) if _width(f"{text[:most]}…", size) <= room)
    return f"{text[:most].rstrip()}…"


def _wrapped(text: str, *, size: int) -> list[str]:
    """The text in at most two lines; a word that is longer than a line is cut."""
    lines = [""]
    for word in (_cut(word, size=size) for word in text.split()):
        if lines[-1] and _width(f"{lines[-1]} {word}", size) > RIGHT - LEFT:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines if len(lines) < 3 else [lines[0], _cut(" ".join(lines[1:]), size=size)]


def _width(text: str, size: int) -> float:
    return _MEASURE.getlength(text) * size / _MEASURE.size


def _row(seat: ResultSeat, y: float) -> Iterator[str]:
    """The seal of a seat, its name, the hut of its card, and points of clan and chips with their sum."""
    weight = ' font-weight="700"' if seat.has_won else ""
    yield f'<g{weight}><use href="#seal-{seat.number}" transform="translate({LEFT + 14} {y})scale(1.1)"/>'
    yield f'<use href="#hut-{seat.clan}" transform="translate({LEFT + 36} {y - 17})scale(1.35)"/>' if seat.clan else ""
    yield _text("who", LEFT + 78, y + 9, _cut(seat.name, size=26, room=RIGHT - LEFT - 78 - 150))
    sum_of = f"{seat.score} + {seat.chips} ="
    yield f'<text class="small num" x="{RIGHT - 46}" y="{y + 8:g}">{sum_of}</text>'
    yield f'<text class="num" x="{RIGHT}" y="{y + 9:g}">{"–" if seat.total is None else seat.total}</text></g>'


def _curves(scores: Sequence[Sequence[int]], top: float, tokens: dict[str, str]) -> Iterator[str]:
    """A line for each clan over the moves, with its mark and number at its end."""
    field = Field(LEFT, RIGHT - 64, top, CHART_FOOT, last=max(1, len(scores) - 1), most=max(10, *scores[-1]))
    yield f'<path class="axis" fill="none" stroke-width="1.5" d="M{LEFT} {CHART_FOOT}H{field.right}"/>'
    for clan, line in clan_lines(scores, field):
        for color, width in ((tokens["clan-outline"], 5), (tokens[f"clan-{clan}"], 3)):
            yield f'<path fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round" d="{line}"/>'
    ends = apart({clan: field.y(score) for clan, score in zip(rules.CLANS, scores[-1], strict=True)}, highest=top)
    for clan, score in zip(rules.CLANS, scores[-1], strict=True):
        height = ends[clan]
        sign = f'<g class="hut-sign sign-{clan}" transform="translate(-12-13.5)">{MARKS[clan]}</g>'
        rim = '<circle r="11.5" class="hut-rim" style="stroke-width:3"/>'
        disc = f'{rim}<circle r="10.5" class="roof-{clan}" stroke="{tokens["clan-outline"]}" stroke-width="1.5"/>'
        yield f'<g transform="translate({field.right + 14} {height:g})">{disc}{sign}</g>'
        yield f'<text class="num" x="{RIGHT}" y="{height + 9:g}">{score}</text>'

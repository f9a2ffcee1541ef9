"""The scoring track: every disc in its place, every number to be read."""

from __future__ import annotations

import random
import re
from itertools import combinations

import pytest
from lxml import etree  # type: ignore[import-untyped]

from games import rules
from games.drawing.track import END, PRINTED, RADIUS, START, TOKEN, draw_track

SVG = "{http://www.w3.org/2000/svg}"
RNG = random.Random(1)
SCORES = [
    (0, 0, 0, 0, 0),
    (12, 12, 12, 12, 12),
    (16, 19, 19, 24, 28),
    (58, 59, 60, 60, 61),
    (140, 1, 70, 71, 72),
    *(tuple(RNG.randint(0, 70) for _clan in rules.CLANS) for _time in range(40)),
]


def drawn(scores: tuple[int, ...]) -> etree._Element:
    svg = draw_track(dict(zip(rules.CLANS, scores, strict=True)))
    return etree.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def discs(scores: tuple[int, ...]) -> dict[str, tuple[float, float, str]]:
    """Where the disc of each clan stands, and the number beside it."""
    found = {}
    for group in drawn(scores).iter(f"{SVG}g"):
        circles = [circle for circle in group if "disc" in str(circle.get("class"))]
        if circles:
            x, y = map(float, re.findall(r"[\d.]+", str(group.get("transform"))))
            found[str(circles[0].get("class")).split("fill-")[1]] = (x, y, str(group[-1].text))
    return found


@pytest.mark.parametrize("scores", SCORES, ids=str)
def test_it_puts_each_disc_over_its_score_with_its_number_and_mark(scores: tuple[int, ...]) -> None:
    last = max(PRINTED, -(-max(scores) // 10) * 10)
    places = discs(scores)
    for clan, score in zip(rules.CLANS, scores, strict=True):
        x, _y, number = places[clan]
        assert x == pytest.approx(START + (END - START) * score / last, abs=0.06)
        assert number == str(score)
    signs = [str(sign.get("class")) for sign in drawn(scores).iter(f"{SVG}g") if "hut-sign" in str(sign.get("class"))]
    assert sorted(signs) == sorted(f"hut-sign sign-{clan}" for clan in rules.CLANS)


@pytest.mark.parametrize("scores", SCORES, ids=str)
def test_it_covers_no_disc_and_no_number(scores: tuple[int, ...]) -> None:
    places = discs(scores).values()
    for (x, y, _score), (other, above, _other) in combinations(places, 2):
        assert abs(x - other) > TOKEN - 0.1 or abs(y - above) > 2 * RADIUS
    for x, y, _score in places:
        poles = [other for other, above, _other in places if above < y]
        assert not [pole for pole in poles if x + RADIUS < pole < x - RADIUS + TOKEN]


@pytest.mark.parametrize("scores", SCORES, ids=str)
def test_it_stays_inside_its_picture(scores: tuple[int, ...]) -> None:
    left, top, wide, high = map(float, str(drawn(scores).get("viewBox")).split())
    for x, y, number in discs(scores).values():
        assert left <= x - RADIUS - 1.5
        assert x + RADIUS + 4 + 8.5 * len(number) <= wide
        assert top <= y - RADIUS - 1.5
        assert y + RADIUS <= high

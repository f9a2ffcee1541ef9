"""Boards in mails: small files that tell terrains, huts and moves apart."""

from __future__ import annotations

import io
import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from PIL import Image

from games import rules
from games.drawing import png
from games.drawing.outlines import WIDTH as WIDTH_OF_MAP, outlines_of
from games.drawing.png import mail_picture
from games.drawing.png.mail_picture import TERRAINS, TINT
from games.drawing.svg import MARGIN
from tests.pictures.test_pictures import OPENING, STEPS

Pixels = np.ndarray
PAPER = (0xF5, 0xEF, 0xE1)
THREADS = 8
TINTS = {"forest": 0x8AA67A, "mountain": 0xCDCAC2, "steppe": 0xE2C892, "grassland": 0xC4D48F}
ROOFS = {"red": 0xB8241B, "blue": 0x2358A6, "green": 0x34A56A, "yellow": 0xF1C231}


def parts(color: int) -> tuple[int, int, int]:
    return color >> 16, color >> 8 & 255, color & 255


def tinted(terrain: str) -> tuple[int, ...]:
    return tuple(round(a + (b - a) * TINT) for a, b in zip(PAPER, parts(TINTS[terrain]), strict=True))


def seen(png: bytes) -> Pixels:
    assert Image.open(io.BytesIO(png)).mode == "P"
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def round_huts(picture: Pixels, name: str) -> Pixels:
    """The pixels about the place where the huts of a territory stand."""
    land = outlines_of(rules.STANDARD.board).territories[name]
    scale = picture.shape[1] / (WIDTH_OF_MAP + 2 * MARGIN)
    x, y, reach = ((place) * scale for place in (land.huts[0] + MARGIN, land.huts[1] + MARGIN, land.radius))
    return picture[round(y - reach) : round(y + reach), round(x - reach) : round(x + reach)].reshape(-1, 3)


def has(pixels: Pixels, color: tuple[int, ...], *, least: int = 1) -> bool:
    return int((np.abs(pixels - np.array(color)).max(axis=1) <= 2).sum()) >= least


@pytest.mark.parametrize("width", [png.LARGE, png.SMALL])
@pytest.mark.parametrize("ply", [0, 20, len(STEPS)])
def test_it_tells_terrains_and_clans_apart(width: int, ply: int) -> None:
    position = STEPS[ply - 1].position if ply else rules.set_up(OPENING)
    picture = seen(png.draw_mail_picture(position, width=width))
    assert picture.shape[1] == width
    villages = {village.territory for village in position.villages}
    for name, terrain in zip(rules.STANDARD.board.names, rules.STANDARD.board.terrains, strict=True):
        pixels, inhabited = round_huts(picture, name), bool(position.huts(name))
        if name not in villages:
            assert {kind for kind in TERRAINS if has(pixels, tinted(kind), least=len(pixels) // 4)} == (
                {terrain} if inhabited else set()
            )
        for clan, count in zip(rules.CLANS, position.stack(name), strict=True):
            if clan in ROOFS and sum(position.stack(name)) <= rules.STANDARD.version.heavy:
                assert has(pixels, parts(ROOFS[clan])) == bool(count), (name, clan)


def test_it_numbers_moves_when_there_are_several() -> None:
    position = STEPS[9].position
    none, one, three = (seen(png.draw_mail_picture(position, steps=STEPS[first:10])) for first in (10, 9, 7))
    for step in STEPS[7:10]:
        assert (round_huts(three, step.move.origin) != round_huts(none, step.move.origin)).any()
    changed = [
        step.move
        for step in STEPS[7:10]
        if (round_huts(one, step.move.origin) != round_huts(none, step.move.origin)).any()
    ]
    assert changed == [STEPS[9].move]
    assert (round_huts(one, STEPS[9].move.origin) != round_huts(three, STEPS[9].move.origin)).any()


def test_it_draws_the_white_clan_where_it_is_called_so() -> None:
    start = rules.set_up(OPENING)
    black, white = (seen(png.draw_mail_picture(start, white=white)) for white in (False, True))
    for name in rules.STANDARD.board.names:
        is_black = bool(start.stack(name)[rules.CLANS.index("black")])
        assert (round_huts(black, name) != round_huts(white, name)).any() == is_black


@pytest.mark.parametrize("seed", range(3))
def test_two_of_them_leave_room_for_words_in_a_mail(seed: int) -> None:
    opening = rules.random_opening(random.Random(seed), seats=4)
    steps = rules.random_game(opening, random.Random(seed))
    for ply in (3, 24):
        after = png.draw_mail_picture(steps[ply].position, steps=steps[ply - 2 : ply + 1])
        before = png.draw_mail_picture(steps[ply - 3].position, width=png.SMALL)
        assert len(after) < 45_000
        assert len(before) < 17_000


def test_it_makes_the_same_picture_again() -> None:
    assert len({png.draw_mail_picture(STEPS[5].position, steps=STEPS[3:6]) for _time in range(2)}) == 1


def test_threads_may_draw_at_the_same_time() -> None:
    """As the worker's do, when two mails are the first to need the layers that all pictures share."""
    position = rules.set_up(OPENING)
    expected = png.draw_mail_picture(position, width=png.SMALL)
    for _time in range(5):
        mail_picture._lines.cache_clear()
        mail_picture._lines(outlines_of(rules.STANDARD.board), png.SMALL)
        start = Barrier(THREADS)

        def draw(start: Barrier = start) -> bytes:
            start.wait(timeout=30)
            return png.draw_mail_picture(position, width=png.SMALL)

        with ThreadPoolExecutor(THREADS) as pool:
            drawn = [pool.submit(draw) for _thread in range(THREADS)]
        assert [each.result() == expected for each in drawn] == [True] * THREADS

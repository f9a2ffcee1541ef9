"""Boards as PNG: the same drawing, with its letters, drawn once and kept."""

from __future__ import annotations

import os
import random
import re
import resource
import struct
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from django.conf import LazySettings

from games import rules
from games.drawing import draw_board, png
from games.drawing.outlines import WIDTH as WIDTH_OF_MAP, outlines_of
from games.drawing.png import file_cache
from games.drawing.svg import MARGIN

OPENING = rules.random_opening(random.Random(1), seats=3)
STEPS = rules.random_game(OPENING, random.Random(1))
MIDDLE = STEPS[25]
WIDTH = 500
PNG = b"\x89PNG\r\n\x1a\n"


def pixels(png: bytes) -> np.ndarray:
    """Rows of pixels of four bytes, from a PNG of eight bits and no interlacing (RFC 2083)."""
    assert png.startswith(PNG)
    chunks, at = [], len(PNG)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        chunks.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + length]))
        at += length + 12
    width, height, depth, color, *_rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, color) == (8, 6)
    packed = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    lines = np.frombuffer(packed, dtype=np.uint8).reshape(height, 1 + 4 * width)
    rows = np.zeros((height + 1, 4 * width), dtype=np.uint8)
    for number, line in enumerate(lines, start=1):
        rows[number] = _unfiltered(int(line[0]), line[1:], rows[number - 1])
    drawn: np.ndarray = rows[1:].reshape(height, width, 4)
    return drawn


def _unfiltered(kind: int, line: np.ndarray, above: np.ndarray) -> np.ndarray:
    if kind in (0, 2):
        return np.array(line + above * (kind == 2))
    row = [0, 0, 0, 0, *map(int, line)]
    up = [0, 0, 0, 0, *map(int, above)]
    for place in range(4, len(row)):
        left, over, corner = row[place - 4], up[place], up[place - 4]
        guess = {1: left, 3: (left + over) // 2}.get(kind)
        if guess is None:
            guess = min((left, over, corner), key=lambda value: abs(left + over - corner - value))
        row[place] = (row[place] + guess) % 256
    return np.array(row[4:], dtype=np.uint8)


@pytest.fixture(scope="module")
def drawing() -> str:
    return png.draw_alone(MIDDLE.position, last=MIDDLE)


def test_it_is_one_drawing_that_needs_nothing_else(drawing: str) -> None:
    assert {f"#hut-{clan}" for clan in rules.CLANS} <= set(re.findall(r'href="([^"]*)"', drawing))
    assert set(re.findall(r'href="#([^"]*)"', drawing)) <= set(re.findall(r'id="([^"]*)"', drawing))
    assert not re.search(r'href="[^#]', drawing)
    assert not re.search(r"var\(|url\(|@media|<image|<script", drawing)


def test_it_draws_what_the_page_draws(drawing: str) -> None:
    page = draw_board(MIDDLE.position, title="board", last=MIDDLE)
    for kind in ("group", "village", "names", "last-move"):
        drawn = re.findall(rf'<g class="{kind}.*?(?=<g class="(?:group|village|names|last-move)|</g></svg>)', page)
        assert drawn
        assert [part for part in drawn if part not in drawing] == []
    assert 'class="land is-empty"' in drawing
    assert 'class="land is-empty"' not in png.draw_alone(rules.set_up(OPENING))


def test_it_shows_huts_and_not_the_counters_of_a_phone() -> None:
    crowd = rules.Position.parse("seats=2 huts=K4:rrrbbggyyk,K3:k villages=D1:0:rrbbggyykk")
    page = png.draw_alone(crowd)
    bare = re.sub(r'<g class="counters".*?</g>|<g class="(?:value|founder) close".*?</g>', "", page)
    assert page.count('class="counters"') == 2
    assert bare.count("<text") < page.count("<text") - 9
    assert png.draw_png(page, width=WIDTH) == png.draw_png(bare, width=WIDTH)


def test_it_really_draws_its_letters(drawing: str) -> None:
    """Without a font there would be none, and nobody would be told."""
    bare = re.sub(r"<text.*?</text>", "", drawing)
    with_text, without = (pixels(png.draw_png(svg, width=WIDTH)).astype(int) for svg in (drawing, bare))
    assert with_text.shape[1] == WIDTH
    written = np.abs(with_text - without).sum(axis=2) > 60
    scale = WIDTH / (WIDTH_OF_MAP + 2 * MARGIN)
    for name, land in outlines_of(rules.STANDARD.board).territories.items():
        x, y = (round((place + MARGIN) * scale) for place in land.label)
        assert written[y - 4 : y + 5, x - 6 : x + 7].sum() > 10, f"{name} is not written"
    assert written.sum() < written.size / 20


LAST = STEPS[-1]


def test_it_writes_the_initials_on_the_seals() -> None:
    """In capitals of the letters that pages have, Latin ones with marks among them."""
    none = png.draw_png(png.draw_alone(LAST.position), width=WIDTH)
    written = [png.draw_png(png.draw_alone(LAST.position, initials=letter * 3), width=WIDTH) for letter in "AÉŁ"]
    assert len({none, *written}) == 4


@pytest.fixture
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    settings.PICTURES_DIR = tmp_path / "pictures"
    return tmp_path / "pictures"


def counted(content: bytes) -> tuple[Callable[[], bytes], list[int]]:
    """What makes a picture, and a list that grows with each one made."""
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        return content

    return make, made


def kept(folder: Path) -> list[str]:
    return [file.name for file in folder.rglob("*") if file.is_file()]


def test_it_makes_a_picture_once(folder: Path) -> None:
    make, made = counted(b"a picture")
    assert [png.cached_picture("one.png", make) for _time in range(3)] == [b"a picture"] * 3
    assert len(made) == 1
    assert kept(folder) == ["one.png"]


def test_it_gives_everybody_a_whole_picture(folder: Path) -> None:
    content = os.urandom(3_000_000)
    with ThreadPoolExecutor(8) as people:
        got = list(people.map(lambda _one: png.cached_picture("large.png", lambda: content), range(24)))
    assert set(got) == {content}
    assert kept(folder) == ["large.png"]


def test_it_keeps_so_much_and_no_more(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_cache, "MOST", 256 * 1000)
    names = [name for name in map("{}.png".format, range(4000)) if file_cache.folder_of(name) == "07"]
    assert len(names) > 11
    for number, name in enumerate(names[:11]):
        png.cached_picture(name, lambda: b"x" * 100)
        if number < 10:
            os.utime(folder / "07" / name, (number, number))
    assert set(kept(folder)) == set(names[2:11])
    other = next(name for name in map("{}.png".format, range(4000)) if file_cache.folder_of(name) == "08")
    png.cached_picture(other, lambda: b"x" * 100)
    assert set(kept(folder)) == {*names[2:11], other}


def test_it_shows_what_it_cannot_keep(folder: Path) -> None:
    folder.parent.joinpath("pictures").write_text("a file where the folder should be")
    assert png.cached_picture("one.png", lambda: b"a picture") == b"a picture"


def test_it_leaves_nothing_on_a_full_disk_and_says_which(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        shown = png.cached_picture("one.png", lambda: b"x" * 3000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert shown == b"x" * 3000
    assert kept(folder) == []
    assert str(folder) in caplog.text

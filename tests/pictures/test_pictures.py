"""Boards as PNG: the same drawing, with its letters, drawn once and kept."""

from __future__ import annotations

import io
import os
import random
import re
import resource
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from django.conf import LazySettings
from PIL import Image

from games import rules
from games.drawing import draw_board, png
from games.drawing.outlines import WIDTH as WIDTH_OF_MAP, outlines_of
from games.drawing.png import file_cache
from games.drawing.svg import MARGIN

OPENING = rules.random_opening(random.Random(1), seats=3)
STEPS = rules.random_game(OPENING, random.Random(1))
MIDDLE = STEPS[25]
WIDTH = 500


def pixels(png: bytes) -> np.ndarray:
    """Rows of pixels, each in three colors."""
    return np.asarray(Image.open(io.BytesIO(png))).astype(int)


def svg_of(position: rules.Position, last: rules.Step | None = None) -> str:
    """All layers of its picture."""
    return "".join(layer.svg for layer in png.draw_layers(position, last=last).layers)


@pytest.fixture(scope="module")
def drawing() -> str:
    return svg_of(MIDDLE.position, MIDDLE)


def without(pattern: str, drawing: png.Drawing) -> png.Drawing:
    """The drawing but for what is drawn so."""
    layers = (layer._replace(svg=re.sub(pattern, "", layer.svg)) for layer in drawing.layers)
    return drawing._replace(layers=tuple(layers))


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
    assert 'class="land is-empty"' not in svg_of(rules.set_up(OPENING))


def test_it_shows_huts_and_not_the_counters_of_a_phone() -> None:
    crowd = rules.Position.parse("seats=2 huts=K4:rrrbbggyyk,K3:k villages=D1:0:rrbbggyykk")
    page = png.draw_layers(crowd)
    bare = without(r'<g class="counters".*?</g>|<g class="(?:value|founder) close".*?</g>', page)
    whole, rest = page.layers[-1].svg, bare.layers[-1].svg
    assert whole.count('class="counters"') == 2
    assert rest.count("<text") < whole.count("<text") - 9
    assert png.draw_png(page) == png.draw_png(bare)


def test_it_really_draws_its_letters() -> None:
    """Without a font there would be none, and nobody would be told."""
    page = png.draw_layers(MIDDLE.position, last=MIDDLE, width=WIDTH)
    bare = without(r"<text.*?</text>", page)
    with_text, without_text = (pixels(png.draw_png(picture)) for picture in (page, bare))
    assert with_text.shape[1] == WIDTH
    written = np.abs(with_text - without_text).sum(axis=2) > 60
    scale = WIDTH / (WIDTH_OF_MAP + 2 * MARGIN)
    for name, land in outlines_of(rules.STANDARD.board).territories.items():
        x, y = (round((place + MARGIN) * scale) for place in land.label)
        assert written[y - 4 : y + 5, x - 6 : x + 7].sum() > 10, f"{name} is not written"
    assert written.sum() < written.size / 20


LAST = STEPS[-1]


def test_it_writes_the_initials_on_the_seals() -> None:
    """In capitals of the letters that pages have, Latin ones with marks among them."""
    none = png.draw_png(png.draw_layers(LAST.position))
    written = [png.draw_png(png.draw_layers(LAST.position, initials=letter * 3)) for letter in "AÉŁ"]
    assert len({none, *written}) == 4


def test_another_picture_has_another_digest() -> None:
    """A picture is kept under its digest, so another one of the same drawings is not that one."""
    page = png.draw_layers(MIDDLE.position, last=MIDDLE)
    moved = page._replace(layers=(*page.layers[:-1], page.layers[-1]._replace(at=(9, 0))))
    higher = page._replace(height=page.height + 1)
    narrow = png.draw_layers(MIDDLE.position, last=MIDDLE, width=WIDTH)
    assert page.digest == png.draw_layers(MIDDLE.position, last=MIDDLE).digest
    assert len({picture.digest for picture in (page, moved, higher, narrow)}) == 4


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


def test_it_makes_a_picture_again_that_a_power_cut_left_empty(folder: Path) -> None:
    png.cached_picture("one.png", lambda: b"a picture")
    (folder / file_cache.folder_of("one.png") / "one.png").write_bytes(b"")
    assert not png.is_cached("one.png")
    assert png.cached_picture("one.png", lambda: b"a picture") == b"a picture"
    assert png.is_cached("one.png")


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

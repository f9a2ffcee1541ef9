from __future__ import annotations

import struct
import zlib

import numpy as np

from tools.small_png import COLORS, small_png


def read(png: bytes) -> np.ndarray:
    """Rows of pixels of three bytes, from a PNG with a palette and unfiltered rows."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) == (8, 3)
    palette_at, data_at = png.index(b"PLTE"), png.index(b"IDAT")
    (length,) = struct.unpack(">I", png[palette_at - 4 : palette_at])
    palette = np.frombuffer(png[palette_at + 4 : palette_at + 4 + length], dtype=np.uint8).reshape(-1, 3)
    rows = np.frombuffer(zlib.decompress(png[data_at + 4 :]), dtype=np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    drawn: np.ndarray = palette[rows[:, 1:]]
    return drawn


def test_it_loses_nothing_of_a_few_colors() -> None:
    pixels = np.random.default_rng(1).choice([0, 90, 180, 255], size=(12, 7, 3)).astype(np.uint8)
    assert (read(small_png(pixels)) == pixels).all()


def test_it_loses_little_of_many() -> None:
    across, down = np.meshgrid(np.arange(120), np.arange(90))
    pixels = np.stack([across * 2, down * 2, (across + down) // 2], axis=2).astype(np.uint8)
    drawn = read(small_png(pixels))
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) <= COLORS
    assert np.abs(drawn.astype(int) - pixels).mean() < 5

"""Pictures of a screen as PNG of 256 colors, a third of their size: median cut (Heckbert 1982), no dither."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

Pixels = np.ndarray
COLORS = 256


def small_png(pixels: Pixels) -> bytes:
    """PNG with a palette, from rows of pixels of three bytes."""
    height, width, _channels = pixels.shape
    colors, places, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    boxes = _cut(colors.astype(int), counts)
    palette = np.array([np.average(colors[box], axis=0, weights=counts[box]) for box in boxes]).round().astype(np.uint8)
    entry = np.zeros(len(colors), dtype=np.uint8)
    for number, box in enumerate(boxes):
        entry[box] = number
    rows = np.hstack([np.zeros((height, 1), dtype=np.uint8), entry[places.ravel()].reshape(height, width)])
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data)
        for kind, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", palette.tobytes()),
            (b"IDAT", zlib.compress(rows.tobytes(), 9)),
            (b"IEND", b""),
        )
    )


def _cut(colors: Pixels, counts: Pixels) -> list[Pixels]:
    """The colors in so many boxes: the one that would be spoiled most is cut in two, again and again."""
    boxes = [np.arange(len(colors))]
    spoils = [_spoil(colors, counts, boxes[0])]
    while len(boxes) < COLORS and max(spoils) > 0:
        worst = spoils.index(max(spoils))
        halves = list(_halves(colors, counts, boxes.pop(worst)))
        spoils.pop(worst)
        boxes += halves
        spoils += [_spoil(colors, counts, half) for half in halves]
    return boxes


def _spoil(colors: Pixels, counts: Pixels, box: Pixels) -> float:
    """How much is lost when all colors of the box become one."""
    middle = np.average(colors[box], axis=0, weights=counts[box])
    return float((((colors[box] - middle) ** 2).sum(axis=1) * counts[box] ** 0.5).sum())


def _halves(colors: Pixels, counts: Pixels, box: Pixels) -> Iterator[Pixels]:
    """The box cut across its longest side, where its pixels balance."""
    inside = colors[box]
    along = box[np.argsort(inside[:, np.argmax(inside.max(axis=0) - inside.min(axis=0))], kind="stable")]
    weight = np.cumsum(counts[along] ** 0.5)
    half = int(np.clip(np.searchsorted(weight, weight[-1] / 2), 1, len(along) - 1))
    yield along[:half]
    yield along[half:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

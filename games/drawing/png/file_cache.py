"""Pictures cached as files, so that each is drawn once; at most MOST bytes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from django.conf import settings

MOST: Final = 640 * 2**20
"""Bytes of all files: the two pictures of 12,000 turns. The oldest are removed."""
FOLDERS: Final = 256
"""Folders of the cache, with an equal share of the bytes each: only the one that a picture comes to is cleared."""
UNFINISHED: Final = "new-"
RESULT: Final = "result"
WRITING: Final = 60
"""Seconds after which an unfinished file was left by a process that has died."""

logger = logging.getLogger(__name__)


def cached_picture(name: str, make: Callable[[], bytes]) -> bytes:
    """The picture of that name, made by `make` when it is not there.

    Two processes that need it at the same time both make it; a reader never meets half a file. When the disk is full,
    the picture is made each time.
    """
    if (cached := read_picture(name)) is not None:
        return cached
    picture, file = make(), settings.PICTURES_DIR / folder_of(name) / name
    try:
        _put(file, picture)
        _clear_out(file.parent)
    except OSError as error:
        logger.warning("A picture was not cached in %s: %s", settings.PICTURES_DIR, error.strerror or error)
    return picture


def read_picture(name: str) -> bytes | None:
    """The picture of that name; None if it is not there, or if a power cut has left it empty."""
    try:
        return (settings.PICTURES_DIR / folder_of(name) / name).read_bytes() or None
    except OSError:
        return None


def is_cached(name: str) -> bool:
    """Whether `read_picture` has it."""
    try:
        return (settings.PICTURES_DIR / folder_of(name) / name).stat().st_size > 0
    except OSError:
        return False


def result_name(slug: str, digest: str) -> str:
    """The name of the file with the result of a game: the one picture that names people."""
    return f"{RESULT}-{slug}-{digest}.png"


def forget_results(slugs: Collection[str]) -> None:
    """Remove the pictures of the results of these games, whose names are to go. Reads all folders of the cache."""
    for file in settings.PICTURES_DIR.glob(f"*/{RESULT}-*.png"):
        if file.name.split("-")[1] in slugs:
            file.unlink(missing_ok=True)


def folder_of(name: str) -> str:
    """The folder that a picture lies in."""
    return f"{sha256(name.encode()).digest()[0] % FOLDERS:02x}"


def _put(file: Path, content: bytes) -> None:
    """Write the file in one piece: under a name of its own first. On a full disk nothing is left of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix=UNFINISHED, delete=False) as written:
        try:
            written.write(content)
            written.flush()
        except OSError:
            Path(written.name).unlink()
            raise
    Path(written.name).replace(file)


def _clear_out(folder: Path) -> None:
    """Remove the oldest pictures of a folder that is too full, until a tenth of it is free; never the newest."""
    files = sorted(_measured(folder), reverse=True)
    if sum(size for _at, size, _file in files) <= MOST // FOLDERS:
        return
    room = MOST // FOLDERS * 9 // 10
    for place, (_at, size, file) in enumerate(files):
        room -= size
        if place and room < 0:
            file.unlink(missing_ok=True)


def _measured(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each file was put there, and how large it is; none that somebody is writing."""
    lately = time.time() - WRITING
    for file in folder.iterdir():
        try:
            found = file.stat()
        except FileNotFoundError:
            continue
        if not (file.name.startswith(UNFINISHED) and found.st_mtime > lately):
            yield found.st_mtime, found.st_size, file

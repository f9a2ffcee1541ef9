"""Where pictures are kept, so that each is drawn once: files, so many and no more."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from django.conf import settings

MOST: Final = 300
"""Pictures kept; when there are more, the oldest tenth goes."""

logger = logging.getLogger(__name__)


def keep(name: str, make: Callable[[], bytes]) -> bytes:
    """The picture of that name, made by `make` when it is not there.

    Who makes the same one at the same time makes it twice, and whoever reads meets a whole file. A disk that is full
    costs only time.
    """
    file = settings.PICTURES_DIR / name
    try:
        return bytes(file.read_bytes())
    except OSError:
        picture = make()
    try:
        _put(file, picture)
        _clear_out(file.parent)
    except OSError as error:
        logger.warning("A picture was not kept: %s", error)
    return picture


def _put(file: Path, content: bytes) -> None:
    """Write the file in one piece: under a name of its own first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix="new-", delete=False) as written:
        written.write(content)
    Path(written.name).replace(file)


def _clear_out(folder: Path) -> None:
    files = list(folder.iterdir())
    if len(files) <= MOST:
        return
    for file in sorted(files, key=_age)[: len(files) - MOST * 9 // 10]:
        file.unlink(missing_ok=True)


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0

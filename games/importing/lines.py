"""The lines of a file, compressed or not, none of them longer than a record can be."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import SEEK_END
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple

LONGEST: Final = 2**16
"""Bytes of a line. The longest record that the rules allow has some 12,000."""
MOST_UNPACKED: Final = 100
"""A compressed file may unpack to so many times its size, and a MEBIBYTE. Records unpack to five times theirs."""
MEBIBYTE: Final = 2**20
_GZIP: Final = b"\x1f\x8b"


class FileLine(NamedTuple):
    """A line by its number, from 1; `text` is None where it is too long."""

    number: int
    text: bytes | None


class BrokenFile(Exception):
    """The file cannot be read from this line on."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")


def read_lines(path: Path | int) -> Iterator[FileLine]:
    """The lines that are not empty, of a file or of what comes in by a descriptor. Memory for one line, whatever the
    file holds. Raises BrokenFile where no more can be read, and OSError where nothing can."""
    with open(path, "rb", closefd=not isinstance(path, int)) as opened, _stored(opened) as file:
        is_packed = file.read(2) == _GZIP
        most = file.seek(0, SEEK_END) * MOST_UNPACKED + MEBIBYTE if is_packed else None
        file.seek(0)
        with gzip.GzipFile(fileobj=file) if is_packed else file as unpacked:
            yield from _lines(unpacked, most)


@contextmanager
def _stored(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """The file, or a copy of what comes from a pipe: only then it is known how large it is."""
    if file.seekable():
        yield file
        return
    with TemporaryFile() as copy:
        copyfileobj(file, copy)
        copy.seek(0)
        yield copy


def _lines(file: IO[bytes] | gzip.GzipFile, most: int | None) -> Iterator[FileLine]:
    number = read = 0
    begins = True
    while True:
        try:
            piece = file.readline(LONGEST + 1)
        except (EOFError, zlib.error, OSError) as error:
            raise BrokenFile(number + begins, _why_broken(error)) from error
        if not piece:
            return
        read += len(piece)
        if most is not None and read > most:
            raise BrokenFile(
                number + begins,
                f"the file unpacks to more than {MOST_UNPACKED} times its size, so no more of it is read.",
            )
        ends = piece.endswith(b"\n")
        if begins:
            number += 1
            is_whole = len(piece) <= LONGEST
            if not is_whole or piece.strip():
                yield FileLine(number, piece if is_whole else None)
        begins = ends


def _why_broken(error: Exception) -> str:
    if isinstance(error, gzip.BadGzipFile) and str(error).startswith("Not a gzipped file"):
        # Its first bytes are gzipped: this is said of what follows them.
        return "what follows in the file is not gzipped, so it is not read."
    return f"the file is broken here ({error})."

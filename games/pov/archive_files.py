"""The archive as files to download: JSON lines, compressed, and a manifest that names them (docs/records.md).

The same games make the same bytes. Each file is named by what is in it, so a file never changes, and whoever has it
needs it no second time.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import file_digest, sha256
from itertools import count, islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, Final

from django.conf import settings

from games.pov.records import archived_games, write_records

FORMAT: Final = "clans-archive/1"
GAMES_IN_FILE: Final = 5000
"""Some 6 MB: a slow reader has two minutes for each answer of this site (`clans_site/workers.py`)."""
MANIFEST: Final = "manifest.json"
LOCK: Final = "lock"


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """One file of the download, and what it holds; `size` and `sha256` are those of the compressed file."""

    name: str
    games: int
    size: int
    sha256: str
    unpacked_size: int
    unpacked_sha256: str


@dataclass(frozen=True, slots=True)
class Archive:
    """The whole download, as its manifest says."""

    made_at: datetime
    files: tuple[ArchiveFile, ...]
    left_out: tuple[str, ...] = ()
    """Addresses of games that could not be read when it was made; no manifest has them."""

    @property
    def games(self) -> int:
        return sum(file.games for file in self.files)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    def as_manifest(self) -> dict[str, Any]:
        about = {"format": FORMAT, "made_at": self.made_at.isoformat(), "games": self.games, "size": self.size}
        return about | {"files": [asdict(file) for file in self.files]}


def publish_archive(*, at: datetime, games_in_file: int = GAMES_IN_FILE) -> Archive | None:
    """Write the files of the archive anew, then the manifest, and remove files that it does not name. None where
    another process does so already. Memory for 200 games, at most 4 queries for as many. Games that cannot be read are
    left out.

    A file has its name when all of it is there, and the manifest comes last.
    """
    folder: Path = settings.ARCHIVE_DIR
    folder.mkdir(parents=True, exist_ok=True)
    with _lock(folder) as is_ours:
        if not is_ours:
            return None
        left_out: list[str] = []
        files = tuple(_write_files(folder, games_in_file, left_out))
        archive = Archive(at, files, tuple(left_out))
        with _new_file(folder) as file:
            file.write(json.dumps(archive.as_manifest(), indent=1).encode())
        Path(file.name).replace(folder / MANIFEST)
        named = {MANIFEST, LOCK, *(file.name for file in archive.files)}
        for left in folder.iterdir():
            if left.name not in named:
                left.unlink()
        return archive


def _write_files(folder: Path, games_in_file: int, left_out: list[str]) -> Iterator[ArchiveFile]:
    lines = _lines(left_out)
    for number in count(1):
        written = _write_file(folder, islice(lines, games_in_file), number=number)
        if written is None:
            return
        yield written


def _lines(left_out: list[str]) -> Iterator[str]:
    """The records of the archive; the addresses of games that have none are added to `left_out`."""
    for slug, line in write_records(archived_games()):
        if line is None:
            left_out.append(slug)
        else:
            yield line


def _write_file(folder: Path, lines: Iterator[str], *, number: int) -> ArchiveFile | None:
    """None where there are no lines left."""
    games, size, unpacked = 0, 0, sha256()
    with _new_file(folder) as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        for line in lines:
            data = f"{line}\n".encode()
            packed.write(data)
            unpacked.update(data)
            games, size = games + 1, size + len(data)
    written = Path(file.name)
    if not games:
        written.unlink()
        return None
    with written.open("rb") as again:
        digest = file_digest(again, "sha256").hexdigest()
    name = f"games-{number:04}-{digest[:16]}.jsonl.gz"
    file_size = written.stat().st_size
    written.replace(folder / name)
    return ArchiveFile(name, games, file_size, digest, size, unpacked.hexdigest())


@contextmanager
def _new_file(folder: Path) -> Iterator[IO[bytes]]:
    """A file under a name of its own, which is on the disk afterwards; none is left where writing it fails."""
    with NamedTemporaryFile(dir=folder, delete=False) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            Path(file.name).unlink()
            raise


@contextmanager
def _lock(folder: Path) -> Iterator[bool]:
    """Whether no other process writes these files now."""
    with (folder / LOCK).open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def read_archive() -> Archive | None:
    """What can be downloaded now; None before the first night."""
    try:
        manifest = json.loads((settings.ARCHIVE_DIR / MANIFEST).read_bytes())
    except FileNotFoundError:
        return None
    files = tuple(ArchiveFile(**file) for file in manifest["files"])
    return Archive(datetime.fromisoformat(manifest["made_at"]), files)


def open_archive_file(name: str) -> IO[bytes] | None:
    """A file that the manifest names, open; None for any other name."""
    archive = read_archive()
    if archive is None or name not in {file.name for file in archive.files}:
        return None
    try:
        return (settings.ARCHIVE_DIR / name).open("rb")
    except FileNotFoundError:  # another manifest has come just now
        return None

"""What a site that is being tried out makes for itself at the first need, once for all its processes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def read_or_generate(file: Path, generate: Callable[[], str]) -> str:
    """What is in the file, which only this user may read. If there is no file, it is written with what `generate`
    returns: whole or not at all, and once, by the first process that asks."""
    if not file.exists():
        made = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
        made.touch(mode=0o600)
        made.write_text(generate(), encoding="ascii")
        with suppress(FileExistsError):
            os.link(made, file)
        made.unlink()
    return file.read_text(encoding="ascii").strip()

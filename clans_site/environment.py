"""Reads settings from the environment, and explains in one line what is wrong with one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from environs import Env

env = Env()


@contextmanager
def checked_setting(name: str, like: str) -> Iterator[None]:
    """End with one line when a variable cannot be read."""
    try:
        yield
    except (ValueError, KeyError):
        raise SystemExit(f"Clans by mail: {name} cannot be read. It looks like {like} (docs/operating.md).") from None


def folder_in(name: str, default: Path) -> Path:
    """The folder in a variable, with its whole path. An empty variable counts as none."""
    return Path(env.str(name, "") or default).resolve()


def whole_number(name: str, default: int, *, least: int = 1) -> int:
    """The whole number in a variable, which is `least` or more."""
    with checked_setting(name, f"{default}, and is {least} or more"):
        if (number := env.int(name, default)) < least:
            raise ValueError(number)
    return number


def misspelled() -> list[tuple[str, str]]:
    """The variables that no setting is read from but nearly are called like one, each with that one. Short names are
    like many others."""
    known = [name for name in env.dump() if len(name) > len("PORT")]
    close = {name: get_close_matches(name, known, n=1, cutoff=0.87) for name in os.environ if name not in known}
    return [(name, found[0]) for name, found in close.items() if found]

"""Telling the worker that there is something to do; sweeps find what was never enqueued (design 3.1)."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Final

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

REST: Final = 30
"""Seconds that a broker which was away is left alone."""

_is_off: ContextVar[bool] = ContextVar("enqueueing_is_off", default=False)


def enqueue(task: str, *args: int) -> None:
    """Ask, once the transaction has committed, that the Celery task named `task` runs with `args`.

    Never raises for a broker that is down: it is tried once, which settings bound to about a second, then left alone
    for REST by all processes of this machine, and tried again while nobody waits.
    """
    if not _is_off.get():
        transaction.on_commit(partial(_publish, task, args))


@contextmanager
def without_enqueueing() -> Iterator[None]:
    """Enqueue nothing inside: where a whole history is made at once, the sweep finds what is still to do."""
    token = _is_off.set(True)
    try:
        yield
    finally:
        _is_off.reset(token)


def _publish(task: str, args: tuple[int, ...]) -> None:
    away = _away()
    if away is None:
        _try(task, args)
    elif away > REST:
        _note_away()
        Thread(target=_retry, args=(task, args), daemon=True).start()


def _try(task: str, args: tuple[int, ...]) -> bool:
    try:
        current_app.send_task(task, args=args, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        _note_away()
        logger.warning("broker unreachable, the sweep will do %s%r: %s", task, args, error)
        return False
    return True


def _retry(task: str, args: tuple[int, ...]) -> None:
    if _try(task, args):
        _mark().unlink(missing_ok=True)


def _mark() -> Path:
    """A file for all processes, as old as the news that the broker is away; none while it is there."""
    return Path(settings.VAR_DIR) / "broker-away"


def _away() -> float | None:
    """Seconds since the broker was last found away; None if it was not."""
    try:
        return time.time() - _mark().stat().st_mtime
    except OSError:
        return None


def _note_away() -> None:
    with suppress(OSError):
        _mark().touch()

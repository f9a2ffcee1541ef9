"""Telling the worker that there is something to do; sweeps find what nobody heard (design 2.5)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

_unheard: ContextVar[bool] = ContextVar("unheard", default=False)


def knock(task: str, *args: int) -> None:
    """Ask, once the transaction has committed, that the Celery task named `task` runs with `args`.

    Never raises for a broker that is down: it is tried once, which settings bound to about a second.
    """
    if not _unheard.get():
        transaction.on_commit(partial(_publish, task, args))


@contextmanager
def unheard() -> Iterator[None]:
    """Knocks inside reach nobody: where a whole history is made at once, the sweep finds what is still to do."""
    token = _unheard.set(True)
    try:
        yield
    finally:
        _unheard.reset(token)


def _publish(task: str, args: tuple[int, ...]) -> None:
    try:
        current_app.send_task(task, args=args, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        logger.warning("broker unreachable, the sweep will do %s%r: %s", task, args, error)

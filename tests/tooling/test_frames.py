"""A page takes memory for Python's frames once, wherever its loops stand."""

from __future__ import annotations

import resource
from collections.abc import Callable
from threading import Thread

from django.http import HttpRequest, HttpResponse

from clans_site.frames import room_for_frames

DEPTHS = 150
"""Their frames fill more than one chunk."""
CALLS = 50


def faults() -> int:
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt


def call(depth: int, found: list[int]) -> None:
    """Call something many times at each depth, and note how often that asked the system for a page of memory."""
    before = faults()
    for _call in range(CALLS):
        with_a_large_frame(-1)
    found.append(faults() - before)
    if depth:
        call(depth - 1, found)


def with_a_large_frame(n: int) -> int:
    return max(
        n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n
    )


def most_faults(wrap: Callable[[Callable[[HttpRequest], HttpResponse]], Callable[[HttpRequest], HttpResponse]]) -> int:
    """Of the loops at all depths, in a thread of its own, as pages are made. The first time fills caches."""
    found: list[int] = []

    def view(_request: HttpRequest) -> HttpResponse:
        call(DEPTHS, found)
        return HttpResponse()

    def run() -> None:
        wrap(view)(HttpRequest())

    for _time in range(2):
        found.clear()
        thread = Thread(target=run)
        thread.start()
        thread.join()
    return max(found)


def test_without_it_some_loop_asks_for_memory_at_each_turn() -> None:
    assert most_faults(lambda view: view) >= CALLS


def test_it_asks_for_memory_once() -> None:
    assert most_faults(room_for_frames) < CALLS / 5

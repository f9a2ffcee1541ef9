"""Room for the frames of Python's calls, so that pages do not ask the system for memory all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]

SLOTS: Final = 2**14
"""Of 8 bytes each. Python takes 256 kB for such a frame and leaves half of it to the calls inside: eight of the chunks
that it takes otherwise."""


def room_for_frames(get_response: GetResponse) -> GetResponse:
    """Answer inside a frame that is large enough for Python to take memory for all others at once.

    Python 3.11 keeps the frames of a thread in chunks of 16 kB. The call that does not fit any more gets a chunk from
    the system, and its return gives it back. A loop that makes calls just there does so at each turn. Where that is
    depends on how deep the calls are, so it told which addresses have an account: the form for a code had 682 page
    faults for one that has, and 594 for one that has none. With room for all calls each has 5.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    middleware.__code__ = middleware.__code__.replace(co_stacksize=SLOTS)
    return middleware

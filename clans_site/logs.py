"""Lines of the log: when, how grave, in which request, and what; without what a request holds.

Addresses of feeds, of tables that are open by link and of people are secrets. So a line names the pattern of an address
(`tables/<slug:slug>/move/`), and an error its kind and place without its text. Only a database or Redis that cannot be
used is told in its own words.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from http import HTTPStatus
from itertools import count
from traceback import extract_tb
from types import TracebackType
from typing import Any, Final

from django.db import Error as DatabaseFault
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from games.outage import explain_fault

FRAMES: Final = 8
"""How many of the innermost calls are logged to tell where an error was raised."""

_SERVING: Final = re.compile(r"while serving .*", re.DOTALL)
_numbers = count(1)
_request_id: ContextVar[str] = ContextVar("request_id", default="-")

GetResponse = Callable[[HttpRequest], HttpResponse]


def request_id(get_response: GetResponse) -> GetResponse:
    """Give each request an id, which its lines in the log bear."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = _request_id.set(f"{os.getpid():x}-{next(_numbers):x}")
        try:
            return get_response(request)
        finally:
            _request_id.reset(token)

    return middleware


class RequestFilter(logging.Filter):
    """Add the id of the request, and name the pattern of its address instead of the address."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and record.args:
            record.msg, record.args = _without_path(record.getMessage(), request), ()
            if getattr(record, "status_code", 0) == HTTPStatus.SERVICE_UNAVAILABLE and record.exc_info:
                # Why it cannot be used is told by what was asked; where the site asked tells nothing.
                record.msg, record.exc_info = f"{record.msg}: {_reason(record.exc_info[1])}", None
        elif record.name == "waitress":
            record.msg, record.args = _SERVING.sub("while serving a request", record.getMessage()), ()
        return True


def _reason(error: BaseException | None) -> str:
    """What a database or Redis says of itself, without its further lines."""
    return f"{type(error).__name__} ({next(iter(str(error).splitlines()), '')})"


def _without_path(text: str, request: HttpRequest) -> str:
    route = _route(request)
    for path in (request.get_full_path(), request.path):
        if len(path) > 1:
            text = text.replace(path, route)
    return text


def _route(request: HttpRequest) -> str:
    """The pattern that the address of a request matches."""
    try:
        return f"/{(request.resolver_match or resolve(request.path_info)).route}"
    except Resolver404:
        return "an unknown address"


class ShortFormatter(logging.Formatter):
    """One line for each record, in UTC; an error with its kind and its place."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        # Another handler of the same record may have left the whole traceback there.
        record.exc_text = None
        return super().format(record).replace("\n", " | ")

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's own name
        return f"Traceback: {_kind(ei[1])} at {_place(ei[2])}" if ei[0] else ""

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - logging's own name
        return ""


def _kind(error: BaseException) -> str:
    """The name of the error. That of OSError alone does not tell a full disk from too many open files."""
    if isinstance(error, DatabaseFault):
        return explain_fault(error)
    name = type(error).__name__
    return f"{name} ({os.strerror(error.errno)})" if type(error) is OSError and error.errno else name


def _place(trace: TracebackType | None) -> str:
    frames = extract_tb(trace)[-FRAMES:]
    return " > ".join(f"{'/'.join(frame.filename.split('/')[-3:])}:{frame.lineno} in {frame.name}" for frame in frames)

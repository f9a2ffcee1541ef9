"""What all answers of the API have in common: how long they may be cached, and 304 for who has them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag

DAY: Final = 24 * 60 * 60

Operation = Callable[..., HttpResponse]


def conditional(operation: Operation) -> Operation:
    """Give an answer its ETag and what caches go by, and answer 304 to who has it. In an operation days are those of
    UTC, whoever asks."""

    @wraps(operation)
    def run(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        with timezone.override(UTC):
            response = operation(request, *args, **kwargs)
        patch_vary_headers(response, ("Authorization",))
        if response.status_code != 200:
            return response
        response.headers.setdefault("Cache-Control", caching(request))
        return with_etag(request, response)

    return run


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with its ETag, or 304."""
    set_response_etag(response)
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def caching(request: HttpRequest, *, is_over: bool = False) -> str:
    """The Cache-Control of an answer: of a game that is over it is good for a day. What was read by a token is for its
    holder alone."""
    about = [] if "Authorization" not in request.headers else ["private"]
    return ", ".join([*about, f"max-age={DAY}" if is_over else "no-cache"])

"""Errors as `application/problem+json` (RFC 9457), also those that arise before and behind the API's own views."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

API: Final = "/api/"
MEDIA_TYPE: Final = "application/problem+json"
METHODS: Final = ("GET", "HEAD")

GetResponse = Callable[[HttpRequest], HttpResponse]


class Problem(Exception):
    """What an operation of the API raises where it has no answer; `errors` has a name and a sentence for each
    parameter that cannot be used."""

    def __init__(self, status: HTTPStatus, detail: str = "", errors: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(status, detail)
        self.status, self.detail, self.errors = status, detail, errors


class WrongParameters(Problem):
    """What is asked for cannot be read, or there is no such thing to ask for."""

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        super().__init__(HTTPStatus.UNPROCESSABLE_ENTITY, _("Some parameters cannot be used."), errors)


def respond_with_problem(problem: Problem) -> HttpResponse:
    """The answer that tells a program what is wrong. Nobody caches it."""
    about: dict[str, object] = {"type": "about:blank", "title": problem.status.phrase, "status": problem.status}
    if problem.detail:
        about["detail"] = problem.detail
    if problem.errors:
        about["errors"] = [{"name": name, "detail": detail} for name, detail in problem.errors]
    response = HttpResponse(json.dumps(about), status=problem.status, content_type=MEDIA_TYPE)
    response["Cache-Control"] = "no-store"
    return response


def tell_errors_as_problems(get_response: GetResponse) -> GetResponse:
    """Middleware: let all errors under `/api/` be problems. What no operation has raised (an unknown address, a
    request that cannot be read, a fault of ours) would be a page; and nothing there is for other methods than these."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(API):
            return get_response(request)
        if request.method not in METHODS:
            refusal = respond_with_problem(Problem(HTTPStatus.METHOD_NOT_ALLOWED))
            refusal["Allow"] = ", ".join(METHODS)
            return refusal
        response = get_response(request)
        if response.status_code < HTTPStatus.BAD_REQUEST or response["Content-Type"] == MEDIA_TYPE:
            return response
        # In the same object: Django has noted there that it is in the log.
        response.content = respond_with_problem(Problem(HTTPStatus(response.status_code))).content
        response["Content-Type"], response["Cache-Control"] = MEDIA_TYPE, "no-store"
        response["Content-Length"] = str(len(response.content))
        return response

    return middleware

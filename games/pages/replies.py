"""What views answer besides a page: another address to read, and statuses that refuse something. The page says why it
refuses; a program reads it off the status."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.forms import BaseForm
from django.http import HttpResponseRedirect


class SeeOther(HttpResponseRedirect):
    """After a POST: what came of it is to be read by GET over there, so that reloading sends nothing twice."""

    status_code = 303


INCOMPLETE: Final = HTTPStatus.UNPROCESSABLE_ENTITY
"""What was sent cannot be read, or the rules of the game forbid it."""
CONFLICT: Final = HTTPStatus.CONFLICT
"""What was sent was sound, but the game is no longer (or not yet) where it was made for."""
TOO_OFTEN: Final = HTTPStatus.TOO_MANY_REQUESTS
"""More than a limit allows (`games.limits`)."""
FORBIDDEN: Final = HTTPStatus.FORBIDDEN
"""Somebody else may do that."""


def status_of(form: BaseForm) -> HTTPStatus:
    """The status of a page that shows a form; one that was sent is only shown again when it was refused."""
    return INCOMPLETE if form.is_bound else HTTPStatus.OK

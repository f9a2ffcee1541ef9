"""Statuses of answers that refuse something. The page says why; a program reads it off the status."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.forms import BaseForm

INCOMPLETE: Final = HTTPStatus.UNPROCESSABLE_ENTITY
"""What was sent cannot be read, or the rules of the game forbid it."""
CONFLICT: Final = HTTPStatus.CONFLICT
"""What was sent was sound, but the game is no longer (or not yet) where it was made for."""
FORBIDDEN: Final = HTTPStatus.FORBIDDEN
"""Somebody else may do that."""


def status_of(form: BaseForm) -> HTTPStatus:
    """The status of a page that shows a form; one that was sent is only shown again when it was refused."""
    return INCOMPLETE if form.is_bound else HTTPStatus.OK

"""How fast somebody answers."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _

from games.words.spans import MINUTE, say_span


def say_median(time: timedelta | None) -> str:
    """A median of answer times: `5 hours`."""
    if time is None or time < MINUTE:
        return _("less than a minute")
    return say_span(time)

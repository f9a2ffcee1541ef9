"""How long something takes, as people say it: the one rule for all pages and mails."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import ngettext

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
MOST_MINUTES, MOST_HOURS = 119, 47
_IN_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


def say_span(span: timedelta, *, is_exact: bool = False) -> str:
    """A span in one unit, rounded down: `40 minutes`, `47 hours`, `7 days`.

    Minutes under two hours (but a whole hour is `1 hour`), hours under 48, then days; nothing is less than no minutes.
    A day of which less than an hour is missing counts: whoever has three days for a move reads so when it begins. What
    somebody has set is told exactly (`is_exact`): in a smaller unit where this one would round it, `100 hours`.
    """
    return count_units(*in_one_unit(span, is_exact=is_exact))


def in_one_unit(span: timedelta, *, is_exact: bool = False) -> tuple[str, int]:
    """The unit in which a span is told, and how many of it: `("hour", 47)`."""
    # Whole numbers, because lists ask for each row: operations on timedelta take three times as long.
    seconds = max(span.days * 86400 + span.seconds, 0)
    minutes, hours = seconds // 60, seconds // 3600
    unit = "day" if hours > MOST_HOURS else "hour" if minutes > MOST_MINUTES or minutes == 60 else "minute"
    if unit == "day" and not is_exact:
        seconds += 3600 - 1
    if is_exact:
        unit = next(name for name in _SMALLER[unit] if seconds % _IN_SECONDS[name] == 0)
    return unit, seconds // _IN_SECONDS[unit]


_SMALLER = {
    "day": ("day", "hour", "minute", "second"),
    "hour": ("hour", "minute", "second"),
    "minute": ("minute", "second"),
}


def count_units(unit: str, count: int) -> str:
    """A number of units, `3 days`, in the active language."""
    if unit == "second":
        template = ngettext("%(count)d second", "%(count)d seconds", count)
    elif unit == "minute":
        template = ngettext("%(count)d minute", "%(count)d minutes", count)
    elif unit == "hour":
        template = ngettext("%(count)d hour", "%(count)d hours", count)
    else:
        template = ngettext("%(count)d day", "%(count)d days", count)
    return template % {"count": count}


def say_days_left(left: int, *, of: int) -> str:
    """What is left of a number of days: `27 of 30 days left`."""
    return ngettext("%(left)d of %(all)d day left", "%(left)d of %(all)d days left", of) % {"left": left, "all": of}

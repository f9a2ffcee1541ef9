"""Moments as they are said: `vienna("2026-03-29 01:30")`."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NONE = timedelta()


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def vienna(text: str) -> datetime:
    """In UTC, as everything leaves the room; the first of two where the clock goes back."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Vienna")).astimezone(UTC)


def hours(first: str, last: str) -> tuple[int, int]:
    """Quiet hours as minutes of the day: `hours("22:00", "7:30")`."""
    begin, end = (int(hour) * 60 + int(minute) for hour, minute in (text.split(":") for text in (first, last)))
    return begin, end

"""Records as the site reads those of strangers: read, and checked by the rules."""

from __future__ import annotations

from typing import Any

from games import rules


def read_checked(source: dict[str, Any] | str) -> rules.Record:
    """The record of a JSON text or object. Raises InvalidRecord unless the rules make its villages and its result."""
    record = rules.read_record(source)
    rules.check_record(record)
    return record

"""The two files that come of it: the board (clans-board/1) and its outlines (clans-outlines/1)."""

import json
from typing import Any

Document = dict[str, Any]


def text_of(document: Document) -> str:
    """The document as JSON that people can compare: one line for each territory, lake or line."""
    parts = []
    for key, value in document.items():
        parts.append(f" {json.dumps(key)}: {_value(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(value: object) -> str:
    if isinstance(value, dict):
        rows = [f"  {json.dumps(key)}: {_compact(one)}" for key, one in value.items()]
        return "{\n" + ",\n".join(rows) + "\n }"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"  {_compact(one)}" for one in value) + "\n ]"
    return _compact(value)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(", ", ": "))

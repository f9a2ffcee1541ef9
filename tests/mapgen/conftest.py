import json
from typing import Any

import pytest

from tools.mapgen.__main__ import BOARD, OUTLINES
from tools.mapgen.survey import Survey


@pytest.fixture(scope="session")
def board() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(BOARD.read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="session")
def outlines() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(OUTLINES.read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="session")
def survey(board: dict[str, Any], outlines: dict[str, Any]) -> Survey:
    """Measures of the committed map, from its two files alone."""
    return Survey(board, outlines)

"""A second map: made by tools/mapgen from another seed, with regions M to X, so that no name of the first map fits.

`board.json` and `outlines.json` beside this file are what `python -m tools.mapgen --seed 202 --id second --first M`
writes; what no move changes of it is drawn from them here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.test import override_settings

from games import rules
from games.drawing.outlines import OUTLINE_FILES
from games.rules.board import read_board
from tools.mapgen import ground

HERE = Path(__file__).parent
BOARD, OUTLINES = HERE / "board.json", HERE / "outlines.json"
ID = "second"


@contextmanager
def second_map(static: Path) -> Iterator[rules.Ruleset]:
    """The site with two maps, as if the files of the second lay among its own; its static files come into the folder
    `static`."""
    folder = static / "games" / "maps" / ID
    folder.mkdir(parents=True)
    for name, drawn in ground.draw_all(ground.read_shapes(BOARD, OUTLINES)).items():
        (folder / name).write_text(drawn, encoding="utf-8")
    rules.BOARDS[ID] = read_board(json.loads(BOARD.read_text(encoding="utf-8")))
    OUTLINE_FILES[ID] = OUTLINES
    try:
        with override_settings(STATICFILES_DIRS=[static]):
            yield rules.standard_ruleset(ID)
    finally:
        del rules.BOARDS[ID], OUTLINE_FILES[ID]

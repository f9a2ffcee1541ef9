"""Command line: `--search A B` lists good seeds, `--sheet FILE N ...` shows them, `--seed N --id NAME` writes the
map of one: the board and its outlines. `python -m tools.mapgen.ground --id NAME` then draws what no move changes of it.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from tools.mapgen.counted import with_counted
from tools.mapgen.documents import Document, text_of
from tools.mapgen.judge import faults, worth
from tools.mapgen.making import make_map
from tools.mapgen.mesh import Unfit
from tools.mapgen.sheet import contact_sheet
from tools.mapgen.survey import Survey

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ROOT / "games" / "rules" / "boards"
OUTLINE_FILES = ROOT / "games" / "drawing" / "maps"
FIRST_MAP = "atlas-1"
BOARD, OUTLINES = BOARDS / f"{FIRST_MAP}.json", OUTLINE_FILES / f"{FIRST_MAP}.json"


def main() -> None:
    """Writes one map, or prints the fit seeds of a range with their worth, best last."""
    parser = argparse.ArgumentParser(prog="python -m tools.mapgen", description=__doc__)
    parser.add_argument("--seed", type=int, help="write the map of this seed")
    parser.add_argument("--search", type=int, nargs=2, metavar=("FIRST", "LAST"))
    parser.add_argument("--id", help="what the map is called, which players read; --seed needs it")
    parser.add_argument("--first", default="A", choices=[*"ABCDEFGHIJKLMNO"], help="the letter of its first region")
    parser.add_argument("--board", type=Path, help="the file for the board, not that among the site's maps")
    parser.add_argument("--outlines", type=Path, help="the file for the outlines, likewise")
    parser.add_argument("--sheet", nargs="+", metavar=("FILE", "SEED"))
    options = parser.parse_args()
    if options.search:
        first, last = options.search
        for seed, value in sorted(search(range(first, last + 1)), key=lambda item: item[1]):
            print(f"{seed}\t{value:.2f}")
    elif options.sheet:
        file, *seeds = options.sheet
        Path(file).write_text(
            contact_sheet((int(seed), *make_map(int(seed), board=options.id or FIRST_MAP)) for seed in seeds),
            encoding="utf-8",
        )
    elif options.seed is not None:
        if options.id is None:
            parser.error("say --id NAME, too")
        board, outlines = make_map(options.seed, board=options.id, first=options.first)
        survey = Survey(board, outlines)
        for fault in faults(survey):
            parser.error(f"seed {options.seed} does not fit: {fault}")
        write(options.board or BOARDS / f"{options.id}.json", board)
        write(options.outlines or OUTLINE_FILES / f"{options.id}.json", with_counted(survey))
    else:
        parser.error("say --seed N --search or --sheet")


def write(path: Path, document: Document) -> None:
    """Puts a document into its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(document), encoding="utf-8")


def search(seeds: range) -> Iterator[tuple[int, float]]:
    """Fit seeds and how good each map is."""
    for seed in seeds:
        try:
            survey = Survey(*make_map(seed, board=FIRST_MAP))
        except Unfit:
            continue
        if not faults(survey):
            yield seed, worth(survey)


if __name__ == "__main__":
    main()

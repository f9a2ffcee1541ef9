"""Makes the recorded games again: `python -m tests.rules.record_games`, after the first map has changed. Never after a
new version of the rules: games of the version before are still read by that.

`random.jsonl` holds simulated games as they come; `rare.jsonl` holds, for each thing that seldom happens, the first
game of the search in which it does, marked by a `shows` key; `map.sha256` tells which map they were played on. All are
checked by `test_recorded.py`.
"""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final

from games.rules import STANDARD, Record, Step, Village, read_record, simulate, standings

FOLDER: Final = Path(__file__).parent / "recorded"
SEED: Final = 1
RANDOM_GAMES: Final = 48
MOST_TRIES: Final = 200_000

Json = dict[str, Any]
Story = Sequence[Step]


def _walkers(story: Story) -> list[tuple[int, int]]:
    """How many huts walked onto how many, from the second move on."""
    return [(then.position.huts(now.move.origin), then.position.huts(now.move.target)) for then, now in pairwise(story)]


def _left_out(step: Step) -> bool:
    """Whether groups stand alone without being villages (rules 4.5)."""
    founded = {village.territory for village in step.villages}
    around = {name for name in _neighbors(step.move.origin) if name not in founded and step.position.huts(name)}
    return any(not any(step.position.huts(other) for other in _neighbors(name)) for name in around)


def _neighbors(name: str) -> list[str]:
    return [STANDARD.board.names[n] for n in STANDARD.board.neighbors[STANDARD.board.index[name]]]


#: What each rare game shows, and how to tell.
RARE: Final[dict[str, Callable[[Story, Record], bool]]] = {
    "rules 3.3: a large group moves onto a larger one": lambda story, _: any(7 <= a < b for a, b in _walkers(story)),
    "rules 3.3: a large group moves onto an equal one": lambda story, _: any(7 <= a == b for a, b in _walkers(story)),
    "rules 4.4: an order was chosen": lambda story, _: any(len(step.move.order) == 2 for step in story),
    "rules 4.4: an order of three was chosen": lambda story, _: any(len(step.move.order) > 2 for step in story),
    "rules 4.4: an order was not alphabetical": lambda story, _: any(
        step.move.order != tuple(sorted(step.move.order)) for step in story
    ),
    "rules 4.4: three villages at once": lambda story, _: any(len(step.villages) > 2 for step in story),
    "rules 4.5: the last chip was given by choice": lambda story, _: (
        _left_out(story[-1]) and bool(story[-1].move.order)
    ),
    "rules 4.5: the last chip was given without a choice": lambda story, _: (
        _left_out(story[-1]) and not story[-1].move.order and story[-1].position.end == "villages"
    ),
    "rules 4.5: the last two chips were given": lambda story, _: _left_out(story[-1]) and len(story[-1].villages) > 1,
    "rules 5.2: strife empties a village": lambda story, _: any(not any(v.after) for v in _villages(story)),
    "rules 5.2: strife takes four clans": lambda story, _: any(len(v.strife) == 4 for v in _villages(story)),
    "rules 5.2: five clans without strife": lambda story, _: any(len(v.scored) == 5 for v in _villages(story)),
    "rules 5.4: strife in a doomed village": lambda story, _: any(v.doomed and v.strife for v in _villages(story)),
    "rules 5.5: the twelfth village was emptied": lambda story, _: (
        len(_villages(story)) == 12 and not any(_villages(story)[-1].after)
    ),
    "rules 5.7: a score past 60": lambda story, _: max(story[-1].position.scores) > 60,
    "rules 6.1: five clans score nothing": lambda story, _: any(
        not v.scored and not v.doomed and 0 not in v.after for v in _villages(story)
    ),
    "rules 7.2: no move is left": lambda story, _: story[-1].position.end == "no-moves",
    "rules 7.2: no move is left after few villages": lambda story, _: (
        story[-1].position.end == "no-moves" and len(_villages(story)) < 9
    ),
    "rules 7.4: a shared win": lambda story, record: _winners(story, record) == 2,
    "rules 7.4: a win shared by three": lambda story, record: _winners(story, record) == 3,
    "rules 7.5: 48 moves": lambda story, _: len(story) == 48 and story[-1].position.end == "villages",
}


def _villages(story: Story) -> tuple[Village, ...]:
    return story[-1].position.villages


def _winners(story: Story, record: Record) -> int:
    return sum(standing.won for standing in standings(story[-1].position, record.clans or ()))


def map_digest() -> str:
    """The SHA-256 of the map and the epoch chart, as 64 hexadecimal digits."""
    return sha256(json.dumps(STANDARD.export(), sort_keys=True).encode()).hexdigest()


def find_rare_games() -> list[Json]:
    """One game for each entry of RARE, in its order."""
    found: dict[str, Json] = {}
    for number in count(RANDOM_GAMES):
        game = simulate(number, seed=SEED)
        record = read_record(game)
        story = record.replay()
        for shows in RARE.keys() - found.keys():
            if RARE[shows](story, record):
                found[shows] = game | {"shows": shows}
        if len(found) == len(RARE):
            return [found[shows] for shows in RARE]
        if number == MOST_TRIES:
            raise SystemExit(f"not found in {MOST_TRIES} games: {', '.join(RARE.keys() - found.keys())}")
    raise AssertionError


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, games in {
        "random.jsonl": [simulate(number, seed=SEED) for number in range(RANDOM_GAMES)],
        "rare.jsonl": find_rare_games(),
    }.items():
        text = "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games)
        (FOLDER / name).write_text(text, encoding="utf-8")
    (FOLDER / "map.sha256").write_text(map_digest() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

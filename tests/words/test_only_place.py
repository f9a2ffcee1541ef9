"""What keeps sentences in `games/words` and markup out of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import play, rules, words

GAMES = Path(__file__).parents[2] / "games"
COUNTED = re.compile(r"%\(\w+\)[ds] (second|minute|hour|day|week)s?")
TAG = re.compile(r"</?[a-z]")


def texts(source: Path) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    tree = ast.parse(source.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_one_module_says_how_long_something_takes() -> None:
    sources = [source for source in GAMES.rglob("*.py") if any(map(COUNTED.fullmatch, texts(source)))]
    assert sources == [GAMES / "words/spans.py"]


@pytest.mark.parametrize("source", sorted((GAMES / "words").glob("*.py")), ids=lambda source: source.name)
def test_it_has_no_markup(source: Path) -> None:
    assert not [text for text in texts(source) if TAG.search(text)]
    assert not re.search(r"safestring|django\.utils\.html|^from html|^import html", source.read_text(), re.MULTILINE)


def refusals(kind: type[play.PlayError] = play.PlayError) -> Iterator[type[play.PlayError]]:
    """The refusals that are raised: those of which there are no kinds."""
    kinds = kind.__subclasses__()
    for each in kinds:
        yield from refusals(each)
    if not kinds:
        yield kind


def test_each_refusal_has_a_code_and_a_sentence_of_its_own() -> None:
    kinds = list(refusals())
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert len({words.explain_refusal(kind()) for kind in kinds} | {play.PlayError.sentence}) == len(kinds) + 1


def test_a_program_reads_the_code_and_a_player_the_sentence() -> None:
    assert str(play.TableFull()) == play.TableFull().code == "table-full"
    assert words.explain_refusal(play.TableFull()) == "All seats at this table are taken."


def test_what_the_rules_refuse_is_a_code_with_a_sentence() -> None:
    with pytest.raises(rules.InvalidMove) as refused:
        rules.Move.parse("north", rules.STANDARD.board)
    assert refused.value.code == "not-a-move"
    assert words.explain_error(refused.value) == str(refused.value)

"""Lines that are tried out, read from what people may write."""

from __future__ import annotations

import random

import pytest

from games import rules
from games.pages.replay.line import LONGEST, MOST_MOVES, join_moves, read_line, split_moves
from tests.pages.helpers import moves_before_a_choice

OPENING = rules.set_up(rules.random_opening(random.Random(4), seats=3))


def whole_game() -> list[rules.Step]:
    """Every step of a game from OPENING."""
    rng, position, steps = random.Random(2), OPENING, list[rules.Step]()
    while not position.over:
        steps.append(rules.random_step(position, rng))
        position = steps[-1].position
    return steps


def choice() -> tuple[rules.Position, rules.Move]:
    opening, moves, move = moves_before_a_choice()
    return rules.fold(opening, moves)[-1].position, move


@pytest.mark.parametrize("text", ["", " ", ",", ";, ,"])
def test_it_is_empty_while_nothing_is_tried(text: str) -> None:
    line = read_line(text, OPENING)
    assert (line.steps, line.position, line.refusal, line.text) == ((), OPENING, "", "")


def test_it_plays_a_whole_game_for_all_sides() -> None:
    steps = whole_game()
    line = read_line(join_moves(steps), OPENING)
    assert line.steps == tuple(steps)
    assert line.refusal == ""
    assert line.text == join_moves(steps)
    assert {step.seat for step in line.steps} == {0, 1, 2}


@pytest.mark.parametrize("between", [",", " ", ", ", "\n", " ; "])
def test_it_takes_moves_however_they_are_parted(between: str) -> None:
    steps = whole_game()[:7]
    line = read_line(between.join(str(step.move).lower() for step in steps), OPENING)
    assert line.steps == tuple(steps)


@pytest.mark.parametrize("within", [" ", "  ", " - ", "–", " – ", "—", " to ", " TO "])
@pytest.mark.parametrize("between", [",", " ", ", ", "; "])
def test_it_reads_moves_as_the_table_does(within: str, between: str) -> None:
    steps = whole_game()[:3]
    text = between.join(f"{step.move.origin}{within}{step.move.target}" for step in steps)
    assert read_line(text, OPENING).steps == tuple(steps)


@pytest.mark.parametrize("between", [",", " ", ", ", "; "])
def test_it_tells_founding_orders_from_moves(between: str) -> None:
    moves = ["C4-D1=B5,D1", "D1-E2", "E2-E3=A1"]
    assert list(split_moves(between.join(moves))) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("C4 D1=B5, D1 D1 to E2", ["C4-D1=B5,D1", "D1-E2"]),
        ("A1 A2 A3", ["A1-A2", "A3"]),
        ("A1toA2", ["A1toA2"]),
        ("c4d1=B5, D1 d1e2,A1A2", ["c4-d1=B5,D1", "d1-e2", "A1-A2"]),
        ("north, A1 A2", ["north", "A1-A2"]),
    ],
)
def test_it_parts_what_people_write(text: str, moves: list[str]) -> None:
    assert list(split_moves(text)) == moves


def test_it_keeps_the_founding_order_of_a_move_within_a_line() -> None:
    position, move = choice()
    order = rules.founding_orders(position, move)[-1]
    first = rules.play(position, move._replace(order=order))
    second = rules.play(first.position, rules.legal_moves(first.position)[0])
    line = read_line(f"{first.move},{second.move}", position)
    assert line.steps == (first, second)


def test_it_stops_where_a_founding_order_is_to_be_chosen() -> None:
    position, move = choice()
    for text in (f"{move}={move.origin}", f"{move},A1-A2", f"{move}={move.origin},A1-A2", str(move)):
        line = read_line(text, position)
        assert line.steps == ()
        assert bool(line.refusal) is (text != str(move))
        assert line.unread == (text if line.refusal else "")
        assert [step.move.order for step in line.draft.orders] == list(rules.founding_orders(position, move))


def test_it_shows_the_line_up_to_a_move_against_the_rules() -> None:
    steps = whole_game()[:3]
    line = read_line(f"{join_moves(steps)},A1-L5,{join_moves(steps)}", OPENING)
    assert line.steps == tuple(steps)
    assert line.refusal.startswith("The line stops before move 4. ")
    assert "not neighbors" in line.refusal
    assert line.unread == f"A1-L5,{join_moves(steps)}"


@pytest.mark.parametrize("text", ["north", "A1-", "-", "=", "A1-Z9", "\x00", "C4–D1–E2", "B5", "A1,A2", "<script>"])
def test_it_says_what_is_no_move(text: str) -> None:
    line = read_line(text, OPENING)
    assert line.steps == ()
    assert "The line stops before move 1." in line.refusal
    assert "no move" in line.refusal


def test_it_goes_on_with_what_is_added_after_a_founding_order() -> None:
    position, move = choice()
    order = rules.founding_orders(position, move)[-1]
    first = rules.play(position, move._replace(order=order))
    second = rules.legal_moves(first.position)[0]
    line = read_line(str(first.move), position, added=f"{second.origin} {second.target}")
    assert [step.move for step in line.steps] == [first.move, second]


def test_it_says_that_nothing_moves_after_the_end() -> None:
    line = read_line(f"{join_moves(whole_game())},A1-A2", OPENING)
    assert line.position.over
    assert "The game is over" in line.refusal


def test_it_reads_no_more_than_the_longest_line() -> None:
    text = join_moves(whole_game()) + "," * LONGEST
    assert "too long" in read_line(text, OPENING).refusal
    assert len(read_line("A1-A2," * 100_000, OPENING).steps) <= MOST_MOVES

"""Which moves are legal, and what is said of those that are not (rules 3)."""

import pytest

from games.rules import STANDARD, IllegalMove, InvalidMove, Move, Position, fold, legal_moves, play, set_up
from tests.rules.openings import opening
from tests.rules.scenes import position, row, scene


def test_it_offers_every_border_both_ways_at_the_start() -> None:
    """rules 3.1"""
    moves = legal_moves(set_up(opening()))
    expected = {
        (STANDARD.board.names[a], STANDARD.board.names[b]) for a in range(60) for b in STANDARD.board.neighbors[a]
    }
    assert {(move.origin, move.target) for move in moves} == expected
    assert moves == sorted(moves)


def test_it_moves_all_huts_of_the_origin() -> None:
    """rules 3.1"""
    a, b, c = row(3)
    before = position({a: "rrk", b: "rg", c: "y"})
    after = play(before, Move(a, b)).position
    assert (after.letters(a), after.letters(b), after.letters(c)) == ("", "rrrgk", "y")
    assert (after.ply, after.to_move) == (1, 1)
    assert before.letters(a) == "rrk"


def test_it_offers_two_moves_from_a_territory_with_two_of_four_neighbors_empty() -> None:
    """rules 8.6"""
    origin = next(n for n, around in enumerate(STANDARD.board.neighbors) if len(around) == 4)
    first, second, *_ = (STANDARD.board.names[n] for n in STANDARD.board.neighbors[origin])
    name = STANDARD.board.names[origin]
    moves = legal_moves(position({name: "r", first: "b", second: "g"}))
    assert [move for move in moves if move.origin == name] == [Move(name, first), Move(name, second)]


def test_it_lets_six_huts_move_but_not_seven() -> None:
    """rules 3.2"""
    a, b = row(2)
    assert Move(a, b) in legal_moves(position({a: "rrrrrr", b: "k"}))
    assert legal_moves(position({a: "rrrrrrr", b: "k"})) == [Move(b, a)]


def test_it_lets_huts_move_onto_seven() -> None:
    """rules 3.2"""
    a, b, c = row(3)
    step = play(position({a: "k", b: "rrrrrrr", c: "g"}), Move(a, b))
    assert step.position.huts(b) == 8


def test_it_lets_the_smaller_of_two_large_groups_move_onto_the_larger() -> None:
    """rules 3.3"""
    a, b, c = row(3)
    before = position({a: "rrrrrrr", b: "kkkkkkkk", c: "g"})
    assert [move for move in legal_moves(before) if move.target in (a, b)] == [Move(a, b), Move(c, b)]
    assert play(before, Move(a, b)).position.huts(b) == 15


def test_it_lets_either_of_two_equally_large_groups_move() -> None:
    """rules 3.3"""
    a, b = row(2)
    assert legal_moves(position({a: "rrrrrrr", b: "kkkkkkk"})) == sorted([Move(a, b), Move(b, a)])


def refused(before: Position, move: Move) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        play(before, move)
    assert move._replace(order=()) not in legal_moves(before)
    assert caught.value.move == move
    return caught.value


def test_it_refuses_an_empty_origin() -> None:
    """rules 3.1"""
    a, b, c = row(3)
    error = refused(position({b: "r", c: "k"}), Move(a, b))
    assert str(error) == f"{a} is empty: there are no huts to move."
    assert (error.code, error.territory, error.rule) == ("empty-origin", a, "3.1")


def test_it_refuses_an_empty_target() -> None:
    """rules 3.1"""
    a, b, c = row(3)
    error = refused(position({b: "r", c: "k"}), Move(b, a))
    assert str(error) == f"{a} is empty: huts only move to a territory that holds huts."
    assert (error.code, error.territory, error.rule) == ("empty-target", a, "3.1")


def test_it_refuses_territories_that_are_not_neighbors() -> None:
    """rules 1.3"""
    a, b, c = row(3)
    error = refused(position({a: "r", b: "k", c: "g"}), Move(a, c))
    assert str(error).startswith(f"{a} and {c} are not neighbors:")
    assert "lake" in str(error)
    assert (error.code, error.territory, error.rule) == ("not-neighbors", c, "1.3")


def test_it_refuses_a_target_that_is_the_origin() -> None:
    """rules 3.1"""
    a, b = row(2)
    error = refused(position({a: "r", b: "k"}), Move(a, a))
    assert str(error) == f"{a} is both origin and target: the target must be a neighbor."


def test_it_refuses_to_move_seven_huts_onto_fewer() -> None:
    """rules 3.2"""
    a, b = row(2)
    error = refused(position({a: "rrrrrrr", b: "kkkkkk"}), Move(a, b))
    assert str(error) == f"{a} holds 7 huts: a group of 7 or more can no longer move."
    assert (error.code, error.territory, error.rule) == ("too-large", a, "3.2")


def test_it_refuses_to_move_the_larger_of_two_large_groups() -> None:
    """rules 3.3"""
    a, b = row(2)
    error = refused(position({a: "rrrrrrrr", b: "kkkkkkk"}), Move(a, b))
    assert str(error) == (
        f"{a} holds 8 huts and {b} only 7: between two groups of 7 or more, the larger cannot move onto the smaller."
    )
    assert (error.code, error.territory, error.rule) == ("larger-onto-smaller", a, "3.3")


@pytest.mark.parametrize(("code", "outward"), [("from-village", True), ("into-village", False)])
def test_it_refuses_to_move_into_or_out_of_a_village(code: str, outward: bool) -> None:
    """rules 4.3"""
    staged = scene(("*", "rk"))
    after = play(staged.position, staged.move).position
    village, neighbor = staged.move.target, staged.move.origin
    error = refused(after, Move(village, neighbor) if outward else Move(neighbor, village))
    assert (error.code, error.territory, error.rule) == (code, village, "4.3")
    assert str(error).startswith(f"{village} is a village: nothing can move {'out of' if outward else 'into'} it")


def test_it_refuses_to_move_into_a_village_that_doom_has_emptied() -> None:
    """rules 4.3 and 5.4"""
    staged = scene(("mountain", "rk"))
    after = play(staged.position, staged.move).position
    assert after.huts(staged.move.target) == 0
    assert refused(after, Move(staged.move.origin, staged.move.target)).code == "into-village"


def test_it_refuses_every_move_once_the_game_is_over() -> None:
    """rules 7"""
    a, b = row(2)
    after = play(position({a: "r", b: "k"}), Move(a, b)).position
    assert str(refused(after, Move(b, a))) == "The game is over: nothing can move any more."


@pytest.mark.parametrize("move", [Move("Z9", "A1"), Move("A1", "Z9"), Move("", "")])
def test_it_refuses_a_territory_that_is_not_on_the_map(move: Move) -> None:
    """rules 9.1"""
    error = refused(set_up(opening()), move)
    assert str(error) == f"There is no territory called {error.territory}."
    assert error.territory in (move.origin, move.target)


def test_it_goes_round_in_seat_order() -> None:
    """rules 2.3"""
    start = opening(seats=3, first=2)
    a, b, c, d = row(4)
    steps = fold(start, [Move(a, b), Move(b, c), Move(c, d)])
    assert [step.seat for step in steps] == [2, 0, 1]
    assert [step.ply for step in steps] == [0, 1, 2]
    assert steps[-1].position.to_move == 2


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("C4-D1", Move("C4", "D1")),
        (" c4-d1 ", Move("C4", "D1")),
        ("C4-D1=B5,D1", Move("C4", "D1", ("B5", "D1"))),
        ("c4-d1=b5,D1", Move("C4", "D1", ("B5", "D1"))),
    ],
)
def test_it_reads_moves(text: str, move: Move) -> None:
    """rules 9.2"""
    assert Move.parse(text, STANDARD.board) == move
    assert Move.parse(str(move), STANDARD.board) == move
    assert str(move) == text.strip().upper()


@pytest.mark.parametrize(
    "text",
    ["", "C4", "C4-", "C4-D6", "M1-A1", "C4-D1=", "C4-D1=B5,", "C4-D1=B5;D1", "C4–D1", "C4 D1", "Ⅽ4-D1", "C4-D1\nx"],
)
def test_it_refuses_a_text_that_is_no_move(text: str) -> None:
    """rules 9.2"""
    with pytest.raises(InvalidMove) as caught:
        Move.parse(text, STANDARD.board)
    assert caught.value.code == "not-a-move"
    assert "C4-D1=B5,D1" in str(caught.value)
    said = text.replace("\n", r"\n")
    assert f"“{said}” is no move." in str(caught.value)

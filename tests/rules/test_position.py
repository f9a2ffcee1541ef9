"""Positions as text (style 2) and what they refuse."""

from random import Random

import pytest

from games.rules import STANDARD, InvalidPosition, Position, random_game, set_up
from tests.rules.openings import opening
from tests.rules.scenes import apart, play, row, scene


def test_it_reads_its_text_back() -> None:
    for step in random_game(opening(seats=3, first=1, five_clans="nothing"), Random(4)):
        text = str(step.position)
        assert "\n" not in text
        assert Position.parse(text) == step.position


def test_it_reads_the_text_of_an_opening_back() -> None:
    start = set_up(opening(seats=4, first=3))
    assert Position.parse(str(start)) == start


def test_it_reads_the_text_of_a_game_with_groups_that_took_no_chip_back() -> None:
    """rules 4.5"""
    after = play(scene(("*", "rk"), ("*", "rk"), taken=11)).position
    assert after.end == "villages"
    assert Position.parse(str(after)) == after


def test_it_computes_what_the_text_leaves_out() -> None:
    a, b = row(2)
    position = Position.parse(f"seats=3 huts={a}:rrk,{b}:y")
    assert (position.first, position.ply, position.to_move, position.five_clans) == (0, 0, 0, "score")
    assert (position.chips, position.scores, position.end) == ((0, 0, 0), (0, 0, 0, 0, 0), "")
    assert position.stack(a) == (2, 0, 0, 0, 1)
    assert position.huts(b) == 1
    assert position.groups == 1 << STANDARD.board.index[a] | 1 << STANDARD.board.index[b]


def test_it_cannot_be_changed() -> None:
    start = set_up(opening())
    with pytest.raises(AttributeError):
        start.ply = 1  # type: ignore[misc]
    assert hash(start) == hash(set_up(opening()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "huts=A1:r",
        "seats=5",
        "seats=two",
        "seats=2 first=2",
        "seats=2 ply=-1",
        "seats=2 five_clans=maybe",
        "seats=2 scores=1",
        "seats=2 huts=A9:r",
        "seats=2 huts=A1:w",
        "seats=2 huts=A1:",
        "seats=2 huts=A1:r,A1:k",
        "seats=2 huts=A1:" + "r" * 64,
        "seats=2 villages=A1:2:r",
        "seats=2 villages=A1:-1:r",
        "seats=2 villages=A1:r",
        "seats=2 villages=" + ",".join(["A1:0:r"] * 13),
    ],
)
def test_it_refuses_a_text_that_is_no_position(text: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        Position.parse(text)
    assert caught.value.code == "not-a-position"
    assert str(caught.value).endswith("” is no position.")


def test_it_refuses_a_group_that_would_be_a_village() -> None:
    """rules 4.1"""
    (a,) = row(1)
    with pytest.raises(InvalidPosition, match=f"{a} stands alone"):
        Position.parse(f"seats=2 huts={a}:r")


def test_it_refuses_a_village_beside_huts() -> None:
    """rules 4.1 and 4.3"""
    a, b, c = row(3)
    for text in (f"huts={b}:k,{c}:k villages={a}:0:r", f"villages={a}:0:r,{b}:0:k", f"villages={a}:0:r,{a}:0:k"):
        with pytest.raises(InvalidPosition, match="cannot be a village beside other huts"):
            Position.parse(f"seats=2 {text}")


def test_it_refuses_more_than_twelve_huts_of_a_clan() -> None:
    """rules 1.4: huts that strife or doom took count too"""
    a, b = apart(["mountain", "mountain"])
    assert Position.parse(f"seats=2 villages={a}:0:rrrrrr,{b}:0:rrrrrr").chips == (2, 0)
    with pytest.raises(InvalidPosition, match="more than 12 huts"):
        Position.parse(f"seats=2 villages={a}:0:rrrrrr,{b}:0:rrrrrrr")

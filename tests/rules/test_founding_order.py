"""Several villages by one move, and the mover's choice (rules 4.4 and 4.5)."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from games import rules
from games.rules import STANDARD, FoundingOrderError, IllegalMove, Move, founding_orders, set_up
from games.rules.founding import choices
from tests.rules.openings import opening
from tests.rules.scenes import Scene, play, position, row, scene


def ordered(staged: Scene, *order: str) -> rules.Step:
    return rules.play(staged.position, staged.move._replace(order=order))


def refused(staged: Scene, *order: str) -> FoundingOrderError:
    with pytest.raises(FoundingOrderError) as caught:
        ordered(staged, *order)
    return caught.value


def test_it_founds_in_alphabetical_order_where_nobody_needs_to_be_asked() -> None:
    """rules 4.4: two villages of the same epoch"""
    staged = scene(("*", "rk"), ("*", "b"))
    assert founding_orders(staged.position, staged.move) == ()
    step = play(staged)
    assert [village.territory for village in step.villages] == sorted(staged.alone)
    assert step.move == staged.move


def test_it_asks_where_the_order_decides_which_village_falls_into_which_epoch() -> None:
    """rules 8.4 and 4.4: one chip is left in epoch II; the mountain gets its bonus only there"""
    staged = scene(("mountain", "rk"), ("grassland", "b"), taken=6)
    mountain, grassland = staged.alone
    orders = founding_orders(staged.position, staged.move)
    assert orders == tuple(permutations(sorted(staged.alone)))
    good, bad = ordered(staged, mountain, grassland), ordered(staged, grassland, mountain)
    assert [village.epoch for village in good.villages] == [2, 3]
    assert [village.value for village in good.villages] == [4, 1]
    assert [village.territory for village in bad.villages] == [grassland, mountain]
    assert [village.value for village in bad.villages] == [0, 2]
    assert good.move.order == (mountain, grassland)
    assert str(bad.move) == f"{staged.move}={grassland},{mountain}"


def test_it_asks_nobody_when_two_epochs_score_the_same() -> None:
    """rules 4.4: the steppe is neither good nor bad in epochs I and II"""
    staged = scene(("steppe", "rk"), ("steppe", "b"), taken=3)
    assert founding_orders(staged.position, staged.move) == ()
    assert [village.epoch for village in play(staged).villages] == [1, 2]


def test_it_asks_nobody_when_the_same_clans_gain_the_same_in_any_order() -> None:
    """rules 4.4: it goes by the scores of the clans, not by the values of the villages"""
    staged = scene(("forest", "rrk"), ("forest", "rk"), taken=3)
    assert founding_orders(staged.position, staged.move) == ()
    assert play(staged).position.scores[0] == staged.position.scores[0] + 6


def test_it_asks_when_the_same_gain_goes_to_other_clans() -> None:
    """rules 4.4"""
    staged = scene(("forest", "rk"), ("forest", "rb"), taken=3)
    assert len(founding_orders(staged.position, staged.move)) == 2


def test_it_lets_the_mover_choose_the_twelfth_village() -> None:
    """rules 8.5 and 4.5: eleven villages stand, one move founds two"""
    staged = scene(("*", "rk"), ("*", "bbb"), taken=11)
    large, small = staged.alone[1], staged.alone[0]
    assert founding_orders(staged.position, staged.move) == ((min(large, small),), (max(large, small),))
    step = ordered(staged, large)
    (village,) = step.villages
    assert (village.territory, village.number, village.bonus, village.value) == (large, 12, 5, 8)
    assert step.position.end == "villages"
    assert step.position.letters(small) == "rk"
    assert sum(step.position.chips) == 12


def test_it_chooses_the_twelfth_village_itself_where_no_score_depends_on_it() -> None:
    """rules 4.4 and 4.5"""
    staged = scene(("*", "rk"), ("*", "rk"), taken=11)
    assert founding_orders(staged.position, staged.move) == ()
    (village,) = play(staged).villages
    assert village.territory == min(staged.alone)


def test_it_lists_choices_that_score_the_same_once_and_takes_them_all() -> None:
    """rules 4.4: the last chip of epoch I, then two of epoch II"""
    staged = scene(("forest", "rk"), ("forest", "bb"), ("steppe", "g"), taken=3)
    orders = founding_orders(staged.position, staged.move)
    a, b, c = sorted(staged.alone)
    assert orders == ((a, b, c), (b, a, c), (c, a, b))
    for order in permutations(staged.alone):
        step = ordered(staged, *order)
        assert tuple(village.territory for village in step.villages) == order
        assert step.move.order == order


def test_it_lists_eight_villages_without_counting_all_orders() -> None:
    """rules 4.4 and 4.5: 40,320 orders, but only so many ways to fill the epochs"""
    stacks = [1 << 6 * (n % 5) for n in range(60)]
    start = set_up(opening())
    assert len(choices(start, stacks, range(8))) == 280  # 8! / (4! 3! 1!)
    eight_left = start._replace(villages=play(scene(("*", "rk"))).villages * 7)
    assert len(choices(eight_left, stacks, range(8))) == 1680  # 8! / (2! 2! 1! 3!)


def test_it_takes_a_needless_order_that_names_the_right_villages() -> None:
    """rules 4.4"""
    staged = scene(("*", "rk"), ("*", "b"))
    for order in permutations(staged.alone):
        step = ordered(staged, *order)
        assert step == play(staged)
        assert step.move.order == ()


def test_it_takes_a_needless_order_of_one_village() -> None:
    """rules 4.4"""
    staged = scene(("*", "rk"))
    assert ordered(staged, staged.move.target) == play(staged)


def test_it_refuses_a_missing_order() -> None:
    """rules 4.4"""
    staged = scene(("mountain", "rk"), ("grassland", "b"), taken=6)
    error = refused(staged)
    first, second = sorted(staged.alone)
    assert str(error) == f"{staged.move} founds several villages ({first}, {second}): say in which order."
    assert (error.code, error.rule, error.move) == ("order-missing", "4.4", staged.move)


def test_it_refuses_a_missing_choice_of_the_last_villages() -> None:
    """rules 4.5"""
    staged = scene(("*", "rk"), ("*", "bbb"), taken=11)
    error = refused(staged)
    first, second = sorted(staged.alone)
    assert str(error) == (
        f"{staged.move} leaves several groups alone: {first}, {second}. Village chips left: 1."
        " Say which groups take the chips, and in which order."
    )
    assert (error.code, error.rule) == ("order-missing", "4.5")


def test_it_refuses_an_incomplete_order() -> None:
    """rules 4.4"""
    staged = scene(("mountain", "rk"), ("grassland", "b"), taken=6)
    error = refused(staged, staged.alone[0])
    assert str(error).startswith(f"The founding order of {staged.move} is incomplete: it must name 2 of these:")
    assert error.code == "order-incomplete"


def test_it_refuses_an_order_for_more_chips_than_are_left() -> None:
    """rules 4.5"""
    staged = scene(("*", "rk"), ("*", "bbb"), taken=11)
    error = refused(staged, *staged.alone)
    assert str(error) == f"The founding order of {staged.move} is too long. Village chips left: 1."
    assert (error.code, error.rule) == ("order-too-long", "4.5")


@pytest.mark.parametrize("taken", [0, 6])
def test_it_refuses_an_order_that_names_a_territory_that_founds_nothing(taken: int) -> None:
    """rules 4.4: with a choice and without"""
    staged = scene(("mountain", "rk"), ("grassland", "b"), taken=taken)
    error = refused(staged, staged.alone[0], staged.move.origin)
    wrong = staged.move.origin
    assert str(error) == f"{wrong} is in the founding order, but {staged.move} founds no village there."
    assert (error.code, error.territory) == ("order-founds-nothing", wrong)


def test_it_refuses_an_order_for_a_move_that_founds_nothing() -> None:
    """rules 4.4"""
    a, b, c = row(3)
    before = position({a: "r", b: "b", c: "g"})
    with pytest.raises(FoundingOrderError) as caught:
        rules.play(before, Move(a, b, (b,)))
    assert (caught.value.code, caught.value.territory) == ("order-founds-nothing", b)
    assert founding_orders(before, Move(a, b)) == ()


def test_it_refuses_an_order_that_names_a_territory_twice() -> None:
    """rules 4.4"""
    staged = scene(("mountain", "rk"), ("grassland", "b"), taken=6)
    twice = staged.alone[0]
    error = refused(staged, twice, twice)
    assert str(error) == f"{twice} is twice in the founding order of {staged.move}."
    assert (error.code, error.territory) == ("order-twice", twice)


def test_it_refuses_a_needless_order_that_leaves_a_village_out() -> None:
    """rules 4.4"""
    staged = scene(("*", "rk"), ("*", "b"))
    assert refused(staged, staged.alone[0]).code == "order-incomplete"


def test_it_refuses_a_needless_order_for_another_village_than_the_alphabetical_one() -> None:
    """rules 4.4 and 4.5"""
    staged = scene(("*", "rk"), ("*", "rk"), taken=11)
    error = refused(staged, max(staged.alone))
    assert str(error) == (f"The order of {staged.move} changes no score, so the chips are for {min(staged.alone)}.")
    assert ordered(staged, min(staged.alone)) == play(staged)


def test_it_lists_no_orders_of_a_move_that_is_not_legal() -> None:
    """rules 4.4"""
    far = next(
        name for name in STANDARD.board.names[1:] if STANDARD.board.index[name] not in STANDARD.board.neighbors[0]
    )
    with pytest.raises(IllegalMove):
        founding_orders(set_up(opening()), Move(STANDARD.board.names[0], far))


def test_it_asks_for_an_order_only_where_one_is_needed() -> None:
    """rules 4.4: the last of the listed orders, where there are any"""
    asked: list[Sequence[tuple[str, ...]]] = []

    def choose(orders: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        asked.append(orders)
        return orders[-1]

    same = scene(("*", "rk"), ("*", "b"))
    assert rules.play(same.position, same.move, choose=choose) == play(same)
    assert asked == []
    staged = scene(("mountain", "rk"), ("grassland", "b"), taken=6)
    step = rules.play(staged.position, staged.move, choose=choose)
    assert asked == [founding_orders(staged.position, staged.move)]
    assert step == ordered(staged, *asked[0][-1])
    given = staged.move._replace(order=asked[0][0])
    assert rules.play(staged.position, given, choose=choose).move == given

"""When villages are founded and what they score (rules 4 to 6 and the examples of rules 8)."""

import pytest

from games import rules
from games.rules import STANDARD, FiveClans, Move, Position, Village
from tests.rules.scenes import apart, play, position, row, scene


def founded(terrain: str, letters: str, *, taken: int = 0, five_clans: FiveClans = "score") -> Village:
    """The one village that a group founds on some terrain, once `taken` chips are gone."""
    (village,) = play(scene((terrain, letters), taken=taken, five_clans=five_clans)).villages
    assert (village.number, village.founder) == (taken + 1, 0)
    return village


def test_it_scores_five_huts_in_a_forest_in_the_first_epoch() -> None:
    """rules 8.1"""
    staged = scene(("forest", "bbbyr"))
    step = play(staged)
    (village,) = step.villages
    assert (village.value, village.bonus, village.epoch) == (6, 1, 1)
    assert village.scored == ("red", "blue", "yellow")
    assert step.position.scores == (6, 6, 0, 6, 0)


def test_it_takes_the_single_huts_out_of_a_village_of_five_clans() -> None:
    """rules 8.2"""
    step = play(scene(("steppe", "kkkkrrgyb")))
    (village,) = step.villages
    assert village.before == (2, 1, 1, 1, 4)
    assert village.after == (2, 0, 0, 0, 4)
    assert village.strife == ("blue", "green", "yellow")
    assert village.value == 6
    assert village.scored == ("red", "black")
    assert step.position.letters(village.territory) == "rrkkkk"
    assert step.position.scores == (6, 0, 0, 0, 6)


def test_it_adds_three_in_the_steppe_in_the_third_epoch() -> None:
    """rules 8.3"""
    village = founded("steppe", "rk", taken=7)
    assert (village.epoch, village.bonus, village.value) == (3, 3, 5)


def test_it_dooms_a_village_in_the_grassland_in_the_second_epoch() -> None:
    """rules 8.3 and 5.4"""
    staged = scene(("grassland", "rrk"), taken=4)
    step = play(staged)
    (village,) = step.villages
    assert (village.doomed, village.epoch, village.value, village.scored) == (True, 2, 0, ())
    assert village.after == (2, 0, 0, 0, 1)
    assert step.position.huts(village.territory) == 0
    assert step.position.scores == staged.position.scores
    assert step.position.chips[0] == staged.position.chips[0] + 1


@pytest.mark.parametrize(
    ("terrain", "values"),
    [
        ("forest", [3, 3, 3, 3, 2, 2, 2, 0, 0, 2, 2, 7]),
        ("mountain", [0, 0, 0, 0, 4, 4, 4, 2, 2, 2, 2, 7]),
        ("steppe", [2, 2, 2, 2, 2, 2, 2, 5, 5, 0, 0, 7]),
        ("grassland", [2, 2, 2, 2, 0, 0, 0, 2, 2, 6, 6, 7]),
    ],
)
def test_it_follows_the_epoch_chart(terrain: str, values: list[int]) -> None:
    """rules 1.5, 5.1, 5.3, 5.4 and 5.5: two huts on each terrain for each of the twelve chips"""
    villages = [founded(terrain, "rk", taken=taken) for taken in range(12)]
    assert [village.value for village in villages] == values
    assert [village.doomed for village in villages] == [value == 0 for value in values]
    assert [village.epoch for village in villages] == [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5]


def test_it_founds_nothing_while_a_neighbor_holds_huts() -> None:
    """rules 4.1"""
    a, b, c = row(3)
    step = rules.play(position({a: "r", b: "b", c: "g"}), Move(a, b))
    assert step.villages == ()
    assert step.position.chips == (0, 0)


def test_it_founds_a_village_of_a_single_hut_that_is_left_behind() -> None:
    """rules 4.1: one hut is enough, and it need not be the target"""
    step = play(scene(("*", "rk"), ("*", "b")))
    assert sorted(sum(village.before) for village in step.villages) == [1, 2]


def test_it_founds_a_village_that_is_left_behind_while_the_target_has_company() -> None:
    """rules 4.1"""
    a, b, c, d = row(4)
    step = rules.play(position({a: "r", b: "b", c: "g", d: "y"}), Move(b, c))
    assert [village.territory for village in step.villages] == [a]


def test_it_gives_the_chip_to_the_mover_whoever_owns_the_huts() -> None:
    """rules 4.2"""
    staged = scene(("*", "rk"), seats=3)
    second = staged.position._replace(ply=31)
    assert second.to_move == 1
    step = rules.play(second, staged.move)
    assert (step.seat, step.villages[0].founder, step.position.chips) == (1, 1, (0, 1, 0))


def test_it_leaves_a_mixed_group_alone_before_the_founding() -> None:
    """rules 5.2"""
    a, b, c = row(3)
    step = rules.play(position({a: "r", b: "bgyk", c: "r"}), Move(a, b))
    assert step.position.letters(b) == "rbgyk"


def test_it_takes_no_single_hut_where_a_clan_is_missing() -> None:
    """rules 5.2"""
    village = founded("steppe", "rbgy")
    assert (village.strife, village.after, village.value) == ((), (1, 1, 1, 1, 0), 4)


@pytest.mark.parametrize("five_clans", ["score", "nothing"])
def test_it_empties_a_village_of_one_hut_of_each_clan(five_clans: FiveClans) -> None:
    """rules 5.2"""
    staged = scene(("forest", "rbgyk"), five_clans=five_clans)
    step = play(staged)
    (village,) = step.villages
    assert (village.after, village.value, village.bonus, village.scored) == ((0, 0, 0, 0, 0), 0, 0, ())
    assert (step.position.huts(village.territory), step.position.chips) == (0, (1, 0))
    assert not step.position.stacks[STANDARD.board.index[village.territory]]


def test_it_empties_even_the_twelfth_village() -> None:
    """rules 5.2 and 5.5"""
    village = founded("forest", "rbgyk", taken=11)
    assert (village.value, village.scored) == (0, ())


def test_it_takes_nothing_from_five_clans_with_two_huts_each() -> None:
    """rules 5.2 and 5.6"""
    village = founded("steppe", "rrbbggyykk")
    assert (village.strife, village.value, len(village.scored)) == ((), 10, 5)


def test_it_has_strife_in_a_doomed_village_too() -> None:
    """rules 5.2 and 5.4"""
    village = founded("mountain", "rrbgyk")
    assert (village.strife, village.after) == (("blue", "green", "yellow", "black"), (2, 0, 0, 0, 0))
    assert (village.doomed, village.value, village.left) == (True, 0, 0)


def test_it_scores_nothing_for_five_clans_under_the_house_rule() -> None:
    """rules 6.1"""
    village = founded("forest", "rrbbggyykk", five_clans="nothing")
    assert (village.scored, village.value, village.after) == ((), 11, (2, 2, 2, 2, 2))


def test_it_scores_what_strife_leaves_under_the_house_rule() -> None:
    """rules 6.1: it asks for five clans after strife"""
    assert founded("steppe", "rrbbggyyk", five_clans="nothing").scored == ("red", "blue", "green", "yellow")


def test_it_scores_the_full_value_for_each_clan() -> None:
    """rules 5.6"""
    step = play(scene(("steppe", "rrrrrk")))
    assert step.position.scores == (6, 0, 0, 0, 6)


def test_it_counts_past_the_length_of_the_track() -> None:
    """rules 5.7"""
    terrains = ["forest"] * 4 + ["mountain"] * 3 + ["steppe"] * 2 + ["grassland"] * 2
    villages = ",".join(f"{territory}:0:rbgy" for territory in apart(terrains))
    assert Position.parse(f"seats=2 villages={villages}").scores == (68, 68, 68, 68, 0)

"""What happens in a game, in sentences."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from games import rules, words
from games.pov import MovePov, SeatPov
from games.rules import STANDARD, Move, Position, Step, Village


def seat(number: int, name: str, *, has_resigned: bool = False) -> SeatPov:
    return SeatPov(number, name, is_bot=has_resigned, has_resigned=has_resigned)


AT = datetime(2026, 3, 2, tzinfo=UTC)
SEATS = (seat(0, "alice"), seat(1, "bob"), seat(2, "carol"))
OPENING = rules.set_up(rules.Opening("rbgyk" * 12, seats=3, first=0))


def on(terrain: str) -> str:
    """A territory where `terrain` grows."""
    return STANDARD.board.names[STANDARD.board.terrains.index(terrain)]


def village(letters: str, *, terrain: str = "forest", number: int = 1, five_clans: str = "score") -> Village:
    """The village that bob founds of `letters` by taking chip `number`, scored by the rules."""
    territory = on(terrain)
    others = [name for name in STANDARD.board.names if name != territory]
    founded: list[str] = []
    for name in others:
        if len(founded) < number - 1 and not {name, *around(name)} & {*founded, territory}:
            founded.append(name)
    line = ",".join([*(f"{name}:0:r" for name in founded), f"{territory}:1:{letters}"])
    return Position.parse(f"seats=3 five_clans={five_clans} huts= villages={line}").villages[-1]


def around(name: str) -> list[str]:
    return [STANDARD.board.names[number] for number in STANDARD.board.neighbors[STANDARD.board.index[name]]]


def step(*villages: Village, seat: int = 1) -> Step:
    return Step(Move("C4", "D1"), seat, 0, villages, OPENING)


def tell(played: Step) -> str:
    [told] = words.describe_moves([MovePov(played, AT, by_bot=False)], SEATS)
    return told


def test_it_tells_a_move_that_founds_nothing() -> None:
    assert tell(step()) == "bob moved C4 to D1."


def test_it_tells_a_move_that_founds_a_village_with_its_points() -> None:
    founded = village("rrkkk")
    assert tell(step(founded)) == (f"bob moved C4 to D1 and founded {founded.territory} (6 points for red and black).")


def test_it_tells_all_villages_of_a_move_in_founding_order() -> None:
    first, second = village("b", terrain="steppe"), village("rg", terrain="mountain")
    assert tell(step(first, second)) == (
        f"bob moved C4 to D1 and founded {first.territory} (1 point for blue)"
        f" and {second.territory} (doomed, no points)."
    )


@pytest.mark.parametrize(
    ("founded", "outcome"),
    [
        (village("bbbyr"), "6 points for red, blue and yellow"),
        (village("rg", terrain="mountain"), "doomed, no points"),
        (village("rbgyk"), "all huts lost in strife, no points"),
        (village("rrbbggyykk", five_clans="nothing"), "all five clans, no points"),
        (village("rrbbggyykk"), "11 points for red, blue, green, yellow and black"),
    ],
)
def test_it_says_in_a_few_words_what_came_of_a_village(founded: Village, outcome: str) -> None:
    assert words.describe_outcome(founded) == outcome


def test_it_explains_the_bonus() -> None:
    founded = village("bbbyr")
    assert words.explain_village(founded, SEATS) == (
        f"{founded.territory} is village 1, in epoch I; the chip goes to bob."
        " 5 huts and 1 more for the forest: 6 points for red, blue and yellow."
    )


def test_it_explains_a_village_without_bonus() -> None:
    assert "1 hut: 1 point for green." in words.explain_village(village("g", terrain="steppe"), SEATS)


def test_it_explains_strife() -> None:
    explained = words.explain_village(village("kkkkrrgyb", terrain="steppe"), SEATS)
    assert "Strife among all five clans: blue, green and yellow had one hut each and lost it." in explained
    assert "6 huts: 6 points for red and black." in explained


def test_it_explains_strife_that_takes_one_hut() -> None:
    explained = words.explain_village(village("kkrrggyyb", terrain="steppe"), SEATS)
    assert "Strife among all five clans: blue had one hut and lost it." in explained


def test_it_explains_a_village_that_strife_has_emptied() -> None:
    assert "No hut is left, nobody scores." in words.explain_village(village("rbgyk", terrain="steppe"), SEATS)


def test_it_explains_doom() -> None:
    explained = words.explain_village(village("rg", terrain="grassland", number=5), SEATS)
    assert "In epoch II grassland is unfavorable: the village is doomed, nobody scores." in explained


def test_it_explains_the_twelfth_village() -> None:
    explained = words.explain_village(village("rg", terrain="grassland", number=12), SEATS)
    assert "is village 12, in epoch V" in explained
    assert "2 huts and 5 more for the twelfth village: 7 points for red and green." in explained


def test_it_explains_the_house_rule() -> None:
    explained = words.explain_village(village("rrbbggyykk", five_clans="nothing"), SEATS)
    assert "By this table’s house rule a village of all five clans scores nothing." in explained


def test_it_says_when_a_computer_player_moved_for_somebody_who_resigned() -> None:
    seats = (SEATS[0], seat(1, "bob", has_resigned=True), SEATS[2])
    own, taken_over = MovePov(step(), AT, by_bot=False), MovePov(step(), AT, by_bot=True)
    assert words.describe_moves([own, taken_over], seats) == [
        "bob moved C4 to D1.",
        "The computer player for bob moved C4 to D1.",
    ]


def test_it_says_when_the_autopilot_moved() -> None:
    founded = village("rrkkk")
    moves = [MovePov(taken, AT, by_bot=True, by_autopilot=True) for taken in (step(), step(founded))]
    assert words.describe_moves(moves, SEATS) == [
        "The autopilot moved for bob: C4 to D1.",
        f"The autopilot moved for bob: C4 to D1, founding {founded.territory} (6 points for red and black).",
    ]


def test_it_describes_groups_of_huts() -> None:
    position = Position.parse("seats=3 huts=A1:rrrk,A2:bb,A3:g,A4:rrbbggy,A5:r")
    described = dict(zip(STANDARD.board.names, words.describe_board(position, SEATS), strict=True))
    assert described["A1"].endswith(": 4 huts (3 red, 1 black)")
    assert described["A2"].endswith(": 2 blue huts")
    assert described["A3"].endswith(": 1 green hut")
    assert described["A4"].endswith(": 7 huts (2 red, 2 blue, 2 green, 1 yellow), too many to move")
    assert described["L5"].endswith(": empty")


def test_it_names_the_terrain_of_a_territory() -> None:
    for terrain in rules.TERRAINS:
        assert words.describe_territory(OPENING, on(terrain), SEATS).startswith(f"{on(terrain)}, {terrain}: ")


def test_it_describes_villages_and_ruins() -> None:
    forest, mountain = on("forest"), on("mountain")
    standing = Position.parse(f"seats=3 huts= villages={forest}:1:rk")
    ruined = Position.parse(f"seats=3 huts= villages={mountain}:2:rk")
    assert words.describe_territory(standing, forest, SEATS) == (
        f"{forest}, forest: village founded by bob, value 3, 2 huts (1 red, 1 black)"
    )
    assert words.describe_territory(ruined, mountain, SEATS) == (
        f"{mountain}, mountain: ruin of a village founded by carol"
    )


def test_it_tells_who_looks_what_became_of_a_territory_and_what_still_can() -> None:
    position = Position.parse("seats=3 huts=L4:r,L5:kk,L1:ggb villages=A3:1:rk,D2:2:rrg")
    stands, ruined = position.villages
    steps = [step(stands)._replace(ply=11), step(ruined, seat=2)._replace(ply=14)]
    told = dict(zip(STANDARD.board.names, words.tell_board(position, SEATS, steps), strict=True))
    assert told["L4"] == "L4, forest: 1 red hut. In epoch I forest is favorable: +1 for a village."
    assert told["L5"].endswith(": 2 black huts. In epoch I mountain is unfavorable: a village is doomed.")
    assert told["L1"].endswith("(1 blue, 2 green). In epoch I steppe is neither favorable nor unfavorable.")
    assert told["A3"] == (
        "A3, forest: village that bob founded with move 12 in epoch I, value 3,"
        " 2 huts (1 red, 1 black). Huts no longer come or go."
    )
    assert told["D2"] == (
        "D2, mountain: ruin of a village that carol founded with move 15 in epoch I. Huts no longer go there."
    )
    empty = next(text for text in told.values() if ": empty" in text)
    assert empty.endswith(": empty. Huts no longer go there.")


def test_it_tells_nothing_of_what_may_come_when_it_is_over() -> None:
    apart = ("A1", "A3", "A5", "B3", "C2", "D2", "D5", "E2", "F3", "G1", "G2", "H2")
    over = Position.parse("seats=3 huts= villages=" + ",".join(f"{name}:1:r" for name in apart))
    told = words.tell_board(over, SEATS, [step(*over.villages)])
    assert over.over
    assert {text.partition(": ")[2] for text in told if ": empty" in text} == {"empty."}
    abandoned = words.tell_board(OPENING, SEATS, [], is_over=True)
    assert not any("epoch" in text for text in abandoned)


def test_it_says_what_the_rules_refuse() -> None:
    with pytest.raises(rules.InvalidMove) as refused:
        Move.parse("north", rules.STANDARD.board)
    assert words.explain_error(refused.value) == str(refused.value)


def test_it_says_what_each_clan_gains() -> None:
    after = OPENING._replace(scores=(3, 0, 0, 0, 14))
    assert words.describe_gain(OPENING, after) == "red\N{NO-BREAK SPACE}+3, black\N{NO-BREAK SPACE}+14"
    assert words.describe_gain(OPENING, OPENING) == "no points"


def test_it_says_what_the_next_chip_means() -> None:
    assert words.say_next_chip(OPENING) == (
        "The next chip is of epoch I: forest is favorable (+1), mountain is unfavorable."
    )
    one = village("rb")
    assert words.say_next_chip(OPENING._replace(villages=(one,) * 11)) == (
        "The next chip is of epoch V: +5, whatever the terrain."
    )
    assert words.say_next_chip(OPENING._replace(villages=(one,) * 12)) == ""


@pytest.mark.usefixtures("two_languages")
def test_it_speaks_the_active_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are kept by language: who reads another one gets their own."""
    english = tell(step())
    catalog = trans_real.translation("de")
    monkeypatch.setattr(catalog, "gettext", lambda message: f"»{message}«")
    with translation.override("de"):
        assert tell(step()) == f"»{english}«"
    assert tell(step()) == english


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Friday table", "Friday table"),
        (" Friday\r\n\r\n  table\u2028\x85 ", "Friday table"),
        ("Fri\x00\x07\x1b[1mday\x7f\x9b", "Fri[1mday"),
        ("\u202eelbat\u202c \u2067x\u2069", "elbat x"),
        ("a\ufffe\uffff\ud800b", "ab"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("\x07", ""),
    ],
)
def test_it_writes_text_of_strangers_on_one_line(text: str, line: str) -> None:
    assert words.one_line(text) == line

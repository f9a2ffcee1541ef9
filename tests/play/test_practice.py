"""A practice game: a value that is kept outside, with one secret in it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from games import play, rules
from games.rules.versions import VERSIONS
from tests.chance import CHANCE

PERSON, COMPUTER = play.PERSON, play.COMPUTER


def any_move(practice: play.Practice, rng: random.Random) -> rules.Move:
    """A legal move of the person, with a founding order where one is needed."""
    return rules.random_step(practice.position, rng).move


def play_some(practice: play.Practice, *, moves: int = 60, seed: int = 1) -> play.Practice:
    """The game after so many moves of the person, or its end."""
    rng = random.Random(seed)
    for _move in range(moves):
        if practice.position.over:
            return practice
        practice = play.play_practice(practice, any_move(practice, rng), ply=practice.position.ply)
    return practice


def with_cards(practice: play.Practice, *cards: str) -> play.Practice:
    return play.read_practice(practice.as_data() | {"cards": list(cards)})


def test_it_begins_with_two_cards_and_the_person_to_move() -> None:
    for _time in range(8):
        practice = play.begin_practice()
        mine, hidden = practice.clans
        assert mine in rules.CLANS
        assert hidden == ""
        assert practice.position.to_move == PERSON
        assert len(practice.steps) == (practice.opening.first == COMPUTER)


def test_it_deals_differently_each_time() -> None:
    dealt = [play.begin_practice().as_data() for _time in range(12)]
    assert len({data["huts"] for data in dealt}) == 12
    assert len({tuple(data["cards"]) for data in dealt}) > 3
    assert {data["first"] for data in dealt} == {PERSON, COMPUTER}


def test_it_answers_each_move_and_shows_both_cards_at_the_end() -> None:
    practice = play.begin_practice()
    secret = practice.as_data()["cards"][COMPUTER]
    while not practice.position.over:
        assert practice.clans[COMPUTER] == ""
        assert practice.position.to_move == PERSON
        practice = play_some(practice, moves=1, seed=practice.position.ply)
    assert practice.clans[COMPUTER] == secret
    assert [step.ply for step in practice.steps] == list(range(len(practice.steps)))
    seats = [step.seat for step in practice.steps]
    assert all(one != other for one, other in pairwise(seats))


def test_it_is_kept_as_plain_data_of_bounded_size() -> None:
    practice = play_some(play.begin_practice())
    kept = json.dumps(practice.as_data())
    assert len(kept) < 2000
    assert play.read_practice(json.loads(kept)) == practice


def test_it_is_played_to_its_end_by_the_rules_that_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    later = replace(rules.STANDARD.version, number=rules.STANDARD.version.number + 1)
    monkeypatch.setitem(VERSIONS, later.number, later)
    assert play.read_practice(begun_by(later.number).as_data()).opening.ruleset.version is later
    first = play_some(begun_by(1), moves=3)
    old = {name: value for name, value in first.as_data().items() if name not in {"board", "rules"}}
    assert play.read_practice(old) == first


def begun_by(version: int) -> play.Practice:
    """A practice game that has begun by that version of the rules."""
    opening = replace(play.begin_practice().opening, ruleset=rules.find_ruleset("atlas-1", version))
    return play.Practice(opening, ("red", "blue"), tuple(rules.fold(opening, []))).answered()


def test_it_does_not_tell_its_cards_where_values_are_logged() -> None:
    practice = play.begin_practice()
    assert repr(with_cards(practice, "red", "blue")) == repr(with_cards(practice, "green", "yellow"))


def test_it_plays_the_same_move_for_the_same_ply_once() -> None:
    practice = play.begin_practice()
    move, ply = any_move(practice, random.Random(2)), practice.position.ply
    after = play.play_practice(practice, move, ply=ply)
    assert play.play_practice(after, move, ply=ply) is after


def test_it_refuses_a_move_for_another_ply() -> None:
    practice = play_some(play.begin_practice(), moves=2)
    move = any_move(practice, random.Random(3))
    for ply in (practice.position.ply - 1, practice.position.ply + 1):
        with pytest.raises(play.StaleMove):
            play.play_practice(practice, move, ply=ply)


def test_it_refuses_what_the_rules_refuse() -> None:
    practice = play.begin_practice()
    with pytest.raises(rules.IllegalMove, match="not neighbors"):
        play.play_practice(practice, rules.Move("A1", "L5"), ply=practice.position.ply)


def test_it_refuses_to_go_on_after_the_end() -> None:
    practice = play_some(play.begin_practice())
    with pytest.raises(play.GameNotRunning):
        play.play_practice(practice, rules.Move("A1", "A2"), ply=practice.position.ply)


def test_it_lets_the_computer_player_know_its_own_card_alone() -> None:
    """With the same chance it answers the same, whichever card the person holds; with another card it does not, but in
    some games the same move is best for all."""
    depends = [_depends_on_own_card(play_some(play.begin_practice(), moves=9)) for _game in range(6)]
    assert any(depends)


def _depends_on_own_card(practice: play.Practice) -> bool:
    move = any_move(practice, random.Random(4))
    answers: dict[tuple[str, str], rules.Move] = {}
    for computer in rules.CLANS:
        for person in rules.CLANS[:3]:
            if person != computer:
                CHANCE.restart()
                world = with_cards(practice, person, computer)
                answers[person, computer] = play.play_practice(world, move, ply=practice.position.ply).steps[-1].move
    for computer in rules.CLANS:
        assert len({answer for (_person, card), answer in answers.items() if card == computer}) == 1
    return len(set(answers.values())) > 1


GOOD = play.begin_practice().as_data()


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "practice",
        {},
        {**GOOD, "huts": "rbgyk"},
        {**GOOD, "huts": None},
        {**GOOD, "first": 2},
        {**GOOD, "cards": ["red"]},
        {**GOOD, "cards": ["red", "red"]},
        {**GOOD, "cards": ["red", "white"]},
        {**GOOD, "cards": ["red", "blue", "green"]},
        {**GOOD, "cards": [["red"], "blue"]},
        {**GOOD, "moves": ["A1-L5"]},
        {**GOOD, "moves": [7]},
        {**GOOD, "moves": ["x" * 5000]},
        {**GOOD, "first": COMPUTER, "moves": []},
        {key: value for key, value in GOOD.items() if key != "moves"},
    ],
)
def test_it_reads_nothing_that_is_no_practice_game(data: Any) -> None:
    with pytest.raises(ValueError):
        play.read_practice(data)


def test_it_cannot_be_read_while_the_computer_player_is_to_move() -> None:
    practice = play.begin_practice()
    half = replace(practice, steps=(*practice.steps, rules.random_step(practice.position, random.Random(5))))
    with pytest.raises(ValueError, match="not answered"):
        play.read_practice(half.as_data())

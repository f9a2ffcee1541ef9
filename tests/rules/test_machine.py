"""Hypothesis drives a game: any legal move, any founding order, any mistake, at any time."""

from random import Random

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.rules import (
    FIVE_CLANS,
    FoundingOrderError,
    IllegalMove,
    Move,
    Position,
    Step,
    fold,
    founding_orders,
    legal_moves,
    play,
    random_opening,
    random_step,
    set_up,
)
from tests.rules.invariants import all_pairs, check_huts, check_position, check_step, check_text

PAIRS = all_pairs()


class Game(RuleBasedStateMachine):
    """A game that shrinks to the shortest one that breaks a rule."""

    position: Position

    @initialize(seed=st.integers(0, 1000), seats=st.sampled_from([2, 3, 4]), five_clans=st.sampled_from(FIVE_CLANS))
    def open(self, seed: int, seats: int, five_clans: str) -> None:
        rng = Random(seed)
        self.opening = random_opening(rng, seats=seats, five_clans="score" if five_clans == "score" else "nothing")
        self.position = set_up(self.opening)
        self.steps: list[Step] = []

    @precondition(lambda self: not self.position.over)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        move = data.draw(st.sampled_from(legal_moves(self.position)))
        orders = founding_orders(self.position, move)
        if orders:
            with pytest.raises(FoundingOrderError):
                play(self.position, move)
            move = move._replace(order=data.draw(st.permutations(data.draw(st.sampled_from(orders))).map(tuple)))
        self._take(play(self.position, move))

    @precondition(lambda self: not self.position.over)
    @rule(seed=st.integers(0, 1000), plies=st.integers(5, 30))
    def move_on(self, seed: int, plies: int) -> None:
        rng = Random(seed)
        for _ in range(plies):
            if not self.position.over:
                self._take(random_step(self.position, rng))

    @rule(move=st.sampled_from(PAIRS))
    def mistake(self, move: Move) -> None:
        before = str(self.position)
        if move not in legal_moves(self.position):
            with pytest.raises(IllegalMove) as caught:
                play(self.position, move)
            assert str(caught.value) == caught.value.template % caught.value.params
        assert str(self.position) == before

    def _take(self, step: Step) -> None:
        check_step(self.position, step)
        self.steps.append(step)
        self.position = step.position

    @invariant()
    def holds(self) -> None:
        check_position(self.position)
        check_huts(self.position)

    def teardown(self) -> None:
        if self.steps:
            check_text(self.steps[-1])
            assert fold(self.opening, [step.move for step in self.steps]) == self.steps


Game.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestGame = Game.TestCase

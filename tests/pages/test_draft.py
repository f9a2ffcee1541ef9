"""A move that a player thinks about, read from the address of the page."""

from __future__ import annotations

import pytest

from games import rules
from games.pages.table.draft import Draft, read_draft
from tests.pages.helpers import moves_before_a_choice

OPENING = rules.set_up(rules.Opening("rbgyk" * 12, seats=3, first=0))
ORIGIN = "A1"
TARGETS = [rules.STANDARD.board.names[number] for number in rules.STANDARD.board.neighbors[0]]
ARROWS = ["->", " -> ", "→", " → ", "=>"]
FAR = next(name for name in reversed(rules.STANDARD.board.names) if name not in TARGETS)


def choice() -> tuple[rules.Position, rules.Move]:
    opening, moves, move = moves_before_a_choice()
    steps = rules.fold(opening, moves)
    return steps[-1].position, move


def test_it_is_empty_while_nothing_is_chosen() -> None:
    assert read_draft({}, OPENING) == Draft()


@pytest.mark.parametrize("chosen", [{"from": "A1"}, {"from": " a1 "}, {"move": "a1"}])
def test_it_lists_where_the_chosen_huts_can_go(chosen: dict[str, str]) -> None:
    draft = read_draft(chosen, OPENING)
    assert draft.origin == ORIGIN
    assert [step.move.target for step in draft.targets] == TARGETS
    assert not draft.is_complete


@pytest.mark.parametrize("between", ["", " ", "  ", "-", " - ", "–", " – ", "—", " to ", " TO ", *ARROWS])
def test_it_reads_what_people_write_between_origin_and_target(between: str) -> None:
    assert read_draft({"move": f"a1{between}{TARGETS[0]}"}, OPENING).text == f"A1-{TARGETS[0]}"


@pytest.mark.parametrize("written", ["A1--A2", "A1toA2", "A1 too A2", "A1A2A3", "A1 A2 A3", "A12", "AA12", "to A2"])
def test_it_guesses_no_move_of_anything_else(written: str) -> None:
    draft = read_draft({"move": written}, OPENING)
    assert not draft.is_complete
    assert draft.refusal


@pytest.mark.parametrize("chosen", [{"from": "a1", "to": TARGETS[0]}, {"move": f"A1-{TARGETS[0].lower()}"}])
def test_it_says_what_the_move_would_do(chosen: dict[str, str]) -> None:
    draft = read_draft(chosen, OPENING)
    assert draft.step is not None
    assert str(draft.step.move) == draft.text == f"A1-{TARGETS[0]}"
    assert draft.is_complete


@pytest.mark.parametrize("chosen", [{"move": "north"}, {"from": "Z9"}, {"from": "A1", "to": "Z9"}, {"move": "\x00"}])
def test_it_refuses_what_is_no_territory_or_move(chosen: dict[str, str]) -> None:
    draft = read_draft(chosen, OPENING)
    assert draft.refusal
    assert not draft.is_complete


def test_it_keeps_the_origin_when_the_target_is_refused() -> None:
    draft = read_draft({"from": "A1", "to": FAR}, OPENING)
    assert "not neighbors" in draft.refusal
    assert draft.origin == ORIGIN
    assert [step.move.target for step in draft.targets] == TARGETS


def test_it_says_why_nothing_can_move_out_of_a_territory() -> None:
    large = rules.Position.parse("seats=2 huts=A1:rrbbggy,A2:rr,A3:b,A4:g,A5:y")
    draft = read_draft({"from": "A1"}, large)
    assert "A1 holds 7 huts" in draft.refusal
    assert draft.origin == ""


def test_it_says_that_an_empty_territory_has_no_huts() -> None:
    position = rules.play(OPENING, rules.Move(ORIGIN, TARGETS[0])).position
    assert "A1 is empty" in read_draft({"from": "A1"}, position).refusal


def test_it_offers_every_founding_order_with_what_it_does() -> None:
    position, move = choice()
    draft = read_draft({"from": move.origin, "to": move.target}, position)
    orders = rules.founding_orders(position, move)
    assert [step.move.order for step in draft.orders] == list(orders)
    assert draft.step is None
    assert draft.is_complete


def test_it_knows_the_founding_order_that_was_chosen() -> None:
    position, move = choice()
    order = rules.founding_orders(position, move)[-1]
    draft = read_draft({"move": f"{move}={','.join(order)}"}, position)
    assert draft.step is not None
    assert draft.step.move.order == draft.order == order


def test_it_asks_again_after_a_founding_order_that_is_wrong() -> None:
    position, move = choice()
    draft = read_draft({"from": move.origin, "to": move.target, "order": move.origin}, position)
    assert draft.refusal
    assert draft.orders
    assert draft.step is None

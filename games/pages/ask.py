"""What is asked of a player whose turn it is: where to move from, where to, and whether to do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games import rules, words
from games.pages.draft import Draft
from games.pov import Pov, SeatPov


@dataclass(frozen=True, slots=True)
class TargetLine:
    """A territory to which the chosen huts could go, and what that would found."""

    url: str
    contents: str
    outcome: str
    move: str = ""
    """The move in notation; empty where a founding order must be chosen first."""


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A founding order to choose: as the form sends it, in words, and what it adds to the scores."""

    value: str
    text: str
    gain: str
    is_chosen: bool


def about_draft(seen: Pov, position: rules.Position, draft: Draft, *, contents: Sequence[str]) -> dict[str, object]:
    """What is asked next of a player who has chosen so far what `draft` holds; `contents` as `words.describe_board`."""
    return {
        "draft": draft,
        "origin": contents[rules.BOARD.index[draft.origin]] if draft.origin else "",
        "targets": target_lines(draft, contents),
        "orders": order_lines(draft, position),
        "plan": plan_sentences(draft, position, seen.seats, is_mine=seen.is_my_turn),
    }


def draft_url(origin: str, target: str = "") -> str:
    """The address of the table page with this draft."""
    return f"?from={origin}&to={target}" if target else f"?from={origin}"


def target_lines(draft: Draft, contents: Sequence[str]) -> list[TargetLine]:
    """Where the chosen huts could go."""
    return [
        TargetLine(
            url=draft_url(step.move.origin, step.move.target),
            contents=contents[rules.BOARD.index[step.move.target]],
            outcome=words.describe_plan(step) if step.villages else "",
            move="" if step.move.order else str(step.move),
        )
        for step in draft.targets
    ]


def order_lines(draft: Draft, position: rules.Position) -> list[OrderLine]:
    """The founding orders to choose from, with what each scores."""
    return [
        OrderLine(
            value=",".join(step.move.order),
            text=words.describe_order(step, isolated=draft.isolated),
            gain=words.describe_gain(position, step.position),
            is_chosen=step.move.order == draft.order,
        )
        for step in draft.orders
    ]


def plan_sentences(draft: Draft, position: rules.Position, seats: Sequence[SeatPov], *, is_mine: bool) -> list[str]:
    """What the complete draft would do; with the scoring explained when it is the reader's own turn."""
    if draft.orders:
        return [words.say_order_matters(draft.isolated, chips_left=position.chips_left)]
    if draft.step is None:
        return []
    villages = draft.step.villages if is_mine else ()
    return [words.describe_plan(draft.step), *(words.explain_village(village, seats) for village in villages)]


def last_sentences(seen: Pov) -> list[str]:
    """What the last move did, and how each village that it founded was scored."""
    if not seen.moves:
        return []
    villages = seen.moves[-1].step.villages
    explained = [words.explain_village(village, seen.seats) for village in villages]
    return [*words.describe_moves(seen.moves[-1:], seen.seats), *explained]

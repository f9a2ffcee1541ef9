"""What is asked of a player whose turn it is: where to move from, where to, and whether to do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from games import rules, words
from games.pages.table.draft import Draft
from games.pages.table.long_lists import ASKED
from games.pages.table.sentences import tell_moves
from games.pov import Pov, SeatPov


class Address(Protocol):
    """Where a page leads with an origin chosen, with origin and target, or with neither."""

    def __call__(self, origin: str = "", target: str = "") -> str: ...


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
    """A founding order to choose: what the form sends (or the address that selects it), the order in words, and what it
    adds to the scores."""

    value: str
    text: str
    gain: str
    is_chosen: bool


def draft_url(origin: str = "", target: str = "") -> str:
    """The address of the table page with this draft, on that page itself."""
    return f"?from={origin}&to={target}{ASKED}" if target else f"?from={origin}{ASKED}"


def order_value(move: rules.Move) -> str:
    """The founding order of a move as the form of a table sends it."""
    return ",".join(move.order)


def about_draft(
    pov: Pov,
    position: rules.Position,
    draft: Draft,
    *,
    contents: Sequence[str],
    url: Address = draft_url,
    value: Callable[[rules.Move], str] = order_value,
) -> dict[str, object]:
    """What a player is asked next, whose choices so far are `draft`; `contents` as `words.describe_board`, `url` and
    `value` as below."""
    return {
        "draft": draft,
        "origin": contents[position.ruleset.board.index[draft.origin]] if draft.origin else "",
        "targets": target_lines(draft, position, contents, url=url),
        "target_names": ", ".join(step.move.target for step in draft.targets),
        "orders": order_lines(draft, position, value=value),
        "question": words.ask_for_order(draft.isolated, chips_left=position.chips_left) if draft.orders else "",
        "plan": plan_sentences(draft, position, pov.seats, is_mine=pov.is_my_turn),
    }


def target_lines(draft: Draft, position: rules.Position, contents: Sequence[str], *, url: Address) -> list[TargetLine]:
    """Where the chosen huts could go, each leading to its `url`."""
    return [
        TargetLine(
            url=url(step.move.origin, step.move.target),
            contents=contents[step.position.ruleset.board.index[step.move.target]],
            outcome=_outcome(step, position),
            move="" if step.move.order else str(step.move),
        )
        for step in draft.targets
    ]


def _outcome(step: rules.Step, position: rules.Position) -> str:
    """What a target of a draft would found, and nothing of its first founding order where there are others."""
    if not step.move.order:
        return words.describe_plan(step) if step.villages else ""
    founded = {name for order in rules.founding_orders(position, step.move) for name in order}
    return words.say_order_matters(sorted(founded), chips_left=position.chips_left)


def order_lines(
    draft: Draft, position: rules.Position, *, value: Callable[[rules.Move], str] = order_value
) -> list[OrderLine]:
    """The founding orders to choose from, with what each scores; `value` gives that of each line."""
    return [
        OrderLine(
            value=value(step.move),
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


def last_sentences(pov: Pov) -> list[str]:
    """What the last move did, and how each village that it founded was scored."""
    if not pov.moves:
        return []
    villages = pov.moves[-1].step.villages
    explained = [words.explain_village(village, pov.seats) for village in villages]
    return [*tell_moves(pov.moves[-1:], pov.seats), *explained]

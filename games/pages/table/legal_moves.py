"""Every legal move as the options of a `<select>`, which needs neither script nor board: joined strings, because a
position has up to 300 of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules, words
from games.pages.table.draft import weigh


def list_legal_moves(position: rules.Position, contents: Sequence[str], *, chosen: str) -> SafeString:
    """The moves in notation, each with what stands at its target and what it would found, grouped by their origin.

    Where a founding order must be chosen, each order is a move of its own. `contents` says what there is in each
    territory, A1 first; the move `chosen` is selected.
    """
    founding, groups = rules.founding_origins(position), dict[str, list[str]]()
    for move in rules.legal_moves(position):
        lines = _founding_lines(move, position) if move.origin in founding else [(str(move), _say(move, position))]
        groups.setdefault(move.origin, []).extend(_option(value, text, chosen) for value, text in lines)
    index = position.ruleset.board.index
    return SafeString(
        "".join(
            f'<optgroup label="{escape(contents[index[origin]])}">{"".join(options)}</optgroup>'
            for origin, options in groups.items()
        )
    )


def _say(move: rules.Move, position: rules.Position) -> str:
    """A move, and what is at its target."""
    huts = words.count_huts(position.stack(move.target))
    return _("%(move)s: to %(huts)s") % {"move": f"{move.origin}-{move.target}", "huts": huts}


def _founding_lines(move: rules.Move, position: rules.Position) -> Iterator[tuple[str, str]]:
    """The value and the text of a move that may found villages, once for each founding order that can be chosen."""
    draft, text = weigh(move, position), _say(move, position)
    for step in (draft.step, *draft.orders):
        if step is not None:
            yield str(step.move), f"{text}. {words.describe_plan(step)}" if step.villages else text


def _option(value: str, text: str, chosen: str) -> str:
    return f'<option value="{value}"{" selected" if value == chosen else ""}>{escape(text)}</option>'

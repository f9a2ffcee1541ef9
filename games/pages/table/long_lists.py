"""The history of a game and the board as a list, as HTML: joined as strings. As loops of templates the 60 territories
and the 25 moves of a table in mid-game take 1.6 and 1.0 ms, a third of a page; here 0.05 ms each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, pgettext

from games import rules
from games.caching import cached

RECENT = 8
"""Moves of the history that are not folded away."""

CHOOSE = "?from="

ASKED: Final = "#ask"
"""Where a page says what is asked next, or why a draft is refused. Without script it opens there, so that the next Tab
goes on; with script no link to it is followed."""


def list_history(
    texts: Sequence[SafeString], hrefs: Iterable[str], beside: Sequence[tuple[int, SafeString]]
) -> tuple[SafeString, SafeString]:
    """A list item for each move, newest first: the last ones, and those before. `texts` say as markup what each did,
    oldest first; `hrefs` are where their numbers lead, if anywhere. What was done `beside` the moves comes after the
    moves that had been played by then."""
    items = list_moves(texts, hrefs, marks_last=bool(hrefs))
    for ply, text in reversed(beside):
        items.insert(min(ply, len(items)), f"<li><p>{text}</p></li>")
    items.reverse()
    shown = RECENT + sum(ply > len(texts) - RECENT for ply, _text in beside)
    return SafeString("".join(items[:shown])), SafeString("".join(items[shown:]))


def list_moves(
    texts: Sequence[SafeString], hrefs: Iterable[str] = (), *, first: int = 1, marks_last: bool = False
) -> list[str]:
    """A list item for each move, with its number from `first` on; the last one is told from the others if wished."""
    label = escape(pgettext("in a list", "Move %(ply)d"))
    numbers = range(first, first + len(texts))
    drawn = [f"<span>{ply}</span>" for ply in numbers]
    if hrefs:
        drawn = [
            f'<a href="{escape(href)}" aria-label="{label % {"ply": ply}}">{ply}</a>'
            for ply, href in zip(numbers, hrefs, strict=True)
        ]
    starts = ["<li>"] * len(drawn)
    if marks_last and starts:
        starts[-1:] = ['<li class="is-last">']
    return [f"{start}{number}<p>{text}</p></li>" for start, number, text in zip(starts, drawn, texts, strict=True)]


def list_territories(
    board: rules.Board,
    contents: Sequence[str],
    *,
    origins: frozenset[str] = frozenset(),
    link: str = CHOOSE,
    has_anchors: bool = False,
) -> SafeString:
    """The `board` as a list by region, from what there is in each territory; `origins` are links that choose them, to
    `link` and their name, at what is asked then. Where it `has_anchors`, the territories on the board lead to the lines
    of the list."""
    before = escape(link)
    starts = [f'<li id="{name}">' if has_anchors else "<li>" for name in board.names]
    lines = [
        f'{start}<a href="{before}{name}{ASKED}">{escape(text)}</a> {beside}</li>'
        if name in origins
        else f"{start}{escape(text)} {beside}</li>"
        for start, name, text, beside in zip(starts, board.names, contents, _neighbors(board), strict=True)
    ]
    title = _("Region %(letter)s")
    regions = [lines[start : start + rules.REGION_SIZE] for start in range(0, len(lines), rules.REGION_SIZE)]
    letters = board.regions[:: rules.REGION_SIZE]
    return SafeString(
        "".join(
            f"<h3>{title % {'letter': letter}}</h3><ul>{''.join(region)}</ul>"
            for letter, region in zip(letters, regions, strict=True)
        )
    )


@cached(most=8)
def _neighbors(board: rules.Board) -> tuple[str, ...]:
    """The neighbors of each territory, A1 first."""
    beside = _("beside %(names)s")
    around = (", ".join(board.neighbors_of(name)) for name in board.names)
    return tuple(f"<small>{beside % {'names': names}}</small>" for names in around)

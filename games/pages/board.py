"""The board of a table: the drawing, with a link on each territory that can be chosen next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext as _

from games import rules
from games.pages.ask import draft_url
from games.pages.draft import Draft
from games.pages.drawing import Link, draw_board
from games.pov import MovePov, Pov

CROWD = 24
"""From so many origins on, nearly everything can move: rings would be noise."""


def draw_table(
    seen: Pov, position: rules.Position, draft: Draft, *, contents: tuple[str, ...], missed: Sequence[MovePov] = ()
) -> SafeString:
    """The board as the viewer may play on it. `contents` says what there is in each territory, A1 first; of the moves
    that the viewer has `missed` each has its arrow."""
    moves = missed or seen.moves[-1:]
    steps = tuple(move.step for move in moves) if draft.step is None else (draft.step,)
    return _drawn(get_language() or "", seen.slug, position, contents, steps, draft, seen.is_my_turn)


def draw_ply(seen: Pov, position: rules.Position, *, contents: tuple[str, ...]) -> SafeString:
    """The board as it stood, to look at."""
    steps = tuple(move.step for move in seen.moves[-1:])
    return _drawn(get_language() or "", seen.slug, position, contents, steps, Draft(), False)


@lru_cache(maxsize=128)
def _drawn(
    _language: str,
    slug: str,
    position: rules.Position,
    contents: tuple[str, ...],
    steps: tuple[rules.Step, ...],
    draft: Draft,
    is_my_turn: bool,
) -> SafeString:
    """The board, drawn once for all who may see the same: it is made of what all may know, and kept by it."""
    moves = rules.legal_moves(position) if is_my_turn else []
    origins = {move.origin for move in moves} if not draft.origin else set()
    targets = {move.target for move in moves if move.origin == draft.origin} if not draft.target else set()
    step = draft.step
    return draw_board(
        position,
        title=_("The board"),
        describe=lambda _position, name: contents[rules.BOARD.index[name]],
        links=choices(draft, moves, contents, slug=slug),
        last=steps[-1] if steps else None,
        steps=steps if len(steps) > 1 else (),
        chosen=draft.origin or None,
        origins=sorted(origins) if len(origins) < CROWD else (),
        targets=sorted(targets),
        founding=[village.territory for village in step.villages] if step else draft.isolated,
    )


def choices(draft: Draft, moves: Sequence[rules.Move], contents: Sequence[str], *, slug: str) -> Mapping[str, Link]:
    """What each territory leads to: choosing it as origin, the chosen origin letting go, its targets the preview.

    Links end in #board, so that without script the page opens where one was.
    """
    if not moves:
        return {}
    words_of = dict(zip(rules.BOARD.names, contents, strict=True))
    links = {move.origin: Link(f"{draft_url(move.origin)}#board", words_of[move.origin]) for move in moves}
    if draft.origin:
        links[draft.origin] = Link(
            reverse("table", args=(slug,)) + "#board", _("Let go of %(huts)s") % {"huts": words_of[draft.origin]}
        )
    for move in moves:
        if move.origin == draft.origin:
            label = _("To %(target)s") % {"target": words_of[move.target]}
            links[move.target] = Link(f"{draft_url(move.origin, move.target)}#board", label)
    return links

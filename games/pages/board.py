"""The board of a table: the drawing, with a link on each territory that can be chosen next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext as _

from games import rules
from games.drawing import Link, draw_board
from games.drawing.outlines import outlines
from games.pages.ask import Address, draft_url
from games.pages.draft import Draft
from games.pov import MovePov, Pov

CROWD = 24
"""From so many origins on, nearly everything can move: rings would be noise."""


def draw_table(
    seen: Pov,
    position: rules.Position,
    draft: Draft,
    *,
    contents: tuple[str, ...],
    missed: Sequence[MovePov] = (),
    one_tap: bool = False,
) -> SafeString:
    """The board as the viewer may play on it. `contents` says what there is in each territory, A1 first; of the moves
    that the viewer has `missed` each has its arrow; with `one_tap` the targets play at once."""
    moves = missed or seen.moves[-1:]
    steps = tuple(move.step for move in moves) if draft.step is None else (draft.step,)
    drawn = _drawn(get_language() or "", seen.slug, position, contents, steps, draft, seen.is_my_turn)
    strikes = one_tap and seen.is_my_turn and not draft.target
    return _add(drawn, _asked(draft), _strikes(draft) if strikes else "")


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
    """The board, kept by what it is drawn from. That is public, so readers who see the same may share one drawing."""
    return draw_draft(
        position,
        draft,
        rules.legal_moves(position) if is_my_turn else [],
        contents=contents,
        url=_url_at(slug),
        last=steps[-1] if steps else None,
        steps=steps if len(steps) > 1 else (),
    )


def _url_at(slug: str) -> Address:
    """The addresses of drafts at a table."""

    def url(origin: str = "", target: str = "") -> str:
        return draft_url(origin, target) if origin else reverse("table", args=(slug,))

    return url


def draw_draft(
    position: rules.Position,
    draft: Draft,
    moves: Sequence[rules.Move],
    *,
    contents: Sequence[str],
    url: Address,
    last: rules.Step | None,
    steps: Sequence[rules.Step],
) -> SafeString:
    """The board with what has been chosen of the next move, and links (to `url`) to what may be chosen of `moves`.
    `last` and `steps` are the arrows, as `draw_board` takes them."""
    origins = {move.origin for move in moves} if not draft.origin else set()
    targets = {move.target for move in moves if move.origin == draft.origin} if not draft.target else set()
    step = draft.step
    return draw_board(
        position,
        title=_("The board"),
        describe=lambda _position, name: contents[rules.BOARD.index[name]],
        links=choices(draft, moves, contents, url=url),
        last=last,
        steps=steps,
        chosen=draft.origin or None,
        origins=sorted(origins) if len(origins) < CROWD else (),
        targets=sorted(targets),
        founding=[village.territory for village in step.villages] if step else draft.isolated,
    )


def _add(drawn: SafeString, *parts: str) -> SafeString:
    """The drawing with further parts on top."""
    added = "".join(parts)
    return SafeString(f"{drawn.removesuffix('</svg>')}{added}</svg>") if added else drawn


def _asked(draft: Draft) -> str:
    """On each village that the founding order is about its place in it, or a question mark while it has none."""
    return "".join(_sign(name, draft.order.index(name) + 1 if name in draft.order else "?") for name in draft.isolated)


def _sign(name: str, sign: int | str) -> str:
    land = outlines().territories[name]
    (x, y), radius = land.huts, land.radius
    at, kind = f"translate({x + radius * 0.7:g} {y - radius * 0.7:g})", " is-taken" if sign != "?" else ""
    return f'<g class="mark-asked{kind}" transform="{at}"><circle r="19"/><text y="10">{sign}</text></g>'


def _strikes(draft: Draft) -> str:
    """A button on the huts of each target that plays the move, where no founding order is to be chosen first; it
    belongs to the form of the list of targets."""
    return "".join(_strike(step.move) for step in draft.targets if not step.move.order)


def _strike(move: rules.Move) -> str:
    land = outlines().territories[move.target]
    (x, y), radius, label = land.huts, land.radius, _("Move %(move)s") % {"move": move}
    return (
        f'<foreignObject x="{x - radius}" y="{y - radius}" width="{2 * radius}" height="{2 * radius}">'
        f'<button class="strike" form="strike" name="move" value="{move}" aria-label="{label}"></button>'
        "</foreignObject>"
    )


def choices(draft: Draft, moves: Sequence[rules.Move], contents: Sequence[str], *, url: Address) -> Mapping[str, Link]:
    """What each territory leads to: choosing it as origin, the chosen origin letting go, its targets the preview.

    Links end in #board, so that without script the page opens where one was.
    """
    if not moves:
        return {}
    words_of = dict(zip(rules.BOARD.names, contents, strict=True))
    links = {move.origin: Link(f"{url(move.origin)}#board", words_of[move.origin]) for move in moves}
    if draft.origin:
        links[draft.origin] = Link(f"{url()}#board", _("Let go of %(huts)s") % {"huts": words_of[draft.origin]})
    for move in moves:
        if move.origin == draft.origin:
            label = _("To %(target)s") % {"target": words_of[move.target]}
            links[move.target] = Link(f"{url(move.origin, move.target)}#board", label)
    return links

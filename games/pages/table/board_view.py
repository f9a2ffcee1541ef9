"""The board of a table: the drawing, with a link on each territory that can be chosen next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules, words
from games.drawing import CHIP, BoardButton, BoardLink, draw_board, initials
from games.pages.access import table_url
from games.pages.table.choices import Address, draft_url
from games.pages.table.draft import NOTHING_CHOSEN, Draft
from games.pov import MovePov, Pov

CROWD = 24
"""With so many origins or more, nearly everything can move, and rings around them would be noise."""


def draw_table(
    pov: Pov,
    position: rules.Position,
    draft: Draft = NOTHING_CHOSEN,
    *,
    contents: tuple[str, ...],
    missed: Sequence[MovePov] = (),
    one_tap: bool = False,
    page: str = "",
    is_past: bool = False,
) -> SafeString:
    """The board as the viewer may play on it, or look at it; at a ply that `is_past` only that. `contents` says what
    there is in each territory, A1 first; of the moves that the viewer has `missed` each has its arrow; with `one_tap`
    the targets play at once. `page` is the address that it stands at, if not at the table's."""
    steps = tuple(move.step for move in missed or pov.moves[-1:]) if draft.step is None else (draft.step,)
    may_move = pov.is_my_turn and not is_past
    return draw_draft(
        position,
        draft,
        rules.legal_moves(position) if may_move else [],
        contents=contents,
        details=() if may_move else contents,
        url=_url_at(page or table_url(pov.slug)),
        last=steps[-1] if steps else None,
        steps=steps if len(steps) > 1 else (),
        order_signs=_signs(draft),
        buttons=_buttons(draft) if one_tap and may_move and not draft.target else (),
        seals=initials(seat.name for seat in pov.seats),
    )


def lead_to_list(name: str) -> str:
    """Where a territory stands in the board as a list."""
    return f"#{name}"


def _url_at(page: str) -> Address:
    """The addresses of drafts on a page."""

    def url(origin: str = "", target: str = "") -> str:
        return draft_url(origin, target) if origin else page

    return url


def draw_draft(
    position: rules.Position,
    draft: Draft,
    moves: Sequence[rules.Move],
    *,
    contents: Sequence[str],
    details: Sequence[str],
    url: Address,
    other_url: Callable[[str], str] = lead_to_list,
    last: rules.Step | None,
    steps: Sequence[rules.Step],
    order_signs: Mapping[str, str] | None = None,
    buttons: Sequence[BoardButton] = (),
    seals: Sequence[str],
) -> SafeString:
    """The board with what has been chosen of the next move, and links (to `url`) to what may be chosen of `moves`. All
    others lead to their `other_url`, if `details` has anything about them. `last`, `steps`, `order_signs` and `buttons`
    are as `draw_board` takes them; `seals` are the initials of the seats."""
    origins = {move.origin for move in moves} if not draft.origin else set()
    targets = {move.target for move in moves if move.origin == draft.origin} if not draft.target else set()
    step, board = draft.step, position.ruleset.board
    standing = {name for name in board.names if position.huts(name)} | {v.territory for v in position.villages}
    links = {name: BoardLink(other_url(name), text) for name, text in zip(board.names, details, strict=False)}
    return draw_board(
        position,
        title=_("The board"),
        # Empty land is seen to be empty, and the list says so.
        describe=lambda _position, name: contents[board.index[name]] if name in standing else "",
        links=links | choices(draft, moves, dict(zip(board.names, contents, strict=True)), url=url),
        last=last,
        steps=steps,
        chosen=draft.origin or None,
        origins=sorted(origins) if len(origins) < CROWD else (),
        targets=sorted(targets),
        founding=[village.territory for village in step.villages] if step else draft.isolated,
        order_signs=order_signs,
        buttons=buttons,
        initials=seals,
    )


def _signs(draft: Draft) -> dict[str, str]:
    """On each village that the founding order is about its place in it, or the chip if there is only one; a question
    mark on all while none is chosen."""
    if not draft.order:
        return dict.fromkeys(draft.isolated, "?")
    return dict(zip(draft.order, words.name_places() if len(draft.order) > 1 else [CHIP], strict=False))


def _buttons(draft: Draft) -> list[BoardButton]:
    """One for each target where no founding order is to be chosen first; they belong to the form of the list of
    targets."""
    moves = [step.move for step in draft.targets if not step.move.order]
    return [BoardButton(move, _("Move %(move)s") % {"move": move}) for move in moves]


def choices(
    draft: Draft, moves: Sequence[rules.Move], words_of: Mapping[str, str], *, url: Address
) -> dict[str, BoardLink]:
    """Where the link of each territory leads: an origin to its choice, the chosen origin back, its targets to the
    preview.

    Without script the page opens where it says what is asked next; whoever lets go is on the board again.
    """
    if not moves:
        return {}
    origins = {move.origin for move in moves}
    links = {origin: BoardLink(url(origin), words_of[origin]) for origin in origins}
    if draft.origin:
        links[draft.origin] = BoardLink(f"{url()}#board", words.say_cancel(words_of[draft.origin]))
    for move in moves:
        if move.origin == draft.origin:
            label = words.say_to(words_of[move.target])
            links[move.target] = BoardLink(url(move.origin, move.target), label)
    return links

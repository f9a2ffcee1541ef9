"""Trying it out: moves for all sides from any position that one may see.

The line stands in the address: nothing is stored. The game is read as a visitor sees it, so no secret can be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules, words
from games.drawing import initials
from games.models import Game, Player
from games.pages.access import look_at, viewer_of
from games.pages.replay.line import Line, join_moves, read_line
from games.pages.table import board_view, choices, side
from games.pages.table.draft import NOTHING_CHOSEN, Draft, read_draft
from games.pages.table.long_lists import ASKED, list_moves, list_territories
from games.pov import Pov

MOST_ARROWS = 5
"""How many moves of a line are drawn as numbered arrows; of a longer line only the last move is drawn."""


@require_safe
def try_out(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The game at `ply` with the moves of `?line=C4-D1,D1-E2` played on; `from`, `to`, `order` and `move` as at the
    table. The same for everybody, except the link with which players of the game take the first move to the table."""
    game, pov, start = look_at(slug, ply, viewer=None)
    line, draft = read_trial(request.GET, start)
    trial = Trial(reverse("try_out", args=(slug, ply)), line, draft, pov)
    about = {
        "pov": pov,
        "trial": trial,
        "written": line.unread or (request.GET.get("move", "") if draft.refusal else ""),
        "link": request.build_absolute_uri(trial.here) + (f"?line={line.text}" if line.steps else ""),
        "to_table": _to_table(game, line, viewer_of(request)) if pov.is_running and pov.is_now else "",
        **trial.about_draft(),
        **trial.about_position(),
    }
    return render(request, "games/try_out.html", about)


def read_trial(data: Mapping[str, str], start: rules.Position) -> tuple[Line, Draft]:
    """The line of an address with what was added to it, and what has been chosen of the next move."""
    text, added = data.get("line", ""), data.get("move", "").strip()
    chosen = data
    if added.upper() in start.ruleset.board.index:
        added, chosen = "", {"from": added}
    line = read_line(text, start, added=added)
    if line.draft.orders:
        return line, line.draft
    draft = read_draft({key: chosen.get(key, "") for key in ("from", "to", "order")}, line.position)
    if draft.step is None:
        return line, draft
    return replace(line, steps=(*line.steps, draft.step)), NOTHING_CHOSEN


def _to_table(game: Game, line: Line, viewer: Player | None) -> str:
    """The address of the table with the first move of the line as a draft, for those who play there."""
    if viewer is None or not line.steps or not game.seats.filter(player=viewer, is_bot=False).exists():
        return ""
    move = line.steps[0].move
    order = f"&order={','.join(move.order)}" if move.order else ""
    return f"{game.get_absolute_url()}?from={move.origin}&to={move.target}{order}"


@dataclass(frozen=True, slots=True)
class Trial:
    """A line and what has been chosen of its next move, in words and links of the page at `here`."""

    here: str
    line: Line
    draft: Draft
    pov: Pov

    @property
    def refusal(self) -> str:
        return self.draft.refusal or self.line.refusal

    @property
    def turn(self) -> str:
        """Whose move it would be."""
        position = self.line.position
        if position.over:
            return _("The game would be over here.")
        return _("%(name)s would be to move.") % {"name": self.pov.seats[position.to_move].name}

    @property
    def last(self) -> list[str]:
        """What the last move of the line would do, with the scoring explained."""
        last = self.line.steps[-1:]
        explained = [words.explain_village(village, self.pov.seats) for step in last for village in step.villages]
        return [*map(self._say, last), *explained]

    @property
    def gain(self) -> str:
        """What the whole line would add to the scores."""
        return words.describe_gain(self.line.start, self.line.position)

    @property
    def moves(self) -> SafeString:
        """One list item for each move of the line, each leading to the line that ends with it."""
        steps = self.line.steps
        texts = [escape(self._say(step)) for step in steps]
        hrefs = [self._url_of(join_moves(steps[:number])) for number in range(1, len(steps) + 1)]
        return SafeString("".join(list_moves(texts, hrefs, first=self.pov.ply + 1)))

    @property
    def without_last(self) -> str:
        """Where taking back the last move leads."""
        return self._url_of(join_moves(self.line.steps[:-1]))

    @property
    def without_choice(self) -> str:
        """Where undoing the choice leads."""
        return self._url_of(self.line.text)

    def about_draft(self) -> dict[str, object]:
        """What is asked next, and the board as the line leaves it, drawn and as a list, with links to what may be
        chosen."""
        position, steps, draft = self.line.position, self.line.steps, self.draft
        contents = words.describe_board(position, self.pov.seats)
        details = words.tell_board(position, self.pov.seats, [*(move.step for move in self.pov.moves), *steps])
        legal = rules.legal_moves(position)
        return {
            "board": board_view.draw_draft(
                position,
                draft,
                legal,
                contents=contents,
                details=details,
                url=self._url,
                other_url=self._url_of_other,
                last=steps[-1] if steps else None,
                steps=steps if len(steps) <= MOST_ARROWS else (),
                seals=initials(seat.name for seat in self.pov.seats),
            ),
            "territories": list_territories(
                self.pov.ruleset.board,
                details,
                origins=frozenset(move.origin for move in legal),
                link=self._url_of(self.line.text, "from="),
                has_anchors=True,
            ),
            **choices.about_draft(self.pov, position, draft, contents=contents, url=self._url, value=self._url_with),
        }

    def about_position(self) -> dict[str, object]:
        """Seats, epochs and scores as the line leaves them; beside its moves those of the game are not shown."""
        position = self.line.position
        seats = [replace(seat, chips=chips) for seat, chips in zip(self.pov.seats, position.chips, strict=True)]
        return {
            "seats": side.seat_rows(seats, to_move=None if position.over else position.to_move),
            "rules_version": position.ruleset.version,
            "chips_left": position.chips_left,
            **side.about_scores(position),
            "recent": "",
            "earlier": "",
        }

    def _say(self, step: rules.Step) -> str:
        """A move and what it would found: `bob: C4-D1. This founds D1 (6 points for red and black).`"""
        said = _("%(name)s: %(move)s.") % {"name": self.pov.seats[step.seat].name, "move": step.move}
        return f"{said} {words.describe_plan(step)}" if step.villages else said

    def _url(self, origin: str = "", target: str = "") -> str:
        """Where choosing leads: a complete move to the line with it, anything less to the line with what is chosen."""
        if not target:
            return self._url_of(self.line.text, f"from={origin}") + ASKED if origin else self.without_choice
        move = rules.Move(origin, target)
        if rules.founding_orders(self.line.position, move):
            return self._url_of(self.line.text, f"from={origin}&to={target}") + ASKED
        return self._url_with(move)

    def _url_of_other(self, name: str) -> str:
        """Where a territory to which nothing can move leads: once an origin is chosen, to the reason."""
        if not self.draft.origin:
            return board_view.lead_to_list(name)
        return self._url_of(self.line.text, f"from={self.draft.origin}&to={name}") + ASKED

    def _url_with(self, move: rules.Move) -> str:
        """The address of the line with one more move."""
        return self._url_of(",".join(filter(None, (self.line.text, str(move))))) + ASKED

    def _url_of(self, line: str, chosen: str = "") -> str:
        """The address of the line with this text and what is chosen after it."""
        query = "&".join(filter(None, (line and f"line={line}", chosen)))
        return f"?{query}" if query else self.here

"""A whole game that is over as one HTML file to keep, which needs neither this site nor a script.

The ground is drawn once and used by all boards of the file (`games.drawing.keepsake`). So a game of 50 moves has
670 kB, 130 kB as proxies send it, and costs about 50 ms of CPU.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules, words
from games.drawing import board_style, define_map, draw_on_map, initials
from games.limits import KEEPSAKES
from games.models import Game, Postcard
from games.pages.access import Missing, game_of, may_see_pictures
from games.pages.counting import refused
from games.pages.replies import TOO_OFTEN
from games.pages.table import notebook, side
from games.pov import Pov, look, may_read_talk, read_all_talk, record_of
from games.words.proof import check_deal
from games.words.times import moment_by_day
from games.words.zone import zone_here

MOST_POSTCARDS: Final = 1000
"""If more was said, the last ones."""


class Remark(NamedTuple):
    """What was done besides moving, or what was said, by `who`."""

    at: datetime
    who: str
    text: str


@require_safe
def keepsake(request: HttpRequest, slug: str) -> HttpResponse:
    """The file, in the reader's language and time. 404 before the end, and to strangers for a table that is open by
    link only.

    It can be handed on, so all readers get the same: what a visitor may see, and the talk that everybody may read.
    """
    game = game_of(slug)
    if not (game.is_over and may_see_pictures(request, game)):
        raise Missing(_("There are keepsakes of public games that are over."))
    if refused(KEEPSAKES, request):
        return render(request, "429.html", status=TOO_OFTEN)
    headers = {"Content-Disposition": f'attachment; filename="clans-{slug}.html"'}
    return HttpResponse(_write(game), headers=headers)


def _write(game: Game) -> str:
    """The text of the file of a `game` that is over. At most 5 queries."""
    pov = look(game, viewer=None)
    if not (pov.is_over and pov.opening and pov.position):
        raise ValueError(f"{pov.slug} is not over")
    beside = _beside(game, pov)
    checks = check_deal(pov, pov.opening)
    about = {
        "pov": pov,
        "end": words.say_end(pov),
        "ended": _say_when(pov.ended_at if pov.has_end_time else None),
        "started": _say_when(pov.started_at if pov.has_times else None),
        "style": board_style(pov.ruleset.board),
        "map": define_map(pov.ruleset.board, initials=initials(seat.name for seat in pov.seats)),
        "board": _draw(pov.position, pov.last_step),
        "opening": {"ply": 0, "board": _draw(rules.set_up(pov.opening)), "beside": beside[0]},
        "plies": list(_ply_pages(pov, beside)),
        "leaves_out_talk": not may_read_talk(game.talk, is_player=False, is_public=game.is_public, is_over=True),
        "sheets": notebook.reveal(game, pov),
        "checks": checks,
        "holds": all(check.holds for check in checks),
        "record": json.dumps(record_of(pov), ensure_ascii=False),
        **side.about_end(pov),
    }
    return render_to_string("games/keepsake.html", about)


def _ply_pages(pov: Pov, beside: Mapping[int, Sequence[Remark]]) -> Iterator[dict[str, object]]:
    """Each move: what it did, when, the board after it, and what was done and said then."""
    for move, sentence in zip(pov.moves, words.describe_moves(pov.moves, pov.seats), strict=True):
        step = move.step
        explained = [words.explain_village(village, pov.seats) for village in step.villages]
        yield {
            "ply": step.ply + 1,
            "sentences": [sentence, *explained],
            "when": _say_when(move.at if pov.has_times else None),
            "board": _draw(step.position, step),
            "beside": beside[step.ply + 1],
        }


def _beside(game: Game, pov: Pov) -> Mapping[int, Sequence[Remark]]:
    """What was done and said when so many moves had been played, in its order."""
    found: defaultdict[int, list[Remark]] = defaultdict(list)
    for event in pov.events:
        found[event.ply].append(Remark(event.at, "", words.describe_event(event, pov.seats)))
    for card in read_all_talk(game, pov, viewer=None, before=0, most=MOST_POSTCARDS):
        if card.state == Postcard.State.SHOWN:
            found[card.about or card.ply].append(Remark(card.at, card.name, card.text))
    for asides in found.values():
        asides.sort(key=attrgetter("at"))
    return found


def _draw(position: rules.Position, last: rules.Step | None = None) -> SafeString:
    title = _("The board after move %(ply)d") % {"ply": position.ply} if position.ply else _("The opening")
    return draw_on_map(position, title=title, last=last)


def _say_when(moment: datetime | None) -> str:
    return moment_by_day(moment, now=datetime.now(UTC), zone=zone_here()).exact if moment else ""

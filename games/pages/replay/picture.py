"""The board and the result of a game that is over as pictures, and what a page tells those who preview its link."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from http import HTTPStatus
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules, words
from games.drawing import initials, png
from games.pages.access import Missing, game_of, look_at, may_see_pictures, ply_url, table_url
from games.pov import Pov, as_seen_then, look
from games.words.summary import say_picture
from games.words.times import name_days

FOREVER = "public, max-age=31536000, immutable"
PREVIEW = "games/preview.png"
"""Some game, for tables that have nothing to show yet; `python -m tools.preview` draws it."""


@require_safe
def picture(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The board of a public game when `ply` moves had been played; of a running game only the present one, 404 for
    earlier plies: nobody may cause the drawing of all plies by sending links to them.

    What a game that is over shows never changes, so it may be cached for ever; a last move may be taken back. Drawn
    once, then a file; 503 while others are drawn.
    """
    game, pov, position = look_at(slug, ply, viewer=None)
    if not (game.is_public and (game.is_over or pov.is_now)):
        raise Missing(_("There are pictures of public games that are over, and of others as they stand."))
    # Who sat there then: a page of a viewpoint offers this picture, too.
    seats = as_seen_then(pov, seat=None).seats if pov.is_over else pov.seats
    drawing = png.draw_layers(position, last=pov.last_step, initials=initials(seat.name for seat in seats))
    cache = FOREVER if game.is_over else "public, max-age=60"
    return _respond(request, drawing, f"{drawing.digest}.png", cache=cache)


@require_safe
def result(request: HttpRequest, slug: str) -> HttpResponse:
    """The result of a game that is over: board, cards, totals, and how the points grew. 404 before, and to strangers
    for a table that is open by link only.

    It names people, so it is cached for a day, and its file goes with the account of any of them.
    """
    game = game_of(slug)
    if not (game.is_over and may_see_pictures(request, game)):
        raise Missing(_("There are pictures of public games that are over."))
    cache = f"{'public' if game.is_public else 'private'}, max-age=86400"
    drawing = _draw_result(look(game, viewer=None))
    answer = _respond(request, drawing, png.result_name(slug, drawing.digest), cache=cache)
    answer.headers["Content-Disposition"] = f'inline; filename="clans-{slug}.png"'
    return answer


def _draw_result(pov: Pov) -> png.Drawing:
    """The result to draw. A name that the font cannot write is replaced by the number of the seat."""
    in_order = sorted(pov.seats, key=lambda seat: (seat.rank or 0, seat.number))
    named = {
        seat.number: seat.name if png.can_write(seat.name) else _("Seat %(number)d") % {"number": seat.number + 1}
        for seat in pov.seats
    }
    seats = tuple(replace(seat, name=named[seat.number]) for seat in pov.seats)
    if pov.opening is None or pov.ended_at is None:
        raise ValueError(f"{pov.slug} is not over")
    day = pov.ended_at.astimezone(UTC).date()
    ended = [name_days(day, day)] if pov.has_end_time else []
    foot = (_("Clans by mail"), *ended, words.count_moves(pov.last_ply))
    return png.draw_result(
        [move.step for move in pov.moves],
        rules.set_up(pov.opening),
        seats=[
            png.ResultSeat(
                number=seat.number,
                name=named[seat.number],
                clan=seat.clan,
                score=seat.score or 0,
                chips=seat.chips,
                total=seat.total,
                has_won=seat.has_won,
            )
            for seat in in_order
        ],
        title=pov.name if png.can_write(pov.name) else _("A game of Clans"),
        verdict=words.say_result(replace(pov, seats=seats)),
        foot=" · ".join(foot),
        initials=initials(seat.name for seat in pov.seats),
    )


def _respond(request: HttpRequest, drawing: png.Drawing, name: str, *, cache: str) -> HttpResponse:
    """The drawing as PNG, drawn once and then a file of that name; 503 while others are drawn."""
    headers = {"ETag": f'"{drawing.digest}"', "Cache-Control": cache}
    unchanged = get_conditional_response(request, etag=headers["ETag"])
    if unchanged is not None:
        return HttpResponseNotModified(headers=headers)
    try:
        content = png.cached_picture(name, lambda: _draw(drawing))
    except png.BusyError:
        return HttpResponse(
            status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "2", "Cache-Control": "no-store"}
        )
    return HttpResponse(content, content_type="image/png", headers=headers)


def _draw(drawing: png.Drawing) -> bytes:
    with png.drawing_slot():
        return png.draw_png(drawing)


class Preview(NamedTuple):
    """What a page tells programs that preview links to it (Open Graph, Twitter); the addresses are absolute."""

    title: str
    description: str
    url: str
    image: str
    alt: str
    width: int
    height: int


def link_preview(pov: Pov, viewpoint: str = "", url: str = "") -> Preview:
    """The preview of a table, of a ply before the last one, or of a `viewpoint`, which has a title and a `url` of its
    own. A finished game shows its result on its own page alone, so that a move which is shared tells nothing of what
    came later. While a game runs, every link shows the board as it stands; some other game is shown before the start,
    and of a table by link only."""
    table, is_whole = table_url(pov.slug), pov.is_now and not viewpoint
    names = words.join_words([seat.name for seat in pov.seats])
    sentences = [_("A game of Clans: %(names)s.") % {"names": names}, *([] if is_whole else words.tell_ply(pov))]
    return Preview(
        title=viewpoint or pov.name,
        description=" ".join(sentences),
        url=url if viewpoint else _absolute(table if is_whole else ply_url(pov.slug, pov.ply)),
        **_picture_of(pov, table, is_whole=is_whole)._asdict(),
    )


class _Picture(NamedTuple):
    image: str
    alt: str
    width: int = png.WIDTH
    height: int = png.HEIGHT


def _picture_of(pov: Pov, table: str, *, is_whole: bool) -> _Picture:
    if pov.is_public and pov.is_over and not is_whole:
        return _Picture(_absolute(f"{table}ply/{pov.ply}.png"), say_picture(pov.ply))
    if pov.is_public and pov.is_over:
        image = _absolute(f"{table}result.png")
        return _Picture(image, _say_result_picture(pov), png.RESULT_WIDTH, png.RESULT_HEIGHT)
    if pov.is_public and pov.is_running:
        return _Picture(_absolute(f"{table}ply/{pov.last_ply}.png"), say_picture(pov.last_ply))
    return _Picture(_absolute(static(PREVIEW)), _("The board of a game of Clans: a map with huts in five colors"))


def _say_result_picture(pov: Pov) -> str:
    return _("The board after move %(ply)d, and the result: %(result)s") % {
        "ply": pov.last_ply,
        "result": words.say_result(replace(pov, seats=tuple(replace(seat, is_mine=False) for seat in pov.seats))),
    }


def _absolute(path: str) -> str:
    return settings.SITE_URL + path

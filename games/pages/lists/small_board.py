"""The small board beside the name of a table: its address in lists, and the picture itself."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from games import words
from games.drawing import SMALL_STYLE_HASHES, draw_small, map_file
from games.models import Game
from games.pages.access import game_of, may_see_pictures, no_table, not_so_far, table_url
from games.pages.lists.summaries import TableSummary
from games.pov import Pov, position_at

AGE: Final = "max-age=31536000, immutable"


@require_safe
def small_board(request: HttpRequest, slug: str, edition: int, ply: int) -> HttpResponse:
    """The board when `ply` moves of this `edition` had been played; 404 for what was not played, and to strangers for a
    table that is open by link only. `?white` is for readers whose fifth clan is white, `?names` for pages that show it
    large.

    Such a position never changes, so the answer may be cached for ever. It shows only the position.
    """
    game = game_of(slug)
    if not may_see_pictures(request, game):
        raise no_table()
    if not game.huts or edition != game.edition:
        raise not_so_far()
    try:
        position, last = position_at(game, ply=ply)
    except IndexError as error:
        raise not_so_far() from error
    white = "white" in request.GET
    who = "public" if game.is_public else "private"
    # Browsers show it as a picture, which runs nothing; opened by itself it can do as little.
    policy = f"default-src 'none'; style-src '{SMALL_STYLE_HASHES[white]}'; frame-ancestors 'none'; sandbox"
    headers = {"Cache-Control": f"{who}, {AGE}", "Content-Security-Policy": policy}
    drawn = draw_small(position, last=last, white=white, names="names" in request.GET)
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)


def named_board_url(pov: Pov) -> str:
    """The address of the same board with the names of its territories, as the game stands."""
    return f"{_url_of(pov.slug, pov.edition, pov.last_ply)}?names{'&white' if words.is_white() else ''}"


def small_board_url(table: TableSummary) -> str:
    """The address of a table's small board in the reader's colors; before the start that of its map."""
    if table.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
        return static(map_file(table.game.board, "small.svg"))
    return f"{_url_of(table.game.slug, table.game.edition, table.game.ply)}{'?white' if words.is_white() else ''}"


def _url_of(slug: str, edition: int, ply: int) -> str:
    return f"{table_url(slug)}small/{edition}-{ply}.svg"

"""A ply of a game that is over as a small page that other sites may show in a frame: the only such page."""

from __future__ import annotations

from html import escape
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games import words
from games.drawing import draw_board, initials
from games.pages.access import game_of, no_table, not_so_far, ply_url
from games.pages.replies import respond_for_a_day
from games.pages.table import side
from games.pages.table.one_ply import about_plies
from games.pov import Pov, look

POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors *"
)
WIDTH, HEIGHT = 640, 800
"""Pixels of the frame in the code that is offered, for sites that remove styles."""
STYLE: Final = "border:0;width:100%;max-width:640px;height:auto;aspect-ratio:4/5;min-height:640px"
"""As wide as there is room, and high enough for the board and what is said below it, also on a phone."""
EMBED: Final = "embed/"


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, slug: str, ply: int | None = None) -> HttpResponse:
    """The game when `ply` moves had been played (None: all of them), with links to the other plies; only the last one
    says how it ended. 404 before the game is over.

    It is the same for everybody who asks in one language: it reads no session, player or theme, so the site around the
    frame does not learn who is signed in here. It names people, so it is cached for a day. It has only links, so no
    site around it can trick its reader into doing something.
    """
    language = _language_of_browser(request)
    with words.speaking(language):
        pov = _finished(slug, ply)
        page = _write(pov).encode()
    headers = {"Content-Language": language, "Content-Security-Policy": POLICY}
    return respond_for_a_day(request, page, headers, is_public=pov.is_public)


def _language_of_browser(request: HttpRequest) -> str:
    """The language that the browser wishes for: a player's own is in a cookie."""
    asking = HttpRequest()
    asking.META = {"HTTP_ACCEPT_LANGUAGE": request.META.get("HTTP_ACCEPT_LANGUAGE", "")}
    return translation.get_language_from_request(asking)


def _finished(slug: str, ply: int | None) -> Pov:
    game = game_of(slug)
    if not game.is_over:
        # As an address without a table is answered.
        raise no_table()
    try:
        return look(game, viewer=None, ply=ply)
    except IndexError as error:
        raise not_so_far() from error


def _write(pov: Pov) -> str:
    # Rendered without the request: what its context processors tell is about the reader.
    if pov.position is None:
        raise ValueError(f"{pov.slug} is not over")
    seals = initials(seat.name for seat in pov.seats)
    about = {
        "pov": pov,
        "board": draw_board(pov.position, title=_("The board"), last=pov.last_step, initials=seals),
        "sentences": _tell(pov) or [words.say_before_first_move()],
        **about_plies(pov, EMBED),
        "is_framed": True,
        "whole": ply_url(pov.slug, pov.ply),
        "site": settings.SITE_URL,
        "players": words.join_words([seat.name for seat in pov.seats]),
        "standings": side.standings(pov),
        "result": words.say_result(pov),
    }
    return render_to_string("games/embed.html", about)


def _tell(pov: Pov) -> list[str]:
    """What the last move did, in plain words, without links on names: no page of a player may be framed."""
    villages = pov.moves[-1].step.villages if pov.moves else ()
    explained = [words.explain_village(village, pov.seats) for village in villages]
    return [*words.describe_moves(pov.moves[-1:], pov.seats), *explained]


def embed_code(pov: Pov) -> str:
    """The markup by which another site shows this ply in a frame."""
    address = settings.SITE_URL + ply_url(pov.slug, pov.ply, EMBED)
    title = _("%(name)s, a game of Clans") % {"name": pov.name}
    return (
        f'<iframe src="{address}" title="{escape(title)}" width="{WIDTH}" height="{HEIGHT}" loading="lazy"'
        f' style="{STYLE}"></iframe>'
    )

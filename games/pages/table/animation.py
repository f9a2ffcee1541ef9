"""A finished game as an animation: the file, or a page that says that it is being drawn."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.animation import is_requested, name_animation, request_animation
from games.drawing import png
from games.limits import ANIMATIONS
from games.models import Game
from games.pages.access import Missing, game_of, may_see_pictures
from games.pages.counting import refused
from games.pages.replies import TOO_OFTEN, respond_for_a_day
from games.pov import Pov, look

SOON: Final = "20"
"""Seconds after which to ask again: by then a sweep has run, if there is no worker."""


@require_safe
def animation(request: HttpRequest, slug: str) -> HttpResponse:
    """The GIF. 404 before the end, and to strangers for a table that is open by link only.

    The first request has it drawn in the background. Until it is there, requests get 202 with a page; 503 while too
    many others wait. It shows initials, so it is cached for a day. A header makes it a download; the link cannot say
    so, because the answer may be that page.
    """
    game = game_of(slug)
    if not (game.is_over and may_see_pictures(request, game)):
        raise Missing(_("There are animations of public games that are over."))
    pov = look(game, viewer=None)
    content = png.read_picture(name_animation(pov))
    if content is None:
        return _have_it_drawn(request, game, pov)
    headers = {"Content-Type": "image/gif", "Content-Disposition": f'attachment; filename="clans-{slug}.gif"'}
    return respond_for_a_day(request, content, headers, is_public=game.is_public)


def _have_it_drawn(request: HttpRequest, game: Game, pov: Pov) -> HttpResponse:
    if not is_requested(game) and refused(ANIMATIONS, request):
        return render(request, "429.html", status=TOO_OFTEN)
    is_coming = request_animation(game)
    status = HTTPStatus.ACCEPTED if is_coming else HTTPStatus.SERVICE_UNAVAILABLE
    about = {"pov": pov, "is_coming": is_coming}
    response = render(request, "games/animation.html", about, status=status)
    response["Retry-After"], response["Cache-Control"] = SOON, "no-store"
    return response

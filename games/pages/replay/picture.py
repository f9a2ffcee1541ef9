"""The board of a game that is over as a picture, and what a page tells those who preview its link."""

from __future__ import annotations

from hashlib import sha256
from http import HTTPStatus
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import pov, words
from games.drawing import initials, png
from games.pages.access import look_at, table_url

FOREVER = "public, max-age=31536000, immutable"
PREVIEW = "games/preview.png"
"""Some game, for tables that have nothing to show yet; `python -m tools.preview` draws it."""


@require_safe
def picture(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The board when `ply` moves had been played; 404 for whatever is not a public game that is over.

    Such a position never changes, so the answer may be cached for ever. Drawn once, then a file; 503 while others
    are drawn.
    """
    game, seen, position = look_at(slug, ply, viewer=None)
    if not (game.is_over and game.is_public):
        raise Http404(_("There are pictures of public games that are over."))
    drawing = png.draw_alone(position, last=seen.last_step, initials=initials(seat.name for seat in seen.seats))
    digest = sha256(drawing.encode()).hexdigest()[:32]
    headers = {"ETag": f'"{digest}"', "Cache-Control": FOREVER}
    unchanged = get_conditional_response(request, etag=headers["ETag"])
    if unchanged is not None:
        return HttpResponseNotModified(headers=headers)
    try:
        content = png.cached_picture(f"{digest}.png", lambda: _draw(drawing))
    except png.BusyError:
        return HttpResponse(
            status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "2", "Cache-Control": "no-store"}
        )
    return HttpResponse(content, content_type="image/png", headers=headers)


def _draw(drawing: str) -> bytes:
    with png.one_of_few():
        return png.draw_png(drawing)


class Preview(NamedTuple):
    """What a page tells those who show a link to it (Open Graph, Twitter); the addresses are whole ones."""

    title: str
    description: str
    url: str
    image: str
    alt: str
    width: int = png.WIDTH
    height: int = png.HEIGHT


def link_preview(seen: pov.Pov) -> Preview:
    """The preview of a table or replay. A picture of it only when it is public and over, and that of the end: who is
    sent links to all plies must not have all of them drawn."""
    ply = seen.last_ply if seen.is_over and seen.is_public else None
    table = table_url(seen.slug)
    return Preview(
        title=seen.name,
        description=_("A game of Clans: %(names)s.") % {"names": words.join_words([seat.name for seat in seen.seats])},
        url=_absolute(table if seen.is_now else f"{table}ply/{seen.ply}/"),
        image=_absolute(static(PREVIEW) if ply is None else f"{table}ply/{ply}.png"),
        alt=_alt(ply),
    )


def _alt(ply: int | None) -> str:
    if ply is None:
        return _("The board of a game of Clans: a map with huts in five colors")
    return _("The board after move %(ply)d: a map with huts in five colors") % {"ply": ply}


def _absolute(path: str) -> str:
    return settings.SITE_URL + path

"""The board of a game that is over as a picture, and what a page tells those who preview its link."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from html import escape

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_safe

from games import pictures, pov, words
from games.pages.replay import look_at

FOREVER = "public, max-age=31536000, immutable"
PREVIEW = "games/preview.png"
"""Some game, for tables that have nothing to show yet; `python -m tools.preview` draws it."""


@require_safe
def picture(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The board when `ply` moves had been played; 404 for whatever is not a public game that is over.

    Such a position never changes, so the answer may be kept for ever. Drawn once, then a file.
    """
    game, seen, position = look_at(slug, ply, viewer=None)
    if not (game.is_over and game.is_public):
        raise Http404(_("There are pictures of public games that are over."))
    drawing = pictures.draw_alone(position, last=seen.last_step)
    digest = sha256(drawing.encode()).hexdigest()[:32]
    headers = {"ETag": f'"{digest}"', "Cache-Control": FOREVER}
    unchanged = get_conditional_response(request, etag=headers["ETag"])
    if unchanged is not None:
        return HttpResponseNotModified(headers=headers)
    content = pictures.keep(f"{digest}.png", lambda: pictures.draw_png(drawing))
    return HttpResponse(content, content_type="image/png", headers=headers)


def link_preview(seen: pov.Pov) -> SafeString:
    """Open Graph and Twitter tags of a table or replay. A picture of it only when it is public and over."""
    names = tuple(seat.name for seat in seen.seats)
    ply = seen.ply if seen.is_over and seen.is_public else None
    return _preview(get_language() or "", seen.slug, seen.name, names, ply, seen.is_now)


@lru_cache(maxsize=1024)
def _preview(_language: str, slug: str, name: str, names: tuple[str, ...], ply: int | None, is_now: bool) -> SafeString:
    about = {
        "og:site_name": _("Clans by mail"),
        "og:type": "website",
        "og:title": name,
        "og:description": _("A game of Clans: %(names)s.") % {"names": words.join_words(names)},
        "og:url": _absolute(reverse("table", args=(slug,)) if is_now else reverse("ply", args=(slug, ply or 0))),
        "og:image": _absolute(static(PREVIEW) if ply is None else reverse("picture", args=(slug, ply))),
        "og:image:type": "image/png",
        "og:image:width": str(pictures.WIDTH),
        "og:image:height": str(pictures.HEIGHT),
        "og:image:alt": _alt(ply),
        "twitter:card": "summary_large_image",
    }
    tags = (
        f'<meta {"name" if key.startswith("twitter") else "property"}="{key}" content="{escape(text)}">'
        for key, text in about.items()
    )
    return mark_safe("".join(tags))  # noqa: S308


def _alt(ply: int | None) -> str:
    if ply is None:
        return _("The board of a game of Clans: a map with huts in five colors")
    return _("The board after move %(ply)d: a map with huts in five colors") % {"ply": ply}


def _absolute(path: str) -> str:
    return settings.SITE_URL + path

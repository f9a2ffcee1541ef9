"""Day or night: chosen in the header, kept in a cookie, so that it needs no account and no script."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from games.pages.replies import SeeOther, set_cookie

THEMES: Final = ("day", "night")
SYSTEM: Final = "system"
AGE: Final = 365 * 86400


def theme_of(request: HttpRequest) -> dict[str, str]:
    """What every page says about it: `day` or `night`, or "" for as the system says. Answers that depend on it vary by
    cookie, as all pages do."""
    chosen = request.COOKIES.get(settings.THEME_COOKIE_NAME, "")
    return {"theme": chosen if chosen in THEMES else ""}


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep what was chosen, and go back to the page where it was."""
    chosen, here = request.POST.get("theme"), request.GET.get("next", "")
    if chosen not in (*THEMES, SYSTEM):
        raise BadRequest("no such theme")
    is_ours = url_has_allowed_host_and_scheme(here, allowed_hosts=None) and here.startswith("/")
    response = SeeOther(here if is_ours else "/")
    if chosen == SYSTEM:
        response.delete_cookie(settings.THEME_COOKIE_NAME, samesite="Lax")
    else:
        set_cookie(response, settings.THEME_COOKIE_NAME, chosen, age=AGE)
    return response

"""How the cards, seats and huts of a game were drawn, and the proof of it (design 1.6)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.pages.access import game_of, viewer_of
from games.pov import look
from games.words.proof import check_deal


@require_safe
def deal(request: HttpRequest, slug: str) -> HttpResponse:
    """The commitment from the moment the table opens; seed, entropies and the proof once the game is over."""
    pov = look(game_of(slug), viewer=viewer_of(request))
    checks = check_deal(pov, pov.opening) if pov.opening and pov.deal.seed else []
    about = {
        "pov": pov,
        "checks": checks,
        "holds": all(check.holds for check in checks),
        "record_url": reverse("record", args=(slug,)),
        "script_url": static("games/verify_deal.py"),
    }
    return render(request, "games/deal.html", about)

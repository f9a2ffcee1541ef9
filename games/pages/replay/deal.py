"""How the cards, seats and huts of a game were drawn, and the proof of it (design 2.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games import pov, rules
from games.pages.access import game_of, viewer_of

SENTENCES: Final[dict[pov.Part, Any]] = {
    "seed": _("The SHA-256 of the seed is the commitment."),
    "salted-seed": _("The SHA-256 of the seed and the hashes of the salts is the commitment."),
    "salts": _("The salts are the ones whose hashes were fixed."),
    "shares": _("The shares come from these salts and from what the players added."),
    "seats": _("The seats are the ones drawn."),
    "cards": _("The clan cards are the ones drawn."),
    "first": _("The starting player is the one drawn."),
    "huts": _("The huts of the opening are the ones drawn."),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was drawn, and whether drawing it again gives the same."""

    sentence: str
    holds: bool


@require_safe
def deal(request: HttpRequest, slug: str) -> HttpResponse:
    """The commitment from the moment the table opens; seed, entropies and the proof once the game is over."""
    seen = pov.look(game_of(slug), viewer=viewer_of(request))
    checks = verify(seen, seen.opening) if seen.opening and seen.deal.seed else []
    about = {
        "pov": seen,
        "checks": checks,
        "holds": all(check.holds for check in checks),
        "record_url": reverse("record", args=(slug,)),
        "script_url": static("games/verify_deal.py"),
    }
    return render(request, "games/deal.html", about)


def verify(seen: pov.Pov, opening: rules.Opening) -> list[Check]:
    """Everything that the deal of a game that is over has drawn, drawn again and compared; the seed alone where a name
    that is gone was part of the draw."""
    seats = [(seat.name_in_deal, seat.clan) for seat in seen.seats]
    proof = pov.prove(seen.deal, slug=seen.slug, opening=opening, seats=seats)
    return [Check(str(SENTENCES[part]), holds) for part, holds in proof.items()]

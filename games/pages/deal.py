"""How the cards, seats and huts of a game were drawn, and the proof of it (design 2.8)."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import pov, rules
from games.pages.table import game_of, viewer_of


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
        "added": [(name, entropy, name in seen.deal.former) for name, entropy in seen.deal.players],
        "holds": all(check.holds for check in checks),
        "record_url": reverse("record", args=(slug,)),
        "script_url": static("games/verify_deal.py"),
    }
    return render(request, "games/deal.html", about)


def verify(seen: pov.Pov, opening: rules.Opening) -> list[Check]:
    """Everything that the deal of a game that is over has drawn, drawn again and compared; the seed alone where the
    name of a player who drew is gone."""
    seed = bytes.fromhex(seen.deal.seed)
    fixed = Check(_("The SHA-256 of the seed is the commitment."), rules.commitment(seed) == seen.deal.commitment)
    return [fixed] if seen.deal.former else [fixed, *_draw_again(seen, opening, seed)]


def _draw_again(seen: pov.Pov, opening: rules.Opening, seed: bytes) -> list[Check]:
    drawn = rules.draw(seed, game=seen.slug, players=seen.deal.players)
    seats = [seen.deal.players[joined][0] for joined in drawn.order]
    return [
        Check(_("The seats are the ones drawn."), seats == [seat.name for seat in seen.seats]),
        Check(_("The clan cards are the ones drawn."), list(drawn.clans) == [seat.clan for seat in seen.seats]),
        Check(_("The starting player is the one drawn."), drawn.first == opening.first),
        Check(_("The huts of the opening are the ones drawn."), drawn.huts == opening.huts),
    ]

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
from games.pages.access import game_of, viewer_of


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
    fixed = _check_salted(seen.deal) if seen.deal.salt_hashes else _check_seed(seen.deal)
    return fixed if seen.deal.is_lost else [*fixed, *_draw_again(seen, opening)]


def _check_seed(deal: pov.DealPov) -> list[Check]:
    holds = rules.commitment(bytes.fromhex(deal.seed)) == deal.commitment
    return [Check(_("The SHA-256 of the seed is the commitment."), holds)]


def _check_salted(deal: pov.DealPov) -> list[Check]:
    """What was fixed before anybody joined, and what each player who still has an account made of it."""
    commitment = rules.commitment(bytes.fromhex(deal.seed), deal.salt_hashes)
    here = [(player, bytes.fromhex(player.salt)) for player in deal.players if not player.is_former]
    salts = all(rules.hash_salt(salt) == deal.salt_hashes[player.place] for player, salt in here)
    shares = all(rules.share(salt, name=player.name, entropy=player.entropy) == player.share for player, salt in here)
    return [
        Check(
            _("The SHA-256 of the seed and the hashes of the salts is the commitment."), commitment == deal.commitment
        ),
        Check(_("The salts are the ones whose hashes were fixed."), salts),
        Check(_("The shares come from these salts and from what the players added."), shares),
    ]


def _draw_again(seen: pov.Pov, opening: rules.Opening) -> list[Check]:
    deal = seen.deal
    added = [(player.share,) if deal.salt_hashes else (player.name, player.entropy) for player in deal.players]
    name = rules.name_of_draw(deal.version, game=seen.slug, commitment=deal.commitment)
    drawn = rules.draw(bytes.fromhex(deal.seed), version=deal.version, game=name, players=added)
    seats = [deal.players[joined].name for joined in drawn.order]
    return [
        Check(_("The seats are the ones drawn."), seats == [seat.name for seat in seen.seats]),
        Check(_("The clan cards are the ones drawn."), list(drawn.clans) == [seat.clan for seat in seen.seats]),
        Check(_("The starting player is the one drawn."), drawn.first == opening.first),
        Check(_("The huts of the opening are the ones drawn."), drawn.huts == opening.huts),
    ]

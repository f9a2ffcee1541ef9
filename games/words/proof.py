"""How a game was drawn, drawn again and compared (design 1.6): a sentence for each thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _, gettext_noop

from games import rules
from games.pov import Part, Pov, prove

_SENTENCES: Final[dict[Part, str]] = {
    "seed": gettext_noop("The SHA-256 of the seed is the commitment."),
    "salted-seed": gettext_noop("The SHA-256 of the seed and the hashes of the salts is the commitment."),
    "salts": gettext_noop("The salts are the ones whose hashes were fixed."),
    "shares": gettext_noop("The shares come from these salts and from what the players added."),
    "seats": gettext_noop("The seats are the ones drawn."),
    "cards": gettext_noop("The clan cards are the ones drawn."),
    "first": gettext_noop("The starting player is the one drawn."),
    "huts": gettext_noop("The huts of the opening are the ones drawn."),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was drawn, and whether drawing it again gives the same."""

    sentence: str
    holds: bool


def check_deal(pov: Pov, opening: rules.Opening) -> list[Check]:
    """Everything that the deal of a game that is over has drawn, drawn again and compared; the seed alone where a name
    that is gone was part of the draw."""
    seats = [(seat.name_in_deal, seat.clan) for seat in pov.seats]
    proof = prove(pov.deal, slug=pov.slug, opening=opening, seats=seats)
    return [Check(_(_SENTENCES[part]), holds) for part, holds in proof.items()]

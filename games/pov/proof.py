"""The proof of a deal: everything that was drawn, drawn again and compared (design 1.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from games import rules
from games.pov.values import DealPov

Part = Literal["seed", "salted-seed", "salts", "shares", "seats", "cards", "first", "huts"]


def prove(deal: DealPov, *, slug: str, opening: rules.Opening, seats: Iterable[tuple[str, str]]) -> dict[Part, bool]:
    """What of the deal of a game that is over can be checked, and whether it holds; `seats` are names and clans in the
    order of play. The seed alone where a name that is gone was part of the draw, and nothing of an imported game whose
    record has no deal."""
    if not deal.version:
        return {}
    fixed = _check_salted(deal) if deal.salt_hashes else _check_seed(deal)
    return fixed if deal.is_lost else fixed | _draw_again(deal, slug, opening, list(seats))


def _check_seed(deal: DealPov) -> dict[Part, bool]:
    return {"seed": rules.commitment(bytes.fromhex(deal.seed)) == deal.commitment}


def _check_salted(deal: DealPov) -> dict[Part, bool]:
    """What was fixed before anybody joined, and what each player who still has an account made of it."""
    commitment = rules.commitment(bytes.fromhex(deal.seed), deal.salt_hashes)
    here = [(player, bytes.fromhex(player.salt)) for player in deal.players if not player.is_former]
    return {
        "salted-seed": commitment == deal.commitment,
        "salts": all(rules.hash_salt(salt) == deal.salt_hashes[player.place] for player, salt in here),
        "shares": all(
            rules.share(salt, name=player.name, entropy=player.entropy) == player.share for player, salt in here
        ),
    }


def _draw_again(deal: DealPov, slug: str, opening: rules.Opening, seats: list[tuple[str, str]]) -> dict[Part, bool]:
    added = [(player.share,) if deal.salt_hashes else (player.name, player.entropy) for player in deal.players]
    name = rules.name_of_draw(deal.version, game=slug, commitment=deal.commitment)
    drawn = rules.draw(bytes.fromhex(deal.seed), version=deal.version, game=name, players=added)
    return {
        "seats": [deal.players[joined].name for joined in drawn.order] == [name for name, _clan in seats],
        "cards": list(drawn.clans) == [clan for _name, clan in seats],
        "first": drawn.first == opening.first,
        "huts": drawn.huts == opening.huts,
    }

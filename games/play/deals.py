"""Deals, which are fixed before anybody adds words to them, and what they draw at the start (design 1.6)."""

from __future__ import annotations

import re
import secrets
from typing import Final, NamedTuple

from django.conf import settings
from django.db import IntegrityError
from django.utils.crypto import salted_hmac

from games import rules
from games.models import Deal, Game, Player, Seat
from games.words.refusals import DealUsed

_OFFER: Final = re.compile(r"([0-9a-f]{64})-([0-9a-f]{64})", re.ASCII)


class FixedDeal(NamedTuple):
    """A seed, and a salt for each place that a table can have."""

    seed: bytes
    salts: tuple[bytes, ...]

    @property
    def salt_hashes(self) -> list[str]:
        return [rules.hash_salt(salt) for salt in self.salts]

    @property
    def commitment(self) -> str:
        return rules.commitment(self.seed, self.salt_hashes)


class DealOffer(NamedTuple):
    """What a form shows of a deal that no table has yet. Its text form is what the form sends back."""

    nonce: str
    commitment: str

    def __str__(self) -> str:
        return f"{self.nonce}-{self.commitment}"


def random_deal() -> FixedDeal:
    """A deal for a table that no form opens."""
    salts = tuple(secrets.token_bytes(rules.SALT_BYTES) for _place in range(max(rules.SEATS)))
    return FixedDeal(secrets.token_bytes(rules.SEED_BYTES), salts)


def offer_deal(opener: Player) -> DealOffer:
    """A new deal for `opener`. It is stored nowhere: it follows from the nonce and the site's secret key."""
    nonce = secrets.token_hex(32)
    return DealOffer(nonce, _derive(nonce, opener, settings.SECRET_KEY).commitment)


def find_deal(offer: str, *, opener: Player) -> FixedDeal | None:
    """The deal that was offered to `opener`; None if it was not offered, or with a key that the site no longer
    knows."""
    found = _OFFER.fullmatch(offer)
    if found is None:
        return None
    nonce, commitment = found.groups()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    deals = (_derive(nonce, opener, key) for key in keys)
    return next((deal for deal in deals if deal.commitment == commitment), None)


def keep_deal(game: Game, fixed: FixedDeal) -> None:
    """Store the deal of a table that is being opened. Raises DealUsed."""
    try:
        Deal.objects.create(
            game=game,
            seed=fixed.seed,
            salts=[salt.hex() for salt in fixed.salts],
            salt_hashes=fixed.salt_hashes,
            commitment=fixed.commitment,
            version=rules.DEAL_VERSION,
        )
    except IntegrityError:
        raise DealUsed from None


def draw_deal(game: Game, seats: list[Seat]) -> rules.Draw:
    """What the deal of `game` draws for these seats, in the order of joining; each gets its share. One query."""
    deal = game.deal
    if deal.version == rules.FIRST_DEAL_VERSION:
        return rules.draw(
            bytes(deal.seed),
            version=deal.version,
            game=game.slug,
            players=[(seat.name, seat.entropy) for seat in seats],
        )
    for seat in seats:
        salt = bytes.fromhex(deal.salts[seat.joined])
        seat.share = rules.share(salt, name=seat.name, entropy=seat.entropy)
    name = rules.name_of_draw(deal.version, game=game.slug, commitment=deal.commitment)
    return rules.draw(bytes(deal.seed), version=deal.version, game=name, players=[(seat.share,) for seat in seats])


def _derive(nonce: str, opener: Player, key: str) -> FixedDeal:
    def secret(name: str) -> bytes:
        text = f"{name} {opener.pk} {nonce}"
        return salted_hmac("games.play.deals", text, secret=key, algorithm="sha256").digest()

    return FixedDeal(secret("seed"), tuple(secret(f"salt-{place}") for place in range(max(rules.SEATS))))

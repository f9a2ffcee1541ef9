"""Tokens by which programs read the API as a player."""

from __future__ import annotations

from datetime import datetime

from games.limits import API_TOKENS
from games.models import ApiToken, Player, digest_of, new_token
from games.words.refusals import ApiTokenNamed, ApiTokensFull

PREFIX = "clans_"
"""It lets people, and programs that search for leaked secrets, recognize a token."""


def make_api_token(player: Player, *, name: str, at: datetime) -> str:
    """A new token of `player`. Show it now: only its digest is stored. Raises ApiTokenNamed, so that a form that
    is sent again makes no second one, and ApiTokensFull."""
    token = PREFIX + new_token()
    with player.locked():
        if player.api_tokens.filter(name=name).exists():
            raise ApiTokenNamed
        if player.api_tokens.count() >= API_TOKENS.rates[0].amount:
            raise ApiTokensFull
        ApiToken.objects.create(player=player, name=name, digest=digest_of(token), created_at=at)
    return token


def revoke_api_token(player: Player, key: int) -> bool:
    """Revoke the token of that key; returns whether `player` had one."""
    return ApiToken.objects.filter(player=player, pk=key).delete()[0] > 0

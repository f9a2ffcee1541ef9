"""What a player does to their webhooks: add, remove, switch."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef

from games.hooks import wire
from games.limits import WEBHOOKS
from games.models import Player, Webhook

MOST_HOOKS: Final = WEBHOOKS.rates[0].amount
SAME_CLICK: Final = timedelta(minutes=1)
"""The same webhook added again within this time is a second click, which shows the secret again."""


class HookError(Exception):
    """Why a change of a player's webhooks is refused."""


class TooMany(HookError):
    """There are MOST_HOOKS already."""


class KnownAlready(HookError):
    """This address is called already."""


def add_hook(player: Player, *, kind: str, url: str, at: datetime) -> Webhook:
    """Add a webhook to `player`, switched on. The same one again within SAME_CLICK returns the first. Raises
    wire.Refused, TooMany, KnownAlready."""
    wire.check_host(wire.read_target(url).host)
    with alone(player):
        mine = player.webhooks.all()
        if made := mine.filter(url=url, kind=kind, created_at__gt=at - SAME_CLICK).first():
            return made
        if mine.filter(url=url).exists():
            raise KnownAlready
        if mine.count() >= MOST_HOOKS:
            raise TooMany
        secret = secrets.token_urlsafe(32) if kind == Webhook.Kind.JSON else ""
        return Webhook.objects.create(player=player, kind=kind, url=url, secret=secret, created_at=at)


def remove_hook(hook: Webhook) -> None:
    """Remove the webhook, with the calls owed to it."""
    with alone(hook.player):
        hook.delete()


def switch_hook(hook: Webhook, *, on: bool) -> None:
    """Switch it on or off. Its failures are forgotten: who switches it on means to retry."""
    with alone(hook.player):
        Webhook.objects.filter(pk=hook.pk).update(is_on=on, failures=0, failing_since=None)


def note_hooks(player: int) -> None:
    """Set `Player.has_webhooks`, which saves a query at each move."""
    on = Webhook.objects.filter(player=OuterRef("pk"), is_on=True)
    Player.objects.filter(pk=player).update(has_webhooks=Exists(on))


@contextmanager
def alone(player: Player) -> Iterator[None]:
    """A transaction that alone changes the webhooks of `player`."""
    with player.alone():
        yield
        note_hooks(player.pk)

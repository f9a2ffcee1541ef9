"""What a player does to their webhooks: add, remove, switch."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef

from games.hooks import push, wire
from games.limits import BROWSERS, WEBHOOKS
from games.models import Player, Webhook

MOST_HOOKS: Final = WEBHOOKS.rates[0].amount
MOST_BROWSERS: Final = BROWSERS.rates[0].amount
SAME_CLICK: Final = timedelta(minutes=1)
"""The same webhook added again within this time is a second click, which shows the secret again."""


class HookError(Exception):
    """Why a change of a player's webhooks is refused."""


class TooMany(HookError):
    """There are MOST_HOOKS already, or MOST_BROWSERS."""


class KnownAlready(HookError):
    """This address is called already."""


def add_hook(player: Player, *, kind: str, url: str, at: datetime) -> Webhook:
    """Add a webhook to `player`, switched on. The same one again within SAME_CLICK returns the first. Raises
    wire.Refused, TooMany, KnownAlready."""
    wire.check_host(wire.read_target(url).host)
    with changing_hooks(player):
        mine = player.webhooks.addresses()
        if made := mine.filter(url=url, kind=kind, created_at__gt=at - SAME_CLICK).first():
            return made
        if mine.filter(url=url).exists():
            raise KnownAlready
        if mine.count() >= MOST_HOOKS:
            raise TooMany
        secret = secrets.token_urlsafe(32) if kind == Webhook.Kind.JSON else ""
        return Webhook.objects.create(player=player, kind=kind, url=url, secret=secret, created_at=at)


def add_browser(player: Player, *, url: str, public_key: str, secret: str, name: str, at: datetime) -> Webhook:
    """Send notifications to a browser of `player` called `name`, known by what it says of itself. One that is known
    already gets the new keys; it is nobody else's any more, since whoever asks is the one who uses it now. Raises
    wire.Refused, push.NoPush, TooMany."""
    wire.check_host(wire.read_target(url).host)
    push.check_browser(public_key, secret)
    keys = {"public_key": public_key, "browser_secret": secret}
    with changing_hooks(player):
        mine = player.webhooks.browsers()
        if not mine.filter(url=url).exists() and mine.count() >= MOST_BROWSERS:
            raise TooMany
        kind = Webhook.Kind.PUSH
        defaults = {**keys, "is_on": True, "failures": 0, "failing_since": None}
        new = {**defaults, "kind": kind, "name": name, "created_at": at}
        hook, _is_new = Webhook.objects.update_or_create(defaults, create_defaults=new, player=player, url=url)
    _forget_elsewhere(hook)
    return hook


def _forget_elsewhere(hook: Webhook) -> None:
    """Remove the browser from whoever used it before."""
    before = Webhook.objects.browsers().filter(url=hook.url).exclude(player=hook.player).select_related("player")
    for other in before:
        remove_hook(other)


def rename_browser(hook: Webhook, name: str) -> None:
    Webhook.objects.filter(pk=hook.pk).update(name=name)


def remove_hook(hook: Webhook) -> None:
    """Remove the webhook, with the calls owed to it."""
    with changing_hooks(hook.player):
        hook.delete()


def switch_hook(hook: Webhook, *, on: bool) -> None:
    """Switch it on or off. Its failures are forgotten: who switches it on means to retry."""
    with changing_hooks(hook.player):
        Webhook.objects.filter(pk=hook.pk).update(is_on=on, failures=0, failing_since=None)


def note_hooks(player: int) -> None:
    """Set `Player.has_webhooks`, which saves a query at each move."""
    on = Webhook.objects.filter(player=OuterRef("pk"), is_on=True)
    Player.objects.filter(pk=player).update(has_webhooks=Exists(on))


@contextmanager
def changing_hooks(player: Player) -> Iterator[None]:
    """A transaction that locks the row of `player`, to change their webhooks."""
    with player.locked():
        yield
        note_hooks(player.pk)

"""What a player does to their webhooks: add, remove, switch, test."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef

from games.hooks import message, wire
from games.models import Player, Webhook

MOST_HOOKS: Final = 5
TEST_PAUSE: Final = timedelta(seconds=10)
SAME_CLICK: Final = timedelta(minutes=1)
"""Whoever adds the same webhook again within that has clicked twice, and may not have seen its secret."""


class HookError(Exception):
    """What a player cannot do to their webhooks."""


class TooMany(HookError):
    """There are MOST_HOOKS already."""


class KnownAlready(HookError):
    """This address is called already."""


class TooSoon(HookError):
    """The last test is less than TEST_PAUSE old."""


def add_hook(player: Player, *, kind: str, url: str, at: datetime) -> Webhook:
    """A new webhook of `player`, which is on; asked for again within SAME_CLICK, it is the one that it made. Raises
    wire.Refused, TooMany, KnownAlready."""
    wire.check_host(wire.read_target(url).host)
    with _alone(player):
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
    with _alone(hook.player):
        hook.delete()


def switch_hook(hook: Webhook, *, on: bool) -> None:
    """Switch it on or off. Its failures are forgotten: who switches it on means to try anew."""
    with _alone(hook.player):
        Webhook.objects.filter(pk=hook.pk).update(is_on=on, failures=0, failing_since=None)


def test_hook(hook: Webhook, *, at: datetime) -> wire.Answer:
    """Call it now, whether it is on or not, and wait for the answer: SECONDS of `wire` at most. Raises TooSoon.

    Of all webhooks of a player one is tested at a time.
    """
    with _alone(hook.player):
        if hook.player.webhooks.filter(tested_at__gt=at - TEST_PAUSE).exists():
            raise TooSoon
        Webhook.objects.filter(pk=hook.pk).update(tested_at=at)
    written = message.write(message.tell_test(hook, at=at), hook, at=at)
    answer = wire.post(hook.url, written.body, written.headers)
    Webhook.objects.filter(pk=hook.pk).update(said_at=at, status=answer.status, trouble=answer.trouble)
    if answer.is_taken:
        # Of one that is off, its failures tell who switched it off.
        Webhook.objects.filter(pk=hook.pk, is_on=True).update(failures=0, failing_since=None)
    return answer


def note_hooks(player: int) -> None:
    """Note with the player of this key whether there is a webhook to call, so that no move has to ask."""
    on = Webhook.objects.filter(player=OuterRef("pk"), is_on=True)
    Player.objects.filter(pk=player).update(has_webhooks=Exists(on))


@contextmanager
def _alone(player: Player) -> Iterator[None]:
    """A transaction that alone changes the webhooks of `player`."""
    with player.alone():
        yield
        note_hooks(player.pk)

"""The trial call of a webhook: its player asks for it, the worker makes it, and the page waits for its result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db.models import F, Q

from games.enqueue import enqueue
from games.hooks import payload, push, wire
from games.hooks.delivery import is_gone
from games.hooks.player_actions import HookError, changing_hooks, remove_hook
from games.limits import WEBHOOK_TESTS
from games.mail import as_read_by
from games.models import Webhook

TEST_PAUSE: Final = timedelta(seconds=WEBHOOK_TESTS.rates[0].seconds)
WAITING: Final = timedelta(minutes=1)
"""For how long a test that was asked for is made, and waited for."""
AT_ONCE: Final = 8
TEST_TASK: Final = "games.tasks.test_webhooks"


class TooSoon(HookError):
    """The last test is less than TEST_PAUSE old."""


def request_test(hook: Webhook, *, at: datetime) -> None:
    """Have the worker call it now, whether it is on or not. Raises TooSoon: of all webhooks of a player one is tested
    at a time."""
    with changing_hooks(hook.player):
        if hook.player.webhooks.filter(tested_at__gt=at - TEST_PAUSE).exists():
            raise TooSoon
        Webhook.objects.filter(pk=hook.pk).update(tested_at=at)
    enqueue(TEST_TASK)


def waits_for_test(hook: Webhook, *, at: datetime) -> bool:
    """Whether a test was asked for lately and nothing has come of it yet."""
    if hook.tested_at is None or hook.tested_at <= at - WAITING:
        return False
    return hook.said_at is None or hook.said_at < hook.tested_at


def make_tests(*, at: datetime) -> int:
    """Make the tests that were asked for, several at a time; how many. Takes SECONDS of `wire` at most for AT_ONCE."""
    without_result = Q(said_at=None) | Q(said_at__lt=F("tested_at"))
    requested = Webhook.objects.filter(without_result, tested_at__gt=at - WAITING)
    if not push.public_key():
        # Without a key no message can be written; the others' tests are made all the same.
        requested = requested.addresses()
    mine = [hook for hook in requested.prefetch_related("player")[:AT_ONCE] if _claim(hook)]
    written = [_write(hook, at=at) for hook in mine]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda hook, one: wire.post(hook.url, one.body, one.headers), mine, written))
    for hook, answer in zip(mine, answers, strict=True):
        _note(hook, answer, at=at)
    return len(mine)


def _write(hook: Webhook, *, at: datetime) -> payload.Message:
    if hook.kind != Webhook.Kind.PUSH:
        return payload.write(payload.content_of_test(hook, at=at), hook, at=at)
    with as_read_by(hook.player):
        return push.write_test(hook, at=at)


def _claim(hook: Webhook) -> bool:
    """Whether nobody else makes this test."""
    return bool(cache.add(f"webhook-test-{hook.pk}-{hook.tested_at}".replace(" ", "-"), 1, timeout=WAITING.seconds))


def _note(hook: Webhook, answer: wire.Answer, *, at: datetime) -> None:
    if is_gone(hook, answer):
        remove_hook(hook)
        return
    Webhook.objects.filter(pk=hook.pk).update(said_at=at, status=answer.status, trouble=answer.trouble)
    if answer.is_taken:
        # Of one that is off, its failures tell who switched it off.
        Webhook.objects.filter(pk=hook.pk, is_on=True).update(failures=0, failing_since=None)

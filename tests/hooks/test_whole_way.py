"""A call from a page through the worker to a host, by real processes."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.utils import timezone
from pytest_django import DjangoDbBlocker

from games import hooks
from games.models import Player, WebhookCall
from tests.cast import AT, make_game, make_player, make_table
from tests.faults.callers import Caller, all_at_once
from tests.hooks.ear import open_ear
from tests.servers import mail_server, site, wait_until

CALLS, SWEEPS = 100, 4


def test_it_calls_after_a_page_was_sent(internal: None, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    environment = {"WEBHOOK_ALLOW_INTERNAL": "1"}
    with open_ear() as ear, mail_server() as smtp, site(tmp_path, smtp=smtp, environment=environment) as served:
        with django_db_blocker.unblock(), served.database():
            alice = make_player("alice")
            hooks.add_hook(alice, kind="json", url=ear.url(), at=AT)
            game, bob = make_table(alice, size=2), Caller(served, make_player("bob"))
        bob.open(game.get_absolute_url())
        [answer] = all_at_once([bob.post(f"{game.get_absolute_url()}join/", {"words": "mine"})])
        assert answer.status == 303
        wait_until(lambda: len(ear.heard) > 0, what="call of the webhook")
        assert json.loads(ear.heard[0].body)["event"] in {"started", "turn"}
        assert json.loads(ear.heard[0].body)["table"]["slug"] == game.slug
        served.check_alive()
    assert len(ear.heard) == 1


def test_the_worker_makes_a_test_that_a_page_asks_for(
    internal: None, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    environment = {"WEBHOOK_ALLOW_INTERNAL": "1"}
    with open_ear() as ear, site(tmp_path, processes=("web", "worker"), environment=environment) as served:
        with django_db_blocker.unblock(), served.database():
            alice = make_player("alice")
            hook, caller = hooks.add_hook(alice, kind="json", url=ear.url(), at=AT), Caller(served, alice)
        caller.open("/preferences/webhooks/")
        [answer] = all_at_once([caller.post(f"/preferences/webhooks/{hook.pk}/", {"do": "test"})])
        assert answer.status == 303
        wait_until(lambda: len(ear.heard) > 0, what="test of the webhook")
        assert json.loads(ear.heard[0].body)["event"] == "test"


def test_it_makes_each_call_once_whoever_sweeps(
    internal: None, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with open_ear() as ear, site(tmp_path, processes=(), environment={"WEBHOOK_ALLOW_INTERNAL": "1"}) as served:
        with django_db_blocker.unblock(), served.database():
            owe_many(make_player("alice"), make_player("bob"), url=ear.url())
        with ThreadPoolExecutor(SWEEPS) as pool:
            list(pool.map(served.manage, ["sweep"] * SWEEPS))
    ids = Counter(heard.headers["X-Clans-Id"] for heard in ear.heard)
    assert len(ids) == CALLS
    assert set(ids.values()) == {1}


def owe_many(alice: Player, bob: Player, *, url: str) -> None:
    """CALLS calls to a webhook of alice's, all of them due."""
    hook = hooks.add_hook(alice, kind="json", url=url, at=AT)
    seat = make_game(bob, alice, at=timezone.now()).seats.get(player=alice)
    due = {"hook": hook, "seat": seat, "kind": "bounced", "ply": 0, "created_at": AT, "due_at": AT}
    WebhookCall.objects.bulk_create(WebhookCall(number=number, **due) for number in range(CALLS))
    WebhookCall.objects.exclude(kind="bounced").delete()

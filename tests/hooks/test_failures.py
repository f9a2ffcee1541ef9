"""What comes of a call: tried again, given up, and its webhook switched off."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import pytest

from games import hooks
from games.hooks import delivery, owed
from games.models import Game, Notice, Player, Webhook, WebhookCall
from games.outbox import MAX_CRASHES
from tests.cast import AT, make_game
from tests.hooks.ear import Ear, open_ear
from tests.hooks.helpers import add, payload_of, to_alice

State = WebhookCall.State
Kind = Webhook.Kind
HOUR = timedelta(hours=1)


def sweep_until(end: datetime, *, at: datetime, every: timedelta = HOUR) -> None:
    while at <= end:
        hooks.sweep(at=at)
        at += every


def test_it_tries_again_with_the_same_id(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    since = game.turn_since or AT
    ear.answers = [500] * WebhookCall.objects.count()
    hooks.sweep(at=since)
    hooked.refresh_from_db()
    assert (hooked.status, hooked.trouble, hooked.failing_since) == (500, "refused", since)
    failed = len(ear.heard)
    hooks.sweep(at=since)
    assert len(ear.heard) == failed
    hooks.sweep(at=since + HOUR)
    ids = [payload_of(heard)["id"] for heard in ear.heard]
    assert sorted(map(str, ids[failed:])) == sorted(map(str, ids[:failed]))
    hooked.refresh_from_db()
    assert (hooked.status, hooked.trouble, hooked.failures, hooked.failing_since) == (204, "", 0, None)


def test_it_comes_again_when_it_is_asked_to(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    since = game.turn_since or AT
    ear.status, ear.headers = 429, {"Retry-After": "1800"}
    hooks.sweep(at=since)
    assert all(call.due_at >= since + HOUR / 2 for call in WebhookCall.objects.filter(state=State.DUE, attempts=1))


def test_it_gives_a_call_up(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    since = game.turn_since or AT
    ear.status = 500
    sweep_until(since + timedelta(hours=20), at=since)
    calls = WebhookCall.objects.filter(kind="turn", ply=game.ply)
    assert [(call.state, call.attempts) for call in calls] == [(State.QUARANTINED, delivery.MAX_ATTEMPTS)]


def test_it_sets_a_call_aside_that_workers_die_of_and_tries_again_later(hooked: Webhook, both: Game, ear: Ear) -> None:
    at = to_alice(both).turn_since or AT
    call = WebhookCall.objects.latest("pk")
    WebhookCall.objects.exclude(pk=call.pk).delete()
    for _crash in range(MAX_CRASHES):
        assert owed.claim(call.pk, at=at) is not None
        at += owed.LEASE
    hooks.sweep(at=at)
    call.refresh_from_db()
    assert (call.state, ear.heard) == (State.QUARANTINED, [])
    hooks.sweep(at=call.due_at - timedelta(seconds=1))
    assert ear.heard == []
    hooks.sweep(at=call.due_at)
    call.refresh_from_db()
    assert (call.state, len(ear.heard)) == (State.SENT, 1)


def test_it_switches_off_what_has_taken_nothing_for_days(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    since = game.turn_since or AT
    ear.status = 500
    sweep_until(since + timedelta(days=1), at=since)
    hooked.refresh_from_db()
    assert hooked.is_on
    assert hooked.failures >= delivery.OFF_FAILURES
    assert game.remind_at
    later = since + timedelta(days=3, hours=1)
    hooks.owe([Notice(seat=game.seats.get(player=hooked.player), kind="reminder", ply=game.ply, number=9)], at=later)
    hooks.sweep(at=later)
    hooked.refresh_from_db()
    hooked.player.refresh_from_db()
    assert (hooked.is_on, hooked.player.has_webhooks) == (False, False)


@pytest.mark.parametrize(
    ("kind", "status", "stays"),
    [(Kind.JSON, 410, False), (Kind.JSON, 404, True), (Kind.DISCORD, 404, False), (Kind.SLACK, 500, True)],
)
def test_it_switches_off_what_is_gone(
    ear: Ear, alice: Player, bob: Player, kind: str, status: int, stays: bool
) -> None:
    hook = add(alice, ear.url(), kind)
    alice.refresh_from_db()
    ear.status = status
    game = to_alice(make_game(alice, bob))
    hooks.sweep(at=game.turn_since or AT)
    hook.refresh_from_db()
    alice.refresh_from_db()
    assert (hook.is_on, alice.has_webhooks) == (stays, stays)


def test_it_lets_nobody_wait_for_one_that_is_dead(ear: Ear, alice: Player, bob: Player) -> None:
    with open_ear() as dead:
        gone = dead.url()
    add(alice, gone)
    add(bob, ear.url())
    for player in (alice, bob):
        player.refresh_from_db()
    game = make_game(alice, bob)
    hooks.sweep(at=game.turn_since or AT)
    assert len(ear.heard) == WebhookCall.objects.filter(seat__player=bob).count() == 1
    assert Webhook.objects.get(player=alice).trouble in {"", "away"}


def test_it_calls_first_who_listens(ear: Ear, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the calls to one that does not have waited."""
    monkeypatch.setattr(delivery, "AT_ONCE", 1)
    deaf, hears = add(alice, ear.url("/deaf")), add(bob, ear.url("/hears"))
    Webhook.objects.filter(pk=deaf.pk).update(failing_since=AT, failures=1)
    seats = {seat.player_id: seat for seat in make_game(alice, bob).seats.select_related("player", "game")}
    calls = [(deaf, 0, AT), (deaf, 1, AT), (hears, 0, AT + HOUR)]
    for hook, number, due_at in calls:
        seat = seats[hook.player_id]
        WebhookCall.objects.create(
            hook=hook, seat=seat, kind="bounced", ply=0, number=number, created_at=AT, due_at=due_at
        )
    hooks.sweep(at=AT + 2 * HOUR)
    bounced = [heard.path for heard in ear.heard if heard.headers["X-Clans-Event"] == "bounced"]
    assert bounced == ["/hears", "/deaf", "/deaf"]


def test_it_makes_the_calls_of_one_webhook_one_after_another(ear: Ear, alice: Player, bob: Player) -> None:
    """On a phone a later message takes the place of an earlier one: "Your turn" must not come before "The game has
    begun".
    """
    ear.pause = 0.05
    hook = add(alice, ear.url())
    seat = make_game(alice, bob).seats.select_related("player", "game").get(player=alice)
    for number in range(4):
        WebhookCall.objects.create(
            hook=hook, seat=seat, kind="bounced", ply=0, number=number, created_at=AT, due_at=AT + number * HOUR
        )
    hooks.sweep(at=AT + 5 * HOUR)
    assert ear.most_unanswered == 1
    bounced = [heard.headers["X-Clans-Id"] for heard in ear.heard if heard.headers["X-Clans-Event"] == "bounced"]
    assert bounced == [f"{seat.game.slug}-bounced-0-{number}" for number in range(4)]


def test_it_calls_nothing_that_was_switched_off(hooked: Webhook, both: Game, ear: Ear) -> None:
    hooks.switch_hook(hooked, on=False)
    hooks.sweep(at=AT + HOUR)
    assert ear.heard == []
    hooked.player.refresh_from_db()
    assert not hooked.player.has_webhooks


def test_it_logs_no_address(ear: Ear, alice: Player, bob: Player, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    hook = add(alice, ear.url("/a-secret"))
    alice.refresh_from_db()
    ear.status = 500
    game = to_alice(make_game(alice, bob))
    hooks.sweep(at=game.turn_since or AT)
    assert f"webhook {hook.pk} (json) of alice: the host refused (status 500)" in caplog.text
    assert "a-secret" not in caplog.text
    assert hook.secret not in caplog.text

"""Calls of webhooks: owed with the move, made by the sweep when their time has come."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from games import hooks, outbox, play
from games.hooks import owed
from games.models import Game, Notice, Player, Seat, Webhook, WebhookCall
from games.tasks import sweep_all
from tests.cast import AT, make_game, play_random, seat_to_move
from tests.hooks.ear import Ear
from tests.hooks.helpers import add, events, to_alice

State = WebhookCall.State
HOUR = timedelta(hours=1)


# --- What is owed ----------------------------------------------------------------------------------


def test_it_owes_a_call_for_each_turn_and_for_the_end(hooked: Webhook, both: Game, ear: Ear) -> None:
    ended = play_random(both)
    turns = Notice.objects.filter(seat__player=hooked.player, kind=Notice.Kind.TURN).count()
    assert WebhookCall.objects.filter(kind="turn").count() == turns
    assert WebhookCall.objects.filter(kind="finished").count() == 1
    assert hooks.sweep(at=ended.ended_at or AT) == WebhookCall.objects.count()
    assert events(ear) == ["finished"]
    assert not WebhookCall.objects.filter(state__in=(State.DUE, State.CLAIMED)).exists()


def test_it_owes_nothing_to_who_has_none(
    alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = make_game(alice, bob)
    seat = game.seats.select_related("player").first()
    with django_assert_num_queries(0):
        hooks.owe([Notice(seat=seat, kind=Notice.Kind.TURN, ply=0)], at=AT)
    assert not WebhookCall.objects.exists()


def test_it_costs_the_same_queries_however_many_hooks_there_are(
    alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for player, number in ((alice, 1), (alice, 2), (bob, 1)):
        add(player, f"https://example.com/{player.username}-{number}")
    seats = make_game(*Player.objects.order_by("pk")).seats.select_related("game", "player")
    notices = [Notice(seat=seat, kind=Notice.Kind.FINISHED, ply=0, created_at=AT) for seat in seats]
    with django_assert_num_queries(2):
        hooks.owe(notices, at=AT)
    assert WebhookCall.objects.filter(kind="finished").count() == 3


def test_it_owes_a_move_and_its_call_together_or_neither(hooked: Webhook, both: Game) -> None:
    game = to_alice(both)
    before = WebhookCall.objects.count()
    with pytest.raises(play.StaleMove):
        play.play_move(game, seat=seat_to_move(game), move="A1-A2", ply=9, key="k", at=AT)
    assert WebhookCall.objects.count() == before


def test_it_owes_reminders_and_what_the_autopilot_did(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    assert game.remind_at
    assert game.due_at
    play.owe_reminders(at=game.remind_at)
    play.owe_reminders(at=game.remind_at)
    assert WebhookCall.objects.filter(kind="reminder").count() == 1
    hooks.sweep(at=game.remind_at)
    assert "reminder" in events(ear)
    play.end_overdue_turns(at=game.due_at + HOUR)
    hooks.sweep(at=game.due_at + HOUR)
    assert "autopilot" in events(ear)


def test_it_owes_once(hooked: Webhook, both: Game) -> None:
    game = to_alice(both)
    seat = game.seats.select_related("player").get(player=hooked.player)
    before = WebhookCall.objects.count()
    hooks.owe([Notice(seat=seat, kind=Notice.Kind.TURN, ply=game.ply)] * 2, at=AT)
    assert WebhookCall.objects.count() == before


# --- When ------------------------------------------------------------------------------------------


def test_it_waits_for_the_player_to_look(hooked: Webhook, both: Game, ear: Ear, settings: Settings) -> None:
    settings.MAIL_WAIT_SECONDS = 120
    game = to_alice(play_random(both, 2))
    since = game.turn_since or AT
    hooks.sweep(at=since + timedelta(seconds=119))
    assert "turn" not in events(ear)
    hooks.sweep(at=since + timedelta(seconds=120))
    assert events(ear)[-1] == "turn"


@pytest.mark.parametrize("ply", [0, 99])
def test_it_calls_nobody_who_has_seen_it(hooked: Webhook, both: Game, ear: Ear, ply: int) -> None:
    game = to_alice(both)
    since = game.turn_since or AT
    Seat.objects.filter(player=hooked.player).update(seen_ply=min(ply, game.ply), seen_at=since)
    hooks.sweep(at=since)
    assert ("turn" in events(ear)) == (min(ply, game.ply) < game.ply)


def test_it_calls_nobody_who_has_moved(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = play_random(to_alice(both), 1)
    hooks.sweep(at=game.turn_since or AT)
    assert "turn" not in events(ear)


def test_it_calls_nobody_in_quiet_hours(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    since = (game.turn_since or AT).astimezone(UTC)
    quiet = {"quiet_from": time(since.hour), "quiet_until": time((since.hour + 3) % 24)}
    Player.objects.filter(pk=hooked.player_id).update(**quiet)
    hooks.sweep(at=since)
    assert ear.heard == []
    hooks.sweep(at=since + 3 * HOUR)
    assert "turn" in events(ear)


def test_it_calls_whatever_mail_is_wanted(hooked: Webhook, both: Game, ear: Ear) -> None:
    Player.objects.filter(pk=hooked.player_id).update(mail_mode="nothing")
    game = to_alice(both)
    hooks.sweep(at=game.turn_since or AT)
    assert "turn" in events(ear)


def test_it_is_made_by_the_sweep_of_all(hooked: Webhook, ear: Ear, bob: Player) -> None:
    hooked.player.refresh_from_db()
    make_game(hooked.player, bob, at=datetime.now(UTC))
    sweep_all()
    assert len(ear.heard) == 1


# --- Claims ----------------------------------------------------------------------------------------


def test_it_is_for_one_caller_to_make(hooked: Webhook, both: Game, ear: Ear) -> None:
    to_alice(both)
    [*_others, pk] = WebhookCall.objects.order_by("pk").values_list("pk", flat=True)
    at = AT + HOUR * 5
    first = owed.claim(pk, at=at)
    assert first
    assert owed.claim(pk, at=at) is None
    second = owed.claim(pk, at=at + owed.LEASE)
    assert second
    assert second.crashes == first.crashes + 1
    assert not outbox.release(first, State.SENT)
    assert outbox.release(second, State.SENT)


def test_it_forgets_what_was_dealt_with_long_ago(hooked: Webhook, both: Game) -> None:
    to_alice(both)
    hooks.sweep(at=AT + HOUR * 5)
    done = WebhookCall.objects.exclude(state__in=(State.DUE, State.CLAIMED)).count()
    assert hooks.forget_old(at=AT + timedelta(days=20)) == 0
    assert hooks.forget_old(at=AT + timedelta(days=40)) == done > 0

"""What Celery runs, and the same without it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from celery import current_app
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from clans_site.sessions import SessionStore
from games import tasks
from games.models import Game, Move, Notice, Player
from tests.cast import make_game, make_player
from tests.mail.composed import id_of
from tests.mail.post_office import PostOffice


def test_it_is_known_by_the_names_that_are_enqueued() -> None:
    current_app.loader.import_default_modules()
    ours = {name for name in current_app.tasks if name.startswith("games.")}
    names = (
        "send_notice",
        "send_invitation",
        "handle_mail",
        "play_bot_turn",
        "open_next_table",
        "advance_season",
        "call_webhooks",
        "test_webhooks",
        "draw_animations",
    )
    asked = {f"games.tasks.{name}" for name in names}
    assert ours - asked == {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert asked < ours


@pytest.mark.django_db
def test_it_forgets_the_sessions_that_are_over() -> None:
    over, alive = SessionStore(), SessionStore()
    over.set_expiry(timezone.now() - timedelta(minutes=1))
    over.create()
    alive.create()
    tasks.forget_sessions()
    assert list(Session.objects.values_list("pk", flat=True)) == [alive.session_key]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("hours", "changes", "is_kept"),
    [
        (25, {}, False),
        (23, {}, True),
        (25, {"last_login": timezone.now()}, True),
        (25, {"is_superuser": True}, True),
        (25, {"is_staff": True}, True),
    ],
)
def test_it_forgets_sign_ups_that_nobody_has_finished(hours: int, changes: dict[str, Any], is_kept: bool) -> None:
    begun = timezone.now() - timedelta(hours=hours)
    bob = Player.objects.create(username="bob", email="bob@example.com", date_joined=begun, **changes)
    EmailAddress.objects.create(user=bob, email=bob.email)
    tasks.forget_sessions()
    assert Player.objects.filter(pk=bob.pk).exists() is is_kept


@pytest.mark.django_db
def test_it_forgets_nobody_who_is_confirmed_or_sits_at_a_table(alice: Player) -> None:
    bob = make_player("bob")
    make_game(alice, bob)
    carol = make_player("carol")
    EmailAddress.objects.filter(user=bob).update(verified=False)
    Player.objects.update(last_login=None, date_joined=timezone.now() - timedelta(days=2))
    tasks.forget_sessions()
    assert set(Player.objects.all()) == {alice, bob, carol}


def test_it_sends_the_mail_that_is_knocked_for(turn: Notice, post_office: PostOffice) -> None:
    tasks.send_notice(turn.pk)
    tasks.send_notice(turn.pk)
    assert post_office.ids == [id_of(turn)]


def test_it_plays_the_turn_that_is_knocked_for(alice: Player) -> None:
    game = make_game(alice, bots=1, at=timezone.now())
    bot_begins = game.awaited is None
    tasks.play_bot_turn(game.pk)
    assert Move.objects.filter(game=game).count() == bot_begins


@pytest.mark.parametrize("sweep", [tasks.sweep, lambda: call_command("sweep")])
def test_it_sweeps_turns_and_mails_without_a_broker(
    sweep: Callable[[], object], alice: Player, post_office: PostOffice
) -> None:
    game = make_game(alice, bots=2)
    for _turn in range(3):
        sweep()
    game.refresh_from_db()
    assert game.awaited == alice
    assert Notice.objects.get(seat__game=game, kind=Notice.Kind.TURN, ply=game.ply).state == Notice.State.SENT
    assert post_office.to[-1] == "alice@example.com"


def test_it_says_in_one_line_what_a_sweep_did(alice: Player, bob: Player, post_office: PostOffice) -> None:
    make_game(alice, bob)
    said = StringIO()
    call_command("sweep", stdout=said)
    # What is due to one player is one mail.
    assert re.fullmatch(
        "Accounts closed: 0, answers by mail: 0, turns ended: 1, tables closed: 0, reminders owed: 0, "
        "seasons looked after: 0, computer players' turns: 0, "
        r"mails dealt with: [23], webhooks called: 0, animations drawn: 0\n",
        said.getvalue(),
    )


def test_it_lets_no_broken_game_keep_the_other_bots_waiting(
    alice: Player, post_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = make_game(alice, bots=1), make_game(alice, bots=1)
    for game, ago in ((broken, 2), (sound, 1)):
        waiting = game.seats.get(is_bot=True)
        turn_since = timezone.now() - timedelta(hours=ago)
        Game.objects.filter(pk=game.pk).update(
            to_move=waiting.number, first=waiting.number, awaited=None, turn_since=turn_since
        )
    Game.objects.filter(pk=broken.pk).update(huts="r" * 60)
    tasks.sweep()
    assert f"the computer player of game {broken.pk} cannot move" in caplog.text
    assert Move.objects.filter(game=sound).count() == 1

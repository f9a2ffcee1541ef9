"""Messages to the browsers of who is invited to a table, or released from one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time, timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from games import hooks, play
from games.hooks import push
from games.models import Game, Invitation, Player, Webhook, WebhookCall
from games.tasks import sweep_all
from tests.cast import AT, make_player, make_table
from tests.hooks.ear import Ear
from tests.hooks.test_push import Reader, reader

__all__ = ["reader"]

pytestmark = pytest.mark.django_db
State = WebhookCall.State


@pytest.fixture
def table(settings: Settings, alice: Player) -> Game:
    settings.PUSH_KEY = push.new_key()
    return make_table(alice, size=3, is_public=False)


@pytest.fixture
def phone(ear: Ear, table: Game, bob: Player, reader: Reader) -> Webhook:
    """bob's browser; he has a chat's webhook besides, which is for turns."""
    hook = hooks.add_browser(bob, name="Firefox on Android", at=AT, **reader.says(ear.url("/push/1")))
    hooks.add_hook(bob, kind="json", url=ear.url("/json"), at=AT)
    return hook


@pytest.mark.parametrize("to", ["bob", "bob@example.com"])
def test_who_is_invited_is_told_once(
    phone: Webhook, ear: Ear, reader: Reader, table: Game, alice: Player, to: str
) -> None:
    made = play.invite(table, by=alice, to=to, at=AT)
    for _time in range(2):
        hooks.owe_invitations(at=AT)
        hooks.sweep(at=AT)
    [heard] = ear.heard
    said = reader.read(heard)
    assert said["title"] == "alice invites you to play: Friday table"
    assert said["body"] == "alice invites you to a game of Clans."
    assert said["url"].endswith(f"/tables/{table.slug}/")
    assert made.token not in str(said)


def test_who_is_released_is_told(phone: Webhook, ear: Ear, reader: Reader, table: Game, alice: Player) -> None:
    play.join_table(table, player=phone.player, at=AT)
    play.release_player(table, by=alice, name="bob", at=AT)
    hooks.owe_invitations(at=AT)
    hooks.sweep(at=AT)
    [heard] = ear.heard
    assert reader.read(heard)["title"] == "You sit at this table no longer: Friday table"


def test_a_sweep_makes_up_for_a_lost_task(phone: Webhook, ear: Ear, alice: Player) -> None:
    now = timezone.now()
    play.invite(make_table(alice, at=now), by=alice, to="bob", at=now)
    sweep_all()
    assert len(ear.heard) == 1


def _wants(**wishes: object) -> Callable[[Invitation], object]:
    return lambda made: Player.objects.filter(username="bob").update(**wishes)


CHANGES: dict[str, Callable[[Invitation], object]] = {
    "declined": lambda made: play.decline_invitation(made, at=AT),
    "taken back": lambda made: play.withdraw_invitation(made.table, player=made.by, invitation=made.pk, at=AT),
    "closed": lambda made: play.close_table(made.table, player=made.by, at=AT),
    "blocked": lambda made: play.mute_player(Player.objects.get(username="bob"), made.by, blocks=True, at=AT),
    "seated": lambda made: play.join_table(made.table, player=Player.objects.get(username="bob"), at=AT),
    "reminders only": _wants(mail_mode="reminders"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("is_owed", [False, True])
def test_it_goes_only_while_it_is_true_and_wanted(
    phone: Webhook, ear: Ear, table: Game, alice: Player, change: str, is_owed: bool
) -> None:
    made = play.invite(table, by=alice, to="bob", at=AT)
    if is_owed:
        hooks.owe_invitations(at=AT)
        assert WebhookCall.objects.get().state == State.DUE
    CHANGES[change](made)
    hooks.owe_invitations(at=AT)
    hooks.sweep(at=AT)
    assert ear.heard == []
    assert set(WebhookCall.objects.values_list("state", flat=True)) <= {State.SUPERSEDED}


@pytest.mark.parametrize("wishes", [{"mail_mode": "nothing"}, {"mail_bounced_at": AT}])
def test_it_goes_to_who_gets_no_mails(
    phone: Webhook, ear: Ear, table: Game, alice: Player, wishes: dict[str, object]
) -> None:
    Player.objects.filter(username="bob").update(**wishes)
    play.invite(table, by=alice, to="bob", at=AT)
    hooks.owe_invitations(at=AT)
    hooks.sweep(at=AT)
    assert len(ear.heard) == 1


def test_it_waits_until_quiet_hours_are_over(phone: Webhook, ear: Ear, table: Game, alice: Player) -> None:
    Player.objects.filter(username="bob").update(quiet_from=time(19), quiet_until=time(22))
    play.invite(table, by=alice, to="bob", at=AT)
    hooks.owe_invitations(at=AT)
    hooks.sweep(at=AT)
    assert ear.heard == []
    hooks.sweep(at=AT + timedelta(hours=2))
    assert len(ear.heard) == 1


def test_nothing_is_owed_where_nobody_listens(table: Game, alice: Player, bob: Player) -> None:
    make_player("dora")
    for to in ("bob", "erin@example.com", "dora@example.com"):
        play.invite(table, by=alice, to=to, at=AT)
    hooks.owe_invitations(at=AT)
    assert not WebhookCall.objects.exists()
    assert not Invitation.objects.filter(owes_push=True).exists()


def test_who_is_invited_to_a_season_is_told(phone: Webhook, ear: Ear, reader: Reader, alice: Player) -> None:
    season = play.open_season(alice, name="Spring league", size=2, rounds=2, key="1", at=AT)
    play.invite_to_season(season, by=alice, names=("bob",), at=AT)
    hooks.owe_invitations(at=AT)
    hooks.sweep(at=AT)
    [heard] = ear.heard
    said = reader.read(heard)
    assert said["title"] == "alice invites you to a season: Spring league"
    assert said["url"].endswith(season.get_absolute_url())

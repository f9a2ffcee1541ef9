"""Messages to the browsers of who is told by a mail that a season is over or closed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time, timedelta

import pytest
from pytest_django import Settings

from games import hooks, play
from games.hooks import push
from games.models import Player, Season, Webhook, WebhookCall
from tests.cast import AT
from tests.hooks.ear import Ear
from tests.hooks.test_push import Reader, reader

__all__ = ["reader"]

pytestmark = pytest.mark.django_db
State = WebhookCall.State


@pytest.fixture
def phone(ear: Ear, settings: Settings, bob: Player, reader: Reader) -> Webhook:
    """bob's browser; he has a program's webhook besides, which is for games."""
    settings.PUSH_KEY = push.new_key()
    hook = hooks.add_browser(bob, name="Firefox on Android", at=AT, **reader.says(ear.url("/push/1")))
    hooks.add_hook(bob, kind="json", url=ear.url("/json"), at=AT)
    return hook


@pytest.fixture
def season(phone: Webhook, alice: Player) -> Season:
    """Open, by alice, with bob in it."""
    season = play.open_season(alice, name="Spring league", size=2, rounds=1, plays=False, key="1", at=AT)
    play.join_season(season, player=phone.player, at=AT)
    return season


def test_who_had_joined_is_told_once_that_it_is_closed(season: Season, ear: Ear, reader: Reader) -> None:
    play.close_season(season, by=season.opener, at=AT)
    for _time in range(2):
        hooks.sweep(at=AT)
    [heard] = ear.heard
    said = reader.read(heard)
    assert said["title"] == "The season will not be played: Spring league"
    assert said["body"] == "The season Spring league will not be played."
    assert said["url"].endswith(season.get_absolute_url())


def test_an_opener_who_does_not_play_is_told_of_the_end(
    season: Season, ear: Ear, reader: Reader, phone: Webhook
) -> None:
    Season.objects.update(opener=phone.player, status="running", started_at=AT)
    season.entrants.all().delete()
    play.advance_season(season.pk, at=AT)
    hooks.sweep(at=AT)
    [heard] = ear.heard
    assert reader.read(heard)["title"] == "The season is over: Spring league"


CHANGES: dict[str, Callable[[Webhook], object]] = {
    "reminders alone": lambda hook: Player.objects.filter(pk=hook.player_id).update(mail_mode="reminders"),
    "switched off": lambda hook: Webhook.objects.filter(pk=hook.pk).update(is_on=False),
    "locked out": lambda hook: Player.objects.filter(pk=hook.player_id).update(is_active=False),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("late", [False, True])
def test_who_does_not_want_it_is_not_told(season: Season, ear: Ear, phone: Webhook, change: str, late: bool) -> None:
    if not late:
        CHANGES[change](phone)
    play.close_season(season, by=season.opener, at=AT)
    if late:
        CHANGES[change](phone)
    hooks.sweep(at=AT)
    assert ear.heard == []
    assert list(WebhookCall.objects.values_list("state", flat=True)) == [State.SUPERSEDED] * late


def test_it_waits_for_the_morning(season: Season, ear: Ear, phone: Webhook) -> None:
    Player.objects.filter(pk=phone.player_id).update(quiet_from=time(20), quiet_until=time(8))
    play.close_season(season, by=season.opener, at=AT)
    hooks.sweep(at=AT)
    assert ear.heard == []
    hooks.sweep(at=AT + timedelta(hours=12))
    assert len(ear.heard) == 1

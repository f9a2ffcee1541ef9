"""What a player is told of the notifications in their browsers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import travel

from games import play
from games.models import Game, Player, Webhook, WebhookCall
from tests.cast import AT, make_table
from tests.pages.helpers import links, seat_of, soup

pytestmark = pytest.mark.django_db

NOW = AT + timedelta(hours=2)
FIREFOX = "Firefox on Android"


def browser(player: Player, name: str = FIREFOX) -> Webhook:
    keys = {"public_key": "a key", "browser_secret": "a secret", "name": name}
    url = f"https://push.example.com/{player.pk}"
    return Webhook.objects.create(player=player, kind=Webhook.Kind.PUSH, url=url, created_at=AT, **keys)


def owe(hook: Webhook, game: Game, **fields: Any) -> WebhookCall:
    usual = {"kind": "turn", "ply": 0, "created_at": AT, "due_at": AT, "seat": seat_of(game, hook.player)}
    return WebhookCall.objects.create(hook=hook, **(usual | fields))


def rows(client: Client, player: Player) -> list[list[str]]:
    client.force_login(player)
    with travel(NOW, tick=False):
        page = soup(client.get(reverse("browsers")))
    return [[cell.get_text(" ", strip=True) for cell in row.select("th, td")] for row in page.select("tbody tr")]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"state": "sent"}, "Sent to Firefox on Android"),
        ({"state": "superseded"}, "Not sent to Firefox on Android: it was no longer needed"),
        (
            {"state": "quarantined", "error": "slow"},
            f"{FIREFOX} did not get it: the host did not answer in time",
        ),
        ({"state": "quarantined"}, "Firefox on Android did not get it: it failed again and again"),
        ({}, "On its way to Firefox on Android"),
        ({"due_at": NOW + timedelta(hours=1)}, "Goes to Firefox on Android"),
    ],
)
def test_it_says_what_became_of_a_message(
    client: Client, game: Game, alice: Player, fields: dict[str, Any], said: str
) -> None:
    owe(browser(alice), game, **fields)
    [[what, state, happened]] = rows(client, alice)
    assert what == f"Your turn (move 1) {game.name}"
    assert state.startswith(said)
    assert happened.startswith("2\N{NO-BREAK SPACE}hours\N{NO-BREAK SPACE}ago")


def test_it_tells_of_ones_own_browsers_alone_newest_first(
    client: Client, game: Game, alice: Player, bob: Player
) -> None:
    program = Webhook.objects.create(player=alice, kind="discord", url="https://chat.example.com/", created_at=AT)
    for hook in (browser(bob), program):
        owe(hook, game)
    assert rows(client, alice) == []
    hook = browser(alice)
    owe(hook, game)
    fellow = {"kind": "resigned", "about": seat_of(game, bob).number, "created_at": AT + timedelta(hours=1)}
    owe(hook, game, **fellow)
    assert [what for what, _state, _when in rows(client, alice)] == [
        f"bob has resigned {game.name}",
        f"Your turn (move 1) {game.name}",
    ]


def test_it_tells_of_an_invitation(client: Client, alice: Player, bob: Player) -> None:
    table = make_table(bob)
    made = play.invite(table, by=bob, to="alice", at=AT)
    about = {"kind": "", "ply": 0, "created_at": AT, "due_at": AT, "state": "sent"}
    WebhookCall.objects.create(hook=browser(alice), invitation=made, **about)
    [[what, state, _happened]] = rows(client, alice)
    assert (what, state) == (f"Invitation {table.name}", "Sent to Firefox on Android")


def test_it_tells_of_a_release(client: Client, alice: Player, bob: Player) -> None:
    table = make_table(bob)
    play.join_table(table, player=alice, at=AT)
    play.release_player(table, by=bob, name="alice", at=AT)
    about = {"kind": "", "ply": 0, "created_at": AT, "due_at": AT, "state": "sent"}
    WebhookCall.objects.create(hook=browser(alice), invitation=table.invitations.get(), **about)
    [[what, _state, _happened]] = rows(client, alice)
    assert what == f"Released from the table {table.name}"


def test_it_tells_of_the_end_of_a_season(client: Client, alice: Player, bob: Player) -> None:
    browser(alice)
    season = play.open_season(bob, name="Spring league", size=2, rounds=3, key="1", at=AT)
    play.join_season(season, player=alice, at=AT)
    play.close_season(season, by=bob, at=AT)
    [[what, state, _happened]] = rows(client, alice)
    assert (what, state) == ("The season will not be played Spring league", f"On its way to {FIREFOX}")
    assert season.get_absolute_url() in links(client.get(reverse("browsers")))


def test_it_tells_of_an_invitation_to_a_season(client: Client, alice: Player, bob: Player) -> None:
    season = play.open_season(bob, name="Spring league", size=2, rounds=2, key="1", at=AT)
    play.invite_to_season(season, by=bob, names=("alice",), at=AT)
    about = {"kind": "", "ply": 0, "created_at": AT, "due_at": AT, "state": "sent"}
    WebhookCall.objects.create(hook=browser(alice), invitation=season.invitations.get(), **about)
    [[what, state, _happened]] = rows(client, alice)
    assert (what, state) == ("Invitation Spring league", "Sent to Firefox on Android")
    assert season.get_absolute_url() in links(client.get(reverse("browsers")))

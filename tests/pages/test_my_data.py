"""All that the site stores about a player, as a file for that player."""

from __future__ import annotations

import json
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import models
from django.test import Client

from games import play
from games.models import (
    ApiToken,
    Entrant,
    Event,
    Favorite,
    FormerName,
    Game,
    InboundMail,
    Invitation,
    Mail,
    Move,
    Mute,
    Note,
    Notice,
    Player,
    Postcard,
    Rating,
    Report,
    SeasonMail,
    Seat,
    Suspicion,
    Vacation,
    Webhook,
    WebhookCall,
    find_turn_token,
    make_turn_token,
)
from tests.cast import AT, make_game, make_table, play_random
from tests.pages.helpers import links, seat_of

pytestmark = pytest.mark.django_db

URL = "/preferences/data/"
LEASE = ("claim", "lease_until", "attempts", "crashes")
WITHHELD = {
    Player: {"password", "feed_key"},
    EmailAddress: {"id", "user"},
    Authenticator: {"id", "user", "data"},
    UserSession: {"id", "user", "session_key", "data"},
    Vacation: {"id", "player"},
    Webhook: {"player", "url", "secret", "public_key", "browser_secret"},
    WebhookCall: {"id", "seat", "invitation", "season_mail", *LEASE},
    FormerName: {"id", "player", "look"},
    Mail: {"id", "player", *LEASE, "headers", "pictures", "packed_text", "packed_html"},
    Invitation: {
        *("id", "game", "season", "by", "player", *LEASE),
        *("state", "due_at", "sent_at", "error", "token", "digest", "message_id", "owes_push"),
        *("subject", "headers", "pictures", "packed_text", "packed_html"),
    },
    Game: set(),
    Seat: {"id", "game", "player", "share", "dealt_name"},
    Move: {"id", "game", "seat", "key", "previous_hash"},
    Event: {"id", "game", "seat"},
    Notice: {"id", "seat", "mail"},
    Note: {"seat"},
    Postcard: {"id", "game", "seat"},
    Favorite: {"id", "player", "other"},
    Mute: {"id", "player", "other"},
    Report: {"id", "reporter", "about", "postcard", "game", "text", "notes"},
    Suspicion: {"id", "seat"},
    Rating: {"player"},
    Entrant: {"id", "season", "player"},
    ApiToken: {"id", "player", "digest"},
    InboundMail: {"id", "player", "token", "notice", "fingerprint", "packed", *LEASE},
}
"""Secrets, keys by which nothing is found, and what is not about the player. Whatever else there is, the file has."""


def data_of(player: Player) -> dict[str, Any]:
    client = Client()
    client.force_login(player)
    response = client.get(URL)
    assert response.status_code == 200
    found: dict[str, Any] = json.loads(response.content)
    return found


@pytest.fixture
def full(game: Game, alice: Player) -> Game:
    """A running game in which there is something of each kind of alice's."""
    play_random(game, 6)
    seat = seat_of(game, alice)
    play.write_note(game, player=alice, text="bob looks red to me", seen="", at=AT)
    play.write_postcard(game, player=alice, text="nobody suspects me", at=AT)
    bob = Player.objects.get(username="bob")
    bobs = play.write_postcard(game, player=bob, text="s3cr3t", at=AT)
    play.report_postcard(bobs, player=alice, reason="it smells", at=AT)
    play.add_favorite(alice, bob.pk, at=AT)
    play.mute_player(alice, bob, blocks=False, at=AT)
    play.agree_to_abandon(game, player=alice, agrees=True, at=AT)
    other = next(number for number in range(3) if number != seat.number)
    clan = next(clan for clan in Seat.Clan.values if clan != seat.clan)
    play.mark_suspicion(game, player=alice, about=other, clan=clan, mark="suspected", at=AT)
    Vacation.objects.create(player=alice, starts_at=AT, ends_at=AT.replace(day=9), days=7, created_at=AT)
    hook = Webhook.objects.create(
        player=alice, kind="json", url="https://example.com/hook/s3cr3t-path", secret="s3cr3t-of-hook", created_at=AT
    )
    WebhookCall.objects.create(hook=hook, seat=seat, kind="turn", ply=3, created_at=AT, due_at=AT)
    Authenticator.objects.create(user=alice, type="totp", data={"secret": "s3cr3t-totp"})
    UserSession.objects.create(user=alice, ip="192.0.2.7", user_agent="Firefox/1", session_key="s3cr3t-session")
    alice.feed_key = "s3cr3t-feed".ljust(43, "x")
    alice.save()
    play.invite(make_table(alice), by=alice, to="dora@example.com", at=AT)
    play.open_season(alice, name="Spring league", size=2, rounds=3, key="s3cr3t", at=AT)
    Rating.objects.create(player=alice, games=1, curve=[[1, 1500, 250, "2026-03-02"]])
    Mail.objects.create(
        player=alice,
        message_id="<a@localhost>",
        subject="Your turn",
        headers=[["List-Unsubscribe", "s3cr3t-link"]],
        state="sent",
        created_at=AT,
        due_at=AT,
        sent_at=AT,
    )
    return game


def test_it_is_a_file_that_nobody_keeps(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert URL in links(client.get("/preferences/"))
    response = client.get(URL)
    assert response["Content-Type"] == "application/json"
    assert response["Content-Disposition"] == 'attachment; filename="clans-alice.json"'
    assert "no-store" in response["Cache-Control"]


def test_a_player_takes_it_at_most_20_times_an_hour(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    with time_machine.travel(AT, tick=False) as traveller:
        assert [client.get(URL).status_code for _ in range(21)] == [200] * 20 + [429]
        client.force_login(bob)
        assert client.get(URL).status_code == 200
        client.force_login(alice)
        traveller.shift(3601)
        assert client.get(URL).status_code == 200


def test_it_has_what_the_player_has_written_and_done(full: Game, alice: Player) -> None:
    found = data_of(alice)
    seat = seat_of(full, alice)
    game = found["games"][-1]
    assert found["player"]["email"] == found["addresses"][0]["email"] == "alice@example.com"
    assert (game["game"]["slug"], game["seat"]["clan"], game["seat"]["entropy"]) == (
        full.slug,
        seat.clan,
        "words of alice",
    )
    assert [move["text"] for move in game["moves"]] == list(
        full.moves.filter(seat=seat.number or 0).order_by("ply").values_list("text", flat=True)
    )
    assert [postcard["text"] for postcard in game["postcards"]] == ["nobody suspects me"]
    assert found["favorites"][0]["name"] == found["muted"][0]["name"] == "bob"
    assert found["reports"][0]["reason"] == "it smells"
    assert game["note"]["text"] == "bob looks red to me"
    assert [mark["mark"] for mark in game["marks"]] == ["suspected"]
    assert {notice["kind"] for notice in game["notices"]} <= set(Notice.Kind.values)
    assert game["notices"]
    assert found["mails"][0]["subject"] == "Your turn"
    assert found["sessions"][0]["ip"] == "192.0.2.7"
    assert found["webhooks"][0]["address"] == "example.com/…path"
    assert found["webhooks"][0]["calls"][0]["kind"] == "turn"
    assert found["second_factors"][0]["type"] == "totp"
    assert found["vacations"][0]["days"] == 7
    assert found["has_feeds"] is True
    assert found["invitations"][0]["address"] == "dora@example.com"
    assert found["invitations_to_you"] == []
    [season] = found["seasons"]
    assert (season["name"], season["opened_by_you"]) == ("Spring league", True)
    assert found["rating"]["curve"] == [[1, 1500, 250, "2026-03-02"]]


def test_it_has_when_a_mail_told_that_a_season_was_closed(alice: Player, bob: Player) -> None:
    season = play.open_season(alice, name="Spring league", size=2, rounds=1, key="1", at=AT)
    play.join_season(season, player=bob, at=AT)
    play.close_season(season, by=alice, at=AT)
    SeasonMail.objects.update(state="sent", sent_at=AT)
    told = [data_of(player)["seasons"][0]["told_of_end_at"] for player in (alice, bob)]
    assert told == [None, "2026-03-02T20:00:00Z"]


def test_it_has_a_season_that_the_player_only_opened(alice: Player, bob: Player) -> None:
    season = play.open_season(alice, name="Spring league", size=2, rounds=1, plays=False, key="1", at=AT)
    play.join_season(season, player=bob, at=AT)
    [opened], [played] = (data_of(player)["seasons"] for player in (alice, bob))
    assert (opened["name"], opened["opened_by_you"], opened["joined_at"]) == ("Spring league", True, None)
    assert (played["opened_by_you"], played["joined_at"]) == (False, "2026-03-02T20:00:00Z")


def take_in(player: Player, seat: Seat) -> None:
    """Store a mail by which `player` answers."""
    secret = make_turn_token(player, {1: seat}, use="answer", at=AT)
    token = find_turn_token(secret, "answer")
    assert token is not None
    InboundMail.objects.create(
        token=token,
        player=player,
        received_at=AT,
        due_at=AT,
        sender="alice@example.com",
        packed=InboundMail.pack(b"C4-D1"),
        size=5,
        fingerprint="s3cr3t",
    )


def test_it_has_the_answers_by_mail_as_long_as_they_are_stored(full: Game, alice: Player) -> None:
    take_in(alice, seat_of(full, alice))
    [mail] = data_of(alice)["mails_from_you"]
    assert (mail["mail"], mail["size"], mail["sender"]) == ("C4-D1", 5, "alice@example.com")


def test_it_has_no_secret_and_nothing_of_others(full: Game, alice: Player, bob: Player, carol: Player) -> None:
    play.write_note(full, player=bob, text="a note of bob", seen="", at=AT)
    text = json.dumps(data_of(alice), ensure_ascii=False)
    deal = full.deal
    secrets = [alice.password, bytes(deal.seed).hex(), *deal.salts, "s3cr3t", "a note of bob", "words of bob"]
    assert [secret for secret in (*secrets, bob.email, carol.email) if secret in text] == []
    assert '"seats"' not in text


def test_it_is_the_same_whatever_cards_others_hold(full: Game, alice: Player) -> None:
    before = data_of(alice)
    unused = next(clan for clan in Seat.Clan.values if clan not in set(full.seats.values_list("clan", flat=True)))
    first, second = full.seats.exclude(player=alice).order_by("number")
    Seat.objects.filter(pk=second.pk).update(clan=unused)
    Seat.objects.filter(pk=first.pk).update(clan=second.clan)
    full.deal.seed = bytes(32)
    full.deal.save()
    after = data_of(alice)
    assert after["games"] == before["games"]


@pytest.mark.parametrize("kind", WITHHELD, ids=lambda kind: kind.__name__)
def test_it_leaves_out_only_what_is_declared(full: Game, alice: Player, kind: type[models.Model]) -> None:
    """A new column is in the file, or somebody decides here that it is not."""
    if kind is FormerName:
        play.rename_player(alice, "Ysolde", at=AT)
    if kind is ApiToken:
        play.make_api_token(alice, name="a program", at=AT)
    if kind is InboundMail:
        take_in(alice, seat_of(full, alice))
    found = data_of(alice)
    game = found["games"][-1]
    rows = {
        Player: found["player"],
        EmailAddress: found["addresses"][0],
        Authenticator: found["second_factors"][0],
        UserSession: found["sessions"][0],
        Vacation: found["vacations"][0],
        Webhook: found["webhooks"][0],
        WebhookCall: found["webhooks"][0]["calls"][0],
        FormerName: next(iter(found["former_names"]), {}),
        Mail: found["mails"][0],
        Invitation: found["invitations"][0],
        Seat: game["seat"],
        Move: game["moves"][0],
        Event: game["events"][0],
        Notice: game["notices"][0],
        Note: game["note"],
        Postcard: game["postcards"][0],
        Favorite: found["favorites"][0],
        Mute: found["muted"][0],
        Report: found["reports"][0],
        Suspicion: game["marks"][0],
        Rating: found["rating"],
        Entrant: found["seasons"][0],
        ApiToken: next(iter(found["api_tokens"]), {}),
        InboundMail: next(iter(found["mails_from_you"]), {}),
    }
    if kind is Game:
        assert set(game["game"]) == {"slug", "name", "status", "is_public", "started_at", "ended_at", "opened_by_you"}
        return
    fields = kind._meta.concrete_fields
    assert {field.name for field in fields if field.attname not in rows[kind]} == WITHHELD[kind]


def test_it_costs_as_many_queries_for_many_games(
    full: Game, alice: Player, bob: Player, django_assert_max_num_queries: Any
) -> None:
    for _ in range(4):
        make_game(alice, bob)
    client = Client()
    client.force_login(alice)
    with django_assert_max_num_queries(19):
        assert len(json.loads(client.get(URL).content)["games"]) == 6

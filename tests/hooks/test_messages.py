"""What a call says, to programs and to chats."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta

from pytest_django import Settings

from games import hooks, play
from games.hooks import payload
from games.models import Game, Player, Seat, Webhook, WebhookCall
from tests.cast import AT, make_table, play_random
from tests.hooks.ear import Ear
from tests.hooks.helpers import add, last_turn, payload_of, to_alice

State = WebhookCall.State
Kind = Webhook.Kind


def test_it_tells_programs_what_docs_tell(hooked: Webhook, both: Game, ear: Ear, settings: Settings) -> None:
    game = to_alice(play_random(both, 4))
    assert game.turn_since
    hooks.sweep(at=game.turn_since)
    heard = last_turn(ear)
    said = payload_of(heard)
    assert said["format"] == "clans-hook/1"
    assert said["event"] == heard.headers["X-Clans-Event"] == "turn"
    assert said["id"] == heard.headers["X-Clans-Id"] == f"{game.slug}-turn-{game.ply}-0"
    url = f"{settings.SITE_URL}{game.get_absolute_url()}"
    assert said["table"] == {"name": game.name, "slug": game.slug, "url": url}
    assert said["seat"] == {"number": game.to_move, "name": "alice"}
    assert said["ply"] == game.ply
    assert game.free_until
    assert game.due_at
    assert datetime.fromisoformat(str(said["free_until"])) == game.free_until.replace(microsecond=0)
    assert datetime.fromisoformat(str(said["due_at"])) == game.due_at.replace(microsecond=0)
    moves = said["moves"]
    assert isinstance(moves, list)
    last = game.moves.latest("ply")
    assert moves[-1]["move"] == last.text
    assert moves[-1]["words"].startswith("bob moved")


def test_it_signs_for_programs(hooked: Webhook, both: Game, ear: Ear) -> None:
    at = AT + timedelta(days=1)
    to_alice(both)
    hooks.sweep(at=at)
    heard = last_turn(ear)
    moment, code = (part.split("=")[1] for part in heard.headers["X-Clans-Signature"].split(","))
    assert int(moment) == int(at.timestamp())
    signed = f"{moment}.".encode() + heard.body
    assert code == hmac.new(hooked.secret.encode(), signed, hashlib.sha256).hexdigest()


def test_it_speaks_to_chats_in_their_own_way(ear: Ear, alice: Player, bob: Player) -> None:
    for kind in (Kind.DISCORD, Kind.SLACK):
        add(alice, ear.url(f"/{kind}"), kind)
    alice.refresh_from_db()
    make_table(alice, size=2, name="<!channel> & *@everyone* [x](https://y)")
    game = Game.objects.get()
    play.join_table(game, player=bob, entropy="words", at=AT)
    game.refresh_from_db()
    game = to_alice(game)
    hooks.sweep(at=game.turn_since or AT)
    said = {heard.path: payload_of(heard) for heard in ear.heard if "urn" in heard.body.decode()}
    discord, slack = said["/discord"], said["/slack"]
    assert discord["allowed_mentions"] == {"parse": []}
    assert "\\<!channel\\> & \\*@everyone\\* \\[x\\](https:\u200b//y)" in str(discord["content"])
    assert set(slack) == {"text", "mrkdwn"}
    assert "&lt;!channel&gt; &amp; *@\u200beveryone*" in str(slack["text"])
    for text in (discord["content"], slack["text"]):
        assert str(text).endswith(game.get_absolute_url())
        assert "https://" not in str(text)
    assert all("X-Clans-Signature" not in heard.headers for heard in ear.heard)


def test_it_lets_no_name_begin_a_list() -> None:
    short = payload.Content("turn", "id", "title", ("-dash moved A1 to A2.", "a-b"), "https://clans.example/t/", {})
    said = json.loads(payload.write(short, Webhook(kind=Kind.DISCORD), at=AT).body)["content"]
    assert said.splitlines()[1:3] == ["\\-dash moved A1 to A2.", "a-b"]


def test_it_tells_a_chat_no_more_than_it_takes() -> None:
    hook = Webhook(kind=Kind.DISCORD)
    for length in range(1900, 2100):
        long = payload.Content("turn", "id", "*" * length, ("_" * 99,), "https://clans.example/t/", {})
        said = json.loads(payload.write(long, hook, at=AT).body)["content"]
        assert len(said) <= 2000
        assert said.endswith("\nhttps://clans.example/t/")
        assert "\\…" not in said


def test_it_tells_a_name_of_several_lines_on_one(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    Game.objects.filter(pk=game.pk).update(name="Friday\r\nYour account\x07 is closed")
    hooks.sweep(at=game.turn_since or AT)
    said = payload_of(last_turn(ear))
    assert said["table"] == {**dict(said["table"]), "name": "Friday Your account is closed"}  # type: ignore[call-overload]
    assert "Friday Your account is closed" in str(said["title"])


def test_it_speaks_by_the_clock_of_its_player(hooked: Webhook, both: Game, ear: Ear) -> None:
    Player.objects.filter(pk=hooked.player_id).update(time_zone="Pacific/Kiritimati")
    game = to_alice(both)
    hooks.sweep(at=game.turn_since or AT)
    assert game.free_until
    there = game.free_until.astimezone(UTC) + timedelta(hours=14)
    assert f"{there:%H:%M}" in str(payload_of(last_turn(ear))["text"])


def test_it_tells_the_same_whoever_holds_which_clan(hooked: Webhook, both: Game, ear: Ear) -> None:
    game = to_alice(both)
    at = game.turn_since or AT
    hooks.sweep(at=at)
    one = last_turn(ear).body
    WebhookCall.objects.update(state=State.DUE)
    seats = list(Seat.objects.filter(game=game).order_by("pk"))
    cards = [seat.clan for seat in seats]
    for seat, number in zip(seats, [seat.number for seat in seats], strict=True):
        Seat.objects.filter(pk=seat.pk).update(clan="", number=None)
        seat.number = number
    for seat, card in zip(seats, reversed(cards), strict=True):
        Seat.objects.filter(pk=seat.pk).update(clan=card, number=seat.number)
    hooks.sweep(at=at)
    assert last_turn(ear).body == one

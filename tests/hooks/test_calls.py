"""Calls of webhooks: owed with the move, made by the sweep, tried again, given up."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from datetime import UTC, datetime, time, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from games import hooks, play
from games.hooks import delivery, message, owed
from games.models import Game, Notice, Player, Seat, Webhook, WebhookCall
from games.tasks import sweep_all
from tests.cast import AT, make_game, make_player, make_table, play_random, seat_to_move
from tests.hooks.ear import Ear, Heard, open_ear

State = WebhookCall.State
Kind = Webhook.Kind
HOUR = timedelta(hours=1)


def add(player: Player, url: str, kind: str = Kind.JSON) -> Webhook:
    return hooks.add_hook(player, kind=kind, url=url, at=AT)


def told(heard: Heard) -> dict[str, object]:
    found = json.loads(heard.body)
    assert isinstance(found, dict)
    return found


def events(ear: Ear) -> list[object]:
    return [told(heard)["event"] for heard in ear.heard]


def last_turn(ear: Ear) -> Heard:
    """The last call to a turn."""
    return [heard for heard in ear.heard if heard.headers["X-Clans-Event"] == "turn"][-1]


@pytest.fixture
def hooked(ear: Ear, alice: Player) -> Webhook:
    """A webhook of alice's, before she sits anywhere."""
    return add(alice, ear.url())


@pytest.fixture
def both(hooked: Webhook, alice: Player, bob: Player) -> Game:
    """A game of alice, who has a webhook, and bob, who has none."""
    alice.refresh_from_db()
    return make_game(alice, bob)


def to_alice(game: Game) -> Game:
    """The game, when it is alice's turn."""
    return game if seat_to_move(game).name == "alice" else play_random(game, 1)


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


# --- What is said ----------------------------------------------------------------------------------


def test_it_tells_programs_what_docs_tell(hooked: Webhook, both: Game, ear: Ear, settings: Settings) -> None:
    game = to_alice(play_random(both, 4))
    assert game.turn_since
    hooks.sweep(at=game.turn_since)
    heard = last_turn(ear)
    said = told(heard)
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
    said = {heard.path: told(heard) for heard in ear.heard if "urn" in heard.body.decode()}
    discord, slack = said["/discord"], said["/slack"]
    assert discord["allowed_mentions"] == {"parse": []}
    assert "\\<!channel\\> & \\*@everyone\\* \\[x\\](https:\u200b//y)" in str(discord["content"])
    assert set(slack) == {"text", "mrkdwn"}
    assert "&lt;!channel&gt; &amp; *@everyone*" in str(slack["text"])
    for text in (discord["content"], slack["text"]):
        assert str(text).endswith(game.get_absolute_url())
        assert "https://" not in str(text)
    assert all("X-Clans-Signature" not in heard.headers for heard in ear.heard)


def test_it_lets_no_name_begin_a_list() -> None:
    told_so = message.Told("turn", "id", "title", ("-dash moved A1 to A2.", "a-b"), "https://clans.example/t/", {})
    said = json.loads(message.write(told_so, Webhook(kind=Kind.DISCORD), at=AT).body)["content"]
    assert said.splitlines()[1:3] == ["\\-dash moved A1 to A2.", "a-b"]


def test_it_tells_a_chat_no_more_than_it_takes() -> None:
    hook = Webhook(kind=Kind.DISCORD)
    for length in range(1900, 2100):
        told_much = message.Told("turn", "id", "*" * length, ("_" * 99,), "https://clans.example/t/", {})
        said = json.loads(message.write(told_much, hook, at=AT).body)["content"]
        assert len(said) <= 2000
        assert said.endswith("\nhttps://clans.example/t/")
        assert "\\…" not in said


def test_it_speaks_by_the_clock_of_its_player(hooked: Webhook, both: Game, ear: Ear) -> None:
    Player.objects.filter(pk=hooked.player_id).update(time_zone="Pacific/Kiritimati")
    game = to_alice(both)
    hooks.sweep(at=game.turn_since or AT)
    assert game.free_until
    there = game.free_until.astimezone(UTC) + timedelta(hours=14)
    assert f"{there:%H:%M}" in str(told(last_turn(ear))["text"])


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


# --- What comes of it ------------------------------------------------------------------------------


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
    ids = [told(heard)["id"] for heard in ear.heard]
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
    assert [(call.state, call.attempts) for call in calls] == [(State.FAILED, delivery.MAX_ATTEMPTS)]


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
    assert f"webhook {hook.pk} (json) of alice: refused 500" in caplog.text
    assert "a-secret" not in caplog.text
    assert hook.secret not in caplog.text


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
    assert second.attempts == first.attempts + 1
    assert not owed.release(first, State.SENT)
    assert owed.release(second, State.SENT)


def test_it_forgets_what_was_dealt_with_long_ago(hooked: Webhook, both: Game) -> None:
    to_alice(both)
    hooks.sweep(at=AT + HOUR * 5)
    done = WebhookCall.objects.exclude(state__in=(State.DUE, State.CLAIMED)).count()
    assert hooks.forget_old(at=AT + timedelta(days=20)) == 0
    assert hooks.forget_old(at=AT + timedelta(days=40)) == done > 0


# --- What players do -------------------------------------------------------------------------------


def test_it_keeps_a_few_for_each_player(alice: Player, bob: Player) -> None:
    for number in range(hooks.MOST_HOOKS):
        add(alice, f"https://hooks.example/{number}")
    with pytest.raises(hooks.TooMany):
        add(alice, "https://hooks.example/more")
    with pytest.raises(hooks.KnownAlready):
        add(alice, "https://hooks.example/1")
    add(bob, "https://hooks.example/1")
    hooks.remove_hook(alice.webhooks.all()[0])
    add(alice, "https://hooks.example/more")


def test_it_makes_a_secret_for_programs_alone(alice: Player) -> None:
    first, second = add(alice, "https://hooks.example/1"), add(alice, "https://hooks.example/2")
    assert len(first.secret) == 43
    assert first.secret != second.secret
    assert add(alice, "https://hooks.example/3", Kind.SLACK).secret == ""


def test_it_refuses_an_address_that_is_never_called(alice: Player) -> None:
    with pytest.raises(hooks.Refused):
        add(alice, "http://hooks.example/")
    assert not Webhook.objects.exists()


def test_it_tests_at_once_and_not_too_often(hooked: Webhook, ear: Ear) -> None:
    assert hooks.test_hook(hooked, at=AT).is_taken
    assert told(ear.heard[0])["event"] == "test"
    with pytest.raises(hooks.TooSoon):
        hooks.test_hook(hooked, at=AT + timedelta(seconds=9))
    other = add(hooked.player, ear.url("/other"))
    with pytest.raises(hooks.TooSoon):
        hooks.test_hook(other, at=AT + timedelta(seconds=9))
    assert hooks.test_hook(other, at=AT + timedelta(seconds=10)).is_taken


def test_it_needs_no_table_for_a_test(db: None, ear: Ear) -> None:
    hook = add(make_player("dave"), ear.url(), Kind.DISCORD)
    assert hooks.test_hook(hook, at=AT).is_taken
    assert "Nothing is asked of you" in str(told(ear.heard[0])["content"])

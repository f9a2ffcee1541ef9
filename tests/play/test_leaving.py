"""Closing an account: what becomes of seats, tables and names, and what nobody finds any more (design 2.4)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from games import hooks, mail, play
from games.models import Game, Mute, Notice, Player, Report, Seat
from games.play import leaving
from tests.cast import AT, make_game, make_player, make_table, play_out, play_random, seat_to_move
from tests.faults import memory

LATER = AT + timedelta(days=2)


def close(player: Player) -> Player:
    """The player with the account closed."""
    play.close_account(player, at=LATER)
    return Player.objects.get(pk=player.pk)


def names(game: Game) -> set[str]:
    return set(game.seats.values_list("name", flat=True))


def now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def rows_with(text: str) -> list[str]:
    """Every row of the database in which `text` stands, in whatever case."""
    rows = [f"{table} {row}" for table, found in memory.dump().items() for row in found]
    return [row for row in rows if text in row.lower()]


def test_it_lets_a_computer_player_take_over(game: Game, alice: Player, bob: Player) -> None:
    seat = game.seats.get(player=alice)
    closed = close(alice)
    seat.refresh_from_db()
    assert (seat.name, seat.is_bot, seat.resigned_at, seat.player) == (closed.username, True, LATER, closed)
    assert closed.username == f"former-{alice.pk}"
    assert now(game).status == Game.Status.RUNNING
    assert "bob" in names(game)


def test_it_calls_a_computer_player_to_the_turn_that_runs(game: Game) -> None:
    seat = seat_to_move(game)
    assert seat.player is not None
    close(seat.player)
    assert now(game).awaited is None
    assert play.play_bot_turn(game.pk, at=LATER) is not None
    assert mail.faults(at=AT) == []


def test_it_ends_the_game_that_nobody_else_plays(alice: Player) -> None:
    game = make_game(alice, bots=2)
    close(alice)
    assert (now(game).status, now(game).end) == (Game.Status.FINISHED, Game.End.ABANDONED)


def test_it_closes_its_tables_and_gives_up_seats_at_others(alice: Player, bob: Player, carol: Player) -> None:
    own, others = make_table(alice), make_table(bob)
    play.join_table(others, player=alice, at=AT)
    play.join_table(own, player=carol, at=AT)
    closed = close(alice)
    assert now(own).status == Game.Status.CLOSED
    assert names(own) == {closed.username, "carol"}
    assert (now(others).status, names(others)) == (Game.Status.OPEN, {"bob"})
    assert now(own).opener == closed
    told = Notice.objects.filter(kind=Notice.Kind.EXPIRED).values_list("seat__player__username", "state")
    assert list(told) == [("carol", "due")]


def test_it_keeps_finished_games_under_another_name(alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    before = [(seat.clan, seat.total, seat.rank) for seat in game.seats.order_by("number")]
    closed = close(alice)
    assert [(seat.clan, seat.total, seat.rank) for seat in game.seats.order_by("number")] == before
    assert names(game) == {closed.username, "bob"}
    assert not game.seats.get(player=closed).is_bot


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("alice’s table", "{}’s table"),
        ("Alice & Bob.", "{} & Bob."),
        ("alice2 against malice", "alice2 against malice"),
        ("alice.b, al-alice", "alice.b, al-alice"),
        ("x" * 54 + " alice", "x" * 54 + " forme"),
    ],
)
def test_it_renames_tables_that_are_called_after_it(alice: Player, bob: Player, name: str, after: str) -> None:
    game = make_table(bob, name=name)
    play.join_table(game, player=alice, at=AT)
    play.join_table(game, player=make_player("dora"), at=AT)
    closed = close(alice)
    assert now(game).name == after.format(closed.username)


def test_it_leaves_tables_of_others_their_names(alice: Player, bob: Player) -> None:
    game = make_table(bob, name="alice the cat")
    close(alice)
    assert now(game).name == "alice the cat"


def test_it_removes_all_that_is_the_players_own(client: Client, game: Game, alice: Player) -> None:
    """No row of any table has the name or the address any more, in a text or inside something else."""
    client.force_login(alice)
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    hooks.add_hook(alice, kind="json", url="https://hooks.example/alice", at=AT)
    play.plan_vacation(alice, first=AT.date(), last=AT.date(), at=AT)
    play.write_note(game, player=alice, text="alice was here", seen="", at=AT)
    other = next(seat.number for seat in game.seats.all() if seat.player != alice)
    assert other is not None
    clan = next(clan for clan in Seat.Clan.values if clan != game.seats.get(player=alice).clan)
    play.mark_suspicion(game, player=alice, about=other, clan=clan, mark="suspected", at=AT)
    make_table(alice, name="alice’s table")
    Player.objects.filter(pk=alice.pk).update(feed_key="alice" + "k" * 38, mail_bounce="550 alice@example.com")
    kind = ContentType.objects.get_for_model(Player)
    LogEntry.objects.create(
        user=alice,
        content_type=kind,
        object_id=str(alice.pk),
        object_repr="alice",
        action_flag=CHANGE,
        change_message="",
    )
    assert len(rows_with("alice")) == 8
    closed = close(alice)
    assert rows_with("alice") == []
    assert not client.session.keys()
    assert not closed.has_usable_password()
    assert (closed.is_active, closed.has_webhooks, closed.vacation_until) == (False, False, None)
    assert not Seat.objects.filter(player=closed, has_note=True).exists()


@pytest.mark.parametrize("keeps_words", [False, True])
def test_it_empties_its_words_or_keeps_them(game: Game, alice: Player, bob: Player, keeps_words: bool) -> None:
    said = play.write_postcard(game, player=alice, text="nobody suspects me", at=AT)
    play.write_postcard(game, player=bob, text="I suspect Alice, but not alice2", at=AT)
    report = play.report_postcard(said, player=bob, reason="alice lies", at=AT)
    theirs = Report.objects.create(
        game=game, reporter=alice, about=bob, text="I suspect Alice", reason="not true, says alice", at=AT
    )
    play.mute_player(alice, bob, blocks=True, at=AT)
    before = now(game).said
    play.close_account(alice, keeps_words=keeps_words, at=LATER)
    assert list(game.postcards.order_by("number").values_list("text", "state")) == [
        ("nobody suspects me", "shown") if keeps_words else ("", "removed"),
        (f"I suspect former-{alice.pk}, but not alice2", "shown"),
    ]
    report.refresh_from_db()
    theirs.refresh_from_db()
    assert (report.text, report.reason) == ("nobody suspects me" * keeps_words, f"former-{alice.pk} lies")
    assert (theirs.text, theirs.reason) == (f"I suspect former-{alice.pk}", "")
    assert (now(game).said > before) == (not keeps_words)
    assert not Mute.objects.exists()


def test_it_ends_nobody_elses_session(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(bob)
    close(alice)
    assert client.get("/preferences/").status_code == 200


def test_it_mails_and_calls_nobody_who_has_left(game: Game, alice: Player) -> None:
    hooks.add_hook(alice, kind="json", url="https://hooks.example/", at=AT)
    close(alice)
    play_random(game)
    late = LATER + timedelta(days=30)
    mail.sweep(at=late)
    theirs = Notice.objects.filter(seat__player=alice)
    assert theirs.exists()
    assert set(theirs.values_list("state", flat=True)) == {Notice.State.SUPERSEDED}
    assert hooks.faults(at=late) == []


def test_it_changes_nothing_the_second_time(game: Game, alice: Player, bob: Player) -> None:
    close(alice)
    before = memory.dump()
    assert play.close_account(alice, at=LATER + timedelta(days=1)) == f"former-{alice.pk}"
    assert memory.dump() == before


def test_it_gives_address_and_name_to_whoever_comes_next(alice: Player) -> None:
    close(alice)
    again = make_player("alice")
    assert EmailAddress.objects.get(email="alice@example.com").user == again


def test_it_takes_a_name_that_nobody_has(alice: Player) -> None:
    """A site may have had a player of such a name before there were any who had left."""
    make_player(f"Former-{alice.pk}")
    assert close(alice).username == f"former-{alice.pk}-2"


@pytest.mark.parametrize("done", [0, 1, 2])
def test_it_is_finished_by_the_sweep(alice: Player, bob: Player, carol: Player, done: int) -> None:
    """Whoever closes the account is killed before, between or after its tables."""
    games = [make_game(alice, bob, carol), make_game(carol, alice)]
    leaving._lock_out(alice, at=LATER)
    for game in games[:done]:
        play.resign(game, player=alice, at=LATER)
    closed = Player.objects.get(pk=alice.pk)
    assert (closed.is_active, closed.is_leaving, closed.username) == (False, True, "alice")
    assert [play.finish_closing(at=LATER), play.finish_closing(at=LATER)] == [1, 0]
    assert all(f"former-{alice.pk}" in names(game) for game in games)
    assert all(game.seats.get(player=alice).is_bot for game in games)


def test_it_seats_nobody_who_has_left(alice: Player, bob: Player) -> None:
    """A request that was let in before the account was closed comes to the table after it."""
    table = make_table(bob)
    close(alice)
    with pytest.raises(play.AccountClosed):
        play.join_table(table, player=alice, at=LATER)
    with pytest.raises(play.AccountClosed):
        make_table(alice, at=LATER)
    assert names(table) == {"bob"}
    assert not Seat.objects.filter(player=alice).exists()

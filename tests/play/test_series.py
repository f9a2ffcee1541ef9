"""A series: the next table opens by itself, each says that they are ready, and who does not go on ends it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games import play, tasks
from games.models import Deal, Game, Notice, Player, Seat, Series, add_up, read_games
from games.play import series as series_module
from games.play.invitations import KEPT_FOR
from tests.cast import AT, next_deal, play_out
from tests.made_once import scene

pytestmark = pytest.mark.django_db


def begin(*players: Player, games: int = 3, bots: int = 0, is_public: bool = True, **about: Any) -> Game:
    """The running first game of a series."""
    size = len(players) + bots
    game = play.open_table(
        players[0],
        name="Friday",
        size=size,
        bots=bots,
        games=games,
        terms=play.Terms(is_public=is_public),
        fixed=next_deal(),
        at=AT,
        **about,
    )
    for player in players[1:]:
        play.join_table(game, player=player, at=AT)
    game.refresh_from_db()
    return game


def follow(game: Game) -> Game:
    """The next table, as the worker opens it."""
    opened = play.open_next_table(game.series_id or 0, at=AT)
    assert opened is not None
    return opened


def state(game: Game) -> str:
    return Series.objects.get(games=game).state


@pytest.fixture
def over(alice: Player, bob: Player) -> Game:
    """The first game of three, played out."""
    return scene("first of three", lambda: play_out(begin(alice, bob)))


@pytest.fixture
def table(over: Game) -> Game:
    """The second table, at which nobody is ready yet."""
    return follow(over)


def test_the_next_table_has_the_same_people_and_terms_each_a_place_further(over: Game) -> None:
    table = follow(over)
    assert (table.name, table.status, table.series_number) == ("Friday (2)", "open", 2)
    assert (table.follows, table.opener, table.move_hours) == (over, over.opener, over.move_hours)
    places = {seat.name: seat.joined for seat in over.seats.all()}
    assert {seat.name: seat.joined for seat in table.seats.all()} == {
        name: (place + 1) % 2 for name, place in places.items()
    }
    assert not any(table.seats.values_list("is_ready", flat=True))
    assert table.deal.commitment != over.deal.commitment
    asked = Notice.objects.filter(kind="next", seat__game=table)
    assert {notice.player.username for notice in asked} == {"alice", "bob"}


def test_it_begins_when_all_are_ready(table: Game, alice: Player, bob: Player) -> None:
    play.say_ready(table, player=bob, entropy="bob’s words", at=AT)
    table.refresh_from_db()
    assert table.status == "open"
    with pytest.raises(play.ReadyAlready):
        play.say_ready(table, player=bob, at=AT)
    play.say_ready(table, player=alice, at=AT)
    table.refresh_from_db()
    assert table.status == "running"
    assert table.seats.get(player=bob).entropy == "bob’s words"
    with pytest.raises(play.ReadyAlready):
        play.say_ready(table, player=alice, at=AT)


def test_three_games_and_it_is_over(over: Game, alice: Player, bob: Player) -> None:
    game = over
    for number in (2, 3):
        game = follow(game)
        for player in (alice, bob):
            play.say_ready(game, player=player, at=AT)
        game = play_out(game, seed=number)
    assert (state(game), game.series_number) == ("over", 3)
    assert play.open_next_table(game.series_id or 0, at=AT) is None
    totals = {
        player.username: sum(Seat.objects.filter(player=player).values_list("total", flat=True))  # type: ignore[arg-type]
        for player in (alice, bob)
    }
    assert {row.name: row.total for row in add_up(read_games(game.series))} == totals  # type: ignore[arg-type]


def test_computer_players_are_ready(alice: Player) -> None:
    table = follow(play_out(begin(alice, bots=2)))
    assert sorted(table.seats.values_list("name", "is_ready")) == [
        ("alice", False),
        ("computer 1", True),
        ("computer 2", True),
    ]
    play.say_ready(table, player=alice, at=AT)
    assert Game.objects.get(pk=table.pk).status == "running"


def test_strangers_and_other_tables_have_nothing_to_say(
    table: Game, over: Game, game: Game, alice: Player, mallory: Player
) -> None:
    with pytest.raises(play.NoSuchSeat):
        play.say_ready(table, player=mallory, at=AT)
    for other in (over, game):
        with pytest.raises(play.ReadyAlready):
            play.say_ready(other, player=alice, at=AT)
    with pytest.raises(play.TableFull):
        play.join_table(table, player=mallory, at=AT)
    with pytest.raises(play.NoSuchSeat):
        play.close_table(table, player=mallory, at=AT)


def test_whoever_does_not_go_on_ends_it(table: Game, alice: Player, bob: Player) -> None:
    play.say_ready(table, player=alice, at=AT)
    play.close_table(table, player=bob, at=AT)
    assert (state(table), Game.objects.get(pk=table.pk).status) == ("over", "closed")
    with pytest.raises(play.TableNotOpen):
        play.say_ready(table, player=bob, at=AT)
    assert [notice.player for notice in Notice.objects.filter(kind="expired")] == [alice]


def test_silence_ends_it_when_the_seats_are_kept_no_longer(table: Game, alice: Player) -> None:
    play.say_ready(table, player=alice, at=AT)
    assert play.expire_tables(at=AT + KEPT_FOR - timedelta(seconds=1)) == 0
    assert play.expire_tables(at=AT + KEPT_FOR) == 1
    assert state(table) == "over"


def test_nobody_can_be_left_behind_or_replaced(table: Game, alice: Player, bob: Player) -> None:
    with pytest.raises(play.NotAllReady):
        play.start_table(table, player=alice, at=AT)
    with pytest.raises(play.NotAllReady):
        play.leave_table(table, player=bob)
    with pytest.raises(play.NotAllReady):
        play.release_player(table, by=alice, name="bob", at=AT)
    with pytest.raises(play.TableFull):
        play.invite(table, by=alice, to="carol", at=AT)
    assert table.seats.count() == 2


def test_an_abandoned_game_ends_it_and_counts_no_points(alice: Player, bob: Player) -> None:
    game = begin(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    assert state(game) == "over"
    assert {row.points for row in add_up(read_games(game.series))} == {(None,)}  # type: ignore[arg-type]


def test_closing_the_first_table_ends_it(alice: Player) -> None:
    game = play.open_table(alice, name="Friday", size=2, games=2, at=AT)
    play.close_table(game, player=alice, at=AT)
    assert state(game) == "over"


def test_who_resigned_is_asked_again(alice: Player, bob: Player) -> None:
    game = begin(alice, bob)
    play.resign(game, player=bob, at=AT)
    table = follow(play_out(game))
    assert (table.seats.get(player=bob).is_bot, table.seats.get(player=bob).is_ready) == (False, False)


@pytest.mark.parametrize("games", [0, -1, 13, 99])
def test_it_has_2_to_12_games(alice: Player, games: int) -> None:
    with pytest.raises(ValueError, match="series"):
        play.open_table(alice, name="Friday", size=2, games=games, at=AT)
    assert not Game.objects.exists()


def test_one_game_is_no_series(alice: Player) -> None:
    assert play.open_table(alice, name="Friday", size=2, games=1, at=AT).series is None
    assert not Series.objects.exists()


# --- People --------------------------------------------------------------------------------------


def test_a_closed_account_ends_it_before_the_table_is_opened(over: Game, bob: Player) -> None:
    play.close_account(bob, at=AT)
    assert play.open_next_table(over.series_id or 0, at=AT) is None
    assert (state(over), Game.objects.count()) == ("over", 1)


def test_a_closed_account_ends_it_at_the_open_table(table: Game, bob: Player) -> None:
    play.close_account(bob, at=AT)
    assert (state(table), Game.objects.get(pk=table.pk).status) == ("over", "closed")
    assert "bob" not in {row.name for row in add_up(read_games(table.series))}  # type: ignore[arg-type]


def test_whoever_has_blocked_somebody_is_not_brought_together(over: Game, alice: Player, bob: Player) -> None:
    play.mute_player(bob, other=alice, blocks=True, at=AT)
    assert play.open_next_table(over.series_id or 0, at=AT) is None
    assert state(over) == "over"


def test_a_new_name_stands_at_the_next_table_and_the_points_stay_together(over: Game, bob: Player) -> None:
    play.rename_player(bob, name="robert", at=AT)
    table = follow(over)
    assert sorted(table.seats.values_list("name", flat=True)) == ["alice", "robert"]
    assert {row.name for row in add_up(read_games(table.series))} == {"alice", "robert"}  # type: ignore[arg-type]


def test_a_deleted_table_ends_it(over: Game) -> None:
    series = over.series_id or 0
    over.delete()
    assert play.open_next_table(series, at=AT) is None
    assert Series.objects.get(pk=series).state == "over"


# --- Once ----------------------------------------------------------------------------------------


def test_it_is_opened_once_however_often_it_is_asked_for(over: Game) -> None:
    tasks.open_next_table(over.series_id or 0)
    tasks.open_next_table(over.series_id or 0)
    tasks.sweep_all()
    assert over.followed_by.count() == 1


def test_the_sweep_opens_what_no_task_has(over: Game, bob: Player) -> None:
    assert state(over) == "due"
    tasks.open_due_tables()
    assert (state(over), over.followed_by.count()) == ("playing", 1)


def test_one_that_fails_leaves_nothing_half_done_and_is_opened_by_the_next_try(
    over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_args: Any, **_about: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(series_module, "announce_next", killed)
        with pytest.raises(KeyboardInterrupt):
            tasks.open_due_tables()
    assert (state(over), Game.objects.count(), Deal.objects.count(), Notice.objects.filter(kind="next").count()) == (
        "due",
        1,
        1,
        0,
    )
    assert tasks.open_due_tables() == 1
    assert over.followed_by.count() == 1


def test_the_database_has_one_game_of_each_number(over: Game, table: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=table.pk).update(series_number=over.series_number)


def test_the_database_has_no_number_without_a_series(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(series_number=1)


@pytest.mark.parametrize("length", [1, 13])
def test_the_database_has_no_other_lengths(length: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Series.objects.create(slug="abc", length=length)

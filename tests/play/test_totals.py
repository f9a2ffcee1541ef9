"""What a player's page adds up: the same whether a game adds to it when it ends, or all are counted again."""

from __future__ import annotations

import random
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command

from games import clocks, play
from games.models import AnswerTimes, Game, Meeting, Player, Tally
from tests.cast import AT, make_game, play_out, play_random

pytestmark = pytest.mark.django_db


def tallies(player: Player) -> list[dict[str, Any]]:
    return [dict(row) for row in player.tallies.order_by("size", "with_computers", "pace").values()]


def tally(player: Player) -> dict[str, Any]:
    """The only one, without what it is of."""
    [row] = tallies(player)
    return {name: row[name] for name in ("played", "won", "points", "resigned", "abandoned")}


def everything() -> list[list[tuple[Any, ...]]]:
    """All rows, without keys that only number them."""
    return [
        sorted(Tally.objects.values_list(*(field.name for field in Tally._meta.concrete_fields[1:]))),
        sorted(AnswerTimes.objects.values_list("player", "counts")),
        sorted(Meeting.objects.values_list("first", "second", "played", "first_ahead", "second_ahead")),
    ]


def answers(player: Player) -> int:
    rows = AnswerTimes.objects.filter(player=player)
    return sum(sum(map(sum, row.counts)) for row in rows)


def meeting(one: Player, other: Player) -> tuple[int, int, int]:
    """Games that both played to the end, and in how many each came out ahead; of who has the smaller key first."""
    first, second = sorted((one.pk, other.pk))
    row = Meeting.objects.get(first=first, second=second)
    return row.played, row.first_ahead, row.second_ahead


def test_a_game_that_is_played_out_counts_for_each_player(alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    for player in (alice, bob):
        seat = game.seats.get(player=player)
        assert tally(player) == {
            "played": 1,
            "won": int(seat.rank == 1),
            "points": seat.total,
            "resigned": 0,
            "abandoned": 0,
        }
        assert answers(player) == game.moves.filter(seat=seat.number or 0).count()
    ranks = [game.seats.get(player=player).rank or 0 for player in (alice, bob)]
    assert meeting(alice, bob) == (1, int(ranks[0] < ranks[1]), int(ranks[1] < ranks[0]))


def test_who_resigned_neither_played_it_nor_won_nor_lost_to_anybody(alice: Player, bob: Player, carol: Player) -> None:
    game = make_game(alice, bob, carol)
    play.resign(game, player=alice, at=AT)
    play_out(game)
    assert (tally(alice)["resigned"], tally(alice)["played"], tally(bob)["played"]) == (1, 0, 1)
    assert meeting(alice, bob) == (0, 0, 0)
    assert meeting(bob, carol)[0] == 1
    assert answers(alice) == 0


def test_a_game_that_is_abandoned_counts_as_that(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    play_random(game, 20)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    assert tally(alice) == {"played": 0, "won": 0, "points": 0, "resigned": 0, "abandoned": 1}
    assert meeting(alice, bob) == (0, 0, 0)


def test_a_game_that_was_given_up_at_once_counts_nowhere(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    for player in (alice, bob):
        play.resign(game, player=player, at=AT)
    assert tallies(alice) == []


def test_a_game_by_link_counts_only_between_those_who_sat_there(alice: Player, bob: Player) -> None:
    play_out(make_game(alice, bob, is_public=False))
    assert tallies(alice) == []
    assert answers(alice) == 0
    assert meeting(alice, bob)[0] == 1


def test_players_have_met_when_their_game_starts(alice: Player, bob: Player, carol: Player) -> None:
    table = play.open_table(alice, name="Waiting", size=2, at=AT)
    assert not Meeting.objects.exists()
    play.join_table(table, player=bob, at=AT)
    assert meeting(alice, bob) == (0, 0, 0)
    make_game(bob, alice, carol)
    assert Meeting.objects.count() == 3


def test_games_with_computers_and_of_another_pace_stand_apart(alice: Player, bob: Player) -> None:
    play_out(make_game(alice, bob, bots=1))
    play_out(make_game(alice, bob))
    slow = play.open_table(alice, name="Slow", size=2, terms=play.Terms(move_hours=100), at=AT)
    play.join_table(slow, player=bob, at=AT)
    play_out(slow)
    found = [(row["size"], row["with_computers"], row["pace"]) for row in tallies(alice)]
    assert found == [(2, False, "own"), (2, False, "steady"), (3, True, "steady")]


def test_only_moves_of_the_player_are_answers_by_the_hour_of_their_day(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    play_out(game, every=timedelta(hours=5))
    row = AnswerTimes.objects.get(player=alice)
    own = game.moves.filter(seat=game.seats.get(player=alice).number or 0)
    for hour, classes in enumerate(row.counts):
        assert sum(classes) == own.filter(at__hour=hour).count()
    total = [sum(column) for column in zip(*row.counts, strict=True)]
    assert total[clocks.class_of(timedelta(hours=5))] == own.count()


def test_moves_of_the_autopilot_are_no_answers(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    while game.awaited != alice:
        play_random(game, 1)
    assert game.due_at
    play.play_bot_turn(game.pk, at=game.due_at)
    game = play_out(game)
    own = game.moves.filter(seat=game.seats.get(player=alice).number or 0)
    assert answers(alice) == own.count() - 1


def make_many(*players: Player) -> None:
    """Games of all kinds."""
    resigned = make_game(*players)
    play.resign(resigned, player=players[0], at=AT)
    play_out(resigned)
    chance = random.Random(3)
    for number in range(12):
        seated = chance.sample(players, chance.choice((2, 3)))
        game = make_game(*seated, bots=number % 2, is_public=number % 5 != 0)
        plies = chance.choice((8, 20, 60))
        game = play_out(game, seed=number) if plies == 60 else play_random(game, plies, seed=number)
        if number % 3 == 0 and game.status == Game.Status.RUNNING:
            play.resign(game, player=seated[0], at=AT)
        if number % 4 == 0 and game.status == Game.Status.RUNNING:
            for player in seated:
                if game.seats.filter(player=player, is_bot=False, game__status="running").exists():
                    play.agree_to_abandon(game, player=player, agrees=True, at=AT)


def test_counting_again_gives_the_same(alice: Player, bob: Player, carol: Player) -> None:
    make_many(alice, bob, carol)
    before = everything()
    assert all(before)
    assert Tally.objects.filter(resigned__gt=0).exists()
    assert Tally.objects.filter(abandoned__gt=0).exists()
    Tally.objects.filter(player=alice).update(played=99)
    AnswerTimes.objects.filter(player=bob).delete()
    Meeting.objects.all().delete()
    call_command("recount")
    assert everything() == before


def test_the_migration_counts_the_games_that_there_were(alice: Player, bob: Player, carol: Player) -> None:
    make_many(alice, bob, carol)
    before = everything()
    for model in (Tally, AnswerTimes, Meeting):
        model.objects.all().delete()
    import_module("games.migrations.0047_fill_totals").fill(apps, None)
    assert everything() == before

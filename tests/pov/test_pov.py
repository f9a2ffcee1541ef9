"""What a viewer may see (design 1.3): his own card while the game runs, everything when it is over."""

from __future__ import annotations

import hashlib
import itertools
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import play, rules
from games.models import Game, Player
from games.pov import Pov, look, read_awaiting, record_of
from tests.cast import AT, make_table, play_out, play_random, seat_to_move


def worlds(game: Game, viewer: Player | None) -> list[Pov]:
    """What `viewer` sees in every world that differs only by cards he may not know, and by the seed."""
    mine = game.seats.filter(player=viewer).first() if viewer else None
    hidden = [seat for seat in game.seats.order_by("pk") if mine is None or seat.pk != mine.pk]
    cards = [clan for clan in rules.CLANS if mine is None or clan != mine.clan]
    seen = []
    for world, clans in enumerate(itertools.permutations(cards, len(hidden))):
        game.seats.filter(pk__in=[seat.pk for seat in hidden]).update(clan="", number=None)
        for seat, clan in zip(hidden, clans, strict=True):
            game.seats.filter(pk=seat.pk).update(clan=clan, number=seat.number)
        type(game.deal).objects.filter(pk=game.pk).update(seed=hashlib.sha256(bytes([world])).digest())
        seen.append(look(Game.objects.get(pk=game.pk), viewer=viewer))
    return seen


@pytest.mark.parametrize("plies", [0, 7])
@pytest.mark.parametrize("who", ["alice", "mallory", None])
def test_it_shows_the_same_in_all_worlds_that_the_viewer_cannot_tell_apart(
    game: Game, who: str | None, mallory: Player, plies: int
) -> None:
    play_random(game, plies)
    viewer = Player.objects.get(username=who) if who else None
    seen = worlds(game, viewer)
    assert len(seen) == (12 if who == "alice" else 60)
    assert all(pov == seen[0] and repr(pov) == repr(seen[0]) for pov in seen)


def test_it_tells_the_worlds_apart_once_the_game_is_over(game: Game, mallory: Player) -> None:
    play_out(game)
    assert len({repr(pov) for pov in worlds(game, mallory)}) == 60


def test_it_shows_a_player_his_own_card_alone(game: Game, alice: Player) -> None:
    pov = look(game, viewer=alice)
    assert pov.me is not None
    assert pov.me.clan == game.seats.get(player=alice).clan
    assert [seat.clan for seat in pov.seats if not seat.is_mine] == ["", ""]


def test_it_keeps_seed_and_entropy_until_the_end(game: Game, alice: Player) -> None:
    running = look(game, viewer=alice).deal
    assert (running.seed, running.salt_hashes, running.players) == ("", (), ())
    play_out(game)
    over = look(Game.objects.get(pk=game.pk), viewer=None).deal
    fixed = b"".join(map(bytes.fromhex, (over.seed, *over.salt_hashes)))
    assert hashlib.sha256(fixed).hexdigest() == over.commitment == running.commitment
    assert ("alice", "words of alice") in [(player.name, player.entropy) for player in over.players]


def test_it_shows_earlier_plies_and_refuses_later_ones(game: Game) -> None:
    play_random(game, 5)
    for ply in range(6):
        pov = look(game, viewer=None, ply=ply)
        assert pov.position is not None
        assert (pov.ply, pov.position.ply, len(pov.moves), pov.is_now) == (ply, ply, ply, ply == 5)
    for ply in (-1, 6):
        with pytest.raises(IndexError):
            look(game, viewer=None, ply=ply)


def test_it_knows_whose_turn_it_is(game: Game, mallory: Player) -> None:
    seats = {seat.player: look(game, viewer=seat.player).is_my_turn for seat in game.seats.all()}
    assert [player for player, turn in seats.items() if turn] == [game.awaited]
    assert not look(game, viewer=mallory).is_my_turn


def test_it_gives_nobody_the_turn_of_a_seat_that_was_resigned(game: Game) -> None:
    player = game.awaited
    assert player is not None
    play.resign(game, player=player, at=AT)
    pov = look(Game.objects.get(pk=game.pk), viewer=player)
    assert not pov.is_my_turn
    assert pov.mover is not None
    assert pov.mover.has_resigned


def test_it_shows_an_open_table_without_a_position(alice: Player) -> None:
    pov = look(make_table(alice), viewer=alice)
    assert (pov.position, pov.moves, pov.is_open) == (None, (), True)
    with pytest.raises(ValueError, match="not started"):
        record_of(pov)


def test_it_costs_three_queries(game: Game, alice: Player, django_assert_num_queries: Any) -> None:
    play_random(game, 20)
    fresh = Game.objects.get(pk=game.pk)
    with django_assert_num_queries(3):
        look(fresh, viewer=alice)


def test_it_writes_a_record_that_reads_back(game: Game) -> None:
    play_out(game)
    pov = look(Game.objects.get(pk=game.pk), viewer=None)
    record = record_of(pov)
    read = rules.read_record(record)
    assert rules.fold(read.opening, read.moves) == [move.step for move in pov.moves]
    assert record["result"]["totals"] == [seat.total for seat in pov.seats]
    assert record["deal"]["seed"]


def test_it_writes_a_record_without_cards_while_the_game_runs(game: Game, alice: Player) -> None:
    play_random(game, 4)
    record = record_of(look(game, viewer=alice))
    assert "result" not in record
    assert all("clan" not in player for player in record["players"])
    assert "seed" not in record["deal"]


def test_it_knows_the_vacations_that_are_not_over_at_a_moment(game: Game) -> None:
    """Whatever the time is: who tells of a game says as of when."""
    player = seat_to_move(game).player
    assert player is not None
    vacation = play.plan_vacation(player, first=AT.date(), last=AT.date() + timedelta(days=1), at=AT)
    game.refresh_from_db()

    def away(at: datetime) -> list[tuple[tuple[datetime, datetime], ...]]:
        return [seat.vacations for seat in look(game, viewer=None, at=at).seats if seat.vacations]

    assert away(AT) == away(vacation.ends_at - timedelta(seconds=1)) == [((vacation.starts_at, vacation.ends_at),)]
    assert away(vacation.ends_at) == []


def test_it_reads_no_game_that_has_gone_on_meanwhile_as_if_nothing_was_played(game: Game) -> None:
    """A move from another tab, between the list of games that wait and their moves."""
    play_random(game, 5)
    stale, mover = Game.objects.get(pk=game.pk), seat_to_move(game).player
    assert mover
    play_random(game, 1)
    read_awaiting(mover, [stale])
    assert look(stale, viewer=mover).last_ply == 5

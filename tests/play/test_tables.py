"""Tables before they start (rules 2, design 1.6)."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.test import Client

from games import play, rules
from games.models import Game, Notice, Player
from games.models.game import SLUG_LETTERS
from tests.cast import AT, make_game, make_table


def names(game: Game) -> list[str]:
    return list(game.seats.order_by("joined").values_list("name", flat=True))


def test_it_seats_the_opener_first_and_computer_players_next(alice: Player) -> None:
    game = make_table(alice, size=4, bots=2)
    assert names(game) == ["alice", "computer 1", "computer 2"]
    assert game.status == Game.Status.OPEN


@pytest.mark.parametrize(("size", "bots"), [(1, 0), (5, 0), (2, 2), (3, -1)])
def test_it_refuses_a_table_of_another_size(alice: Player, size: int, bots: int) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        make_table(alice, size=size, bots=bots)
    assert not Game.objects.exists()


def test_it_fixes_the_seed_and_shows_its_hash_when_the_table_opens(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=2)
    seed = bytes(game.deal.seed)
    assert len(seed) == 32
    salts = [bytes.fromhex(salt) for salt in game.deal.salts]
    assert [len(salt) for salt in salts] == [32] * 4, "before anybody says how many seats there are"
    hashes = b"".join(hashlib.sha256(salt).digest() for salt in salts)
    assert game.deal.commitment == hashlib.sha256(seed + hashes).hexdigest()
    play.join_table(game, player=bob, at=AT)
    deal = Game.objects.get().deal
    assert (bytes(deal.seed), [bytes.fromhex(salt) for salt in deal.salts]) == (seed, salts)


def test_it_starts_when_the_last_seat_is_taken(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=2)
    play.join_table(game, player=bob, at=AT)
    game.refresh_from_db()
    assert (game.status, game.started_at, game.turn_since) == (Game.Status.RUNNING, AT, AT)
    assert game.awaited == game.seats.get(number=game.to_move).player
    assert game.board == rules.STANDARD.board.id


def test_it_starts_at_once_when_computer_players_fill_the_table(alice: Player) -> None:
    assert make_table(alice, size=3, bots=2).status == Game.Status.RUNNING


def test_it_draws_everything_from_the_deal(game: Game) -> None:
    seats = list(game.seats.order_by("joined"))
    shares = [
        (rules.share(bytes.fromhex(game.deal.salts[place]), name=seat.name, entropy=f"words of {seat.name}"),)
        for place, seat in enumerate(seats)
    ]
    assert [(seat.share,) for seat in seats] == shares
    draw = rules.draw(bytes(game.deal.seed), version=game.deal.version, game=game.deal.commitment, players=shares)
    assert (game.huts, game.first) == (draw.huts, draw.first)
    assert [seats[joined].number for joined in draw.order] == [0, 1, 2]
    assert [seats[joined].clan for joined in draw.order] == list(draw.clans)


def test_it_tells_everybody_once_that_the_game_has_started(game: Game) -> None:
    owed = set(Notice.objects.values_list("seat__number", "kind", "ply"))
    others = {0, 1, 2} - {game.first}
    assert owed == {(game.first, "turn", 0)} | {(number, "started", 0) for number in others}


@pytest.mark.parametrize("status", ["running", "finished", "closed"])
def test_it_refuses_whatever_comes_too_late(
    alice: Player, bob: Player, carol: Player, mallory: Player, status: str
) -> None:
    game = make_table(alice, size=3, bots=1) if status == "closed" else make_game(alice, bob, carol)
    if status == "closed":
        play.close_table(game, player=alice, at=AT)
    if status == "finished":
        for player in (alice, bob, carol):
            play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    before = names(game)
    late: list[Any] = [
        lambda: play.join_table(game, player=mallory, at=AT),
        lambda: play.leave_table(game, player=bob),
        lambda: play.close_table(game, player=bob, at=AT),
        lambda: play.start_table(game, player=bob, at=AT),
    ]
    for verb in late:
        with pytest.raises((play.TableNotOpen, play.TableFull)):
            verb()
    with pytest.raises(play.TableNotOpen if status == "closed" else play.StartedAlready):
        play.start_table(game, player=alice, at=AT)
    with pytest.raises(play.ClosedAlready if status == "closed" else play.TableNotOpen):
        play.close_table(game, player=alice, at=AT)
    assert names(game) == before


def test_it_says_that_all_seats_are_taken(game: Game, mallory: Player) -> None:
    with pytest.raises(play.TableFull):
        play.join_table(game, player=mallory, at=AT)


def test_it_seats_nobody_twice(alice: Player, bob: Player) -> None:
    game = make_table(alice)
    play.join_table(game, player=bob, at=AT)
    for player in (alice, bob):
        with pytest.raises(play.AlreadySeated):
            play.join_table(game, player=player, at=AT)
    assert names(game) == ["alice", "bob"]


def test_it_lets_a_player_leave_and_another_take_the_seat(alice: Player, bob: Player, carol: Player) -> None:
    game = make_table(alice, size=3)
    play.join_table(game, player=bob, at=AT)
    play.leave_table(game, player=bob)
    play.join_table(game, player=carol, at=AT)
    assert names(game) == ["alice", "carol"]


def test_it_lets_neither_a_stranger_nor_the_opener_leave(alice: Player, mallory: Player) -> None:
    game = make_table(alice)
    for player in (alice, mallory):
        with pytest.raises(play.NoSuchSeat):
            play.leave_table(game, player=player)
    assert names(game) == ["alice"]


def test_it_starts_early_for_the_opener_alone_and_with_two_at_least(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=4)
    with pytest.raises(play.NotEnoughPlayers):
        play.start_table(game, player=alice, at=AT)
    play.join_table(game, player=bob, at=AT)
    with pytest.raises(play.NotTheOpener):
        play.start_table(game, player=bob, at=AT)
    play.start_table(game, player=alice, at=AT)
    game.refresh_from_db()
    assert (game.status, game.size) == (Game.Status.RUNNING, 2)


def test_it_tells_all_but_the_opener_that_the_table_is_closed(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=4, bots=1)
    play.join_table(game, player=bob, at=AT)
    play.close_table(game, player=alice, at=AT)
    with pytest.raises(play.ClosedAlready):
        play.close_table(game, player=alice, at=AT)
    told = Notice.objects.values_list("seat__player__username", "kind", "about")
    assert list(told) == [("bob", "expired", game.seats.get(player=alice).joined)]


def test_it_closes_a_table_for_its_opener_alone(alice: Player, bob: Player) -> None:
    game = make_table(alice)
    play.join_table(game, player=bob, at=AT)
    with pytest.raises(play.NotTheOpener):
        play.close_table(game, player=bob, at=AT)
    play.close_table(game, player=alice, at=AT)
    game.refresh_from_db()
    assert game.status == Game.Status.CLOSED


def test_the_address_of_a_table_by_link_has_128_bits(alice: Player) -> None:
    """Whoever has it may sit down. That of a public table is listed anyway."""
    listed, linked = make_table(alice), make_table(alice, is_public=False)
    assert (len(listed.slug), len(linked.slug)) == (10, 26)
    assert len(SLUG_LETTERS) ** 26 >= 2**128


def test_a_table_by_link_of_before_keeps_its_address(client: Client, alice: Player) -> None:
    table = make_table(alice, is_public=False)
    Game.objects.filter(pk=table.pk).update(slug="abcdefghjk")
    assert client.get("/tables/abcdefghjk/").status_code == 200

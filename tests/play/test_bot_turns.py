"""Whose card a computer player's moves may depend on: its own, never a person's (issue 11, section 1)."""

from __future__ import annotations

import random

import pytest
from django.db import transaction

from games import play
from games.models import AUTOPILOT_AFTER, Game, Player, Seat
from games.play.bot_turns import choose_for
from games.rules import CLANS, Move, Position
from tests.bots.observer import hits
from tests.cast import AT, make_game, play_random, seat_to_move

LATER = AT.replace(year=AT.year + 1)
"""Everybody is late by then."""


def moves_by_card(game: Game, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What a computer player plays in ten worlds of chance, with each card that the seat to move can hold beside the
    cards of the others."""
    seat = seat_to_move(game)
    taken = game.seats.exclude(pk=seat.pk).values_list("clan", flat=True)
    cards = [clan for clan in CLANS if clan not in taken]
    assert len(cards) > 1
    return [[move_with(game, seat, card, chance, monkeypatch) for chance in range(10)] for card in cards]


def move_with(game: Game, seat: Seat, card: str, chance: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """The move that the seat gets with a card and a chance; afterwards nothing has happened."""
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(chance))
    before = transaction.savepoint()
    Seat.objects.filter(pk=seat.pk).update(clan=card)
    played = play.play_bot_turn(game.pk, at=LATER)
    transaction.savepoint_rollback(before)
    assert played is not None
    assert played.step.seat == seat.number
    return str(played.step.move)


def test_it_plays_for_who_is_late_whatever_the_card(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    play_random(game, 20)
    first, *others = moves_by_card(game, monkeypatch)
    assert others == [first] * len(others)


def test_it_plays_for_who_stays_away_whatever_the_card(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    play_random(game, 20)
    Seat.objects.filter(pk=seat_to_move(game).pk).update(autopiloted=AUTOPILOT_AFTER)
    first, *others = moves_by_card(game, monkeypatch)
    assert others == [first] * len(others)


def test_it_plays_for_who_has_resigned_whatever_the_card(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    play_random(game, 20)
    player = seat_to_move(game).player
    assert player is not None
    play.resign(game, player=player, at=AT)
    first, *others = moves_by_card(game, monkeypatch)
    assert others == [first] * len(others)


def test_it_plays_its_own_seat_by_its_card(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the tests above would notice a card. Where nothing can be founded soon all cards may lead to the same."""
    game = make_game(alice, bots=2)
    play_random(game, 15)
    alike = True
    while alike and game.status == Game.Status.RUNNING:
        if seat_to_move(game).is_bot:
            first, *others = moves_by_card(game, monkeypatch)
            alike = others == [first] * len(others)
        play_random(game, 1)
    assert not alike


def choose_for_person(position: Position, clan: str, rng: random.Random) -> Move:
    """What a computer player does for a person with that card: on autopilot in a seat of even number, else resigned."""
    seat = Seat(number=position.to_move, player_id=1, clan=clan, is_bot=position.to_move % 2 == 1)
    return choose_for(seat, position, rng=rng)


def test_it_gives_no_hint_at_the_card_of_a_person_in_a_few_games() -> None:
    """6 games; chance is 20 %, that more than 8 of 18 seats are right by chance is less likely than 1 %"""
    assert sum(2 * seats * hits(2, seats=seats, choose=choose_for_person) for seats in (2, 3, 4)) <= 8


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_gives_no_hint_at_the_card_of_a_person(seats: int) -> None:
    """300 games: no more than 3 standard deviations above the 20 % of chance, for who takes each move for the card's"""
    assert hits(100, seats=seats, choose=choose_for_person) <= 0.2 + 3 * (0.2 * 0.8 / (100 * seats)) ** 0.5

"""The database itself refuses what cannot be (design 2.1, design 5.1)."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from games.models import LONGEST_NOTE, Game, Mail, Move, Note, Notice, Player, Seat, Suspicion
from tests.cast import AT, make_table, play_random


def refuses(model: Any, **changes: Any) -> bool:
    """Whether the database refuses to write `changes` into all rows of `model`."""
    try:
        with transaction.atomic():
            model.objects.update(**changes)
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    "changes",
    [
        {"size": 1},
        {"size": 5},
        {"name": ""},
        {"status": "paused"},
        {"five_clans": "maybe"},
        {"to_move": None},
        {"turn_since": None},
        {"huts": ""},
        {"first": 4},
        {"end": "villages"},
        {"status": "finished"},
        {"status": "open"},
        {"winning_clans": "r"},
        {"winning_total": 40},
        {"margin": 0},
        {"has_computers": True},
    ],
)
def test_it_refuses_a_running_game_that_cannot_be(game: Game, changes: dict[str, Any]) -> None:
    assert refuses(Game, **changes)


def test_it_takes_a_running_game_that_can_be(game: Game) -> None:
    assert not refuses(Game, to_move=1, name="Sunday table")


@pytest.mark.parametrize(
    "changes",
    [
        {"joined": 0},
        {"joined": 4},
        {"number": 0},
        {"number": None},
        {"clan": "red"},
        {"clan": "white"},
        {"clan": ""},
        {"player": None},
        {"resigned_at": AT},
    ],
)
def test_it_refuses_seats_that_cannot_be(game: Game, changes: dict[str, Any]) -> None:
    assert refuses(Seat, **changes)


def test_it_refuses_two_moves_at_one_ply_and_a_key_used_twice(game: Game) -> None:
    first = Move.objects.create(game=game, ply=0, seat=0, text="A1-A2", key="k", at=AT)
    for same in ({"ply": 0, "key": "other"}, {"ply": 1, "key": "k"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Move.objects.create(game=game, seat=first.seat, text="A1-A2", at=AT, **same)
    Move.objects.create(game=game, ply=1, seat=1, text="A1-A2", key="k", at=AT)


def test_it_owes_a_mail_once(game: Game) -> None:
    notice = Notice.objects.all()[0]
    notice.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        notice.save(force_insert=True)


@pytest.mark.parametrize(
    "changes",
    [{"kind": "gossip"}, {"state": "lost"}, {"state": "claimed"}, {"state": "sent"}, {"sent_at": AT}],
)
def test_it_refuses_notices_that_cannot_be(game: Game, changes: dict[str, Any]) -> None:
    assert refuses(Notice, **changes)


@pytest.mark.parametrize(
    "changes", [{"state": "lost"}, {"state": "claimed"}, {"claim": "x"}, {"state": "sent"}, {"sent_at": AT}]
)
def test_it_refuses_mails_that_cannot_be(alice: Player, changes: dict[str, Any]) -> None:
    Mail.objects.create(player=alice, message_id="<a@example.com>", created_at=AT, due_at=AT)
    assert refuses(Mail, **changes)


def test_it_gives_no_two_mails_one_id(alice: Player) -> None:
    Mail.objects.create(player=alice, message_id="<a@example.com>", created_at=AT, due_at=AT)
    with pytest.raises(IntegrityError), transaction.atomic():
        Mail.objects.create(player=alice, message_id="<a@example.com>", created_at=AT, due_at=AT)


def test_it_refuses_notes_that_say_nothing_or_too_much(game: Game) -> None:
    Note.objects.create(seat=game.seats.all()[0], text="hm", updated_at=AT)
    assert refuses(Note, text="")
    assert refuses(Note, text="é" * (LONGEST_NOTE + 1))
    assert not refuses(Note, text="é" * LONGEST_NOTE)


@pytest.mark.parametrize("changes", [{"about": 4}, {"clan": "white"}, {"clan": ""}, {"mark": "certain"}, {"ply": 61}])
def test_it_refuses_suspicions_that_cannot_be(game: Game, changes: dict[str, Any]) -> None:
    game.seats.all()[0].suspicions.create(about=1, clan="red", mark="suspected", ply=3, at=AT)
    assert refuses(Suspicion, **changes)
    assert not refuses(Suspicion, about=3, clan="black", mark="excluded", ply=60)


def test_it_stores_addresses_in_lower_case(alice: Player) -> None:
    zoe = Player.objects.create_user("zoe", email="Zoe@Example.COM")
    assert zoe.email == "zoe@example.com"
    assert refuses(Player, email="Alice@example.com")


def test_it_refuses_a_name_or_an_address_that_differs_in_case_only(alice: Player) -> None:
    for name, email in (("ALICE", "other@example.com"), ("other", "ALICE@example.com")):
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.create_user(name, email=email)


def test_it_knows_time_zones(alice: Player) -> None:
    alice.time_zone = "Europe/Vienna"
    alice.full_clean()
    alice.time_zone = "Europe/Atlantis"
    with pytest.raises(ValidationError, match="no time zone"):
        alice.full_clean()


def test_it_lists_who_is_awaited_nearest_deadline_first(alice: Player, bob: Player) -> None:
    games = [play_random(make_table(alice, size=2, bots=1), 1 + (i % 2), seed=i) for i in range(4)]
    waiting = list(Game.objects.awaiting(alice))
    assert {game.pk for game in waiting} == {game.pk for game in games if game.awaited_id == alice.pk}
    assert waiting == sorted(waiting, key=lambda game: (game.due_at, game.pk))
    assert not Game.objects.awaiting(bob).exists()


def test_it_lists_open_tables_that_are_public(alice: Player) -> None:
    listed, _by_link = make_table(alice), make_table(alice, is_public=False)
    assert list(Game.objects.open_tables()) == [listed]


def test_it_gives_each_table_a_link_of_its_own(alice: Player) -> None:
    slugs = {make_table(alice).slug for _table in range(5)}
    assert len(slugs) == 5
    assert all(len(slug) == 10 for slug in slugs)

"""`manage.py verify_archive`: it is content with games as they were played, and names whatever was changed since."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Model
from pytest_django import DjangoAssertNumQueries

from games import play, pov
from games.models import Deal, Game, Move, PassedPosition, Player, Seat
from tests.cast import AT, make_game, play_random
from tests.made_once import scene

pytestmark = pytest.mark.django_db


def verified() -> str:
    """What the command says."""
    said = StringIO()
    try:
        call_command("verify_archive", stdout=said)
    except CommandError as error:
        said.write(str(error))
    return said.getvalue()


@pytest.fixture
def played(alice: Player, bob: Player) -> Game:
    """The second of three finished games; another runs."""
    return scene("second of three", lambda: play_four(alice, bob)[1])


def play_four(alice: Player, bob: Player) -> list[Game]:
    games = [play_random(make_game(alice, bob, bots=bots), seed=bots) for bots in (1, 0)]
    abandoned = make_game(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(abandoned, player=player, agrees=True, at=AT)
    return [*games, abandoned, play_random(make_game(alice, bob), plies=5)]


def test_it_is_content_with_games_as_they_were_played(
    played: Game, carol: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play_random(make_game(carol, bob, five_clans="nothing"))
    play.close_account(carol, at=AT)
    assert verified() == "All 4 games are as they were played.\n"
    with django_assert_num_queries(5):
        assert list(pov.verify_archive()) == [[]] * 4


CHANGES: dict[str, tuple[type[Model], dict[str, Any], dict[str, Any], str]] = {
    "a move": (Move, {"ply": 7}, {"text": "A1-A1"}, "at ply 7: "),
    "who moved": (Move, {"ply": 0}, {"seat": 1 - F("seat")}, "at ply 0: the move is stored for seat"),
    "a missing move": (Move, {"ply": 20}, {"ply": 59}, "at ply 20: there is no move, but one at ply 21"),
    "the length": (Game, {}, {"ply": F("ply") + 1}, "moves are stored as its length"),
    "the end": (Game, {}, {"end": "abandoned"}, "it is stored as ended by abandoned, and the rules say "),
    "a total": (Seat, {"number": 1}, {"total": 99}, "chips, total and rank of "),
    "a rank": (Seat, {"number": 0}, {"rank": None}, "chips, total and rank of "),
    "when it ended": (Seat, {"number": 0}, {"ended_at": AT - timedelta(days=1)}, "ended at 2026-03-01"),
    "the margin": (Game, {}, {"margin": 77}, "margin is stored as 77, and is "),
    "the clans that won": (Game, {}, {"winning_clans": "rbgyk"}, "winning_clans is stored as 'rbgyk', and is "),
    "a position": (PassedPosition, {"ply": 12}, {"key": 1}, "at ply 12: the key of the position is stored as "),
    "a missing position": (PassedPosition, {"ply": 3}, {"ply": 200}, "at ply 3: the key of the position is stored as "),
    "the seed": (Deal, {}, {"seed": b"0" * 32}, "at ply 0: its deal does not prove its salted-seed"),
    "the salts": (Deal, {}, {"salts": ["00" * 32] * 2}, "at ply 0: its deal does not prove its salts"),
    "broken salts": (Deal, {}, {"salts": []}, "at ply 0: its deal"),
    "what was added": (Seat, {"number": 0}, {"entropy": "mine"}, "at ply 0: its deal does not prove its shares"),
    "when a move was made": (Move, {"ply": 5}, {"at": AT}, "at ply 5: the hash of move 6 is stored as "),
    "that a person moved": (Move, {"ply": 0}, {"by_bot": True}, "at ply 0: the hash of move 1 is stored as "),
    "a hash": (Move, {"ply": 9}, {"previous_hash": b"0" * 32}, "at ply 8: the hash of move 9 is stored as 3030"),
    "a missing hash": (Move, {"ply": 0}, {"previous_hash": None}, "at ply 0: the hash of the opening is missing"),
    "the last hash": (Game, {}, {"last_hash": b"0" * 32}, "is stored as 3030"),
    "the moves withdrawn": (Game, {}, {"edition": 1}, "at ply 0: the hash of the opening is stored as "),
    "the opening": (Game, {}, {"first": 1 - F("first")}, "at ply 0: "),
    "the rules": (Game, {}, {"rules": 99}, "at ply 0: "),
}
"""What is changed where, and what is said of it."""


@pytest.mark.parametrize("what", CHANGES)
def test_it_names_the_game_and_the_ply_of_what_was_changed(played: Game, what: str) -> None:
    model, row, changes, said = CHANGES[what]
    about: Any = {"pk": played.pk} if model is Game else {"game": played.pk}
    assert model._default_manager.filter(**about, **row).update(**changes) == 1
    *lines, last = verified().splitlines()
    assert lines
    assert all(line.startswith(f"{played.slug} at ply ") for line in lines)
    assert any(said in line for line in lines)
    assert last == "1 of 3 games are not as they were played."


@pytest.mark.parametrize(
    ("model", "row", "said"),
    [
        (Deal, {}, "at ply 0: its deal cannot be read: "),
        (Seat, {"number": 1}, "at ply "),
        (Move, {"ply": 0}, "at ply 0: "),
    ],
)
def test_it_names_the_game_of_a_row_that_is_gone(
    played: Game, model: type[Model], row: dict[str, Any], said: str
) -> None:
    model._default_manager.filter(game=played.pk, **row).delete()
    *lines, last = verified().splitlines()
    assert any(line.startswith(f"{played.slug} {said}") for line in lines)
    assert last == "1 of 3 games are not as they were played."


def test_it_names_cards_that_were_exchanged(played: Game) -> None:
    first, second = played.seats.order_by("number")
    scores = dict(zip(Seat.Clan.values, played.position().scores, strict=True))
    other = next(clan for clan in scores if clan != second.clan and scores[clan] != scores[first.clan])
    Seat.objects.filter(pk=first.pk).update(clan=other)
    said = verified()
    assert f"{played.slug} at ply 0: its deal does not prove its cards" in said
    assert f"{played.slug} at ply {played.ply}: number, chips, total and rank of {first.name}" in said


def test_it_changes_nothing(played: Game) -> None:
    Game.objects.filter(pk=played.pk).update(margin=77)
    before = [list(model._default_manager.order_by("pk").values()) for model in (Game, Seat, Move, PassedPosition)]
    verified()
    assert before == [
        list(model._default_manager.order_by("pk").values()) for model in (Game, Seat, Move, PassedPosition)
    ]

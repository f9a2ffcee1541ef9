"""The columns that a finished game is searched by: written when it ends, and for those that were over before."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Player, fill_results, sets_of_clans_with
from games.models.results import RESULT
from tests.cast import AT, make_game, play_out, play_random

pytestmark = pytest.mark.django_db


def results() -> list[dict[str, object]]:
    return list(Game.objects.order_by("pk").values("pk", *RESULT))


def test_they_are_those_of_the_seats(alice: Player, bob: Player, carol: Player) -> None:
    game = play_out(make_game(alice, bob, carol, bots=1))
    totals = sorted((seat.total or 0 for seat in game.seats.all()), reverse=True)
    letters = "".join({"black": "k"}.get(seat.clan, seat.clan[0]) for seat in game.seats.filter(rank=1))
    assert game.has_computers
    assert (game.winning_total, game.margin) == (totals[0], totals[0] - totals[1])
    assert sorted(game.winning_clans) == sorted(letters)


def test_a_game_that_runs_or_was_abandoned_has_none(alice: Player, bob: Player) -> None:
    running, abandoned = make_game(alice, bob), make_game(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(abandoned, player=player, agrees=True, at=AT)
    for game in (running, abandoned):
        game.refresh_from_db()
        assert (game.has_computers, game.winning_clans, game.winning_total, game.margin) == (False, "", None, None)


@pytest.mark.parametrize("name", RESULT)
def test_the_database_takes_none_of_them_before_the_end(name: str, alice: Player, bob: Player) -> None:
    """A new column goes into the constraint, too."""
    over, running = play_out(make_game(alice, bob, bots=1)), make_game(alice, bob)
    with pytest.raises(IntegrityError, match="game_result_only_when_finished"), transaction.atomic():
        Game.objects.filter(pk=running.pk).update(**{name: getattr(over, name)})


def test_they_are_filled_for_games_that_were_over_before(
    alice: Player, bob: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    played = play_out(make_game(alice, bob, bots=1))
    play_random(make_game(alice, bob), plies=8)
    shared = play_out(make_game(alice, bob), seed=2)
    shared.seats.update(rank=1, total=33)
    fill_results(of=apps)
    before = results()
    Game.objects.filter(status="finished").update(
        has_computers=False, winning_clans="", winning_total=None, margin=None
    )
    assert results() != before
    with django_assert_max_num_queries(6):
        assert fill_results(of=apps) == 2
    assert results() == before
    shared.refresh_from_db()
    assert (shared.winning_total, shared.margin, len(shared.winning_clans)) == (33, 0, 2)
    assert played.has_computers


def test_a_migration_fills_the_columns_that_its_game_has(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    play_out(game)
    before = results()
    Game.objects.filter(status="finished").update(winning_total=None, margin=None)
    monkeypatch.setattr("games.models.results.RESULT", (*RESULT, "of_a_later_version"))
    assert fill_results(of=apps) == 1
    assert results() == before


def test_a_clan_is_in_every_set_that_it_may_have_won_in() -> None:
    assert sets_of_clans_with("green")[:3] == ["g", "rg", "bg"]
    assert len({*sets_of_clans_with("green")}) == 15
    assert all("k" in clans for clans in sets_of_clans_with("black"))

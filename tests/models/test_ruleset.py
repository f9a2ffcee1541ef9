"""A game goes by the map and the version of the rules that its row names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from games import pov, rules
from games.models import Game
from tests.cast import play_out


def test_a_table_names_the_map_and_the_version_that_it_was_opened_by(game: Game) -> None:
    assert (game.board, game.rules) == ("atlas-1", rules.STANDARD.version.number)
    assert game.ruleset is rules.STANDARD


def test_old_games_are_folded_by_the_rules_that_they_were_played_by(
    game: Game, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    """A later version with another chart changes nothing of them; a game of that version goes by it."""
    before = play_out(game).position()
    played_by = rules.STANDARD.version
    later = played_by.number + 1
    chart = tuple(epoch._replace(bonus=epoch.bonus + 7) for epoch in played_by.epochs)
    monkeypatch.setitem(rules.VERSIONS, later, replace(played_by, number=later, epochs=chart))
    assert Game.objects.get(pk=game.pk).position() == before
    Game.objects.filter(pk=game.pk).update(rules=later)
    after = Game.objects.get(pk=game.pk)
    assert after.position().scores != before.scores
    assert pov.record_of(pov.look(after, viewer=None))["rules"]["version"] == later
    assert f'<td class="num">{chart[0].bonus}</td>' in client.get(f"{game.get_absolute_url()}ply/3/").content.decode()


@pytest.mark.parametrize("changed", [{"board": ""}, {"rules": 0}])
def test_the_database_refuses_a_game_without_them(game: Game, changed: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**changed)

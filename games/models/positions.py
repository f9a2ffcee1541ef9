"""Positions that finished games passed through, for searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import rules
from games.models.game import Game, in_batches

if TYPE_CHECKING:
    from games.rules import Step

OPENING_PLIES = 8
"""After so many moves hardly two games look alike, whatever their clans."""


class PassedPosition(models.Model):
    """A position that a finished game passed through. Of games that run there are none."""

    pk = models.CompositePrimaryKey("game", "ply")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="passed_positions", db_index=False)
    ply = models.PositiveSmallIntegerField()
    key = models.BigIntegerField(help_text=_("What `rules.position_key` makes of it."))
    shape = models.BigIntegerField(
        null=True, help_text=_("What `rules.shape_key` makes of it, after the first few moves.")
    )

    class Meta:
        verbose_name = _("passed position")
        verbose_name_plural = _("passed positions")
        indexes = (
            # games that passed through a position
            models.Index(fields=("key", "game"), name="passedposition_key"),
            # games that began with the same moves
            models.Index(fields=("shape", "game"), condition=Q(shape__isnull=False), name="passedposition_shape"),
        )

    def __str__(self) -> str:
        return f"{self.game_id} at {self.ply}"


def keys_of(opening: rules.Opening, steps: Iterable[Step]) -> Iterator[dict[str, int | None]]:
    """The columns of each position of a game, but for the game."""
    yield {"ply": 0, "key": rules.position_key(rules.set_up(opening)), "shape": None}
    for step in steps:
        ply, position = step.ply + 1, step.position
        shape = rules.shape_key(position) if ply <= OPENING_PLIES else None
        yield {"ply": ply, "key": rules.position_key(position), "shape": shape}


def note_positions(game: Game) -> None:
    """Store the positions of a game that has just ended. Two queries."""
    rows = [PassedPosition(game=game, **keys) for keys in keys_of(game.opening(), game.steps())]
    PassedPosition.objects.bulk_create(rows)


def fill_positions(*, of: Any) -> int:
    """Write the positions of all finished games anew, 100 games at a time, and return how many games there are. Those
    whose log cannot be read are left out: `manage.py verify_archive` names them. `of` has the models, as a migration
    has them."""
    game, passed = of.get_model("games", "Game"), of.get_model("games", "PassedPosition")
    done = 0
    for some in in_batches(game.objects.filter(status="finished").prefetch_related("moves"), 100):
        done += len(some)
        passed.objects.filter(game__in=some).delete()
        rows = [passed(game_id=one.pk, **keys) for one in some for keys in _keys_of_row(one)]
        passed.objects.bulk_create(rows)
    return done


def _keys_of_row(game: Any) -> list[dict[str, int | None]]:
    """As `keys_of`, of a row with its moves; none where they cannot be read."""
    try:
        ruleset = rules.find_ruleset(game.board, game.rules)
        opening = rules.Opening(game.huts, game.size, game.first, cast("rules.FiveClans", game.five_clans), ruleset)
        log = sorted(game.moves.all(), key=lambda move: move.ply)
        return list(keys_of(opening, rules.fold(opening, [rules.Move.parse(row.text, ruleset.board) for row in log])))
    except rules.ClansError:
        return []

"""What players write for themselves is their own: a world in which others have written something looks the same.

Every page and form is asked for in such worlds by test_two_worlds.py.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from games import play, pov
from games.models import Game, Notice, Player
from tests.faults.scenery import NOW, Scenery
from tests.faults.worlds import Ask, Seen, Witness, differences, mark_all, write_all
from tests.mail.composed import compose

MakeWitness = Callable[[Player | None], Witness]


pytestmark = pytest.mark.usefixtures("frozen")


@pytest.fixture
def witness(scenery: Scenery, caplog: pytest.LogCaptureFixture) -> MakeWitness:
    caplog.set_level(logging.DEBUG, logger="games")
    return lambda viewer: Witness(viewer, caplog)


def look_in_worlds(witness: Witness, asks: list[Ask]) -> list[Seen]:
    seen = []
    for world in (0, 2):
        write_all(witness.viewer, world=world)
        seen.append(witness.look(asks))
    return seen


def test_it_mails_and_exports_nothing_of_it(scenery: Scenery) -> None:
    seen = []
    for world in range(3):
        write_all(None, world=world)
        stdout = StringIO()
        call_command("export_games", stdout=stdout)
        notices = Notice.objects.select_related("seat__game", "seat__player").order_by("-pk")[:20]
        mails = {str(notice.pk): compose(notice).message().as_bytes() for notice in notices}
        seen.append({"export_games": stdout.getvalue().encode(), **mails})
    assert differences(seen) == []


def test_it_would_notice_a_notebook_that_is_seen(scenery: Scenery, witness: MakeWitness) -> None:
    """The worlds differ: whoever has written there, or looks with the writer's eyes, sees it."""
    game = scenery.games["running"]
    teller = witness(scenery.players["bob"])
    teller.viewer = scenery.players["mallory"]
    assert len(differences(look_in_worlds(teller, [Ask(game.get_absolute_url())]))) == 1


def test_it_shows_sheets_to_all_once_the_game_is_over(scenery: Scenery, witness: MakeWitness) -> None:
    seat = scenery.games["finished"].seats.get(player=scenery.players["alice"])
    teller, page, seen = witness(None), [Ask(seat.game.get_absolute_url())], []
    for world in (0, 1):
        mark_all([seat], world=world)
        seen.append(teller.look(page))
    assert len(differences(seen)) == 1


def test_it_reveals_no_sheet_while_the_game_runs(scenery: Scenery) -> None:
    write_all(None, world=2)
    for game in Game.objects.exclude(status=Game.Status.FINISHED):
        assert pov.reveal_sheets(game) == {}
    running = scenery.games["running"]
    for name in ("visitor", "mallory", "alice"):
        viewer = scenery.viewer(name)
        seats = pov.look(running, viewer=viewer).seats
        assert all(seat.is_mine for seat in seats if seat.has_note or seat.has_sheet)
    assert pov.read_note(running, viewer=scenery.players["mallory"]) == ("", None)
    assert pov.read_sheet(running, viewer=scenery.players["mallory"]) == []


def test_it_gives_back_what_each_has_written(scenery: Scenery) -> None:
    game, names = scenery.games["running"], ("alice", "bob", "carol")
    for name in names:
        play.write_note(game, player=scenery.players[name], text=f"by {name}", seen="", at=NOW)
    read = [pov.read_note(game, viewer=scenery.players[name])[0] for name in names]
    assert read == [f"by {name}" for name in names]

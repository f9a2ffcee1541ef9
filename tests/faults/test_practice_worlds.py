"""Nobody learns the computer player's card of a practice game before its end, not even who plays it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib import import_module

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase

from games import play, rules
from games.pages.practice.page import KEY
from tests.cast import AT
from tests.faults import memory
from tests.faults.browser import Browser
from tests.faults.crawler import Crawl
from tests.faults.worlds import Ask, Seen, Witness, differences
from tests.play.test_practice import play_some, with_cards

pytestmark = pytest.mark.django_db

PAGES = ("/", "/rules/", "/practice/", "/tables/practice/", "/accounts/login/", "/accounts/signup/")


@pytest.fixture(autouse=True)
def _frozen() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


def session_of(game: play.Practice) -> SessionBase:
    """A visitor's session with the game in it."""
    session: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore()
    session[KEY] = game.as_data()
    session.create()
    return session


def keep(browser: Browser, session: SessionBase) -> None:
    """Let the browser bring the cookie of the session."""
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""


def asks(game: play.Practice) -> list[Ask]:
    """Every page, drafts of every kind, and forms that are refused or sent twice."""
    ply, move = game.position.ply, rules.legal_moves(game.position)[-1]
    drafts = (f"?from={move.origin}", f"?from={move.origin}&to={move.target}", "?move=A1-L5", "?move=red")
    forms: tuple[dict[str, str], ...] = (
        {},
        {"ply": str(ply), "move": "A1-L5"},
        {"ply": str(ply), "move": f"{move.origin}-{move.target}=A1,A1"},
        {"ply": str(ply - 1), "move": str(game.steps[-1].move)},
        {"ply": "0", "move": "A1-A2"},
    )
    return [
        *map(Ask, PAGES),
        *(Ask(f"/tables/practice/{draft}") for draft in drafts),
        *(Ask(f"/tables/practice/ply/{number}/") for number in (0, ply, ply + 1)),
        *(Ask("/tables/practice/move/", form) for form in forms),
    ]


@pytest.mark.parametrize("moves", [1, 12])
def test_it_shows_a_practice_game_the_same_whichever_card_the_computer_player_holds(
    caplog: pytest.LogCaptureFixture, moves: int
) -> None:
    caplog.set_level(logging.DEBUG, logger="games")
    game = play_some(play.begin_practice(), moves=moves)
    assert not game.position.over
    mine, witness = game.clans[play.PERSON], Witness(None, caplog)
    session, seen = session_of(game), []
    for card in set(rules.CLANS) - {mine}:
        session[KEY] = with_cards(game, mine, card).as_data()
        session.save()
        keep(witness.browser, session)
        seen.append(witness.look(asks(game)))
    assert len(seen) == 4
    assert differences(seen) == []
    assert seen[0]["/tables/practice/"].startswith(b"200")
    assert any(answer.startswith(b"409") for answer in seen[0].values())


def test_it_shows_another_world_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    game = play_some(play.begin_practice())
    mine, witness, seen = game.clans[play.PERSON], Witness(None, caplog), list[Seen]()
    for card in (clan for clan in rules.CLANS if clan != mine):
        keep(witness.browser, session_of(with_cards(game, mine, card)))
        seen.append(witness.look([Ask("/tables/practice/")]))
    assert len(differences(seen)) == 1


def test_it_changes_nothing_by_following_links_from_a_practice_game() -> None:
    crawl = Crawl(Browser(None))
    keep(crawl.browser, session_of(play_some(play.begin_practice(), moves=5)))
    before = memory.dump()
    crawl.visit(["/practice/", "/tables/practice/", "/tables/practice/ply/0/"])
    crawl.follow()
    assert crawl.faults == []
    assert memory.dump() == before
    assert any(path.startswith("/tables/practice/?from=") for path in crawl.statuses)

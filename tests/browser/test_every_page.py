"""Every page in Chromium at a real server, narrow and wide, by day and by night."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page
from pytest_django import DjangoDbBlocker

from games import importing, play, pov
from games.enqueue import without_enqueueing
from games.importing import LONGEST_NAME, FileLine
from games.models import Game
from tests.browser.looking import BETWEEN, NARROW, Colors, Look
from tests.cast import make_game, make_player, play_random
from tests.look.stage import Stage, set_stage
from tests.look.visits import VISITS, Visit, not_visited
from tests.servers import Site, site

PRODUCTION = {"DJANGO_SETTINGS_MODULE": "tests.look.wrong_settings"}
TRIED_OUT = {"DEBUG": "1", "EMAIL_URL": ""}
LONG, ALSO_LONG = "W" * 30, "WM" * 15
LONGEST_IMPORTED = "WM" * (LONGEST_NAME // 2)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as on a server, with addresses at which something is wrong."""
    with site(tmp_path_factory.mktemp("every"), processes=("web",), environment=PRODUCTION) as served:
        yield served


@pytest.fixture(scope="module")
def tried_out(served: Site, stage: Stage) -> Iterator[Site]:
    """The same site as somebody tries it out, which has a mailbox."""
    (served.folder / "served").unlink()
    with site(served.folder, processes=("web",), environment=TRIED_OUT) as tried_out:
        yield tried_out


@pytest.fixture(scope="module")
def stage(served: Site, django_db_blocker: DjangoDbBlocker) -> Iterator[Stage]:
    """Set once; the database at hand is the site's from then on."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), without_enqueueing():
        # The browser's driver has an event loop in this thread; ours it is not.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        patch.setattr("django.conf.settings.MAILBOX_DIR", served.folder / "mailbox")
        with served.database():
            yield set_stage()


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    """One for all visits; nothing moves in it."""
    with browser.new_context(reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def colors() -> Colors:
    """Those of all pages that this process has visited."""
    return Colors()


@pytest.fixture
def look(window: Page, colors: Colors) -> Iterator[Look]:
    look = Look(window, colors)
    yield look
    look.leave()


def pages() -> list[Any]:
    """The visits by name."""
    return [pytest.param(visit, id=str(visit)) for visit in VISITS]


@pytest.mark.parametrize("visit", pages())
def test_it_looks_well_everywhere(
    request: pytest.FixtureRequest, look: Look, served: Site, stage: Stage, visit: Visit
) -> None:
    where: Site = request.getfixturevalue("tried_out") if visit.who == "operator" else served
    look.come(stage.client(visit), where.url)

    assert look.open(stage.path(visit), stage.form(visit)) == visit.status
    faults = look.judge()
    assert not faults, "\n".join(faults)


def test_it_has_room_for_a_name_without_blanks(look: Look, served: Site, stage: Stage) -> None:
    player, at = make_player(LONG), timezone.now()
    tables = [play.open_table(player, name=f"{LONG}’s table", size=size, at=at) for size in (2, 3)]
    play.join_table(tables[0], player=make_player("M" * 30), at=at)
    (client := Client()).force_login(player)
    look.come(client, served.url)
    for table in tables:
        assert look.open(table.get_absolute_url()) == 200
        assert look.measure(NARROW, *BETWEEN) == []


def test_it_has_room_for_long_names_in_games_that_are_over(look: Look, served: Site, stage: Stage) -> None:
    """Also for those of imported games, which may be longer."""
    player, other = make_player("WWM" * 10), make_player(ALSO_LONG)
    game = play_random(make_game(player, other, bots=1, at=timezone.now() - timedelta(days=20)))
    [written] = pov.write_records(Game.objects.filter(pk=game.pk))
    record = json.loads(written.line or "")
    del record["deal"]
    record["players"][0]["name"], record["name"] = LONGEST_IMPORTED, "W" * 60
    [told] = importing.import_records([FileLine(1, json.dumps(record).encode())], at=timezone.now())
    assert told.outcome == "imported", told
    imported = Game.objects.get(name="W" * 60)
    (client := Client()).force_login(player)
    paths = [
        "/",
        "/archive/",
        "/archive/?mine=1",
        f"/archive/?player={player.username}",
        f"/players/{player.username}/",
    ]
    for slug in (game.slug, imported.slug):
        paths += [
            f"/tables/{slug}/",
            f"/tables/{slug}/ply/9/",
            f"/tables/{slug}/ply/9/seat/1/",
            f"/tables/{slug}/deal/",
        ]
    faults: list[str] = []
    look.come(client, served.url)
    for path in paths:
        assert look.open(path) == 200
        faults += [f"{path}: {fault}" for fault in look.measure(NARROW, *BETWEEN)]
    assert not faults, "\n".join(faults)


def test_a_mail_of_the_mailbox_scrolls_with_its_page(look: Look, tried_out: Site, stage: Stage) -> None:
    [visit] = [visit for visit in VISITS if visit.route == "mailbox_mail"]
    look.come(stage.client(visit), tried_out.url)
    assert look.open(stage.path(visit)) == 200
    frame = look.page.locator(".mailbox-frame")
    shown, whole = frame.evaluate("one => [one.clientHeight, one.contentDocument.documentElement.scrollHeight]")
    assert shown == whole > 800


def test_it_visits_every_address() -> None:
    assert not_visited() == set()

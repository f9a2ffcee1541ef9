"""Who may ask for what: permissions.txt declares every address, method and kind of visitor, and this holds it against
the site. An address that is not declared there fails, and so does every answer of another kind."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponseBase

from games import play
from games.models import Game, Player
from tests.cast import AT, make_game, make_player, play_random, random_move
from tests.faults.addresses import Route, Samples, routes
from tests.faults.browser import Browser
from tests.faults.scenery import Scenery

DECLARED = Path(__file__).with_name("permissions.txt")
VISITORS = ("visitor", "stranger", "seat", "other", "staff", "superuser")
BLOCKED = "blocked"
"""A stranger whom alice has blocked. The answer to them is declared only where strangers get another one."""
METHODS = ("GET", "POST", "DELETE")
SEATED = {
    f"/tables/<slug>/{verb}/"
    for verb in ("move", "resign", "abandon", "mail", "nudge", "back", "withdraw", "take-back", "talk")
}

pytestmark = pytest.mark.usefixtures("frozen")


@pytest.fixture
def game(scenery: Scenery) -> Game:
    """A running table that alice has opened, at her turn."""
    alice, bob, carol = (scenery.players[name] for name in ("alice", "bob", "carol"))
    game = play_random(make_game(alice, bob, carol), 4)
    while game.awaited != alice:
        play_random(game, 1, seed=game.ply)
    play.write_postcard(game, player=bob, text="Hello", at=AT)
    return game


@pytest.fixture
def browsers(scenery: Scenery) -> dict[str, Browser]:
    """One for each kind of visitor: `seat` is alice, whose turn it is, `other` is bob."""
    staff, stranger = make_player("staff"), make_player("trent")
    Player.objects.filter(pk=staff.pk).update(is_staff=True)
    mallory, alice, bob, warden = (scenery.players[name] for name in ("mallory", "alice", "bob", "warden"))
    people = (None, stranger, alice, bob, staff, warden, mallory)
    return {kind: Browser(player) for kind, player in zip((*VISITORS, BLOCKED), people, strict=True)}


def answer_kind(answer: HttpResponseBase) -> str:
    """How an answer is declared: what was asked for (`yes`), a page that asks who it is (`sign-in`, `again`), another
    page (`elsewhere`), or the status of a refusal."""
    there = answer.headers.get("Location", "")
    if answer.status_code in {301, 302, 303}:
        forms = {"/accounts/login/": "sign-in", "/admin/login/": "sign-in", "/accounts/reauthenticate/": "again"}
        return forms.get(there.partition("?")[0], "elsewhere")
    return "yes" if answer.status_code in {200, 204} else str(answer.status_code)


def path_of(route: Route, samples: Samples, game: Game) -> str:
    """The one address of a route that is asked for: that of the running table, of an open one of alice to sit down, the
    first of others."""
    samples.values["slug"] = [samples.scenery.games["open"].slug if route.name == "join" else game.slug]
    return samples.paths(route)[0]


def found(scenery: Scenery, game: Game, browsers: dict[str, Browser]) -> Iterator[str]:
    samples = Samples(scenery, plies=(3,))
    move = random_move(game.position(), random.Random(1))
    forms = {
        "move": {"move": str(move), "ply": str(game.ply)},
        "abandon": {"agrees": "yes"},
        "notebook": {"text": "Bob is red."},
        "seen": {"ply": str(game.ply)},
        "take_back": {"ply": str(game.ply)},
        "table_mail": {"mode": "nothing"},
        "talk": {"say": "Hello"},
        "postcard": {"do": "mute"},
        "muted": {"who": "1"},
        "favorites": {"remove": "1"},
        "resign": {"sure": "yes"},
        "release": {"who": "bob", "sure": "yes"},
        "hand_on": {"who": "bob", "sure": "yes"},
    }
    for route in routes():
        path = path_of(route, samples, game)
        for method in METHODS:
            form = forms.get(route.name, {}) if method == "POST" else {}
            kinds = {kind: _ask(browser, method, path, form) for kind, browser in browsers.items()}
            blocked = kinds.pop(BLOCKED)
            told = kinds["visitor"] if len(set(kinds.values())) == 1 else " ".join(kinds.values())
            unlike_stranger = f" | {BLOCKED} {blocked}" if blocked != kinds["stranger"] else ""
            yield f"{route.text} | {method} | {told}{unlike_stranger}"


def _ask(browser: Browser, method: str, path: str, form: Mapping[str, str]) -> str:
    """The kind of the answer; whatever the request changes is undone."""
    cache.clear()
    with transaction.atomic():
        kind = answer_kind(browser.post(path, form) if form else browser.ask(method, path))
        transaction.set_rollback(True)
    return kind


def declared() -> list[str]:
    lines = DECLARED.read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_everybody_may_what_is_declared_and_nothing_else(
    scenery: Scenery, game: Game, browsers: dict[str, Browser]
) -> None:
    seen = list(dict.fromkeys(found(scenery, game, browsers)))
    assert [line for line in seen if line not in set(declared())] == []
    assert [line for line in declared() if line not in set(seen)] == []


def test_head_gets_no_further_than_get(scenery: Scenery, game: Game, browsers: dict[str, Browser]) -> None:
    samples = Samples(scenery, plies=(3,))
    for route in routes():
        for kind in ("visitor", "seat"):
            told = _ask(browsers[kind], "HEAD", path_of(route, samples, game), {})
            assert told in {"405", _declared_to(kind, route.text, "GET")}, route


@pytest.mark.parametrize("method", ["PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_every_address_refuses_all_other_methods(
    scenery: Scenery, game: Game, browsers: dict[str, Browser], method: str
) -> None:
    samples = Samples(scenery, plies=(3,))
    for route in routes():
        for kind in ("visitor", "seat"):
            assert _ask(browsers[kind], method, path_of(route, samples, game), {}) == "405", route


def kinds_declared(line: str) -> dict[str, str]:
    """What a line declares for each kind of visitor."""
    told, *unlike_stranger = line.split(" | ")[2:]
    kinds = dict(zip(VISITORS, told.split() * (1 if " " in told else len(VISITORS)), strict=True))
    blocked = unlike_stranger[0].removeprefix(f"{BLOCKED} ") if unlike_stranger else kinds["stranger"]
    return kinds | {BLOCKED: blocked}


def _declared_to(kind: str, path: str, method: str) -> str:
    """The answer that this kind of visitor has to that method."""
    [told] = {kinds_declared(line)[kind] for line in declared() if line.split(" | ")[:2] == [path, method]}
    return told


def test_what_is_declared_is_sound() -> None:
    """Nobody but operators sees the admin, no visitor a page of preferences, only who has a seat writes there, and
    whoever is blocked may nothing that a stranger may not."""
    for line in declared():
        path, method, told = line.split(" | ")[:3]
        kinds = kinds_declared(line)
        if path.startswith("/admin/"):
            assert "yes" not in {kinds[kind] for kind in ("visitor", "stranger", "seat", "other", BLOCKED)}, line
        refusal = "405" if method == "DELETE" else "sign-in"
        assert kinds["visitor"] == refusal or not path.startswith(("/preferences/", "/vacation/")), line
        if path in SEATED and method == "POST":
            assert not {"yes", "elsewhere"} & {told for kind, told in kinds.items() if kind not in {"seat", "other"}}, (
                line
            )
        assert kinds[BLOCKED] == kinds["stranger"] or kinds[BLOCKED].isdecimal(), line
        if method == "DELETE":
            assert told == "405", line

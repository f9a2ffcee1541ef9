"""Nobody gets a byte of what they may not know (design 1.3): the worlds look the same, whichever it is."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command, get_commands
from django.test import Client, TestCase
from pytest_django import Settings

from games import mail, pov
from games.enqueue import enqueue
from games.mail.message import return_address
from games.mail.plan import SEND_TASK
from games.mail.transport.mailbox import store_mail
from games.models import Game, Mail, Notice, Player
from tests.cast import AT
from tests.chance import CHANCE
from tests.faults import asking, leaks, memory
from tests.faults.addresses import Samples, routes
from tests.faults.scenery import NOW, VIEWERS, Scenery
from tests.faults.worlds import (
    Ask,
    Seen,
    Witness,
    deal_again,
    differences,
    hidden_cards,
    hidden_seats,
    make_world,
    undone,
)
from tests.mail.composed import compose

WORLDS = range(5)
"""In so many each hidden seat has held every card."""
THREE, TWO = range(3), range(2)
LEAKY = "tests.faults.leaks"

MakeWitness = Callable[[Player | None], Witness]


pytestmark = pytest.mark.usefixtures("frozen")


@pytest.fixture
def witness(scenery: Scenery, caplog: pytest.LogCaptureFixture) -> MakeWitness:
    # As LOG_LEVEL=DEBUG would have it.
    caplog.set_level(logging.DEBUG, logger="games")
    # The first message of a process also takes chance for its way to the broker.
    memory.queue_folder().mkdir(parents=True, exist_ok=True)
    with TestCase.captureOnCommitCallbacks(execute=True):
        enqueue(SEND_TASK, 0)
    # So do its first page, which loads the tags of templates, and the first form of a table, whose fields are cached.
    client = Client()
    client.force_login(scenery.players["alice"])
    client.get("/tables/new/")
    return lambda viewer: Witness(viewer, caplog)


def look_in_worlds(witness: Witness, asks: list[Ask], *, worlds: range = WORLDS) -> list[Seen]:
    seen = []
    for turn in worlds:
        make_world(witness.viewer, turn=turn)
        seen.append(witness.look(asks))
    return seen


# --- Pages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIEWERS)
def test_it_shows_every_page_the_same_in_all_worlds(scenery: Scenery, witness: MakeWitness, name: str) -> None:
    asks = [*asking.every_address(scenery), *asking.every_draft(scenery)]
    seen = look_in_worlds(witness(scenery.viewer(name)), asks, worlds=THREE if name == "alice" else TWO)
    assert differences(seen) == []
    assert {*(game.get_absolute_url() for game in scenery.games.values()), "/", "/archive/", "/rules/"} <= shown(
        seen[0]
    )
    assert ("/preferences/" in shown(seen[0])) == (name != "visitor")
    assert ("/admin/games/game/?q=alice" in shown(seen[0])) == (name == "warden")
    assert [label for label, answer in seen[0].items() if answer.startswith(b"5")] == ["/health/"]


@pytest.mark.parametrize("name", ["alice", "bob", "mallory", "visitor", "warden"])
def test_it_answers_every_form_the_same_in_all_worlds(scenery: Scenery, witness: MakeWitness, name: str) -> None:
    asks = [*asking.every_form(scenery), *asking.admin_forms(scenery)]
    seen = look_in_worlds(witness(scenery.viewer(name)), asks, worlds=TWO)
    assert differences(seen) == []


@pytest.mark.parametrize(("name", "worlds"), [("alice", 12), ("visitor", 60)])
def test_it_shows_a_table_the_same_however_the_cards_lie(
    scenery: Scenery, witness: MakeWitness, name: str, worlds: int
) -> None:
    game, viewer = scenery.games["running"], scenery.viewer(name)
    asked = ("", "?from=A1", "ply/12/", "deal/", "record.json", "notation.txt")
    pages = [Ask(game.get_absolute_url() + page) for page in asked]
    teller, cards = witness(viewer), hidden_cards(game, viewer)
    seen = []
    for world, dealt in enumerate(itertools.permutations(cards, len(hidden_seats(game, viewer)))):
        deal_again(game, viewer, dealt, world=world)
        seen.append(teller.look([*pages, Ask("/")]))
    assert len(seen) == worlds
    assert differences(seen) == []


@pytest.mark.parametrize("name", VIEWERS)
def test_it_looks_at_each_game_the_same_in_all_worlds(scenery: Scenery, name: str) -> None:
    """What pages are made of, also if no page shows it: a page that asks for less hides a Pov that knows more."""
    viewer, seen = scenery.viewer(name), []
    for turn in WORLDS:
        make_world(viewer, turn=turn)
        games = {key: Game.objects.get(pk=game.pk) for key, game in scenery.games.items()}
        seen.append({key: repr(pov.look(game, viewer=viewer)).encode() for key, game in games.items()})
    assert len(seen[0]) == len(scenery.games)
    assert differences(seen) == []


def shown(seen: Seen) -> set[str]:
    """The pages that are there for the viewer."""
    return {label for label, answer in seen.items() if answer.startswith(b"200")}


# --- Mails, exports, the mailbox -------------------------------------------------------------------


def last_notices() -> list[Notice]:
    """Of every game the mails that it began with, and the last ones."""
    notices = Notice.objects.select_related("seat__game", "seat__player")
    games = [list(notices.filter(seat__game=game).order_by("pk")) for game in Game.objects.exclude(huts="")]
    return [notice for owed in games for notice in (*owed[:3], *owed[3:][-3:])]


def test_it_mails_the_same_in_all_worlds(scenery: Scenery) -> None:
    """Not even the reader's own card is in a mail, so here all cards move."""
    seen = []
    for turn in THREE:
        make_world(None, turn=turn)
        seen.append({f"{notice.seat.game} {notice}": compose(notice).message().as_bytes() for notice in last_notices()})
    assert len(seen[0]) > 20
    assert differences(seen) == []


def test_it_sends_the_same_in_all_worlds(
    scenery: Scenery,
    caplog: pytest.LogCaptureFixture,
    mailoutbox: list[EmailMessage],
) -> None:
    """Also what the sweep notes and logs."""
    seen = []
    with undone():
        # Pictures are drawn once, whatever the world: a first sweep caches them. Which tables of one mail
        # show theirs hangs on which of its notices was met first.
        CHANCE.restart()
        mail.sweep(at=NOW)
    for turn in TWO:
        make_world(None, turn=turn)
        CHANCE.restart()
        caplog.clear()
        mailoutbox.clear()
        with undone(), memory.writes() as written:
            assert mail.sweep(at=NOW) >= 3
        sent = {str(number): message.message().as_bytes() for number, message in enumerate(mailoutbox)}
        seen.append({**sent, "writes": repr(written).encode(), "log": caplog.text.encode()})
    # A mail to each of the three, of all that is due to them together; the writes, and the log.
    assert len(seen[0]) >= 3 + 2
    assert differences(seen) == []


def test_it_exports_the_same_in_all_worlds(scenery: Scenery) -> None:
    seen = []
    for turn in WORLDS:
        make_world(None, turn=turn)
        printed = {}
        for options in ((), ("--all",)):
            stdout = StringIO()
            call_command("export_games", *options, stdout=stdout)
            printed[" ".join(("export_games", *options))] = stdout.getvalue().encode()
        seen.append(printed)
    assert seen[0]["export_games"].count(b"\n") == 4
    assert seen[0]["export_games --all"].count(b"\n") == 6
    assert differences(seen) == []


def test_it_knows_all_commands() -> None:
    """A command that comes to print something of games needs a test here."""
    ours = {name for name, app in get_commands().items() if app == "games"}
    known = {
        "bounced",
        "check_owed",
        "close_account",
        "demo",
        "export_board",
        "export_games",
        "import_games",
        "migrate",
        "poll_mailbox",
        "push_key",
        "receive_mail",
        "receive_mails",
        "recount",
        "sendtestemail",
        "simulate",
        "sweep",
        "verify_archive",
    }
    assert ours == known


def test_it_takes_in_what_came_back_the_same_in_all_worlds(scenery: Scenery, settings: Settings) -> None:
    settings.BOUNCE_ADDRESS = "bounces@example.com"
    seen = []
    for turn in TWO:
        make_world(None, turn=turn)
        stdout = StringIO()
        with undone():
            reader = Player.objects.filter(seats__notices__isnull=False).earliest("pk")
            sent = Mail(
                player=reader, message_id="<sent@localhost>", state="sent", sent_at=AT, created_at=AT, due_at=AT
            )
            sent.save()
            call_command("bounced", return_address(sent), stdout=stdout)
        seen.append({"bounced": stdout.getvalue().encode()})
    assert b"gets no more mail" in seen[0]["bounced"]
    assert differences(seen) == []


def test_it_closes_accounts_the_same_in_all_worlds(scenery: Scenery, caplog: pytest.LogCaptureFixture) -> None:
    seen = []
    for turn in TWO:
        make_world(None, turn=turn)
        caplog.clear()
        stdout = StringIO()
        with undone():
            call_command("close_account", "carol", "--no-input", stdout=stdout)
        seen.append({"close_account": stdout.getvalue().encode(), "log": caplog.text.encode()})
    assert b"is closed" in seen[0]["close_account"]
    assert differences(seen) == []


def test_it_says_the_same_of_what_is_owed_in_all_worlds(scenery: Scenery) -> None:
    seen = []
    for turn in TWO:
        make_world(None, turn=turn)
        with pytest.raises(CommandError) as told:
            call_command("check_owed")
        seen.append({"check_owed": str(told.value).encode()})
    assert differences(seen) == []


def test_it_keeps_the_same_mailbox_in_all_worlds(
    scenery: Scenery, witness: MakeWitness, settings: Settings, tmp_path: Path
) -> None:
    settings.DEBUG, settings.MAILBOX_DIR = True, tmp_path
    settings.EMAIL_BACKEND = "games.mail.transport.mailbox.MailboxBackend"
    for notice in Notice.objects.select_related("seat__game", "seat__player").order_by("-pk")[:3]:
        store_mail(compose(notice).message().as_bytes())
    addresses = (path for route in routes() if "mailbox" in route.name for path in Samples(scenery).paths(route))
    seen = look_in_worlds(witness(None), [Ask(path) for path in addresses])
    assert sum(answer.startswith(b"200") for answer in seen[0].values()) == 7
    assert differences(seen) == []


# --- That it would be noticed ----------------------------------------------------------------------


@pytest.mark.parametrize("leak", leaks.NAMES)
@pytest.mark.urls(LEAKY)
def test_it_notices_a_view_that_leaks(scenery: Scenery, witness: MakeWitness, leak: str) -> None:
    slug = scenery.games["running"].slug
    address = f"/tables/{slug}/leak-{leak}/"
    assert Ask(address) in asking.every_address(scenery, urlconf=LEAKY)
    found = differences(look_in_worlds(witness(scenery.players["mallory"]), [Ask(address)]))
    assert found
    assert all(slug in line or line.startswith("cache") for line in found)


@pytest.mark.urls(LEAKY)
def test_it_notices_a_form_that_leaks(scenery: Scenery, witness: MakeWitness) -> None:
    asks = [ask for ask in asking.every_form(scenery, urlconf=LEAKY) if "/leak-" in ask.path]
    found = differences(look_in_worlds(witness(scenery.players["mallory"]), asks))
    assert any("queue after" in line for line in found)
    assert any("writes of" in line for line in found)


def test_it_notices_a_page_that_looks_with_the_eyes_of_another(
    scenery: Scenery, witness: MakeWitness, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, bob = pov.look, scenery.players["bob"]
    monkeypatch.setattr("games.pages.table.page.look", lambda game, viewer: look(game, viewer=bob))
    game = scenery.games["running"]
    found = differences(look_in_worlds(witness(scenery.players["mallory"]), [Ask(game.get_absolute_url())]))
    assert len(found) == 1


def test_it_notices_an_address_that_nobody_has_thought_of(scenery: Scenery) -> None:
    with pytest.raises(KeyError, match="no sample for <card>"):
        asking.every_address(scenery, urlconf="tests.faults.leaks_unknown")


def test_it_tells_the_worlds_apart_once_the_game_is_over(scenery: Scenery, witness: MakeWitness) -> None:
    game = scenery.games["finished"]
    pages = [Ask(game.get_absolute_url() + page) for page in ("", "deal/", "record.json", "notation.txt")]
    teller, cards = witness(None), list(game.seats.order_by("number").values_list("clan", flat=True))
    seen = []
    for world in (0, 1):
        deal_again(game, None, cards[world:] + cards[:world], world=world)
        seen.append(teller.look(pages))
    assert len(differences(seen)) == 4


def test_it_shows_what_was_seen_then_the_same_in_all_worlds(scenery: Scenery, witness: MakeWitness) -> None:
    """A game that is over, as the public and the first seat saw it: the others have other cards, totals and ranks."""
    game = scenery.games["finished"]
    first, *others = game.seats.order_by("number")
    cards = hidden_cards(game, first.player)
    pages = [game.get_absolute_url() + f"ply/{ply}/" for ply in (0, 9, game.ply)]
    then = [Ask(page + end) for page in pages for end in ("public/", "seat/1/")]
    teller, seen, looked = witness(None), [], []
    for world in range(len(cards)):
        deal_again(game, first.player, cards[world:] + cards[:world], world=world)
        for place, seat in enumerate(others):
            game.seats.filter(pk=seat.pk).update(rank=1 + (world + place) % 3, total=world + place)
        seen.append(teller.look(then))
        found = pov.look(Game.objects.get(pk=game.pk), viewer=None)
        looked.append({str(seat): repr(pov.as_seen_then(found, seat=seat)).encode() for seat in (None, 0)})
    assert shown(seen[0]) == {str(ask) for ask in then}
    assert differences(seen) == []
    assert differences(looked) == []
    others_saw = [Ask(page + "seat/2/") for page in pages]
    card = teller.look(others_saw)
    deal_again(game, first.player, cards, world=0)
    assert len(differences([card, teller.look(others_saw)])) == len(pages)

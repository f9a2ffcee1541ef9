"""Turning mail off by the link in a mail (RFC 8058)."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse

from games import mail
from games.models import Game, MailMode, Notice, Player
from tests.cast import make_game
from tests.made_once import made_once
from tests.mail.composed import compose

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def stranger() -> Client:
    """Not signed in, and strict about CSRF as a browser's victim would wish."""
    return Client(enforce_csrf_checks=True)


def link(player: Player) -> str:
    return mail.stop_url(player).removeprefix("http://localhost:8000")


def wants_mail(player: Player) -> bool:
    return Player.objects.get(pk=player.pk).mail_mode != "nothing"


def test_it_asks_first(alice: Player, stranger: Client) -> None:
    for _visit in range(2):
        answer = stranger.get(link(alice))
        assert answer.status_code == 200
        assert "No more mails about games?" in answer.content.decode()
        assert '<form class="form" method="post">' in answer.content.decode()
    assert stranger.head(link(alice)).status_code == 200
    assert wants_mail(alice)


def test_it_turns_mail_off_by_one_click_however_often(alice: Player, bob: Player, stranger: Client) -> None:
    for _click in range(2):
        answer = stranger.post(link(alice), ONE_CLICK)
        assert answer.status_code == 200
        assert not wants_mail(alice)
    page = unescape(answer.content.decode())
    assert "No more mails about games</h1>" in page
    assert reverse("mail_preferences") in page
    assert wants_mail(bob)


def test_it_says_so_when_mail_is_off_already(alice: Player, stranger: Client) -> None:
    stranger.post(link(alice), ONE_CLICK)
    page = stranger.get(link(alice)).content.decode()
    assert "No more mails about games</h1>" in page
    assert "One-Click" not in page.split("<main")[1].split("</main>")[0]


def test_it_works_by_the_link_in_the_mail(turn: Notice, stranger: Client) -> None:
    header = compose(Notice.objects.get(pk=turn.pk)).message()["List-Unsubscribe"]
    assert turn.seat.player is not None
    stranger.post(header.strip("<>").removeprefix("http://localhost:8000"), ONE_CLICK)
    assert not wants_mail(turn.seat.player)


def test_it_signs_nobody_in(alice: Player, stranger: Client) -> None:
    stranger.get(link(alice))
    stranger.post(link(alice), ONE_CLICK)
    assert "sessionid" not in stranger.cookies
    assert "alice@example.com" not in stranger.get(link(alice)).content.decode()


def test_it_knows_no_link_that_was_not_made_here(alice: Player, stranger: Client) -> None:
    good = link(alice)
    scope = Signer(salt="games.mail.stop").sign_object([alice.pk, "taxes"])
    nobody = Signer(salt="games.mail.stop").sign_object([alice.pk + 1000, "games"])
    odd = Signer(salt="games.mail.stop").sign_object({"player": alice.pk})
    other_use = Signer(salt="elsewhere").sign_object([alice.pk, "games"])
    tokens = [good[:-3] + "/", "/mail/stop/x/", *(f"/mail/stop/{t}/" for t in (scope, nobody, odd, other_use))]
    for path in tokens:
        for answer in (stranger.get(path), stranger.post(path, ONE_CLICK)):
            assert answer.status_code == 404
            assert "This link turns off no mail" in answer.content.decode()
    assert wants_mail(alice)


def test_it_takes_no_other_verb(alice: Player, stranger: Client) -> None:
    assert stranger.delete(link(alice)).status_code == 405
    assert stranger.put(link(alice)).status_code == 405
    assert wants_mail(alice)


# --- Less than all -------------------------------------------------------------------------------


def scoped(player: Player, scope: str, about: int | str) -> str:
    return mail.stop_url(player, scope=scope, about=about).removeprefix("http://localhost:8000")


def modes(player: Player) -> tuple[str, bool, dict[str, str]]:
    """What mail the player wants: the mode, whether reminders, and the exceptions by table."""
    found = Player.objects.get(pk=player.pk)
    tables = {seat.game.name: seat.mail_mode for seat in found.seats.select_related("game") if seat.mail_mode}
    return found.mail_mode, found.reminds, tables


def test_it_turns_off_one_table(game: Game, alice: Player, bob: Player, stranger: Client) -> None:
    seat = game.seats.get(player=alice)
    path = scoped(alice, "table", seat.pk)
    page = unescape(stranger.get(path).content.decode())
    assert "No more mails about “Friday table”?</h1>" in page
    assert modes(alice) == ("every", True, {})
    assert stranger.post(path, ONE_CLICK).status_code == 200
    assert modes(alice) == ("every", True, {"Friday table": "nothing"})
    assert modes(bob) == ("every", True, {})
    stranger.post(path, {"again": "1"})
    assert modes(alice) == ("every", True, {})


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("turn", ("reminders", True, {})),
        ("finished", ("reminders", True, {})),
        ("reminder", ("every", False, {})),
        ("nudge", ("every", False, {})),
    ],
)
def test_it_turns_off_one_kind(
    alice: Player, stranger: Client, kind: str, after: tuple[str, bool, dict[str, str]]
) -> None:
    path = scoped(alice, "kind", kind)
    for _visit in range(2):
        stranger.get(path)
        assert modes(alice) == ("every", True, {})
    for _click in range(2):
        stranger.post(path, ONE_CLICK)
        assert modes(alice) == after
    stranger.post(path, {"again": "1"})
    assert modes(alice) == ("every", True, {})


def test_it_takes_back_what_one_click_did(alice: Player, stranger: Client) -> None:
    page = stranger.post(link(alice), ONE_CLICK).content.decode()
    assert 'name="again"' in page
    assert "Mail comes as before" in stranger.post(link(alice), undo_of(page)).content.decode()
    assert wants_mail(alice)


def test_who_wants_nothing_does_not_get_more_by_wanting_less(alice: Player, stranger: Client) -> None:
    stranger.post(link(alice), ONE_CLICK)
    stranger.post(scoped(alice, "kind", "turn"), ONE_CLICK)
    assert modes(alice) == ("nothing", True, {})


def test_it_stops_nobody_elses_table(game: Game, alice: Player, bob: Player, stranger: Client) -> None:
    theirs = game.seats.get(player=bob)
    for path in (scoped(alice, "table", theirs.pk), scoped(alice, "table", 10**6), scoped(alice, "kind", "taxes")):
        assert stranger.post(path, ONE_CLICK).status_code == 404
    assert modes(bob) == modes(alice) == ("every", True, {})


# --- Tables with a mode of their own -------------------------------------------------------------


def own_modes(player: Player) -> list[str]:
    return list(player.seats.order_by("game").values_list("mail_mode", flat=True))


@pytest.fixture
def tables(alice: Player, bob: Player) -> list[Game]:
    """Three games of alice and bob; at the first alice wants every mail, at the third none."""
    made_once(lambda: set_modes([make_game(alice, bob) for _game in range(3)], alice), name="three tables of modes")
    return list(Game.objects.order_by("pk"))


def set_modes(games: list[Game], player: Player) -> None:
    player.seats.filter(game=games[0]).update(mail_mode="every")
    player.seats.filter(game=games[2]).update(mail_mode="nothing")


@pytest.mark.parametrize("mode", ["every", "digest", "reminders", "nothing"])
def test_it_stops_all_mail_also_of_tables_with_a_mode_of_their_own(
    tables: list[Game], alice: Player, bob: Player, stranger: Client, mode: str
) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_mode=mode)
    bob.seats.update(mail_mode="every")
    assert "No more mails about games?" in stranger.get(link(alice)).content.decode()
    stranger.post(link(alice), ONE_CLICK)
    assert (modes(alice)[0], own_modes(alice)) == ("nothing", ["", "", "nothing"])
    assert own_modes(bob) == ["every"] * 3
    assert "No more mails about games</h1>" in stranger.get(link(alice)).content.decode()


@pytest.mark.parametrize(
    ("mode", "own", "after", "own_after"),
    [
        ("every", "every", "reminders", ""),
        ("digest", "once", "reminders", ""),
        ("reminders", "digest", "reminders", ""),
        ("nothing", "every", "nothing", "reminders"),
        ("every", "reminders", "reminders", "reminders"),
    ],
)
def test_it_leaves_reminders_only_to_tables_of_every_mode(
    tables: list[Game], alice: Player, stranger: Client, mode: str, own: str, after: str, own_after: str
) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_mode=mode)
    alice.seats.filter(game=tables[0]).update(mail_mode=own)
    assert "Reminders only?" in stranger.get(scoped(alice, "kind", "turn")).content.decode()
    stranger.post(scoped(alice, "kind", "turn"), ONE_CLICK)
    assert (modes(alice)[0], own_modes(alice)) == (after, [own_after, "", "nothing"])
    assert "Reminders only</h1>" in stranger.get(scoped(alice, "kind", "turn")).content.decode()


def test_it_stops_a_table_that_alone_sends_mail(tables: list[Game], alice: Player, stranger: Client) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_mode="nothing")
    path = scoped(alice, "table", alice.seats.get(game=tables[0]).pk)
    assert "No more mails about “Friday table”?" in unescape(stranger.get(path).content.decode())
    stranger.post(path, ONE_CLICK)
    assert own_modes(alice) == ["nothing", "", "nothing"]


def test_reminders_are_not_off_while_a_table_sends_them(tables: list[Game], alice: Player, stranger: Client) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_mode="nothing")
    path = scoped(alice, "kind", "reminder")
    assert "No more reminders and nudges?" in stranger.get(path).content.decode()
    stranger.post(path, ONE_CLICK)
    assert not modes(alice)[1]


def test_it_decides_again_on_what_waits(turn: Notice, stranger: Client) -> None:
    reader = turn.seat.player
    assert reader is not None
    for path in (link(reader), scoped(reader, "table", turn.seat_id), scoped(reader, "kind", "turn")):
        Notice.objects.filter(pk=turn.pk).update(state="due", reason="presence")
        stranger.post(path, ONE_CLICK)
        turn.refresh_from_db()
        assert (turn.state, turn.reason) == ("superseded", "unwanted")
        stranger.post(path, {"again": "1"})


# --- Taking it back ------------------------------------------------------------------------------


def undo_of(page: str) -> dict[str, str]:
    """What the page's form sends."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))


def before_and_after(alice: Player, stranger: Client, path: str) -> tuple[object, object, str]:
    """What alice wants before the link of `path` is followed, and after that was taken back by the page's own form."""
    before = modes(alice), own_modes(alice)
    page = stranger.post(path, ONE_CLICK).content.decode()
    assert (modes(alice), own_modes(alice)) != before
    back = stranger.post(path, undo_of(page)).content.decode()
    return before, (modes(alice), own_modes(alice)), unescape(back)


@pytest.mark.parametrize("mode", ["every", "once", "digest", "reminders", "nothing"])
def test_it_brings_back_what_held_before(tables: list[Game], alice: Player, stranger: Client, mode: str) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_mode=mode)
    seat = alice.seats.get(game=tables[0])
    for path in (
        link(alice),
        scoped(alice, "kind", "turn"),
        scoped(alice, "kind", "nudge"),
        scoped(alice, "table", seat.pk),
    ):
        before, after, page = before_and_after(alice, stranger, path)
        assert after == before
        assert "Mail comes as before" in page


def test_it_brings_back_what_held_before_for_who_clicks_twice(alice: Player, stranger: Client) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_mode="digest")
    yes = undo_of(stranger.get(link(alice)).content.decode())
    pages = [stranger.post(link(alice), yes).content.decode() for _click in range(2)]
    assert "No more mails about games</h1>" in pages[1]
    stranger.post(link(alice), undo_of(pages[1]))
    assert modes(alice)[0] == "digest"


def test_it_brings_back_nothing_that_was_changed_since(tables: list[Game], alice: Player, stranger: Client) -> None:
    undo = undo_of(stranger.post(link(alice), ONE_CLICK).content.decode())
    Player.objects.filter(pk=alice.pk).update(mail_mode="reminders")
    alice.seats.filter(game=tables[0]).update(mail_mode="digest")
    page = unescape(stranger.post(link(alice), undo).content.decode())
    assert (modes(alice)[0], own_modes(alice)) == ("reminders", ["digest", "", "nothing"])
    assert "“reminders only”" in page


def test_it_takes_back_by_no_form_of_another_link(
    tables: list[Game], alice: Player, bob: Player, stranger: Client
) -> None:
    """Nor by one that was made elsewhere: it says what holds then."""
    Player.objects.filter(pk=bob.pk).update(mail_mode="digest")
    theirs = undo_of(stranger.post(link(bob), ONE_CLICK).content.decode())["before"]
    seat = alice.seats.get(game=tables[1])
    other = undo_of(stranger.post(scoped(alice, "table", seat.pk), ONE_CLICK).content.decode())["before"]
    for before in (theirs, other, "", "x", Signer(salt="elsewhere").sign_object([])):
        Player.objects.filter(pk=alice.pk).update(mail_mode="nothing")
        page = unescape(stranger.post(link(alice), {"again": "1", "before": before}).content.decode())
        assert modes(alice)[0] == "every"
        assert "Mail comes as before" not in page
        assert "“every turn”" in page


def test_it_turns_on_no_more_than_it_turned_off(tables: list[Game], alice: Player, stranger: Client) -> None:
    """Where it is not known what held before."""
    seat = alice.seats.get(game=tables[2])
    for mode in ("digest", "reminders", "nothing"):
        Player.objects.filter(pk=alice.pk).update(mail_mode=mode)
        alice.seats.filter(pk=seat.pk).update(mail_mode="nothing")
        page = unescape(stranger.post(scoped(alice, "table", seat.pk), {"again": "1"}).content.decode())
        assert (modes(alice)[0], own_modes(alice)) == (mode, ["every", "", ""])
        assert f"“{MailMode(mode).label}”" in page
    Player.objects.filter(pk=alice.pk).update(reminds=False)
    for kind in ("reminder", "turn"):
        stranger.post(scoped(alice, "kind", kind), {"again": "1"})
        assert modes(alice)[:2] == ("nothing", True)


def test_it_offers_nothing_that_it_cannot_do(tables: list[Game], alice: Player, stranger: Client) -> None:
    """Mail about this table is off, but not by its link."""
    Player.objects.filter(pk=alice.pk).update(mail_mode="nothing")
    page = stranger.get(scoped(alice, "table", alice.seats.get(game=tables[1]).pk)).content.decode()
    assert "</h1>" in page
    assert 'name="again"' not in page

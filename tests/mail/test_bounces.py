"""Whose mail came back, told by the address that it came back to; and who gets no more."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django import Settings

from games import mail, play
from games.mail.bounces import bounced, read_return_address, return_address
from games.models import Game, Notice, Player
from tests.cast import AT, make_game, make_player, play_random
from tests.mail.post_office import PostOffice

BOUNCES = "Bounces+clans@Example.com"


@pytest.fixture
def bounce_address(settings: Settings) -> str:
    settings.BOUNCE_ADDRESS = BOUNCES
    return BOUNCES


def test_it_sends_each_mail_from_an_address_of_its_own(
    turn: Notice, post_office: PostOffice, settings: Settings, bounce_address: str
) -> None:
    Notice.objects.update(due_at=AT)
    mail.sweep(at=AT)
    keys = {notice.message_id: notice.pk for notice in Notice.objects.all()}
    assert len(post_office.mails) == 3
    for sender, received in zip(post_office.senders, post_office.mails, strict=True):
        assert read_return_address(sender) == keys[str(received["Message-ID"])]
        assert received["From"] == settings.DEFAULT_FROM_EMAIL
        assert len(sender.rpartition("@")[0]) <= 64


def test_it_reads_a_return_address_in_any_case_of_letters(turn: Notice, bounce_address: str) -> None:
    address = return_address(turn)
    assert {read_return_address(read) for read in (address, address.upper(), f" {address.lower()}\n")} == {turn.pk}


def test_it_reads_no_return_address_that_it_has_not_made(turn: Notice, bounce_address: str, settings: Settings) -> None:
    address = return_address(turn)
    local, domain = address.rsplit("@", 1)
    key, signature = local.rsplit("+", 1)[1].split("-")
    forged = [
        "",
        BOUNCES,
        f"bounces+clans+{turn.pk + 1}-{signature}@{domain}",
        f"bounces+clans+0{key}-{signature}@{domain}",
        f"bounces+clans+{key}-{signature[:-1]}@{domain}",
        f"bounces+clans+{key}-{signature[::-1]}@{domain}",
        f"bounces+clans+{key}@{domain}",
        f"{key}-{signature}@{domain}",
        f"{local}@example.org",
        f"x{address}",
        f"{local}@{domain}@{domain}",
        local,
    ]
    assert [read_return_address(read) for read in forged] == [None] * len(forged)
    settings.SECRET_KEY = "another" * 10
    assert read_return_address(address) is None


def test_it_has_no_return_addresses_unless_it_is_told_one(turn: Notice, post_office: PostOffice) -> None:
    Notice.objects.update(due_at=AT)
    mail.deliver(turn.pk, at=AT)
    assert post_office.senders == ["clans@localhost"]
    assert read_return_address("+1-00000000000000000000@") is None


def test_it_notes_once_that_an_address_takes_no_mail(alice: Player) -> None:
    assert bounced(" Alice@example.com", why="550 no such user", at=AT)
    assert not bounced("alice@example.com", why="another reason", at=AT + timedelta(days=1))
    alice.refresh_from_db()
    assert (alice.mail_bounced_at, alice.mail_bounce) == (AT, "550 no such user")


def test_it_marks_nobody_who_has_another_address_since(alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(email="alice@example.org")
    assert not bounced("alice@example.com", why="550 no such user", at=AT)
    assert not Player.objects.exclude(mail_bounced_at=None).exists()


def test_it_tells_fellow_players_once_for_each_table(game: Game, alice: Player, bob: Player, carol: Player) -> None:
    other = make_game(alice, bob)
    make_game(bob, carol)
    play.resign(make_game(alice, carol), player=carol, at=AT)
    Notice.objects.all().delete()
    assert bounced(alice.email, why="550 no such user", at=AT)
    assert not bounced(alice.email, why="550 no such user", at=AT)
    told = Notice.objects.filter(kind=Notice.Kind.BOUNCED)
    assert sorted((notice.seat.game_id, notice.seat.name) for notice in told) == [
        (game.pk, "bob"),
        (game.pk, "carol"),
        (other.pk, "bob"),
    ]
    for notice in told:
        assert notice.about == alice.seats.get(game=notice.seat.game).number
        assert (notice.state, notice.due_at) == (Notice.State.DUE, AT)


def test_it_notes_what_the_mail_server_says_of_an_address(turn: Notice, post_office: PostOffice) -> None:
    Notice.objects.update(due_at=AT)
    reader = turn.seat.player
    assert reader is not None
    post_office.refused = {reader.email: "550 5.1.1 no such user"}
    assert mail.deliver(turn.pk, at=AT) == Notice.State.QUARANTINED
    reader.refresh_from_db()
    assert (reader.mail_bounced_at, reader.mail_bounce) == (AT, "550 5.1.1 no such user")
    post_office.refused = {}
    mail.sweep(at=AT)
    assert reader.email not in post_office.to
    assert {"bob@example.com", "alice@example.com", "carol@example.com"} - {reader.email} == set(post_office.to)


@pytest.mark.parametrize("answer", ["550 5.7.1 your server is on a list", "450 4.2.1 busy", "552 5.2.2 mailbox full"])
def test_it_blames_no_address_for_anything_else(turn: Notice, post_office: PostOffice, answer: str) -> None:
    assert turn.seat.player is not None
    post_office.refused = {turn.seat.player.email: answer}
    mail.deliver(turn.pk, at=AT)
    assert not Player.objects.exclude(mail_bounced_at=None).exists()


def test_it_keeps_as_much_of_the_reason_as_there_is_room_for(alice: Player) -> None:
    assert bounced(alice.email, why="no " * 1000, at=AT)
    alice.refresh_from_db()
    assert alice.mail_bounce == ("no " * 67)[:200]


def test_it_calls_again_to_turns_that_run_once_the_address_is_tried_again(game: Game, turn: Notice) -> None:
    """Neither the call that was refused is lost, nor one that was dropped while the address took no mail."""
    reader = turn.seat.player
    assert reader is not None
    other = make_game(reader, make_player("dave"))
    while other.awaited != reader:
        play_random(other, 1)
    Notice.objects.filter(seat__player=reader).update(state="superseded", reason="bounced")
    Notice.objects.filter(pk=turn.pk).update(state="quarantined", error="550 5.1.1 no such mailbox", reason="bounced")
    Player.objects.filter(pk=reader.pk).update(mail_bounced_at=AT)
    later = AT + timedelta(days=2)
    mail.try_again(reader, at=later)
    due = Notice.objects.filter(seat__player=reader, state="due")
    assert sorted(due.values_list("kind", "ply")) == sorted([("turn", 0), ("turn", other.ply)])
    assert set(due.values_list("due_at", "attempts")) == {(later, 0)}

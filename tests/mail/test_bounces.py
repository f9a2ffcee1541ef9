"""Whose mail came back, told by the address that it came back to; and who gets no more."""

from __future__ import annotations

import re
from datetime import timedelta
from io import BytesIO, StringIO, TextIOWrapper

import pytest
from django.core.management import CommandError, call_command
from django.utils.crypto import salted_hmac
from pytest_django import Settings

from games import mail, play
from games.mail.message import read_return_address, return_address
from games.mail.transport.bounces import bounced
from games.models import Game, Mail, Notice, Player
from tests.cast import AT, make_game, make_player, play_random
from tests.mail.post_office import PostOffice
from tests.mail.senders import Deaf

BOUNCES = "Bounces+clans@Example.com"


@pytest.fixture
def bounce_address(settings: Settings) -> str:
    settings.BOUNCE_ADDRESS = BOUNCES
    return BOUNCES


def sent_mail(notice: Notice) -> Mail:
    """A mail to the reader of a notice, which has gone out."""
    assert notice.seat.player is not None
    return Mail.objects.create(
        player=notice.seat.player, message_id="<sent@localhost>", state="sent", created_at=AT, due_at=AT, sent_at=AT
    )


def test_it_sends_each_mail_from_an_address_of_its_own(
    turn: Notice, post_office: PostOffice, settings: Settings, bounce_address: str
) -> None:
    Notice.objects.update(due_at=AT)
    mail.sweep(at=AT)
    keys = {row.message_id: row.pk for row in Mail.objects.all()}
    assert len(post_office.mails) == 3
    for sender, received in zip(post_office.senders, post_office.mails, strict=True):
        assert read_return_address(sender) == keys[str(received["Message-ID"])]
        assert received["From"] == settings.DEFAULT_FROM_EMAIL
        assert len(sender.rpartition("@")[0]) <= 64


def test_it_reads_a_return_address_in_any_case_of_letters(bounce_address: str) -> None:
    turn = Mail(pk=17)
    address = return_address(turn)
    assert {read_return_address(read) for read in (address, address.upper(), f" {address.lower()}\n")} == {turn.pk}


def test_it_reads_no_return_address_that_it_has_not_made(bounce_address: str, settings: Settings) -> None:
    turn = Mail(pk=17)
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


def test_a_new_return_address_has_a_signature_of_128_bits(bounce_address: str) -> None:
    """26 letters of base32, in any case; a local part has room for 64 letters."""
    local = return_address(Mail(pk=10**12)).rpartition("@")[0]
    signature = local.rpartition("-")[2]
    assert re.fullmatch(r"[a-z2-7]{26}", signature)
    assert len(local) <= 64


def test_it_reads_the_return_addresses_of_before(bounce_address: str, settings: Settings) -> None:
    """Mails that went out with the signature of 80 bits still come back."""
    digest = salted_hmac("games.mail.transport.bounces", "17", algorithm="sha256").hexdigest()
    name, _at, domain = bounce_address.rpartition("@")
    assert read_return_address(f"{name}+17-{digest[:20]}@{domain}") == 17
    assert read_return_address(f"{name}+18-{digest[:20]}@{domain}") is None
    assert read_return_address(f"{name}+17-{digest[:26]}@{domain}") is None


def test_it_reads_a_return_address_of_the_key_of_before(bounce_address: str, settings: Settings) -> None:
    address, old = return_address(Mail(pk=17)), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new" * 20, [old]
    assert read_return_address(address) == 17
    assert return_address(Mail(pk=17)) != address


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


def test_it_blames_no_new_address_for_a_mail_to_the_old_one(turn: Notice, post_office: PostOffice) -> None:
    """What may be out goes again as it stands, to the address of then."""

    reader = turn.seat.player
    assert reader is not None
    with Deaf() as connection:
        assert mail.deliver(turn.pk, at=AT, connection=connection) == Notice.State.DUE
    post_office.refused = {reader.email: "550 5.1.1 no such user"}
    Player.objects.filter(pk=reader.pk).update(email="new@example.org")
    assert mail.deliver(turn.pk, at=AT + timedelta(hours=1)) == Notice.State.QUARANTINED
    reader.refresh_from_db()
    assert (reader.email, reader.mail_bounced_at) == ("new@example.org", None)


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
    Notice.objects.filter(pk=turn.pk).update(state="quarantined", reason="bounced", mail=sent_mail(turn))
    Player.objects.filter(pk=reader.pk).update(mail_bounced_at=AT)
    later = AT + timedelta(days=2)
    mail.try_again(reader, at=later)
    due = Notice.objects.filter(seat__player=reader, state="due")
    assert sorted(due.values_list("kind", "ply")) == sorted([("turn", 0), ("turn", other.ply)])
    assert set(due.filter(mail=None).values_list("due_at", flat=True)) == {later}
    assert not due.exclude(mail=None).exists()


# --- What comes back by mail ---------------------------------------------------------------------


REPORT = """\
Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example.net>
To: bounces@example.com
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Mon, 2 Mar 2026 20:00:00 +0000 (UTC)

Final-Recipient: rfc822; alice@example.com
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} <alice@example.com>: Recipient address
    rejected: User unknown

--b
Content-Type: message/rfc822

From: clans@example.com
Subject: Your turn

Your turn.
--b--
"""
AUTO_REPLY = """\
From: alice@example.com
To: bounces@example.com
Subject: Out of office
Auto-Submitted: auto-replied

Action: failed
Status: 5.1.1
"""


@pytest.fixture
def sent(turn: Notice, bounce_address: str) -> Notice:
    """A mail that has gone out."""
    Notice.objects.filter(pk=turn.pk).update(state="sent", sent_at=AT, mail=sent_mail(turn))
    turn.refresh_from_db()
    return turn


def address_of(notice: Notice) -> str:
    assert notice.mail is not None
    return return_address(notice.mail)


def pipe(monkeypatch: pytest.MonkeyPatch, piped: str, address: str) -> str:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(piped.replace("\n", "\r\n").encode())))
    said = StringIO()
    call_command("bounced", "--mail", address, stdout=said)
    return said.getvalue()


def bounced_since(notice: Notice) -> tuple[bool, str, str, str]:
    """Whether the reader is noted, why, and what their mail log says of the mail."""
    assert notice.seat.player is not None
    player, found = Player.objects.get(pk=notice.seat.player.pk), Notice.objects.get(pk=notice.pk)
    assert found.mail is not None
    return player.mail_bounced_at is not None, player.mail_bounce, found.reason, found.mail.detail


def test_an_operator_says_by_hand_what_came_back(sent: Notice) -> None:
    said = StringIO()
    call_command("bounced", address_of(sent), stdout=said)
    assert "gets no more mail" in said.getvalue()
    why = "The mail came back."
    assert bounced_since(sent) == (True, why, "bounced", why)
    again = StringIO()
    call_command("bounced", address_of(sent).upper(), stdout=again)
    assert "Nothing has changed" in again.getvalue()


@pytest.mark.parametrize("status", ["5.1.1", "5.2.1", "5.0.0"])
def test_a_mail_server_pipes_what_came_back(sent: Notice, monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    report = REPORT.format(action="failed", status=status)
    assert "gets no more mail" in pipe(monkeypatch, report, address_of(sent))
    why = f"550 {status} <…>: Recipient address rejected: User unknown"
    assert bounced_since(sent) == (True, why, "bounced", why)


@pytest.mark.parametrize(
    "piped",
    [
        REPORT.format(action="delayed", status="4.4.1"),
        REPORT.format(action="delivered", status="2.0.0"),
        REPORT.format(action="failed", status="5.2.2"),
        REPORT.format(action="failed", status="5.7.1"),
        REPORT.format(action="failed", status="4.4.7"),
        REPORT.replace("message/delivery-status", "text/plain").format(action="failed", status="5.1.1"),
        REPORT.replace("--b--", "").format(action="failed", status="x"),
        AUTO_REPLY,
        "",
    ],
)
def test_it_blames_no_address_for_what_may_pass(sent: Notice, monkeypatch: pytest.MonkeyPatch, piped: str) -> None:
    """Who is away, whose mailbox is full, and what is on its way still."""
    assert "left as it was" in pipe(monkeypatch, piped, address_of(sent))
    assert bounced_since(sent) == (False, "", "", "")


def test_it_takes_no_address_that_it_has_not_made(sent: Notice, settings: Settings) -> None:
    for address in ("", "alice@example.com", address_of(sent).replace("+clans+", "+clans+1")):
        with pytest.raises(CommandError, match="is no return address of this site") as refused:
            call_command("bounced", address)
        assert refused.value.returncode == 67
    made = address_of(sent)
    settings.BOUNCE_ADDRESS = ""
    with pytest.raises(CommandError, match="BOUNCE_ADDRESS is not set"):
        call_command("bounced", made)
    assert bounced_since(sent) == (False, "", "", "")


def test_it_is_no_news_of_a_mail_that_is_gone_or_of_an_address_that_is(sent: Notice) -> None:
    made, reader = address_of(sent), sent.seat.player
    assert reader is not None
    mail.try_again(reader, at=AT + timedelta(minutes=1))
    said = StringIO()
    call_command("bounced", made, stdout=said)
    assert "Nothing has changed" in said.getvalue()
    assert bounced_since(sent)[0] is False
    Mail.objects.all().delete()
    with pytest.raises(CommandError, match="no mail of that number any more"):
        call_command("bounced", made)


def test_it_notes_nothing_on_other_mails_where_it_is_not_known_which_came_back(
    sent: Notice,
) -> None:
    assert sent.seat.player is not None
    assert bounced(sent.seat.player.email, why="550 no such user", at=AT)
    assert Notice.objects.get(pk=sent.pk).reason == ""

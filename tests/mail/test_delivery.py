"""Mail on its way, over a real mail server."""

from __future__ import annotations

import logging
import re
import smtplib
import socket
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from games import mail, play
from games.mail import sweeping
from games.mail.delivery import LEASE, MAX_ATTEMPTS, claim
from games.mail.transport.connection import (
    Connection,
    NoAnswer,
    NotTaken,
    Outcome,
    explain,
    outcome_of,
    refuses_address,
)
from games.models import Game, Mail, Notice, Player
from games.outbox import FIRST_WAIT, MAX_CRASHES
from tests.cast import AT, play_random
from tests.mail.composed import id_of
from tests.mail.post_office import PostOffice
from tests.mail.senders import Deaf, Dying

State = Notice.State


def states(game: Game) -> dict[str, int]:
    """How many notices of the game are in each state."""
    found = list(Notice.objects.filter(seat__game=game).values_list("state", flat=True))
    return {state: found.count(state) for state in sorted(set(found))}


def mail_of(notice: Notice) -> Mail:
    return Mail.objects.get(notices=notice)


def error_of(notice: Notice) -> tuple[str, str]:
    """Why the mail of a notice was not taken, as a code and in the server's words."""
    mail = mail_of(notice)
    return mail.error, mail.detail


def test_it_sends_a_mail_once(turn: Notice, post_office: PostOffice) -> None:
    assert mail.deliver(turn.pk, at=AT) == State.SENT
    assert mail.deliver(turn.pk, at=AT) is None
    assert mail.deliver(turn.pk, at=AT + timedelta(days=1)) is None
    turn.refresh_from_db()
    assert (turn.state, turn.sent_at, mail_of(turn).attempts, mail_of(turn).error) == (State.SENT, AT, 0, "")
    [received] = post_office.mails
    assert (received["Message-ID"], received["To"]) == (id_of(turn), f"{turn.seat.name}@example.com")
    assert post_office.senders == ["clans@localhost"]
    assert [part.get_content_type() for part in received.iter_parts()] == ["multipart/alternative", "image/png"]


def test_it_sends_the_same_mail_again_after_a_passing_refusal(turn: Notice, post_office: PostOffice) -> None:
    post_office.answers = ["451 try again later", "452 no room"]
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    turn.refresh_from_db()
    assert error_of(turn) == ("busy", "451 try again later")
    assert mail_of(turn).due_at == turn.due_at
    assert AT + FIRST_WAIT / 2 <= turn.due_at <= AT + FIRST_WAIT
    assert mail.deliver(turn.pk, at=AT) is None
    assert mail.deliver(turn.pk, at=turn.due_at) == State.DUE
    turn.refresh_from_db()
    assert mail.deliver(turn.pk, at=turn.due_at) == State.SENT
    turn.refresh_from_db()
    assert (mail_of(turn).attempts, *error_of(turn)) == (2, "", "")
    [received] = post_office.mails
    assert received["Message-ID"] == id_of(turn)
    dated_at = mail_of(turn).dated_at
    assert dated_at is not None
    assert received["Date"].datetime == dated_at.replace(microsecond=0)


def test_it_sends_again_what_a_dying_sender_may_have_sent(turn: Notice, post_office: PostOffice) -> None:
    """The server has the mail, but the sender died before it could say so: the same bytes go out again."""

    with pytest.raises(KeyboardInterrupt), Dying() as connection:
        mail.deliver(turn.pk, at=AT, connection=connection)
    assert mail.sweep(at=AT + LEASE - timedelta(seconds=1)) == 2
    assert mail.sweep(at=AT + LEASE) == 1
    again = [raw for raw, id_ in zip(post_office.raw, post_office.ids, strict=True) if id_ == id_of(turn)]
    assert len(again) == 2
    assert again[0] == again[1]
    assert mail_of(turn).crashes == 1


def test_it_sends_the_same_again_though_the_server_was_away_meanwhile(
    turn: Notice, post_office: PostOffice, settings: Settings
) -> None:
    """What may be out stays so, whatever the next attempt says."""

    with Deaf() as connection:
        assert mail.deliver(turn.pk, at=AT, connection=connection) == State.DUE
    assert error_of(turn)[0] == "no_answer"
    post_office.answers = ["451 busy"]
    assert mail.deliver(turn.pk, at=AT + timedelta(hours=1)) == State.DUE
    assert mail.deliver(turn.pk, at=AT + timedelta(hours=2)) == State.SENT
    assert len(post_office.raw) == 2
    assert post_office.raw[0] == post_office.raw[1]


def test_it_does_not_stamp_when_its_lease_was_lost_meanwhile(turn: Notice, post_office: PostOffice) -> None:
    class Slow(Connection):
        """So slow that another sender takes over before it is back."""

        def send(self, mail: EmailMessage) -> None:
            super().send(mail)
            assert claim(mail_of(turn).pk, at=AT + LEASE) is not None

    with Slow() as connection:
        assert mail.deliver(turn.pk, at=AT, connection=connection) is None
    turn.refresh_from_db()
    assert (turn.state, turn.sent_at) == (State.DUE, None)
    assert (mail_of(turn).state, mail_of(turn).crashes) == (Mail.State.CLAIMED, 1)


def test_it_sets_a_mail_aside_that_is_refused_for_ever(turn: Notice, post_office: PostOffice) -> None:
    address = f"{turn.seat.name}@example.com"
    post_office.refused = {address: "550 no such mailbox"}
    assert mail.deliver(turn.pk, at=AT) == State.QUARANTINED
    turn.refresh_from_db()
    assert (turn.state, *error_of(turn)) == (State.QUARANTINED, "refused", "550 no such mailbox")
    post_office.refused = {}
    assert mail.sweep(at=AT + timedelta(days=30)) == 2
    assert address not in post_office.to


def test_it_sets_a_mail_aside_whose_content_is_refused(turn: Notice, post_office: PostOffice) -> None:
    post_office.answers = ["554 5.7.1 looks like spam"]
    assert mail.deliver(turn.pk, at=AT) == State.QUARANTINED
    assert error_of(turn) == ("refused", "554 5.7.1 looks like spam")


def test_it_gives_up_after_many_attempts(turn: Notice, post_office: PostOffice) -> None:
    post_office.answers = ["451 busy", "451 still busy"]
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    Mail.objects.update(attempts=MAX_ATTEMPTS - 1)
    assert mail.deliver(turn.pk, at=AT + timedelta(hours=1)) == State.QUARANTINED
    assert error_of(turn) == ("busy", "451 still busy")


def test_it_gives_up_when_every_sender_dies_of_it(turn: Notice, post_office: PostOffice) -> None:
    class Dead(Connection):
        def send(self, mail: EmailMessage) -> None:
            raise KeyboardInterrupt

    at = AT
    for _crash in range(MAX_CRASHES):
        with pytest.raises(KeyboardInterrupt), Dead() as connection:
            mail.deliver(turn.pk, at=at, connection=connection)
        at += LEASE
    assert mail.deliver(turn.pk, at=at) == State.QUARANTINED
    assert error_of(turn) == ("crashed", "")
    assert not post_office.mails


def test_it_waits_when_the_mail_server_is_away(turn: Notice, no_post_office: None) -> None:
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    assert error_of(turn)[0] == "away"
    assert error_of(turn)[1].startswith("ConnectionRefusedError")


def test_it_sends_nothing_that_is_no_longer_true(game: Game, turn: Notice, post_office: PostOffice) -> None:
    play_random(game, 1)
    assert mail.deliver(turn.pk, at=AT) == State.SUPERSEDED
    turn.refresh_from_db()
    assert (turn.state, turn.mail) == (State.SUPERSEDED, None)
    assert not post_office.mails


def test_it_sends_nothing_to_who_wants_none(turn: Notice, post_office: PostOffice) -> None:
    Player.objects.filter(username=turn.seat.name).update(mail_mode="nothing")
    assert mail.deliver(turn.pk, at=AT) == State.SUPERSEDED
    assert not post_office.mails


def test_it_puts_off_what_it_cannot_write(
    turn: Notice, post_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    Notice.objects.filter(pk=turn.pk).update(ply=1000)
    Game.objects.filter(pk=turn.seat.game_id).update(ply=1000)
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    assert error_of(turn)[0] == "fault"
    assert error_of(turn)[1].startswith("IndexError: the game has reached ply 0")
    assert f"mail {mail_of(turn).pk} is put off" in caplog.text


def test_it_sweeps_what_is_due_over_one_connection(game: Game, post_office: PostOffice) -> None:
    play_random(game)
    assert mail.sweep(at=AT - timedelta(seconds=1)) == 0
    owed = Notice.objects.filter(seat__game=game).count()
    assert mail.sweep(at=AT + timedelta(days=30)) == 3
    assert states(game) == {State.SENT: 3, State.SUPERSEDED: owed - 3}
    assert sorted(post_office.to) == ["alice@example.com", "bob@example.com", "carol@example.com"]
    assert post_office.connections == 1
    assert mail.sweep(at=AT + timedelta(days=30)) == 0


def test_it_calls_again_after_many_mails(game: Game, post_office: PostOffice, settings: Settings) -> None:
    assert settings.MAILS_A_CONNECTION > 2
    settings.MAILS_A_CONNECTION = 2
    assert mail.sweep(at=AT) == 3
    assert (len(post_office.mails), post_office.connections) == (3, 2)


def test_it_lets_no_bad_mail_block_the_others(game: Game, post_office: PostOffice) -> None:
    first, _second, _third = Notice.objects.filter(seat__game=game).order_by("due_at", "pk")
    post_office.refused = {f"{first.seat.name}@example.com": "550 5.7.1 no mail from you"}
    post_office.answers = ["451 try again later"]
    assert mail.sweep(at=AT) == 3
    assert states(game) == {State.QUARANTINED: 1, State.DUE: 1, State.SENT: 1}
    late = Notice.objects.get(state=State.DUE)
    assert post_office.to == [
        f"{seat.name}@example.com" for seat in game.seats.exclude(pk__in=[first.seat_id, late.seat_id])
    ]
    assert mail.sweep(at=late.due_at) == 1
    assert states(game) == {State.QUARANTINED: 1, State.SENT: 2}


def test_it_touches_nothing_while_the_mail_server_is_away(
    game: Game, no_post_office: None, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    assert mail.sweep(at=AT) == 0
    assert set(Notice.objects.values_list("state", flat=True)) == {State.DUE}
    assert not Mail.objects.exists()
    server = f"127.0.0.1:{settings.EMAIL_PORT}"
    assert f"mail server {server} unreachable, 3 mails wait: ConnectionRefusedError" in caplog.text


def test_it_counts_a_single_mail_that_waits(
    turn: Notice, no_post_office: None, caplog: pytest.LogCaptureFixture
) -> None:
    Notice.objects.exclude(pk=turn.pk).delete()
    mail.sweep(at=AT)
    assert "unreachable, 1 mail waits: ConnectionRefusedError" in caplog.text


def test_it_ends_a_sweep_that_takes_long(game: Game, post_office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "SWEEP_SECONDS", -1)
    assert mail.sweep(at=AT) == 0
    monkeypatch.setattr(sweeping, "SWEEP_SECONDS", 60)
    assert mail.sweep(at=AT) == 3


def test_it_sweeps_more_than_a_chunk_and_tells_how_far_it_is(
    game: Game, post_office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "SWEEP_CHUNK", 2)
    told: list[int] = []
    assert mail.sweep(at=AT, report=told.append) == 3
    assert told == [1, 2, 3]


def test_it_tells_the_end_to_all_even_while_calls_are_still_due(game: Game, post_office: PostOffice) -> None:
    for seat in game.seats.all():
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT)
    mail.sweep(at=AT)
    assert [received["X-Clans-Kind"] for received in post_office.mails] == ["finished"] * 3


NOT_SENT, REFUSED, UNKNOWN = Outcome.NOT_SENT, Outcome.REFUSED, Outcome.UNKNOWN


def not_taken(code: int, text: str) -> smtplib.SMTPRecipientsRefused:
    """What smtplib raises when the server answers so to RCPT."""
    return smtplib.SMTPRecipientsRefused({"a@b.c": (code, text.encode())})


@pytest.mark.parametrize(
    ("error", "outcome", "of_address", "code", "text"),
    [
        (not_taken(550, "no such user"), REFUSED, True, "refused", "550 no such user"),
        (not_taken(550, "5.1.1 no such user"), REFUSED, True, "refused", "550 5.1.1 no such user"),
        (not_taken(550, "5.2.1 mailbox closed"), REFUSED, True, "refused", "550 5.2.1 mailbox closed"),
        (not_taken(552, "5.2.2 mailbox full"), REFUSED, False, "refused", "552 5.2.2 mailbox full"),
        (
            not_taken(554, "5.7.1 your server is on a list"),
            REFUSED,
            False,
            "refused",
            "554 5.7.1 your server is on a list",
        ),
        (not_taken(550, "5.1.16 no room at all"), REFUSED, True, "refused", "550 5.1.16 no room at all"),
        (not_taken(450, "busy"), NOT_SENT, False, "busy", "450 busy"),
        (not_taken(530, "sign in first"), NOT_SENT, False, "no_entry", "530 sign in first"),
        (smtplib.SMTPSenderRefused(553, b"not yours", "x@y.z"), REFUSED, False, "refused", "553 not yours"),
        (smtplib.SMTPSenderRefused(530, b"sign in first", "x@y.z"), NOT_SENT, False, "no_entry", "530 sign in first"),
        (smtplib.SMTPDataError(554, b"5.6.0\nbad content"), REFUSED, False, "refused", "554 5.6.0 bad content"),
        (smtplib.SMTPDataError(421, b"closing"), NOT_SENT, False, "busy", "421 closing"),
        (
            smtplib.SMTPAuthenticationError(535, b"wrong"),
            NOT_SENT,
            False,
            "no_entry",
            "SMTPAuthenticationError: .*wrong.*",
        ),
        (smtplib.SMTPConnectError(554, b"go away"), NOT_SENT, False, "away", "SMTPConnectError: .*go away.*"),
        (smtplib.SMTPServerDisconnected("gone"), NOT_SENT, False, "away", "SMTPServerDisconnected: gone"),
        (NoAnswer("timed out"), UNKNOWN, False, "no_answer", "NoAnswer: timed out"),
        (TimeoutError("timed out"), NOT_SENT, False, "away", "TimeoutError: timed out"),
        (OSError(101, "Network is unreachable"), NOT_SENT, False, "away", "OSError: .*unreachable.*"),
        (FileNotFoundError("no such folder"), NOT_SENT, False, "fault", "FileNotFoundError: no such folder"),
        (NotTaken("the provider failed", NOT_SENT), NOT_SENT, False, "provider", "the provider failed"),
        (ValueError("nobody foresaw it"), NOT_SENT, False, "fault", "ValueError: nobody foresaw it"),
    ],
)
def test_it_sorts_what_the_server_says(
    error: Exception, outcome: Outcome, of_address: bool, code: str, text: str
) -> None:
    assert outcome_of(error) is outcome
    assert refuses_address(error) is of_address
    assert explain(error)[0] == code
    assert re.fullmatch(text, explain(error)[1])


def test_it_keeps_as_much_of_an_answer_as_there_is_room_for(turn: Notice, post_office: PostOffice) -> None:
    post_office.answers = ["451 busy " + "x" * 400]
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    assert len(error_of(turn)[1]) == 300


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("550 5.1.1 <{0}>: unknown, asked for by bob@example.com", "550 5.1.1 <…>: unknown, asked for by …"),
        ("550 5.7.1 {0} gets no mail from clans@localhost.", "550 5.7.1 … gets no mail from …"),
        ("451 for=<{0}>;({0}) via “mx@example.org”", "451 for=<…>;(…) via “…”"),
    ],
)
def test_it_keeps_and_logs_no_address_that_the_server_says(
    answer: str, kept: str, turn: Notice, post_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    address = f"{turn.seat.name}@example.com"
    post_office.refused = {address: answer.format(address)}
    with caplog.at_level(logging.DEBUG):
        assert mail.deliver(turn.pk, at=AT) is not State.SENT
        post_office.refused, post_office.answers = {}, [answer.format(address)]
        assert mail.sweep(at=AT) > 0
    assert error_of(turn)[1] == kept
    logged = [record.getMessage() for record in caplog.records if record.name != "mail.log"]  # the server's own
    assert len([line for line in logged if kept in line]) >= 2
    assert "@" not in "".join(logged)
    assert not Player.objects.filter(mail_bounce__contains="@").exists()


def test_it_logs_no_address_that_it_cannot_read(
    turn: Notice, post_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    """Of an error that nobody foresaw it says where it was raised, but not in whose words."""
    Player.objects.filter(username=turn.seat.name).update(email="hidden@example.com, x@example.org")
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    assert f"mail {mail_of(turn).pk} is put off: ValueError" in caplog.text
    assert "in sanitize_address" in caplog.text
    assert "hidden@" not in caplog.text
    assert "hidden@" not in error_of(turn)[1]


@pytest.fixture
def silent_server(settings: Settings) -> Iterator[None]:
    """A mail server that takes the call and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        accepted: list[socket.socket] = []
        thread = threading.Thread(target=lambda: accepted.append(listening.accept()[0]), daemon=True)
        thread.start()
        settings.EMAIL_BACKEND = "games.mail.transport.connection.SmtpBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = listening.getsockname()
        yield
        thread.join()
        for connection in accepted:
            connection.close()


def test_it_does_not_wait_for_a_silent_mail_server_for_ever(
    turn: Notice, silent_server: None, settings: Settings
) -> None:
    assert 0 < settings.EMAIL_TIMEOUT * 10 < LEASE.total_seconds()
    settings.EMAIL_TIMEOUT = 0.2
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    assert "timed out" in error_of(turn)[1]

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
from games.mail import delivery
from games.mail.delivery import FIRST_WAIT, LONGEST_WAIT, MAX_ATTEMPTS, MAX_CRASHES, backoff
from games.mail.outbox import LEASE, claim
from games.mail.postman import Outcome, Postman, explain, outcome_of, refuses_address
from games.mail.smtp import NoAnswer
from games.models import Game, Notice, Player
from tests.cast import AT, play_random
from tests.mail.post_office import PostOffice

State = Notice.State


def states(game: Game) -> dict[str, int]:
    """How many notices of the game are in each state."""
    found = list(Notice.objects.filter(seat__game=game).values_list("state", flat=True))
    return {state: found.count(state) for state in sorted(set(found))}


def test_it_sends_a_mail_once(turn: Notice, post_office: PostOffice) -> None:
    assert mail.deliver(turn.pk, at=AT) == State.SENT
    assert mail.deliver(turn.pk, at=AT) is None
    assert mail.deliver(turn.pk, at=AT + timedelta(days=1)) is None
    turn.refresh_from_db()
    assert (turn.state, turn.sent_at, turn.attempts, turn.error) == (State.SENT, AT, 0, "")
    [received] = post_office.mails
    assert (received["Message-ID"], received["To"]) == (turn.message_id, f"{turn.seat.name}@example.com")
    assert post_office.senders == ["clans@localhost"]
    assert [part.get_content_type() for part in received.iter_parts()] == ["text/plain", "multipart/related"]


def test_it_sends_the_same_mail_again_after_a_passing_refusal(turn: Notice, post_office: PostOffice) -> None:
    post_office.answers = ["451 try again later", "452 no room"]
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    turn.refresh_from_db()
    assert turn.error == "451 try again later"
    assert AT + FIRST_WAIT / 2 <= turn.due_at <= AT + FIRST_WAIT
    assert mail.deliver(turn.pk, at=AT) is None
    assert mail.deliver(turn.pk, at=turn.due_at) == State.DUE
    turn.refresh_from_db()
    assert mail.deliver(turn.pk, at=turn.due_at) == State.SENT
    turn.refresh_from_db()
    assert (turn.attempts, turn.error) == (2, "")
    [received] = post_office.mails
    assert received["Message-ID"] == turn.message_id
    assert turn.dated_at is not None
    assert received["Date"].datetime == turn.dated_at.replace(microsecond=0)


def test_it_sends_again_what_a_dying_sender_may_have_sent(turn: Notice, post_office: PostOffice) -> None:
    """The server has the mail, but the sender died before it could say so: the same bytes go out again."""
    assert mail.sweep(at=AT) == 3
    Notice.objects.filter(pk=turn.pk).update(state=State.CLAIMED, claim="dead", lease_until=AT + LEASE, sent_at=None)
    assert mail.sweep(at=AT + LEASE - timedelta(seconds=1)) == 0
    assert mail.sweep(at=AT + LEASE) == 1
    again = [raw for raw, id_ in zip(post_office.raw, post_office.ids, strict=True) if id_ == turn.message_id]
    assert len(again) == 2
    assert again[0] == again[1]


def test_it_does_not_stamp_when_its_lease_was_lost_meanwhile(turn: Notice, post_office: PostOffice) -> None:
    class SlowPostman(Postman):
        """So slow that another sender takes over before it is back."""

        def carry(self, mail: EmailMessage) -> None:
            super().carry(mail)
            assert claim(turn.pk, at=AT + LEASE) is not None

    with SlowPostman() as postman:
        assert mail.deliver(turn.pk, at=AT, postman=postman) is None
    turn.refresh_from_db()
    assert (turn.state, turn.crashes, turn.sent_at) == (State.CLAIMED, 1, None)


def test_it_sets_a_mail_aside_that_is_refused_for_ever(turn: Notice, post_office: PostOffice) -> None:
    address = f"{turn.seat.name}@example.com"
    post_office.refused = {address: "550 no such mailbox"}
    assert mail.deliver(turn.pk, at=AT) == State.QUARANTINED
    turn.refresh_from_db()
    assert (turn.state, turn.error) == (State.QUARANTINED, "550 no such mailbox")
    post_office.refused = {}
    assert mail.sweep(at=AT + timedelta(days=30)) == 2
    assert address not in post_office.to


def test_it_sets_a_mail_aside_whose_content_is_refused(turn: Notice, post_office: PostOffice) -> None:
    post_office.answers = ["554 5.7.1 looks like spam"]
    assert mail.deliver(turn.pk, at=AT) == State.QUARANTINED
    turn.refresh_from_db()
    assert turn.error == "554 5.7.1 looks like spam"


def test_it_gives_up_after_many_attempts(turn: Notice, post_office: PostOffice) -> None:
    Notice.objects.filter(pk=turn.pk).update(attempts=MAX_ATTEMPTS - 1)
    post_office.answers = ["451 still busy"]
    assert mail.deliver(turn.pk, at=AT) == State.QUARANTINED
    turn.refresh_from_db()
    assert turn.error == "451 still busy"


def test_it_gives_up_when_every_sender_dies_of_it(turn: Notice, post_office: PostOffice) -> None:
    at = AT
    for _crash in range(MAX_CRASHES):
        assert claim(turn.pk, at=at) is not None
        at += LEASE
    assert mail.deliver(turn.pk, at=at) == State.QUARANTINED
    turn.refresh_from_db()
    assert turn.error == "its sender died at every attempt"
    assert not post_office.mails


def test_it_waits_when_the_mail_server_is_away(turn: Notice, no_post_office: None) -> None:
    assert mail.deliver(turn.pk, at=AT) == State.DUE
    turn.refresh_from_db()
    assert turn.error.startswith("ConnectionRefusedError")


def test_it_sends_nothing_that_is_no_longer_true(game: Game, turn: Notice, post_office: PostOffice) -> None:
    play_random(game, 1)
    assert mail.deliver(turn.pk, at=AT) == State.SUPERSEDED
    turn.refresh_from_db()
    assert (turn.state, turn.claim) == (State.SUPERSEDED, "")
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
    turn.refresh_from_db()
    assert turn.error.startswith("IndexError: the game has reached ply 0")
    assert f"notice {turn.pk} is put off" in caplog.text


def test_it_sweeps_what_is_due_over_one_connection(game: Game, post_office: PostOffice) -> None:
    play_random(game)
    assert mail.sweep(at=AT - timedelta(seconds=1)) == 0
    owed = Notice.objects.filter(seat__game=game).count()
    assert mail.sweep(at=AT + timedelta(days=30)) > 3
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
    game: Game, no_post_office: None, caplog: pytest.LogCaptureFixture
) -> None:
    assert mail.sweep(at=AT) == 0
    assert set(Notice.objects.values_list("state", "attempts")) == {(State.DUE, 0)}
    assert "mail server unreachable, 3 mails wait" in caplog.text


def test_it_ends_a_sweep_that_takes_long(game: Game, post_office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "SWEEP_SECONDS", -1)
    assert mail.sweep(at=AT) == 0
    monkeypatch.setattr(delivery, "SWEEP_SECONDS", 60)
    assert mail.sweep(at=AT) == 3


def test_it_sweeps_more_than_a_chunk_and_tells_how_far_it_is(
    game: Game, post_office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "SWEEP_CHUNK", 2)
    told: list[int] = []
    assert mail.sweep(at=AT, report=told.append) == 3
    assert told == [1, 2, 3]


def test_it_tells_the_end_to_all_even_while_calls_are_still_due(game: Game, post_office: PostOffice) -> None:
    for seat in game.seats.all():
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT)
    mail.sweep(at=AT)
    assert [received["X-Clans-Kind"] for received in post_office.mails] == ["finished"] * 3


def test_it_waits_longer_each_time_up_to_an_hour() -> None:
    for attempts in range(1, MAX_ATTEMPTS + 1):
        longest = min(FIRST_WAIT * 2 ** min(attempts - 1, 10), LONGEST_WAIT)
        waits = [backoff(attempts) for _try in range(50)]
        assert longest / 2 <= min(waits)
        assert max(waits) <= longest
        assert len(set(waits)) > 1


NOT_SENT, REFUSED, UNKNOWN = Outcome.NOT_SENT, Outcome.REFUSED, Outcome.UNKNOWN


def not_taken(code: int, text: str) -> smtplib.SMTPRecipientsRefused:
    """What smtplib raises when the server answers so to RCPT."""
    return smtplib.SMTPRecipientsRefused({"a@b.c": (code, text.encode())})


@pytest.mark.parametrize(
    ("error", "outcome", "of_address", "text"),
    [
        (not_taken(550, "no such user"), REFUSED, True, "550 no such user"),
        (not_taken(550, "5.1.1 no such user"), REFUSED, True, "550 5.1.1 no such user"),
        (not_taken(550, "5.2.1 mailbox closed"), REFUSED, True, "550 5.2.1 mailbox closed"),
        (not_taken(552, "5.2.2 mailbox full"), REFUSED, False, "552 5.2.2 mailbox full"),
        (not_taken(554, "5.7.1 your server is on a list"), REFUSED, False, "554 5.7.1 your server is on a list"),
        (not_taken(550, "5.1.16 no room at all"), REFUSED, True, "550 5.1.16 no room at all"),
        (not_taken(450, "busy"), NOT_SENT, False, "450 busy"),
        (not_taken(530, "sign in first"), NOT_SENT, False, "530 sign in first"),
        (smtplib.SMTPSenderRefused(553, b"not yours", "x@y.z"), REFUSED, False, "553 not yours"),
        (smtplib.SMTPSenderRefused(530, b"sign in first", "x@y.z"), NOT_SENT, False, "530 sign in first"),
        (smtplib.SMTPDataError(554, b"5.6.0\nbad content"), REFUSED, False, "554 5.6.0 bad content"),
        (smtplib.SMTPDataError(421, b"closing"), NOT_SENT, False, "421 closing"),
        (smtplib.SMTPAuthenticationError(535, b"wrong"), NOT_SENT, False, "SMTPAuthenticationError: .*wrong.*"),
        (smtplib.SMTPConnectError(554, b"go away"), NOT_SENT, False, "SMTPConnectError: .*go away.*"),
        (smtplib.SMTPServerDisconnected("gone"), NOT_SENT, False, "SMTPServerDisconnected: gone"),
        (NoAnswer("timed out"), UNKNOWN, False, "NoAnswer: timed out"),
        (TimeoutError("timed out"), NOT_SENT, False, "TimeoutError: timed out"),
        (ValueError("nobody foresaw it"), NOT_SENT, False, "ValueError: nobody foresaw it"),
    ],
)
def test_it_sorts_what_the_server_says(error: Exception, outcome: Outcome, of_address: bool, text: str) -> None:
    assert outcome_of(error) is outcome
    assert refuses_address(error) is of_address
    assert re.fullmatch(text, explain(error))


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
    turn.refresh_from_db()
    assert turn.error == kept
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
    assert f"notice {turn.pk} is put off: ValueError" in caplog.text
    assert "in sanitize_address" in caplog.text
    assert "hidden@" not in caplog.text
    turn.refresh_from_db()
    assert "hidden@" not in turn.error


@pytest.fixture
def silent_server(settings: Settings) -> Iterator[None]:
    """A mail server that takes the call and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        accepted: list[socket.socket] = []
        thread = threading.Thread(target=lambda: accepted.append(listening.accept()[0]), daemon=True)
        thread.start()
        settings.EMAIL_BACKEND = "games.mail.smtp.SmtpBackend"
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
    turn.refresh_from_db()
    assert "timed out" in turn.error

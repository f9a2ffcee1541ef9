"""What goes wrong at each step of SMTP, in each way, with mail on its way: each is told apart, nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import product
from threading import Lock

import pytest
from django.core.mail import EmailMessage
from django.db import connection, connections
from pytest_django import Settings

from games import mail, play
from games.mail.transport.connection import Connection, Outcome, outcome_of
from games.models import Game, Notice, Player, SeasonMail
from tests.cast import AT, make_game, make_player, make_table
from tests.mail.composed import id_of
from tests.mail.faulty_server import Fault, FaultyServer, How, Stage, open_faulty_server

TIMES = 20
FAULTS = [Fault(stage, how) for stage, how in product(Stage, How)]
LATER = AT + timedelta(days=1)

State = Notice.State


@pytest.fixture
def office(settings: Settings) -> Iterator[FaultyServer]:
    """A server that can fail, and the site told to use it."""
    with open_faulty_server() as office:
        settings.EMAIL_BACKEND = "games.mail.transport.connection.SmtpBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        settings.EMAIL_TIMEOUT = 10
        yield office


@pytest.fixture
def notices(db: None) -> list[Notice]:
    """A mail for each of many players."""
    for number in range(TIMES // 2):
        make_game(make_player(f"left{number}"), make_player(f"right{number}"), at=AT)
    Notice.objects.update(due_at=AT)
    return list(Notice.objects.order_by("pk"))


def expected(fault: Fault) -> Outcome:
    match fault:
        case Fault(Stage.MAIL | Stage.RCPT | Stage.DATA | Stage.DOT, How.NEVER):
            return Outcome.REFUSED
        case Fault(Stage.DOT, How.STALL | How.CUT):
            return Outcome.UNKNOWN
        case _:
            return Outcome.NOT_SENT


class PatientConnection(Connection):
    """Lets others use the database while it waits for the server, and notes what came of its mail."""

    def __init__(self, database: Lock) -> None:
        super().__init__()
        self.database = database
        self.outcome: Outcome | None = None

    def send(self, mail: EmailMessage) -> None:
        self.database.release()
        try:
            super().send(mail)
        except Exception as error:
            self.outcome = outcome_of(error)
            raise
        finally:
            self.database.acquire()


def deliver_at_once(notices: Sequence[Notice]) -> list[tuple[str | None, Outcome | None]]:
    """What became of each mail: one thread for each, which take turns at the one connection of the test's database."""
    database, shared = Lock(), connection._connections["default"]  # type: ignore[attr-defined]

    def deliver(notice: Notice) -> tuple[str | None, Outcome | None]:
        with database, PatientConnection(database) as patient:
            connections["default"] = shared
            return mail.deliver(notice.pk, at=AT, connection=patient), patient.outcome

    shared.inc_thread_sharing()
    try:
        with ThreadPoolExecutor(len(notices)) as pool:
            return list(pool.map(deliver, notices))
    finally:
        shared.dec_thread_sharing()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_it_tells_faults_apart_and_loses_nothing(fault: Fault, office: FaultyServer, notices: list[Notice]) -> None:
    outcome = expected(fault)
    refused = outcome is Outcome.REFUSED
    state = State.QUARANTINED if refused else State.DUE

    office.fault = fault
    assert deliver_at_once(notices) == [(state, outcome)] * TIMES
    assert office.served == TIMES
    before, office.taken = office.taken, []
    assert bool(before) is (outcome is Outcome.UNKNOWN)

    office.fault = None
    assert mail.sweep(at=LATER) >= (0 if refused else TIMES)
    got = Counter(str(received["Message-ID"]) for received in office.mails)
    assert [got[id_of(notice)] for notice in notices] == [0 if refused else 1] * TIMES
    assert set(before) <= set(office.taken)
    kept = Notice.objects.filter(pk__in=[notice.pk for notice in notices])
    assert set(kept.values_list("state", flat=True)) == {State.QUARANTINED if refused else State.SENT}


@pytest.mark.parametrize("how", [How.CUT, How.STALL], ids=lambda how: how.value)
def test_it_calls_again_when_a_kept_connection_is_over(how: How, office: FaultyServer, notices: list[Notice]) -> None:
    office.fault, office.sound = Fault(Stage.MAIL, how), TIMES - 2
    assert mail.sweep(at=AT) == TIMES
    assert sorted(str(received["Message-ID"]) for received in office.mails) == sorted(map(id_of, notices))
    assert office.served == 2
    assert set(Notice.objects.values_list("state", "mail__attempts")) == {(State.SENT, 0)}


def test_it_does_not_send_twice_what_a_kept_connection_may_have_carried(
    office: FaultyServer, notices: list[Notice]
) -> None:
    """The server has the mail and hangs up without a word: that is for the next attempt, not for this one."""
    office.fault, office.sound = Fault(Stage.DOT, How.CUT), 1
    with Connection() as kept:
        assert mail.deliver(notices[0].pk, at=AT, connection=kept) == State.SENT
        assert mail.deliver(notices[1].pk, at=AT, connection=kept) == State.DUE
    assert [str(received["Message-ID"]) for received in office.mails] == [id_of(notice) for notice in notices[:2]]
    assert office.served == 1


def test_a_mail_that_a_season_was_closed_that_may_be_out_goes_again_to_the_byte(
    office: FaultyServer, alice: Player, bob: Player
) -> None:
    season = play.open_season(alice, name="Spring league", size=2, rounds=3, key="1", at=AT)
    play.join_season(season, player=bob, at=AT)
    play.close_season(season, by=alice, at=AT)
    made = SeasonMail.objects.get()
    office.fault = Fault(Stage.DOT, How.CUT)
    assert mail.deliver_season_mail(made.pk, at=AT) == State.DUE
    season.entrants.all().delete()

    office.fault = None
    assert mail.sweep_season_mails(at=LATER) == 1
    first, second = office.taken
    assert first == second
    assert f"Message-ID: {made.message_id}\r\n".encode() in second


@pytest.mark.parametrize("to", ["dora@example.com", "bob"])
def test_an_invitation_that_may_be_out_goes_again_to_the_byte(
    to: str, office: FaultyServer, alice: Player, bob: Player, carol: Player
) -> None:
    table = make_table(alice)
    made = play.invite(table, by=alice, to=to, at=AT)
    office.fault = Fault(Stage.DOT, How.CUT)
    assert mail.deliver_invitation(made.pk, at=AT) == State.DUE
    Player.objects.filter(pk=alice.pk).update(username="eve", time_zone="Asia/Tokyo")
    Game.objects.filter(pk=table.pk).update(name="Monday table")
    play.join_table(table, player=carol, at=AT)

    office.fault = None
    assert mail.sweep_invitations(at=LATER) == 1
    first, second = office.taken
    assert first == second
    assert f"Message-ID: {made.message_id}\r\n".encode() in second

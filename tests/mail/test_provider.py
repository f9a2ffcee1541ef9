"""Mail by a provider of django-anymail, handed over by HTTP."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from games import mail
from games.mail.transport.connection import Connection, Outcome, explain, outcome_of, refuses_address
from games.mail.transport.provider import begin
from games.models import Mail, Notice
from tests.cast import AT
from tests.mail.provider_office import CUT, STALL, Provider, use
from tests.servers import free_port

INACTIVE = json.dumps(
    {
        "ErrorCode": 406,
        "Message": "You tried to send to a recipient that has been marked as inactive.\n"
        " Found inactive addresses: a@b.c.\n"
        " Inactive recipients are ones that have generated a hard bounce or a spam complaint.",
    }
)


def some_mail() -> EmailMessage:
    return EmailMessage("Your turn", "It is your turn.", to=["a@b.c"])


def test_it_hands_mails_over_by_one_connection(turn: Notice, provider: Provider) -> None:
    Notice.objects.update(due_at=AT)
    assert mail.sweep(at=AT) == 3
    assert provider.connections == 1
    ids = {header["Value"] for sent in provider.mails for header in sent["Headers"] if header["Name"] == "Message-ID"}
    assert ids == set(Mail.objects.values_list("message_id", flat=True))
    assert {sent["To"] for sent in provider.mails} == {f"{name}@example.com" for name in ("alice", "bob", "carol")}
    assert set(Notice.objects.values_list("state", flat=True)) == {Notice.State.SENT}


NOT_SENT, REFUSED, UNKNOWN = Outcome.NOT_SENT, Outcome.REFUSED, Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("answer", "outcome", "of_address", "text"),
    [
        ((422, INACTIVE), REFUSED, True, "rejected or invalid"),
        (
            (401, '{"ErrorCode": 10, "Message": "Bad or missing API token"}'),
            NOT_SENT,
            False,
            "Bad or missing API token",
        ),
        ((422, '{"ErrorCode": 412, "Message": "Account is pending approval"}'), NOT_SENT, False, "pending approval"),
        ((429, "{}"), NOT_SENT, False, "429"),
        ((500, "{}"), UNKNOWN, False, "500"),
        ((503, "<h1>busy</h1>"), UNKNOWN, False, "503"),
        ((200, "no JSON"), UNKNOWN, False, "Invalid JSON"),
        ((CUT, ""), UNKNOWN, False, "Connection aborted"),
    ],
)
def test_it_sorts_what_the_provider_says(
    answer: tuple[int, str], outcome: Outcome, of_address: bool, text: str, provider: Provider
) -> None:
    provider.answers = [answer]
    with Connection() as connection:
        with pytest.raises(OSError) as caught:
            connection.send(some_mail())
        connection.send(some_mail())
    assert outcome_of(caught.value) is outcome
    assert refuses_address(caught.value) is of_address
    assert text in explain(caught.value)[1]
    assert "\n" not in explain(caught.value)[1]
    assert len(provider.mails) == 2


def test_it_does_not_wait_for_a_silent_provider_for_ever(provider: Provider, settings: Settings) -> None:
    settings.ANYMAIL = {**settings.ANYMAIL, "REQUESTS_TIMEOUT": 0.3}
    provider.answers = [(STALL, "")]
    with Connection() as connection, pytest.raises(OSError) as caught:
        connection.send(some_mail())
    assert outcome_of(caught.value) is UNKNOWN
    assert not refuses_address(caught.value)
    assert "timed out" in explain(caught.value)[1]


def test_it_takes_no_failure_for_a_success(provider: Provider, settings: Settings) -> None:
    """Mailjet answers so, and its backend counts the mail as sent."""
    use(settings, "mailjet", api_key="key", secret_key="secret", api_url=f"http://127.0.0.1:{provider.port}/")
    provider.answers = [(200, '{"Messages": [{"Status": "error", "Errors": [{"ErrorCode": "mj-0001"}]}]}')]
    with Connection() as connection, pytest.raises(OSError, match="failed") as caught:
        connection.send(some_mail())
    assert outcome_of(caught.value) is NOT_SENT


def test_it_has_surely_not_sent_what_no_provider_heard(settings: Settings) -> None:
    use(settings, "postmark", server_token="token", api_url=f"http://127.0.0.1:{free_port()}/")
    with Connection() as connection, pytest.raises(OSError) as caught:
        connection.send(some_mail())
    assert outcome_of(caught.value) is NOT_SENT


@pytest.mark.parametrize(
    ("name", "options", "lacks"),
    [
        ("mailgun", {}, "api_key"),
        ("mailjet", {"api_key": "key"}, "secret_key"),
        ("amazon_ses", {}, "a package .*boto3"),
    ],
)
def test_it_says_in_one_line_what_a_provider_lacks(
    settings: Settings, name: str, options: dict[str, str], lacks: str
) -> None:
    use(settings, name, **options)
    with pytest.raises(SystemExit, match=f"^[^\n]*EMAIL_URL lacks {lacks}[^\n]*$"):
        begin()


def test_it_waits_and_sends_when_the_provider_is_there_again(turn: Notice, provider: Provider) -> None:
    Notice.objects.update(due_at=AT)
    provider.answers = [(429, "{}")]
    assert mail.deliver(turn.pk, at=AT) == Notice.State.DUE
    assert mail.deliver(turn.pk, at=AT + timedelta(days=1)) == Notice.State.SENT

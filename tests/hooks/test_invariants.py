"""That somebody notices when owed calls lie about."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from games import hooks, mail
from games.models import Player, Webhook, WebhookCall
from tests.cast import AT, make_game
from tests.hooks.ear import Ear

LATER = timedelta(minutes=11)


@pytest.fixture
def call(ear: Ear, alice: Player, bob: Player) -> WebhookCall:
    """A call that tells alice of her game, which has just begun; owed, not made."""
    hooks.add_hook(alice, kind=Webhook.Kind.JSON, url=ear.url(), at=AT)
    alice.refresh_from_db()
    make_game(alice, bob, at=timezone.now())
    return WebhookCall.objects.get()


def test_it_finds_nothing_wrong_with_a_call_that_is_new(call: WebhookCall) -> None:
    assert hooks.faults(at=timezone.now()) == []


def test_it_finds_a_call_that_nobody_makes(call: WebhookCall, ear: Ear) -> None:
    now = timezone.now()
    said = "1 call of a webhook is due and nobody makes it: does the worker run?"
    assert hooks.faults(at=now + LATER) == [said]
    assert hooks.sweep(at=now) == 1
    assert len(ear.heard) == 1
    assert hooks.faults(at=now + LATER) == []


def test_it_leaves_a_call_alone_that_has_to_wait(call: WebhookCall) -> None:
    now = timezone.now()
    WebhookCall.objects.update(due_at=now + timedelta(hours=8))
    assert hooks.faults(at=now + LATER) == []


def test_it_finds_a_lease_that_nobody_took_over(call: WebhookCall) -> None:
    now = timezone.now()
    WebhookCall.objects.update(state="claimed", claim="dead", lease_until=now)
    assert hooks.faults(at=now) == []
    assert hooks.faults(at=now + LATER) == ["1 call of a webhook is leased past its lease."]


def test_it_is_told_by_the_page_and_by_the_command(call: WebhookCall, client: Client) -> None:
    mail.sweep(at=timezone.now())
    assert client.get("/health/").status_code == 200
    WebhookCall.objects.update(due_at=timezone.now() - LATER)
    said = "1 call of a webhook is due and nobody makes it: does the worker run?"
    response = client.get("/health/")
    assert (response.status_code, response.content.decode()) == (503, f"{said}\n")
    with pytest.raises(CommandError, match=said[:-1]):
        call_command("check_owed")

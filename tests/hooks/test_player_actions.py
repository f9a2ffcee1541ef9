"""What players do to their webhooks."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games import hooks
from games.models import Player, Webhook
from tests.cast import AT, make_player
from tests.hooks.ear import Ear
from tests.hooks.helpers import add, payload_of

Kind = Webhook.Kind


def test_it_keeps_a_few_for_each_player(alice: Player, bob: Player) -> None:
    for number in range(hooks.MOST_HOOKS):
        add(alice, f"https://hooks.example/{number}")
    with pytest.raises(hooks.TooMany):
        add(alice, "https://hooks.example/more")
    with pytest.raises(hooks.KnownAlready):
        hooks.add_hook(alice, kind=Kind.JSON, url="https://hooks.example/1", at=AT + hooks.SAME_CLICK)
    add(bob, "https://hooks.example/1")
    hooks.remove_hook(alice.webhooks.all()[0])
    add(alice, "https://hooks.example/more")


def test_it_makes_a_secret_for_programs_alone(alice: Player) -> None:
    first, second = add(alice, "https://hooks.example/1"), add(alice, "https://hooks.example/2")
    assert len(first.secret) == 43
    assert first.secret != second.secret
    assert add(alice, "https://hooks.example/3", Kind.SLACK).secret == ""


def test_it_refuses_an_address_that_is_never_called(alice: Player) -> None:
    with pytest.raises(hooks.Refused):
        add(alice, "http://hooks.example/")
    assert not Webhook.objects.exists()


def arrives(hook: Webhook, *, at: datetime) -> bool:
    """Whether a test that is asked for, and made, is taken."""
    hooks.request_test(hook, at=at)
    assert hooks.make_tests(at=at) == 1
    hook.refresh_from_db()
    return not hook.trouble


def test_it_tests_when_asked_and_not_too_often(hooked: Webhook, ear: Ear) -> None:
    assert arrives(hooked, at=AT)
    assert hooks.make_tests(at=AT) == 0
    assert payload_of(ear.heard[0])["event"] == "test"
    with pytest.raises(hooks.TooSoon):
        hooks.request_test(hooked, at=AT + timedelta(seconds=9))
    other = add(hooked.player, ear.url("/other"))
    with pytest.raises(hooks.TooSoon):
        hooks.request_test(other, at=AT + timedelta(seconds=9))
    assert arrives(other, at=AT + timedelta(seconds=10))


@pytest.mark.parametrize(("is_on", "since"), [(False, AT), (True, None)])
def test_it_remembers_who_switched_a_webhook_off_when_a_test_arrives(
    hooked: Webhook, ear: Ear, is_on: bool, since: datetime | None
) -> None:
    """That it took nothing for days is why it is off; one that is on takes calls again."""
    Webhook.objects.filter(pk=hooked.pk).update(is_on=is_on, failures=12, failing_since=AT)
    assert arrives(hooked, at=AT)
    hooked.refresh_from_db()
    assert (hooked.is_on, hooked.failing_since, hooked.said_at) == (is_on, since, AT)


def test_it_needs_no_table_for_a_test(db: None, ear: Ear) -> None:
    hook = add(make_player("dave"), ear.url(), Kind.DISCORD)
    assert arrives(hook, at=AT)
    assert "Nothing is asked of you" in str(payload_of(ear.heard[0])["content"])


def test_it_makes_a_test_once_and_forgets_it_after_a_while(hooked: Webhook, ear: Ear) -> None:
    hooks.request_test(hooked, at=AT)
    hooked.refresh_from_db()
    assert hooks.waits_for_test(hooked, at=AT)
    assert not hooks.waits_for_test(hooked, at=AT + timedelta(minutes=1))
    assert hooks.make_tests(at=AT + timedelta(minutes=1)) == 0
    assert (hooks.make_tests(at=AT), hooks.make_tests(at=AT)) == (1, 0)
    assert len(ear.heard) == 1

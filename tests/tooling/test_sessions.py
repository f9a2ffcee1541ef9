"""Sessions, which are verified once and read ever after."""

from __future__ import annotations

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.utils import timezone

from clans_site.sessions import SessionStore
from tests.cast import AT

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    store = SessionStore()
    store["cards"] = {"alice": ["red"]}
    store.save()
    return str(store.session_key)


def test_it_holds_what_was_saved(key: str) -> None:
    assert dict(SessionStore(key).items()) == {"cards": {"alice": ["red"]}}


def test_it_keeps_what_one_request_changes_from_the_next(key: str) -> None:
    SessionStore(key)["cards"]["alice"].append("blue")
    assert SessionStore(key)["cards"] == {"alice": ["red"]}


def test_it_holds_nothing_that_this_site_has_not_signed(key: str) -> None:
    session = Session.objects.get(pk=key)
    SessionStore(key).items()
    session.session_data = session.session_data[:-1] + ("A" if session.session_data[-1] != "A" else "B")
    session.save()
    assert not SessionStore(key).items()


def test_it_is_nothing_when_it_is_unknown_or_over(key: str) -> None:
    unknown, over = SessionStore("x" * 32), SessionStore(key)
    assert not unknown.items()
    with time_machine.travel(timezone.now().replace(year=AT.year + 10)):
        assert not over.items()
    assert (unknown.session_key, over.session_key) == (None, None)

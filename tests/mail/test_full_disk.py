"""A database that takes no writes, as when the disk is full."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from games import mail, play
from games.models import Player
from games.outage import IN_VAIN
from tests.cast import AT, make_table
from tests.mail.post_office import PostOffice


@contextmanager
def no_writes() -> Iterator[None]:
    """Let SQLite refuse to write for a while."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        try:
            yield
        finally:
            cursor.execute("PRAGMA query_only = 0")


@pytest.mark.django_db(transaction=True)
def test_a_sweep_ends_after_three_failures_and_the_next_sends_all(
    alice: Player, post_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    table = make_table(alice, size=3)
    for number in range(IN_VAIN + 2):
        play.invite(table, by=alice, to=f"dora{number}@example.com", at=AT)
    with no_writes():
        assert mail.sweep_invitations(at=AT) == 0
    assert caplog.text.count("is left to its lease") == IN_VAIN
    assert mail.sweep_invitations(at=AT) == IN_VAIN + 2
    assert len(post_office.ids) == IN_VAIN + 2

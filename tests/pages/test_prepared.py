"""Queries whose SQL is written once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from games.models import Game, Player
from games.pages import prepared
from games.pages.prepared import prepare
from tests.cast import AT, make_table

pytestmark = pytest.mark.django_db


def opened(opener: int, since: Any) -> QuerySet[Game, Any]:
    return Game.objects.filter(opener=opener, created_at__gte=since).order_by("pk").values_list("name")


def rounded(size: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(size=max(size, 2)).values_list("name")


def ask(*values: Any) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(*prepare(opened, *values))
        return [name for (name,) in cursor.fetchall()]


def test_it_asks_what_the_question_asks_for_each_value(alice: Player, bob: Player) -> None:
    make_table(alice, name="hers")
    make_table(bob, name="his")
    make_table(bob, name="his later one", at=AT + timedelta(hours=1))
    assert ask(alice.pk, AT) == ["hers"]
    assert ask(bob.pk, AT) == ["his", "his later one"]
    assert ask(bob.pk, AT + timedelta(microseconds=1)) == ["his later one"]


def test_it_writes_the_sql_once() -> None:
    prepared._written.cache_clear()
    statements = {prepare(opened, number, AT)[0] for number in range(1, 5)}
    assert len(statements) == 1
    assert prepared._written.cache_info().misses == 1


def test_it_refuses_a_question_that_does_not_take_a_value_as_it_is() -> None:
    with pytest.raises(ValueError, match="does not take"):
        prepare(rounded, 3)

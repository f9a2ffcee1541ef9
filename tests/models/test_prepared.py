"""Queries whose SQL is written once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import F, Model, QuerySet
from django.db.models.signals import ModelSignal, post_init, pre_init

from games import prepared
from games.models import Game, Player
from games.prepared import change, fetch, prepare
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


def tables(name: str) -> QuerySet[Game, Game]:
    return Game.objects.select_related("deal").filter(name=name)


def test_it_fetches_the_models_that_django_would(alice: Player) -> None:
    make_table(alice, name="hers")
    [fetched], [asked] = fetch(tables, "hers"), tables("hers")
    assert vars(fetched.deal) | {"_state": None} == vars(asked.deal) | {"_state": None}
    fields = [field.attname for field in Game._meta.concrete_fields]
    assert [getattr(fetched, name) for name in fields] == [getattr(asked, name) for name in fields]
    assert (fetched._state.adding, fetched._state.db) == (asked._state.adding, asked._state.db)
    assert fetch(tables, "his") == []


@pytest.mark.parametrize("model", apps.get_models())
@pytest.mark.parametrize("signal", [pre_init, post_init])
def test_it_leaves_out_no_signal_that_somebody_takes(model: type[Model], signal: ModelSignal) -> None:
    assert not signal.has_listeners(model)


def test_it_fetches_with_one_query(alice: Player, django_assert_num_queries: Any) -> None:
    make_table(alice, name="hers")
    with django_assert_num_queries(1):
        [game] = fetch(tables, "hers")
        assert game.deal.commitment


def test_it_keeps_what_it_fetched(alice: Player) -> None:
    [player] = fetch(player_named, "alice")
    player.time_zone = "Europe/Vienna"
    player.save()
    alice.refresh_from_db()
    assert alice.time_zone == "Europe/Vienna"


def player_named(name: str) -> QuerySet[Player, Player]:
    return Player.objects.filter(username=name)


def test_it_fetches_the_columns_that_django_would(alice: Player) -> None:
    make_table(alice, name="hers")
    [fetched], [asked] = fetch(columns, alice.pk), columns(alice.pk)
    assert fetched == asked == ("hers", True, AT, None)
    assert type(fetched[1]) is bool


def columns(opener: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(opener=opener).values_list("name", "is_public", "created_at", "ended_at")


def renamed(opener: int, name: str, at: Any) -> tuple[QuerySet[Game, Any], dict[str, Any]]:
    return Game.objects.filter(opener=opener).order_by("pk"), {
        "name": name,
        "created_at": at,
        "reminded": F("reminded") + 1,
    }


def test_it_changes_what_django_would(alice: Player, bob: Player) -> None:
    make_table(alice, name="hers")
    make_table(bob, name="his")
    later = AT + timedelta(hours=1)
    assert change(renamed, alice.pk, "still hers", later) == 1
    assert change(renamed, alice.pk, "hers again", later) == 1
    assert change(renamed, 0, "nobody's", later) == 0
    assert list(Game.objects.order_by("pk").values_list("name", "created_at", "reminded")) == [
        ("hers again", later, 2),
        ("his", AT, 0),
    ]

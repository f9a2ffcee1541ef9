"""Queries whose SQL is written once, and values that are cached for each language."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import F, QuerySet
from django.db.models.signals import post_init
from django.utils import translation

from games.caching import Latest, cached, prepared, prepared_update
from games.models import Game, Mail, Player
from tests.cast import AT, make_table

pytestmark = pytest.mark.django_db


@prepared
def opened(opener: int, since: Any) -> QuerySet[Game, Any]:
    return Game.objects.filter(opener=opener, created_at__gte=since).order_by("pk").values_list("name")


@prepared
def rounded(size: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(size=max(size, 2)).values_list("name")


def ask(*values: Any) -> list[str]:
    return [name for (name,) in opened(*values)]


def test_it_asks_what_the_question_asks_for_each_value(alice: Player, bob: Player) -> None:
    make_table(alice, name="hers")
    make_table(bob, name="his")
    make_table(bob, name="his later one", at=AT + timedelta(hours=1))
    assert ask(alice.pk, AT) == ["hers"]
    assert ask(bob.pk, AT) == ["his", "his later one"]
    assert ask(bob.pk, AT + timedelta(microseconds=1)) == ["his later one"]


def test_it_writes_the_sql_once(alice: Player) -> None:
    asked = []

    @prepared
    def named(name: str) -> QuerySet[Game, Any]:
        asked.append(name)
        return Game.objects.filter(name=name).values_list("name")

    make_table(alice, name="hers")
    assert [named(name) for name in ("hers", "his", "hers")] == [[("hers",)], [], [("hers",)]]
    assert len(asked) == 1
    assert asked[0] not in named.statement("hers")[1]


def test_it_refuses_a_question_that_does_not_take_a_value_as_it_is() -> None:
    with pytest.raises(ValueError, match="does not take"):
        rounded(3)


@prepared
def tables(name: str) -> QuerySet[Game, Game]:
    return Game.objects.select_related("deal").filter(name=name).annotate(next_ply=F("ply") + 1)


def test_it_fetches_the_models_that_django_would(alice: Player) -> None:
    make_table(alice, name="hers")
    [fetched], [asked] = tables("hers"), tables.queryset("hers")
    assert vars(fetched.deal) | {"_state": None} == vars(asked.deal) | {"_state": None}
    fields = [*(field.attname for field in Game._meta.concrete_fields), "next_ply"]
    assert [getattr(fetched, name) for name in fields] == [getattr(asked, name) for name in fields]
    assert (fetched._state.adding, fetched._state.db) == (asked._state.adding, asked._state.db)
    assert tables("his") == []


def test_it_sends_the_signals_that_django_sends(alice: Player) -> None:
    make_table(alice, name="hers")
    made = []

    def note(instance: Game, **_signal: object) -> None:
        made.append(instance.name)

    post_init.connect(note, sender=Game)
    try:
        tables("hers")
    finally:
        post_init.disconnect(note, sender=Game)
    assert made == ["hers"]


def test_it_fetches_with_one_query(alice: Player, django_assert_num_queries: Any) -> None:
    make_table(alice, name="hers")
    with django_assert_num_queries(1):
        [game] = tables("hers")
        assert game.deal.commitment


def test_it_keeps_what_it_fetched(alice: Player) -> None:
    [player] = player_named("alice")
    player.time_zone = "Europe/Vienna"
    player.save()
    alice.refresh_from_db()
    assert alice.time_zone == "Europe/Vienna"


@prepared
def player_named(name: str) -> QuerySet[Player, Player]:
    return Player.objects.filter(username=name)


def test_it_fetches_the_columns_that_django_would(alice: Player) -> None:
    make_table(alice, name="hers")
    [fetched], [asked] = columns(alice.pk), columns.queryset(alice.pk)
    assert fetched == asked == ("hers", True, AT, None)
    assert type(fetched[1]) is bool


@prepared
def columns(opener: int) -> QuerySet[Game, Any]:
    return Game.objects.filter(opener=opener).values_list("name", "is_public", "created_at", "ended_at")


@prepared_update
def opened_by(opener: int, at: datetime) -> QuerySet[Game]:
    return Game.objects.filter(opener=opener, created_at__lte=at).order_by("pk")


def test_it_changes_what_django_would(alice: Player, bob: Player) -> None:
    make_table(alice, name="hers")
    make_table(bob, name="his")
    later = AT + timedelta(hours=1)
    assert opened_by(alice.pk, later, name="still hers", reminded=1, due_at=later) == 1
    assert opened_by(alice.pk, later, name="hers again", reminded=2, due_at=None, opener=bob.pk) == 1
    assert opened_by(alice.pk, later, name="nobody's") == 0
    assert opened_by(bob.pk, AT - timedelta(hours=1), name="nobody's") == 0
    hers, his = Game.objects.order_by("pk")
    assert (hers.name, hers.reminded, hers.due_at, hers.opener) == ("hers again", 2, None, bob)
    assert (his.name, his.reminded, his.opener) == ("his", 0, bob)


def test_it_stores_what_each_field_makes_of_a_value(alice: Player) -> None:
    mail = Mail.objects.create(player=alice, message_id="<1@x>", created_at=AT, due_at=AT)
    new = {"headers": [["Date", "today"]], "packed_text": b"\0\xff", "state": Mail.State.SENT, "sent_at": AT}
    assert mail_of(alice.pk, **new) == 1
    mail.refresh_from_db()
    assert {name: getattr(mail, name) for name in new} == new


@prepared_update
def mail_of(player: int) -> QuerySet[Mail]:
    return Mail.objects.filter(player=player)


@pytest.mark.usefixtures("two_languages")
def test_it_computes_a_value_once_for_each_language() -> None:
    computed = []

    @cached(most=8)
    def greet(name: str, *, twice: bool = False) -> str:
        computed.append(name)
        return f"{translation.get_language()} {name} {twice}"

    for language in ("en", "de", "en"):
        with translation.override(language):
            assert greet("alice") == f"{language} alice False"
    assert greet("alice", twice=True) == "en alice True"
    assert len(computed) == 3


def test_it_keeps_no_more_values_than_it_may() -> None:
    computed = []

    @cached(most=2)
    def double(number: int) -> int:
        computed.append(number)
        return 2 * number

    assert [double(number) for number in (1, 2, 2, 3, 1)] == [2, 4, 4, 6, 2]
    assert computed == [1, 2, 3, 1]


def test_it_keeps_what_was_used_last() -> None:
    kept: Latest[str, int] = Latest(2)
    kept.store("a", 1)
    kept.store("b", 2)
    assert kept.find("a") == 1
    kept.store("c", 3)
    assert "b" not in kept
    assert (kept.find("a"), kept.find("b"), kept.find("c")) == (1, None, 3)

"""Inviting people to a season that has not begun, and what comes of it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games import play
from games.models import Game, Invitation, Player, Season, digest_of
from tests.cast import AT, make_player, make_table
from tests.made_once import made_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(alice: Player) -> Season:
    return play.open_season(alice, name="Spring league", size=2, rounds=2, key="1", at=AT)


def invite(season: Season, alice: Player, *names: str) -> None:
    play.invite_to_season(season, by=alice, names=names, at=AT)


def answers(season: Season) -> list[tuple[str, str]]:
    rows = season.invitations.select_related("player")
    return [(row.player.username if row.player else row.address, row.answer) for row in rows]


def test_it_owes_a_mail_to_each_player_and_address(season: Season, alice: Player, bob: Player) -> None:
    invite(season, alice, "BOB", "Dora@Example.com")
    assert answers(season) == [("bob", ""), ("dora@example.com", "")]
    for row in season.invitations.all():
        assert (row.game, row.by, row.state, row.due_at, row.kept_until) == (None, alice, "due", AT, None)
        assert row.digest == digest_of(row.token)


@pytest.mark.parametrize(
    ("to", "error"),
    [
        ("nobody", play.NoSuchPlayer),
        ("alice", play.InvitesThemselves),
        ("ALICE@example.com", play.InvitesThemselves),
        ("blocked", play.InvitesBlocked),
        ("carol", play.PlaysAlready),
        ("asked", play.InvitedAlready),
        ("asked2@example.com", play.InvitedAlready),
        ("quiet@example.com", play.WantsNoInvitations),
        ("dora@", play.NoAddress),
    ],
)
def test_it_invites_nobody_where_one_cannot_be_invited(
    season: Season, alice: Player, bob: Player, carol: Player, to: str, error: type[play.PlayError]
) -> None:
    made_once(lambda: bring_who_cannot_be_invited(season, alice, carol), name="who cannot be invited to a season")
    before = answers(season)
    with pytest.raises(play.GuestsRefused) as refused:
        invite(season, alice, "bob", to)
    assert [(name, type(why)) for name, why in refused.value.refused] == [(to, error)]
    assert answers(season) == before


def bring_who_cannot_be_invited(season: Season, alice: Player, carol: Player) -> None:
    make_player("asked")
    play.mute_player(alice, make_player("blocked"), blocks=True, at=AT)
    play.join_season(season, player=carol, at=AT)
    invite(season, alice, "asked", "asked2@example.com")
    play.refuse_invitations(digest_of("quiet@example.com"), at=AT)


def test_only_the_opener_invites_and_only_before_it_begins(season: Season, alice: Player, bob: Player) -> None:
    with pytest.raises(play.NotYourSeason):
        invite(season, bob, "dora@example.com")
    play.join_season(season, player=bob, at=AT)
    play.begin_season(season, by=alice, at=AT)
    with pytest.raises(play.SeasonNotOpen):
        invite(season, alice, "dora@example.com")
    assert answers(season) == []


def test_who_has_left_can_be_invited(season: Season, alice: Player, bob: Player) -> None:
    play.join_season(season, player=bob, at=AT)
    play.leave_season(season, player=bob, at=AT)
    invite(season, alice, "bob")
    assert answers(season) == [("bob", "")]


def test_an_address_is_treated_the_same_whether_it_has_an_account(
    season: Season, alice: Player, bob: Player, carol: Player
) -> None:
    """Also where its player has joined, or is invited by name."""
    play.join_season(season, player=bob, at=AT)
    invite(season, alice, "carol")

    def told(address: str) -> list[str]:
        with CaptureQueriesContext(connection) as asked:
            invite(season, alice, address)
        return [re.split(r" WHERE | VALUES |\"s\d", query["sql"])[0] for query in asked.captured_queries]

    assert told("nobody@example.com") == told("bob@example.com") == told("carol@example.com")


def test_invitations_to_seasons_and_tables_are_counted_together(season: Season, alice: Player) -> None:
    """A club of fifty is invited at once, and some of it to tables."""
    invite(season, alice, *(f"guest{number}@example.com" for number in range(60)))
    with pytest.raises(play.InvitesTooOften):
        play.invite(make_table(alice), by=alice, to="guest60@example.com", at=AT)
    play.invite(make_table(alice), by=alice, to="guest60@example.com", at=AT + timedelta(days=1))


@pytest.mark.parametrize("to", ["bob", "bob@example.com"])
def test_joining_answers_it(season: Season, alice: Player, bob: Player, to: str) -> None:
    invite(season, alice, to)
    play.join_season(season, player=bob, at=AT)
    assert answers(season) == [(to, "accepted")]


def test_one_by_name_leaves_one_to_the_address_to_its_link(season: Season, alice: Player, bob: Player) -> None:
    invite(season, alice, "bob", "bob@example.com")
    play.decline_invitations(season, player=bob, at=AT)
    assert answers(season) == [("bob", "declined"), ("bob@example.com", "")]
    to_address = season.invitations.get(player=None)
    play.join_season(season, player=bob, invitation=to_address, at=AT)
    assert answers(season) == [("bob", "declined"), ("bob@example.com", "accepted")]


def test_an_answer_to_a_season_is_none_to_a_table(season: Season, alice: Player, bob: Player) -> None:
    table = make_table(alice)
    play.invite(table, by=alice, to="bob@example.com", at=AT)
    invite(season, alice, "bob")
    play.join_season(season, player=bob, at=AT)
    assert Invitation.objects.get(game=table).answer == ""
    play.join_table(table, player=bob, at=AT)
    assert Invitation.objects.get(game=table).answer == "accepted"


def test_its_opener_takes_it_back(season: Season, alice: Player, bob: Player) -> None:
    invite(season, alice, "bob")
    pk = season.invitations.get().pk
    with pytest.raises(play.NotYourSeason):
        play.withdraw_from_season(season, by=bob, invitation=pk, at=AT)
    other = play.open_season(alice, name="Another", size=2, rounds=2, key="2", at=AT)
    with pytest.raises(play.NotInvited):
        play.withdraw_from_season(other, by=alice, invitation=pk, at=AT)
    play.withdraw_from_season(season, by=alice, invitation=pk, at=AT)
    with pytest.raises(play.AnsweredAlready):
        play.withdraw_from_season(season, by=alice, invitation=pk, at=AT)
    invite(season, alice, "bob")
    assert answers(season) == [("bob", "withdrawn"), ("bob", "")]


def test_a_closed_account_takes_its_invitations_along(season: Season, alice: Player, bob: Player) -> None:
    invite(season, alice, "bob", "dora@example.com")
    play.close_account(bob, at=AT)
    assert answers(season) == [("dora@example.com", "")]


def test_the_database_refuses_one_to_both_and_one_to_neither(season: Season, alice: Player, bob: Player) -> None:
    invite(season, alice, "bob")
    table: Game = make_table(alice)
    for change in ({"game": table}, {"season": None}, {"kept_until": AT}, {"is_release": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            season.invitations.update(**change)

"""Inviting people to an open table, and what comes of it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import mail, play
from games.models import Game, Invitation, Player, QuietAddress, digest_of
from tests.cast import AT, make_player, make_table
from tests.made_once import made_once, scene

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def table(alice: Player) -> Game:
    return scene("table", lambda: make_table(alice, size=3))


def invite(table: Game, alice: Player, to: str, *, keeps_seat: bool = False, at: object = AT) -> Invitation:
    return play.invite(table, by=alice, to=to, keeps_seat=keeps_seat, at=at)  # type: ignore[arg-type]


def test_it_owes_a_mail_to_a_player_and_to_an_address(table: Game, alice: Player, bob: Player) -> None:
    by_name, by_address = invite(table, alice, " BOB "), invite(table, alice, "Dora@Example.com")
    assert (by_name.player, by_name.address) == (bob, "")
    assert (by_address.player, by_address.address) == (None, "dora@example.com")
    for row in (by_name, by_address):
        assert (row.state, row.due_at, row.expires_at) == ("due", AT, AT + 14 * DAY)
        assert len(row.token) == 43
        assert row.digest == digest_of(row.token)
        assert row.token not in row.digest


@pytest.mark.parametrize(
    ("to", "error"),
    [
        ("", play.NoSuchPlayer),
        ("nobody", play.NoSuchPlayer),
        ("a1ice", play.NoSuchPlayer),
        ("b\u043eb", play.NoSuchPlayer),  # a Cyrillic o
        ("<b>bob</b>", play.NoSuchPlayer),
        ("bob\r\nBcc: all", play.NoSuchPlayer),
        ("b" * 10_000, play.NoSuchPlayer),
        ("alice", play.InvitesThemselves),
        ("ALICE@example.com", play.InvitesThemselves),
        ("blocked", play.InvitesBlocked),
        ("carol", play.SeatedAlready),
        ("asked", play.InvitedAlready),
        ("Asked2@example.com", play.InvitedAlready),
        ("quiet@example.com", play.WantsNoInvitations),
        ("gone", play.NoSuchPlayer),
        ("beginner", play.NoSuchPlayer),
        ("@", play.NoAddress),
        ("dora@", play.NoAddress),
        ("do ra@example.com", play.NoAddress),
        ('"do ra"@example.com', play.NoAddress),
        ("dora@example.com, bob@example.com", play.NoAddress),
        ("dora@example.com\r\nBcc: all@example.com", play.NoAddress),
        ("dora@exa\u202emple.com", play.NoAddress),
        ("d\u202eora@example.com", play.NoAddress),
        ("dora@example.com\x00", play.NoAddress),
        ("Dora <dora@example.com>", play.NoAddress),
        ("d" * 300 + "@example.com", play.NoAddress),
        ("d" * 60 + "@" + ("e" * 60 + ".") * 4 + "com", play.NoAddress),
    ],
)
def test_it_refuses_who_cannot_be_invited(
    table: Game, alice: Player, carol: Player, to: str, error: type[play.PlayError]
) -> None:
    made_once(lambda: bring_who_cannot_be_invited(table, alice, carol), name="who cannot be invited")
    before = Invitation.objects.count()
    with pytest.raises(error) as refused:
        invite(table, alice, to)
    assert type(refused.value) is error
    assert Invitation.objects.count() == before


def bring_who_cannot_be_invited(table: Game, alice: Player, carol: Player) -> None:
    """Whom alice has blocked, who is gone, who has not confirmed an address, who sits there, is asked, or refuses."""
    make_player("asked")
    play.mute_player(alice, make_player("blocked"), blocks=True, at=AT)
    gone = make_player("gone")
    play.close_account(gone, at=AT)
    Player.objects.create(username="beginner", email="beginner@example.com", date_joined=AT)
    play.join_table(table, player=carol, at=AT)
    invite(table, alice, "asked")
    invite(table, alice, "asked2@example.com")
    play.refuse_invitations(digest_of("quiet@example.com"), at=AT)


def test_only_the_opener_of_an_open_table_invites(table: Game, alice: Player, bob: Player, carol: Player) -> None:
    with pytest.raises(play.NotTheOpener):
        play.invite(table, by=bob, to="carol", at=AT)
    play.close_table(table, player=alice, at=AT)
    with pytest.raises(play.TableNotOpen):
        invite(table, alice, "bob")
    assert not Invitation.objects.exists()


def test_an_address_is_treated_the_same_whether_it_has_an_account(table: Game, alice: Player, bob: Player) -> None:
    """Also where its player sits there, is invited by name, is blocked, or is asked the same by the same queries."""
    play.join_table(table, player=bob, at=AT)
    make_player("erin")
    invite(table, alice, "erin")
    play.mute_player(alice, make_player("frank"), blocks=True, at=AT)

    def told(address: str) -> tuple[list[str], dict[str, object]]:
        with CaptureQueriesContext(connection) as asked:
            made = invite(table, alice, address)
        sql = [re.split(r" WHERE | VALUES |\"s\d", query["sql"])[0] for query in asked.captured_queries]
        own = {"id", "address", "token", "digest", "message_id"}
        row = Invitation.objects.values().get(pk=made.pk)
        return sql, {name: value for name, value in row.items() if name not in own}

    first = told("nobody1@example.com")
    assert first == told("bob@example.com") == told("erin@example.com") == told("frank@example.com")


def test_at_most_60_go_out_a_day(alice: Player) -> None:
    tables = [make_table(alice, size=4, name=f"table {number}") for number in range(3)]
    for number in range(60):
        invite(tables[number % 2], alice, f"guest{number}@example.com")
    with pytest.raises(play.InvitesTooOften):
        invite(tables[2], alice, "guest60@example.com")
    invite(tables[2], alice, "guest60@example.com", at=AT + DAY)


def test_in_14_days_it_is_20_a_day(table: Game, alice: Player) -> None:
    """As many as 60 a day soon come to."""
    for number in range(280):
        invite(table, alice, f"guest{number}@example.com", at=AT + number // 60 * DAY)
    with pytest.raises(play.InvitesTooOften):
        invite(table, alice, "guest280@example.com", at=AT + 5 * DAY)
    invite(table, alice, "guest280@example.com", at=AT + 14 * DAY)


def test_one_that_is_taken_back_counts(table: Game, alice: Player) -> None:
    for _time in range(3):
        made = invite(table, alice, "dora@example.com")
        play.withdraw_invitation(table, player=alice, invitation=made.pk, at=AT)
    with pytest.raises(play.TooManyUnanswered):
        invite(table, alice, "dora@example.com")


def test_an_address_has_at_most_3_without_an_answer(alice: Player, bob: Player, carol: Player) -> None:
    tables = [make_table(player, size=3) for player in (alice, bob, carol, alice)]
    openers = (alice, bob, carol)
    made = [play.invite(table, by=by, to="dora@example.com", at=AT) for table, by in zip(tables, openers, strict=False)]
    with pytest.raises(play.TooManyUnanswered):
        invite(tables[3], alice, "dora@example.com")
    play.decline_invitation(made[0], at=AT)
    invite(tables[3], alice, "dora@example.com")


def test_all_addresses_of_a_mailbox_count_together(alice: Player, bob: Player, carol: Player) -> None:
    """Mail to dora+1 comes to dora."""
    openers = (alice, bob, carol)
    for by, to in zip(openers, ("dora", "dora+1", "Dora+2+3"), strict=True):
        play.invite(make_table(by, size=3), by=by, to=f"{to}@example.com", at=AT)
    table = make_table(alice, size=3)
    for to in ("dora", "dora+4"):
        with pytest.raises(play.TooManyUnanswered):
            invite(table, alice, f"{to}@example.com")
    for to in ("dora+1@example.net", "doras@example.com", "dor+a@example.com"):
        invite(table, alice, to)


def test_a_mailbox_that_wants_none_gets_none_at_any_of_its_addresses(
    table: Game, alice: Player, client: Client
) -> None:
    client.post(mail.refuse_url("dora+1@example.com"))
    for to in ("dora", "dora+1", "dora+2"):
        with pytest.raises(play.WantsNoInvitations):
            invite(table, alice, f"{to}@example.com")


def test_a_name_has_at_most_3_without_an_answer_from_one_person(alice: Player, bob: Player, carol: Player) -> None:
    tables = [make_table(alice, size=3, name=f"table {number}") for number in range(4)]
    for table in tables[:3]:
        invite(table, alice, "carol")
    with pytest.raises(play.TooManyUnanswered):
        invite(tables[3], alice, "carol")
    play.invite(make_table(bob, size=3), by=bob, to="carol", at=AT)


def test_who_sits_down_has_answered(table: Game, alice: Player, bob: Player) -> None:
    by_name, other = invite(table, alice, "bob"), invite(table, alice, "dora@example.com")
    table_by_address = make_table(alice, size=3)
    by_address = invite(table_by_address, alice, "bob@example.com")
    for joined in (table, table_by_address):
        play.join_table(joined, player=bob, at=AT + DAY)
    answers = {row.pk: (row.answer, row.answered_at) for row in Invitation.objects.all()}
    assert answers[by_name.pk] == answers[by_address.pk] == ("accepted", AT + DAY)
    assert answers[other.pk] == ("", None)


def test_who_declines_has_answered_once(table: Game, alice: Player, bob: Player) -> None:
    invite(table, alice, "bob")
    with pytest.raises(play.NotInvited):
        play.decline_invitations(table, player=alice, at=AT)
    play.decline_invitations(table, player=bob, at=AT)
    with pytest.raises(play.AnsweredAlready):
        play.decline_invitations(table, player=bob, at=AT)
    with pytest.raises(play.InvitedAlready):
        invite(table, alice, "bob")


def test_nobody_declines_after_14_days(table: Game, alice: Player, bob: Player) -> None:
    made = invite(table, alice, "bob")
    with pytest.raises(play.NotInvited):
        play.decline_invitation(made, at=AT + 14 * DAY)
    play.decline_invitation(made, at=AT + 14 * DAY - timedelta(seconds=1))


def test_only_the_opener_takes_one_back(table: Game, alice: Player, bob: Player) -> None:
    made = invite(table, alice, "bob")
    with pytest.raises(play.NotTheOpener):
        play.withdraw_invitation(table, player=bob, invitation=made.pk, at=AT)
    with pytest.raises(play.NotInvited):
        play.withdraw_invitation(make_table(alice), player=alice, invitation=made.pk, at=AT)
    play.withdraw_invitation(table, player=alice, invitation=made.pk, at=AT)
    with pytest.raises(play.AnsweredAlready):
        play.withdraw_invitation(table, player=alice, invitation=made.pk, at=AT)
    with pytest.raises(play.NotInvited):
        play.decline_invitations(table, player=bob, at=AT)


def test_a_kept_seat_is_taken_for_others_until_it_is_free_again(
    table: Game, alice: Player, bob: Player, carol: Player
) -> None:
    made = invite(table, alice, "bob", keeps_seat=True)
    invite(table, alice, "dora@example.com", keeps_seat=True)
    with pytest.raises(play.NoSeatToKeep):
        invite(table, alice, "erin@example.com", keeps_seat=True)
    with pytest.raises(play.TableFull):
        play.join_table(table, player=carol, at=AT)
    play.decline_invitation(made, at=AT)
    play.join_table(table, player=carol, at=AT)
    with pytest.raises(play.TableFull):
        play.join_table(table, player=bob, at=AT)
    play.join_table(table, player=bob, at=AT + 3 * DAY)
    table.refresh_from_db()
    assert table.status == Game.Status.RUNNING


def test_who_is_invited_gets_the_kept_seat(table: Game, alice: Player, bob: Player, carol: Player) -> None:
    invite(table, alice, "bob@example.com", keeps_seat=True)
    invite(table, alice, "carol", keeps_seat=True)
    play.join_table(table, player=bob, at=AT)
    play.join_table(table, player=carol, at=AT)
    assert table.seats.count() == 3


def test_taking_it_back_frees_the_seat(table: Game, alice: Player, bob: Player, carol: Player) -> None:
    for name in ("bob@example.com", "dora@example.com"):
        made = invite(table, alice, name, keeps_seat=True)
    play.withdraw_invitation(table, player=alice, invitation=made.pk, at=AT)
    play.join_table(table, player=carol, at=AT)


def test_who_closes_the_account_leaves_no_invitation(table: Game, alice: Player, bob: Player, carol: Player) -> None:
    invite(table, alice, "bob")
    kept = invite(table, alice, "carol")
    bobs = make_table(bob)
    invite(bobs, bob, "dora@example.com")
    accepted = make_table(alice, size=3, at=AT)
    invite(accepted, alice, "bob@example.com")
    play.join_table(accepted, player=bob, at=AT)
    play.close_account(bob, at=AT)
    assert list(Invitation.objects.all()) == [kept]


def test_nobody_learns_of_a_closing_by_an_invitation_to_the_address(table: Game, alice: Player, bob: Player) -> None:
    made, other = invite(table, alice, "bob@example.com"), make_table(alice, size=3, at=AT)
    declined = invite(other, alice, "bob@example.com")
    play.decline_invitation(declined, at=AT)
    play.close_account(bob, at=AT)
    assert list(Invitation.objects.all()) == [made, declined]
    assert play.forget_invitations(at=AT + 14 * DAY) == 2


def test_it_is_forgotten_when_its_time_is_over(table: Game, alice: Player) -> None:
    invite(table, alice, "dora@example.com")
    assert play.forget_invitations(at=AT + 14 * DAY - timedelta(seconds=1)) == 0
    assert play.forget_invitations(at=AT + 14 * DAY) == 1
    assert not Invitation.objects.exists()


def test_an_address_that_wants_none_is_kept_as_a_digest(table: Game, alice: Player) -> None:
    play.refuse_invitations(digest_of("dora@example.com"), at=AT)
    play.refuse_invitations(digest_of("dora@example.com"), at=AT)
    [row] = QuietAddress.objects.values_list()
    assert "dora" not in str(row)
    with pytest.raises(play.WantsNoInvitations):
        invite(table, alice, "DORA@example.com")
    play.allow_invitations(digest_of("dora@example.com"))
    invite(table, alice, "dora@example.com")


def test_a_player_who_has_just_signed_up_for_the_address_is_invited(table: Game, alice: Player) -> None:
    made = invite(table, alice, "dora@example.com")
    assert made.invited is None
    beginner = Player.objects.create(username="dora", email="dora@example.com")
    assert made.invited is None
    EmailAddress.objects.create(user=beginner, email=beginner.email, verified=True, primary=True)
    assert made.invited == beginner

"""Releasing somebody from an open table, and handing the table on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.mail import EmailMultiAlternatives

from games import mail, play
from games.models import Game, Invitation, Notice, Player, WebhookCall
from tests.cast import AT, make_table

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def table(alice: Player, bob: Player, carol: Player) -> Game:
    """A table for four of alice, at which bob and carol sit."""
    game = make_table(alice, size=4)
    for player in (bob, carol):
        play.join_table(game, player=player, at=AT)
    return game


def seated(table: Game) -> list[str]:
    return list(table.seats.order_by("joined").values_list("name", flat=True))


def test_it_releases_somebody_who_may_sit_down_again(table: Game, alice: Player, bob: Player) -> None:
    play.release_player(table, by=alice, name="bob", at=AT)
    assert seated(table) == ["alice", "carol"]
    play.join_table(table, player=bob, at=AT)
    assert seated(table) == ["alice", "bob", "carol"]


def test_it_does_not_let_them_back_once_they_are_blocked(table: Game, alice: Player, bob: Player) -> None:
    play.release_player(table, by=alice, name="bob", at=AT)
    play.mute_player(alice, bob, blocks=True, at=AT)
    with pytest.raises(play.NotWelcome):
        play.join_table(table, player=bob, at=AT)


def test_who_is_released_is_told_by_one_mail(
    table: Game, alice: Player, bob: Player, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    play.release_player(table, by=alice, name="bob", at=AT)
    assert mail.sweep_invitations(at=AT) == 1
    assert mail.sweep_invitations(at=AT + DAY) == 0
    [sent] = mailoutbox
    assert (sent.to, sent.subject) == (["bob@example.com"], "You sit at this table no longer: Friday table")
    assert "alice, whose table this is, has released you from it." in sent.body
    assert f"/tables/{table.slug}/" in sent.body
    assert "/invitations/" not in sent.body
    assert "No more mails about games" in sent.body
    assert "/mail/stop/" in sent.extra_headers["List-Unsubscribe"]


def test_nobody_is_told_who_sits_there_again(table: Game, alice: Player, bob: Player, mailoutbox: list[object]) -> None:
    play.release_player(table, by=alice, name="bob", at=AT)
    play.join_table(table, player=bob, at=AT)
    mail.sweep_invitations(at=AT)
    assert mailoutbox == []


def test_who_is_released_can_be_invited_again(table: Game, alice: Player, bob: Player) -> None:
    play.release_player(table, by=alice, name="carol", at=AT)
    play.invite(table, by=alice, to="carol", at=AT)
    play.join_table(table, player=Player.objects.get(username="carol"), at=AT)
    play.release_player(table, by=alice, name="carol", at=AT)
    play.invite(table, by=alice, to="carol", at=AT)
    assert Invitation.objects.filter(is_release=False).exclude(answer="withdrawn").count() == 1


def test_a_release_counts_as_no_invitation(table: Game, alice: Player, bob: Player) -> None:
    for _time in range(4):
        play.release_player(table, by=alice, name="bob", at=AT)
        play.join_table(table, player=bob, at=AT)
    play.release_player(table, by=alice, name="bob", at=AT)
    assert play.invite(table, by=alice, to="bob", at=AT).state == Invitation.State.DUE


@pytest.mark.parametrize("act", [play.release_player, play.hand_on_table])
@pytest.mark.parametrize(
    ("who", "name", "error"),
    [
        ("bob", "carol", play.NotTheOpener),
        ("mallory", "carol", play.NotTheOpener),
        ("alice", "alice", play.NotSeated),
        ("alice", "mallory", play.NotSeated),
        ("alice", "Bob", play.NotSeated),
        ("alice", "", play.NotSeated),
        ("alice", "b\x00b", play.NotSeated),
    ],
)
def test_it_refuses_and_changes_nothing(
    table: Game, mallory: Player, act: object, who: str, name: str, error: type[play.PlayError]
) -> None:
    with pytest.raises(error):
        act(table, by=Player.objects.get(username=who), name=name, at=AT)  # type: ignore[operator]
    table.refresh_from_db()
    assert (seated(table), table.opener) == (["alice", "bob", "carol"], Player.objects.get(username="alice"))
    assert not Invitation.objects.exists()
    assert not Notice.objects.exists()


@pytest.mark.parametrize("act", [play.release_player, play.hand_on_table])
def test_it_leaves_computer_players_and_games_alone(alice: Player, bob: Player, act: object) -> None:
    table = make_table(alice, size=3, bots=1)
    with pytest.raises(play.NotSeated):
        act(table, by=alice, name=seated(table)[1], at=AT)  # type: ignore[operator]
    play.join_table(table, player=bob, at=AT)
    with pytest.raises(play.TableNotOpen):
        act(table, by=alice, name="bob", at=AT)  # type: ignore[operator]


def test_it_hands_the_table_on(table: Game, alice: Player, bob: Player) -> None:
    play.hand_on_table(table, by=alice, name="bob", at=AT)
    table.refresh_from_db()
    assert (table.opener, seated(table)) == (bob, ["alice", "bob", "carol"])
    with pytest.raises(play.NotTheOpener):
        play.start_table(table, player=alice, at=AT)
    play.leave_table(table, player=alice)
    play.start_table(table, player=bob, at=AT)


def test_whom_it_is_handed_to_is_told_as_long_as_it_is_true(table: Game, alice: Player, bob: Player) -> None:
    play.hand_on_table(table, by=alice, name="bob", at=AT)
    [notice] = Notice.objects.loaded()
    assert (notice.kind, notice.player, notice.about) == ("handed", bob, 0)
    assert mail.still_true(notice)
    play.hand_on_table(table, by=bob, name="alice", at=AT)
    notice.seat.game.refresh_from_db()
    assert not mail.still_true(notice)
    play.hand_on_table(table, by=alice, name="bob", at=AT)
    assert set(Notice.objects.filter(player=bob).values_list("number", flat=True)) == {0, 1}
    assert not WebhookCall.objects.exists()


def test_whom_the_new_opener_has_blocked_sits_down_no_more(table: Game, alice: Player, mallory: Player) -> None:
    bob = Player.objects.get(username="bob")
    play.mute_player(bob, mallory, blocks=True, at=AT)
    play.hand_on_table(table, by=alice, name="bob", at=AT)
    with pytest.raises(play.NotWelcome):
        play.join_table(table, player=mallory, at=AT)

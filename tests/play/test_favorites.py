"""Whom a player likes to play with (design 5.5)."""

from __future__ import annotations

import pytest

from games import play
from games.limits import FAVORITES
from games.models import Favorite, Game, Meeting, Player
from tests.cast import AT, make_game, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def met(alice: Player, bob: Player) -> Game:
    return make_game(alice, bob)


def listed(player: Player) -> list[str]:
    return list(Favorite.objects.of(player).values_list("other__username", flat=True))


def knows_of_a_list(player: Player) -> bool:
    return Player.objects.get(pk=player.pk).has_favorites


def test_it_lists_whom_one_has_met(met: Game, alice: Player, bob: Player) -> None:
    assert not knows_of_a_list(alice)
    for _time in range(2):
        assert play.add_favorite(alice, bob.pk, at=AT) == bob
    assert (listed(alice), listed(bob)) == (["bob"], [])
    assert (knows_of_a_list(alice), knows_of_a_list(bob)) == (True, False)
    assert [play.remove_favorite(alice, bob.pk), play.remove_favorite(alice, bob.pk)] == [bob, None]
    assert (listed(alice), knows_of_a_list(alice)) == ([], False)


def test_it_lists_nobody_else(met: Game, alice: Player, mallory: Player) -> None:
    for key in (mallory.pk, alice.pk, 999_999):
        with pytest.raises(play.NeverMet):
            play.add_favorite(alice, key, at=AT)
    assert listed(alice) == []


def test_it_removes_whom_one_blocks_and_takes_them_back_when_that_is_over(
    met: Game, alice: Player, bob: Player
) -> None:
    play.add_favorite(alice, bob.pk, at=AT)
    play.mute_player(alice, bob, blocks=False, at=AT)
    assert listed(alice) == ["bob"]
    play.mute_player(alice, bob, blocks=True, at=AT)
    assert (listed(alice), knows_of_a_list(alice)) == ([], False)
    with pytest.raises(play.BlockedByYou):
        play.add_favorite(alice, bob.pk, at=AT)
    play.unmute_player(alice, bob.pk)
    play.add_favorite(alice, bob.pk, at=AT)
    assert listed(alice) == ["bob"]


def test_a_player_who_is_blocked_notices_nothing(met: Game, alice: Player, bob: Player) -> None:
    play.add_favorite(alice, bob.pk, at=AT)
    play.mute_player(bob, alice, blocks=True, at=AT)
    assert listed(alice) == ["bob"]
    play.remove_favorite(alice, bob.pk)
    play.add_favorite(alice, bob.pk, at=AT)
    assert listed(alice) == ["bob"]


def test_it_lists_at_most_50_and_counts_nobody_who_has_left(met: Game, alice: Player, bob: Player) -> None:
    most = FAVORITES.rates[0].amount
    assert most == 50
    others = Player.objects.bulk_create(
        Player(username=f"p{number}", email=f"p{number}@example.com", look=f"p{number}") for number in range(most)
    )
    Meeting.objects.bulk_create(Meeting(first=alice, second=other) for other in others)
    for other in others:
        play.add_favorite(alice, other.pk, at=AT)
    with pytest.raises(play.FavoritesFull):
        play.add_favorite(alice, bob.pk, at=AT)
    play.add_favorite(alice, others[0].pk, at=AT)
    Player.objects.filter(pk=others[0].pk).update(is_active=False)
    play.add_favorite(alice, bob.pk, at=AT)
    assert len(listed(alice)) == most
    assert "p0" not in listed(alice)


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_a_closed_account_is_on_no_list_and_has_none(met: Game, alice: Player, bob: Player, who: str) -> None:
    for player, other in ((alice, bob), (bob, alice)):
        play.add_favorite(player, other.pk, at=AT)
    play.close_account(Player.objects.get(username=who), at=AT)
    assert not Favorite.objects.exists()
    left, stays = (alice, bob) if who == "alice" else (bob, alice)
    with pytest.raises(play.NeverMet):
        play.add_favorite(stays, left.pk, at=AT)


def test_it_follows_another_name(met: Game, alice: Player, bob: Player) -> None:
    make_player("zoe")
    play.add_favorite(alice, bob.pk, at=AT)
    play.rename_player(bob, "Ysolde", at=AT)
    assert listed(alice) == ["Ysolde"]

"""A mail is its player's only if it comes from an address that this player has proved to have."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress

from games.models import Game, InboundMail, Player
from tests.cast import AT
from tests.inbox.writing import answer, mover, moves, some_move

LATER = AT + timedelta(hours=1)
Outcome = InboundMail.Outcome


def prove(player: Player, **about: object) -> None:
    """Let this be the only address that `player` has."""
    EmailAddress.objects.filter(user=player).delete()
    EmailAddress.objects.create(**{"user": player, "email": player.email, "primary": True, "verified": True} | about)


@pytest.mark.parametrize("about", [{"verified": False}, {"email": "another@example.com"}])
def test_another_address_than_the_proved_one_moves_nothing(by_mail: Game, about: dict[str, object]) -> None:
    player = mover(by_mail)
    prove(player, **about)
    assert answer(player, some_move(by_mail), at=LATER).outcome == Outcome.FOREIGN
    assert moves(by_mail) == []


def test_what_somebody_else_has_proved_does_not_count(by_mail: Game, mallory: Player) -> None:
    player = mover(by_mail)
    prove(player, user=mallory, primary=False)
    assert answer(player, some_move(by_mail), at=LATER).outcome == Outcome.FOREIGN
    assert moves(by_mail) == []


def test_an_address_counts_in_any_case_of_letters_and_no_letter_stands_for_others(by_mail: Game) -> None:
    player, move = mover(by_mail), some_move(by_mail)
    prove(player, email=player.email.replace("e", "_", 1))
    assert answer(player, move, at=LATER).outcome == Outcome.FOREIGN
    prove(player, email=player.email.upper())
    assert answer(player, move, at=LATER).outcome == Outcome.READ
    assert moves(by_mail) == [move]

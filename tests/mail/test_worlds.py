"""No mail knows a card (rules 2.2, design 1.3): in worlds that differ by cards and seed alone, mails are the same."""

from __future__ import annotations

import itertools
import re

import pytest
from pytest_django import Settings

from games import rules
from games.mail.kinds import KINDS
from games.models import Deal, Game, Notice, Player
from tests.cast import AT, play_random, put_in_season
from tests.mail.composed import compose

TOKEN = re.compile(rb"turn\+[a-z2-7]{32}@")
"""The address for answers to one mail, which has a random token."""


def mails(game: Game) -> list[bytes]:
    """Every mail about `game` as it would go out now, and one of each kind to everybody."""
    put_in_season(game)
    found = Notice.objects.filter(seat__game=game).select_related("seat__game", "seat__player")
    seats = game.seats.select_related("game", "player").order_by("joined")
    others = [
        Notice(seat=seat, kind=kind, ply=seat.game.ply, about=0, created_at=AT) for kind in KINDS for seat in seats
    ]
    made = [compose(notice).message().as_bytes() for notice in (*found.order_by("pk"), *others)]
    return [TOKEN.sub(b"turn+TOKEN@", mail) for mail in made]


def deal_again(game: Game, cards: tuple[str, ...], seed: bytes) -> None:
    """Another world: other cards and another seed, under the commitment that everybody has seen."""
    seats = list(game.seats.order_by("number"))
    game.seats.update(clan="", number=None)
    for seat, card in zip(seats, cards, strict=True):
        game.seats.filter(pk=seat.pk).update(clan=card, number=seat.number)
    Deal.objects.filter(game=game).update(seed=seed)


@pytest.mark.parametrize(("plies", "texts"), [(0, ("short", "full")), (1, ("short",)), (20, ("short", "full"))])
def test_it_writes_the_same_mails_whoever_holds_which_card(
    game: Game, plies: int, texts: tuple[str, ...], settings: Settings
) -> None:
    """With how to answer them, too. Texts of both lengths have the same pictures, which are drawn once."""
    settings.REPLY_ADDRESS = "turn@clans.example.com"
    play_random(game, plies)
    assert game.status == Game.Status.RUNNING
    before = {text: mails_of_length(text, game) for text in texts}
    for made in before.values():
        assert len(made) == 3 + plies + 3 * len(KINDS)
        assert any(b"turn+TOKEN@" in mail for mail in made)
    for world, cards in enumerate(itertools.islice(itertools.permutations(rules.CLANS, 3), 0, None, 11)):
        deal_again(game, cards, bytes([world]) * 32)
        for text, made in before.items():
            assert mails_of_length(text, game) == made


def mails_of_length(text: str, game: Game) -> list[bytes]:
    Player.objects.update(mail_text=text)
    return mails(game)


def test_it_shows_the_cards_once_the_game_is_over(game: Game) -> None:
    play_random(game)
    cards = tuple(game.seats.order_by("number").values_list("clan", flat=True))
    before = mails(game)
    deal_again(game, (cards[1], cards[0], cards[2]), b"x" * 32)
    changed = [old != new for old, new in zip(before, mails(game), strict=True)]
    told = [False] * (len(changed) - 3 - 3 * len(KINDS)) + [True] * 3
    assert changed == told + [True] * 3 * len(KINDS)

"""No answer knows a card: in worlds that differ by cards and seed alone, the same mails are answered with the same
bytes."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest
from django.db import transaction

from games import rules
from games.models import Game, Notice, Player
from tests.cast import AT, play_random
from tests.inbox.writing import call_of, mover, other_move, reply_to, send, some_move, write
from tests.mail.composed import mail_of
from tests.mail.test_worlds import deal_again

LATER = AT + timedelta(days=3)


def story(game: Game) -> list[tuple[object, ...]]:
    """Mails of all sorts, one after the other, and all that leaves because of them."""
    texts = [
        *("thinking", "more time", "tonight", "vacation until 20 Mar", "back", "hello", "A1-A1", "Z9-Z8"),
        *("2 A1-A2", f"{some_move(game)}\n{other_move(game)}", f"I play {some_move(game)}", some_move(game)),
    ]
    player = mover(game)
    to = reply_to(call_of(player))
    found: list[tuple[object, ...]] = []
    for hour, text in enumerate([*texts, "back", some_move(game)]):
        at = LATER + timedelta(hours=hour)
        for sender, signed in ((player.email, False), (player.email, True), ("mallory@example.com", True)):
            taken = send(write(to, text, sender=sender, signed=signed), to, sender=sender, at=at)
            told = mail_of(Notice.objects.loaded().get(pk=taken.notice.pk), at=at) if taken.notice else None
            sent = (told.subject, told.text, told.html, told.pictures) if told else None
            found.append((text, sender, taken.outcome, taken.results, sent))
    return found


@pytest.mark.parametrize("plies", [0, 17])
def test_the_same_mails_get_the_same_answers(plies: int, by_mail: Game) -> None:
    Player.objects.update(time_zone="UTC")
    play_random(by_mail, plies)
    stories = []
    for world, cards in enumerate(itertools.islice(itertools.permutations(rules.CLANS, 3), 0, None, 23)):
        with transaction.atomic():
            deal_again(by_mail, cards, bytes([world]) * 32)
            stories.append(story(Game.objects.get(pk=by_mail.pk)))
            transaction.set_rollback(True)
    assert len(stories) == 3
    assert stories[0] == stories[1] == stories[2]
    assert {outcome for _text, _sender, outcome, *_others in stories[0]} >= {"read", "unproved", "empty", "foreign"}

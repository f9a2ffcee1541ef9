"""A thousand mails of hostile.py through `receive` and `handle`: none moves, none is too much."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from itertools import islice

import pytest
from django.core.cache import cache
from django.db import transaction
from pytest_django import Settings

from games import inbox, play, rules
from games.models import (
    Game,
    InboundMail,
    MailAnswers,
    Move,
    Player,
    Postcard,
    Seat,
    TurnToken,
    Vacation,
    make_turn_token,
)
from tests.cast import AT, seat_to_move
from tests.inbox import hostile
from tests.inbox.dns_server import DnsServer
from tests.inbox.hostile import Hostile, Scene

LATER = AT + timedelta(hours=1)
SECONDS_A_MAIL = 20.0
"""Of CPU time."""


@pytest.fixture
def table(answers: DnsServer, settings: Settings, game: Game, alice: Player) -> Game:
    """A game in which Alice is awaited, whose players let their moves be played at once."""
    answers.zone.clear()
    hostile.publish(answers)
    settings.REPLY_TRUSTED_HOST = hostile.TRUSTED_HOST
    Player.objects.update(mail_answers=MailAnswers.PLAY)
    while (seat := seat_to_move(game)).player != alice:
        play.play_move(game, seat=seat, move=_some_move(game), ply=_ply(game), key=f"before-{_ply(game)}", at=AT)
    return game


@pytest.fixture
def scene(table: Game, alice: Player, bob: Player, settings: Settings) -> Scene:
    name, _at, domain = settings.REPLY_ADDRESS.partition("@")

    def address(player: Player, **turn: int) -> str:
        seat = table.seats.select_related("game").get(player=player)
        for field, value in turn.items():
            setattr(seat.game, field, value)
        return f"{name}+{make_turn_token(player, {1: seat}, use=TurnToken.Use.ANSWER, at=AT)}@{domain}"

    over = address(alice, ply=_ply(table) + 3)
    return Scene(alive=address(alice), over=over, of_another=address(bob), move=str(_some_move(table)))


def _ply(game: Game) -> int:
    return Game.objects.get(pk=game.pk).ply


def _some_move(game: Game) -> rules.Move:
    position = Game.objects.get(pk=game.pk).position()
    return next(move for move in rules.legal_moves(position) if not rules.founding_orders(position, move))


def _state() -> list[object]:
    """All that an answer can change at a table."""
    return [
        list(rows)
        for rows in (
            Game.objects.values_list("ply", "edition", "due_at", "status"),
            Move.objects.order_by("pk").values_list("text"),
            Seat.objects.order_by("pk").values_list("says", "reserve_taken", "player"),
            Vacation.objects.values_list("pk"),
            Postcard.objects.values_list("pk"),
        )
    ]


@contextmanager
def _afterwards_undone() -> Iterator[None]:
    """Each mail finds the table as it was, and pays for no limit that another has used up."""
    cache.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _bring(mail: Hostile) -> str:
    """The outcome of a mail; empty if it was not even taken in."""
    with suppress(inbox.MailRefused):
        taken = inbox.receive(mail.raw, mail.envelope, at=LATER)
        outcome = inbox.handle(taken.pk, at=LATER)
        # PostgreSQL stores no null byte in JSON.
        taken.refresh_from_db()
        assert "\\u0000" not in json.dumps(taken.results), mail.name
        return str(outcome)
    return ""


def _which_move(mails: Iterable[Hostile]) -> list[str]:
    before, found = _state(), []
    for mail in mails:
        with _afterwards_undone():
            began = time.process_time()
            outcome = _bring(mail)
            assert time.process_time() - began < SECONDS_A_MAIL, mail.name
            assert outcome != "None", f"{mail.name}: nobody knows what to do with it"
            if _state() != before:
                found.append(f"{mail.name} ({mail.why})")
    return found


@pytest.mark.django_db
def test_1000_hostile_mails_move_nothing(scene: Scene) -> None:
    mails = list(hostile.hostile_mails(scene))
    assert len({mail.name for mail in mails}) == len(mails) >= 1000
    assert all(mail.why for mail in mails)
    assert _which_move(mails) == []


@pytest.mark.django_db
def test_no_forged_mail_moves(scene: Scene) -> None:
    forged = list(islice(hostile.hostile_mails(scene), 0, len(hostile.MEANS) * len(hostile.TEXTS), len(hostile.TEXTS)))
    assert {mail.name for mail in forged} == {f"forged: {means}, plain" for means in hostile.MEANS}
    assert _which_move(forged) == []


@pytest.mark.django_db
def test_no_mail_of_its_player_is_too_much(scene: Scene) -> None:
    """Only these are read to their end: what nobody has proved is not."""
    _which_move(hostile.bombs_of_alice(scene))


@pytest.mark.django_db
@pytest.mark.parametrize("proof", ["signature", "sender", "report"])
def test_the_same_mail_moves_when_it_is_proved(scene: Scene, proof: str) -> None:
    raw, envelope = hostile.compose(scene), hostile.to_alive(scene)
    if proof == "signature":
        raw = hostile.from_alice(raw)
    elif proof == "sender":
        raw, envelope = hostile.sent(hostile.ALICE, hostile.PROVIDER)(raw, envelope)
    else:
        raw = f"{hostile.REPORT}dkim=pass header.d=example.com\r\n".encode() + raw
    before = _state()
    assert _bring(Hostile("", "", raw, envelope)) == InboundMail.Outcome.READ
    assert _state() != before
    assert Move.objects.latest("pk").text == scene.move

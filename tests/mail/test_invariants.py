"""What must hold of the mails owed, and that somebody notices when it does not."""

from __future__ import annotations

from datetime import timedelta
from shutil import disk_usage

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games import mail, play
from games.mail import delivery, invariants
from games.models import Game, Mail, Notice, Player
from games.tasks import note_faults
from tests.cast import make_game, play_random
from tests.plans import asks_sqlite, steps_of
from tests.servers import HOST, free_port

LATER = timedelta(minutes=11)


@pytest.fixture
def game(alice: Player, bob: Player, carol: Player) -> Game:
    """A game that begins now: the page and the command know the hour."""
    return make_game(alice, bob, carol, at=timezone.now())


def test_it_finds_nothing_wrong_with_a_game_that_is_played(game: Game, settings: object) -> None:
    assert mail.faults(at=timezone.now()) == []
    play_random(game, 7, every=timedelta())
    assert mail.faults(at=timezone.now()) == []
    call_command("check_owed")


def test_it_finds_a_turn_without_its_call(game: Game, client: Client) -> None:
    Notice.objects.filter(kind=Notice.Kind.TURN).delete()
    said = "1 open turn has no call of its own."
    assert mail.faults(at=timezone.now()) == [said]
    with pytest.raises(CommandError, match=said):
        call_command("check_owed")
    # Looking through all games takes too long for a page: the worker does, once an hour.
    note_faults()
    response = client.get("/health/")
    assert (response.status_code, response.content.decode()) == (503, f"{said}\n")


def test_it_says_that_redis_is_down(db: None, client: Client, settings: Settings) -> None:
    backend = settings.CACHES["default"] | {"BACKEND": "django.core.cache.backends.redis.RedisCache", "OPTIONS": {}}
    settings.CACHES = {"default": backend | {"LOCATION": f"redis://{HOST}:{free_port()}/0"}}
    response = client.get("/health/")
    assert (response.status_code, response.content) == (
        503,
        b"Redis does not answer, or refuses to write: nobody can sign in.\n",
    )


@pytest.mark.parametrize(("free", "status"), [(99_000_000, 503), (101_000_000, 200)])
def test_it_says_that_the_disk_is_nearly_full(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch, free: int, status: int
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type(disk_usage(folder))(10**9, 10**9 - free, free))
    response = client.get("/health/")
    assert response.status_code == status
    assert (status == 503) == ("The disk is nearly full: less than 100 MB are free." in response.content.decode())


@asks_sqlite
def test_the_page_reads_no_more_of_a_large_site(game: Game, client: Client) -> None:
    steps = steps_of(lambda: client.get("/health/"))
    assert len(steps) >= 6
    assert [step for step in steps if "USING" not in step or step.startswith("SCAN")] == []


def test_it_counts_so_far_and_no_further(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariants, "COUNTED", 2)
    said = "2 mails are due and not sent: does the worker run, and does the mail server answer?"
    assert mail.faults(at=timezone.now() + LATER) == [said]


def test_it_finds_a_turn_whose_call_is_of_an_earlier_edition(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(edition=1)
    assert mail.faults(at=timezone.now()) == ["1 open turn has no call of its own."]


def test_it_finds_mail_that_nobody_sends(game: Game) -> None:
    [said] = mail.faults(at=timezone.now() + LATER)
    assert said == "3 mails are due and not sent: does the worker run, and does the mail server answer?"


def test_it_finds_a_lease_that_nobody_took_over(game: Game) -> None:
    turn = Notice.objects.get(kind=Notice.Kind.TURN)
    assert delivery.claim_for(turn, at=timezone.now()) is not None
    Mail.objects.update(lease_until=timezone.now() - LATER)
    assert mail.faults(at=timezone.now()) == ["1 mail is leased past its lease."]


def test_it_finds_a_notice_whose_mail_is_over(game: Game) -> None:
    turn = Notice.objects.get(kind=Notice.Kind.TURN)
    assert delivery.claim_for(turn, at=timezone.now()) is not None
    Mail.objects.update(state="superseded", claim="", lease_until=None)
    assert mail.faults(at=timezone.now()) == ["1 notice waits for a mail that is over."]


def test_it_finds_a_mail_that_nobody_sends_again(game: Game) -> None:
    turn = Notice.objects.get(kind=Notice.Kind.TURN)
    held = delivery.claim_for(turn, at=timezone.now())
    assert held is not None
    assert delivery.settle(held, delivery.UNDRAWN)
    Notice.objects.exclude(pk=turn.pk).delete()
    said = "1 mail is due and not sent: does the worker run, and does the mail server answer?"
    assert mail.faults(at=timezone.now() + LATER) == [said]


def test_it_finds_a_clock_that_nobody_looks_at(game: Game) -> None:
    mail.sweep(at=timezone.now())
    assert game.due_at is not None
    [said] = [said for said in mail.faults(at=game.due_at + LATER) if "clock" in said]
    assert said == "The clock of 1 table has run out and nobody looks: does beat run?"
    play.end_overdue_turns(at=game.due_at)
    assert not [said for said in mail.faults(at=game.due_at + LATER) if "clock" in said]


def test_it_answers_without_https_who_asks_past_the_proxy(db: None, client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/health/").status_code == 200
    assert client.get("/").status_code == 301


def test_it_is_well(db: None, client: Client) -> None:
    response = client.get("/health/")
    assert (response.status_code, response.content) == (200, b"All is in order.\n")
    assert "no-store" in response["Cache-Control"]

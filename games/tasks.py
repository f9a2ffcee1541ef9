"""What Celery runs: tasks that are enqueued, and the sweep that finds whatever was not (design 3.1)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from games import animation, hooks, inbox, mail, play, pov
from games.models import Player
from games.outage import try_each

logger = logging.getLogger(__name__)

UNFINISHED = timedelta(days=1)
"""How long a sign-up waits for its code to be typed."""
ANSWERS_A_MAIL = 100
"""How many waiting answers by mail a sweep handles before it sends the next mail: about a second's work."""


@shared_task
def send_notice(pk: int) -> None:
    """Send a mail that is owed, with all that is due to its reader."""
    mail.deliver(pk, at=timezone.now())


@shared_task
def send_invitation(pk: int) -> None:
    """Send the mail of an invitation, and owe notifications to the browsers of its reader."""
    hooks.owe_invitation(pk, at=timezone.now())
    mail.deliver_invitation(pk, at=timezone.now())


@shared_task
def handle_mail(pk: int) -> None:
    """Do what a mail that came in asks for."""
    inbox.handle(pk, at=play.now())


@shared_task
def play_bot_turn(game_pk: int) -> None:
    """Let the computer player move that is to move in one game."""
    play.play_bot_turn(game_pk, at=play.now())


@shared_task
def open_next_table(series_pk: int) -> None:
    """Open the next table of a series, if it is due."""
    play.open_next_table(series_pk, at=play.now())


@shared_task
def advance_season(season_pk: int) -> None:
    """Open the tables that were drawn for a season, and draw the next round when this one is over."""
    play.advance_season(season_pk, at=play.now())


@shared_task
def call_webhooks() -> None:
    """Make the calls of webhooks that are due."""
    hooks.sweep(at=timezone.now())


@shared_task
def test_webhooks() -> None:
    """Make the tests of webhooks that were asked for."""
    hooks.make_tests(at=timezone.now())


@shared_task
def draw_animations() -> None:
    """Draw the finished games that somebody wants to see as animations."""
    animation.draw_requested()


@shared_task
def sweep() -> None:
    """Whatever the clocks ask for, the computer players' turns that wait, the mails and the calls that are due."""
    sweep_all()


@shared_task
def note_faults() -> None:
    """Look for the faults that take too long to find while somebody waits for /health/."""
    mail.note_faults()


@shared_task
def forget_sessions() -> None:
    """Remove the sessions that are over, with the practice games in them, the content of old mails, calls that were
    made long ago, and sign-ups that nobody has finished within a day."""
    call_command("clearsessions")
    alive = Session.objects.filter(expire_date__gt=timezone.now())
    UserSession.objects.exclude(session_key__in=alive.values("pk")).delete()
    mail.forget_content(at=timezone.now())
    inbox.forget(at=timezone.now())
    hooks.forget_old(at=timezone.now())
    Player.objects.never_confirmed().filter(date_joined__lt=timezone.now() - UNFINISHED).delete()


@shared_task
def publish_archive() -> None:
    """Make the archive anew as files to download."""
    pov.publish_archive(at=timezone.now())


@shared_task
def count_archive() -> None:
    """Count the statistics of the archive, if they are old and games have ended since."""
    play.count_archive_if_stale(at=timezone.now())


@dataclass(frozen=True, slots=True)
class Swept:
    """How much a sweep has done of each."""

    accounts: int
    answers: int
    overdue: int
    expired: int
    reminders: int
    seasons: int
    bots: int
    mails: int
    calls: int
    animations: int


def sweep_all(*, report: Callable[[int], None] = lambda handled: None) -> Swept:
    """What a sweep does, whoever asks for it; how much that was.

    Finishes the closing of accounts that was interrupted, opens the next tables of series, ends the turns whose time
    has run out, closes the tables that nobody came to and the seasons that nobody began, forgets invitations that are
    over, owes the reminders, lets seasons go on; then come the computer players, the mails and the calls, and one
    animation. `report` hears how many mails have been dealt with. Sending may take a minute: answers that come in
    meanwhile are handled between two mails.
    """
    at = play.now()
    meanwhile = 0

    def answer_and_report(handled: int) -> None:
        nonlocal meanwhile
        meanwhile += inbox.handle_due(at=play.now(), most=ANSWERS_A_MAIL)
        report(handled)

    hooks.owe_invitations(at=at)
    open_due_tables()
    swept = Swept(
        accounts=play.finish_closing(at=at),
        # Before turns are ended: who has answered in time has moved in time.
        answers=inbox.sweep(at=at),
        overdue=play.end_overdue_turns(at=at),
        expired=play.expire_tables(at=at) + play.expire_seasons(at=at) + play.forget_invitations(at=at),
        reminders=play.owe_reminders(at=at),
        seasons=_try_each(play.running_seasons(), advance_season, failed="season %d cannot go on"),
        # One turn of each.
        bots=_try_each(play.bots_to_move(), play_bot_turn, failed="the computer player of game %d cannot move"),
        mails=mail.sweep(at=timezone.now(), report=answer_and_report)
        + mail.sweep_invitations(at=timezone.now())
        + mail.sweep_season_mails(at=timezone.now()),
        calls=hooks.make_tests(at=timezone.now()) + hooks.sweep(at=timezone.now()),
        # Takes seconds, and nobody is called by it: one at a time, after all else.
        animations=animation.draw_requested(most=1),
    )
    return replace(swept, answers=swept.answers + meanwhile)


def open_due_tables() -> int:
    """The next table of each series that waits for one, and how many did not fail."""
    return _try_each(play.series_due(), open_next_table, failed="the next table of series %d cannot be opened")


def _try_each(keys: Sequence[int], do: Callable[[int], None], *, failed: str) -> int:
    return len(try_each(keys, do, failed=failed, logger=logger))

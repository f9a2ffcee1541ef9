"""A broker that refuses, hangs or forgets, at any moment: moves are taken, nothing that is owed is lost, and few try in
vain."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.faults.brokers import Scene, staged
from tests.redis_server import RedisServer
from tests.servers import wait_until

THREADS = 2
"""Those of the worker in the Procfile."""


@pytest.fixture
def scene(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """Web processes alone: what nobody hears stays to be done."""
    with django_db_blocker.unblock(), staged(tmp_path, moves=16, processes=("web",)) as scene:
        yield scene


@pytest.mark.parametrize("fault", [RedisServer.refuse, RedisServer.hang, RedisServer.refuse_writes])
def test_it_tries_a_broker_that_is_away_once_and_loses_nothing(
    scene: Scene, fault: Callable[[RedisServer], None]
) -> None:
    scene.move(2)
    fault(scene.broker)
    scene.move(1)
    scene.keep_mark()
    scene.move(3)
    scene.move_at_once(8)
    assert scene.tries == 1
    scene.mark.unlink()
    scene.move(1)
    scene.keep_mark()
    scene.move(1)
    assert scene.tries == 2
    scene.check_nothing_is_lost(16)


def test_it_loses_nothing_with_a_broker_that_forgets(scene: Scene) -> None:
    scene.move(4)
    scene.broker.forget()
    scene.move_at_once(8)
    scene.broker.forget()
    scene.move(4)
    assert scene.tries == 0
    scene.check_nothing_is_lost(16)


def test_it_finds_a_broker_again_that_was_away(scene: Scene) -> None:
    scene.broker.hang()
    scene.move(1)
    scene.keep_mark()
    scene.move(1)
    os.utime(scene.mark, (0, 0))  # long ago
    scene.move(1)
    scene.keep_mark()
    scene.move(2)
    wait_until(lambda: scene.tries == 2, what="second try")
    scene.broker.go_on()
    os.utime(scene.mark, (0, 0))
    heard = scene.broker.waiting()
    scene.move(1)
    wait_until(lambda: not scene.mark.exists(), what="news that the broker is there")
    scene.move(1)
    assert scene.broker.waiting() == heard + 2
    assert scene.tries == 2
    scene.check_nothing_is_lost(7)


def test_it_goes_on_with_a_worker_whose_broker_forgot_and_was_away(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), staged(tmp_path, moves=16, processes=("web", "worker")) as scene:
        scene.move(1)
        wait_until(lambda: scene.smtp.mails, what="mail by the worker")
        scene.move_at_once(4)
        scene.broker.forget()
        scene.move(1)
        scene.broker.refuse()
        scene.move_at_once(4)
        scene.broker.start()
        sent, made = len(scene.smtp.mails), 10

        def is_called_again() -> bool:
            nonlocal made
            # The worker may note that the broker was away after it is back: then nobody calls the worker.
            if scene.mark.exists() and made < 16:
                scene.mark.unlink()
                scene.move(1)
                made += 1
            return len(scene.smtp.mails) > sent

        wait_until(is_called_again, what="mail by the worker, again")
        scene.site.stop("worker")
        scene.check_nothing_is_lost(made)


@pytest.mark.parametrize("last_ends", ["before the broker is back", "after the broker is back"])
def test_it_goes_on_with_a_worker_whose_broker_went_away_in_the_middle_of_its_tasks(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, last_ends: str
) -> None:
    """All threads of the worker are in a task, so it waits for no message and learns of nothing until one is done. From
    then on it looks for the broker, and acknowledges whatever ends meanwhile only when the broker is back."""
    with django_db_blocker.unblock(), staged(tmp_path, moves=10, processes=("web", "worker")) as scene:
        scene.smtp.is_slow = True
        scene.move(4)
        wait_until(lambda: scene.smtp.waiting == THREADS, what="mail from each thread of the worker")
        scene.broker.refuse()
        scene.smtp.lets_pass = 1
        wait_until(lambda: "Trying again in" in scene.site.log("worker"), what="search for the broker")
        assert scene.site.log("worker").count("Couldn't ack") == 1
        if last_ends == "before the broker is back":
            scene.smtp.is_slow = False
            wait_until(lambda: len(scene.smtp.mails) == THREADS, what="mail by each thread of the worker")
        scene.broker.start()
        scene.mark.unlink(missing_ok=True)
        scene.move(1)
        if last_ends == "after the broker is back":
            wait_until(lambda: scene.smtp.waiting == THREADS, what="mail from the other thread of the worker")
            scene.smtp.is_slow = False
        wait_until(lambda: len(scene.smtp.mails) > THREADS, what="mail by the worker, again")
        scene.mark.unlink(missing_ok=True)
        scene.move(1)
        wait_until(lambda: len(scene.smtp.mails) > THREADS + 1, what="mail by the worker, once more")
        scene.site.stop("worker")
        scene.check_nothing_is_lost(6)


def test_it_goes_on_with_a_worker_whose_broker_took_no_writes(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    """It refuses acknowledgements and hands out nothing, but it answers."""
    with django_db_blocker.unblock(), staged(tmp_path, moves=10, processes=("web", "worker")) as scene:
        scene.smtp.is_slow = True
        scene.move(4)
        wait_until(lambda: scene.smtp.waiting == THREADS, what="mail from each thread of the worker")
        scene.broker.refuse_writes()
        scene.smtp.is_slow = False
        wait_until(lambda: "Trying again in" in scene.site.log("worker"), what="search for the broker")
        scene.move(1)
        assert scene.tries == 1
        wait_until(lambda: len(scene.smtp.mails) == THREADS, what="mail by each thread of the worker")
        scene.broker.take_writes()
        scene.mark.unlink()
        scene.move(1)
        wait_until(lambda: len(scene.smtp.mails) > THREADS, what="mail by the worker, again")
        assert "Frequent restarts" not in scene.site.log("worker")
        scene.site.stop("worker")
        scene.check_nothing_is_lost(6)


@pytest.mark.parametrize("fault", [RedisServer.refuse, RedisServer.hang])
def test_it_sends_mail_by_beat_while_the_broker_is_away(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, fault: Callable[[RedisServer], None]
) -> None:
    """The worker hears nothing, so whoever keeps the time does the work."""
    with django_db_blocker.unblock(), staged(tmp_path, moves=4, processes=("web", "worker", "beat")) as scene:
        scene.move(1)
        wait_until(lambda: scene.smtp.mails, what="mail by the worker")
        fault(scene.broker)
        scene.move(3)
        # Each turn of beat waits for the broker first, so a busy machine takes several.
        wait_until(scene.has_sent_all, what="mails by beat", patience=180)
        assert "so games.tasks.sweep is done here" in scene.site.log("beat")
        scene.site.stop()
        scene.check_nothing_is_lost(4)

"""The servers that other tests rest on: a site of real processes that mails over SMTP and leaves nothing behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.cast import make_player, make_table
from tests.faults.callers import Caller, all_at_once
from tests.servers import ServerDied, Site, mail_server, site


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_mails_from_a_page_through_the_worker_and_ends_all_processes(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with mail_server() as smtp, site(tmp_path, smtp=smtp) as served:
        pids = [process.pid for process in served.processes.values()]
        with django_db_blocker.unblock(), served.database():
            game, bob = make_table(make_player("alice"), size=2), Caller(served, make_player("bob"))
        bob.open(game.get_absolute_url())
        [answer] = all_at_once([bob.post(f"{game.get_absolute_url()}join/", {"words": "mine"})])
        assert answer.status == 303
        kinds = {smtp.wait_for_mail(f"{name}@example.com").kind for name in ("alice", "bob")}
        assert kinds == {"started", "turn"}
        served.check_alive()
    assert len(pids) == 3
    assert not any(alive(pid) for pid in pids)
    assert served.log("web") == ""


def test_it_tells_what_a_process_said_that_died(tmp_path: Path) -> None:
    served = Site(tmp_path, 0, {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "DEBUG": "0"})
    try:
        served.start("web")
        with pytest.raises(ServerDied, match="SECRET_KEY must be set"):
            served.wait_until_up()
    finally:
        served.stop()

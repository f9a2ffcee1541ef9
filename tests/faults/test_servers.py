"""The helper itself: a site of real processes that mails over SMTP and leaves nothing behind."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.request import urlopen

import pytest
from pytest_django import DjangoDbBlocker

from tests.cast import make_game, make_player
from tests.servers import mail_server, site


def test_it_plays_and_mails_with_real_processes_and_ends_them(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with mail_server() as smtp, site(tmp_path, smtp=smtp) as served:
        pids = [process.pid for process in served.processes.values()]
        with django_db_blocker.unblock(), served.database():
            game = make_game(make_player("alice"), make_player("bob"))
            slug = game.slug
        assert slug in urlopen(f"{served.url}/tables/{slug}/").read().decode()
        served.start("worker")
        assert slug in str(smtp.wait_for_mail("alice@example.com").message["X-Clans-Game"])
        assert len(smtp.mails) == 2
        served.check_alive()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

"""Ten thousand reminders that are due at once: owed, composed and handed to a mail server by a sweep for each core; and
again by four sweeps, four workers and two beats at the same time, which must send none twice.

The boards are those of one game, but each table has pictures of its own in the cache, as if they had been drawn before.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

REMINDERS = int(os.environ.get("REMINDERS", "10000"))
PLIES = 12
SWEEPS = 2
CHUNK = 500
CELERY = ["-m", "celery", "--quiet", "-A", "clans_site", "--skip-checks"]
WORKER = [*CELERY, "worker", "--loglevel", "WARNING", "--pool", "threads", "--concurrency", "2"]
BEAT = [*CELERY, "beat", "--loglevel", "WARNING"]
PATIENCE = 300
LEFT = """
    SELECT (SELECT count(*) FROM games_notice WHERE state = 'due' AND kind = 'reminder')
         + (SELECT count(*) FROM games_game WHERE remind_at < strftime('%Y-%m-%d %H:%M:%f', 'now'))
"""


def main() -> None:
    for name, crowd in (
        (f"{SWEEPS} sweeps", [["manage.py", "sweep"]] * SWEEPS),
        ("4 sweeps, 4 workers, 2 beats", [["manage.py", "sweep"]] * 4 + [WORKER] * 4 + [BEAT] * 2),
    ):
        with tempfile.TemporaryDirectory(prefix="clans-bench-", ignore_cleanup_errors=True) as folder:
            measure(name, folder, crowd)


def measure(name: str, folder: str, crowd: Sequence[Sequence[str]]) -> None:
    with _sink() as sink:
        environment = _environment(folder, sink)
        fill = subprocess.run(
            [sys.executable, "-m", "bench.reminders", "fill"], env=environment, check=True, stdout=subprocess.PIPE
        )
        owed = int(fill.stdout)
        before, began = os.times(), time.time()
        processes = [subprocess.Popen([sys.executable, *command], env=environment) for command in crowd]
        _wait(folder, processes)
        for process in processes:
            # Not `terminate`, which would bury who has ended, and with them what they have needed.
            os.kill(process.pid, signal.SIGTERM)
        memory = [_peak_of(process) for process in processes]
        after = os.times()
        seen = _end(sink)
    arrived, took_on = seen["arrived"], seen["times"]
    took = max(took_on) - began
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"{name}: {len(arrived)} of {owed} mails in {took:.1f} s ({len(arrived) / took:.0f} a second)")
    print(
        f"  {cpu:.1f} s of CPU in all; largest process {max(memory) / 1024:.0f} MB;"
        f" sent twice: {sum(arrived.values()) - len(arrived)}; a mail {sum(seen['sizes']) / len(took_on) / 1000:.0f} kB"
    )


def _wait(folder: str, processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Until no reminder is owed any more, or all processes have ended: a sweep does so after a minute. Looks into the
    database without Django, which costs nothing beside what is measured."""
    deadline = time.monotonic() + PATIENCE
    database = sqlite3.connect(f"file:{folder}/clans.sqlite3?mode=ro", uri=True)
    while database.execute(LEFT).fetchone()[0] and not all(map(_has_ended, processes)):
        if time.monotonic() > deadline:
            raise TimeoutError("not everything was sent")
        time.sleep(0.5)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Leaves it for `_peak_of` to bury."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _peak_of(process: subprocess.Popen[bytes]) -> int:
    """Kilobytes that a process has needed at most; it has ended."""
    _pid, _status, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_maxrss


def _environment(folder: str, sink: subprocess.Popen[str]) -> dict[str, str]:
    assert sink.stdout is not None
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "REMINDERS")}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "clans_site.settings",
        "DEBUG": "0",
        "SECRET_KEY": "bench" * 10,
        "EMAIL_URL": f"smtp://127.0.0.1:{sink.stdout.readline().strip()}",
        "MAILS_A_CONNECTION": "1000",
        "SITE_URL": "http://localhost:8000",
        "VAR_DIR": folder,
    }


@contextmanager
def _sink() -> Iterator[subprocess.Popen[str]]:
    sink = subprocess.Popen([sys.executable, "-m", "bench._sink"], stdout=subprocess.PIPE, text=True)
    try:
        yield sink
    finally:
        sink.kill()
        sink.communicate()


def _end(sink: subprocess.Popen[str]) -> dict[str, Any]:
    sink.terminate()
    assert sink.stdout is not None
    seen: dict[str, Any] = json.loads(sink.stdout.readline())
    return seen


# --- In processes of their own --------------------------------------------------------------------


def fill() -> None:
    """A table for each reminder: copies of one game in which the turn of a player began two days ago."""
    from django.core.management import call_command
    from django.utils import timezone

    from bench import _scene
    from games.enqueue import without_enqueueing
    from games.models import Player

    call_command("migrate", verbosity=0)
    at = timezone.now() - timedelta(hours=40)
    alice, bob = (Player.objects.create(username=name, email=f"{name}@example.com") for name in ("alice", "bob"))
    with without_enqueueing():
        game, rng = _scene.begin_game(alice, bob, at=at), random.Random(1)
        for _ply in range(PLIES):
            _scene.play_randomly(game, rng, at=at)
    for start in range(0, REMINDERS, CHUNK):
        _copy(game, range(start, min(start + CHUNK, REMINDERS)))
    game.remind_at = None
    game.save(update_fields=("remind_at",))
    _cache_pictures(game)
    print(REMINDERS)


def _copy(game: Any, numbers: Sequence[int]) -> None:
    from django.db import transaction
    from django.utils import timezone

    from games.models import Deal, Game, Mail, Move, Notice, Player, Seat

    seats, moves, deal = list(game.seats.all()), list(game.moves.all()), game.deal
    names = [f"player{number}" for number in numbers]
    with transaction.atomic():
        players = Player.objects.bulk_create(Player(username=name, email=f"{name}@example.com") for name in names)
        games = [_fresh(Game, game, slug=f"bench{number}", key="") for number in numbers]
        for copy, player in zip(games, players, strict=True):
            copy.awaited, copy.remind_at = player, timezone.now() - timedelta(minutes=1)
        Game.objects.bulk_create(games)
        Deal.objects.bulk_create(_fresh(Deal, deal, game=copy, commitment=copy.slug) for copy in games)
        Move.objects.bulk_create(_fresh(Move, move, game=copy) for copy in games for move in moves)
        theirs = [
            _fresh(Seat, seat, game=copy, player=player if seat.number == copy.to_move else seat.player)
            for copy, player in zip(games, players, strict=True)
            for seat in seats
        ]
        Seat.objects.bulk_create(theirs)
        movers = [seat for seat in theirs if seat.number == seat.game.to_move]
        sent = Mail.objects.bulk_create(
            Mail(
                player=seat.player, state="sent", message_id=f"<{seat.game.slug}@localhost>",
                created_at=game.turn_since, due_at=game.turn_since, dated_at=game.turn_since, sent_at=game.turn_since,
            )
            for seat in movers
        )  # fmt: skip
        mails = {mail.player_id: mail for mail in sent}
        Notice.objects.bulk_create(
            Notice(
                seat=seat, player=seat.player, kind="turn", ply=PLIES, state="sent", created_at=game.turn_since,
                due_at=game.turn_since, sent_at=game.turn_since, mail=mails[seat.player_id],
            )
            for seat in movers
        )  # fmt: skip


def _fresh(model: Any, row: Any, **changes: Any) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields}  # noqa: SLF001
    copy = model(**{name: value for name, value in values.items() if name != "id"})
    for name, value in changes.items():
        setattr(copy, name, value)
    return copy


def _cache_pictures(game: Any) -> None:
    """Under each table's names what the first mail draws: the boards are the same."""
    from django.conf import settings
    from django.utils import timezone

    from games import mail
    from games.drawing import png
    from games.models import Notice

    called = Notice.objects.filter(seat__game__slug="bench0").latest("pk")
    first = Notice.objects.create(
        seat=called.seat, kind="reminder", ply=PLIES, number=99, created_at=called.due_at, due_at=called.due_at
    )
    assert mail.deliver(first.pk, at=timezone.now()) == Notice.State.SENT
    for file in [path for path in settings.PICTURES_DIR.rglob("bench0-*") if path.is_file()]:
        content = file.read_bytes()
        for number in range(1, REMINDERS):
            png.cached_picture(file.name.replace("bench0-", f"bench{number}-", 1), partial(bytes, content))


if __name__ == "__main__":
    if sys.argv[1:]:
        import django

        django.setup()
        fill()
    else:
        main()

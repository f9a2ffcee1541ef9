"""The run itself: everything is started, players move, processes die and are begun again, and all is counted."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from clans_site import run
from tests.postgres_server import postgres_server
from tests.servers import HOST, ServerDied, Site, _environment, free_port, wait_until
from tests.torture.players import Players

MOVES_A_GAME = 25
"""Fewer than a game has, so that there are always moves left to make."""
SWEEPS = 2
LEASE = 30
"""Seconds; a machine that is busy for a moment must not lose one, since the mail would go out twice."""
SETTLING = 240
"""Seconds that anything may take at the end; the players, who wait for their mails, a second more for each move."""


@dataclass
class Outcome:
    """What a run has shown."""

    kills: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    repeated_forms: int = 0
    faults: list[str] = field(default_factory=list)
    mails: int = 0
    """Different mails that the mail server took."""
    repeats: int = 0
    """Mails that it took once more, under the same Message-ID."""
    states: dict[str, int] = field(default_factory=dict)
    seconds: float = 0

    def __str__(self) -> str:
        kills = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items()))
        share = 100 * self.repeats / max(self.mails, 1)
        lines = (
            f"{sum(self.kills.values())} kills ({kills}) during {self.moves} moves in {self.seconds:.0f} s",
            f"{self.repeated_forms} forms were sent again",
            f"notices: {self.states}",
            f"{self.mails} mails on the wire, {self.repeats} of them again ({share:.2f} %)",
            *(self.faults or ["nothing lost, nothing twice"]),
        )
        return "\n".join(lines)


@dataclass
class Victims:
    """The processes that are killed, and begun again."""

    site: Site
    spawner: subprocess.Popen[str]
    living: dict[int, str] = field(default_factory=dict)

    def begin(self, name: str) -> None:
        assert self.spawner.stdin is not None
        assert self.spawner.stdout is not None
        self.spawner.stdin.write(f"{name}\n")
        self.spawner.stdin.flush()
        self.living[int(self.spawner.stdout.readline())] = name

    def kill_one(self, rng: random.Random) -> str:
        """Kill a process by SIGKILL and begin another in its place; its name. gunicorn replaces its workers itself.

        Raises ServerDied when one of ours has ended by itself.
        """
        pid = rng.choice([*self._ours(), *_children(self.site.processes["web"].pid)])
        name = self.living.pop(pid, "web")
        # gunicorn's may have ended between the look and the shot.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        if name != "web":
            self.begin(name)
        return name

    def end(self) -> None:
        for pid in _children(self.spawner.pid):
            os.kill(pid, signal.SIGKILL)
        self.living.clear()

    def _ours(self) -> list[int]:
        """Those of `living`. Asks the kernel: the id of one that has ended may be a stranger's by now."""
        children = _children(self.spawner.pid)
        if gone := [name for pid, name in self.living.items() if pid not in children]:
            said = (self.site.folder / "spawner.log").read_text(errors="replace")
            raise ServerDied(f"ended by themselves: {', '.join(gone)}\n{said[-4000:]}")
        return list(self.living)


def _children(parent: int) -> list[int]:
    """The ids of the processes that `parent` has begun and that live."""
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def torture(folder: Path, *, kills: int, moves: int, database: str = "sqlite", seed: int = 1) -> Outcome:
    """Play `moves` moves on a site below `folder` while `kills` of its processes are killed; what came of it."""
    began = time.monotonic()
    outcome = Outcome()
    with ExitStack() as stack:
        # Beside the site's own folder, into which it lets nobody else.
        url = stack.enter_context(postgres_server(folder)).url if database == "postgres" else ""
        office = stack.enter_context(_office())
        site = stack.enter_context(_site(folder / "site", office, url))
        rows = site.python("-m", "tests.torture.scene", str(moves // MOVES_A_GAME + 4)).splitlines()
        victims = stack.enter_context(_victims(site))
        site.start("web")
        site.wait_until_up()
        players = Players(site.port, [json.loads(row) for row in rows], office.has_called)
        _play_and_kill(players, victims, outcome, kills=kills, moves=moves, rng=random.Random(seed))
        _let_settle(site)
        victims.end()
        _count(outcome, players, office, site)
    outcome.seconds = time.monotonic() - began
    return outcome


@dataclass
class Office:
    """The mail server of `tests.torture.office`, and what it has told of the mails that it took."""

    port: int
    ids: list[str] = field(default_factory=list)
    """The Message-ID of each mail, in the order in which they came."""
    calls: set[tuple[str, int]] = field(default_factory=set)
    """Tables and plies that mails were about."""

    @property
    def url(self) -> str:
        return f"smtp://{HOST}:{self.port}"

    def has_called(self, slug: str, ply: int) -> bool:
        return (slug, ply) in self.calls

    def listen(self, lines: IO[str]) -> None:
        for line in lines:
            message_id, slug, ply = json.loads(line)
            self.ids.append(message_id)
            self.calls.add((slug, int(ply)))


@contextmanager
def _office() -> Iterator[Office]:
    office = Office(free_port())
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.torture.office", str(office.port)],
        cwd=run.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=run.end_with_parent,
    )
    assert process.stdout is not None
    process.stdout.readline()
    listener = threading.Thread(target=office.listen, args=(process.stdout,), daemon=True)
    listener.start()
    try:
        yield office
    finally:
        process.kill()
        process.wait()
        listener.join(timeout=5)
        process.stdout.close()


def _play_and_kill(
    players: Players, victims: Victims, outcome: Outcome, *, kills: int, moves: int, rng: random.Random
) -> None:
    threads = players.start()
    for number in range(kills):
        allowed = moves * (number + 1) // kills - moves * number // kills
        players.allowed.release(allowed)
        time.sleep(rng.uniform(0.1, 0.5))
        outcome.kills[victims.kill_one(rng)] += 1
    wait_until(
        lambda: len(players.acknowledged) >= moves or players.faults, what="last move", patience=SETTLING + moves
    )
    players.ended.set()
    players.allowed.release(len(threads))
    for thread in threads:
        thread.join(timeout=10)


def _let_settle(site: Site) -> None:
    """Until nothing is owed any more: leases of the dead run out, and what they held is taken over."""
    wait_until(
        lambda: site.python("-m", "tests.torture.verdict", "left").strip() == "0", what="rest", patience=SETTLING
    )


def _count(outcome: Outcome, players: Players, office: Office, site: Site) -> None:
    outcome.moves, outcome.repeated_forms = len(players.acknowledged), players.repeats
    ids = Counter(office.ids)
    outcome.mails, outcome.repeats = len(ids), ids.total() - len(ids)
    seen = {"acknowledged": players.acknowledged, "ids": sorted(ids)}
    (site.folder / "seen.json").write_text(json.dumps(seen))
    found = json.loads(site.python("-m", "tests.torture.verdict", str(site.folder / "seen.json")))
    outcome.states = found["states"]
    outcome.faults = [*players.faults, *found["faults"], *_complaints(site)]


def _complaints(site: Site) -> Iterator[str]:
    """What the processes said that is more than a mail put off."""
    for log in sorted(site.folder.glob("*.log")):
        text = log.read_text(errors="replace")
        for sign in ("database is locked", "Internal Server Error"):
            if sign in text and log.name != "postgres.log":
                yield f"{log.name}: {sign}"


@contextmanager
def _site(folder: Path, office: Office, database_url: str) -> Iterator[Site]:
    port = free_port()
    environment = _environment(folder, port, None) | {
        "EMAIL_URL": office.url,
        "MAIL_LEASE_SECONDS": str(LEASE),
        "PYTHONPATH": str(run.BASE_DIR),
    }
    if database_url:
        environment["DATABASE_URL"] = database_url
    folder.mkdir(parents=True, exist_ok=True)
    site = Site(folder, port, environment)
    site.python("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    try:
        yield site
    finally:
        site.stop()


@contextmanager
def _victims(site: Site) -> Iterator[Victims]:
    with (site.folder / "spawner.log").open("ab") as log:
        spawner = subprocess.Popen(
            [sys.executable, "-m", "tests.torture.spawner"],
            cwd=run.BASE_DIR,
            env=site.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=run.end_with_parent,
        )
    victims = Victims(site, spawner)
    try:
        for name in ["worker", *["sweep"] * SWEEPS]:
            victims.begin(name)
        yield victims
    finally:
        victims.end()
        spawner.kill()
        spawner.communicate()

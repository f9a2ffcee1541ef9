"""Players who move by posting the form of the page, and try again when nobody answers, as people would."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlencode

from games import rules
from tests.servers import HOST

PATIENCE = 90
CSRF = "c" * 32


@dataclass
class Players:
    """So many hands that play the `games` (rows of scene.py), as far as `allowed` lets them."""

    port: int
    games: list[dict[str, Any]]
    called: Callable[[str, int], bool]
    """Whether the mail has arrived that calls to the table at that ply."""
    hands: int = 16
    acknowledged: list[tuple[str, int, str]] = field(default_factory=list)
    """Table, ply and move of everything that the site has said yes to."""
    faults: list[str] = field(default_factory=list)
    repeats: int = 0
    """Forms that were sent again because nobody had answered."""
    allowed: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> list[threading.Thread]:
        waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        for game in self.games:
            waiting.put(game)
        threads = [
            threading.Thread(target=self._play_all, args=(waiting, seed), daemon=True) for seed in range(self.hands)
        ]
        for thread in threads:
            thread.start()
        return threads

    def _play_all(self, waiting: queue.SimpleQueue[dict[str, Any]], seed: int) -> None:
        rng = random.Random(seed)
        while not self.ended.is_set():
            try:
                game = waiting.get_nowait()
            except queue.Empty:
                return
            self._play(game, rng)

    def _play(self, game: dict[str, Any], rng: random.Random) -> None:
        opening = rules.Opening(
            huts=game["huts"], seats=game["seats"], first=game["first"], five_clans=game["five_clans"]
        )
        position = rules.set_up(opening)
        while not position.over:
            if not self.allowed.acquire(timeout=PATIENCE) or self.ended.is_set():
                return
            self._wait_for_call(game, position.ply, rng)
            step = rules.random_step(position, rng)
            if not self._move(game, step):
                return
            position = step.position

    def _wait_for_call(self, game: dict[str, Any], ply: int, rng: random.Random) -> None:
        """As most do; but some are at the table anyhow, and move before the mail has gone out."""
        deadline = time.monotonic() + rng.choice((0, 0.1, PATIENCE, PATIENCE))
        while time.monotonic() < deadline and not self.called(game["slug"], ply):
            time.sleep(0.02)

    def _move(self, game: dict[str, Any], step: rules.Step) -> bool:
        form = {"ply": step.ply, "move": str(step.move), "csrfmiddlewaretoken": CSRF}
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            status = self._post(f"/tables/{game['slug']}/move/", form, game["cookies"][step.seat])
            if status == 303:
                self.acknowledged.append((game["slug"], step.ply, str(step.move)))
                return True
            if status:
                self.faults.append(f"{game['slug']} ply {step.ply}: answered {status}")
                return False
            self.repeats += 1
            time.sleep(0.05)
        self.faults.append(f"{game['slug']} ply {step.ply}: no answer in {PATIENCE} s")
        return False

    def _post(self, path: str, form: dict[str, Any], cookies: str) -> int:
        """The status of the answer; 0 when none came."""
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE)
        headers = {"Cookie": f"{cookies}; csrftoken={CSRF}", "Host": f"localhost:{self.port}"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request("POST", path, body=urlencode(form), headers=headers)
            return connection.getresponse().status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()

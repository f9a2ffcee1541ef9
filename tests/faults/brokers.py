"""A site whose broker is a real Redis, and moves to make there while something befalls it."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from django.db.models import QuerySet
from django.utils import timezone

from games import rules
from games.enqueue import without_enqueueing
from games.models import Game, Mail, Move, Notice, Player
from tests.cast import make_game, make_player
from tests.faults.callers import Answer, Caller, all_at_once
from tests.redis_server import RedisServer, redis_server
from tests.servers import MailServer, Site, mail_server, site

DAY = 24 * 60 * 60
Request = Callable[[], Callable[[], Answer]]


@dataclass
class Scene:
    """A site with Redis as its broker, and moves that can be made there, each in a game of its own."""

    site: Site
    smtp: MailServer
    broker: RedisServer
    moves: list[Request]

    @property
    def mark(self) -> Path:
        """What the processes tell each other by that the broker is away."""
        return self.site.folder / "broker-away"

    @property
    def tries(self) -> int:
        """How often the web process has found the broker away."""
        return self.site.log("web").count("broker unreachable")

    def keep_mark(self) -> None:
        """The broker counts as found away just now, however long the test takes."""
        os.utime(self.mark, (time.time() + DAY,) * 2)

    def move(self, times: int) -> None:
        """Make so many of the moves, one after another; each is taken."""
        for _time in range(times):
            self.move_at_once(1)

    def move_at_once(self, times: int) -> None:
        answers = all_at_once([self.moves.pop() for _time in range(times)])
        assert [answer.status for answer in answers] == [303] * times

    @property
    def _owed(self) -> QuerySet[Notice]:
        return Notice.objects.filter(state=Notice.State.DUE)

    def has_sent_all(self) -> bool:
        """Whether no mail is owed any more."""
        with self.site.database():
            return not self._owed.exists()

    def check_nothing_is_lost(self, moves: int) -> None:
        """A sweep without the broker has computer players move and sends all that is owed, each mail once."""
        self.site.manage("sweep")
        with self.site.database():
            assert Move.objects.filter(by_bot=False).count() == moves
            assert not Game.objects.filter(status=Game.Status.RUNNING, awaited=None).exists()
            assert not self._owed.exists()
            sent = Mail.objects.filter(state=Mail.State.SENT, notices__state=Notice.State.SENT).distinct()
            ids = Counter(sent.values_list("message_id", flat=True))
        assert Counter(str(mail.message["Message-ID"]) for mail in self.smtp.mails) == ids
        assert len(ids) > 0


@contextmanager
def staged(folder: Path, *, moves: int, processes: Sequence[str]) -> Iterator[Scene]:
    with (
        redis_server(folder / "redis") as broker,
        mail_server() as smtp,
        site(folder / "site", smtp=smtp, processes=processes, environment={"CELERY_BROKER_URL": broker.url}) as served,
    ):
        with served.database(), without_enqueueing():
            requests = some_moves(served, moves)
        yield Scene(served, smtp, broker, requests)
        served.check_alive()


def some_moves(served: Site, number: int) -> list[Request]:
    """Moves of alice and bob, in games with each other and with computer players by turns."""
    alice, bob = make_player("alice"), make_player("bob")
    callers = {player.pk: Caller(served, player) for player in (alice, bob)}
    casts: Iterator[tuple[list[Player], int]] = cycle([([alice, bob], 0), ([alice], 1)])
    found: list[Request] = []
    while len(found) < number:
        players, bots = next(casts)
        game = make_game(*players, bots=bots, at=timezone.now())
        if game.awaited_id is None:
            game.delete()  # the computer player begins
            continue
        caller = callers[game.awaited_id]
        if not caller.token:
            caller.open(game.get_absolute_url())
        move = rules.legal_moves(game.position())[0]
        found.append(caller.post(f"{game.get_absolute_url()}move/", {"ply": 0, "move": str(move)}))
    return found

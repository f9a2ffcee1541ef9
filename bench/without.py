"""What pages cost without each mechanism of our own that stands beside one of Django (docs/design.md 4.6).

One process answers the same requests with and without a mechanism, in turn, so that a busy machine slows both. It is
switched off from outside, for the time of a request, by what Django would do instead. A figure says how much dearer the
page is without it: the median of pairs, of CPU time. "First" is a table that this process has not shown before, "again"
the same once more. Tables differ, so a table shown first is compared with the same one shown again with everything. The
row "nothing" switches nothing off: it shows how exact the figures are.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.contrib.sessions.backends import db
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory, override_settings
from django.utils import translation

from bench import _scene
from bench.pages import SENT
from clans_site.sessions import SessionStore
from games.caching import Cached, Prepared
from games.drawing import svg
from games.pages.table.poll import poll_url
from games.templatetags.caching import CachedNode

ROUNDS = int(os.environ.get("ROUNDS", "50"))
PAGES = ("first", "again", "home", "archive", "poll")
LARGE = ("_player_head.html", "games/_epochs.html", "games/_table_more.html")
"""The partials that are measured by themselves."""


@dataclass(frozen=True)
class Mechanism:
    """How to switch it off for a request, or which middleware it is; and what requests without and with it cost."""

    name: str
    off: Callable[[], AbstractContextManager[Any]] = nullcontext
    middleware: str = ""
    pairs: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: {page: [] for page in PAGES})


def main(port: int) -> None:
    report(measure(f"localhost:{port}"))


def mechanisms() -> list[Mechanism]:
    return [
        Mechanism("nothing"),
        Mechanism("prepared queries", ask_by_django),
        Mechanism("  of these the session's", lambda: patch.object(SessionStore, "load", db.SessionStore.load)),
        Mechanism("cached partials", include_plainly),
        *(Mechanism(f"  of these {name}", partial(include_plainly, {name})) for name in LARGE),
        Mechanism("  of these all others", partial(include_plainly, LARGE, others=True)),
        Mechanism("cached values", compute_each_time),
        Mechanism("  of these a row of a list", partial(compute_each_time, {"table_row"})),
        Mechanism("no translations where there is one language", look_up_translations),
        Mechanism("addresses of maps", lambda: patch.object(svg, "map_url", svg.map_url.__wrapped__)),
        Mechanism("frames", middleware="clans_site.frames.room_for_frames"),
        Mechanism("polls answered early", middleware="games.pages.table.poll.respond_to_polls_early"),
    ]


def ask_by_django() -> AbstractContextManager[Any]:
    """Let Django write the SQL of prepared queries each time."""

    return patch.object(Prepared, "__call__", lambda self, *values: list(self.queryset(*values)))


def include_plainly(names: Collection[str] = (), *, others: bool = False) -> AbstractContextManager[Any]:
    """Render cached partials, all or those named or all `others`, as `{% include %}` does."""
    cached = CachedNode.render

    def render(self: Any, context: Any) -> Any:
        if names and (self.file in names) == others:
            return cached(self, context)
        return context.template.engine.get_template(self.file).render(context)

    return patch.object(CachedNode, "render", render)


def compute_each_time(names: Collection[str] = ()) -> AbstractContextManager[Any]:
    """Call the functions whose values are cached, all or those named."""
    here = Cached.here

    def plain(self: Any) -> Any:
        return here(self) if names and self.__name__ not in names else self.__wrapped__

    return patch.multiple(Cached, here=plain, __call__=lambda self, *args, **kwargs: plain(self)(*args, **kwargs))


@contextmanager
def look_up_translations() -> Iterator[None]:
    """As on a site of two languages."""

    def choose() -> None:
        """Let Django read the setting again."""
        vars(translation._trans).clear()  # type: ignore[attr-defined]  # noqa: SLF001

    with override_settings(USE_I18N=True):
        choose()
        yield
    choose()


def measure(host: str) -> list[Mechanism]:
    measured = mechanisms()
    everything = measured[0]
    # Tables shown first are compared with its own, so it has more of them.
    turns = [everything] * 3 + measured
    scene, tables = _scene.set_scene(), _scene.open_tables((ROUNDS + 1) * len(turns))
    handlers = {one.middleware: _handler_without(one.middleware) for one in measured}

    def asking(path: str, player: Any) -> Callable[[Mechanism], float]:
        headers = {**SENT, "Host": host, "Cookie": _scene.cookies(player)}
        if "/poll/" in path:
            headers["If-None-Match"] = _answer(handlers[""], path, headers)[1]["ETag"]

        def cost(one: Mechanism) -> float:
            with one.off():
                return _answer(handlers[one.middleware], path, headers)[0]

        return cost

    def pair(ask: Callable[[Mechanism], float], one: Mechanism) -> tuple[float, float]:
        """Both twice, in both orders, after a request that fills the caches of the processor."""
        _, without, usual, usual_again, without_again = map(ask, (everything, one, everything, everything, one))
        return (without + without_again) / 2, (usual + usual_again) / 2

    others = {"home": asking("/", tables[0].mover), "archive": asking("/archive/", scene.alice)}
    others["poll"] = asking(poll_url(scene.game.slug, scene.alice), scene.alice)
    shown_next = iter(tables)
    for number in range(ROUNDS + 1):
        for one in turns:
            table = next(shown_next)
            ask = asking(table.game.get_absolute_url(), table.mover)
            first, found = ask(one), {"again": pair(ask, one)}
            found["first"] = (first, found["again"][1])
            found |= {page: pair(ask, one) for page, ask in others.items()}
            # The first round fills what all tables share.
            for page, costs in found.items() if number else ():
                one.pairs[page].append(costs)
        gc.collect()
    return measured


def _handler_without(middleware: str) -> Any:
    with override_settings(MIDDLEWARE=[name for name in settings.MIDDLEWARE if name != middleware]):
        return WSGIHandler()


def _answer(handler: Any, path: str, headers: dict[str, str]) -> tuple[float, Any]:
    """Milliseconds of CPU of an answer, and the answer."""
    environ = RequestFactory(headers=headers).get(path).environ
    begun = time.thread_time()
    response = handler(environ, lambda _status, _headers: None)
    b"".join(response)
    response.close()
    spent = 1000 * (time.thread_time() - begun)
    assert response.status_code in (200, 304), f"{path}: {response.status_code}"
    return spent, response


def report(measured: list[Mechanism]) -> None:
    def ratio(one: Mechanism, page: str) -> float:
        return median(without / usual for without, usual in one.pairs[page])

    as_usual = {page: ratio(measured[0], page) if page == "first" else 1 for page in PAGES}
    print(f"{'without':36}" + "".join(f"{page:>9}" for page in PAGES) + f"  ({ROUNDS} pairs)")
    for one in measured:
        print(f"{one.name:36}" + "".join(f"{ratio(one, page) / as_usual[page] - 1:>+9.1%}" for page in PAGES))
    usual = (as_usual[page] * median(pair[1] for one in measured for pair in one.pairs[page]) for page in PAGES)
    print(f"{'CPU ms with everything':36}" + "".join(f"{cost:>9.2f}" for cost in usual))

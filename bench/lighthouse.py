"""What Lighthouse says of pages on a phone, in its four categories: the site as it is served, in Debian's Chromium.

A proxy stands before a site that others reach, speaks HTTPS and compresses pages (docs/operating.md). Here Lighthouse
asks the Procfile's web process itself, at localhost, which browsers trust as they trust HTTPS; pages are compressed by
`bench._proxied`. A page that stays below the least is judged again, at most TRIES times, and its best judgement counts:
a busy machine spoils the times, or the whole run. Each judgement has its own browser, with the cookies of the reader.
Pages that search engines are asked to leave alone are not judged by whether these may list them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils import timezone
from playwright.sync_api import sync_playwright

from bench import _scene
from clans_site import run
from games import play
from games.enqueue import without_enqueueing
from games.models import Game, Season
from tests.servers import free_port

LEAST = 98
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LIGHTHOUSE = Path(__file__).parents[1] / "tools/checks/node_modules/lighthouse/cli/index.js"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
ABOUT_LISTING = "is-crawlable,robots-txt"
NOT_LISTED = ("try-out", "in a frame", "a player’s page", "ratings", "a series")
"""Search engines are asked to leave these alone."""
PATIENCE = 180
TRIES = 3


@dataclass(frozen=True)
class Judgement:
    """The scores of a page by category, 0 to 100, and what cost points."""

    scores: dict[str, int]
    faults: list[str]

    @property
    def is_good(self) -> bool:
        return min(self.scores.values()) >= LEAST


def judge(url: str, *, cookies: str, is_listed: bool) -> Judgement:
    """Lighthouse's word on the page as whoever has these `cookies` sees it; `is_listed` where search engines may list
    it."""
    with tempfile.TemporaryDirectory(prefix="clans-lighthouse-") as folder, sync_playwright() as playwright:
        report, port = Path(folder) / "report.json", free_port()
        browser = playwright.chromium.launch_persistent_context(
            f"{folder}/profile", executable_path=program("chromium"), args=[*FLAGS, f"--remote-debugging-port={port}"]
        )
        browser.add_cookies(as_cookies(cookies, url))
        options = ["--quiet", "--output=json", f"--output-path={report}", f"--port={port}"]
        options += [f"--only-categories={','.join(CATEGORIES)}"]
        options += [] if is_listed else [f"--skip-audits={ABOUT_LISTING}"]
        said = complaint([program("node"), str(LIGHTHOUSE), url, *options])
        browser.close()
        if said:
            return Judgement(dict.fromkeys(CATEGORIES, 0), [said])
        return read(json.loads(report.read_text()))


def as_cookies(header: str, url: str) -> list[Any]:
    """The cookies of a Cookie header, as a browser takes them for the site at `url`."""
    pairs = (pair.split("=", 1) for pair in header.split("; ") if pair)
    return [{"name": name, "value": value, "url": url} for name, value in pairs]


def complaint(command: list[str]) -> str:
    """Run Lighthouse; what it says if that fails or takes too long."""
    lighthouse = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        said = lighthouse.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        lighthouse.terminate()
        said = f"no answer in {PATIENCE} s {lighthouse.communicate()[1]}"
    return said.strip() or "it failed" if lighthouse.returncode else ""


def best_of(url: str, *, cookies: str, is_listed: bool) -> Judgement:
    """The first good judgement of at most TRIES, or the best of them."""
    judgements: list[Judgement] = []
    while len(judgements) < TRIES and not any(one.is_good for one in judgements):
        judgements.append(judge(url, cookies=cookies, is_listed=is_listed))
    return max(judgements, key=lambda one: min(one.scores.values()))


def read(report: dict[str, Any]) -> Judgement:
    """The scores in a report; for categories below the least also the audits in which points were lost."""
    scores = {name: round(100 * (report["categories"][name]["score"] or 0)) for name in CATEGORIES}
    refs = [ref for name in CATEGORIES if scores[name] < LEAST for ref in report["categories"][name]["auditRefs"]]
    lost = [report["audits"][ref["id"]] for ref in refs if ref["weight"]]
    return Judgement(scores, [_told(audit) for audit in lost if audit["score"] is not None and audit["score"] < 0.9])


def _told(audit: dict[str, Any]) -> str:
    return f"{audit['title']}: {audit.get('displayValue') or audit['score']}"


def program(name: str) -> str:
    """Where the program lies; ends this one where there is none."""
    if path := shutil.which(name):
        return path
    raise SystemExit(f"This needs {name} (apt-get install chromium nodejs npm).")


def check_tools() -> None:
    """End the program if Lighthouse cannot run here."""
    os.environ["CHROME_PATH"] = program("chromium")
    program("node")
    if not LIGHTHOUSE.is_file():
        raise SystemExit("This needs Lighthouse, which make bench installs where there is npm.")


@contextmanager
def served(port: int) -> Iterator[None]:
    """The site's web process, once it answers."""
    os.environ.update(PORT=str(port), DJANGO_SETTINGS_MODULE="bench._proxied")
    processes = {"web": run.start(run.read_procfile()["web"])}
    try:
        while not run.answers("127.0.0.1", port):
            time.sleep(0.1)
        yield
    finally:
        run.stop(processes)


def main(port: int) -> bool:
    """Whether all pages are good; prints what each got."""
    check_tools()
    scene = _scene.set_scene()
    opened, season, series = _open_more(scene)
    table = scene.game.get_absolute_url()
    finished = Game.objects.earliest("pk").get_absolute_url()
    last, mine = f"{table}ply/{scene.game.ply}/", _scene.cookies(scene.alice)
    pages = {
        "home, a visitor": ("", "/"),
        "home, a player": (mine, "/"),
        "games to watch": ("", "/watch/"),
        "table, to move": (mine, table),
        "table, a visitor": ("", table),
        "open table": ("", opened.get_absolute_url()),
        "open table, its opener": (mine, opened.get_absolute_url()),
        "talk": (mine, f"{table}talk/"),
        "deal": ("", f"{table}deal/"),
        "resign": (mine, f"{table}resign/"),
        "finished table": ("", finished),
        "a ply of the replay": ("", f"{table}ply/{scene.game.ply - 2}/"),
        "as the public saw it": ("", f"{finished}ply/9/public/"),
        "try-out": ("", f"{last}try/"),
        "in a frame": ("", f"{finished}ply/9/embed/"),
        "all your turns": (mine, "/turns/"),
        "archive": ("", "/archive/"),
        "statistics": ("", "/archive/statistics/"),
        "files of the archive": ("", "/archive/download/"),
        "API": ("", "/api/v1/"),
        "a player’s page": (mine, f"/players/{scene.bob.username}/"),
        "ratings": ("", "/ratings/"),
        "leagues": ("", "/leagues/"),
        "a season": ("", f"/leagues/{season.slug}/"),
        "a new season": (mine, "/leagues/new/"),
        "a series": ("", f"/series/{series}/"),
        "new table": (mine, "/tables/new/"),
        "preferences": (mine, "/preferences/"),
        "mail preferences": (mine, "/preferences/mail/"),
        "people I like": (mine, "/preferences/people/"),
        "muted people": (mine, "/preferences/muted/"),
        "feeds": (mine, "/preferences/feeds/"),
        "webhooks": (mine, "/preferences/webhooks/"),
        "tokens": (mine, "/preferences/tokens/"),
        "messages": (mine, "/preferences/messages/"),
        "another name": (mine, "/preferences/name/"),
        "vacation": (mine, "/vacation/"),
        "log of mails": (mine, "/mail/"),
        "sessions": (mine, "/accounts/sessions/"),
        "practice": ("", "/practice/"),
        "how to play well": ("", "/rules/playing-well/"),
        "rules": ("", "/rules/"),
        "sign-in": ("", "/accounts/login/"),
        "sign-up": ("", "/accounts/signup/"),
    }
    print(f"{'':22}{''.join(f'{name:>16}' for name in CATEGORIES)}   (at least {LEAST}, on a phone)")
    with served(port):
        poor = [name for name, (who, path) in pages.items() if not _report(name, f"http://localhost:{port}{path}", who)]
    return not poor


def _open_more(scene: _scene.Scene) -> tuple[Game, Season, str]:
    """An open table to which somebody is invited, a season whose first round is played, and the name of a series."""
    at = timezone.now()
    with without_enqueueing():
        opened = play.open_table(scene.alice, name="Friday table", size=3, games=3, at=at)
        play.invite(opened, by=scene.alice, to=scene.bob.username, at=at)
        season = play.open_season(scene.alice, name="Spring league", size=2, rounds=2, key="league", at=at)
        for player in (scene.bob, scene.carol):
            play.join_season(season, player=player, at=at)
        play.begin_season(season, by=scene.alice, at=at)
        play.advance_season(season.pk, at=at)
    opened.refresh_from_db()
    return opened, season, opened.series.slug if opened.series else ""


def _report(name: str, url: str, cookies: str) -> bool:
    judgement = best_of(url, cookies=cookies, is_listed=name not in NOT_LISTED)
    print(f"{name:22}{''.join(f'{judgement.scores[category]:16}' for category in CATEGORIES)}", flush=True)
    for fault in judgement.faults:
        print(f"    {fault}")
    return judgement.is_good

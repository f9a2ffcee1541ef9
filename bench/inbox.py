"""How long an answer by mail takes from its final dot to the move in the log, and how many a site handles: with a real
listener and worker, signed mails and a DNS server: `python -m bench inbox    # ANSWERS=10000 for more, REDIS=1 for
Redis instead of files`. How much processor time an answer takes says more on a busy machine than how long it waits."""

from __future__ import annotations

import os
import smtplib
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.inbox.ways import Answer
    from tests.servers import Site

ONE_BY_ONE = 100
ANSWERS = int(os.environ.get("ANSWERS", "1000"))
CONNECTIONS = 4
PROCESSES = ("worker", "inbox")
TARGET = "a move within 1 s (median) and 5 s (99 %); 10,000 answers in 120 s, none lost, none twice"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="clans_site.settings", VAR_DIR=folder, MAIL_WAIT_SECONDS="0")
        os.environ["SECRET_KEY"] = "bench" * 10  # the site has DEBUG off, and takes the key of this process
        (Path(folder) / "static").mkdir()
        import django

        django.setup()
        print(TARGET, flush=True)
        measure(Path(folder) / "site")


def measure(folder: Path) -> None:
    from tests.inbox.dns_server import dns_server
    from tests.inbox.signing import make_key
    from tests.inbox.ways import TAKES_ANSWERS, listen_anywhere, stage_answers, wait_until_it_listens
    from tests.inbox.writing import SELECTOR
    from tests.redis_server import redis_server
    from tests.servers import mail_server, site

    folder.mkdir()
    with dns_server() as dns, mail_server() as smtp, ExitStack() as stack:
        dns.ttl = 300
        dns.publish(f"{SELECTOR}._domainkey.example.com", make_key().record)
        environment = TAKES_ANSWERS | listen_anywhere() | {"REPLY_RESOLVER": dns.address}
        if os.environ.get("REDIS"):
            environment["CELERY_BROKER_URL"] = stack.enter_context(redis_server(folder / "redis")).url
        with site(folder, smtp=smtp, processes=PROCESSES, environment=environment) as served:
            wait_until_it_listens(served)
            with served.database():
                mails = stage_answers(ONE_BY_ONE + ANSWERS)
            report_waits(served, mails[:ONE_BY_ONE])
            report_flood(served, mails[ONE_BY_ONE:])


def bring(served: Site, mails: Sequence[Answer]) -> None:
    from tests.inbox.ways import listens_at

    with smtplib.LMTP(*listens_at(served)) as server:
        for sender, to, raw in mails:
            server.sendmail(sender, [to], raw)


def played(served: Site) -> int:
    """How many answers are in the logs of games."""
    from games.models import Move

    with served.database():
        return Move.objects.filter(key__startswith="mail-").count()


def report_waits(served: Site, mails: Sequence[Answer]) -> None:
    waits = []
    for number, mail in enumerate(mails, start=1):
        bring(served, [mail])
        began = time.monotonic()
        while played(served) < number:
            time.sleep(0.005)
        waits.append(time.monotonic() - began)
    share = sorted(waits)[ceil(0.99 * len(waits)) - 1]
    print(f"{len(waits)} answers, one by one: median {median(waits):.2f} s, 99 % within {share:.2f} s", flush=True)


def report_flood(served: Site, mails: Sequence[Answer]) -> None:
    before, began, spent = played(served), time.monotonic(), {name: processor_time(served, name) for name in PROCESSES}
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(lambda place: bring(served, mails[place::CONNECTIONS]), range(CONNECTIONS)))
    taken = time.monotonic() - began
    count, still, last = 0, time.monotonic(), spent
    while count < len(mails) and time.monotonic() - still < 60:
        time.sleep(0.2)
        if (now := played(served) - before) != count:
            count, still = now, time.monotonic()
            last = {name: processor_time(served, name) for name in PROCESSES}
    done = still - began
    print(f"{len(mails):,} answers: acknowledged after {taken:.1f} s, {count:,} played after {done:.1f} s")
    each = {name: 1000 * (last[name] - spent[name]) / max(count, 1) for name in PROCESSES}
    print(f"processor time for each: {each['inbox']:.1f} ms in inbox, {each['worker']:.1f} ms in worker with its mails")


def processor_time(served: Site, name: str) -> float:
    """Seconds that a process has been computing so far, all its threads together."""
    stat = Path(f"/proc/{served.processes[name].pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

from __future__ import annotations

import os
import signal
import subprocess
import sys
from time import monotonic, sleep

import pytest

from clans_site import run

WAITS = """
import time
from multiprocessing import active_children
import django
django.setup()
from django.utils import timezone
from games.importing import import_records
from games.importing.lines import FileLine
from games.importing.storing import AT_A_TIME

def lines():
    for number in range(AT_A_TIME + 1):
        yield FileLine(number, b"{}")
    print(*(child.pid for child in active_children()), flush=True)
    time.sleep(60)

list(import_records(lines(), at=timezone.now()))
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_when_the_import_is_killed(how: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", WAITS], cwd=run.BASE_DIR, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        second = int(first.stdout.readline())
        first.send_signal(how)
    until = monotonic() + 20
    while is_there(second) and monotonic() < until:
        sleep(0.05)
    ended = not is_there(second)
    if not ended:
        os.kill(second, signal.SIGKILL)
    assert ended


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True

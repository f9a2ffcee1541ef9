"""When Celery's beat asks for work, whatever the clock of the machine does."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from clans_site.beat import Scheduler
from clans_site.celery import app

SWEEP = 20


@pytest.mark.parametrize("back", [timedelta(minutes=1), timedelta(hours=2), timedelta(days=400)])
def test_it_sweeps_on_when_the_clock_is_set_back(back: timedelta) -> None:
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        scheduler = Scheduler(app)
        assert SWEEP - 1 < scheduler.tick() <= SWEEP
        clock.move_to(start - back)
        assert SWEEP - 1 < scheduler.tick() <= SWEEP
        clock.shift(SWEEP / 2)
        assert SWEEP / 2 - 1 < scheduler.tick() <= SWEEP / 2

"""The scheduler of Celery's beat. It runs a task itself when the broker cannot be reached."""

import logging
from typing import Any

from celery import beat
from django.db import close_old_connections

logger = logging.getLogger("games.beat")


class Scheduler(beat.Scheduler):
    """A schedule in memory, which a restart may forget."""

    def setup_schedule(self) -> None:
        self.ticked_at = self.app.now()
        self.app.loader.import_default_modules()
        super().setup_schedule()

    def tick(self, *args: Any, **options: Any) -> Any:
        """Do what is due; returns how many seconds to sleep. When the clock is set back, no task has to wait until it
        is as late as it was before, for which Celery's own method waits."""
        now = self.app.now()
        if now < self.ticked_at:
            for entry in self.schedule.values():
                entry.last_run_at = min(entry.last_run_at or now, now)
            self._heap = None
        self.ticked_at = now
        return super().tick(*args, **options)

    def apply_async(self, entry: Any, producer: Any = None, advance: bool = True, **options: Any) -> Any:
        try:
            return super().apply_async(entry, producer=producer, advance=advance, **options)
        except beat.SchedulingError as error:
            logger.warning("broker unreachable, so %s is done here: %s", entry.task, error)
        try:
            return self.app.tasks[entry.task].apply(entry.args, entry.kwargs)
        finally:
            close_old_connections()

    def _ensure_connected(self) -> Any:
        """The connection as it is: Celery's own method would wait for a broker that is down."""
        return self.connection

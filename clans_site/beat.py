"""The clock of the background work, which does the work itself where no broker can be told of it."""

import logging
from typing import Any

from celery import beat
from django.db import close_old_connections

logger = logging.getLogger("games.beat")


class Scheduler(beat.Scheduler):
    """Kept in memory, as Celery's own: there is nothing in it that a restart should remember."""

    def setup_schedule(self) -> None:
        self.app.loader.import_default_modules()
        super().setup_schedule()

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
        """The connection as it is: Celery's own way would wait for a broker that is away."""
        return self.connection

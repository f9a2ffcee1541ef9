"""The broker without a server: kombu's folder of files, with two race conditions between processes removed. Urgent
messages come first, and a long queue is worked through as fast as tasks end. Files that a power cut has left empty stop
nobody."""

import fcntl
import logging
import uuid
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep, time_ns
from typing import Any

from kombu.transport import filesystem
from kombu.transport.virtual import Empty
from kombu.utils.json import dumps, loads

logger = logging.getLogger("games.broker")

LIST_SECONDS = 0.2
"""How long a list of the folder counts. Making one for each of thousands of messages would take most of the time."""
FULL_SECONDS = 0.01
"""Between two looks whether a task has ended, while there are as many as the worker has threads for."""


class Channel(filesystem.Channel):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lists: dict[str, tuple[float, list[str]]] = {}

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Write a message and then give it its name: kombu writes into a file that a worker may already read. The
        names sort as Redis hands messages out: those of priority 0 first, then the oldest."""
        name = f"{self._get_message_priority(payload)}_{time_ns()}_{uuid.uuid4()}.{queue}.msg"
        folder = Path(self.data_folder_out)
        draft = folder / f"{name}.draft"
        draft.write_text(dumps(payload))
        draft.replace(folder / name)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """The first message that can be read; raises Empty. Of several processes that read it, the one that removes it
        has it."""
        listed, names = self._lists.get(queue, (0.0, []))
        if not names or monotonic() - listed > LIST_SECONDS:
            found = (path.name for path in Path(self.data_folder_in).iterdir())
            names = sorted((name for name in found if name.partition(".")[2] == f"{queue}.msg"), reverse=True)
            self._lists[queue] = monotonic(), names
        while names:
            path = Path(self.data_folder_in, names.pop())
            with suppress(FileNotFoundError):
                content = path.read_bytes()
                path.unlink()
                try:
                    return loads(content)
                except ValueError:
                    # The database has what is owed.
                    logger.warning("a message that cannot be read is dropped: %s", path.name)
        raise Empty

    def _queue_bind(self, exchange: str, *args: Any) -> None:
        """Bind one process at a time: kombu creates the table empty, and a process that reads it then fails. One that
        is still empty was created before a power cut, and is made again."""
        self.control_folder.mkdir(parents=True, exist_ok=True)
        with Path(self.control_folder, "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            table = Path(self.control_folder, f"{exchange}.exchange")
            with suppress(FileNotFoundError):
                if not table.read_bytes().strip(b"\0"):
                    table.unlink()
            super()._queue_bind(exchange, *args)


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Hand out a message. kombu waits as long for a task to end as for a message to come; but a long queue would
        then take `polling_interval` for each task."""
        ends = monotonic() + (timeout or 0)
        while self._is_full():
            if timeout is not None and monotonic() > ends:
                raise TimeoutError
            sleep(FULL_SECONDS)
        super().drain_events(connection, timeout=timeout)

    def _is_full(self) -> bool:
        """Whether whoever consumes has taken as many messages as it may."""
        consuming = [channel for channel in self.channels or () if channel._consumers]  # noqa: SLF001
        return bool(consuming) and not any(channel.qos.can_consume() for channel in consuming)

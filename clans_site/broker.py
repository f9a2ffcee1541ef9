"""The broker without a server: kombu's folder of files, with two race conditions between processes removed."""

import fcntl
import uuid
from pathlib import Path
from time import time_ns
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Write a message and then give it its name: kombu writes into a file that a worker may already read."""
        name = f"{time_ns()}_{uuid.uuid4()}.{queue}.msg"
        folder = Path(self.data_folder_out)
        draft = folder / f"{name}.draft"
        draft.write_text(dumps(payload))
        draft.replace(folder / name)

    def _queue_bind(self, *args: Any) -> None:
        """Bind one process at a time: kombu creates the table empty, and a process that reads it then fails."""
        self.control_folder.mkdir(parents=True, exist_ok=True)
        with Path(self.control_folder, "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            super()._queue_bind(*args)


class Transport(filesystem.Transport):
    Channel = Channel

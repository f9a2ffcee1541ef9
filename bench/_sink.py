"""Run as a program: a mail server that takes everything, on a free port that it prints; at its end it tells what came.

It knows as much of SMTP as a sender needs, and costs next to nothing, so that the sender is what is measured.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
from collections import Counter

MESSAGE_ID = re.compile(rb"^Message-ID:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
HEAD = 4000


class Sink(asyncio.Protocol):
    """One connection. `arrived` is shared by all."""

    def __init__(self, arrived: Counter[str], times: list[float], sizes: list[int]) -> None:
        self.arrived, self.times, self.sizes = arrived, times, sizes
        self.parts: list[bytes] = []
        self.is_data = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(b"220 sink\r\n")

    def data_received(self, data: bytes) -> None:
        self.parts.append(data)
        if self.is_data:
            tail = (self.parts[-2] if len(self.parts) > 1 else b"")[-5:] + data[-5:]
            if tail.endswith(b"\r\n.\r\n"):
                self._take_on(b"".join(self.parts))
        elif data.endswith(b"\r\n"):
            self._answer(b"".join(self.parts))

    def _take_on(self, mail: bytes) -> None:
        self.parts, self.is_data = [], False
        found = MESSAGE_ID.search(mail[:HEAD])
        self.arrived[found[1].decode() if found else ""] += 1
        self.times.append(time.time())
        self.sizes.append(len(mail))
        self.transport.write(b"250 taken\r\n")

    def _answer(self, line: bytes) -> None:
        self.parts = []
        command = line[:4].upper()
        if command == b"DATA":
            self.is_data = True
            self.transport.write(b"354 go on\r\n")
        elif command == b"QUIT":
            self.transport.write(b"221 bye\r\n")
            self.transport.close()
        else:
            self.transport.write(b"250 sink\r\n")


async def main() -> None:
    arrived: Counter[str] = Counter()
    times: list[float] = []
    sizes: list[int] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Sink(arrived, times, sizes), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    print(json.dumps({"arrived": arrived, "times": times, "sizes": sizes}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())

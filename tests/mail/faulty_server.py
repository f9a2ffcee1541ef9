"""A mail server on a real socket that fails where a test tells it to."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from enum import Enum
from itertools import count
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import NamedTuple

from tests.servers import in_background


class Stage(Enum):
    """Where in its talk with a client the server is."""

    CONNECT = "connect"
    EHLO = "EHLO"
    MAIL = "MAIL"
    RCPT = "RCPT"
    DATA = "DATA"
    DOT = "final dot"


class How(Enum):
    """What goes wrong there."""

    BUSY = "4xx"
    NEVER = "5xx"
    STALL = "stall"
    CUT = "cut"


class Fault(NamedTuple):
    stage: Stage
    how: How

    def __str__(self) -> str:
        return f"{self.stage.value} {self.how.value}"


@dataclass
class FaultyServer:
    """`taken` are the mails that it has in full, whatever it answered; `served` how many talks it has begun."""

    port: int = 0
    fault: Fault | None = None
    sound: int = 0
    """So many mails are taken over each connection before the fault strikes."""
    taken: list[bytes] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    served: int = 0

    @property
    def mails(self) -> list[EmailMessage]:
        return [message_from_bytes(raw, policy=policy.default) for raw in self.taken]


class Over(Exception):
    """This talk has ended."""


class Talk(StreamRequestHandler):
    """One connection."""

    office: FaultyServer

    def handle(self) -> None:
        self.number = next(self.office.numbers)
        self.office.served += 1
        self.carried = 0
        try:
            self.pass_through(Stage.CONNECT, "220 ready")
            for line in self.rfile:
                self.answer(line.split()[0].upper().decode())
        except (Over, ConnectionError):
            pass

    def answer(self, verb: str) -> None:
        match verb:
            case "EHLO" | "HELO":
                self.pass_through(Stage.EHLO, "250 here")
            case "MAIL" | "RCPT":
                self.pass_through(Stage[verb], "250 go on")
            case "DATA":
                if self.pass_through(Stage.DATA, "354 go ahead"):
                    self.take_mail()
            case "QUIT":
                self.say("221 good bye")
                raise Over
            case _:
                self.say("250 nothing to it")

    def take_mail(self) -> None:
        if self.strikes(Stage.DOT) is How.CUT and self.number % 2:
            self.cut()  # while the mail is still on its way
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                raise Over
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        if self.strikes(Stage.DOT) not in {How.BUSY, How.NEVER}:
            self.office.taken.append(b"".join(lines))
        self.pass_through(Stage.DOT, "250 kept")
        self.carried += 1

    def strikes(self, stage: Stage) -> How | None:
        fault = self.office.fault
        return fault.how if fault and fault.stage is stage and self.carried >= self.office.sound else None

    def pass_through(self, stage: Stage, answer: str) -> bool:
        """Answer, or do what the fault says; whether the talk goes on as if there were none."""
        match self.strikes(stage):
            case None:
                self.say(answer)
                return True
            case How.BUSY:
                self.say("451 not now")
            case How.NEVER:
                self.say("554 never")
            case How.STALL:
                while self.connection.recv(4096):
                    """Until the client has had enough."""
                raise Over
            case How.CUT:
                self.cut()
        return False

    def cut(self) -> None:
        """End the connection: every other time by a reset, which also loses what is still on its way."""
        if self.number % 4 < 2:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Over

    def say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())


class Server(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Close without a word, so that a reset stays one."""
        self.close_request(request)


@contextmanager
def open_faulty_server() -> Iterator[FaultyServer]:
    office = FaultyServer()
    with Server(("127.0.0.1", 0), type("OneTalk", (Talk,), {"office": office})) as server:
        office.port = server.server_address[1]
        with in_background(server):
            yield office

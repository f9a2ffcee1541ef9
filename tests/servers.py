"""The site as real processes, as `make run` starts it: web, worker, beat, and a mail server that keeps what it gets.

Everything is a context manager: what a test starts has ended, by its own process id, when its block is left.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socketserver import BaseServer
from typing import Any

import dj_database_url
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import connections
from django.db.utils import ConnectionHandler

from clans_site import run
from tests.database import migrated, one_at_a_time, shared_folder

HOST = "127.0.0.1"
PATIENCE = 60
"""Seconds for anything that has to happen at all; a busy machine takes its time."""
PORTS = range(20_000, 30_000)
PREPARE = "from clans_site import run; run.prepare()"


# --- Mail server -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as the server took it: for whom, and what."""

    to: str
    message: EmailMessage

    @property
    def kind(self) -> str:
        """`turn`, `started`, `finished`; empty for a mail that is about no game."""
        return str(self.message["X-Clans-Kind"] or "")

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        return self._part("html")

    def _part(self, kind: str) -> str:
        part = self.message.get_body(preferencelist=(kind,))
        return str(part.get_content()) if part is not None else ""


@dataclass
class MailServer:
    """An SMTP server. Put an answer such as `451 busy` into `refusal`, and it takes nothing as long as that stands.
    While it `is_slow`, it answers only to so many mails as it `lets_pass`."""

    port: int
    mails: list[Mail] = field(default_factory=list)
    refusal: str = ""
    is_slow: bool = False
    lets_pass: int = 0
    waiting: int = 0
    """How many clients wait for an answer."""

    @property
    def url(self) -> str:
        """As EMAIL_URL has it."""
        return f"smtp://{HOST}:{self.port}"

    def mails_to(self, address: str, *, kind: str | None = None) -> list[Mail]:
        """What one reader has got so far, oldest first; of one kind if that is given."""
        return [mail for mail in list(self.mails) if mail.to == address and kind in (None, mail.kind)]

    def wait_for_mail(self, address: str, *, kind: str | None = None, count: int = 1) -> Mail:
        """The `count`th mail to `address` (of that kind), once it has come. Raises TimeoutError."""
        wait_until(lambda: len(self.mails_to(address, kind=kind)) >= count, what=f"{kind} mail {count} to {address}")
        return self.mails_to(address, kind=kind)[count - 1]

    # aiosmtpd calls this by its name, from its own thread.
    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.waiting += 1
        while self.is_slow and not self.lets_pass:
            # A client gives up a server that says nothing for too long.
            await server.push("250-wait")
            await asyncio.sleep(0.05)
        self.lets_pass = max(0, self.lets_pass - 1)
        self.waiting -= 1
        if self.refusal:
            return self.refusal
        content = envelope.original_content or b""
        message = message_from_bytes(content, policy=policy.default)
        self.mails.extend(Mail(to=address, message=message) for address in envelope.rcpt_tos)
        return "250 kept"


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """A mail server on a free port."""
    server = MailServer(free_port())
    controller = Controller(server, hostname=HOST, port=server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


# --- The site --------------------------------------------------------------------------------------


class ServerDied(Exception):
    """A process ended by itself; the text is what it last said."""


@dataclass
class Site:
    """A site that is up: its own folder, database and port."""

    folder: Path
    port: int
    environment: dict[str, str]
    processes: run.Processes = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Without a slash at the end; a name, because browsers give no passkeys to an address of numbers."""
        return f"http://localhost:{self.port}"

    def log(self, name: str) -> str:
        """All that the process has said."""
        return self._log_file(name).read_text(errors="replace")

    def start(self, name: str, *arguments: str) -> None:
        """Start the Procfile's process of that name, with further `arguments` behind its own; each runs once."""
        assert name not in self.processes
        command = " ".join(["exec", run.read_procfile()[name], *arguments])
        with self._log_file(name).open("ab") as log:
            self.processes[name] = subprocess.Popen(  # noqa: S602 - the Procfile's own command
                command,
                shell=True,
                cwd=run.BASE_DIR,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=run.end_with_parent,
            )

    def stop(self, *names: str) -> None:
        """End processes of these names, all if none is given."""
        run.stop({name: self.processes.pop(name) for name in names or list(self.processes)})

    def kill(self, name: str) -> None:
        """End a process as a power cut would."""
        process = self.processes.pop(name)
        process.kill()
        run.stop({name: process})

    def wait_until_up(self) -> None:
        """Until the web process answers; raises ServerDied if a process has ended before."""
        wait_until(self._answers, what=f"answer of {self.url}")

    def _answers(self) -> bool:
        self.check_alive()
        return answers(self.port)

    def check_alive(self) -> None:
        """Raise ServerDied if a process has ended by itself."""
        for name, process in self.processes.items():
            if process.poll() is not None:
                raise ServerDied(f"{name} ended with {process.returncode}:\n{self.log(name)[-4000:]}")

    def manage(self, *arguments: str) -> str:
        """What a management command prints. Raises CalledProcessError."""
        return self.python("manage.py", *arguments)

    def python(self, *arguments: str) -> str:
        """What a Python program of the site prints, in its environment. Raises CalledProcessError."""
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=run.BASE_DIR, env=self.environment, check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout

    @contextmanager
    def database(self) -> Iterator[None]:
        """Let the models of this process read and write the site's own database while the block lasts."""
        ours = connections["default"]
        theirs: dict[str, Any] = {**ours.settings_dict, "NAME": str(self.folder / "clans.sqlite3")}
        if url := self.environment.get("DATABASE_URL"):
            theirs = {**dj_database_url.parse(url)}
        connections["default"] = ConnectionHandler({"default": theirs})["default"]
        try:
            yield
        finally:
            connections["default"].close()
            connections["default"] = ours

    def _log_file(self, name: str) -> Path:
        return self.folder / f"{name}.log"


@contextmanager
def site(
    folder: Path,
    *,
    smtp: MailServer | None = None,
    processes: Sequence[str] = ("web", "worker", "beat"),
    arguments: Mapping[str, Sequence[str]] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Site]:
    """A site with a fresh database in `folder`, settings as on a real server (DEBUG off), and its answer awaited.

    Mail goes to `smtp`, or nowhere. `arguments` come behind those of the Procfile, by process; `environment` overrides.
    """
    port = free_port()
    served = Site(folder, port, {**_environment(folder, port, smtp), **(environment or {})})
    _prepare(served, overridden=set(environment or {}))
    try:
        for name in processes:
            served.start(name, *(arguments or {}).get(name, ()))
        if "web" in processes:
            served.wait_until_up()
        yield served
    finally:
        served.stop()
        for name in processes:
            # pytest shows it beside a test that has failed.
            print(f"{name}, port {port}:", served.log(name)[-4000:])


def _prepare(served: Site, *, overridden: set[str]) -> None:
    """Copy a fresh database and the collected files into the site's folder, unless it has them; prepare them again
    where the environment overrides what they depend on."""
    if not (served.folder / "clans.sqlite3").exists():
        shutil.copytree(prepared(), served.folder, dirs_exist_ok=True)
    if overridden & {"DATABASE_URL", "DEBUG", "DJANGO_SETTINGS_MODULE"}:
        served.python("-c", PREPARE)


@cache
def prepared() -> Path:
    """A folder as a first start leaves it, made by the first process of the tests that asks, while others wait:
    migrations and collected files cost more than the rest of a start."""
    folder, making = shared_folder() / "prepared", shared_folder() / "making"
    with one_at_a_time("preparing"):
        if not folder.exists():
            # A process that has failed may have left one.
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir()
            if migrated().exists():
                shutil.copy(migrated(), making / "clans.sqlite3")
            Site(making, 1, _environment(making, 1, None)).python("-c", PREPARE)
            making.rename(folder)
    return folder


def _environment(folder: Path, port: int, smtp: MailServer | None) -> dict[str, str]:
    """Nothing of the developer's own but where programs are. The secret key is ours: we sign players in ourselves."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "clans_site.settings",
        "HOST": HOST,
        "PORT": str(port),
        "ALLOWED_HOSTS": f"localhost,{HOST}",
        "VAR_DIR": str(folder),
        "DEBUG": "0",
        "SITE_URL": f"http://localhost:{port}",
        "SECRET_KEY": settings.SECRET_KEY,
        "MAIL_WAIT_SECONDS": "0",
        "EMAIL_URL": smtp.url if smtp else "dummy://localhost",
    }


# --- What both need --------------------------------------------------------------------------------

_kept: list[socket.socket] = []
"""The names of the ports that this process has asked for."""


def free_port() -> int:
    """A port of this machine that nobody listens on, or will but who has asked for it here.

    The system gives none of these to connections by itself. Each is kept for this process until it ends, by a name that
    no other process of this machine can take meanwhile.
    """
    for port in PORTS:
        name = socket.socket(socket.AF_UNIX)
        with suppress(OSError), socket.socket() as probe:
            name.bind(f"\0clans-tests-port-{port}")
            probe.bind((HOST, port))
            _kept.append(name)
            return port
        name.close()
    raise RuntimeError("all ports are taken")


def answers(port: int) -> bool:
    """Whether a site answers there, whatever it answers. It may take its time: one that is asked again each second
    would have ever more to do."""
    connection = HTTPConnection(HOST, port, timeout=PATIENCE)
    with suppress(OSError, HTTPException), closing(connection):
        connection.request("GET", "/")
        connection.getresponse()
        return True
    return False


def wait_until(is_so: Callable[[], object], *, what: str, patience: float = PATIENCE) -> None:
    """Until `is_so` says yes. Raises TimeoutError, which tells `what` was awaited."""
    deadline = time.monotonic() + patience
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {what} in {patience:.0f} s")
        time.sleep(0.05)


@contextmanager
def in_background(server: BaseServer) -> Iterator[None]:
    """Let `server` answer in a thread of its own; it has ended when the block is left."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()

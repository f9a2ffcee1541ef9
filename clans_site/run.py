"""`make run`: prepare the database, start the Procfile's processes, say where the site is, stop everything together.

Each process has a session of its own, so a Ctrl-C reaches this one alone and stops the others in one way. It ends
with whoever started it, and what it started ends with it, however either of them dies.
"""

import ctypes
import errno
import fcntl
import http.client
import io
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from types import FrameType
from typing import IO

BASE_DIR = Path(__file__).resolve().parent.parent
LONGEST_SOCKET = 100  # letters of the path of a socket that is a file; Linux takes 107
PATIENCE = 7  # seconds that a process has to end by itself: a worker finishes the mail that it is sending
PR_SET_PDEATHSIG = 1

Processes = dict[str, subprocess.Popen[bytes]]


class CannotRun(Exception):
    """Why the site cannot start, in one line."""


def main() -> int:
    parent = os.getppid()
    os.chdir(BASE_DIR)
    try:
        host, port = address()
        lock = lock_folder()
        answer_by_mail()
        welcome = prepare_aside()
    except CannotRun as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(_why_no_start(error), file=sys.stderr)
        return os.EX_IOERR
    except KeyboardInterrupt:
        return 130
    with lock:
        return supervise(host, port, welcome, parent=parent)


def address() -> tuple[str, int]:
    """HOST and PORT of the environment. Raises CannotRun if they are taken or wrong."""
    host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise CannotRun(f"PORT must be a number from 1 to 65535, not {port!r}.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except OSError as error:
            raise CannotRun(_why_not(error, host, port)) from None
    return host, int(port)


def _why_not(error: OSError, host: str, port: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken. Choose another: PORT=8123 make run"
    if error.errno == errno.EACCES:
        return f"Port {port} is not for you ({error.strerror}). Choose another: PORT=8123 make run"
    return f"This machine cannot listen at HOST={host} ({error.strerror})."


def _why_no_start(error: OSError) -> str:
    """A full disk, or a folder of somebody else."""
    return f"The site cannot start: {': '.join(str(part) for part in (error.strerror, error.filename) if part)}."


def lock_folder() -> IO[str]:
    """A lock that keeps a second site out of VAR_DIR while it is open. Raises CannotRun if there is one already."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
    from django.conf import settings

    lock = (settings.VAR_DIR / "run.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise CannotRun(f"A site runs in {settings.VAR_DIR} already. Choose another folder: VAR_DIR=…") from None
    return lock


def answer_by_mail() -> None:
    """Let the processes of a site that is being tried out take answers to its mails, unless the environment says how:
    at a socket in VAR_DIR, signed with a key that only this site knows."""
    from django.conf import settings

    listen = f"lmtp://{settings.VAR_DIR}/inbox"
    if settings.DEBUG and not (settings.EMAIL_URL or settings.REPLY_ADDRESS) and len(listen) < LONGEST_SOCKET:
        os.environ["REPLY_ADDRESS"] = "turn@localhost"
        os.environ.setdefault("REPLY_LISTEN", listen)


def prepare_aside() -> str:
    """What `prepare` returns, from a process of its own: this one stays small as long as the site runs."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        end_with_parent()
        with os.fdopen(writing, "w") as pipe:
            sys.exit(_prepare_into(pipe))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        welcome = pipe.read()
    if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        # Unless a signal ended it, it has said why.
        raise SystemExit(code if code > 0 else f"Preparing the site ended by {_how(code)}.")
    return welcome


def _prepare_into(pipe: IO[str]) -> int:
    """Write what `prepare` returns; the exit code. What an operator can mend is said in a sentence."""
    from django.db import InternalError, OperationalError, ProgrammingError

    try:
        pipe.write(prepare())
    except (InternalError, OperationalError, ProgrammingError) as error:
        from clans_site.database_errors import explain

        why = explain(error, migrates=True)
        if not why:
            raise
        print(why, file=sys.stderr)
        return os.EX_TEMPFAIL
    except OSError as error:
        print(_why_no_start(error), file=sys.stderr)
        return os.EX_IOERR
    return os.EX_OK


def prepare() -> str:
    """Migrate the database and make the demo games; returns what to show at the terminal."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    output = io.StringIO()
    if settings.DEBUG:
        call_command("demo", if_empty=True, stdout=output)
    else:
        call_command("collectstatic", verbosity=0, interactive=False)
    connections.close_all()
    where = "" if settings.DEBUG else f" (listening on {os.environ.get('HOST', '127.0.0.1')}:{settings.PORT})"
    lines = [f"Clans by mail is up: {settings.SITE_URL}/{where}", *output.getvalue().splitlines()]
    if not settings.EMAIL_URL:
        lines.append(f"The mail is read at {settings.SITE_URL}/mailbox/")
    lines += advice()
    return "\n".join([*lines, "Ctrl-C stops it."])


def advice() -> list[str]:
    """What nobody would find out before others come to the site, a line for each."""
    from django.conf import settings

    from clans_site.environment import misspelled

    lines = [f"{name} is no setting of this site. Is {meant} meant?" for name, meant in misspelled()]
    if not (settings.DEBUG or settings.HTTPS):
        lines.append(
            "SITE_URL begins with http://. If people come by https, every form is refused: write https:// there."
        )
    return lines


def supervise(host: str, port: int, welcome: str, *, parent: int) -> int:
    """Run all processes until a signal comes, the parent is gone or one of them ends; returns the exit code."""
    received: list[int] = []

    def receive(number: int, frame: FrameType | None) -> None:
        received.append(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, receive)
    commands = read_procfile()
    for name, is_wanted in (("inbox", os.environ.get("REPLY_LISTEN")), ("mailbox", os.environ.get("REPLY_MAILBOX"))):
        if not is_wanted:
            del commands[name]
    # Alone at first: the pages are what the person waits for, and all at once would take turns.
    processes = {"web": start(commands.pop("web"))}
    try:
        while not received and os.getppid() == parent:
            if ended := [name for name, process in processes.items() if process.poll() is not None]:
                name, code = ended[0], processes[ended[0]].returncode
                say(f"The {name} process has ended by itself ({_how(code)}), so everything stops.")
                return 1
            if commands and answers(host, port):
                processes |= {name: start(commands.pop(name)) for name in list(commands)}
                say(welcome)
            time.sleep(0.1)
    finally:
        stop(processes)
    say(f"Stopped by {signal.Signals(received[0]).name}." if received else "Stopped: whoever started it is gone.")
    return 0


def _how(code: int) -> str:
    """What a return code says: `exit code 3` or `SIGKILL`."""
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def read_procfile() -> dict[str, str]:
    """The commands of the Procfile by name."""
    lines = (BASE_DIR / "Procfile").read_text().splitlines()
    return {name: command.strip() for name, _, command in (line.partition(":") for line in lines) if command}


def start(command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S602 - the Procfile's own commands, with their ${PORT}
        f"exec {command}",
        shell=True,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=end_with_parent,
    )


def end_with_parent() -> None:
    """Have the kernel end this process when the one that started it dies, even by SIGKILL."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def answers(host: str, port: int) -> bool:
    """Whether the site answers within a second, whatever it answers."""
    connection = http.client.HTTPConnection(host, port, timeout=1)
    with suppress(OSError, http.client.HTTPException), closing(connection):
        connection.request("GET", "/")
        connection.getresponse()
        return True
    return False


def stop(processes: Processes) -> None:
    """End all processes by SIGTERM, and by SIGKILL after PATIENCE seconds."""
    for process in processes.values():
        process.terminate()
    deadline = time.monotonic() + PATIENCE
    for process in processes.values():
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=max(0.0, deadline - time.monotonic()))
    for process in processes.values():
        # What it started itself would be left behind if it died without tidying up.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def say(text: str) -> None:
    # The terminal may be gone already.
    with suppress(OSError):
        print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())

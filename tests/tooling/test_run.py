"""`make run` as a person meets it: the real thing, its real processes, ended in every way that a terminal has."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from pytest_django import Settings

from clans_site import run
from tests.faults.processes import memory_of
from tests.faults.proxies import documented
from tests.servers import free_port
from tests.tooling.programs import of_the_site

ROOT = Path(__file__).parents[2]
PATIENCE = 300
SMALL = 40 * 2**20
"""Bytes of a process that has loaded the settings, but not the site."""


class Site:
    """A `make run` with a port and a folder of its own."""

    def __init__(self, var_dir: Path, port: int) -> None:
        self.var_dir, self.port = var_dir, port
        self.environment = {**os.environ, "VAR_DIR": str(var_dir), "PORT": str(port)}
        self.log = var_dir / "run.log"
        self.make = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("wb") as log:
            return subprocess.Popen(
                ["make", "run"],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.log.read_text()

    def pids(self) -> dict[int, str]:
        """Every process that is part of it, with its command line."""
        return {pid: command_line(pid) for pid in all_pids() if self._owns(pid)}

    def _owns(self, pid: int) -> bool:
        try:
            return f"VAR_DIR={self.var_dir}\0".encode() in Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False

    def pid_of(self, part: str) -> int:
        return next(pid for pid, command in self.pids().items() if part in command)

    def get(self, path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with closing(connection):
            connection.request("GET", path)
            return connection.getresponse().status

    def clean_up(self) -> None:
        for pid in self.pids():
            os.kill(pid, signal.SIGKILL)
        self.make.wait()


def all_pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def wait_for(condition: Callable[[], object], *, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


@contextmanager
def running(var_dir: Path) -> Iterator[Site]:
    site = Site(var_dir, free_port())
    try:
        assert wait_for(lambda: "Ctrl-C stops it." in site.said() or site.make.poll() is not None, seconds=PATIENCE)
        assert site.make.poll() is None, site.said()
        yield site
    finally:
        site.clean_up()


@pytest.fixture(scope="module")
def var_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One database for all of these: the demo is made once."""
    return tmp_path_factory.mktemp("var")


def interrupt(site: Site) -> None:
    os.killpg(site.make.pid, signal.SIGINT)


def close_terminal(site: Site) -> None:
    os.killpg(site.make.pid, signal.SIGHUP)


def terminate_make(site: Site) -> None:
    site.make.terminate()


def kill_make(site: Site) -> None:
    site.make.kill()


def kill_runner(site: Site) -> None:
    os.kill(site.pid_of("-m clans_site.run"), signal.SIGKILL)


def lose_the_worker(site: Site) -> None:
    os.kill(site.pid_of(" worker "), signal.SIGKILL)


@pytest.mark.parametrize(("is_tried_out", "is_https", "lines"), [(True, False, 0), (False, True, 0), (False, False, 1)])
def test_it_says_that_an_address_without_https_refuses_forms(
    settings: Settings, is_tried_out: bool, is_https: bool, lines: int
) -> None:
    settings.DEBUG, settings.HTTPS = is_tried_out, is_https
    assert len(run.advice()) == lines


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("REPLY_ADRESS", "REPLY_ADDRESS"),
        ("ALLOWED_HOST", "ALLOWED_HOSTS"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("SITEURL", "SITE_URL"),
        ("DEBUGG", "DEBUG"),
    ],
)
def test_it_says_which_setting_may_be_meant(monkeypatch: pytest.MonkeyPatch, name: str, meant: str) -> None:
    monkeypatch.setenv(name, "x")
    assert [line for line in run.advice() if name in line] == [f"{name} is no setting of this site. Is {meant} meant?"]


USUAL = """
CACHE_DIRECTORY CELERY_APP CELERY_BROKER CLIENT_ADDRESS COLUMNS CREDENTIALS_DIRECTORY DATABASE_HOST DATABASE_NAME
DEBIAN_FRONTEND DEBUGINFOD_URLS DISPLAY DJANGO_SETTINGS_MODULE EDITOR EMAIL HOME HOST HOSTNAME HTTPS_PROXY HTTP_PROXY
INVOCATION_ID JOURNAL_STREAM KUBERNETES_PORT KUBERNETES_SERVICE_HOST LANG LC_ALL LISTEN_FDS LISTEN_PID LOGNAME
LOGS_DIRECTORY LOG_FILE MAIL MAILCHECK MAILTO MAINPID MAKEFLAGS MAKELEVEL MEMORY_PRESSURE_WATCH NOTIFY_SOCKET NO_PROXY
OLDPWD ORIGINAL_RECIPIENT PAGER PATH PGDATABASE PGHOST PGPORT PORTS POSTGRES_PASSWORD PWD PYTHONPATH PYTHONUNBUFFERED
RECIPIENT REDIS_HOST REDIS_PORT RUNTIME_DIRECTORY SECRET_KEY_BASE SENDER SERVER_NAME SHELL SHLVL SITE_NAME
SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSL_CERT_DIR SSL_CERT_FILE STATE_DIRECTORY SUDO_USER SYSTEMD_EXEC_PID TERM
TMPDIR TZ USER VIRTUAL_ENV WATCHDOG_PID WATCHDOG_USEC WEB_CONCURRENCY XDG_RUNTIME_DIR XDG_SESSION_ID
"""


def test_it_takes_no_usual_variable_for_a_setting(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.HTTPS = True
    for name in USUAL.split():
        monkeypatch.setenv(name, os.environ.get(name, "x"))
    assert run.advice() == []


def test_it_says_where_the_site_is_once_it_answers(var_dir: Path) -> None:
    with running(var_dir) as site:
        assert f"http://localhost:{site.port}/\n" in site.said()
        assert f"http://localhost:{site.port}/mailbox/" in site.said()
        assert "alice" in site.said()
        assert site.get("/") == 200
        assert all(site.pid_of(part) for part in ("gunicorn", " worker ", " beat ", " receive_mails"))
        assert memory_of([site.pid_of("-m clans_site.run")]) < SMALL
        assert_idle_connections_hold_nobody_up(site)
        assert_a_taken_port_is_told_in_one_line(site)
        assert_a_folder_in_use_is_told_in_one_line(site)


def assert_idle_connections_hold_nobody_up(site: Site) -> None:
    """Browsers open connections that they may need later, and say nothing on them."""
    idle = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(12)]
    assert site.get("/accounts/login/") == 200
    for connection in idle:
        connection.close()


def assert_a_taken_port_is_told_in_one_line(site: Site) -> None:
    command = [".venv/bin/python", "-m", "clans_site.run"]
    done = subprocess.run(command, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"Port {site.port} is taken. Choose another: PORT=8123 make run\n"


def assert_a_folder_in_use_is_told_in_one_line(site: Site) -> None:
    command = [".venv/bin/python", "-m", "clans_site.run"]
    environment = {**site.environment, "PORT": str(free_port())}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"A site runs in {site.var_dir} already. Choose another folder: VAR_DIR=…\n"


LOST = "The worker process has ended by itself (SIGKILL), so everything stops."
ENDINGS = {
    interrupt: "Stopped by SIGINT.",
    close_terminal: "Stopped by SIGHUP.",
    terminate_make: "Stopped",
    kill_make: "Stopped: whoever started it is gone.",
    kill_runner: "",
    lose_the_worker: LOST,
}


@pytest.mark.parametrize(("end", "said"), ENDINGS.items(), ids=[end.__name__ for end in ENDINGS])
def test_it_leaves_no_process_behind(var_dir: Path, end: Callable[[Site], None], said: str) -> None:
    with running(var_dir) as site:
        assert len(site.pids()) >= 6
        end(site)
        # Not in the ten seconds that a person is promised: other tests keep this machine busy.
        assert wait_for(lambda: not site.pids() and site.make.poll() is not None, seconds=PATIENCE), site.pids()
        assert "Traceback" not in site.said()
        assert said in site.said()


def test_its_last_line_says_that_it_has_stopped(var_dir: Path) -> None:
    with running(var_dir) as site:
        assert wait_for(lambda: catches_sigterm(site.pid_of(" worker ")), seconds=PATIENCE)
        interrupt(site)
        site.make.wait(PATIENCE)
        assert site.said().splitlines()[-2:] == ["worker: Warm shutdown (MainProcess)", "Stopped by SIGINT."]


def catches_sigterm(pid: int) -> bool:
    """Whether a process does something of its own when it is told to end."""
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return bool(caught and int(caught[1], 16) >> signal.SIGTERM - 1 & 1)


def test_systemd_starts_it_however_often_it_cannot_start() -> None:
    """Five starts in vain take less than ten seconds, after which systemd would give up."""
    unit = documented("/etc/systemd/system/clans.service").splitlines()
    assert {"StartLimitIntervalSec=0", "Restart=always"} <= {*unit}


@pytest.mark.parametrize("port", ["eighty", "0", "70000", "8000 "])
def test_it_refuses_what_is_no_port(port: str) -> None:
    done = subprocess.run(
        [".venv/bin/python", "-m", "clans_site.run"],
        cwd=ROOT,
        env={**os.environ, "PORT": port},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"PORT must be a number from 1 to 65535, not {port!r}.\n"


def test_it_says_in_a_sentence_that_the_database_is_away(tmp_path: Path) -> None:
    nowhere = f"postgres://clans:secret@127.0.0.1:{free_port()}/clans"
    done = of_the_site(tmp_path, "-m", "clans_site.run", DATABASE_URL=nowhere, PORT=str(free_port()))
    assert done.returncode == os.EX_TEMPFAIL
    assert re.fullmatch("The database cannot be reached: [^\n]*refused[^\n]*\n", done.stderr)


@pytest.mark.parametrize(
    ("taken", "is_folder", "why"),
    [("run.lock", True, "Is a directory"), ("static", False, "Not a directory")],
)
def test_it_says_in_a_sentence_that_it_cannot_write(tmp_path: Path, taken: str, is_folder: bool, why: str) -> None:
    (tmp_path / taken).mkdir() if is_folder else (tmp_path / taken).touch()
    served = {"DEBUG": "0", "SECRET_KEY": "k" * 30 + "0123456789" * 2, "SITE_URL": "http://localhost"}
    mailed = {"EMAIL_URL": "smtp://localhost:25", "PORT": str(free_port())}
    done = of_the_site(tmp_path, "-m", "clans_site.run", **served, **mailed)
    assert re.fullmatch(f"The site cannot start: {why}: {tmp_path}/{taken}[^\n]*\\.\n", done.stderr), done.stderr
    assert done.returncode == os.EX_IOERR

"""Caddy and nginx of Debian, started with the files that docs/operating.md shows: only addresses are changed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from clans_site import run
from tests.servers import HOST, answers, free_port, wait_until

NAME: Final = "clans.example.com"
OPERATING: Final = Path(run.BASE_DIR) / "docs/operating.md"
NGINX: Final = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 768; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""
"""What Debian's own file says, with folders of a test."""


def documented(file: str) -> str:
    """The file of that name in docs/operating.md."""
    found = re.search(
        rf"^`{re.escape(file)}`[^\n]*(?:\n[^\n`]+)*\n\n```\n(.*?)\n```", OPERATING.read_text(), re.MULTILINE | re.DOTALL
    )
    assert found, f"docs/operating.md shows no {file}"
    return found[1]


@contextmanager
def caddy(folder: Path, site_port: int) -> Iterator[int]:
    """The port of a Caddy before the site."""
    port = free_port()
    text = _at(documented("/etc/caddy/Caddyfile"), site_port)
    assert f"\n{NAME} {{" in text
    text = text.replace(f"\n{NAME} {{", f"\nhttp://{NAME}:{port} {{").replace("{\n", "{\n    admin off\n", 1)
    (folder / "Caddyfile").write_text(text)
    with _running([_program("caddy"), "run", "--config", str(folder / "Caddyfile")], folder, port):
        yield port


@contextmanager
def nginx(folder: Path, site_port: int) -> Iterator[int]:
    """The port of an nginx before the site."""
    port = free_port()
    server = _at(documented("/etc/nginx/sites-available/clans"), site_port)
    assert "listen 443 ssl;" in server
    server = server.replace("listen 443 ssl;", f"listen {HOST}:{port};")
    server = re.sub(r"ssl_certificate\w* [^;]+;|listen \[::\]:443 ssl;", "", server)
    # The second server only leads to https.
    server = re.sub(r"\nserver \{\n    listen 80;.*?\n\}", "", f"\n{server}", flags=re.DOTALL)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, server=server))
    with _running([_program("nginx"), "-c", str(folder / "nginx.conf"), "-p", str(folder)], folder, port):
        yield port


def _at(text: str, site_port: int) -> str:
    assert "127.0.0.1:8000" in text
    return text.replace("127.0.0.1:8000", f"{HOST}:{site_port}")


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, f"there is no {name}: apt-get install {name}"
    return found


@contextmanager
def _running(command: Sequence[str], folder: Path, port: int) -> Iterator[None]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=run.end_with_parent,
        )
    try:
        wait_until(lambda: process.poll() is not None or answers(port), what=f"answer of {command[0]}")
        assert process.poll() is None, Path(log.name).read_text()
        yield
    finally:
        run.stop({command[0]: process})
        # pytest shows it beside a test that has failed.
        print(f"{command[0]}, port {port}:", Path(log.name).read_text()[-4000:])

"""Players at a real server, each with a connection and cookies of their own."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from django.test import Client

from games.models import Player
from tests.servers import HOST, Site

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
PATIENCE = 60
AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said."""

    status: int
    location: str
    text: str


class Caller:
    """A player who is signed in, or a visitor. Make it while the site's database is at hand."""

    def __init__(self, site: Site, player: Player | None = None) -> None:
        self.cookies: dict[str, str] = {}
        if player:
            client = Client()
            client.force_login(player)
            self.cookies["sessionid"] = client.cookies["sessionid"].value
        self.token = ""
        self.port = site.port

    def open(self, path: str) -> Answer:
        """Read a page, and keep the CSRF token of its forms for what is posted next."""
        answer = self._send(self._connect(), "GET", path)
        self.token = TOKEN.findall(answer.text)[0]
        return answer

    def post(self, path: str, form: Mapping[str, object]) -> Callable[[], Callable[[], Answer]]:
        """A request that is ready: the first call connects, the second sends it."""
        body = urlencode({**form, "csrfmiddlewaretoken": self.token})

        def connect() -> Callable[[], Answer]:
            connection = self._connect()
            return lambda: self._send(connection, "POST", path, body)

        return connect

    def _connect(self) -> HTTPConnection:
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE)
        connection.connect()
        return connection

    def _send(self, connection: HTTPConnection, method: str, path: str, body: str | None = None) -> Answer:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.copy().items())}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        self._keep_cookies(response)
        connection.close()
        return Answer(response.status, response.getheader("Location", ""), html.unescape(text))

    def _keep_cookies(self, response: HTTPResponse) -> None:
        for header in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(header).items()}


def all_at_once(requests: Sequence[Callable[[], Callable[[], Answer]]]) -> list[Answer]:
    """The answers to requests that are sent at the same moment, in the order of `requests`."""
    start = threading.Barrier(len(requests))

    def run(connect: Callable[[], Callable[[], Answer]]) -> Answer:
        send = connect()
        start.wait(PATIENCE)
        return send()

    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(run, requests))

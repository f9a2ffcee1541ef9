"""Whatever is sent to whatever address: no 5xx, nothing half-done, nothing comes back as markup."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote, urlencode, urljoin, urlsplit

import pytest
from django.core import mail
from django.http import HttpResponseBase
from django.test import Client
from pytest_django import Settings

from games import rules
from games.models import Game, Player
from tests.cast import PASSWORD
from tests.faults import memory
from tests.faults.addresses import PARAMETER, Samples, routes
from tests.faults.browser import Browser, body_of, has_failed
from tests.faults.noise import MARK, TEXTS, Body, Form, Noise, forms_on
from tests.faults.scenery import Scenery
from tests.faults.sound import unsound
from tests.faults.worlds import undone
from tests.servers import HOST, Site

METHODS = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X" * 40)
NAMES = (
    *("from", "to", "order", "move", "line"),
    *("list", "at", "mine", "next", "q", "o", "p", "all", "against", "_facets", "e"),
    *("again", "after", "round"),
)
HEADERS = (
    "Accept-Language",
    "Cookie",
    "HX-Request",
    "HX-Current-URL",
    "Host",
    "If-Modified-Since",
    "Referer",
    "Origin",
)
SITE = "http://testserver"
NOTHING = Body(b"")
TABLE = re.compile(r'(?:INTO|UPDATE|FROM) "(\w+)"')
ALIKE = 2
"""So many forms are tried that differ by their address alone."""


@pytest.fixture(autouse=True)
def _unlimited(settings: Settings) -> None:
    """Forms are read, not counted; passwords are hashed in no time."""
    settings.ACCOUNT_RATE_LIMITS = False
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


class Judge:
    """Looks at each answer, and at what is remembered after it."""

    def __init__(self) -> None:
        self.before = memory.dump()
        self.faults: list[str] = []
        self.answers = 0

    def ask(
        self, browser: Browser, method: str, path: str, body: Body = NOTHING, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send it, judge the answer, and let it not have happened."""
        self.answers += 1
        with undone(), memory.writes() as written, memory.null_bytes() as refused:
            response = browser.ask(method, path, body.content, body.content_type, headers)
            faults = [*_answer_faults(response, path), *(f"null byte in {sql:.200}" for sql in refused)]
            faults += self._memory_faults(response, {table for sql, _values in written for table in TABLE.findall(sql)})
        self.faults += [f"{fault}: {method} {path!r:.300} {body!r:.300} {headers!r:.300}" for fault in faults]

    def _memory_faults(self, response: HttpResponseBase, tables: set[str]) -> Iterator[str]:
        """What was refused has changed nothing, and what was done was done in full."""
        if response.status_code >= 400 and tables - memory.SESSIONS:
            yield from memory.changes(self.before, memory.dump())
        if tables & {"games_game", "games_seat", "games_move"}:
            yield from unsound()


def _answer_faults(response: HttpResponseBase, path: str) -> Iterator[str]:
    if has_failed(response, path):
        yield str(response.status_code)
    location = urlsplit(urljoin(SITE, response.headers.get("Location", "")))
    if f"{location.scheme}://{location.netloc}" != SITE:
        yield f"leads to {location.geturl()}"
    if response.headers.get("Content-Type", "").startswith("text/html") and MARK.encode() in body_of(response):
        yield "gives markup back"


def forms_for(browser: Browser, scenery: Scenery) -> list[Form]:
    """The forms of all pages that the viewer can open, a few of each kind; of the admin's pages for who sees them."""
    samples = Samples(scenery, plies=(1,))
    paths = [path for route in routes() for path in samples.paths(route)[: 2 if "admin:" in route.name else None]]
    kinds: Counter[object] = Counter()
    found = []
    for form in (form for path in paths for form in _forms_on(browser, path)):
        kind = (re.sub(r"/tables/\w+|\d+", "", form.action), form.names)
        kinds[kind] += 1
        if kinds[kind] <= ALIKE:
            found.append(form)
    return found


def _forms_on(browser: Browser, path: str) -> list[Form]:
    if path.startswith("/admin/") != bool(browser.viewer and browser.viewer.username == "warden"):
        return []
    response = browser.get(path)
    is_page = response.status_code == 200 and response["Content-Type"].startswith("text/html")
    return forms_on(body_of(response).decode(), path) if is_page else []


# --- What is sent ----------------------------------------------------------------------------------


def send_forms(judge: Judge, browser: Browser, noise: Noise, forms: Iterable[Form], *, tries: int) -> None:
    for form in forms:
        for body in noise.bodies(form, count=tries):
            judge.ask(browser, "POST", form.action, body)


def send_addresses(judge: Judge, browser: Browser, noise: Noise, *, tries: int) -> None:
    for route in routes():
        for _try in range(tries if route.parameters else 1):
            path = PARAMETER.sub(lambda _match: noise.segment(), route.text)
            judge.ask(browser, noise.rng.choice(("GET", "POST", "HEAD")), path)
    for _try in range(50):
        judge.ask(browser, "GET", f"/{noise.segment()}/{noise.segment()}")


def send_queries(judge: Judge, browser: Browser, noise: Noise, paths: Iterable[str], *, tries: int) -> None:
    """Queries, headers and methods."""
    for path in paths:
        for _try in range(tries):
            judge.ask(browser, "GET", f"{path}?{noise.query(NAMES)}")
        judge.ask(browser, noise.rng.choice(METHODS), path)
        judge.ask(browser, "GET", path, headers={noise.rng.choice(HEADERS): noise.header()})


def send_moves(judge: Judge, browser: Browser, game: Game, *, tries: int) -> None:
    """Drafts and moves of who is to move, with everything else in order."""
    noise = Noise("moves")
    form = Form("", f"{game.get_absolute_url()}move/", (("ply", str(game.ply)), ("move", "C4-D1")))
    for body in noise.bodies(form, count=tries):
        judge.ask(browser, "POST", form.action, body)
    for text in TEXTS:
        judge.ask(browser, "GET", f"{game.get_absolute_url()}?{noise.query(['from', 'to', 'order', 'move'])}")
        judge.ask(browser, "POST", form.action, Body(f"ply={game.ply}&move={text[:50]}&order={text[:50]}".encode()))


def send_lines(judge: Judge, scenery: Scenery) -> None:
    """Lines of anything, and sound ones of which one move was changed; none costs more than a whole game."""
    browser, noise, table = Browser(None), Noise("lines"), scenery.games["running"].get_absolute_url()
    moves = [str(step.move) for step in scenery.games["finished"].steps()]
    for text in (*TEXTS, "A1-A2," * 20_000, "=" * 5000, ",".join(rules.STANDARD.board.names) * 50):
        line = ",".join([*moves[: noise.rng.randrange(4)], text])
        for query in (urlencode({"line": line[:30_000]}), urlencode({"line": moves[0], "move": text[:30_000]})):
            judge.ask(browser, "GET", f"{table}ply/{noise.rng.randrange(13)}/try/?{query}")


def some_paths(scenery: Scenery) -> list[str]:
    """Tables in four states, and each address once."""
    samples = Samples(scenery, plies=(1,))
    tables = [scenery.games[kind].get_absolute_url() for kind in ("open", "begun", "late", "finished")]
    return [*tables, *(samples.paths(route)[0] for route in routes())]


VIEWERS = ("visitor", "alice", "warden")


@pytest.mark.timeout(1800)
def test_it_survives_21000_inputs(scenery: Scenery) -> None:
    """All of the kinds below, by other chances, and all forms."""
    game, paths = scenery.games["running"], some_paths(scenery)
    # Signing in is remembered, so the judge comes last.
    mover, browsers = Browser(game.awaited), {name: Browser(scenery.viewer(name)) for name in VIEWERS}
    judge = Judge()
    for name, browser in browsers.items():
        noise = Noise(f"{name}, at length")
        send_forms(judge, browser, noise, forms_for(browser, scenery), tries=6)
        send_addresses(judge, browser, noise, tries=46)
        send_queries(judge, browser, noise, paths, tries=12)
    send_moves(judge, mover, game, tries=300)
    send_lines(judge, scenery)
    assert judge.faults == []
    assert judge.answers >= 21_000


def test_it_survives_any_form(scenery: Scenery) -> None:
    """Some of the forms."""
    browser, noise, judge = Browser(scenery.viewer("alice")), Noise("alice"), Judge()
    send_forms(judge, browser, noise, forms_for(browser, scenery)[::6], tries=2)
    assert judge.faults == []
    assert judge.answers > 60


@pytest.mark.parametrize("name", VIEWERS)
def test_it_survives_any_address(scenery: Scenery, name: str) -> None:
    browser, judge = Browser(scenery.viewer(name)), Judge()
    send_addresses(judge, browser, Noise(name), tries=8)
    assert judge.faults == []


def test_it_survives_any_query_header_and_method(scenery: Scenery) -> None:
    browser, judge = Browser(scenery.viewer("alice")), Judge()
    send_queries(judge, browser, Noise("alice"), some_paths(scenery), tries=1)
    assert judge.faults == []


def test_it_survives_any_move(scenery: Scenery) -> None:
    game = scenery.games["running"]
    browser, judge = Browser(game.awaited), Judge()
    send_moves(judge, browser, game, tries=60)
    assert judge.faults == []


def test_it_survives_any_line(scenery: Scenery) -> None:
    judge = Judge()
    send_lines(judge, scenery)
    assert judge.faults == []


def test_no_null_byte_comes_to_the_database(scenery: Scenery) -> None:
    """Where a name or the address of a table is looked up that no form has checked."""
    browser, judge, null = Browser(scenery.viewer("alice")), Judge(), "a\0b"
    table = scenery.games["open"].get_absolute_url()
    for path in ("/tables/new/?again", "/next/?after"):
        judge.ask(browser, "GET", f"{path}={quote(null)}")
    for path in (f"{table}release/", f"{table}hand-on/"):
        judge.ask(browser, "POST", path, Body(urlencode({"who": null}).encode()))
    judge.ask(browser, "POST", "/turns/", Body(urlencode({"table": null, f"{null}-written": "A1-A2"}).encode()))
    assert judge.faults == []


CODES = {
    "sign-up": ("/accounts/signup/", {"email": "dave@example.com", "username": "dave", "password1": PASSWORD}),
    "sign-in": ("/accounts/login/code/", {"email": "alice@example.com"}),
    "reset": ("/accounts/password/reset/", {"email": "alice@example.com"}),
}


@pytest.mark.parametrize("way", CODES)
def test_it_survives_any_code(scenery: Scenery, way: str) -> None:
    """The pages that ask for a mailed code are there only for who has asked for one."""
    path, form = CODES[way]
    for text in (*TEXTS, Noise(way).text()):
        client = Client()
        asked = client.post(path, form)
        page = client.get(asked["Location"])
        assert page.status_code == 200
        [code_form] = [found for found in forms_on(page.content.decode(), asked["Location"]) if "code" in found.names]
        answer = client.post(code_form.action, {"code": text})
        assert list(_answer_faults(answer, code_form.action)) == []
        assert "_auth_user_id" not in client.session
        Player.objects.filter(username="dave").delete()
    assert mail.outbox


def test_a_button_is_sent_with_the_form_that_it_names() -> None:
    page = """<form method="post"><input name="name"><button name="answer" value="sit">Sit down</button>
    <button form="no" name="answer" value="decline">Decline</button></form><form id="no" method="post"></form>"""
    sits, declines = forms_on(page, "/")
    assert (sits.fields, declines.fields) == ((("name", ""), ("answer", "sit")), (("answer", "decline"),))


@pytest.mark.urls("tests.faults.unguarded")
def test_it_notices_what_it_looks_for(scenery: Scenery) -> None:
    browser, judge = Browser(None), Judge()
    for path in ("echo", "crash", "away", "half"):
        judge.ask(browser, "POST", f"/unguarded/{path}/?text={MARK}")
    told = "\n".join(judge.faults)
    for fault in ("gives markup back", "500", "leads to https://evil.example/", "+ games_game"):
        assert fault in told
    judge.ask(browser, "GET", "/unguarded/find/?text=a%00b")
    assert "null byte in SELECT" in judge.faults[-1]


# --- Below HTTP ------------------------------------------------------------------------------------

REQUESTS = (
    b"GET /%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET //evil.example/%2e%2e/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"GET /\r\n\r\n",
    b"* * *\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"a=b; " * 5000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: sessionid=\xff\xfe; csrftoken=\x01\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: b\r\n" * 500 + b"\r\n",
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\nlogin=a",
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nlogin=a",
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nlogin\r\n0\r\n\r\n",
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n\xff\xfe=\x00&=&=",
)


def test_it_survives_what_is_no_request_at_all(served: Site) -> None:
    for request in REQUESTS:
        with socket.create_connection((HOST, served.port), timeout=30) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.makefile("rb").readline()
        assert not re.match(rb"HTTP/1.\d 5", answer), (request[:100], answer)
    served.check_alive()
    assert "Traceback" not in served.log("web").replace("DisallowedHost", "")

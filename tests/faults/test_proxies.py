"""What the proxies do that docs/operating.md sets up, beyond passing requests on."""

from __future__ import annotations

import re
from http.client import HTTPConnection
from pathlib import Path

from clans_site import run
from tests.faults import proxies
from tests.servers import HOST, site

KEPT = Path(run.BASE_DIR) / "tests/importing/kept.jsonl"
"""Games for an archive."""
BOARD = re.compile(r'"(/tables/[^"]+\.svg)"')
TEXTS = ("/archive/", "/archive/feed/", "/api/v1/games", "/service-worker.js")


def ask(port: int, path: str) -> tuple[str | None, bytes]:
    """How the answer is packed for a browser that can unpack gzip, and the answer."""
    connection = HTTPConnection(HOST, port, timeout=60)
    connection.request("GET", path, headers={"Host": proxies.NAME, "Accept-Encoding": "gzip"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    assert response.status == 200, path
    return response.getheader("Content-Encoding"), body


def test_they_compress_all_that_is_text(tmp_path: Path) -> None:
    environment = {"SITE_URL": f"http://{proxies.NAME}", "ALLOWED_HOSTS": proxies.NAME, "TRUSTED_PROXIES": "1"}
    with site(tmp_path, processes=("web",), environment=environment) as served:
        served.manage("import_games", str(KEPT))
        board = BOARD.search(ask(served.port, "/archive/")[1].decode())
        assert board
        asked = (*TEXTS, board[1])
        for proxy in (proxies.caddy, proxies.nginx):
            folder = tmp_path / proxy.__name__
            folder.mkdir()
            with proxy(folder, served.port) as port:
                assert {path: ask(port, path)[0] for path in asked} == dict.fromkeys(asked, "gzip"), folder.name

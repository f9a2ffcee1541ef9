"""WebKit, the engine of Safari and of every browser of an iPhone: Debian's, in a small window of its own screen."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from clans_site import run
from tests.servers import HOST, PATIENCE, free_port, wait_until

PACKAGES = {"WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""How WebDriver names what stands for an element (W3C WebDriver, section 12.1)."""
KEYS = {"ArrowRight": "\ue014", "Enter": "\ue007"}


@dataclass
class WebKit:
    """A window, led by the commands of W3C WebDriver."""

    session: str

    def goto(self, url: str) -> None:
        self._post("url", url=url)

    def resize(self, width: int, height: int) -> None:
        self._post("window/rect", width=width, height=height)

    def add_cookie(self, name: str, value: str) -> None:
        """A cookie of the site that is shown."""
        self._post("cookie", cookie={"name": name, "value": value})

    def run(self, script: str, *arguments: object) -> Any:
        """What the body of a function returns."""
        return self._post("execute/sync", script=script, args=arguments)

    def click(self, selector: str) -> None:
        """Click the middle of an element."""
        self._point(self._element(selector), 0, 0)

    def click_at(self, x: float, y: float) -> None:
        """Click a point of the window."""
        self._point("viewport", round(x), round(y))

    def press(self, key: str) -> None:
        keys = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        self._post("actions", actions=[{"type": "key", "id": "keys", "actions": keys}])

    def wait_for(self, script: str, *arguments: object) -> None:
        wait_until(lambda: self.run(script, *arguments), what=script)

    def take_picture(self, selector: str) -> bytes:
        """A PNG of an element."""
        element = self._element(selector)[ELEMENT]
        picture = requests.get(f"{self.session}/element/{element}/screenshot", timeout=PATIENCE)
        return base64.b64decode(_answer(picture))

    def _element(self, selector: str) -> dict[str, str]:
        return dict(self._post("element", using="css selector", value=selector))

    def _point(self, origin: object, x: int, y: int) -> None:
        there = {"type": "pointerMove", "origin": origin, "x": x, "y": y, "duration": 0}
        click = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self._post("actions", actions=[{"type": "pointer", "id": "mouse", "actions": [there, *click]}])

    def _post(self, command: str, **about: Any) -> Any:
        return _answer(requests.post(f"{self.session}/{command}", json=about, timeout=PATIENCE))


def _answer(response: requests.Response) -> Any:
    value = response.json()["value"]
    assert response.ok, value
    return value


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """A window of WebKit, which has ended when the block is left."""
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if missing:
        pytest.skip(f"needs {' '.join(missing)} (apt-get install {' '.join(missing)})")
    port = free_port()
    address = f"http://{HOST}:{port}"
    processes = {}
    with (folder / "webkit.log").open("wb") as log:
        try:
            processes["screen"] = screen = _start(["Xvfb", "-displayfd", "1", "-nolisten", "tcp"], log, subprocess.PIPE)
            assert screen.stdout
            with screen.stdout as told:
                environment = os.environ | {"DISPLAY": f":{int(told.readline())}", "HOME": str(folder)}
            driver = ["WebKitWebDriver", f"--host={HOST}", f"--port={port}"]
            processes["driver"] = _start(driver, log, log, environment)
            wait_until(lambda: _is_ready(address), what="answer of WebKitWebDriver")
            begun = _answer(requests.post(f"{address}/session", json={"capabilities": {}}, timeout=PATIENCE))
            yield WebKit(f"{address}/session/{begun['sessionId']}")
            _answer(requests.delete(f"{address}/session/{begun['sessionId']}", timeout=PATIENCE))
        finally:
            run.stop(processes)


def _start(
    command: list[str], log: Any, out: Any, environment: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, env=environment, stdout=out, stderr=log, start_new_session=True, preexec_fn=run.end_with_parent
    )


def _is_ready(address: str) -> bool:
    try:
        return bool(_answer(requests.get(f"{address}/status", timeout=PATIENCE))["ready"])
    except requests.ConnectionError:
        return False

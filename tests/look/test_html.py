"""The HTML of every page, as the Nu HTML Checker reads it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from games.enqueue import without_enqueueing
from tests.look.stage import Stage, set_stage
from tests.look.visits import FILES, VISITS

CHECKER = Path(__file__).parents[2] / "tools/checks/node_modules/vnu-jar/build/dist/vnu.jar"
UNKNOWN = "CSS: “paint-order”: Property “paint-order” doesn't exist."
"""What the checker says of styles inside of files to save; the property is of SVG 2."""
MAILBOX = "games.mail.transport.mailbox.MailboxBackend"


@pytest.fixture
def stage(db: None, settings: Settings, tmp_path: Path) -> Iterator[Stage]:
    settings.MAILBOX_DIR = tmp_path / "mailbox"
    with without_enqueueing():
        yield set_stage()


def save_pages(stage: Stage, folder: Path, settings: Settings) -> dict[str, str]:
    """The names of all visits and files, by the file in which the page lies that they got."""
    files = {f"{number}.html": visit for number, visit in enumerate([*VISITS, *FILES])}
    backend = settings.EMAIL_BACKEND
    for file, visit in files.items():
        is_tried_out = visit.who == "operator"
        settings.DEBUG, settings.EMAIL_BACKEND = is_tried_out, MAILBOX if is_tried_out else backend
        answer = stage.answer(visit)
        assert answer.status_code == visit.status, visit
        (folder / file).write_bytes(answer.content)
    return {file: str(visit) for file, visit in files.items()}


def checker(*arguments: str) -> list[str]:
    """How the HTML checker is called; without it the test is skipped, which CI counts as failed."""
    java = shutil.which("java")
    if java is None or not CHECKER.is_file():
        pytest.skip("needs Java and npm (apt-get install default-jre-headless npm, then make judge)")
    return [java, "-jar", str(CHECKER), *arguments]


@pytest.mark.urls("tests.look.wrong")
def test_it_writes_html_without_an_error(stage: Stage, settings: Settings, tmp_path: Path) -> None:
    options = ("--format", "json", "--stdout", "--exit-zero-always", "--skip-non-html", "--filterpattern", UNKNOWN)
    command = checker(*options, str(tmp_path))

    names = save_pages(stage, tmp_path, settings)
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)

    found = json.loads(done.stdout)["messages"]
    told = {f"{names[Path(fault['url']).name]}: {fault['message']} {fault.get('extract', '')!r}" for fault in found}
    assert not told, "\n".join(sorted(told))

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command


@pytest.fixture
def imported(tmp_path: Path) -> Callable[[bytes], str]:
    """What the command says when it reads a file with these bytes."""

    def run(data: bytes) -> str:
        file, said = tmp_path / "games", StringIO()
        file.write_bytes(data)
        try:
            call_command("import_games", str(file), stdout=said)
        except CommandError as error:
            said.write(str(error))
        return said.getvalue().strip()

    return run

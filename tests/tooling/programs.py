"""Programs of the site, each in an environment of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def of_the_site(tmp_path: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a program of the site says in this environment alone."""
    environment = {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "clans_site.settings", **environment}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

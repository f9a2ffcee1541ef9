from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# In pieces, so that this file names none of them.
REGISTRIES = [
    ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"))
]
REQUIREMENT = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)(\[[a-z,-]+\])?==(?P<version>\S+)", re.MULTILINE)


def list_tracked(*options: str) -> list[str]:
    git = ["git", "-c", "safe.directory=*", "ls-files", "-z", *options]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [line for line in listed.split("\0") if line]


def tracked() -> list[Path]:
    return [path for name in list_tracked() if (path := ROOT / name).is_file()]


def requirements(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {found["name"]: found["version"] for found in REQUIREMENT.finditer(text)}


def test_it_names_the_host_of_no_package_registry() -> None:
    named = [path for path in tracked() if any(host.encode() in path.read_bytes() for host in REGISTRIES)]
    assert not named


def test_it_has_no_links_to_files_of_one_machine() -> None:
    assert not [line for line in list_tracked("--stage") if line.startswith("120000")]


def test_it_pins_every_package_with_its_hashes() -> None:
    for name in ("uv", "base", "dev"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text()
        entries = [entry for entry in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE) if entry[0].isalnum()]
        assert entries
        assert all(REQUIREMENT.match(entry) and "--hash=sha256:" in entry for entry in entries)


def test_it_tests_what_it_runs() -> None:
    base, dev = requirements("base"), requirements("dev")
    assert base.items() <= dev.items()

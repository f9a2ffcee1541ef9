from __future__ import annotations

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed as always, only less often."""
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1)

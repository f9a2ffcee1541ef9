from __future__ import annotations

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.cache import cache


@pytest.fixture(autouse=True)
def quick_door(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed as always, only less often; and no test pays for the attempts of another."""
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1)
    cache.clear()

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.hooks.ear import Ear, open_ear


@pytest.fixture
def internal(settings: Settings) -> None:
    """The site calls hosts of its own network, too."""
    settings.WEBHOOK_ALLOW_INTERNAL = True


@pytest.fixture
def ear(internal: None) -> Iterator[Ear]:
    """A host that hears calls."""
    with open_ear() as opened:
        yield opened

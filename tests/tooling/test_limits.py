"""The limits of games/limits.py are those that count, and those that docs/operating.md lists."""

from __future__ import annotations

import re
from pathlib import Path

from allauth.account import app_settings
from allauth.core.internal.ratelimit import parse_rates
from django.conf import settings

from games.limits import COUNTED_BY_ALLAUTH, LIMITS, list_limits

PAGE = Path(__file__).parents[2] / "docs/operating.md"
CALLED = re.compile(r"\b(?:refused\(|limits\.)([A-Z_]+)|\b([A-Z]+_?[A-Z]+)\.rates")


def test_operating_lists_every_limit() -> None:
    """`python -m games.limits` prints the list that belongs there."""
    [section] = re.findall(r"^## Limits\n(.*?)^## ", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert list_limits() in section


def test_allauth_counts_by_no_other_rates() -> None:
    declared = {limit.key for limit in COUNTED_BY_ALLAUTH}
    used = {action for action, rates in app_settings.RATE_LIMITS.items() if rates}
    assert used - declared == {"change_phone", "verify_phone"}, "there are no phones here"
    for limit in COUNTED_BY_ALLAUTH:
        rates = parse_rates(app_settings.RATE_LIMITS[limit.key])
        assert [(rate.amount, rate.duration) for rate in rates] == [(rate.amount, rate.seconds) for rate in limit.rates]
    assert settings.ALLAUTH_TRUSTED_PROXY_COUNT == settings.TRUSTED_PROXIES


def test_each_limit_has_a_name_of_its_own() -> None:
    assert len({limit.key for limit in LIMITS}) == len(LIMITS)

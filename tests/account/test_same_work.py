"""The forms at the door cost the same whether an address has an account: what they answer tells it to nobody, and how
long they take does not either."""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable
from math import erfc, sqrt
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Player
from tests.account.door import sign_in, sign_up
from tests.cast import make_player

pytestmark = pytest.mark.django_db
KNOWN, UNKNOWN = "alice@example.com", "anne1@example.com"
FORMS: dict[str, Callable[[Client, str], Any]] = {
    "sign-up": lambda client, address: sign_up(client, email=address, username="newcomer"),
    "sign-in": lambda client, address: sign_in(client, address, "the-lake-is-warm"),
    "code": lambda client, address: client.post(reverse("account_request_login_code"), {"email": address}),
    "password": lambda client, address: client.post(reverse("account_reset_password"), {"email": address}),
}


def cost(ask: Callable[[Client, str], Any], address: str) -> float:
    """The CPU time of one answer, in seconds."""
    cache.clear()
    client = Client()
    start = time.thread_time()
    ask(client, address)
    taken = time.thread_time() - start
    Player.objects.exclude(email=KNOWN).delete()
    return taken


def costs(ask: Callable[[Client, str], Any], tries: int) -> tuple[list[float], list[float]]:
    """The costs for the known and for the unknown address, by tries that alternate."""
    for address in (KNOWN, UNKNOWN):
        cost(ask, address)
    gc.collect()
    gc.disable()
    try:
        pairs = [(cost(ask, KNOWN), cost(ask, UNKNOWN)) for _ in range(tries)]
    finally:
        gc.enable()
    known, unknown = zip(*pairs, strict=True)
    return list(known), list(unknown)


def chance_of(known: list[float], unknown: list[float]) -> float:
    """How likely two samples differ so much if they are of one kind (Mann-Whitney, two-sided, by the normal
    approximation; no two costs are equal)."""
    ranks = np.argsort(np.argsort(known + unknown)) + 1
    n, m = len(known), len(unknown)
    u = ranks[:n].sum() - n * (n + 1) / 2
    return erfc(abs(u - n * m / 2) / sqrt(n * m * (n + m + 1) / 12) / sqrt(2))


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed in a twentieth of the rounds, so that the rest of a page weighs more than it does live."""
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 50_000)


@pytest.mark.parametrize("form", ["code", "password"])
def test_it_asks_and_renders_the_same(form: str) -> None:
    """The same queries, but for what they look for, and the same templates, those of mails included."""
    make_player("alice")
    done = []
    for address in (KNOWN, UNKNOWN):
        with CaptureQueriesContext(connection) as asked:
            answer = FORMS[form](Client(), address)
        queries = [re.sub(r"'[^']*'", "", query["sql"]) for query in asked if "SAVEPOINT" not in query["sql"]]
        done.append((sorted(queries), sorted(str(template.name) for template in answer.templates)))
    assert done[0] == done[1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("few_rounds")
def test_it_does_about_the_same_work(form: str) -> None:
    make_player("alice")
    known, unknown = costs(FORMS[form], 8)
    assert 0.8 < np.median(known) / np.median(unknown) < 1.25


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("few_rounds")
def test_its_costs_tell_nothing(form: str) -> None:
    """Three runs of 200 each. By chance one run in a hundred looks like a difference, but hardly two of three.

    Asking for a code still differs by a little, which the test of ranks sees: a difference fails here once it is more
    than a quarter of the cost, too.
    """
    make_player("alice")
    runs = [costs(FORMS[form], 200) for _run in range(3)]
    found = [chance_of(*run) for run in runs]
    ratio = np.median([np.median(known) / np.median(unknown) for known, unknown in runs])
    assert sorted(found)[1] >= 0.01 or 0.8 < ratio < 1.25, (found, ratio)


@pytest.mark.parametrize(("shift", "is_seen"), [(0.0, False), (0.1, True)])
def test_it_would_see_a_difference(shift: float, is_seen: bool) -> None:
    rng = np.random.default_rng(1)
    known, unknown = rng.normal(1, 0.1, 200), rng.normal(1 + shift, 0.1, 200)
    assert (chance_of(list(known), list(unknown)) < 0.01) is is_seen

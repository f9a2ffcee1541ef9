"""The forms for signing up and in cost the same whether an address has an account: neither their answers nor how long
they take tell anybody."""

from __future__ import annotations

import gc
import random
import re
import time
from collections.abc import Callable
from math import erfc, sqrt
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from games.models import Player
from tests.account.signing_in import sign_in, sign_up
from tests.cast import make_player

pytestmark = pytest.mark.django_db
KINDS = ("known", "other")
"""Addresses begin with one of these, whether they have an account or not."""
TRIES = 200
FORMS: dict[str, Callable[[Client, str], Any]] = {
    "sign-up": lambda client, address: sign_up(client, email=address, username="newcomer"),
    "sign-in": lambda client, address: sign_in(client, address, "the-lake-is-warm"),
    "code": lambda client, address: client.post(reverse("account_request_login_code"), {"email": address}),
    "password": lambda client, address: client.post(reverse("account_reset_password"), {"email": address}),
}


def make_people(count: int) -> None:
    for number in range(count):
        make_player(f"known{number:03}")


def cost(ask: Callable[[Client, str], Any], address: str) -> float:
    """The CPU time of one answer, in seconds; afterwards nothing has happened."""
    cache.clear()
    client = Client()
    before = transaction.savepoint()
    start = time.thread_time()
    ask(client, address)
    taken = time.thread_time() - start
    transaction.savepoint_rollback(before)
    return taken


def costs(ask: Callable[[Client, str], Any], tries: int) -> tuple[list[float], list[float]]:
    """The costs for known and for unknown addresses, each asked for once, as files in the cache have names by the
    address. They go in pairs; which goes first is drawn by lot, as the second finds memory as the first has left it."""
    for kind in KINDS:
        cost(ask, address_of(kind, 0))
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for number in range(tries):
            for kind in random.sample(KINDS, 2):
                found[kind].append(cost(ask, address_of(kind, number)))
                # Between the tries: what one leaves behind is not to be paid for by the other.
                gc.collect()
    finally:
        gc.enable()
        gc.unfreeze()
    return found["known"], found["other"]


def address_of(kind: str, number: int) -> str:
    return f"{kind}{number:03}@example.com"


def chance_of(known: list[float], unknown: list[float]) -> float:
    """How likely two samples differ so much if they are of one kind (Mann-Whitney, two-sided, by the normal
    approximation; no two costs are equal)."""
    ranks = np.argsort(np.argsort(known + unknown)) + 1
    n, m = len(known), len(unknown)
    u = ranks[:n].sum() - n * (n + 1) / 2
    return erfc(abs(u - n * m / 2) / sqrt(n * m * (n + m + 1) / 12) / sqrt(2))


@pytest.fixture(autouse=True)
def _as_live(settings: Settings) -> None:
    """Mails are written out, as they are for a server."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed in a twentieth of the rounds, so that the rest of a page weighs more than it does live."""
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 50_000)


@pytest.fixture
def fewest_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a hundredth of the rounds, so that the rest weighs more still: 200 tries see smaller differences than 8 do."""
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 10_000)


@pytest.mark.parametrize("form", FORMS)
def test_it_asks_and_renders_the_same(form: str) -> None:
    """The same queries, but for what they look for, and the same templates, those of mails included."""
    make_people(1)
    cost(FORMS[form], "first@example.com")
    done = []
    for address in (address_of(kind, 0) for kind in KINDS):
        with CaptureQueriesContext(connection) as asked:
            answer = FORMS[form](Client(), address)
        queries = [re.sub(r"'[^']*'|\b\d+\b", "", query["sql"]) for query in asked if "SAVEPOINT" not in query["sql"]]
        done.append((sorted(queries), sorted(str(template.name) for template in answer.templates)))
        # Each sign-up keeps its name, whether the address has an account or not.
        Player.objects.exclude(username__startswith="known").delete()
    assert done[0] == done[1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("few_rounds")
def test_it_does_about_the_same_work(form: str) -> None:
    """The least of eight are compared: what else runs on the machine only adds to a cost."""
    make_people(8)
    known, unknown = costs(FORMS[form], 8)
    assert 0.8 < min(known) / min(unknown) < 1.25


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("fewest_rounds")
def test_its_costs_tell_nothing(form: str) -> None:
    """Three runs of 200 each. By chance one run in a hundred looks like a difference, but hardly two of three. Where
    the first two agree, the third would change nothing."""
    make_people(TRIES)
    found = [chance_of(*costs(FORMS[form], TRIES)) for _run in range(2)]
    if sum(chance < 0.01 for chance in found) == 1:
        found.append(chance_of(*costs(FORMS[form], TRIES)))
    assert sum(chance < 0.01 for chance in found) < 2, found


@pytest.mark.parametrize(("shift", "is_seen"), [(0.0, False), (0.1, True)])
def test_it_would_see_a_difference(shift: float, is_seen: bool) -> None:
    rng = np.random.default_rng(1)
    known, unknown = rng.normal(1, 0.1, 200), rng.normal(1 + shift, 0.1, 200)
    assert (chance_of(list(known), list(unknown)) < 0.01) is is_seen

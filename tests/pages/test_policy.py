"""What browsers may do on a page."""

from __future__ import annotations

import re

import pytest
from csp.utils import build_policy
from django.test import Client

from games.models import Game
from tests.pages.helpers import table_url

pytestmark = pytest.mark.django_db

NONCE = re.compile(r' nonce="([^"]+)"')


def directives(policy: str) -> set[str]:
    return set(policy.split("; "))


def test_it_is_the_policy_of_the_settings_with_the_nonce_of_the_page(client: Client, game: Game) -> None:
    seen = set()
    for _look in range(2):
        response = client.get(table_url(game))
        [nonce] = set(NONCE.findall(response.content.decode()))
        assert directives(response["Content-Security-Policy"]) == directives(build_policy(nonce=nonce))
        seen.add(nonce)
    assert len(seen) == 2


def test_it_lets_no_script_run_by_nonce_where_there_is_none(client: Client) -> None:
    response = client.get("/archive/?mine=1")
    assert (response.status_code, response.content) == (302, b"")
    assert directives(response["Content-Security-Policy"]) == directives(build_policy())

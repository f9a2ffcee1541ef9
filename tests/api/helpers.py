"""Programs that read the API."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from games import play
from games.models import Player
from tests.cast import AT

API = "/api/v1/"
PROBLEM = "application/problem+json"


def token_of(player: Player, *, name: str = "") -> str:
    """A new token, under a name that the player has given to no other."""
    return play.make_api_token(player, name=name or f"program {player.api_tokens.count()}", at=AT)


def call(path: str, *, token: str = "", method: str = "GET", **headers: str) -> Any:
    """The answer at a path below `/api/v1/`, to a program that has no cookies."""
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return Client().generic(method, API + path, headers=headers)


def read(path: str, *, token: str = "") -> Any:
    """What is answered, once it is known that it was."""
    response = call(path, token=token)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "application/json; charset=utf-8"
    return json.loads(response.content)


def refuse(path: str, status: int, *, token: str = "", method: str = "GET") -> Any:
    """The problem that is answered."""
    response = call(path, token=token, method=method)
    problem = json.loads(response.content)
    assert (response.status_code, response["Content-Type"], problem["status"]) == (status, PROBLEM, status)
    return problem

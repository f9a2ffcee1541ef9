"""Talk at a table through its pages: say something, and read what the page says."""

from __future__ import annotations

from typing import Any

from django.test import Client

from games.models import Game, Player
from tests.pages.helpers import soup_of, table_url


def write(client: Client, game: Game, player: Player, text: str, **fields: str) -> Any:
    client.force_login(player)
    return client.post(table_url(game, "talk/"), {"say": text, **fields})


def page(client: Client, game: Game, reader: Player | None) -> str:
    """The markup of the table's page; for a visitor if there is no `reader`."""
    client.logout()
    if reader:
        client.force_login(reader)
    return str(client.get(table_url(game)).content.decode())


def said(client: Client, game: Game, reader: Player | None) -> list[str]:
    """What the talk beside the board says."""
    return [item.get_text(" ", strip=True) for item in soup_of(page(client, game, reader)).select("#said > li")]

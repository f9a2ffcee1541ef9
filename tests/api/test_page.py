"""The page of the API: what it says of parameters are whole sentences."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.api.helpers import API
from tests.pages.helpers import soup

pytestmark = pytest.mark.django_db


def test_what_it_says_of_a_parameter_ends_before_its_bounds(client: Client) -> None:
    table = soup(client.get(API)).select("section[aria-labelledby=games] tbody tr")
    said = {row.select("code")[0].get_text(): row.select("td")[-1].get_text() for row in table}
    assert said["winner"] == "Won by. At most 60 letters."
    assert said["moves_from"].startswith("Moves from. ")
    assert all(text.endswith(".") and ".." not in text for text in said.values())


def test_it_leads_to_the_files_that_have_all_games(client: Client) -> None:
    said = soup(client.get(API)).select(".prose")[0].get_text()
    assert f"{reverse('archive_manifest')} lists them" in said


def test_it_tells_the_key_of_a_position_from_the_place_in_a_game(client: Client) -> None:
    page = soup(client.get(API))
    [key] = page.select("section[aria-labelledby=position_games] tbody tr:first-child td:last-child")
    assert "PositionAnswer" in key.get_text()
    assert re.search("such as [0-9a-f]{16}[.]", key.get_text())

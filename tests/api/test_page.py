"""The page of the API: what it says of parameters are whole sentences."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.helpers import API
from tests.pages.helpers import soup

pytestmark = pytest.mark.django_db


def test_what_it_says_of_a_parameter_ends_before_its_bounds(client: Client) -> None:
    table = soup(client.get(API)).select("section[aria-labelledby=games] tbody tr")
    said = {row.select("code")[0].get_text(): row.select("td")[-1].get_text() for row in table}
    assert said["winner"] == "Won by. At most 60 letters."
    assert said["margin_from"].startswith("Margin from. ")
    assert all(text.endswith(".") and ".." not in text for text in said.values())

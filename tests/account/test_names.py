"""Which user names there may be."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from tests.account.door import sign_up, soup, words

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("name", "is_taken"), [("alice", True), ("ALICE", True), ("aline", False)])
def test_it_gives_a_user_name_once(client: Client, alice: Player, name: str, is_taken: bool) -> None:
    sign_up(client, username=name)

    assert Player.objects.filter(email="bob@example.com").exists() is not is_taken


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("bob@example.com", "has no @"),
        ("b" * 31, "At most 30 letters"),
        ("b" * 151, "At most 30 letters"),
        ("ﬃ" * 11, "at most 30 letters"),
        ("b" * 30, None),
        ("Ödön", None),
        ("bob the builder", "made of letters"),
    ],
)
def test_it_refuses_names_that_fit_nowhere(client: Client, name: str, error: str | None) -> None:
    response = sign_up(client, username=name)

    assert (error is None) is Player.objects.filter(username=name).exists()
    assert error is None or error in soup(response).select("#id_username_error")[0].get_text()


@pytest.mark.parametrize(
    ("name", "is_good"),
    [
        ("\N{CYRILLIC SMALL LETTER A}lice", False),
        ("alic\N{CYRILLIC SMALL LETTER IE}_7", False),
        ("\N{GREEK CAPITAL LETTER ALPHA}lice", False),
        ("Алиса", True),
        ("Алиса-7", True),
        ("Αλίκη", True),
        ("アリス桜", True),
        ("Æsa.Þór", True),
    ],
)
def test_it_takes_a_name_of_one_alphabet(client: Client, name: str, is_good: bool) -> None:
    answer = sign_up(client, username=name)
    assert Player.objects.filter(username=name).exists() is is_good
    assert is_good or "keeps to one alphabet" in soup(answer).select("#id_username_error")[0].get_text()


@pytest.mark.parametrize(
    ("name", "kept"), [("\uff22\uff4f\uff42", "Bob"), ("\ufb01n", "fin"), ("Zoe\u0308", "Zo\u00eb")]
)
def test_it_keeps_a_name_in_plain_letters(client: Client, name: str, kept: str) -> None:
    sign_up(client, username=name)
    assert Player.objects.get().username == kept


def test_it_knows_a_taken_name_in_wide_letters(client: Client, alice: Player) -> None:
    assert "has that name already" in words(sign_up(client, username="\uff41lice"))


@pytest.mark.parametrize("name", ["two words", "bob!", "bob/alice", "<b>"])
def test_it_says_what_a_name_is_made_of(client: Client, name: str) -> None:
    assert "made of letters, digits and" in words(sign_up(client, username=name))
    assert not Player.objects.exists()

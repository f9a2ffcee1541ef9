"""Which user names there may be."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from games.models import Player, look_of
from tests.account.signing_in import sign_up, soup, words
from tests.cast import AT, make_player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["account_signup", "account_signup_by_passkey", "rename"])
def test_it_says_beside_the_field_what_a_name_is_made_of(client: Client, alice: Player, page: str) -> None:
    if page == "rename":
        client.force_login(alice)

    form = soup(client.get(reverse(page)))

    field = form.select("#id_name" if page == "rename" else "#id_username")[0]
    [help_text] = form.select(f"#{field['aria-describedby']}")
    assert "at most 30 letters, digits and . + - _ without spaces." in help_text.get_text().lower()
    assert field.get("maxlength") != "30", "browsers would cut a longer name, without a word"


@pytest.mark.parametrize(("name", "is_taken"), [("alice", True), ("ALICE", True), ("aline", False)])
def test_it_gives_a_user_name_once(client: Client, alice: Player, name: str, is_taken: bool) -> None:
    sign_up(client, username=name)

    assert Player.objects.filter(email="bob@example.com").exists() is not is_taken


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("bob@example.com", "looks like the address"),
        ("b" * 31, "At most 30 letters"),
        ("b" * 151, "At most 30 letters"),
        ("ﬃ" * 11, "at most 30 letters"),
        ("b" * 30, None),
        ("Ödön", None),
        ("J.R.", None),
        ("tonight-not", None),
        ("no.7", None),
        ("anna.berg", None),
        ("bob the builder", "made of letters"),
        ("..", "at least one letter or digit"),
        ("+_-", "at least one letter or digit"),
        ("7", None),
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


@pytest.mark.parametrize(
    "name",
    [
        *("www.evil.example", "evil.com", "x.com", "evil.io", "Evil.Co.Uk", "a-b.evil.de.", "bücher.de"),
        *("сайт.рф", "САЙТ.РФ", "сайт.xn--p1ai", "例子.中国", "παράδειγμα.ελ", "ส.คอม", "dr.vermögensberater"),
    ],
)
def test_a_name_is_no_address_of_a_site(client: Client, name: str) -> None:
    """Mail programs would make a link of it in the invitations of that player."""
    assert "looks like the address of a mailbox or of a site" in words(sign_up(client, username=name))
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["tonight", "Back", "_thinking_.", "C4-D1", "c4d1", "2.tonight"])
def test_a_name_is_no_answer_to_a_mail(client: Client, name: str) -> None:
    """Whoever sits at a table with it could not answer its mails so: names there ask for nothing."""
    assert "cannot be a move, nor a word such as tonight" in words(sign_up(client, username=name))
    assert not Player.objects.exists()


HIDDEN = ["\u3164", "\u115f", "\u1160", "\uffa0"]
"""Letters, for Unicode, that leave the place empty where they stand."""


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("name", ["{}", "bob{}", "{}bob", "computer{}1"])
def test_it_refuses_letters_that_nobody_sees(client: Client, name: str, hidden: str) -> None:
    answer = sign_up(client, username=name.format(hidden))
    assert "cannot be seen" in soup(answer).select("#id_username_error")[0].get_text()
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["computer", "Computer1", "c0mputer.2", "former-3", "f0rmer-3"])
def test_it_gives_nobody_a_name_that_stands_for_others(client: Client, name: str) -> None:
    answer = sign_up(client, username=name)
    assert "begin like this" in soup(answer).select("#id_username_error")[0].get_text()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("name", "is_free"),
    [
        ("a1ice", False),
        ("aIice", False),
        ("a\N{LATIN SMALL LETTER DOTLESS I}ice", True),
        ("alice1", True),
        ("\N{CYRILLIC SMALL LETTER ES}\N{CYRILLIC SMALL LETTER A}\N{CYRILLIC SMALL LETTER ER}", False),
    ],
)
def test_it_refuses_a_name_that_looks_like_that_of_another(client: Client, name: str, is_free: bool) -> None:
    for taken in ("alice", "cap"):
        make_player(taken)
    answer = sign_up(client, username=name)
    assert Player.objects.filter(username=name).exists() is is_free
    assert is_free or "looks like" in soup(answer).select("#id_username_error")[0].get_text()


def test_it_refuses_a_second_look_in_the_database_too(alice: Player) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_player("a1ice")


def test_it_lets_those_keep_their_names_who_have_them(alice: Player) -> None:
    """Two names that look alike may be older than the rule: one of them has no look then, and keeps playing."""
    other = make_player("aline")
    Player.objects.filter(pk=other.pk).update(username="a1ice", look=None)
    other.refresh_from_db()
    other.save()
    assert Player.objects.get(pk=other.pk).username == "a1ice"


def test_a_name_that_was_never_confirmed_makes_way_for_one_that_looks_like_it(client: Client) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        sign_up(Client(), email="carol@example.com", username="b0b")
        assert "looks like" in str(soup(sign_up(client)))
        clock.shift(timedelta(minutes=61))
        sign_up(client)
    assert [player.username for player in Player.objects.all()] == ["bob"]


@pytest.mark.parametrize(("letter", "look"), [("m", "rn"), ("W", "w"), ("0", "o"), ("I", "l"), ("ö", "o\u0308")])
def test_it_knows_what_a_letter_looks_like(letter: str, look: str) -> None:
    assert look_of(letter) == look == look_of(look)

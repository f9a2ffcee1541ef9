"""The page on which players mute and block others by name, and take it back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games import play
from games.models import Mute, Player
from tests.cast import AT
from tests.pages.helpers import links, soup, text_of

PAGE = "/preferences/muted/"


def name(client: Client, player: Player, **fields: str) -> Any:
    client.force_login(player)
    return client.post(PAGE, fields)


def listed(client: Client) -> list[str]:
    return [row.get_text(" ", strip=True) for row in soup(client.get(PAGE)).select("li form")]


def test_it_mutes_and_blocks_by_name(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    assert name(client, alice, name="BOB", do="mute").status_code == 303
    assert "You have muted bob." in text_of(client.get(PAGE))
    assert name(client, alice, name=" carol ", do="block").status_code == 303
    assert "You have blocked carol." in text_of(client.get(PAGE))
    assert listed(client) == ["bob muted Unmute bob", "carol blocked Unblock carol Only mute carol"]
    assert {"/players/bob/", "/players/carol/"} <= set(links(client.get(PAGE), "main"))
    assert set(Mute.objects.values_list("player", "other", "blocks")) == {
        (alice.pk, bob.pk, False),
        (alice.pk, carol.pk, True),
    }


def test_a_block_stays_one_and_it_says_so(client: Client, alice: Player, bob: Player) -> None:
    name(client, alice, name="bob", do="mute")
    for do in ("block", "mute"):
        name(client, alice, name="bob", do=do)
        assert "You have blocked bob." in text_of(client.get(PAGE))
    assert Mute.objects.get().blocks


def test_it_goes_by_a_former_name(client: Client, alice: Player, bob: Player) -> None:
    play.rename_player(bob, "robert", at=AT)
    name(client, alice, name="bob", do="block")
    assert listed(client) == ["robert blocked Unblock robert Only mute robert"]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "Fill this in."),
        ("nobody", "There is no player of that name."),
        ("b\u043eb", "There is no player of that name."),  # a Cyrillic o
        ("<b>bob</b>", "There is no player of that name."),
        ("beginner", "There is no player of that name."),
        ("gone", "There is no player of that name."),
        ("bob@example.com", "There is no player of that name."),
        ("alice", "That is you"),
        ("b\x00b", "Leave out the signs that cannot be seen."),
        ("b" * 10_000, "At most 150 letters fit here"),
    ],
)
@pytest.mark.parametrize("do", ["mute", "block"])
def test_it_says_why_nobody_is_muted(
    client: Client, alice: Player, bob: Player, mallory: Player, typed: str, says: str, do: str
) -> None:
    Player.objects.create(username="beginner", email="beginner@example.com")
    former = play.close_account(mallory, at=AT)
    response = name(client, alice, name=former if typed == "gone" else typed, do=do)
    assert response.status_code == 422
    assert says in text_of(response)
    assert not Mute.objects.exists()


def test_a_look_mutes_nobody_and_keeps_the_name_that_a_link_brings(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    [link] = [link for link in links(client.get("/players/bob/"), "main") if link.startswith(PAGE)]
    assert [field["value"] for field in soup(client.get(link)).select("input[name=name]")] == ["bob"]
    assert not Mute.objects.exists()
    assert PAGE not in str(links(client.get("/players/alice/"), "main"))
    client.logout()
    assert PAGE not in str(links(client.get("/players/bob/"), "main"))


@pytest.mark.parametrize("page_for", ["everybody", "nobody"])
@pytest.mark.parametrize(
    ("do", "undo"), [("mute", "You have muted bob. Unmute Block"), ("block", "You have blocked bob. Unblock Only mute")]
)
def test_their_page_says_what_is_set_and_takes_it_back(
    client: Client, alice: Player, bob: Player, page_for: str, do: str, undo: str
) -> None:
    Player.objects.filter(pk=bob.pk).update(page_for=page_for)
    name(client, alice, name="bob", do=do)
    client.get(PAGE)  # says what came of it
    assert text_of(client.get("/players/bob/"), ".page-actions") == undo
    form = {field["name"]: field["value"] for field in soup(client.get("/players/bob/")).select(".page-actions input")}
    taken_back = client.post(PAGE, form)
    assert (taken_back.status_code, taken_back["Location"]) == (303, "/players/bob/")
    assert "Done: they are no longer muted or blocked." in text_of(client.get("/players/bob/"), "body")
    assert text_of(client.get("/players/bob/"), ".page-actions").endswith("Mute or block")
    assert not Mute.objects.exists()


@pytest.mark.parametrize("page", [PAGE, "/players/bob/"])
def test_whoever_is_blocked_can_be_muted_instead(client: Client, alice: Player, bob: Player, page: str) -> None:
    name(client, alice, name="bob", do="block")
    [form] = [form for form in soup(client.get(page)).select("main form") if form.select("[name=who]")]
    fields = {field["name"]: field["value"] for field in form.select("input, button[name]")}
    muted = client.post(str(form["action"]), fields)
    assert (muted.status_code, muted["Location"]) == (303, page)
    assert "You have muted bob." in text_of(client.get(page), "body")
    assert not Mute.objects.get().blocks
    assert "Only mute" not in text_of(client.get(page))


def test_who_is_hidden_is_not_found_by_the_name_of_before(client: Client, alice: Player, bob: Player) -> None:
    play.rename_player(bob, "robert", at=AT)
    Player.objects.filter(pk=bob.pk).update(page_for="nobody")
    name(client, alice, name="robert", do="block")
    client.get(PAGE)
    assert text_of(client.get("/players/robert/"), ".page-actions") == "You have blocked robert. Unblock Only mute"
    assert text_of(client.get("/players/bob/"), ".page-actions").endswith("Mute or block")


def test_who_has_closed_the_account_has_no_page(client: Client, alice: Player, bob: Player) -> None:
    name(client, alice, name="bob", do="block")
    former = play.close_account(bob, at=AT)
    assert listed(client) == [f"{former} blocked Unblock {former} Only mute {former}"]
    assert not [link for link in links(client.get(PAGE), "main") if link.startswith("/players/")]
    client.post(PAGE, {"who": str(bob.pk)})
    assert listed(client) == []

"""The deal that the form of a new table shows before anybody adds words (design 1.6)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games import play, rules
from games.models import Deal, Game, Player
from tests.cast import AT, play_out
from tests.faults import memory
from tests.pages.helpers import hidden, soup, table_url, text_of
from tests.pages.test_new_table import CHOICES, offered_deal

pytestmark = pytest.mark.django_db

FORM = "form.new-table"


def send(client: Client, deal: str, **changes: str) -> Any:
    return client.post("/tables/new/", CHOICES | {"deal": deal} | changes)


def shown(response: Any) -> str:
    return text_of(response, "#offered-deal code")


@pytest.mark.parametrize("bots", ["0", "2"])
def test_the_table_has_the_deal_whose_hash_the_form_showed(client: Client, alice: Player, bots: str) -> None:
    client.force_login(alice)
    page = client.get("/tables/new/")
    assert send(client, hidden(page, FORM)["deal"], bots=bots, words="chosen afterwards").status_code == 303
    game = Game.objects.get()
    deal = game.deal
    assert rules.commitment(bytes(deal.seed), deal.salt_hashes) == deal.commitment == shown(page)
    assert [rules.hash_salt(bytes.fromhex(salt)) for salt in deal.salts] == deal.salt_hashes
    assert shown(page) in text_of(client.get(table_url(game, "deal/")))


def test_the_form_stores_nothing_and_tells_nothing_of_the_seed(client: Client, alice: Player) -> None:
    client.force_login(alice)
    before = memory.dump()
    page = client.get("/tables/new/")
    assert memory.dump() == before
    send(client, hidden(page, FORM)["deal"])
    deal = Deal.objects.get()
    for secret in (bytes(deal.seed).hex(), *deal.salts, *deal.salt_hashes):
        assert secret not in page.content.decode()


def test_each_form_has_a_deal_of_its_own(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert len({offered_deal(client) for _ in range(5)}) == 5


def test_nothing_but_seed_shares_and_commitment_decides_the_draw(client: Client, alice: Player) -> None:
    """The address of the table is drawn after the words have come, so it must not count."""
    client.force_login(alice)
    send(client, offered_deal(client), bots="2")
    game = play_out(Game.objects.get())
    assert game.deal.version == "clans-deal/3"
    Game.objects.filter(pk=game.pk).update(slug="another")
    page = client.get("/tables/another/deal/")
    assert text_of(page, ".verdict") == "The deal was fair."


def test_a_form_that_failed_keeps_its_deal(client: Client, alice: Player) -> None:
    client.force_login(alice)
    deal = offered_deal(client)
    response = send(client, deal, name="")
    assert response.status_code == 422
    assert hidden(response, FORM)["deal"] == deal
    assert shown(response) == deal.partition("-")[2]


def test_a_form_sent_twice_opens_one_table(client: Client, alice: Player) -> None:
    client.force_login(alice)
    deal = offered_deal(client)
    assert send(client, deal, chance="1")["Location"] == send(client, deal, chance="1")["Location"]
    assert Game.objects.count() == 1


def test_no_two_tables_have_one_seed(client: Client, alice: Player) -> None:
    """A form that was changed and sent again keeps what was filled in, and gets another deal."""
    client.force_login(alice)
    deal = offered_deal(client)
    send(client, deal)
    response = send(client, deal, name="Saturday table", words="other words")
    assert response.status_code == 422
    assert "has already opened the table Friday table" in text_of(response, f"{FORM} [role=alert]")
    assert soup(response).select("input[name=name][value='Saturday table']")
    assert soup(response).select("input[name=words][value='other words']")
    fresh = hidden(response, FORM)["deal"]
    assert shown(response) == fresh.partition("-")[2] != deal.partition("-")[2]
    assert send(client, fresh, name="Saturday table").status_code == 303
    assert Deal.objects.values("seed").distinct().count() == Game.objects.count() == 2


def test_the_database_refuses_a_second_table_of_one_deal(alice: Player) -> None:
    """Two changed forms at the same moment pass the check of the form."""
    fixed = play.find_deal(str(play.offer_deal(alice)), opener=alice)
    play.open_table(alice, name="one", size=2, fixed=fixed, at=AT)
    with pytest.raises(play.DealUsed):
        play.open_table(alice, name="two", size=2, fixed=fixed, at=AT)
    assert Game.objects.get().name == "one"


@pytest.mark.parametrize("change", ["missing", "broken", "commitment", "nonce", "of bob"])
def test_a_deal_that_was_not_offered_is_refused(client: Client, alice: Player, bob: Player, change: str) -> None:
    client.force_login(alice)
    deal = offered_deal(client)
    nonce, _dash, commitment = deal.partition("-")
    theirs = str(play.offer_deal(bob))
    sent = {
        "missing": "",
        "broken": "\u0663" * 64,
        "commitment": f"{nonce}-{commitment[::-1]}",
        "nonce": f"{nonce[::-1]}-{commitment}",
        "of bob": theirs,
    }[change]
    response = send(client, sent, words="mine")
    assert response.status_code == 422
    assert "The draw is fixed anew" in text_of(response, f"{FORM} [role=alert]")
    assert soup(response).select("input[name=words][value=mine]")
    assert not Game.objects.exists()
    assert send(client, hidden(response, FORM)["deal"]).status_code == 303


def test_another_player_gets_another_deal_by_the_same_nonce(alice: Player, bob: Player) -> None:
    mine = play.find_deal(str(play.offer_deal(alice)), opener=alice)
    assert mine is not None
    assert play.find_deal(str(play.offer_deal(alice)), opener=bob) is None


def test_a_deal_outlives_a_change_of_the_key(client: Client, alice: Player, settings: Any) -> None:
    client.force_login(alice)
    deal, old = offered_deal(client), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new" * 20, [old]
    assert send(client, deal).status_code == 303
    assert Deal.objects.get().commitment == deal.partition("-")[2]
    settings.SECRET_KEY_FALLBACKS = []
    assert play.find_deal(deal, opener=alice) is None

"""Another name: who can have which, what shows it, and what keeps the old one."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from games import play
from games.models import FormerName, Game, Player
from tests.account.signing_in import sign_up
from tests.cast import AT, make_player, make_table
from tests.pages.helpers import soup, table_url, text_of
from tests.play.test_leaving import rows_with

pytestmark = pytest.mark.django_db
URL = "/preferences/name/"
MONTH = timedelta(days=30)


def names() -> set[str]:
    return set(Player.objects.values_list("username", flat=True))


def test_it_gives_another_name_that_the_old_one_leads_to(her: Client, bob: Player, game: Game) -> None:
    answer = her.post(URL, {"name": "Ysolde"}, follow=True)
    assert answer.redirect_chain == [("/preferences/", 303)]
    assert "You are called Ysolde now." in text_of(answer, ".flashes")
    assert names() == {"Ysolde", "bob", "carol"}
    for address in ("/players/alice/", "/players/ALICE/"):
        assert Client().get(address)["Location"] == "/players/Ysolde/"
    said = text_of(Client().get("/players/Ysolde/"))
    assert said.startswith("Ysolde Formerly alice.")
    assert "Formerly" not in text_of(Client().get("/players/bob/"))


def test_the_old_name_leads_nowhere_if_the_page_is_hidden(her: Client, alice: Player) -> None:
    her.post(URL, {"name": "Ysolde"})
    Player.objects.filter(pk=alice.pk).update(page_for="nobody")
    response = Client().get("/players/alice/")
    assert (response.status_code, response.has_header("Location")) == (403, False)
    assert b"Ysolde" not in response.content
    assert her.get("/players/alice/")["Location"] == "/players/Ysolde/"


def test_games_that_have_begun_keep_the_old_name(her: Client, alice: Player, game: Game) -> None:
    table = make_table(alice, size=4)
    her.post(URL, {"name": "Ysolde"})
    assert game.seats.get(player=alice).name == "alice"
    assert table.seats.get(player=alice).name == "Ysolde"
    page = soup(Client().get(table_url(game)))
    assert "/players/alice/" in [link["href"] for link in page.select(".seats a.who")]
    assert "Ysolde" in text_of(Client().get(table_url(table)), ".seats")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Fill this in."),
        ("alice", "That is your name already."),
        ("bob", "Somebody has that name already."),
        ("BOB", "Somebody has that name already."),
        ("b0b", "Somebody has a name that looks like this one."),
        ("former-7", "closed their account"),
        ("computer 9", "without spaces"),
        ("Computer9", "stand for computer players"),
        ("a@b", "looks like the address"),
        ("C4-D1", "cannot be a move"),
        ("al\u0456ce", "keeps to one alphabet"),
        ("al\u200bice", "letter"),
        ("y" * 31, "At most 30 letters fit here, and these are 31."),
        ("y" * 10_000, "At most 30 letters fit here, and these are 10000."),
        ("rob\x00", "Leave out the signs that cannot be seen."),
        ("rob", "Somebody was called that before"),
        ("r0b", "Somebody was called that before"),
    ],
)
def test_it_refuses_other_names(her: Client, bob: Player, name: str, says: str) -> None:
    rob = make_player("rob")
    play.rename_player(rob, "Tristan", at=AT)
    answer = her.post(URL, {"name": name})
    assert answer.status_code == 422
    assert says in text_of(answer, "#id_name_error")
    assert names() == {"alice", "bob", "Tristan"}
    assert list(FormerName.objects.values_list("name", flat=True)) == ["rob"]


def test_once_in_thirty_days(her: Client, alice: Player) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        assert her.post(URL, {"name": "Ysolde"}).status_code == 303
        clock.shift(MONTH - timedelta(minutes=1))
        her.force_login(alice)
        assert "The next time is" in text_of(her.get(URL))
        late = her.post(URL, {"name": "Enide"})
        assert (late.status_code, names()) == (429, {"Ysolde"})
        assert "You have changed your name within the last 30 days." in text_of(late, "#id_name_error")
        clock.shift(timedelta(minutes=1))
        assert her.post(URL, {"name": "Enide"}).status_code == 303
    assert set(FormerName.objects.values_list("name", flat=True)) == {"alice", "Ysolde"}
    for old in ("alice", "Ysolde"):
        assert Client().get(f"/players/{old}/")["Location"] == "/players/Enide/"


def test_one_can_have_an_old_name_of_ones_own_back(alice: Player, client: Client) -> None:
    play.rename_player(alice, "Ysolde", at=AT)
    client.force_login(alice)
    assert client.post(URL, {"name": "Alice"}).status_code == 303
    assert (names(), [former.name for former in FormerName.objects.all()]) == ({"Alice"}, ["Ysolde"])
    assert client.get("/players/Alice/").status_code == 200


def test_capitals_can_be_changed_at_any_time(her: Client) -> None:
    """That leaves no former name, and another name can be had as soon as before."""
    assert her.post(URL, {"name": "ALICE"}).status_code == 303
    assert (names(), FormerName.objects.count()) == ({"ALICE"}, 0)
    assert her.post(URL, {"name": "Ysolde"}).status_code == 303
    assert "until then you can change capitals alone" in text_of(her.get(URL))
    assert soup(her.get(URL)).select("#id_name")
    assert her.post(URL, {"name": "ysolde"}).status_code == 303
    assert her.post(URL, {"name": "Enide"}).status_code == 429
    assert (names(), FormerName.objects.get().name) == ({"ysolde"}, "ALICE")


@pytest.mark.parametrize("name", ["alice", "ALICE", "a1ice"])
def test_nobody_signs_up_with_an_old_name(client: Client, alice: Player, name: str) -> None:
    play.rename_player(alice, "Ysolde", at=AT)
    answer = sign_up(client, username=name)
    assert "Somebody was called that before" in text_of(answer, "#id_username_error")
    assert names() == {"Ysolde"}


def test_a_sign_up_that_nobody_has_finished_makes_way(her: Client) -> None:
    with time_machine.travel(AT, tick=False):
        sign_up(Client(), username="Ysolde")
    assert her.post(URL, {"name": "Ysolde"}).status_code == 303
    assert names() == {"Ysolde"}


def test_whoever_is_invited_by_an_old_name_is_invited(alice: Player, bob: Player) -> None:
    play.rename_player(bob, "Tristan", at=AT)
    table = make_table(alice)
    assert play.invite(table, by=alice, to="BOB", at=AT).player == bob
    with pytest.raises(play.InvitedAlready):
        play.invite(table, by=alice, to="tristan", at=AT)
    play.close_account(bob, at=AT)
    with pytest.raises(play.NoSuchPlayer):
        play.invite(table, by=alice, to="bob", at=AT)


def test_closing_the_account_removes_all_names(alice: Player, bob: Player, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(name="Aldonza’s and Dulcinea’s table")
    make_table(alice, name="Aldonza, once more")
    play.write_postcard(game, player=bob, text="Aldonza plays well", at=AT)
    play.rename_player(alice, "Aldonza", at=AT)
    play.rename_player(alice, "Dulcinea", at=AT + MONTH)
    play.rename_player(alice, "Altisidora", at=AT + 2 * MONTH)
    play.close_account(alice, at=AT + 2 * MONTH)
    for name in ("aldonza", "dulcinea", "altisidora"):
        assert rows_with(name) == []
    assert not FormerName.objects.exists()
    assert Client().get("/players/Aldonza/").status_code == 404
    sign_up(Client(), username="Aldonza", email="quixote@example.com")
    assert "Aldonza" in names()


def test_it_refuses_a_name_that_is_too_long(her: Client) -> None:
    """Browsers would cut it, and the name would stay for 30 days."""
    assert not soup(her.get(URL)).select("#id_name[maxlength]")
    response = her.post(URL, {"name": "x" * 31})
    assert response.status_code == 422
    assert "At most 30 letters fit here" in text_of(response, ".errorlist")
    assert names() >= {"alice"}

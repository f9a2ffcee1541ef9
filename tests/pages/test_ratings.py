"""Ratings on pages: the list, a player's page, the form of a new table and the page of a table."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.drawing.curve import LEFT, RIGHT
from games.models import FEWEST_RATED, Game, Player, Rating, Seat
from tests.cast import AT, make_game, make_player, make_table, play_out, play_random
from tests.pages.helpers import links, soup, table_url, text_of

pytestmark = pytest.mark.django_db

URL = "/ratings/"


def rate(player: Player, *, mu: float = 25.0, sigma: float = 3.0, games: int = 5) -> Rating:
    """The player's rating after so many games, which led there step by step."""
    rating = Rating(player=player, sigma=sigma)
    for number in range(1, games + 1):
        rating.mu, rating.games, rating.rated_at = 25 + (mu - 25) * number / games, number, AT + timedelta(days=number)
        rating.note_change()
    rating.save()
    return rating


def rows(client: Client, path: str = URL) -> list[str]:
    """The rows of the list as they are seen, without what is only read aloud."""
    found = soup(client.get(path)).select(".ledger tbody tr")
    for row in found:
        for hidden in row.select(".visually-hidden"):
            hidden.remove()
    return [" ".join(row.get_text(" ").split()) for row in found]


def show_to(player: Player, whom: str) -> None:
    Player.objects.filter(pk=player.pk).update(page_for=whom)


# --- The list ------------------------------------------------------------------------------------


def test_it_goes_by_what_a_rating_is_at_least(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    rate(alice, mu=27, sigma=2, games=40)
    rate(bob, mu=30, sigma=7)
    rate(carol, mu=26, sigma=2, games=1040)
    assert rows(client) == ["1 alice 1,560 ± 60 40", "2 carol 1,530 ± 60 1040", "3 bob 1,650 ± 210 5"]
    assert "/players/alice/" in links(client.get(URL))


def test_a_rating_is_read_aloud_in_words(client: Client, alice: Player) -> None:
    rate(alice, mu=27, sigma=2)
    cell = soup(client.get(URL)).select(".ledger td.num")[1]
    [hidden], [read] = cell.select('[aria-hidden="true"]'), cell.select(".visually-hidden")
    assert " ".join(hidden.get_text().split()) == "1,560 ± 60"
    assert read.get_text() == "1,560, give or take 60"


def test_it_says_where_one_stands(client: Client, alice: Player, bob: Player) -> None:
    rate(alice)
    rate(bob, mu=29)
    client.force_login(alice)
    assert rows(client)[1] == "2 alice (you) 1,500 ± 90 5"
    assert [head.get_text() for head in soup(client.get(URL)).select("tr.is-now th")] == ["alice (you)"]


def test_few_games_give_no_place(client: Client, alice: Player, bob: Player) -> None:
    rate(alice, games=FEWEST_RATED - 1)
    assert rows(client) == []
    assert "Nobody has played 5 rated games yet." in text_of(client.get(URL))
    rate(bob, games=FEWEST_RATED)
    assert rows(client) == ["1 bob 1,500 ± 90 5"]


@pytest.mark.parametrize("whom", ["met", "nobody"])
def test_who_does_not_show_the_page_to_all_is_not_in_the_list(
    client: Client, alice: Player, bob: Player, whom: str
) -> None:
    rate(alice)
    rate(bob)
    show_to(alice, whom)
    for reader in (None, alice, bob):
        if reader:
            client.force_login(reader)
        assert len(rows(client)) == 1
        assert "alice" not in " ".join(rows(client))


def test_a_closed_account_is_in_no_list(client: Client, alice: Player, bob: Player) -> None:
    rate(alice)
    rate(bob)
    play.close_account(alice, at=AT)
    assert rows(client) == ["1 bob 1,500 ± 90 5"]


def test_it_has_pages_on_which_places_go_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pages.lists.ratings.PAGE", 2)
    for number in range(5):
        rate(make_player(f"player{number}"), mu=25 - (number // 2))
    seen, path = [], URL
    for _page in range(3):
        seen.append([row.split()[:2] for row in rows(client, path)])
        path = URL + next((link for link in links(client.get(path)) if link.startswith("?at=after")), "")
    assert [place for page in seen for place, _name in page] == list("12345")
    assert [name for page in seen for _place, name in page] == ["player1", "player0", "player3", "player2", "player4"]
    last = client.get(path).content
    assert path == URL
    assert b"player0" in last


@pytest.mark.parametrize("cursor", ["nonsense", "after-1", "after--5-1", "before-99999999999999999-1", "after-\0"])
def test_an_address_that_cannot_be_read_gives_the_first_page(client: Client, alice: Player, cursor: str) -> None:
    rate(alice)
    response = client.get(URL, {"at": cursor})
    assert response.status_code == 200
    assert len(soup(response).select(".ledger tbody tr")) == 1


def test_it_says_how_ratings_work(client: Client) -> None:
    said = text_of(client.get(URL))
    assert "Where somebody has resigned or closed the account" in said
    assert "Players whose page is for everybody. Whoever chooses otherwise in the preferences is rated, too" in said
    assert "The list begins with the player whose rating is very probably the highest." in said


def test_it_costs_the_same_queries_however_many_there_are(
    client: Client, alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (2, 9):
        for number in range(count):
            rate(make_player(f"player{count}x{number}"))
        with django_assert_num_queries(1):
            client.get(URL)


@pytest.mark.parametrize("path", ["/archive/", "/watch/", "/"])
def test_lists_lead_there(client: Client, db: None, path: str) -> None:
    assert f'href="{URL}"' in client.get(path).content.decode()


# --- A player's page -----------------------------------------------------------------------------


def on_page(client: Client, name: str = "alice") -> str:
    return text_of(client.get(f"/players/{name}/"))


def test_a_players_page_has_number_and_curve_and_the_same_as_a_table(client: Client, alice: Player) -> None:
    rate(alice, mu=27, sigma=2, games=8)
    said = on_page(client)
    assert "1,560 ± 60 1,560, give or take 60 after 8 rated games" in said
    assert "Most probably between 1,500 and 1,620" in said
    page = soup(client.get("/players/alice/"))
    section = page.select_one('section[aria-labelledby="rating"]')
    assert section
    assert len(section.select("svg")) == 1
    cells = [
        [" ".join(cell.get_text(" ").split()) for cell in row.select("th, td")] for row in section.select("tbody tr")
    ]
    assert [row[0] for row in cells] == ["8", "7", "6", "5"]
    assert cells[0] == ["8", "10 March 2026", "1,560 ± 60 1,560, give or take 60"]


def test_the_curve_stays_in_its_picture(client: Client, alice: Player) -> None:
    rate(alice, mu=40, sigma=0.5, games=300)
    svg = soup(client.get("/players/alice/")).select_one('section[aria-labelledby="rating"] svg')
    assert svg
    width, height = (float(side) for side in str(svg["viewbox"]).split()[2:])
    points = [
        (float(x), float(y))
        for path in svg.select("path")
        for x, y in re.findall(r"[ML]?(-?[\d.]+) (-?[\d.]+)", str(path["d"]))
    ]
    assert len(points) > 60
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    # From one end of the axis to the other.
    assert (min(x for x, _y in points), max(x for x, _y in points)) == (LEFT, RIGHT)


def test_before_the_fifth_game_a_page_says_only_how_many_there_were(client: Client, alice: Player) -> None:
    assert "Rating" not in on_page(client).replace("Ratings", "")
    rate(alice, mu=30, games=2)
    said = on_page(client)
    assert "2 of 5 rated games that a rating needs have been played." in said
    assert "1,650" not in said
    assert "±" not in said


def test_a_first_number_has_no_curve_yet(client: Client, alice: Player) -> None:
    rate(alice)
    assert "after 5 rated games" in on_page(client)
    assert not soup(client.get("/players/alice/")).select('section[aria-labelledby="rating"] svg')


def test_it_shows_a_game_that_has_just_ended(client: Client, alice: Player, bob: Player) -> None:
    rate(alice, games=4)
    assert "1 of" not in on_page(client, "bob")
    play_out(make_game(alice, bob, is_rated=True))
    assert "after 5 rated games" in on_page(client)
    assert "One of 5 rated games that a rating needs has been played." in on_page(client, "bob")


def test_a_hidden_page_hides_the_rating(client: Client, alice: Player) -> None:
    rate(alice)
    show_to(alice, "nobody")
    assert "1,500" not in on_page(client)


# --- A table -------------------------------------------------------------------------------------


FORM = {
    "name": "Friday table",
    "size": "2",
    "bots": "0",
    "is_public": "yes",
    "pace": "steady",
    "allows_vacation": "yes",
    "overdue": "autopilot",
    "five_clans": "score",
}


def opened(client: Client, player: Player, **changes: str) -> Game:
    client.force_login(player)
    offer = soup(client.get("/tables/new/")).select_one('[name="deal"]')
    assert offer
    response = client.post("/tables/new/", FORM | {"deal": str(offer["value"])} | changes)
    assert response.status_code == 303, text_of(response)
    return Game.objects.latest("pk")


def test_the_form_of_a_new_table_offers_rated_first(client: Client, alice: Player) -> None:
    client.force_login(alice)
    chosen = soup(client.get("/tables/new/")).select('[name="is_rated"][checked]')
    assert [str(choice["value"]) for choice in chosen] == ["yes"]


@pytest.mark.parametrize(
    ("changes", "is_rated"),
    [
        ({"is_rated": "yes"}, True),
        ({"is_rated": "no"}, False),
        ({}, False),
        ({"is_rated": "yes", "is_public": "no"}, False),
        ({"is_rated": "yes", "bots": "1"}, False),
    ],
)
def test_a_table_says_from_the_start_whether_it_is_rated(
    client: Client, alice: Player, changes: dict[str, str], is_rated: bool
) -> None:
    game = opened(client, alice, size="3", **changes)
    assert game.is_rated is is_rated
    assert ("Rated." in text_of(client.get(table_url(game)))) is is_rated
    assert ("Not rated." in text_of(client.get(table_url(game)))) is not is_rated


def test_nobody_can_choose_what_there_is_not(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert client.post("/tables/new/", FORM | {"is_rated": "maybe"}).status_code == 422


def test_a_running_table_and_its_result_say_it(client: Client, alice: Player, bob: Player) -> None:
    plain, rated = make_game(alice, bob), make_game(alice, bob, is_rated=True)
    assert "Not rated." in text_of(client.get(table_url(plain)))
    assert "Rated." in text_of(client.get(table_url(rated)))
    play_out(rated)
    assert "Rated: it counts for the ratings of its players." in text_of(client.get(table_url(rated)))
    resigned = make_game(alice, bob, make_player("dora"), is_rated=True)
    play.resign(resigned, player=alice, at=AT)
    assert "Not rated any more, since a player has left." in text_of(client.get(table_url(resigned)))
    play_out(resigned)
    assert "Not rated, since people did not play it to its end." in text_of(client.get(table_url(resigned)))


def test_playing_again_is_rated_as_before(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    for is_rated in (True, False):
        game = play_out(make_game(alice, bob, is_rated=is_rated))
        [chosen] = soup(client.get(f"/tables/new/?again={game.slug}")).select('[name="is_rated"][checked]')
        assert chosen["value"] == ("yes" if is_rated else "no")


# --- What it does not tell -----------------------------------------------------------------------


def test_two_worlds_cards_of_running_games_change_no_rating_and_no_list(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    for player in (alice, bob, carol):
        rate(player, games=6)
    game = play_random(make_game(alice, bob, carol, is_rated=True), 20)

    def pages() -> list[str]:
        return [text_of(client.get(path)) for path in (URL, "/players/alice/", "/players/bob/")]

    before = pages()
    first, second = game.seats.order_by("number")[:2]
    unused = next(clan for clan in Seat.Clan.values if clan not in set(game.seats.values_list("clan", flat=True)))
    for seat, clan in ((first, unused), (second, first.clan)):  # no two hold the same at any time
        Seat.objects.filter(pk=seat.pk).update(clan=clan)
    play_random(game, 3, seed=4)
    assert pages() == before


def test_games_by_link_leave_no_trace(client: Client, alice: Player, bob: Player) -> None:
    rate(alice)
    rate(bob)
    before = [text_of(client.get(path)) for path in (URL, "/players/alice/")]
    play_out(make_game(alice, bob, is_public=False, is_rated=True))
    make_table(alice, is_public=False, is_rated=True)
    assert [text_of(client.get(path)) for path in (URL, "/players/alice/")] == before

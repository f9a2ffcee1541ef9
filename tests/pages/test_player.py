"""A player's page: results, answer times and games that everybody may see, and who may see the page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import AnswerTimes, Game, Player, Tally
from tests.cast import AT, make_game, make_player, play_out, play_random
from tests.elements import Element
from tests.pages.helpers import links, soup, text_of

pytestmark = pytest.mark.django_db

URL = "/players/alice/"


def page(client: Client, path: str = URL) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return text_of(response)


def names(client: Client, path: str = URL) -> list[str]:
    return [link.get_text() for link in soup(client.get(path)).select(".table-name")]


def results(client: Client, path: str = URL) -> dict[str, list[list[str]]]:
    """The rows of each table of results, by what it is of."""
    tables = soup(client.get(path)).select("#results ~ table")
    return {
        caption.get_text(): [
            [" ".join(cell.get_text().split()) for cell in row.select("th, td")] for row in table.select("tbody tr")
        ]
        for table in tables
        for caption in table.select("caption")
    }


def show_to(player: Player, whom: str) -> None:
    Player.objects.filter(pk=player.pk).update(page_for=whom)


# --- What it says --------------------------------------------------------------------------------


def test_it_says_since_when_and_at_which_pace(client: Client, alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(date_joined=AT)
    play_out(make_game(alice, bob))
    assert "Here since 2 March 2026. Favorite pace: steady." in page(client)


def test_it_has_results_by_seats_and_those_with_computers_apart(client: Client, alice: Player, bob: Player) -> None:
    for size, bots, played, won, points in ((2, False, 4, 1, 130), (3, False, 1, 1, 40), (3, True, 2, 0, 30)):
        Tally.objects.create(
            player=alice, size=size, with_computers=bots, pace="steady", played=played, won=won, points=points
        )
    assert results(client) == {
        "Between people": [
            ["2", "4", "1 (25 %)", "32.5"],
            ["3", "1", "1 (100 %)", "40.0"],
            ["all", "5", "2 (40 %)", "34.0"],
        ],
        "With computer players": [["3", "2", "0 (0 %)", "15.0"]],
    }


def test_it_counts_a_game_that_has_just_ended(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    [row] = results(client)["Between people"]
    seat = game.seats.get(player=alice)
    assert row == ["2", "1", "1 (100 %)" if seat.rank == 1 else "0 (0 %)", f"{seat.total:.1f}"]


def test_it_says_how_many_games_were_given_up(client: Client, alice: Player) -> None:
    Tally.objects.create(player=alice, size=2, with_computers=False, pace="own", resigned=2, abandoned=1)
    said = page(client)
    assert "Resigned from 2 games. One game was abandoned." in said
    assert "No public game has been played to its end yet." in said
    assert "Favorite pace" not in said


def test_it_says_how_i_stand_against_them(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob, is_public=False))
    client.force_login(bob)
    ranks = {seat.name: seat.rank or 0 for seat in game.seats.all()}
    ahead = (int(ranks["bob"] < ranks["alice"]), int(ranks["alice"] < ranks["bob"]))
    assert f"you were ahead in {ahead[0]}, alice in {ahead[1]}, even in {1 - sum(ahead)}." in page(client)
    client.force_login(alice)
    assert f"you were ahead in {ahead[1]}, bob in {ahead[0]}," in page(client, "/players/bob/")
    assert "ahead" not in page(client)


def test_nobody_else_reads_of_games_by_link(
    client: Client, alice: Player, bob: Player, mallory: Player, carol: Player
) -> None:
    def seen() -> list[str]:
        found = [page(client)]
        client.force_login(mallory)
        found.append(page(client))
        client.logout()
        return found

    before = seen()
    play_out(make_game(alice, bob, is_public=False))
    play_random(make_game(alice, carol, is_public=False), 9)
    assert seen() == before


def test_it_says_how_fast_they_answer_on_the_readers_clock(client: Client, alice: Player, bob: Player) -> None:
    counts = [[0] * 65 for _hour in range(24)]
    counts[18][24] = 10  # 45 minutes to an hour, at 18 by UTC
    counts[23][40] = 10  # from 12 hours on
    AnswerTimes.objects.create(player=alice, counts=counts)
    said = page(client)
    quarter = "A quarter of the moves came within 58 minutes after the turn began"
    assert f"{quarter}, half within 64 minutes, three quarters within 15 hours." in said
    rows = [row.get_text(" ", strip=True) for row in soup(client.get(URL)).select("details tbody tr")]
    assert rows == ["18:00 to 18:59 10 58 minutes", "23:00 to 23:59 10 15 hours"]
    assert len(soup(client.get(URL)).select("figure svg rect")) == 2
    assert text_of(client.get(URL), "figcaption") == "Moves by the hour of the day, in UTC"
    Player.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    client.force_login(bob)
    rows = [row.get_text(" ", strip=True) for row in soup(client.get(URL)).select("details tbody tr")]
    assert rows == ["03:00 to 03:59 10 58 minutes", "08:00 to 08:59 10 15 hours"]
    assert text_of(client.get(URL), "figcaption") == "Moves by the hour of the day, on your clock"


def test_it_says_nothing_of_a_few_answers(client: Client, alice: Player) -> None:
    counts = [[0] * 65 for _hour in range(24)]
    counts[3][7] = 4
    AnswerTimes.objects.create(player=alice, counts=counts)
    assert "Answer times" not in page(client)
    counts[3][7] = 5
    AnswerTimes.objects.update(counts=counts)
    assert "Answer times" in page(client)


def test_running_games_tell_nothing_of_answer_times(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    play_random(game, 20)
    assert "Answer times" not in page(client)
    play_out(game)
    assert "Answer times" in page(client)


def test_it_lists_public_games_with_their_boards(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    rows = [
        ("by link", make_game(alice, bob, is_public=False)),
        ("of others", make_game(bob, carol)),
        ("running", make_game(alice, bob)),
        ("over", play_out(make_game(alice, bob))),
        ("over by link", play_out(make_game(alice, bob, is_public=False))),
    ]
    for name, game in rows:
        Game.objects.filter(pk=game.pk).update(name=name)
    assert names(client) == ["running", "over"]
    assert len(soup(client.get(URL)).select(".table-row img")) == 2


def test_it_leads_to_all_finished_games_in_the_archive(client: Client, alice: Player, bob: Player) -> None:
    for number in range(9):
        game = play_out(make_game(alice, bob, at=AT + timedelta(days=number)), seed=number)
        Game.objects.filter(pk=game.pk).update(name=str(number))
    play_out(make_game(bob, make_player("dora")))
    assert len(names(client)) == 8
    assert "/archive/?player=alice" in links(client.get(URL))
    assert len(names(client, "/archive/?player=alice")) == 9


# --- What leads there ----------------------------------------------------------------------------


def leading_there(client: Client, path: str, selector: str) -> set[str]:
    """The names in a part of a page that are links to the pages of players."""
    found = soup(client.get(path)).select(f"{selector} a.who")
    assert all(link["href"] == f"/players/{link.get_text()}/" for link in found)
    return {link.get_text() for link in found}


def test_names_in_lists_lead_there(client: Client, alice: Player, bob: Player) -> None:
    play_out(make_game(alice, bob, bots=1))
    make_game(alice, bob, bots=1)
    play.open_table(alice, name="Waiting", size=3, bots=1, at=AT)
    assert leading_there(client, "/archive/", ".table-who") == {"alice", "bob"}
    assert leading_there(client, "/watch/", ".table-who") == {"alice", "bob"}
    assert leading_there(client, "/?list=open", ".table-who") == {"alice"}


@pytest.mark.parametrize("plies", [9, 60])
def test_names_at_a_table_lead_there(client: Client, alice: Player, bob: Player, plies: int) -> None:
    game = play_random(make_game(alice, bob, bots=1), plies)
    play.close_account(bob, at=AT)
    assert leading_there(client, game.get_absolute_url(), ".seats") == {"alice"}


def test_names_at_an_open_table_lead_there(client: Client, alice: Player) -> None:
    table = play.open_table(alice, name="Waiting", size=3, bots=1, at=AT)
    assert leading_there(client, table.get_absolute_url(), ".seats") == {"alice"}


# --- Who may see it ------------------------------------------------------------------------------


def test_who_may_see_it_is_for_the_player_to_say(client: Client, alice: Player, bob: Player, mallory: Player) -> None:
    play_out(make_game(alice, bob))

    def seen() -> list[int]:
        client.logout()
        found = [client.get(URL).status_code]
        for reader in (mallory, bob, alice):
            client.force_login(reader)
            found.append(client.get(URL).status_code)
        return found

    assert seen() == [200, 200, 200, 200]
    show_to(alice, "met")
    assert seen() == [403, 403, 200, 200]
    show_to(alice, "nobody")
    assert seen() == [403, 403, 403, 200]


def test_players_have_met_when_their_game_has_started(client: Client, alice: Player, bob: Player) -> None:
    show_to(alice, "met")
    client.force_login(bob)
    table = play.open_table(alice, name="Waiting", size=2, at=AT)
    assert client.get(URL).status_code == 403
    play.join_table(table, player=bob, at=AT)
    assert client.get(URL).status_code == 200


@pytest.mark.parametrize("whom", ["met", "nobody"])
def test_a_hidden_page_says_the_same_to_everybody_and_nothing_else(
    client: Client, alice: Player, bob: Player, mallory: Player, whom: str
) -> None:
    play_out(make_game(alice, bob))
    show_to(alice, whom)
    visitors = client.get(URL)
    client.force_login(mallory)
    hidden = client.get(URL)
    sentence = {
        "met": "This player shows their page only to players whom they have met at a table.",
        "nobody": "This player shows their page to nobody.",
    }[whom]
    for page in (visitors, hidden):
        assert text_of(page, "main header > div") == f"alice {sentence}"
    archived = "Public games that are over are in the archive, whoever played them."
    assert text_of(visitors) == f"alice {sentence} {archived} To the first page To the archive"
    assert text_of(hidden) == f"alice {sentence} Mute or block {archived} To your tables To the archive"
    assert links(visitors) == ["/", "/archive/"]
    assert links(hidden) == ["/preferences/muted/?name=alice", "/", "/archive/"]
    assert 'value="alice"' in client.get(links(hidden)[0]).content.decode()


@pytest.mark.parametrize("path", ["/players/nobody/", "/players/a1ice/", "/players/%00/"])
def test_nobody_of_that_name_has_no_page(client: Client, alice: Player, path: str) -> None:
    page = client.get(path)
    assert (page.status_code, "There is no player of that name." in text_of(page)) == (404, True)


def test_a_sign_up_that_nobody_has_finished_is_no_player(client: Client, db: None) -> None:
    """Else the page would tell whether the address of a sign-up has an account."""
    Player.objects.create_user("dora", email="dora@example.com")
    assert client.get("/players/dora/").status_code == 404


def test_a_closed_account_has_a_page_that_says_so(client: Client, alice: Player, bob: Player) -> None:
    play_out(make_game(alice, bob))
    name = play.close_account(alice, at=AT)
    assert client.get(URL).status_code == 404
    response = client.get(f"/players/{name}/")
    assert response.status_code == 403
    assert text_of(response, "main header") == f"{name} Who played under this name has closed the account."
    client.force_login(bob)
    assert links(client.get(f"/players/{name}/")) == ["/", "/archive/"], "there is nobody to mute"


@pytest.mark.parametrize("name", ["Ünal.µ+1", "..x", "Ægir", "a&b".replace("&", "+")])
def test_every_name_has_an_address(client: Client, name: str) -> None:
    player = make_player(name)
    play_random(make_game(player, make_player("other"), at=AT), 3)
    [row] = soup(client.get(f"/players/{name}/")).select(".table-row")
    assert name in row.get_text()


def own_page_links(client: Client) -> list[Element]:
    """Those of the menu of the account."""
    return [link for link in soup(client.get("/rules/")).select(".site-user a") if "Your page" in link.get_text()]


@pytest.mark.parametrize("name", ["erin", "Ödön+2"])
def test_the_menu_of_the_account_leads_to_ones_own(client: Client, name: str) -> None:
    client.force_login(make_player(name))
    [link] = own_page_links(client)
    assert name in text_of(client.get(str(link["href"])), "h1")
    client.force_login(make_player("frank"))
    [link] = own_page_links(client)
    assert "frank" in text_of(client.get(str(link["href"])), "h1")


def test_another_case_leads_to_the_name_as_it_is_written(client: Client, alice: Player) -> None:
    response = client.get("/players/ALICE/")
    assert (response.status_code, response["Location"]) == (302, URL)


def test_search_engines_leave_it_out(client: Client, alice: Player) -> None:
    assert soup(client.get(URL)).select_one('meta[name="robots"][content="noindex"]')


def test_who_sees_it_is_a_preference(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert "Everybody sees this page." in page(client)
    assert URL in links(client.get("/preferences/"))
    client.post("/preferences/", {"time_zone": "UTC", "page_for": "nobody"})
    assert "Nobody but you sees this page." in page(client)
    client.post("/preferences/", {"time_zone": "UTC"})
    alice.refresh_from_db()
    assert alice.page_for == "nobody"
    assert client.post("/preferences/", {"time_zone": "UTC", "page_for": "some"}).status_code == 422


# --- What it costs -------------------------------------------------------------------------------


def test_it_costs_the_same_queries_however_many_games_there_are(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    show_to(alice, "met")
    client.force_login(alice)
    client.force_login(bob)
    for count in (1, 3):
        for number in range(count):
            play_out(make_game(alice, bob), seed=number)
            make_game(alice, bob)
        with django_assert_num_queries(8):
            assert client.get(URL).status_code == 200

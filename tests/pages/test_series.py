"""Series on pages: chosen on the form, shown at its tables and on a page of its own, gone on with by one press."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games import play
from games.models import Game, Notice, Player, Series
from tests.cast import AT, make_game, next_deal, play_out
from tests.made_once import scene
from tests.mail.composed import compose
from tests.pages.helpers import links, soup, table_url, text_of

pytestmark = pytest.mark.django_db

ENDS_SERIES = "An abandoned game ends its series, and counts no points in it."


def begin(opener: Player, other: Player, *, games: int = 3, is_public: bool = True) -> Game:
    game = play.open_table(
        opener, name="Friday", size=2, games=games, terms=play.Terms(is_public=is_public), fixed=next_deal(), at=AT
    )
    play.join_table(game, player=other, at=AT)
    game.refresh_from_db()
    return game


def follow(game: Game) -> Game:
    opened = play.open_next_table(game.series_id or 0, at=AT)
    assert opened is not None
    return opened


def told_by_mail(kind: str) -> str:
    """The text of a mail of that kind that is owed, in one line."""
    return " ".join(compose(Notice.objects.loaded().filter(kind=kind)[0]).body.split())


@pytest.fixture
def over(alice: Player, bob: Player) -> Game:
    return scene("over in a series", lambda: play_out(begin(alice, bob)))


@pytest.fixture
def by_link(alice: Player, bob: Player) -> Game:
    return play_out(begin(alice, bob, is_public=False))


def series_url(game: Game) -> str:
    assert game.series is not None
    return game.series.get_absolute_url()


def fields(client: Client, query: str = "") -> dict[str, str]:
    inputs = soup(client.get(f"/tables/new/{query}")).select("form.new-table input[name]")
    return {
        str(field["name"]): str(field.get("value", ""))
        for field in inputs
        if field.get("type") != "radio" or field.has_attr("checked")
    }


# --- The form ------------------------------------------------------------------------------------


def test_the_form_opens_one_game_unless_more_are_chosen(client: Client, alice: Player) -> None:
    client.force_login(alice)
    sent = fields(client)
    assert sent["games"] == "1"
    for games, length in (("1", None), ("", None), ("2", 2), ("12", 12)):
        response = client.post("/tables/new/", fields(client) | {"games": games, "name": f"Friday {games}"})
        assert response.status_code == 303
        series = Game.objects.latest("pk").series
        assert (series.length if series else None) == length


@pytest.mark.parametrize("games", ["0", "-1", "13", "99", "three", "2.5", "9" * 400, "<b>3</b>"])
def test_a_number_that_is_none_is_refused_and_stays_in_sight(client: Client, alice: Player, games: str) -> None:
    client.force_login(alice)
    page = client.post("/tables/new/", fields(client) | {"games": games})
    assert page.status_code == 422
    assert not Game.objects.exists()
    assert not Series.objects.exists()
    folded = soup(page).select_one("details.disclosure")
    assert folded is not None
    assert folded.has_attr("open")


def test_playing_again_can_be_a_series(client: Client, alice: Player, bob: Player) -> None:
    old = play_out(make_game(alice, bob))
    client.force_login(alice)
    response = client.post(f"/tables/new/?again={old.slug}", fields(client, f"?again={old.slug}") | {"games": "3"})
    game = Game.objects.get(slug=response["Location"].split("/")[2])
    assert (game.follows, game.series and game.series.length, game.series_number) == (old, 3, 1)


# --- Play again by mail --------------------------------------------------------------------------


def test_playing_again_asks_everybody_by_mail_with_a_button_to_the_seat(alice: Player, bob: Player) -> None:
    old = play_out(make_game(alice, bob))
    table = play.open_table(bob, name="Once more", size=2, follows=old, terms=play.Terms(is_public=False), at=AT)
    asked = Notice.objects.get(kind="again")
    assert asked.player == alice
    letter = compose(Notice.objects.loaded().get(pk=asked.pk)).message()
    assert f"/tables/{table.slug}/" in str(letter)
    assert "Look and sit down" in str(letter)


# --- Ready ---------------------------------------------------------------------------------------


def test_the_end_of_a_game_says_that_the_series_goes_on_and_offers_no_other_table(
    client: Client, over: Game, alice: Player
) -> None:
    client.force_login(alice)
    page = client.get(table_url(over))
    assert "The next table is about to be opened." in text_of(page, ".prompt")
    assert "Play again" not in text_of(page, ".prompt")
    follow(over)
    page = client.get(table_url(over))
    assert "The series goes on: to the next table" in text_of(page, ".prompt")
    assert "about to be opened" not in text_of(page, ".prompt")


def test_the_end_of_the_last_game_offers_to_play_again(client: Client, over: Game, alice: Player) -> None:
    Series.objects.update(state=Series.State.OVER)
    client.force_login(alice)
    page = client.get(table_url(over))
    assert "Play again" in text_of(page, ".prompt")
    assert "about to be opened" not in text_of(page, ".prompt")


def test_who_is_about_to_abandon_a_game_reads_that_its_series_ends(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    assert ENDS_SERIES not in text_of(client.get(table_url(make_game(alice, bob))), "#give-up")
    game = begin(alice, bob)
    assert ENDS_SERIES in text_of(client.get(table_url(game)), "#give-up")
    play.agree_to_abandon(game, player=bob, agrees=True, at=AT)
    assert ENDS_SERIES in text_of(client.get(table_url(game)), "#give-up")
    assert ENDS_SERIES in told_by_mail("proposal")


def test_an_abandoned_game_says_that_it_has_ended_its_series(client: Client, alice: Player, bob: Player) -> None:
    game = begin(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    client.force_login(alice)
    assert ENDS_SERIES in text_of(client.get(table_url(game)), ".prompt")
    assert ENDS_SERIES in told_by_mail("finished")


def test_a_game_that_was_played_to_its_end_says_nothing_of_abandoned_ones(
    client: Client, over: Game, alice: Player
) -> None:
    client.force_login(alice)
    assert "abandoned" not in text_of(client.get(table_url(over)))
    assert "abandoned" not in told_by_mail("finished")


def test_one_press_says_ready_and_the_last_one_begins(client: Client, over: Game, alice: Player, bob: Player) -> None:
    table = follow(over)
    client.force_login(alice)
    page = client.get(table_url(table))
    assert "not yet ready" in text_of(page)
    form = soup(page).select_one(f"form[action='{table_url(table)}ready/']")
    assert form is not None
    assert client.post(table_url(table) + "ready/").status_code == 303
    assert "Waiting for the others" in text_of(client.get(table_url(table)))
    client.force_login(bob)
    assert f"{table_url(table)}ready/" in [
        form["action"] for form in soup(client.get(series_url(table))).select("form[action]")
    ]
    assert client.post(table_url(table) + "ready/").status_code == 303
    table.refresh_from_db()
    assert table.status == "running"
    assert "Game 2 of 3 in this series" in text_of(client.get(table_url(table)))


def test_a_get_changes_nothing(client: Client, over: Game, alice: Player) -> None:
    table = follow(over)
    client.force_login(alice)
    assert client.get(table_url(table) + "ready/")["Location"] == table_url(table)
    assert not table.seats.get(player=alice).is_ready


def test_the_first_page_asks_until_one_is_ready(client: Client, over: Game, alice: Player) -> None:
    table = follow(over)
    client.force_login(alice)
    assert table_url(table) in links(client.get("/"), "section[aria-labelledby=asking]")
    assert links(client.get("/")).count(table_url(table)) == 1
    assert text_of(client.get("/"), ".table-turn") == "begins when all are ready"
    play.say_ready(table, player=alice, at=AT)
    assert table_url(table) in links(client.get("/"), "section[aria-labelledby=tables]")
    assert text_of(client.get("/"), ".table-turn") == "begins when all are ready"


def test_who_does_not_go_on_is_asked_first(client: Client, over: Game, bob: Player) -> None:
    table = follow(over)
    client.force_login(bob)
    asked = client.post(table_url(table) + "close/")
    assert "End the series here?" in text_of(asked, "h1")
    assert "End the series here?" in text_of(asked, "title")
    table.refresh_from_db()
    assert table.status == "open"
    assert client.post(table_url(table) + "close/", {"sure": "yes"}).status_code == 303
    assert "not everybody went on" in text_of(client.get(table_url(table)))
    assert "The series ended early" in text_of(client.get(series_url(table)))


def test_others_cannot_end_it_or_be_ready(client: Client, over: Game, mallory: Player) -> None:
    table = follow(over)
    client.force_login(mallory)
    for verb in ("ready", "close"):
        assert client.post(f"{table_url(table)}{verb}/", {"sure": "yes"}).status_code == 403
    table.refresh_from_db()
    assert (table.status, table.seats.filter(is_ready=True).count()) == ("open", 0)


def test_an_open_page_learns_who_is_ready(client: Client, over: Game, alice: Player, bob: Player) -> None:
    table = follow(over)
    client.force_login(alice)

    def version() -> tuple[str, str]:
        page = soup(client.get(table_url(table))).select_one("#table")
        assert page is not None
        return str(page["data-version"]), client.get(str(page["data-poll"])).json()["version"]

    before, polled = version()
    assert before == polled
    play.say_ready(table, player=bob, at=AT)
    after, polled = version()
    assert after == polled != before


# --- The page ------------------------------------------------------------------------------------


def test_it_shows_points_totals_and_who_leads(client: Client, over: Game) -> None:
    follow(over)
    for name, total in (("alice", 20), ("bob", 31)):
        over.seats.filter(name=name).update(total=total)
    page = client.get(series_url(over))
    table = soup(page).select_one("table")
    assert table is not None
    assert [head.get_text() for head in table.select("thead th[scope=col]")] == [
        "Rank", "Player", "Game 1", "Game 2", "Total",
    ]  # fmt: skip
    totals = {seat.name: seat.total for seat in over.seats.all()}
    for row in table.select("tbody tr"):
        name, *points = (cell.get_text() for cell in row.select("th[scope=row], td.num")[1:])
        assert points == [str(totals[name]), "–", str(totals[name])]
    assert "bob leads." in text_of(page)


def test_its_names_lead_to_the_pages_that_there_are(client: Client, alice: Player, bob: Player) -> None:
    game = play.open_table(alice, name="Friday", size=3, bots=1, games=2, at=AT)
    play.join_table(game, player=bob, at=AT)
    game.refresh_from_db()
    assert set(links(client.get(series_url(game)), "tbody")) == {"/players/alice/", "/players/bob/"}
    play.close_account(bob, at=AT)
    page = client.get(series_url(game))
    assert f"former-{bob.pk}" in text_of(page, "tbody")
    assert "computer 1" in text_of(page, "tbody")
    assert links(page, "tbody") == ["/players/alice/"]


def test_it_tells_a_tie(client: Client, over: Game) -> None:
    over.seats.update(total=20)
    page = client.get(series_url(over))
    assert "alice and bob lead together." in text_of(page) or "bob and alice lead together." in text_of(page)
    assert [cell.get_text() for cell in soup(page).select("tbody td.num:first-child")] == ["1", "1"]


def test_one_by_link_is_for_its_players_alone(
    client: Client, by_link: Game, alice: Player, mallory: Player, over: Game
) -> None:
    for player, status in ((None, 404), (mallory, 404), (alice, 200)):
        client.logout()
        if player:
            client.force_login(player)
        assert client.get(series_url(by_link)).status_code == status
        assert client.get(series_url(over)).status_code == 200
        seen = client.get(table_url(by_link)).content.decode()
        assert (series_url(by_link) in seen) is (player is alice)


def test_there_is_none_of_a_slug_that_nobody_has(client: Client) -> None:
    assert client.get("/series/unknownxyz/").status_code == 404


def test_it_costs_few_queries_however_many_games_there_are(
    client: Client, over: Game, alice: Player, bob: Player, django_assert_num_queries: object
) -> None:
    url = series_url(over)
    with django_assert_num_queries(3):  # type: ignore[operator]
        client.get(url)
    table = follow(over)
    for player in (alice, bob):
        play.say_ready(table, player=player, at=AT)
    play_out(table)
    with django_assert_num_queries(3):  # type: ignore[operator]
        client.get(url)


# --- Mails ---------------------------------------------------------------------------------------


def test_mails_say_which_game_it_is_and_how_the_totals_stand(over: Game) -> None:
    follow(over)
    for kind in ("finished", "next"):
        notice = Notice.objects.loaded().filter(kind=kind)[0]
        told = compose(notice).body
        totals = told.partition("Running total: ")[2].partition("\n\n")[0]
        assert f"Game {1 if kind == 'finished' else 2} of 3 in this series." in told
        for seat in over.seats.all():
            # Together where they have the same: `alice and bob 31 each`.
            assert re.search(rf"\b{seat.name}( and \w+)? {seat.total}\b", totals)

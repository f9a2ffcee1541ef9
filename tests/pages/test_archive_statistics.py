"""The statistics of the archive as pages and as a file: what was counted, how sure that is, and no count of its own."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.drawing import Bar, draw_intervals, lines_for
from games.models import ArchiveStatistics, Game, Player
from games.pages.statistics.intervals import hours_until, mean, share
from tests.cast import AT, make_game, play_out
from tests.pages.helpers import soup, soup_of, text_of
from tests.pages.searching import archived

__all__ = ["archived"]
URL, FILE = "/archive/statistics/", "/archive/statistics.csv"


def rows_of(client: Client) -> Iterator[dict[str, Any]]:
    response = client.get(FILE)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    return csv.DictReader(response.content.decode().splitlines())


# --- Intervals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("found", "of"), [(10, 20), (3, 7), (499, 1000), (0, 10), (10, 10), (1, 1)])
def test_it_says_how_sure_a_share_is(found: int, of: int) -> None:
    """Wilson: the shares that are just so far from what was counted as 1.96 standard deviations of their own."""
    value, low, high = share(found, of)
    assert value == found / of
    assert 0 <= low <= value <= high <= 1
    for bound, end in ((low, 0), (high, 1)):
        deviation = 1.959964 * (bound * (1 - bound) / of) ** 0.5
        assert bound == pytest.approx(end, abs=1e-9) or abs(value - bound) == pytest.approx(deviation, abs=1e-6)
    assert (low > 0, high < 1) == (found > 0, found < of)


def test_it_says_how_sure_a_mean_is() -> None:
    values = [30, 40, 50] * 12
    sums = (len(values), sum(values), sum(value * value for value in values))
    # The standard deviation is 8.2808, of the mean 1.38013.
    assert mean(*sums) == pytest.approx((40, 37.29499, 42.70501), abs=1e-4)
    assert mean(*sums, each=2) == pytest.approx((20, 18.64750, 21.35250), abs=1e-4)
    assert mean(3, 120, 5000) == (40, 40, 40)


def test_it_says_how_sure_an_answer_time_is() -> None:
    counts = [0] * 65
    counts[20:30] = [100] * 10
    half, few = hours_until(0.5, counts), hours_until(0.5, [count // 50 for count in counts])
    assert half.low < half.value < half.high
    assert few.value == pytest.approx(half.value)
    assert few.high - few.low > 5 * (half.high - half.low)


def test_it_draws_each_value_in_its_line() -> None:
    bars = [Bar("a<b", "12", 0.3, 0.2, 0.4), Bar("c", "1,200", 0.5, 0.5, 0.5, even=0.6)]
    lines = lines_for(bars)
    assert lines == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6])
    svg = soup_of(draw_intervals(bars, lines=lines, names=["20", "30", "40", "50", "60"])).select_one("svg")
    assert svg["aria-hidden"] == "true"
    assert [text.get_text() for text in svg.select("text")] == ["a<b", "12", "c", "1,200", "20", "30", "40", "50", "60"]
    places = {text.get_text(): text["x"] for text in svg.select("text[x]")}
    assert [dot["cx"] for dot in svg.select("circle")] == [places["30"], places["50"]]
    assert f"M{places['20']} 12H{places['40']}" in str(svg)
    assert svg.select_one("[stroke-dasharray]")["d"].startswith(f"M{places['60']} ")


@pytest.mark.parametrize(
    ("values", "lines"), [([32.0], [30, 31, 32, 33, 34]), ([0.0, 0.0], [0, 0.01]), ([900, 1000], [900, 950, 1000])]
)
def test_it_draws_lines_around_all_values(values: list[float], lines: list[float]) -> None:
    assert lines_for([Bar("", "", value, value, value) for value in values]) == pytest.approx(lines)


# --- Pages -----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_it_says_that_nothing_was_counted(client: Client) -> None:
    assert "Nothing has been counted yet." in text_of(client.get(URL))
    assert list(rows_of(client)) == []
    play.count_archive(at=AT)
    assert "there was no such game" in text_of(client.get(URL))
    assert list(rows_of(client)) == []


@pytest.mark.django_db
def test_it_tells_in_page_and_file_what_was_counted(client: Client, archived: list[Game]) -> None:
    play.count_archive(at=AT)
    page = soup(client.get(URL))
    told = {row["row"]: row for row in rows_of(client) if (row["players"], row["section"]) == ("all", "places")}
    assert [*told] == ["2 1", "2 2", "3 1", "3 2", "3 3"]
    games = [game for game in archived if game.is_public and game.size == 2 and game.end != "abandoned"]
    won = sum(game.seats.get(number=game.first).rank == 1 for game in games)
    first = told["2 1"]
    assert first["unit"] == "share"
    assert int(first["counted"]) == len(games)
    assert [float(first[name]) for name in ("value", "interval_from", "interval_to")] == pytest.approx(
        share(won, len(games)), abs=1e-5
    )
    row = page.select("[aria-labelledby=places] tbody tr")[0]
    assert [cell.get_text() for cell in row.select("th, td")] == [
        "2 seats, 1st",
        str(len(games)),
        f"{100 * won / len(games):.1f} %",
        f"{100 * float(first['interval_from']):.1f} % to {100 * float(first['interval_to']):.1f} %",
    ]
    summaries = [summary.get_text() for summary in page.select("main section summary")]
    assert len({*summaries}) == len(summaries), "each says of which chart it is the table"
    assert len(page.select("figure svg[aria-hidden=true]")) == len(page.select("main table")) > 10


@pytest.mark.django_db
def test_it_tells_of_games_among_people_alone(client: Client, archived: list[Game]) -> None:
    play.count_archive(at=AT)
    rows = [row for row in rows_of(client) if (row["section"], row["row"]) == ("length", "2")]
    counted = {row["players"]: int(row["counted"]) for row in rows}
    people = [game for game in archived if game.is_public and game.size == 2 and not game.has_computers]
    assert counted["people"] == len([game for game in people if game.end != "abandoned"])
    page = soup(client.get(f"{URL}?players=people"))
    shown = page.select("[aria-labelledby=length] tbody tr")[0].select("td")[0].get_text()
    assert int(shown) == counted["people"]
    assert page.select_one("[aria-labelledby=answers]") is None
    for response, of in ((client.get(URL), ""), (client.get(f"{URL}?players=people"), "among people ")):
        lead = f"Counted from all public games {of}that were played to their end."
        assert text_of(response, ".page-head .lead") == lead


@pytest.mark.django_db
def test_it_says_as_of_when(client: Client, archived: list[Game]) -> None:
    play.count_archive(at=AT)
    before = client.get(URL)
    over = len([game for game in archived if game.is_public and game.end != "abandoned"])
    assert f": {over} games." in text_of(before, "[aria-labelledby=how]")
    assert soup(before).select("[aria-labelledby=how] time")[0]["datetime"] == AT.isoformat()


@pytest.mark.django_db
def test_it_does_not_change_by_games_that_end_until_they_are_counted(
    client: Client, archived: list[Game], alice: Player, bob: Player
) -> None:
    play.count_archive(at=AT)
    before = client.get(FILE).content
    play_out(make_game(alice, bob))
    assert client.get(FILE).content == before
    play.count_archive(at=AT + timedelta(days=1))
    assert client.get(FILE).content != before


@pytest.mark.django_db
def test_it_says_that_there_are_more_first_moves(client: Client, archived: list[Game]) -> None:
    play.count_archive(at=AT)
    more = "The 10 most frequent ones of 12."
    assert "most frequent" not in text_of(client.get(URL))
    counted = ArchiveStatistics.objects.get()
    openings = {f"atlas-1 {territory}": [0, 1] for territory in rules.STANDARD.board.names[:12]}
    counted.counts["all"]["shares"]["openings"] = openings
    counted.save()
    for section in ("openings", "opening_wins"):
        assert more in text_of(client.get(URL), f'[aria-labelledby="{section}"] figcaption')


@pytest.mark.django_db
def test_it_writes_large_numbers_as_its_charts_do(client: Client, archived: list[Game]) -> None:
    play.count_archive(at=AT)
    counted = ArchiveStatistics.objects.get()
    counted.counts["all"]["games"] = 12345
    counted.counts["all"]["shares"]["openings"] = {"atlas-1 A1": [0, 1234]}
    counted.save()
    page = client.get(URL)
    assert ": 12,345 games." in text_of(page, "[aria-labelledby=how]")
    assert "1,234" in text_of(page, "[aria-labelledby=opening_wins] svg")
    assert text_of(page, "[aria-labelledby=opening_wins] tbody td") == "1,234"


def test_it_is_found_from_the_archive(client: Client, archived: list[Game]) -> None:
    assert URL in {link["href"] for link in soup(client.get("/archive/")).select("main a")}
    assert FILE in {link["href"] for link in soup(client.get(URL)).select("main a")}


@pytest.mark.django_db
def test_it_costs_one_query(
    client: Client, archived: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play.count_archive(at=AT)
    for address in (URL, FILE):
        with django_assert_num_queries(1):
            assert client.get(address).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "status"), [("all", 200), ("people", 200), ("foo", 400), ("", 400)])
def test_it_refuses_what_it_does_not_know(client: Client, players: str, status: int) -> None:
    assert client.get(URL, {"players": players}).status_code == status

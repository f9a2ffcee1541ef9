"""How the points grew, on the page of a finished game: told from its record alone."""

from __future__ import annotations

import random
from itertools import groupby, pairwise

import pytest
from django.test import Client

from games import play, rules
from games.drawing.chart import ChartNames, apart, draw_chart
from games.models import Player
from games.words import join_words, name_epoch
from tests.cast import AT, make_game, play_out, play_random
from tests.pages.helpers import links, soup, soup_of, table_url, text_of

pytestmark = pytest.mark.django_db


def ahead_in(position: rules.Position) -> list[str]:
    """The clans with most points, if there are any."""
    most = max(position.scores)
    return [clan for clan, score in zip(rules.CLANS, position.scores, strict=True) if score == most > 0]


def test_its_rows_are_the_points_after_each_founding_move(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    record = client.get(f"{game.get_absolute_url()}record.json").json()
    position, told = rules.set_up(game.opening()), []
    for number, move in enumerate(record["moves"], 1):
        written = f"{move['from']}-{move['to']}" + (f"={','.join(order)}" if len(order := move["villages"]) > 1 else "")
        step = rules.play(position, rules.Move.parse(written, game.ruleset.board))
        position = step.position
        if step.villages:
            ahead = join_words(ahead_in(position)) if any(position.scores) else "none"
            told.append([str(number), *map(str, position.scores), ahead, str(position.chips_left)])
    section = soup(client.get(game.get_absolute_url())).select_one("section[aria-labelledby=growth]")
    assert section
    rows = [[cell.get_text() for cell in row.select("th, td")] for row in section.select("tbody tr")]
    assert [[row[0], *row[2:]] for row in rows] == told
    assert {row[1] for row in rows} >= {"I", "II"}
    most = [max(map(int, row[2:7])) for row in rows]
    leaders = [[cell.get_text() for cell in row.select("b")] for row in section.select("tbody tr")]
    assert leaders == [
        [str(high)] * row[2:7].count(str(high)) if high else [] for high, row in zip(most, rows, strict=True)
    ]


def test_its_lines_end_at_the_points_of_the_clans(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    svg = soup(client.get(game.get_absolute_url())).select_one("section[aria-labelledby=growth] svg")
    assert svg
    scores = game.position().scores
    assert [text.get_text() for text in svg.select(".score")] == [str(score) for score in scores]
    lines = {clan: str(svg.select(f"#grew-{clan}")[0]["d"]) for clan in rules.CLANS}
    for clan in rules.CLANS:
        # Rim, outline and color.
        drawn = svg.select(f".grew use[href='#grew-{clan}']")
        assert [use.get("stroke") for use in drawn] == [None, None, f"var(--clan-{clan})"]
    # Each line rises once for each move that brought its clan points.
    before = [rules.set_up(game.opening()).scores, *(step.position.scores for step in game.steps())]
    for place, clan in enumerate(rules.CLANS):
        gains = sum(late[place] != early[place] for early, late in pairwise(before))
        assert lines[clan].count("V") == gains


def test_its_axes_are_named(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    svg = soup(client.get(game.get_absolute_url())).select_one("section[aria-labelledby=growth] svg")
    assert svg
    assert {"points", "moves"} <= {text.get_text() for text in svg.select("text")}


def test_its_strip_shows_who_led_by_marks(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    svg = soup(client.get(game.get_absolute_url())).select_one("section[aria-labelledby=growth] svg")
    assert svg
    after_each = [ahead_in(step.position) for step in game.steps()]
    led = [clan for clans, _moves in groupby(after_each) for clan in clans]
    bars = [name.removeprefix("fill-") for bar in svg.select(".bar") for name in bar.classes if name != "bar"]
    assert bars == led
    assert len(svg.select(".hut-sign")) > len(rules.CLANS)


def test_it_leads_to_the_moves_that_brought_points_and_each_ply_to_its_place(
    client: Client, alice: Player, bob: Player
) -> None:
    game = play_out(make_game(alice, bob))
    section = soup(client.get(game.get_absolute_url())).select_one("section[aria-labelledby=growth]")
    assert section
    address, founding = game.get_absolute_url(), [step.ply + 1 for step in game.steps() if step.villages]
    assert [link["href"] for link in section.select("tbody a")] == [f"{address}ply/{ply}/" for ply in founding]
    assert section.select(".at") == []
    for ply in (0, 7, game.ply):
        there = f"{address}?at={ply}"
        assert f"{there}#growth" in links(client.get(f"{address}ply/{ply}/"))
        assert len(soup(client.get(there)).select("section[aria-labelledby=growth] .at")) == 1


@pytest.mark.parametrize("at", ["", "-1", "999", "1e9", "x", "\u0663"])
def test_it_marks_no_move_that_there_is_not(client: Client, alice: Player, bob: Player, at: str) -> None:
    game = play_out(make_game(alice, bob))
    response = client.get(game.get_absolute_url(), {"at": at})
    assert response.status_code == 200
    assert soup(response).select("section[aria-labelledby=growth] .at") == []


def test_it_names_each_epoch_however_short(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    svg = soup(client.get(game.get_absolute_url())).select_one("section[aria-labelledby=growth] svg")
    assert svg
    positions = [rules.set_up(game.opening()), *(step.position for step in game.steps()[:-1])]
    begun = dict.fromkeys(name_epoch(position.epoch) for position in positions if position.epoch)
    drawn = [text.get_text() for text in svg.select("text") if text.get_text() in {"I", "II", "III", "IV", "V"}]
    assert drawn == [*begun]


@pytest.mark.parametrize("seed", range(12))
def test_it_writes_the_name_of_no_epoch_over_another(seed: int) -> None:
    """Nor over the marks of the clans behind the last move."""
    rng = random.Random(seed)
    start = rules.set_up(rules.random_opening(rng, seats=3))
    position, steps = start, []
    while not position.over:
        steps.append(rules.random_step(position, rng))
        position = steps[-1].position
    names = {number: name_epoch(number) for number in range(1, 6)}
    svg = soup_of(draw_chart(start, steps, epochs=names, names=ChartNames("points", "moves", "ahead")))
    places = []
    for text in svg.select("text"):
        if text.get_text() in names.values():
            half = len(text.get_text()) * (4 if text.get("class") else 6) / 2
            places.append((float(str(text["x"])) - half, float(str(text["x"])) + half))
    places.sort()
    assert all(one[1] < other[0] for one, other in pairwise(places))
    assert places[-1][1] < 418


@pytest.mark.parametrize("heights", [(40, 40, 40, 40, 40), (36, 60, 61, 130, 206), (206, 206, 206, 206, 206)])
def test_its_marks_keep_apart_and_below_the_heading(heights: tuple[float, ...]) -> None:
    places = apart(dict(zip(rules.CLANS, heights, strict=True)), highest=12)
    inward = sorted(places.values())
    assert inward[0] >= 12
    assert inward[-1] <= 206
    assert all(below - above >= 25 for above, below in pairwise(inward))


def test_a_game_that_runs_and_one_without_villages_have_none(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), plies=12)
    assert "How the points grew" not in text_of(client.get(game.get_absolute_url()))
    other = make_game(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(other, player=player, agrees=True, at=AT)
    page = text_of(client.get(other.get_absolute_url()))
    assert "How the points grew" not in page


def test_its_replay_leads_to_a_chart_that_is_there(client: Client, alice: Player, bob: Player) -> None:
    played, abandoned = play_out(make_game(alice, bob)), make_game(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(abandoned, player=player, agrees=True, at=AT)
    for game, has_chart in ((played, True), (abandoned, False)):
        assert bool(soup(client.get(game.get_absolute_url())).select("#growth")) == has_chart
        for ply in {0, game.ply}:
            page = soup(client.get(table_url(game, f"ply/{ply}/")))
            assert bool(page.select("a[href$='#growth']")) == has_chart

"""The rules in plain words, and the worked examples of rules 8 on our own board."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import rules
from games.pages import examples
from games.pages.examples import Example
from tests.pages.helpers import soup, text_of

pytestmark = pytest.mark.django_db


def village_of(example: Example) -> rules.Village:
    """The only village of an example's only step."""
    [step] = example.steps
    [village] = step.villages
    return village


def terrain(territory: str) -> str:
    return rules.BOARD.terrains[rules.BOARD.index[territory]]


def test_it_shows_three_clans_that_score_six_each() -> None:
    village = village_of(examples.mixed_village())  # rules 8.1
    assert dict(zip(rules.CLANS, village.before, strict=True)) == {
        "red": 1,
        "blue": 3,
        "green": 0,
        "yellow": 1,
        "black": 0,
    }
    assert (terrain(village.territory), village.epoch, village.value) == ("forest", 1, 6)
    assert set(village.scored) == {"blue", "yellow", "red"}


def test_it_shows_strife() -> None:
    village = village_of(examples.village_in_strife())  # rules 8.2
    assert sum(village.before) == 9
    assert set(village.strife) == {"green", "yellow", "blue"}
    assert (sum(village.after), set(village.scored)) == (6, {"black", "red"})


def test_it_shows_a_bonus_and_a_doom() -> None:
    favored, doomed = village_of(examples.favored_village()), village_of(examples.doomed_village())  # rules 8.3
    assert (terrain(favored.territory), favored.epoch, favored.bonus) == ("steppe", 3, 3)
    assert (terrain(doomed.territory), doomed.epoch, doomed.value, doomed.doomed) == ("grassland", 2, 0, True)
    assert examples.doomed_village().steps[0].position.chips[0] == 1 + examples.doomed_village().before.chips[0]


def test_it_shows_two_villages_in_two_epochs_as_the_mover_decides() -> None:
    one, other = examples.two_epochs().steps  # rules 8.4
    assert [village.epoch for village in one.villages] == [village.epoch for village in other.villages] == [2, 3]
    assert [village.territory for village in one.villages] == [village.territory for village in other.villages][::-1]
    assert one.position.scores != other.position.scores


def test_it_shows_who_decides_which_village_is_the_twelfth() -> None:
    example = examples.twelfth_village()  # rules 8.5
    assert len(example.before.villages) == 11
    assert [[village.number for village in step.villages] for step in example.steps] == [[12], [12]]
    assert len({step.villages[0].territory for step in example.steps}) == 2


def test_it_shows_the_two_moves_of_a_group_with_four_neighbors() -> None:
    example = examples.two_ways()  # rules 8.6
    center, *around = example.shown
    assert sorted(around) == sorted(rules.BOARD.names[n] for n in rules.BOARD.neighbors[rules.BOARD.index[center]])
    assert len(around) == 4
    assert sum(example.before.huts(name) == 0 for name in around) == 2
    moves = [move for move in rules.legal_moves(example.before) if move.origin == center]
    assert [step.move for step in example.steps] == moves
    assert len(moves) == 2


EXAMPLES = (
    examples.mixed_village,
    examples.village_in_strife,
    examples.favored_village,
    examples.doomed_village,
    examples.two_epochs,
    examples.twelfth_village,
    examples.two_ways,
)


def test_it_draws_every_example_and_says_what_it_shows(client: Client) -> None:
    figures = soup(client.get("/rules/")).select(".plate figure")
    assert len(figures) == sum(1 + len(make().steps) for make in EXAMPLES)
    for figure in figures:
        picture, caption = figure.select_one("svg"), figure.select_one("figcaption")
        assert picture
        assert caption
        assert picture["aria-label"] == caption.get_text()


def test_it_tells_the_numbers_that_the_rules_compute(client: Client) -> None:
    told = text_of(client.get("/rules/"))
    for make in EXAMPLES:
        for village in (village for step in make().steps for village in step.villages if village.scored):
            assert f"{village.value} points for" in told
            assert f"{village.territory} is village {village.number}, in epoch" in told


def test_it_has_a_place_for_every_entry_of_its_contents(client: Client) -> None:
    page = soup(client.get("/rules/"))
    entries = [str(link["href"]) for link in page.select(".rule-contents a")]
    assert len(entries) == len(set(entries)) == len(page.select("section.rule")) == 10
    for entry in entries:
        assert page.select_one(f"section{entry} h2")


def test_it_shows_the_whole_epoch_chart(client: Client) -> None:
    rows = [row.get_text(" ") for row in soup(client.get("/rules/")).select("table.epochs tbody tr")]
    assert len(rows) == len(rules.EPOCHS)
    for row, epoch in zip(rows[:4], rules.EPOCHS, strict=False):
        assert {*epoch.favorable, *epoch.unfavorable, str(epoch.bonus)} <= set(row.split())


def test_it_asks_the_database_nothing_for_a_visitor(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/rules/")

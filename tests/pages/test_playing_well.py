"""How to play well: nine hints, each with a small board on which it comes true."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.test import Client

from games import rules
from games.pages.practice.example_boards import HINTS
from games.pages.practice.examples import Example
from tests.pages.helpers import links, soup
from tests.pages.test_rules_page import village_of, words_of

pytestmark = pytest.mark.django_db

PAGE = "/rules/playing-well/"


def back(example: Example) -> rules.Step:
    """The worked move the other way round."""
    [step] = example.steps
    return rules.play(example.before, rules.Move(step.move.target, step.move.origin))


def huts(counts: tuple[int, ...]) -> Mapping[str, int]:
    return {clan: count for clan, count in zip(rules.CLANS, counts, strict=True) if count}


def test_it_has_nine_hints_each_with_a_board(client: Client) -> None:
    page = soup(client.get(PAGE))
    hints = page.select("section.rule")
    assert [hint.select(".example")[0]["id"] for hint in hints] == [*HINTS]
    assert len(hints) == 9
    for hint in hints:
        assert hint.select("h2")
        assert words_of(hint, ".prose p").endswith(".")
        assert len(hint.select("svg a")) > 3


def test_it_is_found_from_the_first_page_and_the_rules(client: Client) -> None:
    for page in ("/", "/rules/"):
        assert PAGE in links(client.get(page)), page


@pytest.mark.parametrize("key", HINTS)
def test_every_board_is_played_by_links(client: Client, key: str) -> None:
    steps = HINTS[key].make().steps
    ways = soup(client.get(PAGE)).select(f"#{key} .example-ways a")
    assert [way.get_text() for way in ways] == [str(step.move) for step in steps]
    for way, step in zip(ways, steps, strict=True):
        alone = soup(client.get(f"{PAGE}{str(way['href']).replace('#', '&part=1#')}"))
        assert not alone.select("h1")
        assert str(step.move) in words_of(alone, f"#{key} .example-outcome")


def test_one_hut_scores_as_much_as_four() -> None:
    for example in (HINTS["one-hut"].make(), HINTS["gathered-clan"].make()):
        village = village_of(example)
        assert huts(village.after) == {"red": 1, "black": 4}
        assert set(village.scored) == {"red", "black"}
        assert village.value > 0


def test_the_fifth_color_takes_single_huts() -> None:
    village = village_of(HINTS["fifth-color"].make())
    assert all(village.before)
    assert (huts(village.after), set(village.scored)) == ({"red": 2}, {"red"})


def test_a_village_without_red_is_doomed_one_way_and_scores_the_other() -> None:
    example = HINTS["village-without-me"].make()
    [other] = back(example).villages
    assert (village_of(example).doomed, other.doomed) == (True, False)
    assert "red" not in other.scored
    assert other.value > 0


def test_the_epoch_says_which_way_red_moves() -> None:
    example = HINTS["terrain-of-the-epoch"].make()
    [other] = back(example).villages
    assert "red" in village_of(example).scored
    assert village_of(example).bonus > 0
    assert other.doomed


def test_a_village_with_few_neighbors_is_founded_by_one_move() -> None:
    example = HINTS["few-neighbors"].make()
    village = village_of(example)
    neighbors = rules.STANDARD.board.neighbors_of(village.territory)
    assert len(neighbors) <= 3
    assert [name for name in neighbors if example.before.huts(name)] == [example.steps[0].move.origin]
    assert not village.doomed


def test_the_last_village_leaves_four_huts_without_one() -> None:
    example = HINTS["last-village"].make()
    village = village_of(example)
    after = example.steps[0].position
    assert (village.number, after.over) == (12, True)
    assert "black" not in village.scored
    assert [name for name in example.shown if after.huts(name) == 4]
    assert back(example).villages == ()


def test_a_village_that_tells_scores_for_two_clans() -> None:
    assert set(village_of(HINTS["telling-village"].make()).scored) == {"red", "blue"}


@pytest.mark.parametrize("query", ["?try=nothing&part=1", "?try=one-hut&move=A1-Z9&part=1", "?try=two-ways&part=1"])
def test_it_survives_any_address(client: Client, query: str) -> None:
    assert client.get(PAGE + query).status_code == 200

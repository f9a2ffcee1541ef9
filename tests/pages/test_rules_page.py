"""The rules in plain words, and the worked examples of rules 8 on our own board."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import rules, words
from games.pages.practice import examples
from games.pages.practice.example_boards import EXAMPLES
from games.pages.practice.examples import Example
from tests.elements import Element
from tests.pages.helpers import soup

pytestmark = pytest.mark.django_db


def village_of(example: Example) -> rules.Village:
    """The only village of an example's only step."""
    [step] = example.steps
    [village] = step.villages
    return village


def terrain(territory: str) -> str:
    return rules.STANDARD.board.terrains[rules.STANDARD.board.index[territory]]


def test_it_shows_three_clans_that_score_six_each() -> None:
    village = village_of(EXAMPLES["mixed-village"].make())  # rules 8.1
    assert dict(zip(rules.CLANS, village.before, strict=True)) == {
        "red": 1,
        "blue": 3,
        "green": 0,
        "yellow": 1,
        "black": 0,
    }
    assert (terrain(village.territory), village.epoch, village.value) == ("forest", 1, 6)
    assert set(village.scored) == {"blue", "yellow", "red"}


def test_it_shows_a_village_that_others_found_by_walking_away() -> None:
    example = EXAMPLES["walking-away"].make()
    [step] = example.steps
    village = village_of(example)  # rules 4.1
    assert village.territory not in (step.move.origin, step.move.target)
    assert village.before == village.after
    assert example.before.huts(village.territory) == 2


def test_it_says_how_play_goes_round_and_shows_terrains_in_the_colors_of_the_map(client: Client) -> None:
    page = soup(client.get("/rules/"))
    assert "in the order of the seats" in words_of(page, "#moves")
    assert [tile["class"] for tile in page.select("#land .tile")] == [
        f"tile tile-{terrain}" for terrain in rules.TERRAINS
    ]


def test_it_shows_strife() -> None:
    village = village_of(EXAMPLES["village-in-strife"].make())  # rules 8.2
    assert sum(village.before) == 9
    assert set(village.strife) == {"green", "yellow", "blue"}
    assert (sum(village.after), set(village.scored)) == (6, {"black", "red"})


def test_it_shows_a_bonus_and_a_doom() -> None:
    favored, doomed = (
        village_of(EXAMPLES["favored-village"].make()),
        village_of(EXAMPLES["doomed-village"].make()),
    )  # rules 8.3
    assert (terrain(favored.territory), favored.epoch, favored.bonus) == ("steppe", 3, 3)
    assert (terrain(doomed.territory), doomed.epoch, doomed.value, doomed.doomed) == ("grassland", 2, 0, True)
    assert (
        EXAMPLES["doomed-village"].make().steps[0].position.chips[0]
        == 1 + EXAMPLES["doomed-village"].make().before.chips[0]
    )


def test_it_shows_two_villages_in_two_epochs_as_the_mover_decides() -> None:
    one, other = EXAMPLES["two-epochs"].make().steps  # rules 8.4
    assert [village.epoch for village in one.villages] == [village.epoch for village in other.villages] == [2, 3]
    assert [village.territory for village in one.villages] == [village.territory for village in other.villages][::-1]
    assert one.position.scores != other.position.scores


def test_it_shows_who_decides_which_village_is_the_twelfth() -> None:
    example = EXAMPLES["twelfth-village"].make()  # rules 8.5
    assert len(example.before.villages) == 11
    assert [[village.number for village in step.villages] for step in example.steps] == [[12], [12]]
    assert len({step.villages[0].territory for step in example.steps}) == 2


def test_it_shows_the_two_moves_of_a_group_with_four_neighbors() -> None:
    example = examples.two_ways()  # rules 8.6
    center, *around = example.shown
    assert sorted(around) == sorted(
        rules.STANDARD.board.names[n] for n in rules.STANDARD.board.neighbors[rules.STANDARD.board.index[center]]
    )
    assert len(around) == 4
    assert sum(example.before.huts(name) == 0 for name in around) == 2
    moves = [move for move in rules.legal_moves(example.before) if move.origin == center]
    assert [step.move for step in example.steps] == moves
    assert len(moves) == 2


def test_it_shows_who_can_move_beside_settled_groups() -> None:
    example = examples.standing_stones()  # rules 3.2 and 3.3
    largest, *others = (example.before.huts(name) for name in example.shown)
    assert (largest, sorted(filter(None, others))) == (8, [2, 7])
    assert {step.move.origin for step in example.steps} == {
        move.origin for move in rules.legal_moves(example.before) if move.target == example.shown[0]
    }
    assert len(example.steps) == 2


def example_after(client: Client, key: str, move: str) -> Element:
    """The example alone, after a reader has tried the move."""
    return soup(client.get("/rules/", {"try": key, "move": move, "part": "1"}))


def words_of(example: Element, selector: str) -> str:
    return " ".join(" ".join(found.get_text(" ") for found in example.select(selector)).split())


@pytest.mark.parametrize("key", EXAMPLES)
def test_it_lets_every_territory_of_a_plate_be_chosen(client: Client, key: str) -> None:
    example = soup(client.get("/rules/")).select_one(f"#{key}")
    assert example
    assert {link["data-territory"] for link in example.select("svg a")} == {*EXAMPLES[key].make().shown}
    assert all(str(link["href"]).endswith(f"#{key}") and link["aria-label"] for link in example.select("svg a"))


@pytest.mark.parametrize("key", EXAMPLES)
def test_it_plays_the_worked_moves_and_tells_what_the_rules_compute(client: Client, key: str) -> None:
    ways = soup(client.get("/rules/")).select(f"#{key} .example-ways a")
    steps = EXAMPLES[key].make().steps
    assert [way.get_text() for way in ways] == [str(step.move) for step in steps]
    for way, step in zip(ways, steps, strict=True):
        example = soup(client.get(f"/rules/{way['href']}")).select_one(f"#{key}")
        assert example
        told = words_of(example, ".example-outcome")
        assert str(step.move) in told
        for village in step.villages:
            assert f"{village.territory} is village {village.number}, in epoch" in told
            assert not village.scored or f"{village.value} points for" in told
        assert not example.select("svg a")
        assert len(example.select("svg .village")) == len(step.villages)


def test_it_plays_other_moves_too(client: Client) -> None:
    worked = EXAMPLES["mixed-village"].make().steps[0]
    other = rules.play(worked_before("mixed-village"), rules.Move(worked.move.target, worked.move.origin))
    [village] = other.villages
    told = words_of(example_after(client, "mixed-village", str(other.move)), ".example-outcome")
    assert village.value != worked.villages[0].value
    assert f"{village.territory} ({village.value} points for" in told


def worked_before(key: str) -> rules.Position:
    return EXAMPLES[key].make().before


@pytest.mark.parametrize("key", EXAMPLES)
def test_it_says_in_plain_words_why_a_move_is_refused(client: Client, key: str) -> None:
    example = EXAMPLES[key].make()
    legal = {(move.origin, move.target) for move in rules.legal_moves(example.before)}
    refused = 0
    for origin in example.shown:
        for target in example.shown:
            said = words_of(example_after(client, key, f"{origin}-{target}"), ".example-refusal")
            assert bool(said) != ((origin, target) in legal)
            if said:
                refused += 1
                with pytest.raises(rules.IllegalMove) as error:
                    rules.play(example.before, rules.Move(origin, target))
                assert said == str(error.value)
    assert refused > 10


@pytest.mark.parametrize("key", ["two-epochs", "twelfth-village"])
def test_it_asks_for_the_founding_order_where_it_matters(client: Client, key: str) -> None:
    steps = EXAMPLES[key].make().steps
    move = steps[0].move._replace(order=())
    example = example_after(client, key, str(move))
    choices = example.select(".targets a")
    assert len(choices) == len(steps) == 2
    assert len(example.select("svg .mark-founding")) == 2
    assert not example.select(".example-outcome")
    for choice, step in zip(choices, steps, strict=True):
        assert f"move={step.move}" in str(choice["href"])
        assert words.describe_gain(worked_before(key), step.position) in choice.get_text()


@pytest.mark.parametrize(
    "query",
    [
        {"try": "two-ways", "move": "L5"},
        {"try": "two-ways", "move": "A3-L5"},
        {"try": "two-ways", "move": "<b>"},
        {"try": "two-ways", "move": "A3-A2=B1,B2"},
        {"try": "nothing", "move": "A3-A2"},
        {"try": "nothing", "part": "1"},
        {"move": "A3-A2"},
        {"part": "1"},
    ],
)
def test_it_stays_a_page_whatever_is_asked(client: Client, query: dict[str, str]) -> None:
    response = client.get("/rules/", query)
    assert response.status_code == 200
    assert len(soup(response).select(".example")) == len(EXAMPLES)
    assert not soup(response).select(".example-outcome")
    assert b"<b>" not in response.content


def test_it_changes_one_plate_alone(client: Client) -> None:
    before, after = soup(client.get("/rules/")), soup(client.get("/rules/", {"try": "two-ways", "move": "A3"}))
    changed = [key for key in EXAMPLES if str(before.select_one(f"#{key}")) != str(after.select_one(f"#{key}"))]
    assert changed == ["two-ways"]
    alone = soup(client.get("/rules/", {"try": "two-ways", "move": "A3", "part": "1"})).select_one("#two-ways")
    assert str(alone) == str(after.select_one("#two-ways"))


def test_it_has_a_place_for_every_entry_of_its_contents(client: Client) -> None:
    page = soup(client.get("/rules/"))
    entries = [str(link["href"]) for link in page.select(".contents a")]
    assert len(entries) == len(set(entries)) == len(page.select("section.rule")) == 11
    for entry in entries:
        assert page.select_one(f"section{entry} h2")


def test_it_shows_the_whole_epoch_chart(client: Client) -> None:
    rows = [row.get_text(" ") for row in soup(client.get("/rules/")).select("table.epochs tbody tr")]
    assert len(rows) == len(rules.STANDARD.version.epochs)
    for row, epoch in zip(rows[:4], rules.STANDARD.version.epochs, strict=False):
        assert {*epoch.favorable, *epoch.unfavorable, str(epoch.bonus)} <= set(row.split())


def test_it_asks_the_database_nothing_for_a_visitor(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/rules/")

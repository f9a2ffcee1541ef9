"""The committed map against its specification (rules 9), computed from the board and from what is drawn."""

from collections import Counter
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from shapely import LineString, Point, Polygon, unary_union

from tools.mapgen.regions import half_side, reading_order
from tools.mapgen.survey import Survey

LETTERS = "ABCDEFGHIJKL"
TERRAINS = ("forest", "mountain", "steppe", "grassland")


def test_it_has_60_territories_in_12_regions_of_5(survey: Survey) -> None:
    assert list(survey.rows) == [f"{letter}{number}" for letter in LETTERS for number in range(1, 6)]
    assert list(survey.territories) == list(survey.rows)
    assert all(row["region"] == name[0] for name, row in survey.rows.items())


def test_it_keeps_each_region_in_one_piece(survey: Survey) -> None:
    for names in survey.regions.values():
        assert nx.is_connected(survey.graph.subgraph(names))


def test_it_has_every_terrain_in_each_region_and_one_twice(survey: Survey) -> None:
    twice = []
    for names in survey.regions.values():
        kinds = Counter(survey.rows[name]["terrain"] for name in names)
        assert set(kinds) == set(TERRAINS)
        twice += [kind for kind, count in kinds.items() if count == 2]
    assert Counter(twice) == dict.fromkeys(TERRAINS, 3)
    assert Counter(row["terrain"] for row in survey.rows.values()) == dict.fromkeys(TERRAINS, 15)


def test_it_lists_neighbors_both_ways(survey: Survey) -> None:
    for name, row in survey.rows.items():
        assert row["neighbors"] == sorted(set(row["neighbors"]) - {name})
        assert all(name in survey.rows[other]["neighbors"] for other in row["neighbors"])


def test_it_has_3_to_8_neighbors_each_and_130_to_150_borders(survey: Survey) -> None:
    degrees = [len(row["neighbors"]) for row in survey.rows.values()]
    assert min(degrees) >= 3
    assert max(degrees) <= 8
    assert 260 <= sum(degrees) <= 300


def test_it_stays_in_one_piece_when_any_one_territory_is_taken_away(survey: Survey) -> None:
    for name in survey.rows:
        rest = survey.graph.copy()
        rest.remove_node(name)
        assert nx.is_connected(rest), name


def test_it_makes_neighbors_of_those_that_share_a_tenth_of_a_typical_border(survey: Survey) -> None:
    sharing = {pair for pair, length in survey.lengths.items() if length >= 0.1}
    assert sharing == {(min(edge), max(edge)) for edge in survey.graph.edges}


def test_it_leaves_nothing_between_clearly_touching_and_clearly_apart(survey: Survey) -> None:
    """Borders are a third of a typical one at least; others keep a quarter of it apart, and never meet in a point."""
    assert min(survey.lengths.values()) >= 0.35
    assert min(survey.gaps.values()) >= 0.25


def test_it_has_one_stretch_of_border_between_two_neighbors(survey: Survey) -> None:
    assert {survey.pieces(*pair) for pair in survey.meetings} == {1}


def test_it_covers_the_land_without_overlap_or_hole(survey: Survey) -> None:
    faces = [*survey.territories.values(), *survey.lakes.values()]
    assert all(face.is_valid for face in faces)
    assert isinstance(survey.land, Polygon)
    assert not survey.land.interiors
    assert survey.land.area == pytest.approx(sum(face.area for face in faces), rel=1e-9)


def test_it_keeps_sizes_within_a_factor_of_2(survey: Survey) -> None:
    areas = [territory.area for territory in survey.territories.values()]
    assert max(areas) <= 2 * min(areas)


def test_it_has_about_10_lakes_of_different_sizes_inland_and_at_the_edge(survey: Survey) -> None:
    sizes = [lake.area for lake in survey.lakes.values()]
    assert 8 <= len(sizes) <= 12
    assert max(sizes) >= 2.5 * min(sizes)
    at_the_edge = [
        lake for lake in survey.lakes.values() if lake.boundary.intersection(survey.land.boundary).length > 0
    ]
    assert len(at_the_edge) >= 2
    assert len(sizes) - len(at_the_edge) >= 4


def test_it_parts_territories_by_lakes(survey: Survey) -> None:
    """Across a lake two territories are not neighbors (rules 1.3): lakes lie beside more than two, each alone."""
    for lake in survey.lakes.values():
        around = [name for name, shape in survey.territories.items() if shape.intersection(lake).length > 0]
        assert len(around) >= 3
    for one, other in combinations(survey.lakes.values(), 2):
        assert one.distance(other) > 0.25 * survey.typical


def test_it_runs_rivers_between_regions_from_a_lake_to_a_lake_or_the_edge(survey: Survey) -> None:
    regions = [survey.union(names).boundary for names in survey.regions.values()]
    between = unary_union([one.intersection(other) for one, other in combinations(regions, 2)])
    assert len(survey.rivers) >= 5
    for river in survey.rivers:
        assert river.is_simple
        assert river.difference(between.buffer(0.01)).length == pytest.approx(0, abs=0.05)
        first, last = (waters_at(survey, river, end) for end in (0, -1))
        assert first
        assert last
        assert first != last


def waters_at(survey: Survey, river: LineString, end: int) -> set[str]:
    """Lakes (or the edge of the map) at an end of a river."""
    spot = Point(river.coords[end])
    waters = {name for name, lake in survey.lakes.items() if lake.distance(spot) < 0.01}
    return waters or ({"edge"} if survey.land.boundary.distance(spot) < 0.01 else set())


def test_it_gives_rivers_a_natural_course_and_varying_width(survey: Survey) -> None:
    for river, drawn in zip(survey.rivers, survey.outlines["rivers"], strict=True):
        direct = Point(river.coords[0]).distance(Point(river.coords[-1]))
        assert river.length > 1.02 * direct
        assert max(drawn["widths"]) >= 1.3 * min(drawn["widths"])
    for one, other in combinations(survey.rivers, 2):
        assert one.distance(other) > 0


def test_it_letters_regions_and_numbers_territories_in_reading_order(survey: Survey) -> None:
    assert survey.regions_in_reading_order() == list(LETTERS)
    rows = survey.outlines["territories"]
    for letter, names in survey.regions.items():
        spots = {name: tuple(rows[name]["huts"]) for name in names}
        in_order = reading_order(spots, half_side([shape.area for shape in survey.territories.values()]))
        assert in_order == [f"{letter}{number}" for number in range(1, 6)]


def test_it_keeps_room_for_huts_and_name_in_each_territory(survey: Survey) -> None:
    water = unary_union(survey.beds)
    for name, territory in survey.territories.items():
        ground = territory.difference(water)
        row = survey.outlines["territories"][name]
        huts, label = Point(row["huts"]).buffer(row["radius"]), survey.name_place(name)
        assert row["radius"] >= 30, name
        assert ground.contains(huts), name
        assert ground.contains(label), name
        assert huts.distance(label) > 0, name


def test_it_lies_within_the_sheet(survey: Survey) -> None:
    left, top, right, bottom = survey.land.bounds
    assert left > 0
    assert top > 0
    assert right < survey.outlines["width"]
    assert bottom < survey.outlines["height"]


def test_it_looks_grown_and_not_cut_from_a_grid(survey: Survey) -> None:
    """Borders bend, and territories differ in number of sides and in roundness."""
    bends = [_bend(line["points"]) for line in survey.outlines["lines"]]
    assert sum(bend > 1.01 for bend in bends) > len(bends) / 2
    roundness = [12.566 * shape.area / shape.length**2 for shape in survey.territories.values()]
    assert max(roundness) - min(roundness) > 0.15
    assert len({len(row["neighbors"]) for row in survey.rows.values()}) >= 4


def _bend(points: list[list[int]]) -> float:
    """Length of a line over the distance of its ends."""
    line = LineString(points)
    return float(line.length / Point(points[0]).distance(Point(points[-1])))


def test_it_has_the_epoch_chart_of_the_rules(board: dict[str, Any]) -> None:
    assert [epoch["chips"] for epoch in board["epochs"]] == [4, 3, 2, 2, 1]
    assert [epoch["bonus"] for epoch in board["epochs"]] == [1, 2, 3, 4, 5]
    assert board["epochs"][4]["favorable"] == list(TERRAINS)
    for side in ("favorable", "unfavorable"):
        assert sorted(epoch[side][0] for epoch in board["epochs"][:4]) == sorted(TERRAINS)

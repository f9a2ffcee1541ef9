"""Says where a map misses the specification (rules 9) and, of maps that meet it, which promise most."""

from collections import Counter
from collections.abc import Iterator

import networkx as nx
from shapely import Polygon

from tools.mapgen.survey import Survey
from tools.mapgen.terrains import TERRAINS

SURE_BORDER, SURE_GAP = 0.35, 0.25  # in units of a typical border
LEAST_RADIUS = 31


def faults(survey: Survey) -> list[str]:
    """Where a map misses the specification; empty when it meets all of it."""
    return [*_board_faults(survey), *_drawing_faults(survey)]


def _board_faults(survey: Survey) -> Iterator[str]:
    degrees = [degree for _, degree in survey.graph.degree]
    borders = survey.graph.number_of_edges()
    if not 130 <= borders <= 150:
        yield f"{borders} borders"
    if min(degrees) < 3 or max(degrees) > 8:
        yield f"{min(degrees)} to {max(degrees)} neighbors"
    if not nx.is_biconnected(survey.graph):
        yield "the land falls apart"
    kinds = Counter(row["terrain"] for row in survey.rows.values())
    if any(kinds[terrain] != 15 for terrain in TERRAINS):
        yield f"terrains {kinds}"
    if not all(nx.is_connected(survey.graph.subgraph(names)) for names in survey.regions.values()):
        yield "a region falls apart"


def _drawing_faults(survey: Survey) -> Iterator[str]:
    if survey.size_ratio() > 2:
        yield f"size ratio {survey.size_ratio():.2f}"
    if min(survey.lengths.values()) < SURE_BORDER:
        yield f"border {min(survey.lengths.values()):.2f}"
    if min(survey.gaps.values()) < SURE_GAP:
        yield f"gap {min(survey.gaps.values()):.2f}"
    if any(survey.pieces(*pair) > 1 for pair in survey.meetings):
        yield "a border in two pieces"
    if not isinstance(survey.land, Polygon) or survey.land.interiors:
        yield "the land has holes"
    faces = [*survey.territories.values(), *survey.lakes.values()]
    if abs(sum(face.area for face in faces) - survey.land.area) > 0.01:
        yield "faces overlap"
    if len(survey.rivers) < 5:
        yield f"{len(survey.rivers)} rivers"
    if min(row["radius"] for row in survey.outlines["territories"].values()) < LEAST_RADIUS:
        yield "no room for huts"
    if survey.regions_in_reading_order() != sorted(survey.regions):
        yield "regions out of order"


def worth(survey: Survey) -> float:
    """How promising a fit map is, to put seeds in order before people look at them."""
    radii = [row["radius"] for row in survey.outlines["territories"].values()]
    degrees = {degree for _, degree in survey.graph.degree}
    alike = sum(survey.rows[a]["terrain"] == survey.rows[b]["terrain"] for a, b in survey.graph.edges)
    return float(
        4 * min(survey.gaps.values())
        + 3 * min(survey.lengths.values())
        + (min(radii) - LEAST_RADIUS) / 2
        - abs(survey.graph.number_of_edges() - 140) / 10
        - abs(len(survey.rivers) - 9) / 3
        + len(degrees) / 4
        - alike / 10
    )

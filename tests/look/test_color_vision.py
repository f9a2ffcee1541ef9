"""Whether the five clans can be told apart by color alone, for all kinds of eyes (each also has its mark).

How a color is seen is computed by three published models: Machado, Oliveira and Fernandes, "A Physiologically-based
Model for Simulation of Color Vision Deficiency" (IEEE TVCG 15, 2009); Brettel, Viénot and Mollon, "Computerized
simulation of color appearance for dichromats" (JOSA A 14, 1997); Viénot, Brettel and Mollon (Color Res. Appl. 24,
1999), which has no tritanopia. How far apart two colors are is CIEDE2000; about 2 is the least that is noticed.
"""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from coloraide import Color

from games.rules import CLANS, TERRAINS
from tests.look.test_paper_and_ink import COLOR, STATIC, TOKENS, contrast, themes
from tools.mapgen.ground import DAY, NIGHT

EYES = ("protan", "deutan", "tritan")
MODELS = [(eye, model) for eye in EYES for model in ("machado", "brettel")] + [
    ("protan", "vienot"),
    ("deutan", "vienot"),
]
APART = 16
THEMES = ("day", "night", "contrast")
WHITE = dict(COLOR.findall(TOKENS.split(":root[lang")[1].split("}")[0]))["clan-black"]


def colors_of(theme: str) -> dict[str, str]:
    """The tokens of a theme; those of high contrast where it sets none are those of the day."""
    if theme != "contrast":
        return themes()[theme]
    block = TOKENS.split("prefers-contrast: more")[1].split("@media")[0]
    return themes()["day"] | dict(COLOR.findall(block))


@pytest.mark.parametrize("fifth", ["black", "white"])
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("eye", "model"), [("", ""), *MODELS])
def test_it_tells_the_clans_apart_by_color(eye: str, model: str, theme: str, fifth: str) -> None:
    colors = {clan: colors_of(theme)[f"clan-{clan}"] for clan in CLANS}
    if fifth == "white":
        colors["black"] = WHITE
    seen = {clan: as_seen(color, eye, model) for clan, color in colors.items()}

    alike = [(one, other) for one, other in combinations(CLANS, 2) if apart(seen[one], seen[other]) < APART]

    assert alike == []


def as_seen(color: str, eye: str, model: str) -> Color:
    return Color(color).filter(eye, method=model).clip("srgb") if eye else Color(color)


def apart(one: Color, other: Color) -> float:
    return float(one.delta_e(other, method="2000"))


def test_it_would_notice_clans_that_look_alike() -> None:
    """A red and a green as far apart as any for most people, and one color for some."""
    red, green = "#c22f23", "#2f8a45"
    assert apart(Color(red), Color(green)) > 60
    assert apart(as_seen(red, "deutan", "machado"), as_seen(green, "deutan", "machado")) < APART


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("terrain", TERRAINS)
def test_it_shows_where_a_hut_ends_on_every_terrain(terrain: str, theme: str) -> None:
    """A hut has a dark outline and a light rim around it: one of them stands out wherever it is put."""
    colors, ground = colors_of(theme), (NIGHT if theme == "night" else DAY)[terrain]
    assert max(contrast(colors[f"clan-{line}"], ground) for line in ("outline", "rim")) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_it_shows_each_line_of_the_chart_of_points(theme: str) -> None:
    """As around a hut, one of the two strokes below a line stands out on the page."""
    strokes = re.findall(
        r"\.grew(?: use:nth-child\(2\))? \{\s*stroke: var\(--(clan-\w+)\)", (STATIC / "table.css").read_text()
    )
    assert strokes == ["clan-rim", "clan-outline"]
    assert max(contrast(colors_of(theme)[stroke], colors_of(theme)["paper"]) for stroke in strokes) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_it_shows_the_mark_on_every_roof(theme: str) -> None:
    board = (STATIC / "board.css").read_text()
    rule = re.search(r"((?:\.sign-\w+,?\s*)+)\{\s*fill: var\(--clan-outline\)", board)
    assert rule
    colors, dark = colors_of(theme), set(re.findall(r"sign-(\w+)", rule[1]))
    signs = {clan: colors["clan-outline" if clan in dark else "clan-rim"] for clan in CLANS}
    faint = [clan for clan in CLANS if contrast(signs[clan], colors[f"clan-{clan}"]) < 4.5]
    assert faint == []
    assert contrast(colors["clan-outline"], WHITE) >= 4.5


@pytest.mark.parametrize(("theme", "ground"), [("day", DAY), ("night", NIGHT)])
def test_it_shows_terrains_on_the_chart_as_on_the_map(theme: str, ground: dict[str, str]) -> None:
    colors = themes()[theme]
    assert {terrain: colors[f"terrain-{terrain}"] for terrain in TERRAINS} == {
        terrain: ground[terrain] for terrain in TERRAINS
    }
    assert [terrain for terrain in TERRAINS if contrast(colors["ink"], colors[f"terrain-{terrain}"]) < 3] == []

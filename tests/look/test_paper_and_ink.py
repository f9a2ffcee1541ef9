"""What can be computed of the look: contrast by day and by night, colors that agree, files that are there, weight."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from clans_site.minified import MINIFIERS
from games.rules import CLANS
from tools import clans

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "games/static/games"
TOKENS = (STATIC / "tokens.css").read_text()
COLOR = re.compile(r"--([\w-]+): (#[0-9a-f]{3,6});")
BOTH = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
COLORED = re.compile(r"(?<![\w-])(?:color|background(?:-color)?):")
STYLES = sorted(STATIC.glob("*.css"))

COPIES = (
    "games/static/games/clans.svg",
    "games/static/games/vignette.svg",
    "games/static/games/maps/atlas-1/small.svg",
    "games/drawing/small_board.py",
    "templates/mail/_style.css",
)
"""Files that repeat the colors of the clans: they can have no variables."""

PAPERS = ("paper", "paper-deep", "paper-field", "accent-paper", "danger-paper")
INKS = ("ink", "ink-soft", "accent", "danger")


def themes() -> dict[str, dict[str, str]]:
    """The colors of day, night and print."""
    screen, printed = TOKENS.split("@media print")
    screen, _white_clan = screen.split(":root[lang")
    always, both = dict(COLOR.findall(screen)), BOTH.findall(screen)
    day = always | {name: color for name, color, _night in both}
    night = always | {name: color for name, _day, color in both}
    return {"day": day, "night": night, "print": day | dict(COLOR.findall(printed))}


def luminance(color: str) -> float:
    digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.2, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["day", "night", "print"])
def test_it_can_be_read(theme: str) -> None:
    colors = themes()[theme]

    faint = [(ink, paper) for ink in INKS for paper in PAPERS if contrast(colors[ink], colors[paper]) < 4.5]

    assert faint == []
    assert contrast(colors["clan-outline"], colors["clan-rim"]) > 10


def media(sheet: str) -> list[tuple[str, str]]:
    """The queries of a stylesheet with their blocks, which hold rules of one level."""
    return re.findall(r"@media ([^{]+) \{((?:[^{}]|\{[^{}]*\})*)\}", sheet)


def test_words_change_their_colors_at_no_width_but_44rem() -> None:
    """So that axe need not judge the colors of the phones in tests/browser/looking.py beside those of other widths."""
    found = [query for style in STYLES for query, block in media(style.read_text()) if COLORED.search(block)]
    assert {query for query in found if "width" in query or "orientation" in query} == {"(width < 44rem)"}


def test_it_changes_nothing_by_night_but_colors() -> None:
    """A token is written once, with its colors of day and night. Of the images of a map one or the other is seen."""
    texts = {style.name: style.read_text() for style in STYLES}
    told = ("prefers-color-scheme", "light-dark(", "data-theme")
    assert [name for name, text in texts.items() if any(word in text for word in told)] == ["tokens.css"]
    assert len(BOTH.findall(TOKENS)) == TOKENS.count("light-dark(") > 10
    chosen = re.findall(r"\[data-theme=\"(\w+)\"\] \{([^{}]*)\}", TOKENS)
    day, night = "--day: inline; --night: none;", "--day: none; --night: inline;"
    assert chosen == [("day", f" color-scheme: light; {day} "), ("night", f" color-scheme: dark; {night} ")]
    assert TOKENS.count("data-theme") == len(chosen)
    assert re.findall(r"@media \(prefers-color-scheme: dark\) \{\s*:root \{ (.*) \}", TOKENS) == [night]
    assert TOKENS.count("prefers-color-scheme") == 1


@pytest.mark.parametrize("theme", ["day", "night"])
def test_it_shows_where_fields_end_and_where_the_focus_is(theme: str) -> None:
    colors = themes()[theme]

    faint = [
        (line, paper)
        for line in ("line-strong", "focus")
        for paper in PAPERS
        if contrast(colors[line], colors[paper]) < 3
    ]

    assert faint == []


def test_whatever_was_refused_is_told_in_the_color_of_danger() -> None:
    """A refusal that looks like news may be taken for "done"."""
    texts = [path.read_text() for path in (ROOT / "templates").rglob("*.html")]
    alerts = [tag for text in texts for tag in re.findall(r'<\w+[^>]*role="alert"[^>]*>', text) if "class=" in tag]

    assert len(alerts) > 8
    assert [tag for tag in alerts if "notice-danger" not in tag and "form-errors" not in tag] == []


@pytest.mark.parametrize("file", COPIES)
def test_it_has_the_colors_of_the_clans_everywhere(file: str) -> None:
    text = (ROOT / file).read_text()

    assert [clan for clan in CLANS if themes()["day"][f"clan-{clan}"] not in text] == []


def test_it_draws_the_huts_beside_words_as_those_on_the_board() -> None:
    assert clans.CLANS.read_text("utf-8") == clans.draw_clans()


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_it_fetches_only_files_that_are_there(style: Path) -> None:
    names = re.findall(r'url\("?([^")]+)"?\)', style.read_text())

    assert [name for name in names if not (STATIC / name).is_file()] == []


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_it_keeps_every_rule_in_a_layer(style: Path) -> None:
    """A rule outside of the layers would win over all of them."""
    text = re.sub(r"/\*.*?\*/", "", style.read_text(), flags=re.DOTALL)
    outside = re.sub(r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}", "{}", text)

    heads = {head.strip() for head in re.split(r"\{\}|;", outside) if head.strip()}

    assert {head for head in heads if not head.startswith(("@layer", "@font-face"))} == set()


def test_it_names_the_choice_of_text_as_every_browser_does() -> None:
    """Safari knows `user-select` with its prefix alone, and all others know that name, too."""
    names = [name for style in STYLES for name in re.findall(r"[\w-]*user-select(?=:)", style.read_text())]

    assert set(names) == {"-webkit-user-select"}


def test_it_has_a_license_for_every_font() -> None:
    licenses = "".join(path.read_text() for path in (STATIC / "fonts").glob("OFL-*.txt"))
    told = (STATIC / "fonts/README.md").read_text()

    assert licenses.count("SIL Open Font License, Version 1.1") >= 2
    for font in (STATIC / "fonts").glob("*.woff2"):
        assert re.sub(r"(-italic)?(-ext)?$", "", font.stem) + "*.woff2" in told


def test_it_weighs_little() -> None:
    files = [*STYLES, *STATIC.glob("*.js")]
    served = [MINIFIERS[path.suffix](path.read_text("utf-8")) for path in files]

    assert sum(len(gzip.compress(text.encode())) for text in served) <= 38_000


def test_nothing_asks_what_the_whole_page_has() -> None:
    """Chromium looks again for each `:has()` of the body, or of any element, whenever something comes or goes."""
    asks = re.compile(r"^\s*(?:html|body|main|\*|:root|\.page(?:-wide)?)?:has\(.*", re.MULTILINE)
    assert [asked for style in STYLES for asked in asks.findall(style.read_text())] == []

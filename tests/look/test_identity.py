"""The name, the mark and the colors by which the site is known outside of its pages: in tabs and on home screens."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.pages.helpers import soup

STATIC = Path(__file__).parent.parent.parent / "games/static/games"
MANIFEST = json.loads((STATIC / "manifest.json").read_text(encoding="utf-8"))
TOKENS = (STATIC / "tokens.css").read_text(encoding="utf-8")


def paper(scheme: str) -> str:
    """The color of the paper by day or by night."""
    [(day, night)] = re.findall(r"--paper: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", TOKENS)
    return str({"light": day, "dark": night}[scheme])


def size_of(png: Path) -> tuple[int, int]:
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/", "/rules/", "/accounts/login/", "/nowhere/"])
def test_it_has_a_name_a_mark_and_a_color_on_every_page(client: Client, page: str) -> None:
    head = soup(client.get(page)).select_one("head")
    assert head
    [title] = head.select("title")
    assert re.fullmatch(r".+ · Clans by mail", title.get_text())
    for relation in ("icon", "apple-touch-icon", "manifest"):
        [link] = head.select(f"link[rel={relation}]")
        assert finders.find(str(link["href"]).removeprefix("/static/")), relation
    colors = {str(color["media"]): color["content"] for color in head.select("meta[name=theme-color]")}
    assert colors == {f"(prefers-color-scheme: {scheme})": paper(scheme) for scheme in ("light", "dark")}


def test_it_has_icons_of_the_sizes_that_it_names() -> None:
    sizes = {icon["src"]: icon["sizes"] for icon in MANIFEST["icons"]}
    drawn = {name: size_of(STATIC / name) for name in sizes if name.endswith(".png")}
    assert {name: f"{wide}x{high}" for name, (wide, high) in drawn.items()} == {
        name: size for name, size in sizes.items() if name.endswith(".png")
    }
    assert drawn["icon-180.png"] == (180, 180)
    assert all((STATIC / name).is_file() for name in sizes)


def test_it_has_the_color_of_its_paper_on_home_screens() -> None:
    assert MANIFEST["background_color"] == MANIFEST["theme_color"] == paper("light")
    assert MANIFEST["name"] == "Clans by mail"

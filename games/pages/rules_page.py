"""The rules in plain words, with every worked example drawn; its numbers are computed by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_safe

from games import rules, words
from games.pages import examples, margin
from games.pages.drawing import draw_mini, draw_sprite
from games.pages.examples import Example
from games.pov import SeatPov


@dataclass(frozen=True, slots=True)
class Picture:
    drawing: SafeString
    caption: str


@dataclass(frozen=True, slots=True)
class Plate:
    """A worked example: before the move, and what each way to move or to choose makes of it."""

    title: str
    pictures: tuple[Picture, ...]


@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    """The same for everybody; its plates are drawn once for each language."""
    about = {
        "epochs": margin.epoch_rows(rules.Position.parse("seats=2")),
        "plates": plates(get_language() or ""),
        "sprite": draw_sprite(),
        "terrains": {terrain: words.name_terrain(terrain) for terrain in rules.TERRAINS},
        "clans": {clan: words.name_clan(clan) for clan in rules.CLANS},
    }
    return render(request, "games/rules.html", about)


@lru_cache(maxsize=20)
def plates(language: str) -> dict[str, Plate]:
    """All worked examples (rules 8) by name; `language` is the active one."""
    return {
        "two_ways": _ways(examples.two_ways()),
        "mixed_village": _plate(_("Three clans, one village"), examples.mixed_village()),
        "village_in_strife": _plate(_("Five clans, two of them left"), examples.village_in_strife()),
        "favored_village": _plate(_("The right place at the right time"), examples.favored_village()),
        "doomed_village": _plate(_("A doomed village"), examples.doomed_village()),
        "two_epochs": _plate(_("One move, two villages, two epochs"), examples.two_epochs()),
        "twelfth_village": _plate(_("One chip left for two"), examples.twelfth_village()),
    }


def _plate(title: str, example: Example) -> Plate:
    """Before the move, and after it for each way to choose."""
    origin, target, _order = example.steps[0].move
    before = _("Before: all huts of %(origin)s will go to %(target)s.") % {"origin": origin, "target": target}
    after = (_after(step, example.shown) for step in example.steps)
    return Plate(title, (_draw(example.before, example.shown, before), *after))


def _after(step: rules.Step, shown: tuple[str, ...]) -> Picture:
    told = " ".join(words.explain_village(village, _players()) for village in step.villages)
    return _draw(step.position, shown, told, last=step)


def _ways(example: Example) -> Plate:
    """The moves that one group has."""
    center, *around = example.shown
    empty = [name for name in around if not example.before.huts(name)]
    places = {"name": center, "neighbors": len(around), "empty": words.join_words(empty)}
    title = _("Two ways out of %(name)s") % places
    start = _("%(name)s has %(neighbors)d neighbors, of which %(empty)s are empty.") % places
    pictures = [_draw(example.before, example.shown, start)]
    for step in example.steps:
        way = _("So its huts can go to %(target)s.") if len(pictures) == 1 else _("Or they can go to %(target)s.")
        pictures.append(_draw(step.position, example.shown, way % {"target": step.move.target}, last=step))
    return Plate(title, tuple(pictures))


def _draw(position: rules.Position, shown: Iterable[str], caption: str, last: rules.Step | None = None) -> Picture:
    return Picture(draw_mini(position, tuple(shown), title=caption, last=last), caption)


def _players() -> list[SeatPov]:
    """Who plays in the examples."""
    return [
        SeatPov(
            number=number,
            name=name,
            is_bot=False,
            has_resigned=False,
            is_opener=False,
            is_mine=False,
            is_to_move=False,
            agrees_to_abandon=False,
            chips=0,
            clan="",
            score=None,
            total=None,
            rank=None,
        )
        for number, name in enumerate(("alice", "bob", "carol"))
    ]

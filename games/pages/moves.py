"""What a page holds so that choosing and previewing a move need no request: every legal move, and what it would do."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext as _

from games import rules
from games.drawing.outlines import outlines
from games.pages.ask import OrderLine, TargetLine, order_lines, plan_sentences
from games.pages.draft import Draft, weigh
from games.pov import Pov, SeatPov

PATTERN = {
    "draft": Draft("_origin_", "_target_"),
    "origin": "_huts_",
    "targets": [TargetLine("?from=_origin_&to=_target_", "_huts_", "_outcome_", "_origin_-_target_")],
    "orders": [OrderLine(value="_order_", text="_text_", gain="_gain_", is_chosen=False)],
    "plan": ["_sentence_"],
}
"""A draft of placeholders: a script makes any other of it, by putting texts in place of what underscores enclose."""


def moves_data(seen: Pov, position: rules.Position) -> SafeString:
    """The block `#moves` that games/static/games/choose.js reads: made once for each position and language."""
    return _data(get_language() or "", position, seen.seats) if seen.is_my_turn else _nothing(get_language() or "")


@lru_cache(maxsize=256)
def origins(position: rules.Position) -> frozenset[str]:
    """The territories out of which somebody may move; kept for the next reader."""
    return frozenset(move.origin for move in rules.legal_moves(position))


@lru_cache(maxsize=64)
def _data(_language: str, position: rules.Position, seats: tuple[SeatPov, ...]) -> SafeString:
    moves = rules.legal_moves(position)
    targets: dict[str, str] = {}
    for move in moves:
        targets[move.origin] = f"{targets[move.origin]} {move.target}" if move.origin in targets else move.target
    drafts = ((move, weigh(move, position)) for move in moves)
    founding = {str(move): _founding(draft, position, seats) for move, draft in drafts if _founds(draft)}
    return json_script(_static() | {"targets": targets, "founding": founding}, "moves", encoder=Compact)


@lru_cache(maxsize=8)
def _nothing(_language: str) -> SafeString:
    return json_script(_static() | {"targets": {}, "founding": {}}, "moves", encoder=Compact)


class Compact(DjangoJSONEncoder):
    """Without blanks, which are a kilobyte here."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**(options | {"separators": (",", ":")}))


def _static() -> dict[str, Any]:
    """Where huts stand on the board, and sentences with places to fill in."""
    return {
        "spots": {name: (*land.huts, land.radius) for name, land in outlines().territories.items()},
        "words": {
            "to": _("To %(target)s") % {"target": "_huts_"},
            "release": _("Let go of %(huts)s") % {"huts": "_huts_"},
            "released": _("Let go."),
            "targets": _("Targets: %(names)s.") % {"names": "_names_"},
            "nothing": _("This founds no village."),
            "stays": _("%(huts)s. Not to be chosen now.") % {"huts": "_huts_"},
            "take": _("Take %(target)s as number %(number)s") % {"target": "_huts_", "number": "_number_"},
            "giveBack": _("Number %(number)s: %(target)s. Take it back") % {"target": "_huts_", "number": "_number_"},
        },
    }


def _founds(draft: Draft) -> bool:
    return bool(draft.orders or (draft.step and draft.step.villages))


def _founding(draft: Draft, position: rules.Position, seats: tuple[SeatPov, ...]) -> dict[str, Any]:
    """What a move would found: where, what is to be said of it, and the founding orders with what each scores."""
    says = plan_sentences(draft, position, seats, is_mine=True)
    if not draft.orders:
        return {"at": [village.territory for village in draft.step.villages] if draft.step else [], "says": says}
    return {
        "at": draft.isolated,
        "says": says,
        "epochs": [village.epoch for village in draft.orders[0].villages],
        "orders": [(line.value, line.text, line.gain) for line in order_lines(draft, position)],
    }

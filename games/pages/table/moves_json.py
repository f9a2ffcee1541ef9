"""What a page holds so that choosing and previewing a move need no request: every legal move, and what it would do."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules, words
from games.caching import cached
from games.pages.table.board_view import CROWD
from games.pages.table.choices import OrderLine, TargetLine, order_lines, plan_sentences
from games.pages.table.draft import BETWEEN, Draft, weigh
from games.pov import Pov, SeatPov


class Pattern(NamedTuple):
    """What a page shows about a draft."""

    draft: Draft
    origin: str
    targets: tuple[TargetLine, ...]
    orders: tuple[OrderLine, ...]
    plan: tuple[str, ...]
    question: str


PATTERN = Pattern(
    Draft("_origin_", "_target_"),
    "_huts_",
    (TargetLine("?from=_origin_&to=_target_", "_huts_", "_outcome_", "_origin_-_target_"),),
    (OrderLine(value="_order_", text="_text_", gain="_gain_", is_chosen=False),),
    ("_sentence_",),
    "_question_",
)
"""A draft of placeholders: a script makes any other draft of it, by replacing what underscores enclose."""


def moves_data(pov: Pov, position: rules.Position) -> SafeString:
    """The block `#moves` that games/static/games/draft.js reads; empty for anyone who is not to move."""
    return _data(position, pov.seats) if pov.is_my_turn else SafeString()


def origins(position: rules.Position) -> frozenset[str]:
    """The territories out of which somebody may move."""
    return frozenset(move.origin for move in rules.legal_moves(position))


def _data(position: rules.Position, seats: tuple[SeatPov, ...]) -> SafeString:
    moves, founding = rules.legal_moves(position), rules.founding_origins(position)
    targets: dict[str, str] = {}
    for move in moves:
        targets[move.origin] = f"{targets[move.origin]} {move.target}" if move.origin in targets else move.target
    drafts = ((move, weigh(move, position)) for move in moves if move.origin in founding)
    own = {
        "targets": targets,
        "founding": {str(move): _founding(draft, position, seats) for move, draft in drafts},
        **_hindrances(position),
    }
    block = json_script(own, encoder=Compact)
    return SafeString(f"{_begin_block()},{block.partition('{')[2]}")


def _hindrances(position: rules.Position) -> dict[str, Any]:
    """What, besides borders and empty land, keeps huts from moving: villages, and groups of `heavy` huts or more."""
    heavy, names = position.ruleset.version.heavy, position.ruleset.board.names
    villages = [village.territory for village in position.villages]
    large = {name: huts for name in names if (huts := position.huts(name)) >= heavy and name not in villages}
    return {"villages": villages, "large": large, "heavy": heavy}


@cached(most=8)
def _begin_block() -> str:
    """The part of the block that is the same for all tables, without the last brace of its object."""
    given = {"words": _words(), "crowd": CROWD, "between": BETWEEN}
    return json_script(given, "moves", encoder=Compact).removesuffix("}</script>")


class Compact(DjangoJSONEncoder):
    """JSON without spaces, which saves a kilobyte here."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**(options | {"separators": (",", ":")}))


def _words() -> dict[str, Any]:
    """Sentences with places to fill in."""
    return {
        "to": words.say_to("_huts_"),
        "release": words.say_cancel("_huts_"),
        "released": _("Canceled."),
        "targets": _("Targets: %(names)s.") % {"names": "_names_"},
        "nothing": words.say_no_village(),
        "order": [
            _("Take %(target)s as number %(number)s") % {"target": "_huts_", "number": "_number_"},
            _("Number %(number)s: %(target)s. Take it back") % {"target": "_huts_", "number": "_number_"},
        ],
        "one": [
            _("Give the chip to %(target)s") % {"target": "_huts_"},
            _("The chip goes to %(target)s. Take it back") % {"target": "_huts_"},
        ],
        "places": words.name_places(),
        "then": _("%(names)s, then …") % {"names": "_names_"},
        "between": _(", then "),
        "gain": _("%(names)s: %(gain)s") % {"names": "_names_", "gain": "_gain_"},
        "chip": _("%(names)s gets the chip: %(gain)s") % {"names": "_names_", "gain": "_gain_"},
        "call": _("Choose %(names)s.") % {"names": "_names_"},
        "first": _("Not yet."),
        "why": words.refusals_to_fill(),
    }


def _founding(draft: Draft, position: rules.Position, seats: tuple[SeatPov, ...]) -> dict[str, Any]:
    """What a move would found: where, what the page says about it, and the founding orders with their scores."""
    says = plan_sentences(draft, position, seats, is_mine=True)
    if not draft.orders:
        return {"at": [village.territory for village in draft.step.villages] if draft.step else [], "says": says}
    return {
        "at": draft.isolated,
        "question": words.ask_for_order(draft.isolated, chips_left=position.chips_left),
        "says": says,
        "epochs": [village.epoch for village in draft.orders[0].villages],
        "orders": [(line.value, line.text, line.gain) for line in order_lines(draft, position)],
    }

"""Why something cannot be done. The sentences are in refusals.py, and those about moves in games/rules/refusals.py."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from games import rules
from games.models import Webhook
from games.words.refusals import PlayError

FILLED: Final = (
    *("from-village", "into-village", "not-neighbors", "empty-origin", "empty-target"),
    *("too-large", "larger-onto-smaller"),
)
"""The refusals of a move between two territories of the map, while a game runs."""


def explain_refusal(error: PlayError) -> str:
    """Why `games.play` refuses something."""
    return _(error.sentence)


def refusals_to_fill() -> dict[str, str]:
    """What the rules say of a move from a group to where it cannot go, by code, with places that a script fills:
    `_territory_ is empty`."""
    places = {name: f"_{name}_" for name in ("territory", "origin", "target", "huts", "heavy")} | {
        "target_huts": "_fewer_"
    }
    return {code: _(rules.REFUSALS[code]) % places for code in FILLED}


def explain_error(error: rules.ClansError) -> str:
    """Why the rules of the game refuse something."""
    return _(error.template) % error.params


def say_answer(status: int | None, trouble: str) -> str:
    """What came of a call of a webhook, by the codes that are stored: `the host refused (status 500)`."""
    answer = str(Webhook.Trouble(trouble).label) if trouble else _("it was taken")
    return _("%(words)s (status %(status)d)") % {"words": answer, "status": status} if status else answer

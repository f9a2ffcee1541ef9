"""Why a move is not allowed, in words that a player understands (rules 3 and 4.3)."""

from typing import Final

from .errors import gettext_noop
from .move import IllegalMove, Move
from .position import Position

REFUSALS: Final = {
    "no-such-territory": gettext_noop("There is no territory called %(territory)s."),
    "game-over": gettext_noop("The game is over: nothing can move any more."),
    "same-territory": gettext_noop("%(territory)s is both origin and target: the target must be a neighbor."),
    "from-village": gettext_noop("%(territory)s is a village: nothing can move out of it any more."),
    "into-village": gettext_noop("%(territory)s is a village: nothing can move into it any more."),
    "not-neighbors": gettext_noop(
        "%(origin)s and %(territory)s are not neighbors: huts only cross a common border, and never a lake."
    ),
    "empty-origin": gettext_noop("%(territory)s is empty: there are no huts to move."),
    "empty-target": gettext_noop("%(territory)s is empty: huts only move to a territory that holds huts."),
    "too-large": gettext_noop("%(territory)s holds %(huts)s huts: a group of %(heavy)s or more can no longer move."),
    "larger-onto-smaller": gettext_noop(
        "%(territory)s holds %(huts)s huts and %(target)s only %(target_huts)s:"
        " between two groups of %(heavy)s or more, the larger cannot move onto the smaller."
    ),
}
"""What each reason says, by its code."""


def refusal(position: Position, move: Move) -> IllegalMove:
    """The error for a move that is not legal in a position: the first reason that holds."""
    origin, target = move.origin, move.target
    for territory in (origin, target):
        if territory not in position.ruleset.board.index:
            return _refuse("no-such-territory", move, territory, "9.1")
    if position.over:
        return _refuse("game-over", move, origin, "7")
    if origin == target:
        return _refuse("same-territory", move, origin, "3.1")
    return _standing_still(position, move) or _too_large(position, move)


def _refuse(code: str, move: Move, territory: str, rule: str, **params: str | int) -> IllegalMove:
    return IllegalMove(code, REFUSALS[code], move=move, territory=territory, rule=rule, **params)


def _standing_still(position: Position, move: Move) -> IllegalMove | None:
    """The refusal that comes from a village, from territories that do not touch, or from an empty one."""
    origin, target = move.origin, move.target
    villages = {village.territory for village in position.villages}
    if origin in villages:
        return _refuse("from-village", move, origin, "4.3")
    if target in villages:
        return _refuse("into-village", move, target, "4.3")
    if target not in position.ruleset.board.neighbors_of(origin):
        return _refuse("not-neighbors", move, target, "1.3", origin=origin)
    if not position.huts(origin):
        return _refuse("empty-origin", move, origin, "3.1")
    if not position.huts(target):
        return _refuse("empty-target", move, target, "3.1")
    return None


def _too_large(position: Position, move: Move) -> IllegalMove:
    """The refusal of a group of 7 or more."""
    origin, target, heavy = move.origin, move.target, position.ruleset.version.heavy
    huts, larger_than = position.huts(origin), position.huts(target)
    if larger_than < heavy:
        return _refuse("too-large", move, origin, "3.2", huts=huts, heavy=heavy)
    return _refuse(
        "larger-onto-smaller", move, origin, "3.3", huts=huts, target=target, target_huts=larger_than, heavy=heavy
    )

"""Why a move is not allowed, in words that a player understands (rules 3 and 4.3)."""

from .errors import IllegalMove, gettext_noop
from .move import Move
from .position import Position


def refusal(position: Position, move: Move) -> IllegalMove:
    """The error for a move that is not legal in a position: the first reason that holds."""
    origin, target = move.origin, move.target
    for territory in (origin, target):
        if territory not in position.ruleset.board.index:
            template = gettext_noop("There is no territory called %(territory)s.")
            return IllegalMove("no-such-territory", template, move=move, territory=territory, rule="9.1")
    if position.over:
        template = gettext_noop("The game is over: nothing can move any more.")
        return IllegalMove("game-over", template, move=move, territory=origin, rule="7")
    if origin == target:
        template = gettext_noop("%(territory)s is both origin and target: the target must be a neighbor.")
        return IllegalMove("same-territory", template, move=move, territory=origin, rule="3.1")
    return _standing_still(position, move) or _too_large(position, move)


def _standing_still(position: Position, move: Move) -> IllegalMove | None:
    """The refusal that comes from a village, from territories that do not touch, or from an empty one."""
    origin, target = move.origin, move.target
    villages = {village.territory for village in position.villages}
    if origin in villages:
        template = gettext_noop("%(territory)s is a village: nothing can move out of it any more.")
        return IllegalMove("from-village", template, move=move, territory=origin, rule="4.3")
    if target in villages:
        template = gettext_noop("%(territory)s is a village: nothing can move into it any more.")
        return IllegalMove("into-village", template, move=move, territory=target, rule="4.3")
    if target not in position.ruleset.board.neighbors_of(origin):
        template = gettext_noop(
            "%(origin)s and %(territory)s are not neighbors: huts only cross a common border, and never a lake."
        )
        return IllegalMove("not-neighbors", template, move=move, territory=target, rule="1.3", origin=origin)
    if not position.huts(origin):
        template = gettext_noop("%(territory)s is empty: there are no huts to move.")
        return IllegalMove("empty-origin", template, move=move, territory=origin, rule="3.1")
    if not position.huts(target):
        template = gettext_noop("%(territory)s is empty: huts only move to a territory that holds huts.")
        return IllegalMove("empty-target", template, move=move, territory=target, rule="3.1")
    return None


def _too_large(position: Position, move: Move) -> IllegalMove:
    """The refusal of a group of 7 or more."""
    origin, target, heavy = move.origin, move.target, position.ruleset.version.heavy
    huts, larger_than = position.huts(origin), position.huts(target)
    if larger_than < heavy:
        template = gettext_noop("%(territory)s holds %(huts)s huts: a group of %(heavy)s or more can no longer move.")
        return IllegalMove("too-large", template, move=move, territory=origin, rule="3.2", huts=huts, heavy=heavy)
    template = gettext_noop(
        "%(territory)s holds %(huts)s huts and %(target)s only %(target_huts)s:"
        " between two groups of %(heavy)s or more, the larger cannot move onto the smaller."
    )
    return IllegalMove(
        "larger-onto-smaller",
        template,
        move=move,
        territory=origin,
        rule="3.3",
        huts=huts,
        target=target,
        target_huts=larger_than,
        heavy=heavy,
    )

"""What a computer player thinks of a move: it looks at each of its moves and at the best answer to it, no further."""

from collections.abc import Iterable, Iterator
from typing import Final

from games.rules import CLANS, Move, Position, Step, founding_origins, legal_moves, play, try_move

#: Of the founding orders that the next player could choose from, at most so many are looked at.
_ORDERS: Final = 24

_CLANS: Final = range(len(CLANS))

Worths = tuple[float, ...]


def move_worths(position: Position) -> dict[Move, Worths]:
    """What each legal move is worth to the player to move, in points, for each clan that it may hold, in the order of
    `CLANS`; each founding order that makes a difference is a move of its own. Empty when the game is over.

    A move is worth what it gives the clan, minus what it gives the other four on average, plus its chips; less what
    the next player could do about it: for each clan that player may hold, all equally likely, the answer that brings
    that clan and its chips the most, and of such answers the worst for one's own clan. There is no plan beyond that.
    Costs about 10 ms of CPU, at most 0.1 s.
    """
    return {step.move: _worths(position, step) for step in _steps(position, legal_moves(position))}


def _steps(position: Position, moves: Iterable[Move], *, at_most: int | None = None) -> Iterator[Step]:
    """What moves lead to; a move with founding orders leads to a step for each, or for the first of them."""
    for move in moves:
        step, orders = try_move(position, move)
        yield from [play(position, move._replace(order=order)) for order in orders[:at_most]] or [step]


def _worths(before: Position, step: Step) -> Worths:
    """What a step brings the seat against an average opponent, once the next player has answered."""
    gains = _gains(before, step.position)
    chips, answered = len(step.villages), _after_reply(step.position)
    others = [(sum(gains) - gain) / (len(gains) - 1) for gain in gains]
    return tuple([round(chips + gains[clan] - others[clan] + answered[clan], 6) for clan in _CLANS])


def _gains(before: Position, after: Position) -> tuple[int, ...]:
    """What each clan has gained between two positions."""
    return tuple([now - then for now, then in zip(after.scores, before.scores, strict=True)])


def _after_reply(position: Position) -> list[float]:
    """What the next player's best answer means for each clan: mostly a loss; averaged over the clan that they may hold.

    A point for one opponent counts by their number: against three it is a third of a point for the average one.
    """
    replies = _replies(position)
    if len(replies) == 1:
        return [0.0 for _clan in _CLANS]
    sums = [0.0 for _clan in _CLANS]
    for theirs in _CLANS:
        best = max([chips + gains[theirs] for chips, gains in replies])
        equal = [gains for chips, gains in replies if chips + gains[theirs] == best]
        for clan in _CLANS:
            if clan != theirs:
                sums[clan] += min([gains[clan] for gains in equal]) - best / (position.seats - 1)
    return [total / (len(CLANS) - 1) for total in sums]


def _replies(position: Position) -> set[tuple[int, tuple[int, ...]]]:
    """The chips that answers of the next player can take, with what each clan gains then; taking none is one."""
    replies = {(0, (0,) * len(CLANS))}
    for step in _steps(position, founding_moves(position), at_most=_ORDERS):
        replies.add((len(step.villages), _gains(position, step.position)))
    return replies


def founding_moves(position: Position) -> list[Move]:
    """The legal moves that found a village, without founding orders."""
    origins = founding_origins(position)
    return [move for move in legal_moves(position) if move.origin in origins] if origins else []

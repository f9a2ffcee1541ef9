"""What a computer player thinks of a move: it looks at each of its moves and at the best answer to it, no further."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from games.rules import CLANS, Move, Position, Step, founding_moves, legal_moves, play, try_move

#: Of the founding orders that the next player could choose from, at most so many are looked at.
_ORDERS: Final = 24

_CLANS: Final = range(len(CLANS))

Worths = tuple[float, ...]

#: The chips that a move takes, with what each clan gains by it.
Reply = tuple[int, tuple[int, ...]]


def move_worths(position: Position) -> dict[Move, Worths]:
    """What each legal move is worth to the player to move, in points, for each clan that it may hold, in the order of
    `CLANS`; each founding order that makes a difference is a move of its own. Empty when the game is over.

    A move is worth what it gives the clan, minus what it gives the other four on average, plus its chips; less what
    the next player could do about it: for each clan that player may hold, all equally likely, the answer that brings
    that clan and its chips the most, and of such answers the worst for one's own clan. There is no plan beyond that.
    Costs about 5 ms of CPU, at most 0.1 s.
    """
    answers = _Answers()
    return {step.move: _worths(position, step, answers) for step in _steps(position, legal_moves(position))}


def _steps(position: Position, moves: Iterable[Move], *, at_most: int | None = None) -> Iterator[Step]:
    """What moves lead to; a move with founding orders leads to a step for each, or for the first of them."""
    for move in moves:
        step, orders = try_move(position, move)
        yield from [play(position, move._replace(order=order)) for order in orders[:at_most]] or [step]


def _worths(before: Position, step: Step, answers: "_Answers") -> Worths:
    """What a step brings the seat against an average opponent, once the next player has answered."""
    gains = _gains(before, step.position)
    chips, answered = len(step.villages), answers.mean(step.position)
    others = [(sum(gains) - gain) / (len(gains) - 1) for gain in gains]
    return tuple([round(chips + gains[clan] - others[clan] + answered[clan], 6) for clan in _CLANS])


def _gains(before: Position, after: Position) -> tuple[int, ...]:
    """What each clan has gained between two positions."""
    return tuple([now - then for now, then in zip(after.scores, before.scores, strict=True)])


class _Answers:
    """What the answers to the moves of one position mean. A move leaves most answers to it as they are after other
    moves, so each is played once, and what the same answers mean is computed once."""

    def __init__(self) -> None:
        self._replies: dict[tuple[object, ...], set[Reply]] = {}
        self._means: dict[frozenset[Reply], list[float]] = {}

    def mean(self, position: Position) -> list[float]:
        """What the next player's best answer means for each clan: mostly a loss; averaged over the clan that they may
        hold."""
        replies = self._replies_to(position)
        if replies not in self._means:
            self._means[replies] = _mean_of(replies, position.seats)
        return self._means[replies]

    def _replies_to(self, position: Position) -> frozenset[Reply]:
        """What the answers of the next player bring; one founds nothing."""
        replies = {(0, (0,) * len(CLANS))}
        for move in founding_moves(position):
            near = (move, position.around(move.origin))
            if near not in self._replies:
                steps = _steps(position, [move], at_most=_ORDERS)
                self._replies[near] = {(len(step.villages), _gains(position, step.position)) for step in steps}
            replies |= self._replies[near]
        return frozenset(replies)


def _mean_of(replies: Collection[Reply], seats: int) -> list[float]:
    """A point for one opponent counts by their number: against three it is a third of a point for the average one."""
    if len(replies) == 1:
        return [0.0 for _clan in _CLANS]
    sums = [0.0 for _clan in _CLANS]
    for theirs in _CLANS:
        best = max([chips + gains[theirs] for chips, gains in replies])
        equal = [gains for chips, gains in replies if chips + gains[theirs] == best]
        for clan in _CLANS:
            if clan != theirs:
                sums[clan] += min([gains[clan] for gains in equal]) - best / (seats - 1)
    return [total / (len(CLANS) - 1) for total in sums]

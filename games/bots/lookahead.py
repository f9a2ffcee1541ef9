"""The one level of computer player: it looks at each of its moves and at the best answer to it, and no further."""

import random
from collections.abc import Iterator
from typing import Final

from games.rules import BOARD, CLANS, Move, Position, founding_orders, legal_moves, play

#: Of the founding orders that the next player could choose from, at most so many are looked at.
_ORDERS: Final = 24


def choose_move(position: Position, *, seat: int, clan: str, rng: random.Random) -> Move:
    """A legal move, with its founding order where one is needed, for the seat that is to move and holds `clan`.

    The player is honest and modest. It counts what a move gives its own clan, minus what it gives the other four on
    average, plus its chip; then it takes off what the next player could do about it: for each clan that player may
    hold, all equally likely, the answer that brings that clan and its chip the most. It has no plan beyond that,
    remembers nothing, and does not guess from the moves of others which clans they hold. Among moves that look equally
    good `rng` draws. Costs 10 to 80 ms of CPU. Raises ValueError when it is not the seat's turn, also because the game
    is over.
    """
    if position.over or seat != position.to_move:
        raise ValueError(f"it is not the turn of seat {seat}")
    worths = {move: _worth(position, move, clan=CLANS.index(clan)) for move in _moves(position)}
    best = max(worths.values())
    return rng.choice([move for move, worth in worths.items() if worth == best])


def _moves(position: Position) -> Iterator[Move]:
    """Every legal move, with each founding order that makes a difference."""
    for move in legal_moves(position):
        orders = founding_orders(position, move)
        yield from [move._replace(order=order) for order in orders] or [move]


def _worth(before: Position, move: Move, *, clan: int) -> float:
    """What a move brings the seat against an average opponent, in points, once the next player has answered."""
    step = play(before, move)
    gains = _gains(before, step.position)
    others = (sum(gains) - gains[clan]) / (len(gains) - 1)
    return round(len(step.villages) + gains[clan] - others + _after_reply(step.position, clan=clan), 6)


def _gains(before: Position, after: Position) -> list[int]:
    """What each clan has gained between two positions."""
    return [now - then for now, then in zip(after.scores, before.scores, strict=True)]


def _after_reply(position: Position, *, clan: int) -> float:
    """What the next player's best answer means for a clan: mostly a loss; averaged over the clan that they may hold.

    A point for one opponent counts by their number: against three it is a third of a point for the average one.
    """
    replies = [(0, [0] * len(CLANS))]
    for move in founding_moves(position):
        for order in founding_orders(position, move)[:_ORDERS] or [()]:
            step = play(position, move._replace(order=order) if order else move)
            replies.append((len(step.villages), _gains(position, step.position)))
    if len(replies) == 1:
        return 0
    outcomes = []
    for theirs in range(len(CLANS)):
        if theirs != clan:
            chips, gains = max(replies, key=lambda reply: (reply[0] + reply[1][theirs], -reply[1][clan]))
            outcomes.append(gains[clan] - (chips + gains[theirs]) / (position.seats - 1))
    return sum(outcomes) / len(outcomes)


def founding_moves(position: Position) -> list[Move]:
    """The legal moves that found a village, without founding orders.

    A village arises where a group's only neighbor walks away, be it onto that very group; so it is enough to look at
    the moves of only neighbors.
    """
    groups, only = position.groups, 0
    for number, mask in enumerate(BOARD.neighbor_masks):
        around = groups & mask
        if groups >> number & 1 and not around & (around - 1):
            only |= around
    if not only:
        return []
    return [move for move in legal_moves(position) if only >> BOARD.index[move.origin] & 1]

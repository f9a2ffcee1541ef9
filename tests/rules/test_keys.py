"""Keys of positions: the same for what is the same from here on, others for all else."""

from __future__ import annotations

import random
from itertools import pairwise

from games import rules

LETTERS = rules.CLAN_LETTERS * 12
OPENING = rules.Opening(LETTERS, 3, 0)


def played(opening: rules.Opening, *moves: str) -> rules.Position:
    position = rules.set_up(opening)
    for move in moves:
        position = rules.play(position, rules.Move.parse(move, opening.ruleset.board)).position
    return position


def apart(opening: rules.Opening = OPENING) -> list[str]:
    """Three first moves that do not touch each other."""
    board, found, near = opening.ruleset.board, [], 0
    for move in rules.legal_moves(rules.set_up(opening)):
        around = sum(1 << board.index[name] for name in (move.origin, move.target))
        around |= board.neighbor_masks[board.index[move.origin]] | board.neighbor_masks[board.index[move.target]]
        if not near & around:
            found.append(str(move))
            near |= around
    return found[:3]


def test_the_order_of_the_moves_does_not_matter_but_who_moves_does() -> None:
    one, two, three = apart()
    position = played(OPENING, one, two, three)
    assert rules.position_key(position) == rules.position_key(played(OPENING, three, one, two))
    assert rules.position_key(position) != rules.position_key(played(OPENING, one, two))


def test_the_number_of_a_seat_does_not_matter() -> None:
    first, second = (rules.Opening(LETTERS, 3, number) for number in (0, 2))
    rng = random.Random(4)
    moves = [str(step.move) for step in rules.random_game(first, rng)]
    assert len(moves) > 20
    for ply in range(len(moves)):
        one, other = played(first, *moves[:ply]), played(second, *moves[:ply])
        assert rules.position_key(one) == rules.position_key(other)
        assert one != other


def test_whatever_differs_makes_another_key() -> None:
    others = [
        rules.Opening(LETTERS, 2, 0),
        rules.Opening(LETTERS, 3, 0, "nothing"),
        rules.Opening(LETTERS[5:] + "bgyrk", 3, 0),
        *(rules.Opening(LETTERS, 3, 0, ruleset=rules.find_ruleset("atlas-1", number)) for number in rules.VERSIONS),
    ]
    keys = {rules.position_key(rules.set_up(opening)) for opening in others}
    assert len(keys) == len(others)
    position = played(OPENING, *apart())
    changed = [
        position._replace(scores=(1, 0, 0, 0, 0)),
        position._replace(chips=(1, 0, 0)),
        position._replace(chips=(0, 1, 0)),
        position._replace(groups=position.groups ^ 1),
        position._replace(stacks=(*position.stacks[1:], position.stacks[0])),
    ]
    assert len({rules.position_key(one) for one in (position, *changed)}) == 6


def test_a_shape_has_no_clans_and_no_players() -> None:
    other = rules.Opening(LETTERS[::-1], 2, 1, "nothing")
    moves = apart()
    assert rules.shape_key(played(OPENING, *moves)) == rules.shape_key(played(other, *reversed(moves)))
    assert rules.shape_key(played(OPENING, *moves)) != rules.shape_key(played(OPENING, *moves[:2]))


def test_they_are_64_bits_and_each_position_of_a_game_has_its_own() -> None:
    steps = rules.random_game(OPENING, random.Random(1))
    keys = [rules.position_key(step.position) for step in steps]
    assert all(-(2**63) <= key < 2**63 for key in keys)
    assert all(one != other for one, other in pairwise(sorted(keys)))


def test_they_stay_what_they_are_for_ever() -> None:
    """They are stored: who changes them writes all of them again (`manage.py recount`)."""
    position = rules.set_up(rules.Opening(LETTERS, 2, 0, ruleset=rules.find_ruleset("atlas-1", 1)))
    assert (rules.position_key(position), rules.shape_key(position)) == (5301382911045094512, -5131385428405293475)

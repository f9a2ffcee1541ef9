"""The rules once more: slow, plain, and written from the rules text alone, to check the real ones against.

It shares nothing with `games.rules` but the printed formats: the map comes as a clans-board/1 object and games as
clans-record/1 objects.
"""

from itertools import permutations
from typing import Any

CLANS = ["red", "blue", "green", "yellow", "black"]
LETTERS = {"r": "red", "b": "blue", "g": "green", "y": "yellow", "k": "black"}


class Reference:
    """A game in progress as dictionaries of names."""

    def __init__(self, board: dict[str, Any], huts: str, seats: int, first: int, five_clans: str) -> None:
        names = sorted(territory["id"] for territory in board["territories"])
        self.terrain = {territory["id"]: territory["terrain"] for territory in board["territories"]}
        self.neighbors = {territory["id"]: territory["neighbors"] for territory in board["territories"]}
        self.chart = [epoch for epoch in board["epochs"] for _ in range(epoch["chips"])]
        self.huts = {name: [LETTERS[letter]] for name, letter in zip(names, huts, strict=True)}
        self.seat = first
        self.chips = [0] * seats
        self.five_clans = five_clans
        self.scores = dict.fromkeys(CLANS, 0)
        self.villages: list[str] = []

    def legal_moves(self) -> list[tuple[str, str]]:
        if len(self.villages) == 12:
            return []  # 7.1
        moves = []
        for origin in sorted(self.huts):
            for target in sorted(self.neighbors[origin]):
                walking, waiting = len(self.huts[origin]), len(self.huts[target])
                if walking == 0 or waiting == 0:
                    continue  # 3.1
                if walking >= 7 and waiting < 7:
                    continue  # 3.2
                if walking >= 7 and waiting >= 7 and walking > waiting:
                    continue  # 3.3
                moves.append((origin, target))
        return moves

    def founded_by(self, origin: str, target: str) -> list[str]:
        """Where villages would arise (4.1), alphabetically."""
        founded = []
        for name in sorted(self.huts):
            holds_huts = name == target or (name != origin and self.huts[name])
            if not holds_huts or name in self.villages:
                continue
            others = [n for n in self.neighbors[name] if n == target or (n != origin and self.huts[n])]
            if not others:
                founded.append(name)
        return founded

    def orders(self, origin: str, target: str) -> set[tuple[str, ...]]:
        """All orders that the mover may give, or the one alphabetical order if none changes a score (4.4, 4.5)."""
        founded = self.founded_by(origin, target)
        left = 12 - len(self.villages)
        every = list(permutations(founded, min(left, len(founded))))
        outcomes = set()
        for order in every:
            outcomes.add(tuple(self.copy().play(origin, target, order).scores.values()))
        return set(every) if len(outcomes) > 1 else {every[0]}

    def play(self, origin: str, target: str, order: tuple[str, ...]) -> "Reference":
        self.huts[target] = self.huts[target] + self.huts[origin]
        self.huts[origin] = []
        for name in order:
            self.found(name)
        self.seat = (self.seat + 1) % len(self.chips)
        return self

    def found(self, name: str) -> None:
        self.villages.append(name)
        self.chips[self.seat] += 1  # 5.1
        epoch = self.chart[len(self.villages) - 1]
        huts = self.huts[name]
        if all(clan in huts for clan in CLANS):  # 5.2
            huts = [clan for clan in huts if huts.count(clan) > 1]
        value = len(huts)  # 5.3
        if self.terrain[name] in epoch["favorable"]:
            value += epoch["bonus"]
        if self.terrain[name] in epoch["unfavorable"]:  # 5.4
            huts = []
        self.huts[name] = huts
        if self.five_clans == "nothing" and len(set(huts)) == 5:
            return  # 6.1
        for clan in set(huts):  # 5.6
            self.scores[clan] += value

    def end(self) -> str:
        if len(self.villages) == 12:
            return "villages"
        return "" if self.legal_moves() else "no-moves"

    def copy(self) -> "Reference":
        twin = object.__new__(Reference)
        twin.__dict__ |= self.__dict__
        twin.huts, twin.scores = dict(self.huts), dict(self.scores)
        twin.villages, twin.chips = list(self.villages), list(self.chips)
        return twin


def begin(board: dict[str, Any], record: dict[str, Any]) -> Reference:
    """The game of a record, before its first move."""
    return Reference(board, record["huts"], len(record["players"]), record["first"], record["rules"]["five_clans"])


def replay(board: dict[str, Any], record: dict[str, Any]) -> Reference:
    """Replays a record and asserts that every move and village in it is what the rules text says."""
    game = begin(board, record)
    for number, move in enumerate(record["moves"], start=1):
        where = f"move {number}: {move}"
        assert (move["from"], move["to"]) in game.legal_moves(), where
        order = tuple(move["villages"])
        assert order in game.orders(move["from"], move["to"]), where
        game.play(move["from"], move["to"], order)
    return game


def check(board: dict[str, Any], record: dict[str, Any]) -> None:
    """Asserts that the record's result is what the rules text makes of its moves (7)."""
    game = replay(board, record)
    result = record["result"]
    clans = [player["clan"] for player in record["players"]]
    totals = [game.scores[clan] + chips for clan, chips in zip(clans, game.chips, strict=True)]
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    abandoned = result["end"] == "abandoned"
    assert game.end() == ("" if abandoned else result["end"])
    assert result["scores"] == game.scores
    assert result["chips"] == game.chips
    assert result["totals"] == totals
    assert result["winners"] == ([] if abandoned else winners)

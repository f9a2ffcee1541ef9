"""The opening and the fair deal (rules 2, design 1.6)."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeVar

import pytest

from games.rules import (
    CLAN_LETTERS,
    CLANS,
    DEAL_VERSION,
    FIRST_DEAL_VERSION,
    SECOND_DEAL_VERSION,
    STANDARD,
    Draw,
    InvalidOpening,
    Opening,
    commitment,
    draw,
    hash_salt,
    name_of_draw,
    set_up,
    share,
)
from tests.rules.openings import opening

Item = TypeVar("Item")

SEED = bytes(range(32))
PLAYERS = [("alice", "the lake is frozen"), ("bob", ""), ("carol", "ß♞")]
SALTS = [bytes([place]) * 32 for place in range(3)]
SHARES = [(share(salt, name=name, entropy=entropy),) for salt, (name, entropy) in zip(SALTS, PLAYERS, strict=True)]


def test_it_puts_a_hut_of_each_clan_into_each_region() -> None:
    """rules 2.1 and 2.4"""
    start = set_up(opening(seats=3, first=1))
    for region in range(12):
        stacks = [start.stack(STANDARD.board.names[5 * region + n]) for n in range(5)]
        assert [sum(counts) for counts in stacks] == [1] * 5
        assert tuple(map(sum, zip(*stacks, strict=True))) == (1, 1, 1, 1, 1)
    assert (start.scores, start.chips, start.chips_left, start.epoch) == ((0,) * 5, (0,) * 3, 12, 1)
    assert (start.to_move, start.ply, start.villages, start.over) == (1, 0, (), False)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"huts": "rbgyk" * 11}, "bad-huts"),
        ({"huts": "rbgyk" * 11 + "rbgyw"}, "bad-huts"),
        ({"huts": "rbgyk" * 10 + "rbgyr" + "kbgyk"}, "bad-huts"),
        ({"seats": 1}, "bad-seats"),
        ({"seats": 5}, "bad-seats"),
        ({"first": 2}, "bad-first"),
        ({"first": -1}, "bad-first"),
        ({"five_clans": "maybe"}, "bad-five-clans"),
    ],
)
def test_it_refuses_an_opening_that_no_game_has(changed: dict[str, object], code: str) -> None:
    """rules 2.1, 2.3 and 6.1"""
    with pytest.raises(InvalidOpening) as caught:
        Opening(**{"huts": "rbgyk" * 12, "seats": 2, "first": 0, "five_clans": "score"} | changed)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_it_commits_to_the_seed_by_its_hash() -> None:
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_it_commits_to_the_salts_too() -> None:
    hashes = [hash_salt(salt) for salt in SALTS]
    assert hashes[0] == hashlib.sha256(bytes(32)).hexdigest()
    digests = b"".join(hashlib.sha256(salt).digest() for salt in SALTS)
    assert commitment(SEED, hashes) == hashlib.sha256(SEED + digests).hexdigest()


def test_the_commitment_stands_for_the_game_in_the_draw() -> None:
    """The site could choose another address after it has seen the words of the opener, but no other commitment."""
    names = [name_of_draw(f"clans-deal/{number}", game="slug", commitment="ab") for number in (1, 2, 3)]
    assert names == ["slug", "slug", "ab"]


def test_it_makes_a_share_of_name_and_entropy_with_the_salt_as_key() -> None:
    expected = hmac.new(SALTS[2], b"5:carol,5:\xc3\x9f\xe2\x99\x9e,", hashlib.sha256).hexdigest()
    assert share(SALTS[2], name="carol", entropy="ß♞") == expected
    others = {
        share(SALTS[1], name="carol", entropy="ß♞"),
        share(SALTS[2], name="caro", entropy="lß♞"),
        share(SALTS[2], name="carol", entropy="ß♞ "),
    }
    assert len(others - {expected}) == 3


def test_it_always_draws_the_same() -> None:
    """The known answer of the format clans-deal/3: it must never change."""
    assert draw(SEED, version=DEAL_VERSION, game="ab" * 32, players=SHARES) == Draw(
        order=(0, 2, 1),
        clans=("yellow", "red", "black"),
        first=1,
        huts="gbrykbgrkykrgbyybrkgbgyrkgyrbkkbgryyrbgkkgrybbkrgykgrybgrkby",
    )


def test_it_always_draws_the_same_by_the_second_version() -> None:
    """The known answer of the format clans-deal/2: it must never change."""
    assert draw(SEED, version=SECOND_DEAL_VERSION, game="42", players=SHARES) == Draw(
        order=(1, 0, 2),
        clans=("yellow", "green", "blue"),
        first=2,
        huts="ykrgbkybgrrkybgybrkgbgrykbrgykgbkrykrbgyyrgbkygbkrgybrkgkrby",
    )


def test_it_always_draws_the_same_by_the_first_version() -> None:
    """The known answer of the format clans-deal/1: it must never change."""
    assert draw(SEED, version=FIRST_DEAL_VERSION, game="42", players=PLAYERS) == Draw(
        order=(2, 0, 1),
        clans=("red", "yellow", "blue"),
        first=2,
        huts="bgkyrbgkyrgkrbybrygkybrkgrgkybgybkrgbrykykbrgrkybgkbgrybrykg",
    )


OLD_MESSAGE = b"12:clans-deal/1,2:42,1:3,5:alice,18:the lake is frozen,3:bob,0:,5:carol,5:\xc3\x9f\xe2\x99\x9e,"
SECOND_MESSAGE = b"12:clans-deal/2,2:42,1:3," + b"".join(b"64:%s," % text.encode() for (text,) in SHARES)

MESSAGE = SECOND_MESSAGE.replace(b"clans-deal/2", b"clans-deal/3")


@pytest.mark.parametrize(
    ("version", "players", "message"),
    [
        (FIRST_DEAL_VERSION, PLAYERS, OLD_MESSAGE),
        (SECOND_DEAL_VERSION, SHARES, SECOND_MESSAGE),
        (DEAL_VERSION, SHARES, MESSAGE),
    ],
    ids=["first", "second", "third"],
)
def test_it_reads_the_stream_as_documented(version: str, players: list[tuple[str, ...]], message: bytes) -> None:
    """The same draw, worked out by hand from the docstring of `draw`."""
    blocks = [hmac.new(SEED, message + b"1:%d," % n, hashlib.sha256).digest() for n in range(9)]
    stream = b"".join(blocks)
    numbers = iter([int.from_bytes(stream[n : n + 4], "big") for n in range(0, len(stream), 4)])
    limits = [3, 2, 5, 4, 3, 2, 3, *[5, 4, 3, 2] * 12]
    drawn = []
    for limit in limits:
        number = next(numbers)
        assert number < 2**32 // limit * limit
        drawn.append(number % limit)
    choices = iter(drawn)
    dealt = draw(SEED, version=version, game="42", players=players)
    assert dealt.order == tuple(_shuffled([0, 1, 2], choices))
    assert dealt.clans == tuple(_shuffled(list(CLANS), choices)[:3])
    assert dealt.first == next(choices)
    assert dealt.huts == "".join("".join(_shuffled(list("rbgyk"), choices)) for _ in range(12))


def _shuffled(items: list[Item], choices: Iterator[int]) -> list[Item]:
    for i in range(len(items) - 1, 0, -1):
        j = next(choices)
        items[i], items[j] = items[j], items[i]
    return items


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": bytes(31) + b"\x01"},
        {"game": "43"},
        {"players": [*PLAYERS[:2], ("carol", "ß♞ ")]},
        {"players": [PLAYERS[1], PLAYERS[0], PLAYERS[2]]},
        {"players": [("alicet", "he lake is frozen"), *PLAYERS[1:]]},
        {"players": [("alice", "the lake is frozenbob"), ("", ""), PLAYERS[2]]},
    ],
)
def test_it_draws_differently_when_anything_changes(changed: dict[str, object]) -> None:
    """Also when characters only move from one name or entropy to the next."""
    given: dict[str, object] = {"seed": SEED, "game": "42", "players": PLAYERS}
    assert _huts(given | changed) != _huts(given)


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": bytes(31) + b"\x01"},
        {"game": "43"},
        {"players": [*SHARES[:2], ("0" * 64,)]},
        {"players": [SHARES[1], SHARES[0], SHARES[2]]},
    ],
)
def test_it_draws_differently_when_a_share_changes(changed: dict[str, object]) -> None:
    given: dict[str, object] = {"seed": SEED, "game": "42", "players": SHARES}
    assert _huts(given | changed, DEAL_VERSION) != _huts(given, DEAL_VERSION)


def _huts(given: dict[str, object], version: str = FIRST_DEAL_VERSION) -> str:
    return draw(given["seed"], version=version, game=given["game"], players=given["players"]).huts  # type: ignore[arg-type]


def test_it_draws_evenly() -> None:
    """rules 2.1 to 2.3: each seat, clan and place comes about as often as it should"""
    games = 3000
    draws = [draw(SEED, version=DEAL_VERSION, game=str(game), players=SHARES) for game in range(games)]
    expected: list[tuple[Counter[Any], int]] = [
        (Counter(drawn.order for drawn in draws), 6),
        (Counter(drawn.clans for drawn in draws), 60),
        (Counter(drawn.first for drawn in draws), 3),
        (Counter(drawn.huts[:5] for drawn in draws), 120),
        (Counter(drawn.huts[55:] for drawn in draws), 120),
    ]
    for counter, kinds in expected:
        each = games / kinds
        assert len(counter) == kinds
        chi_squared = sum((count - each) ** 2 / each for count in counter.values())
        freedom = kinds - 1
        assert chi_squared < freedom + 4 * (2 * freedom) ** 0.5


def test_it_makes_a_legal_opening() -> None:
    """rules 2.1 and 2.2"""
    for seats in (2, 3, 4):
        drawn = draw(SEED, version=DEAL_VERSION, game="x", players=[(str(n),) for n in range(seats)])
        Opening(drawn.huts, seats, drawn.first)
        assert sorted(drawn.order) == list(range(seats))
        assert len({*drawn.clans} & {*CLANS}) == len(drawn.clans) == seats
        assert {*drawn.huts} == {*CLAN_LETTERS}


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_it_deals_for_two_to_four_players(seats: int) -> None:
    """rules 2.2"""
    with pytest.raises(InvalidOpening):
        draw(SEED, version=DEAL_VERSION, game="x", players=[(str(n),) for n in range(seats)])


def test_it_wants_a_seed_of_32_bytes() -> None:
    with pytest.raises(InvalidOpening):
        draw(SEED[:-1], version=DEAL_VERSION, game="x", players=SHARES)


@pytest.mark.parametrize(
    ("version", "players"), [("clans-deal/4", SHARES), (DEAL_VERSION, PLAYERS), (FIRST_DEAL_VERSION, SHARES)]
)
def test_it_refuses_a_deal_that_it_does_not_know(version: str, players: list[tuple[str, ...]]) -> None:
    with pytest.raises(InvalidOpening) as caught:
        draw(SEED, version=version, game="x", players=players)
    assert caught.value.code == "bad-deal"

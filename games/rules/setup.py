"""The opening of a game and the fair deal that it comes from (rules 2)."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, NamedTuple, TypeVar

from .board import REGION_SIZE, TERRITORIES
from .errors import InvalidOpening, gettext_noop
from .position import SEATS, Position, is_five_clans
from .ruleset import STANDARD, Ruleset
from .stacks import CLAN_LETTERS, CLANS, ONE_HUT, Clan
from .village import FiveClans

DEAL_VERSION: Final = "clans-deal/3"
SECOND_DEAL_VERSION: Final = "clans-deal/2"
"""Of deals that were fixed when their table was opened; they are drawn and checked as ever."""
FIRST_DEAL_VERSION: Final = "clans-deal/1"
"""Of deals that were fixed before there were salts; they are drawn and checked as ever."""
SEED_BYTES: Final = 32
SALT_BYTES: Final = 32

Item = TypeVar("Item")

#: The ways to put a hut of each clan into one region.
SHUFFLES: Final = tuple("".join(letters) for letters in permutations(CLAN_LETTERS))

REGIONS: Final = TERRITORIES // REGION_SIZE

_SHUFFLES: Final = frozenset(SHUFFLES)
#: How many texts stand for a player in a draw.
_TEXTS: Final = {FIRST_DEAL_VERSION: 2, SECOND_DEAL_VERSION: 1, DEAL_VERSION: 1}
_ALL: Final = (1 << TERRITORIES) - 1


@dataclass(frozen=True, slots=True)
class Opening:
    """How a game starts: 60 letters of `rbgyk` in territory order (rules 2.1), the number of seats, the seat of the
    starting player, the house rule (rules 6.1), and the map and the version of the rules. Raises InvalidOpening."""

    huts: str
    seats: int
    first: int
    five_clans: FiveClans = "score"
    ruleset: Ruleset = STANDARD

    def __post_init__(self) -> None:
        regions = [self.huts[start : start + REGION_SIZE] for start in range(0, TERRITORIES, REGION_SIZE)]
        if len(self.huts) != TERRITORIES or not _SHUFFLES.issuperset(regions):
            template = gettext_noop("An opening has 60 huts, one of each clan in every region.")
            raise InvalidOpening("bad-huts", template)
        if self.seats not in SEATS:
            raise InvalidOpening("bad-seats", gettext_noop("Clans is a game for 2 to 4 players."))
        if self.first not in range(self.seats):
            raise InvalidOpening("bad-first", gettext_noop("The starting player must have one of the seats."))
        if not is_five_clans(self.five_clans):
            template = gettext_noop("The house rule five_clans is either score or nothing.")
            raise InvalidOpening("bad-five-clans", template)


def set_up(opening: Opening) -> Position:
    """The position before the first move."""
    return Position(
        ruleset=opening.ruleset,
        seats=opening.seats,
        first=opening.first,
        five_clans=opening.five_clans,
        ply=0,
        stacks=tuple(map(ONE_HUT.__getitem__, opening.huts)),
        groups=_ALL,
        scores=(0, 0, 0, 0, 0),
        chips=(0,) * opening.seats,
        villages=(),
        end="",
    )


class Draw(NamedTuple):
    """What a deal draws: `order` holds the joining indexes (from 0) of the players in seat order, `clans` the secret
    clan of each seat, `first` the seat of the starting player, `huts` the opening as 60 letters."""

    order: tuple[int, ...]
    clans: tuple[Clan, ...]
    first: int
    huts: str


def commitment(seed: bytes, salt_hashes: Sequence[str] = ()) -> str:
    """The SHA-256 of a deal's seed, followed by the bytes of the hashes of its salts, as 64 hexadecimal digits: shown
    before anybody joins (design 1.6). A deal of `clans-deal/1` has no salts."""
    return hashlib.sha256(seed + b"".join(map(bytes.fromhex, salt_hashes))).hexdigest()


def hash_salt(salt: bytes) -> str:
    """The SHA-256 of a salt as 64 hexadecimal digits. It stays when the salt is removed."""
    return hashlib.sha256(salt).hexdigest()


def share(salt: bytes, *, name: str, entropy: str) -> str:
    """What stands for a player in a draw since `clans-deal/2`, as 64 hexadecimal digits: HMAC-SHA256 with the salt of
    the player's place as key; the message is the netstrings of name and entropy.

    Nobody without the salt can find out the name, not even by trying all names.
    """
    return hmac.digest(salt, _netstring(name) + _netstring(entropy), "sha256").hex()


def name_of_draw(version: str, *, game: str, commitment: str) -> str:
    """What stands for the game in a draw: since `clans-deal/3` the commitment, before its address `game`.

    The address is drawn when the table is opened, when the site already knows what the opener has added.
    """
    return game if version in (FIRST_DEAL_VERSION, SECOND_DEAL_VERSION) else commitment


def draw(seed: bytes, *, version: str, game: str, players: Sequence[tuple[str, ...]]) -> Draw:
    """The fair deal of a game: seats, clans, starting player and huts, from a secret seed of 32 bytes, what stands
    for the game (`name_of_draw`) and for each of the `players` in the order of joining: the share alone, in a draw of
    `clans-deal/1` name and entropy. The same input gives the same draw for ever.

    Block n (0, 1, 2, ...) of the stream of chance is HMAC-SHA256 with the seed as key; its message is a row of
    netstrings (length in bytes as decimal digits, colon, UTF-8 bytes, comma), so that no two inputs share a message:
    the version, the game, the number of players, then what stands for each player, last n.
    The stream is read in numbers of four bytes, big-endian. To draw below k, numbers of floor(2^32 / k) * k or more
    are thrown away, then the remainder modulo k counts. To shuffle a list, i runs from its last index down to 1: draw
    j below i + 1 and swap the elements i and j. In this order:

    1. the joining indexes are shuffled: the seats;
    2. red, blue, green, yellow, black are shuffled: the first clan goes to the first seat, and so on;
    3. the starting seat is drawn below the number of players;
    4. for each region from A to L, the letters r, b, g, y, k are shuffled: the huts of its territories 1 to 5.

    Raises InvalidOpening for another number of players than 2 to 4, a seed that is not 32 bytes long, or a version that
    is not known or whose players are not given like this.
    """
    if any(len(player) != _TEXTS.get(version) for player in players):
        raise InvalidOpening("bad-deal", gettext_noop("This site does not know such a deal."))
    if len(seed) != SEED_BYTES:
        raise InvalidOpening("bad-seed", gettext_noop("The seed of a deal has 32 bytes."))
    if len(players) not in SEATS:
        raise InvalidOpening("bad-seats", gettext_noop("Clans is a game for 2 to 4 players."))
    numbers = _numbers(seed, [version, game, str(len(players)), *(text for player in players for text in player)])
    order = _shuffle(range(len(players)), numbers)
    clans = _shuffle(CLANS, numbers)[: len(players)]
    first = _below(len(players), numbers)
    huts = "".join("".join(_shuffle(CLAN_LETTERS, numbers)) for _ in range(REGIONS))
    return Draw(tuple(order), tuple(clans), first, huts)


def _numbers(seed: bytes, texts: Sequence[str]) -> Iterator[int]:
    """The stream of chance as endless numbers of 32 bits."""
    message = b"".join(map(_netstring, texts))
    counter = 0
    while True:
        block = hmac.digest(seed, message + _netstring(str(counter)), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _netstring(text: str) -> bytes:
    data = text.encode()
    return b"%d:%s," % (len(data), data)


def _below(limit: int, numbers: Iterator[int]) -> int:
    """A number below a limit, each as likely as the others."""
    end = (1 << 32) // limit * limit
    return next(number for number in numbers if number < end) % limit


def _shuffle(items: Sequence[Item], numbers: Iterator[int]) -> list[Item]:
    """The items in an order drawn by Fisher and Yates."""
    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = _below(i + 1, numbers)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled

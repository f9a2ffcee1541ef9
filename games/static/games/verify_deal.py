#!/usr/bin/env python3
"""Checks the deal of a finished game of Clans by mail. Needs Python 3.8 and nothing else.

    python3 verify_deal.py clans-abcdefghjk.json
    python3 verify_deal.py clans-abcdefghjk.json COMMITMENT

The file is the record of a game, from its page on the site; - reads it from standard input. COMMITMENT are the 64
digits that you noted while the table was open. The script draws seats, clan cards, starting player and huts once more
from the seed and from what the players added, and compares them with the record. It ends with status 0 if everything
agrees, 1 if something differs, 2 if it could not check the draw.

The record is a clans-record/1 object. Of it the script reads "huts", "first", "players" (in seat order, with "name"
and "clan") and

    "deal": {"version": "clans-deal/3", "game": "...", "commitment": "64 hexadecimal digits",
             "seed": "64 hexadecimal digits", "salt_hashes": ["64 hexadecimal digits", ... one for each place],
             "players": [{"name": "...", "entropy": "...", "place": 0, "salt": "64 hexadecimal digits",
                          "share": "64 hexadecimal digits"}, ... as they joined]}

Before anybody joined, the site drew the seed and a salt for each place, counted from 0 in the order of joining. The
commitment is the SHA-256 of the 32 bytes of the seed, followed by the 32 bytes of the SHA-256 of each salt. The share
of a player is HMAC-SHA256 with the salt as key and two netstrings (length in bytes, colon, UTF-8 bytes, comma) as the
message: name and entropy. The shares go into the draw.

A player with "closed": true has closed the account. Name, entropy and salt were removed with it, and the share is left:
the draw can be made once more, and the share names nobody. That this share came from what the player added can be seen
from a record that was saved before.

The draw. Block n = 0, 1, 2, ... of the stream of chance is HMAC-SHA256 with the seed as key. Its message is a row of
netstrings: the version, the commitment, the number of players, the share of each player in the order of joining, n. The
stream is read in big-endian numbers of four bytes. To draw below k, numbers from floor(2^32 / k) * k on are thrown
away, of others the remainder modulo k counts. To shuffle, i runs from the last index down to 1: draw j below i + 1,
swap i and j. These are drawn, in this order:

1. the players in the order of joining are shuffled: the seats;
2. red, blue, green, yellow, black are shuffled: the first is the clan of the first seat, and so on;
3. the starting seat, below the number of players;
4. for each region from A to L the letters r, b, g, y, k are shuffled: the huts of its territories 1 to 5.

In older deals (clans-deal/2) the name of the game, "game", stands where the commitment stands now: their seed was drawn
when the table was opened, and not before its form was shown. The oldest (clans-deal/1) have no salts and no shares: the
commitment is the SHA-256 of the seed alone, and name and entropy of each player, as two netstrings, stand where the
share stands now. Once a player has closed the account, such a draw cannot be made once more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

VERSION = "clans-deal/3"
SECOND_VERSION = "clans-deal/2"
OLD_VERSION = "clans-deal/1"
VERSIONS = [VERSION, SECOND_VERSION, OLD_VERSION]
CLANS = ["red", "blue", "green", "yellow", "black"]
LETTERS = "rbgyk"
REGIONS = 12


def stream(seed: bytes, texts: list[str]) -> Iterator[int]:
    """The stream of chance as endless numbers of 32 bits."""
    message = b"".join(netstring(text) for text in texts)
    n = 0
    while True:
        block = hmac.new(seed, message + netstring(str(n)), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        n += 1


def netstring(text: str) -> bytes:
    data = text.encode("utf-8")
    return str(len(data)).encode() + b":" + data + b","


def below(limit: int, numbers: Iterator[int]) -> int:
    end = 2**32 // limit * limit
    return next(number for number in numbers if number < end) % limit


def shuffle(items: Iterable[Any], numbers: Iterator[int]) -> list[Any]:
    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = below(i + 1, numbers)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


def compare_seed(deal: dict[str, Any], noted: str) -> Iterator[tuple[str, bool]]:
    """What was fixed before anybody joined, and whether it agrees with the record."""
    seed = bytes.fromhex(deal["seed"])
    hashes = [] if is_old(deal) else [bytes.fromhex(text) for text in deal["salt_hashes"]]
    digest = hashlib.sha256(seed + b"".join(hashes)).hexdigest()
    what = "the SHA-256 of the seed and the salts" if hashes else "the SHA-256 of the seed"
    yield "the version is one of " + ", ".join(VERSIONS), deal["version"] in VERSIONS
    yield "the seed has 32 bytes", len(seed) == 32
    yield what + " is the commitment of the record", digest == deal["commitment"]
    if noted:
        yield what + " is the commitment that you noted", digest == noted.strip().lower()


def is_old(deal: dict[str, Any]) -> bool:
    return bool(deal["version"] == OLD_VERSION)


def compare_shares(deal: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """What each player who still has an account added, and whether the share comes from it."""
    for player in deal["players"]:
        if player.get("closed"):
            continue
        salt = bytes.fromhex(player["salt"])
        message = netstring(player["name"]) + netstring(player["entropy"])
        fixed = hashlib.sha256(salt).hexdigest() == deal["salt_hashes"][player["place"]]
        made = hmac.new(salt, message, hashlib.sha256).hexdigest() == player["share"]
        yield "the salt of " + player["name"] + " is the one that was fixed", fixed
        yield "the share of " + player["name"] + " comes from the name and what was added", made


def compare_draw(record: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each thing that was drawn, and whether it agrees with the record."""
    deal = record["deal"]
    seed = bytes.fromhex(deal["seed"])
    joined = deal["players"]
    keys = ["name", "entropy"] if is_old(deal) else ["share"]
    name = deal["commitment"] if deal["version"] == VERSION else deal["game"]
    texts = [deal["version"], name, str(len(joined))] + [player[key] for player in joined for key in keys]
    numbers = stream(seed, texts)
    names = shuffle([player["name"] for player in joined], numbers)
    clans = shuffle(CLANS, numbers)[: len(joined)]
    first = below(len(joined), numbers)
    huts = "".join("".join(shuffle(LETTERS, numbers)) for _ in range(REGIONS))
    yield "the seats", names == [player["name"] for player in record["players"]]
    yield "the clan cards", clans == [player["clan"] for player in record["players"]]
    yield "the starting player", first == record["first"]
    yield "the huts of the opening", huts == record["huts"]


def read(source: str) -> dict[str, Any]:
    """The record in a file, or on standard input; raises ValueError in a sentence."""
    text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    record = json.loads(text)
    if not isinstance(record, dict) or not isinstance(record.get("deal"), dict):
        raise ValueError("This is no record of a game with a deal in it.")
    if not record["deal"].get("seed"):
        raise ValueError("This record does not show the seed yet: it is shown once the game is over.")
    return record


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print(__doc__)
        return 2
    try:
        record = read(arguments[0])
        deal = record["deal"]
        checks = list(compare_seed(deal, "".join(arguments[1:])))
        closed = [player["name"] for player in deal["players"] if player.get("closed")]
        gone = closed if is_old(deal) else []
        if not is_old(deal):
            checks += compare_shares(deal)
        if not gone:
            checks += compare_draw(record)
    except (OSError, ValueError) as error:
        print(f"Nothing was checked. {error}")
        return 2
    except (AttributeError, LookupError, TypeError) as error:
        print(f"Nothing was checked. The record lacks something that the deal needs: {error}")
        return 2
    for what, agrees in checks:
        print("agrees " if agrees else "DIFFERS", what)
    if not all(agrees for _, agrees in checks):
        print("The deal does not agree with the record.")
        return 1
    if gone:
        print("The draw was not checked: what it was made from went with an account that was closed,")
        print("that of " + " and ".join(gone) + ".")
        return 2
    if closed:
        print("Of accounts that were closed only the share is left: that of " + " and ".join(closed) + ".")
    print("The deal was fair.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

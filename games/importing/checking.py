"""What is asked of a record before it becomes a game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

from games import pov, rules
from games.models import SLUG_LETTERS, plain_title

SLUG: Final = re.compile(f"[{SLUG_LETTERS}]{{8,26}}")
"""Addresses of tables, those of before among them; no other page has such a one."""
LONGEST_TITLE: Final = 60
LONGEST_NAME: Final = 60
"""Twice as long as a name can be here; pages, mails and pictures have room for it."""
LONGEST_WORDS: Final = 200
_HEX: Final = re.compile("[0-9a-f]{64}")

Json = Mapping[str, Any]
Value = TypeVar("Value")


class RefusedRecord(Exception):
    """Why a record does not become a game, as a sentence."""


class Takeover(NamedTuple):
    """From the move after `ply` others on, the player of that name had the seat."""

    seat: int
    ply: int
    name: str


class Extras(NamedTuple):
    """What a record tells besides the game; None for what it does not tell. `slug` is the address that its deal
    names."""

    title: str | None
    slug: str | None
    deal: pov.DealPov | None
    times: list[datetime] | None
    ended_at: datetime | None
    takeovers: list[Takeover] | None

    def as_extra(self) -> dict[str, Any]:
        """As it stands in the record, in the order of this site's own."""
        fields = {
            "name": self.title,
            "deal": self.deal and self.slug and self.deal.as_record(self.slug),
            "times": None if self.times is None else [time.isoformat() for time in self.times],
            "ended": self.ended_at and self.ended_at.isoformat(),
            "takeovers": None if self.takeovers is None else [takeover._asdict() for takeover in self.takeovers],
        }
        return {key: value for key, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """A game that is over, as the rules allow it. `line` is its record as `export_games` writes it; `slug` is the
    address of the game: the one that its deal names, or one that only the same record has."""

    opening: rules.Opening
    steps: Sequence[rules.Step]
    players: Sequence[str]
    clans: Sequence[str]
    end: str
    extras: Extras
    line: str
    slug: str


def check_line(text: bytes, *, at: datetime) -> CheckedRecord:
    """The record of a line. Raises RefusedRecord for what is no record of a game that is over by `at`, or not as the
    rules or its own proof have it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RefusedRecord("This is not JSON.") from error
    try:
        # A text would be read as JSON once more.
        record = rules.read_record(data if isinstance(data, dict) else {})
        steps = rules.check_record(record)
    except rules.ClansError as error:
        raise RefusedRecord(str(error)) from error
    if record.result is None or record.clans is None:
        raise RefusedRecord("This game is not over.")
    for name in record.players:
        _check_name(name, most=LONGEST_NAME)
    if len({*record.players}) < len(record.players):
        raise RefusedRecord("Two players have the same name.")
    extras, end = _read_extras(data, record, at=at), str(record.result["end"])
    written = rules.write_record(
        record.opening, steps, players=record.players, clans=record.clans, end=end, extra=extras.as_extra()
    )
    line = json.dumps(written)
    slug = extras.slug or _slug_of(line)
    return CheckedRecord(record.opening, steps, record.players, record.clans, end, extras, line, slug)


def _read_extras(data: Json, record: rules.Record, *, at: datetime) -> Extras:
    title = _read(data, "name", lambda title: _check_name(title, most=LONGEST_TITLE))
    times = _read(data, "times", lambda times: [_moment(time, at) for time in times])
    if times is not None and len(times) != len(record.moves):
        raise RefusedRecord("There are not as many times as moves.")
    ended_at = _read(data, "ended", lambda moment: _moment(moment, at))
    takeovers = _read(data, "takeovers", lambda rows: [_takeover(row, record) for row in rows])
    deal = _read(data, "deal", pov.DealPov.read)
    slug = None if deal is None else _check_deal(deal, data["deal"].get("game"), record)
    return Extras(title, slug, deal, times, ended_at, takeovers)


def _slug_of(line: str) -> str:
    """The address of a game whose record names none: the same record has the same one."""
    number = int.from_bytes(sha256(line.encode()).digest())
    letters = (SLUG_LETTERS[number // len(SLUG_LETTERS) ** place % len(SLUG_LETTERS)] for place in range(10))
    return "".join(letters)


def _read(data: Json, key: str, read: Callable[[Any], Value]) -> Value | None:
    """What `read` makes of a field; None where the record has none."""
    try:
        return read(data[key]) if key in data else None
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise RefusedRecord(f"The record's field {key} cannot be read.") from error


def _check_name(name: str, *, most: int) -> str:
    """The name of a player or a table. Raises RefusedRecord for one that is too long, or has what nobody sees."""
    try:
        plain_title(name)
    except ValueError as error:
        raise RefusedRecord("A name in it is empty, or has signs that nobody sees.") from error
    if len(name) > most:
        raise RefusedRecord(f"A name in it has more than {most} letters.")
    return name


def _moment(text: str, at: datetime) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("no time zone")
    if moment > at:
        raise RefusedRecord("It tells of a time that is still to come.")
    return moment.astimezone(UTC)


def _takeover(row: Json, record: rules.Record) -> Takeover:
    takeover = Takeover(row["seat"], row["ply"], _check_name(row["name"], most=LONGEST_NAME))
    if takeover.seat not in range(len(record.players)) or takeover.ply not in range(len(record.moves) + 1):
        raise ValueError("no such seat or ply")
    return takeover


def _check_deal(deal: pov.DealPov, slug: Any, record: rules.Record) -> str:
    """The address of the game of this deal. Raises RefusedRecord unless the deal proves all that it has to."""
    hashes: list[Any] = [deal.commitment, deal.seed, *deal.salt_hashes]
    hashes += [value for player in deal.players for value in (player.salt, player.share) if value != ""]
    words: list[Any] = [player.entropy for player in deal.players]
    places = {player.place for player in deal.players}
    if not isinstance(slug, str) or not SLUG.fullmatch(slug):
        raise RefusedRecord("The address of its game is none of a table.")
    if (
        not all(isinstance(value, str) and _HEX.fullmatch(value) for value in hashes)
        or not all(isinstance(word, str) and len(word) <= LONGEST_WORDS and _can_be_stored(word) for word in words)
        or not places <= {*range(max(rules.SEATS))}
        or len(places) < len(deal.players)
        or not all(isinstance(player.is_former, bool) for player in deal.players)
        or {player.name for player in deal.players} != {*record.players}
    ):
        raise RefusedRecord("Its deal cannot be read.")
    seats = zip(record.players, record.clans or (), strict=True)
    try:
        proof = pov.prove(deal, slug=slug, opening=record.opening, seats=seats)
    except (rules.ClansError, LookupError, TypeError, ValueError) as error:
        raise RefusedRecord("Its deal cannot be read.") from error
    if wrong := [part for part, holds in proof.items() if not holds]:
        raise RefusedRecord(f"Its deal does not prove its {' and '.join(wrong)}.")
    return slug


def _can_be_stored(text: str) -> bool:
    """Whether every database takes it: no null, and no half of a pair of UTF-16."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text

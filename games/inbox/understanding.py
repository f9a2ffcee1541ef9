"""What a player asks for by mail: text in, requests out.

A request is a whole line and nothing else is: a line that has a move among other words asks for nothing.
The words of requests are English, whatever language the mail is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final


class RequestKind(Enum):
    """What can be asked for by mail."""

    MOVE = "move"
    MORE_TIME = "more-time"
    THINKING = "thinking"
    TONIGHT = "tonight"
    VACATION = "vacation"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Request:
    """A line that asks for something."""

    number: int | None
    """The number in front of it: which of the tables of one mail is meant."""
    kind: RequestKind
    read: str
    """What was read: `C4-D1`, `C4-D1=H5,I4` or `C4-D1#2` (the second of the orders that were listed); of a vacation its
    last day as it was written; of all others the words."""
    until: date | None = None
    """The last day of a vacation; None where that was not understood."""


@dataclass(frozen=True, slots=True)
class Understood:
    """All that a text asks for, and what else it says."""

    requests: tuple[Request, ...]
    """In the order of the text, each once."""
    words: str
    """What is left: nothing that was asked for."""
    stray: tuple[str, ...]
    """The moves that are named among these words and not asked for, as `C4-D1` or `C4-D1=H5,I4`."""
    missed: tuple[str, ...]
    """What else seems to be asked for among these words and is not, as `more time`. Single words, such as `tonight`,
    are left out: people say them without asking for anything."""


_PHRASES: Final = {
    "more time": RequestKind.MORE_TIME,
    "thinking": RequestKind.THINKING,
    "tonight": RequestKind.TONIGHT,
    "back": RequestKind.BACK,
    "take back": RequestKind.BACK,
}
_LONG_PHRASES: Final = {phrase: kind for phrase, kind in _PHRASES.items() if " " in phrase} | {
    "vacation until": RequestKind.VACATION
}
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

# Zero-width letters, soft hyphens and marks of direction, which programs add and nobody sees.
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0f\ufeff]")
_DASH: Final = re.compile("[-=]+>|[\u2010-\u2015\u2212\ufe58\ufe63\uff0d→⇒⇨⟶⟹➔➜➝➞➡]")
_AROUND: Final = " *`_\"'«»‹›‘’‚‛“”„‟"
_BULLET: Final = re.compile(r"[-\u2022\u00b7] ")

_ORDER: Final = r"(?: ?= ?(?P<order>[A-Z]\d(?:(?: ?, ?| )[A-Z]\d)*))"
_ENDS: Final = r"(?P<origin>[A-Z]\d)(?: ?- ?| to | )(?P<target>[A-Z]\d)"
# Of a whole line alone: among other words this could be anything.
_ENDS_JOINED: Final = r"(?P<origin>[A-Z]\d)(?: ?- ?| to | ?)(?P<target>[A-Z]\d)"
_MOVE: Final = re.compile(rf"{_ENDS_JOINED}(?:{_ORDER}|(?: ?# ?| )(?P<listed>[1-9]\d?))?", re.ASCII | re.IGNORECASE)
_NAMED_MOVE: Final = re.compile(rf"(?<![\w=/-]){_ENDS}{_ORDER}?(?![\w-])", re.ASCII | re.IGNORECASE)
_NAMED_PHRASE: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(_LONG_PHRASES)})(?![\w-])", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^#? ?([1-9]\d?)(?: ?[:.)] ?| )(?=[A-Z])", re.ASCII | re.IGNORECASE)
_VACATION: Final = re.compile(r"(?:on )?vacation until (.{1,40})", re.IGNORECASE)

_ISO_DATE: Final = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)", re.ASCII)
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH: Final = r"(?P<month>[a-z]{3,9})\.?"
_DATES: Final = tuple(
    re.compile(
        rf"(?:(?P<weekday>(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\.?,? )?(?:the )?{form}(?:,? (?P<year>\d{{4}}))?",
        re.ASCII,
    )
    for form in (rf"{_DAY}\.?(?: of)? ?{_MONTH}", rf"{_MONTH} (?:the )?{_DAY}")
)

_WRAPPED_FROM: Final = 60
"""Mail programs break lines of which the next word would come after about 70 letters."""


def understand(text: str, *, today: date, tables: Iterable[str] = (), players: Iterable[str] = ()) -> Understood:
    """What the words that a player has written ask for; `today` says which year a date without one is in.

    A line that is the name of one of the `tables` or `players` asks for nothing, nor does that of a player behind a
    number: mails have such lines, others choose these names, and some programs quote without a sign. Never raises,
    whatever the text is.
    """
    requests: dict[Request, None] = {}
    people = {_plain(name).lower() for name in players}
    names = people | {_plain(name).lower() for name in tables}
    words, before = [], ""
    for line in text.splitlines():
        said = _plain(line).lower()
        is_name = said in names or _NUMBERED.sub("", said, count=1) in people
        request = None if is_name or _may_be_wrapped(before) else _read_line(line, today)
        if request:
            requests[request] = None
        else:
            words.append(line.rstrip())
        before = line.strip()
    left = re.sub(r"\n{3,}", "\n\n", "\n".join(words)).strip()
    return Understood(tuple(requests), left, _stray_moves(left, requests), _missed_phrases(left, requests))


def is_request(line: str) -> bool:
    """Whether a line of a mail would ask for something: what is called so stands on lines of mails, and cannot be told
    from a request."""
    return _read_line(line, date.min) is not None


def numbers_in_front(words: str) -> set[int]:
    """The numbers that lines of these words begin with, as requests do."""
    found = (_NUMBERED.match(_plain(line)) for line in words.splitlines())
    return {int(numbered[1]) for numbered in found if numbered}


def _may_be_wrapped(line: str) -> bool:
    """Whether the program may have broken this line, so that the next one is the rest of its sentence."""
    return len(line) >= _WRAPPED_FROM and not line.endswith((".", "!", "?", ":", ";"))


def _read_line(line: str, today: date) -> Request | None:
    """What a whole line asks for."""
    line = _plain(line)
    numbered = _NUMBERED.match(line)
    number = int(numbered[1]) if numbered else None
    text = line[numbered.end() :] if numbered else line
    if move := _MOVE.fullmatch(text):
        return Request(number, RequestKind.MOVE, _in_notation(move))
    if kind := _PHRASES.get(text.lower()):
        return Request(number, kind, text.lower())
    if vacation := _VACATION.fullmatch(text):
        return Request(number, RequestKind.VACATION, vacation[1], _read_date(vacation[1].lower(), today))
    return None


def _plain(text: str) -> str:
    """A line without what surrounds it, its blanks and dashes in one form."""
    text = " ".join(_DASH.sub("-", _UNSEEN.sub("", text)).split())
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    return text.strip(_AROUND).removesuffix(".").rstrip("!").strip(_AROUND)


def _in_notation(found: re.Match[str]) -> str:
    """A move as it is written: `C4-D1`, `C4-D1=H5,I4` or `C4-D1#2`."""
    groups = found.groupdict()
    move = f"{groups['origin']}-{groups['target']}".upper()
    if groups["order"]:
        return f"{move}={','.join(re.findall(r'[A-Z][0-9]', groups['order'].upper()))}"
    return f"{move}#{groups['listed']}" if groups.get("listed") else move


def _stray_moves(words: str, requests: dict[Request, None]) -> tuple[str, ...]:
    """The moves that are named among other words, each once, without those that are asked for."""
    requested = {request.read[:5] for request in requests if request.kind is RequestKind.MOVE}
    lines = (_plain(line) for line in words.splitlines())
    named = (_in_notation(found) for line in lines for found in _NAMED_MOVE.finditer(line))
    return tuple(dict.fromkeys(move for move in named if move[:5] not in requested))


def _missed_phrases(words: str, requests: dict[Request, None]) -> tuple[str, ...]:
    """The phrases of requests that are part of other words, each once, without what is asked for besides."""
    requested = {request.kind for request in requests}
    # A program may have broken a line in the middle of a phrase.
    text = " ".join(_plain(line) for line in words.splitlines())
    named = dict.fromkeys(found[0].lower() for found in _NAMED_PHRASE.finditer(text))
    return tuple(phrase for phrase in named if _LONG_PHRASES[phrase] not in requested)


def _read_date(text: str, today: date) -> date | None:
    """The day that is meant by `3 dec`, `december 3rd`, `thu 3 dec 2026` or `2026-12-03`: without a year the next one
    of that name. None for all else, and where the day of the week is another."""
    forms = (_ISO_DATE, *_DATES)
    for found in filter(None, (form.fullmatch(text) for form in forms)):
        groups = found.groupdict()
        month = _place_of(groups["month"], _MONTHS) or (int(groups["month"]) if groups["month"].isdigit() else 0)
        years = (int(groups["year"]),) if groups["year"] else (today.year, today.year + 1)
        days = (_day(year, month, int(groups["day"])) for year in years)
        day = next((day for day in days if day and (groups["year"] or day >= today)), None)
        weekday = groups.get("weekday")
        if day and (not weekday or _place_of(weekday, _WEEKDAYS) == day.isoweekday()):
            return day
    return None


def _place_of(name: str, names: tuple[str, ...]) -> int:
    """Which of the names begins so, from 1 on; 0 if none does."""
    return next((place for place, full in enumerate(names, start=1) if full.startswith(name)), 0)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None

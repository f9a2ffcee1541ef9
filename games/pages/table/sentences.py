"""What happened at a table in sentences for its pages: those of `games.words`, with links to the pages of players.

They are markup: names of players are escaped, and the rest is translated texts, moves and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from django.utils.safestring import SafeString

from games import words
from games.pages.access import link_in_text
from games.pov import EventPov, MovePov, SeatPov

BLANKS: Final = re.compile(r"\W*")


def tell_moves(moves: Iterable[MovePov], seats: Sequence[SeatPov]) -> list[SafeString]:
    """What each move did."""
    return [SafeString(text) for text in words.describe_moves(moves, seats, names=_name)]


def link_moves(moves: Sequence[MovePov], seats: Sequence[SeatPov], urls: Iterable[str]) -> list[SafeString]:
    """What each move did, with a link to the `url` of that move in each sentence."""
    links = [_name(seats[move.step.seat], move.at) for move in moves]
    return [link_words(*parts) for parts in zip(tell_moves(moves, seats), links, urls, strict=True)]


def tell_event(event: EventPov, seats: Sequence[SeatPov]) -> SafeString:
    """What somebody did besides moving."""
    return SafeString(words.describe_event(event, seats, names=_name))


def link_words(sentence: str, name: str, url: str) -> SafeString:
    """The sentence with a link to `url` on some of its words. If the `name` in it is a link already, these are the
    words after the name or, if none follow, those before it; otherwise all words."""
    begin, end = 0, len(sentence)
    if name.startswith("<"):
        before = sentence.index(name)
        begin = _end_of_blanks(sentence, before + len(name))
        if begin == end:
            begin, end = 0, before
    return SafeString(f'{sentence[:begin]}<a href="{url}">{sentence[begin:end]}</a>{sentence[end:]}')


def _end_of_blanks(text: str, start: int) -> int:
    found = BLANKS.match(text, start)
    return found.end() if found else start


def _name(seat: SeatPov, moment: datetime) -> SafeString:
    holder = seat.holder_at(moment)
    return link_in_text(holder.name, has_page=holder.has_page)

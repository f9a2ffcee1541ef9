"""Names of what there is in a game, and counts, in the active language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from django.utils import translation
from django.utils.translation import gettext as _, gettext_noop, ngettext

from games import caching, rules
from games.pov import SeatPov

NUMERALS = ("", "I", "II", "III", "IV", "V")

_CLANS = {
    "red": gettext_noop("red"),
    "blue": gettext_noop("blue"),
    "green": gettext_noop("green"),
    "yellow": gettext_noop("yellow"),
    "black": gettext_noop("black"),
}
WHITE = "-x-white"
"""Ends the language tag of a reader to whom the black clan is called white, as in some printings of the game: a private
subtag of BCP 47."""

# No ends of lines among them: these are blanks.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

_TERRAINS = {
    "forest": gettext_noop("forest"),
    "mountain": gettext_noop("mountain"),
    "steppe": gettext_noop("steppe"),
    "grassland": gettext_noop("grassland"),
}


def one_line(text: str) -> str:
    """What somebody has written as one line, with no sign that nobody sees but that does something: no control
    character, nothing that turns the direction of what follows, nothing that XML cannot hold."""
    return " ".join(_UNSEEN.sub("", text).split())


def language_tag(language: str, *, white_clan: bool) -> str:
    """The tag of a reader's language and dialect: `en`, or `en-x-white` if the black clan is called white."""
    return language + WHITE if white_clan else language


@contextmanager
def speaking(language: str, *, white_clan: bool = False) -> Iterator[None]:
    """Texts inside are in `language`; with `white_clan` the black clan is called white in them."""
    before = caching.dialect.set(WHITE if white_clan else "")
    try:
        with translation.override(language):
            yield
    finally:
        caching.dialect.reset(before)


def is_white() -> bool:
    """Whether the black clan is called white now."""
    return caching.dialect.get() == WHITE


def name_clan(clan: str) -> str:
    """`red` as readers call it."""
    if clan == "black" and is_white():
        return _("white")
    return _(_CLANS[clan])


def name_terrain(terrain: str) -> str:
    """`forest` as readers call it."""
    return _(_TERRAINS[terrain])


def name_epoch(number: int) -> str:
    """Epochs have Roman numerals, as on the chart."""
    return NUMERALS[number]


def name_rank(rank: int) -> str:
    """A place in the result, from 1 to 4."""
    return (_("1st"), _("2nd"), _("3rd"), _("4th"))[rank - 1]


def name_seat(seat: SeatPov) -> str:
    """The name of the player; for a seat given up also who moves for it."""
    if seat.has_resigned:
        return _("%(name)s (resigned, a computer player moves)") % {"name": seat.name}
    return seat.name


def join_words(words: Iterable[str]) -> str:
    """Words as a list in a sentence: `red, blue and green`."""
    *most, last = words
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last} if most else last


def join_clans(clans: Iterable[str]) -> str:
    """Clans as a list in a sentence."""
    return join_words([name_clan(clan) for clan in clans])


def count_points(points: int) -> str:
    return ngettext("%(points)d point", "%(points)d points", points) % {"points": points}


def count_chips(chips: int) -> str:
    return ngettext("%(chips)d chip", "%(chips)d chips", chips) % {"chips": chips}


def count_moves(moves: int) -> str:
    return ngettext("%(moves)d move", "%(moves)d moves", moves) % {"moves": moves}


def count_huts(counts: Sequence[int]) -> str:
    """A group of huts by five counts, red first: `4 huts (3 red, 1 black)`, `2 blue huts`."""
    huts = sum(counts)
    groups = [(count, name_clan(clan)) for clan, count in zip(rules.CLANS, counts, strict=True) if count]
    if len(groups) == 1:
        template = ngettext("%(huts)d %(clan)s hut", "%(huts)d %(clan)s huts", huts)
        return template % {"huts": huts, "clan": groups[0][1]}
    template = ngettext("%(huts)d hut (%(by_clan)s)", "%(huts)d huts (%(by_clan)s)", huts)
    return template % {"huts": huts, "by_clan": ", ".join(f"{count} {name}" for count, name in groups)}


def name_places() -> list[str]:
    """Places in a founding order, the first one first: more than one move can leave villages behind."""
    return [_("1st"), _("2nd"), _("3rd"), _("4th"), _("5th"), _("6th"), _("7th"), _("8th")]

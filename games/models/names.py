"""What people and tables may be called (RFC 8265 and 8266, PRECIS), and which names look alike (Unicode's UTS 39)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from django.utils.html import urlize
from precis_i18n import get_profile

from games.models.domains import public_suffix_of

FORMER: Final = "former-"
"""How the names begin that stand for players who have closed their account; nobody can sign up with one."""

COMPUTER: Final = "computer"
"""How the names of computer players begin; nobody can sign up with one."""

_COMPUTER = re.compile(rf"{COMPUTER} \d+", re.IGNORECASE)
_USER_NAME = get_profile("UsernameCasePreserved")
_TITLE = get_profile("NicknameCasePreserved")
# Variation selectors 15 and 16: whether the sign before is drawn in color. Phones add them to what they send.
_DRAWN_AS = re.compile("[\ufe0e\ufe0f]")
# Symbols for Unicode, but no ink.
_BLANK = re.compile("[\u2800\U0001d159]")
_JOINER = "\u200d"
# The zero width non-joiner, which some languages write within words, besides.
_JOINERS = {_JOINER, "\u200c"}
# Letters for Unicode, but no ink: fillers of Korean syllables.
_FILLERS = re.compile("[\u115f\u1160\u3164\uffa0]")
_DIRECTION_MARK = "\u200e"
_NUMBERED = re.compile(r"(?P<name>.*?)(?: \((?P<number>\d{1,3})\))?")


def is_computer(name: str) -> bool:
    """Whether it is the name of a computer player, such as `computer 1`."""
    return _COMPUTER.fullmatch(name) is not None


def next_name(name: str) -> str:
    """The name with the next number: Friday table, Friday table (2), Friday table (3)."""
    found = _NUMBERED.fullmatch(name)
    number = f" ({int(found['number'] or 1) + 1})" if found else " (2)"
    return (found["name"] if found else name)[: 60 - len(number)] + number


def plain_user_name(text: str) -> str:
    """The user name in the one form of its letters. Raises ValueError if it has a letter that nobody sees, or one that
    cannot stand there."""
    return _USER_NAME.enforce(unicodedata.normalize("NFKC", text))


def plain_title(text: str) -> str:
    """What a table is called, in the one form of its letters, with single blanks. Raises ValueError if it has a sign
    that nobody sees, or nothing else."""
    title = _JOINER.join(map(_TITLE.enforce, _emoji_apart(_DRAWN_AS.sub("", text))))
    if _BLANK.search(title) or not any(unicodedata.category(sign)[0] in "LNPS" for sign in title):
        raise ValueError("nobody sees all of this")
    return title


def has_address(text: str) -> bool:
    """Whether there is an address of a site or a mailbox in it, of which mail programs make a link. They do so without
    www. and https://, too, where the end is that of a domain: evil.io, but neither J.R. nor no.7."""
    if "://" in text or "<a " in urlize(text, autoescape=True):
        return True
    # Split, not searched for: a search takes time by the square of the longest word.
    words = "".join(sign if _may_be_in_domain(sign) else " " for sign in text.lower()).split()
    return any(public_suffix_of(domain) for word in words if "." in (domain := word.strip(".-")))


def _may_be_in_domain(sign: str) -> bool:
    """Whether domains can have the sign: marks, too, with which many alphabets write vowels."""
    return sign in ".-_" or unicodedata.category(sign)[0] in "LMN"


def plain_words(text: str) -> str:
    """What somebody says in several lines, in the one form of its letters, with no blanks at the ends of its lines and
    at most one empty line in a row. Raises ValueError if it has a sign that nobody sees, such as one that turns the
    direction of writing; what has nothing else is empty."""
    lines = [" ".join(line.split()) for line in unicodedata.normalize("NFC", text).splitlines()]
    words = re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()
    if any(map(_is_unseen, words)) or _BLANK.search(words) or _FILLERS.search(words):
        raise ValueError("nobody sees all of this")
    return words if any(unicodedata.category(sign)[0] in "LNPS" for sign in words) else ""


def visible_words(text: str) -> str:
    """The `plain_words` of a text without the signs that nobody sees: mail programs add some, and nobody can take them
    out of a mail that has been sent."""
    visible = "".join(sign for sign in text if sign.isspace() or not _is_unseen(sign))
    return plain_words(_FILLERS.sub("", _BLANK.sub("", visible)))


def _is_unseen(sign: str) -> bool:
    """Whether a sign is none of the ink, blanks and ends of lines: it controls, turns or joins, or is no sign yet."""
    return sign != "\n" and sign not in _JOINERS and unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn"}


def _emoji_apart(text: str) -> list[str]:
    """The text, split where a joiner makes one picture of two (UTS 51), which PRECIS does not know."""
    first, *others = text.split(_JOINER)
    pieces = [first]
    for piece in others:
        if pieces[-1] and piece and _is_symbol(pieces[-1][-1]) and _is_symbol(piece[0]):
            pieces.append(piece)
        else:
            pieces[-1] += _JOINER + piece
    return pieces


def _is_symbol(sign: str) -> bool:
    return unicodedata.category(sign) in {"So", "Sk"}


def look_of(name: str) -> str:
    """What the name looks like: two names with the same look are taken for each other, such as alice and a1ice."""
    plain = unicodedata.normalize("NFD", name).translate(_prototypes()).casefold()
    return unicodedata.normalize("NFD", plain.translate(_prototypes()))


def looks_like_one_of(name: str, beginning: str) -> bool:
    """Whether the name looks as if it began with `beginning`."""
    return look_of(name).startswith(look_of(beginning))


@lru_cache(maxsize=1)
def _prototypes() -> dict[int, str]:
    """For each sign that looks like others the one that stands for all of them. Takes about 0.1 s, once.

    The table knows no direction: a sign that stands for others has several neighbors, each of the others has one.
    """
    from confusable_homoglyphs.confusables import confusables_data  # 1 MB of JSON, only for those who sign up

    near = {sign: [other["c"] for other in others] for sign, others in confusables_data.items() if len(sign) == 1}
    found = {}
    for sign, others in near.items():
        if len(others) == 1:
            [other] = others
            if len(other) > 1 or len(near.get(other, ())) > 1 or other < sign:
                found[ord(sign)] = other.replace(_DIRECTION_MARK, "")
    return found

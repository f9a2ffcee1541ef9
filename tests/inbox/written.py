"""What people write into an answer, and what that asks for: the table that the corpus is judged by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

TODAY: Final = date(2026, 11, 23)


@dataclass(frozen=True, slots=True)
class Written:
    """Lines that somebody writes. `asks` has a line for each request: `2 C4-D1`, `thinking`, `vacation 2026-12-03`."""

    text: str
    asks: str = ""
    words: str = ""
    stray: str = ""
    missed: str = ""


def _words(text: str, stray: str = "", *, missed: str = "") -> Written:
    """Lines that ask for nothing."""
    return Written(text, words=text, stray=stray, missed=missed)


MOVES: Final = (
    Written("C4-D1", "C4-D1"),
    Written("c4-d1", "C4-D1"),
    Written("c4 d1", "C4-D1"),
    Written("C4 to D1", "C4-D1"),
    Written("C4  -  D1", "C4-D1"),
    Written("C4–D1", "C4-D1"),
    Written("C4 — D1", "C4-D1"),
    Written("C4‑D1", "C4-D1"),
    Written("C4−D1", "C4-D1"),
    Written("C4→D1", "C4-D1"),
    Written("C4 -> D1", "C4-D1"),
    Written("C4 => d1", "C4-D1"),
    Written("C4\u00a0D1", "C4-D1"),
    Written("\u200bC4-D1\u200b", "C4-D1"),
    Written("C4-D1.", "C4-D1"),
    Written("C4-D1!", "C4-D1"),
    Written("*C4 to D1!!*", "C4-D1"),
    Written("  C4-D1  ", "C4-D1"),
    Written("*C4-D1*", "C4-D1"),
    Written("**C4-D1**", "C4-D1"),
    Written("`C4-D1`", "C4-D1"),
    Written('"C4-D1"', "C4-D1"),
    Written("„C4-D1“", "C4-D1"),
    Written("«C4-D1»", "C4-D1"),
    Written("'C4-D1.'", "C4-D1"),
    Written("- C4-D1", "C4-D1"),
    Written("C4-D1=H5,I4", "C4-D1=H5,I4"),
    Written("c4-d1 = h5, i4", "C4-D1=H5,I4"),
    Written("c4 d1 = h5 i4", "C4-D1=H5,I4"),
    Written("C4 to D1=H5", "C4-D1=H5"),
    Written("C4-D1 #2", "C4-D1#2"),
    Written("C4-D1#2", "C4-D1#2"),
    Written("C4-D1 2", "C4-D1#2"),
    Written("c4 d1 1", "C4-D1#1"),
    Written("C4-D1\nC4-D1", "C4-D1"),
    Written("c4d1", "C4-D1"),
    Written("C4D1.", "C4-D1"),
    Written("C4D1=H5,I4", "C4-D1=H5,I4"),
    Written("C4D1 #2", "C4-D1#2"),
)
"""A move alone, in every form."""

OTHERS: Final = (
    Written("more time", "more-time"),
    Written("More time.", "more-time"),
    Written("More time!", "more-time"),
    Written("thinking", "thinking"),
    Written("Tonight", "tonight"),
    Written("BACK", "back"),
    Written("take back", "back"),
    Written("vacation until 3 Dec", "vacation 2026-12-03"),
    Written("Vacation until Dec 3.", "vacation 2026-12-03"),
    Written("on vacation until December 3rd, 2026", "vacation 2026-12-03"),
    Written("vacation until the 3rd of December", "vacation 2026-12-03"),
    Written("vacation until 2026-12-03", "vacation 2026-12-03"),
    Written("vacation until Thu 3 Dec", "vacation 2026-12-03"),
    Written("vacation until Thursday, 3 December 2026", "vacation 2026-12-03"),
    Written("vacation until 3-Jan", "vacation ?"),
    Written("vacation until 3 Jan", "vacation 2027-01-03"),
    Written("vacation until 22 Nov", "vacation 2027-11-22"),
    Written("vacation until 23 Nov", "vacation 2026-11-23"),
    Written("vacation until Friday 3 Dec", "vacation ?"),
    Written("vacation until 3/12", "vacation ?"),
    Written("vacation until 31 Nov", "vacation ?"),
    Written("vacation until next week", "vacation ?"),
    Written("vacation until 29 Feb", "vacation ?"),
)

SEVERAL: Final = (
    Written("1 C4-D1", "1 C4-D1"),
    Written("1 C4-D1 2", "1 C4-D1#2"),
    Written("2: c4 d1", "2 C4-D1"),
    Written("3) thinking", "3 thinking"),
    Written("#2 C4-D1", "2 C4-D1"),
    Written("2. C4-D1=H5,I4", "2 C4-D1=H5,I4"),
    Written("12 c4 to d1.", "12 C4-D1"),
    Written("1 C4-D1\n2: c4 d2\n3) thinking", "1 C4-D1\n2 C4-D2\n3 thinking"),
    Written("1. C4-D1\n\n2. more time\n\nSee you!", "1 C4-D1\n2 more-time", "See you!"),
    Written("C4-D1\nC4-D2", "C4-D1\nC4-D2"),
    Written("1 C4-D1\n1 C4-D2", "1 C4-D1\n1 C4-D2"),
    Written("1 C4D1\n2: c4d2", "1 C4-D1\n2 C4-D2"),
)
"""Lines for several tables, and several moves, of which none may be played."""

WITH_WORDS: Final = (
    Written("Hm, that was mean.\n\nC4-D1\n\nGood luck!", "C4-D1", "Hm, that was mean.\n\nGood luck!"),
    Written("C4-D1\nYour turn, Bob", "C4-D1", "Your turn, Bob"),
    Written("Hallo zusammen,\n\nC4-D1\n\nschönen Abend", "C4-D1", "Hallo zusammen,\n\nschönen Abend"),
    Written("Bonjour à tous,\nC4-D1\nà bientôt", "C4-D1", "Bonjour à tous,\nà bientôt"),
    Written("C4-D1\n\nC3-D2 was tempting, too.", "C4-D1", "C3-D2 was tempting, too.", "C3-D2"),
    Written("C4-D1=H5,I4\n\nI thought of C4-D1=I4,H5 first", "C4-D1=H5,I4", "I thought of C4-D1=I4,H5 first"),
    Written("Thanks, that was fun.\nC4-D1", "C4-D1", "Thanks, that was fun."),
    Written("Danke! Спасибо! 谢谢! 🎲\n\nc4 d1", "C4-D1", "Danke! Спасибо! 谢谢! 🎲"),
    Written("I have thought about it all day long and at last I know it for sure:\nC4-D1", "C4-D1",
            "I have thought about it all day long and at last I know it for sure:"),
    Written("C4-D1\n\nplease give me more time", "C4-D1", "please give me more time", missed="more time"),
    Written("more time\n\nI do need more time, sorry", "more-time", "I do need more time, sorry"),
    Written("thinking\n\nI am at my parents’ place, sorry.", "thinking", "I am at my parents’ place, sorry."),
)  # fmt: skip

NOTHING: Final = (
    _words("I would like to play C4-D1", "C4-D1"),
    _words("C4-D1 or C4-D2?", "C4-D1 C4-D2"),
    _words("C4-D1, C4-D2", "C4-D1 C4-D2"),
    _words("C4-D1?", "C4-D1"),
    _words("not C4-D1", "C4-D1"),
    _words("my move: C4 to D1", "C4-D1"),
    _words("C4-D1 please", "C4-D1"),
    _words("Why has nobody played c4-d1 or C4→D1 before?", "C4-D1"),
    _words("With one more turn I would most likely have gone on from the lake to\nC4-D1\nbut who knows", "C4-D1"),
    _words("C4 <- D1"),
    _words("C4 D"),
    _words("C4-D12"),
    _words("XC4-D1"),
    _words("C4D12"),
    _words("C4D1D2"),
    _words("C4D1 please"),
    _words("I would like to play C4D1"),
    _words("I have thought about it all day long and at last I know it for sure,\nC4D1"),
    _words("C4-D1=H5,", "C4-D1=H5"),
    _words("C4-D1 #0", "C4-D1"),
    _words("С4-D1"),
    _words("I need more time", missed="more time"),
    _words("C4-D1 and please give me more time", "C4-D1", missed="more time"),
    _words("I'll be on vacation until 3 Dec, so C4-D1", "C4-D1", missed="vacation until"),
    _words("Can I take back that one? And please give me a lot more\nTIME.", missed="take back, more time"),
    _words("Once more timely, thanks"),
    _words("I am thinking about it"),
    _words("I will play tonight"),
    _words("I am back"),
    _words("vacation"),
    _words("vacation until", missed="vacation until"),
    _words("What a lovely game."),
    _words("Can you tell me how the founding order works?"),
    _words("0 C4-D1", "C4-D1"),
    _words("https://clans.example.com/tables/abc/?move=C4-D1"),
)  # fmt: skip
"""Lines that ask for nothing: all of it is words. The `С` of one is Cyrillic."""

ALL: Final = (*MOVES, *OTHERS, *SEVERAL, *WITH_WORDS, *NOTHING)
"""All, to be read alone."""

USUAL: Final = (MOVES[0], *WITH_WORDS[:6], SEVERAL[7], NOTHING[0], OTHERS[6], MOVES[28], *WITH_WORDS[6:])
"""Those that each way of quoting is tried with, in turn."""

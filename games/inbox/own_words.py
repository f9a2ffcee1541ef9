"""What somebody has written into an answer: its text without quotations, signatures and footers.

Quotations are found by their form, in whatever language a mail program announces them: marks, a line with date and time
or address that ends in a colon, a block of headers, a title between dashes. mail-parser-reply then looks for those that
it knows by their words. Where it is not sure whose a line is, it counts as quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mailparser_reply.parser import EmailMessage

MOST_LETTERS: Final = 5_000
"""Nobody writes more at once, and by then most of what is quoted is gone. The library takes time by its square."""

_LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl", "pl", "cs", "ja", "ko", "zh", "david")
"""Those of the library but Danish and Swedish: words such as Tak and Mvh would take lines of others for signatures."""

# Not the end of an address that was broken off, as in "<clans@example.com\n>:".
_MARK: Final = re.compile(r"(?!>:\s*$)\s*(?:[A-Za-z]{0,3}>|»)")
_MARKED_TO: Final = 70
"""Programs that break a marked line do so about here, and leave what comes after it without a mark."""

_RULE: Final = re.compile(r"\s*[-_=—]{8,}\s*")
_TITLE: Final = re.compile(r"\s*[-=—–]{3,}\s?\w.{1,150}?\W[-=—–]{2,}")
_LABEL: Final = re.compile(r"[*_ ]*[^\W\d_][^:：<>@]{0,24}[:：]")
_ADDRESS: Final = re.compile(r"[^\s@]@[^\s@]")
_TIME: Final = re.compile(r"\d{1,2}(?:[:.]|\s?h\s?)\d\d|\d\s?[AaPp]\.?[Mm]\b")
_DATE: Final = re.compile(r"\b(?:19|20)\d\d(?!\d)|\b\d{1,2}[./-]\d{1,2}[./-]\d\d|\d年")
_ANNOUNCED_IN: Final = 4
"""The most lines that the words which announce a quotation take."""

_DELIMITER: Final = re.compile(r"\s*(?:--|__|—)\s*")
_FOOTERS: Final = (
    r"sent (?:from|with|via|using) .*|(?:get|download) (?:outlook|bluemail|proton|spark|k-9)\b.*",
    r"(?:von meine[mr]|diese nachricht wurde) .* gesendet\b.*|gesendet (?:von|mit|über|aus) .*|outlook für .*",
    r"envoyée? (?:de|depuis|à partir|avec|par) .*|(?:télécharge[rz]|obtenir) outlook\b.*",
    r"enviado (?:desde|con|do|de|a partir|via) .*|(?:obtener|obtén|obter) outlook\b.*",
    r"inviat[oa] (?:da|dal|dall|con) .*|(?:scarica|ottieni) outlook\b.*",
    r"(?:verstuurd|verzonden) (?:vanaf|vanuit|met|via) .*|outlook voor .*",
    r"skickat (?:från|med|via) .*|sendt fra .*|(?:hämta|hent) outlook\b.*",
    r"(?:wysłan[oe]|odesláno|lähetetty|отправлено) (?:z|ze|с|из|\w+sta)\b.*",
    r".*(?:から送信|gönderildi\.?)|发自我的.*|나의 .* 보냄",
)
_FOOTER: Final = re.compile(rf"\W*(?:{'|'.join(_FOOTERS)})", re.IGNORECASE)
"""What programs on phones write below a mail."""
_SMALL_PRINT: Final = re.compile(
    r"\W*(?:(?:this|the information in this|the contents of this) (?:e-?mail|message|communication) .*"
    r"|diese (?:e-?mail|nachricht) (?:enthält|ist) .*|ce (?:message|courriel|mail) .*confidentiel.*)",
    re.IGNORECASE,
)
"""What companies have written below it."""
_BARE_CLOSING: Final = re.compile(r"[^\W\d](?:[\w ]|[-/'’]){0,30}[,.!]?")


def own_words(text: str) -> str | None:
    """The lines that the writer of an answer has written, or None if there are too many of them to be sure.

    Takes time in proportion to the length of the text.
    """
    lines = _cut_signature(_without_quotations(_without_pgp(text.splitlines())))
    words = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()
    if len(words) > MOST_LETTERS:
        return None
    return _cut_by_library(words)


def _without_pgp(lines: Sequence[str]) -> list[str]:
    """The lines that somebody has signed within the text, without their frame."""
    if "-----BEGIN PGP SIGNED MESSAGE-----" not in lines:
        return list(lines)
    kept = list(lines[lines.index("-----BEGIN PGP SIGNED MESSAGE-----") + 1 :])
    if "-----BEGIN PGP SIGNATURE-----" in kept:
        kept = kept[: kept.index("-----BEGIN PGP SIGNATURE-----")]
    return [line.removeprefix("- ") for line in kept if not re.match(r"Hash: \S+$", line)]


# --- Quotations ------------------------------------------------------------------------------------


def _without_quotations(lines: Sequence[str]) -> list[str]:
    """Without what is marked as quoted, what announces it, and all from where a quotation without marks begins.

    So an answer above, below and between what it quotes is read, as long as each quoted line has its mark.
    """
    lines = _with_marks(lines)
    kept: list[str] = []
    for place, line in enumerate(lines):
        if _is_marked(line):
            _drop_announcement(kept)
        elif _TITLE.match(line) and any(_is_marked(after) for after in _next_lines(lines, place + 1, _ANNOUNCED_IN)):
            continue
        elif _begins_unmarked(lines, place):
            break
        else:
            kept.append(line)
            if start := _announcement(kept):
                if not any(_is_marked(after) for after in _next_lines(lines, place + 1, 1)):
                    return kept[:-start]
                del kept[-start:]
    return kept


def _with_marks(lines: Sequence[str]) -> list[str]:
    """The lines, with a mark before those that a program has broken off a marked line."""
    marked: list[str] = []
    for line in lines:
        before = marked[-1] if marked else ""
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        is_broken_off = word and _is_marked(before) and len(before) + 1 + len(word) > _MARKED_TO
        marked.append(f"> {line}" if is_broken_off and not _is_marked(line) else line)
    return marked


def _is_marked(line: str) -> bool:
    return bool(_MARK.match(line))


def _next_lines(lines: Sequence[str], place: int, most: int) -> list[str]:
    """The first lines from here on that are not empty."""
    near = lines[place : place + 2 * most + 6]
    return [line for line in near if line.strip()][:most]


def _drop_announcement(kept: list[str]) -> None:
    """Drop the line before a marked one, if it ends as one that announces a quotation."""
    place = len(kept) - 1
    while place >= 0 and not kept[place].strip():
        place -= 1
    if place >= 0 and kept[place].rstrip().endswith((":", "：")):
        del kept[place:]


def _announcement(kept: Sequence[str]) -> int:
    """How many of the last lines say that somebody wrote something then, in any language; 0 if they do not."""
    if not kept[-1].rstrip().endswith((":", "：")):
        return 0
    for count in range(1, min(_ANNOUNCED_IN, len(kept)) + 1):
        if not kept[-count].strip():
            return 0
        said = " ".join(kept[-count:])[:1000]
        if _DATE.search(said) and (_TIME.search(said) or _ADDRESS.search(said)):
            return count
    return 0


def _begins_unmarked(lines: Sequence[str], place: int) -> bool:
    """Whether a quotation without marks begins here: with a rule, a title between dashes, or the headers of a mail."""
    line = lines[place]
    if _RULE.fullmatch(line) or _TITLE.match(line):
        return True
    if not _LABEL.match(line):
        return False
    block = _next_lines(lines, place, 6)
    labels = sum(bool(_LABEL.match(following)) for following in block)
    return labels >= 3 and any(_ADDRESS.search(header) or _TIME.search(header) for header in block)


# --- Signatures ------------------------------------------------------------------------------------


def _cut_signature(lines: Sequence[str]) -> Sequence[str]:
    """The lines above a signature, a footer of the program or the small print of a company."""
    for place, line in enumerate(lines):
        if _DELIMITER.fullmatch(line) or _FOOTER.fullmatch(line[:200]) or _SMALL_PRINT.fullmatch(line):
            return lines[:place]
    return lines


def _cut_by_library(text: str) -> str:
    """What is left of a text above the quotations and signatures that the library knows."""
    first = EmailMessage(text=text, languages=list(_LANGUAGES), keep_hyphen_lists=True).read().replies[0]
    if first.headers:
        return ""
    words: str = first.content
    for cut in first.disclaimers or ():
        words = words.partition(cut)[0]
    # Its closings are words that a line begins with, as in "Thanks, that was fun": only a line of nothing else is one.
    closing = (first.signatures or "").partition("\n")[0]
    if closing and _BARE_CLOSING.fullmatch(closing.strip()):
        words = words.partition(first.signatures or "")[0]
    return words.strip()

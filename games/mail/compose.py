"""What a mail says, in the reader's language and time zone: the letters in it, what stands around them, and both as
text and HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from quopri import encodestring
from typing import Final

import css_inline
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from games import words
from games.clocks import zone_named
from games.mail import illustrate, links
from games.mail.kinds import Link, Stamp, kind_of
from games.mail.letter import Letter, NoticeLetter, write_letter
from games.mail.message import headers_of, make_headers
from games.mail.stop import stop_links
from games.mail.tokens import make_answerable, make_pressable
from games.models import Mail, MailAnswers, MailText, Notice, OutgoingMail, Player
from games.words.how_to_answer import explain_answers

LINE: Final = 76
"""The longest line of the text part, but for addresses."""
MOST_TEXT: Final = 30_000
"""Bytes of the text part of a mail that tells positions in full."""
MOST_BYTES: Final = 98_000
"""No mail is larger, as it is sent and without its headers."""
PICTURES: Final = 3
"""How many tables of one mail show their board: those that are due first."""
WITH_DETAILS: Final = 8
"""How many notices of one mail tell what has happened; the others are a line each."""
NEVER: Final = datetime.max.replace(tzinfo=UTC)

_MARK: Final = re.compile(r" *(?:> )?")
"""What a line begins with: its indent, and the mark of what others have said."""
# In tags alone: what people write has no bare <.
_CLASSES: Final = re.compile(r'(<\w+[^<>]*?) class="([^"]*)"')
# It leaves the night sheet alone: programs that read one get the dark paper, the others lose nothing.
_inliner = css_inline.CSSInliner(load_remote_stylesheets=False, minify_css=True)


@dataclass(frozen=True, slots=True)
class Mailing:
    """All that the templates of a mail see."""

    title: str
    subject: str
    lead: str
    summary: str
    """What lists of mails show beside the subject."""
    stamp: Stamp
    letters: tuple[Letter, ...]
    why: str
    stops: tuple[Link, ...]
    preferences: Link
    how_to_answer: tuple[str, ...] = ()
    """What answers are understood, a paragraph each; empty where the mail cannot be answered."""
    all_turns: Link | None = None
    """The page on which all waiting tables can be played, where there are several."""
    is_of_one_table: bool = False
    """Whether several letters tell of one table: its name then stands over all of them."""

    @property
    def is_full(self) -> bool:
        """Whether the text tells some position in full."""
        return any(letter.full for letter in self.letters)


def render(mail: Mail, notices: Sequence[Notice], *, at: datetime, may_draw: bool = True) -> None:
    """Fill in what `mail` says of these notices to its player, as of `at`; nothing is saved but the token by
    which it can be answered.

    Costs 3 queries and one fold for each notice, one query more, and 2 for the token; pictures that are not cached yet
    cost a tenth of a second each, or raise NotDrawn unless it `may_draw`.
    """
    player = mail.player
    with as_read_by(player):
        shown = _without_repeats(notices)
        written = _write_letters(shown, at=at, is_full=player.mail_text == MailText.FULL)
        views = {view: one.pov for one in written for view in one.letter.views}
        pictures = illustrate.draw(views, may_draw=may_draw)
        written, reply_to = make_answerable(player, make_pressable(player, written, at=at), at=at)
        stops = tuple(stop_links(player, shown))
        while any(one.letter.full for one in written) and _text_size(player, written, stops) > MOST_TEXT:
            written = _with_a_full_text_less(written)
        text, html, subject = render_mailing(_mailing(player, written, stops))
        while pictures and _weight(text, html, list(pictures.values())) > MOST_BYTES:
            pictures.popitem()
            written = _with_a_picture_less(written)
            text, html, subject = render_mailing(_mailing(player, written, stops))
        headers = headers_of(mail, shown, at=at, stop_url=stops[-1].url, reply_to=reply_to)
    mail.address, mail.dated_at = player.email, at
    mail.fill(subject=subject, text=text, html=html, headers=headers, pictures=pictures)


def fill_without_notices(
    row: OutgoingMail, mailing: Mailing, *, kind: str, sender: str, game: tuple[str, int] | None = None
) -> None:
    """Fill in what a mail that tells no notices says, in the active language; nothing is saved. `kind`, `sender` and
    `game` as in `make_headers`."""
    text, html, subject = render_mailing(mailing)
    url = mailing.stops[-1].url
    headers = make_headers(row.message_id, at=row.created_at, game=game, kind=kind, sender=sender, stop_url=url)
    pictures = [letter.now.name for letter in mailing.letters if letter.now]
    row.fill(subject=subject, text=text, html=html, headers=headers, pictures=pictures)


@contextmanager
def as_read_by(player: Player) -> Iterator[None]:
    """Words and times inside are those of `player`."""
    with (
        words.speaking(player.language, white_clan=player.white_clan),
        timezone.override(zone_named(player.time_zone)),
    ):
        yield


# --- The letters in it ----------------------------------------------------------------------------


def _write_letters(notices: Sequence[Notice], *, at: datetime, is_full: bool) -> list[NoticeLetter]:
    """The letters of `notices`, nearest deadline first; of several the first few have a picture, each table once, and
    what comes after WITH_DETAILS is shown in one line. Each table is told in full once, and so are its moves."""
    if len(notices) == 1:
        return [write_letter(notices[0], at=at, is_full=is_full)]
    letters = [write_letter(notice, at=at, is_short=True, is_full=is_full) for notice in notices]
    letters.sort(key=lambda one: one.due_at or NEVER)
    pictured: set[str] = set()
    in_full: set[str] = set()
    for place, one in enumerate(letters):
        if one.slug in pictured or len(pictured) >= PICTURES:
            letters[place] = one.changed(now=None)
        elif one.letter.views:
            pictured.add(one.slug)
        letters[place] = _without_what_is_told(letters[place], letters[:place])
        if one.slug in in_full:
            letters[place] = letters[place].changed(full=None)
        in_full.add(one.slug)
    return letters[:WITH_DETAILS] + [_in_a_line(one) for one in letters[WITH_DETAILS:]]


def _without_repeats(notices: Sequence[Notice]) -> list[Notice]:
    """The notices, but for those whose kind is left out beside another one about the same seat."""
    said = {(notice.seat_id, notice.kind) for notice in notices}
    return [notice for notice in notices if (notice.seat_id, kind_of(notice.kind).left_out_beside) not in said]


def _without_what_is_told(one: NoticeLetter, earlier: Sequence[NoticeLetter]) -> NoticeLetter:
    """Without its moves and totals, where an earlier letter about the same table has them."""
    letter = one.letter
    told = ((each.slug, each.letter.history, each.letter.standings) for each in earlier)
    if (one.slug, letter.history, letter.standings) not in told:
        return one
    return one.changed(since="", history=(), standings=())


def _in_a_line(one: NoticeLetter) -> NoticeLetter:
    told = one.changed(notes=(), other_buttons=(), since="", history=(), standings=(), button="")
    return _without_full_text(told.changed(now=None))


def _with_a_picture_less(written: Sequence[NoticeLetter]) -> list[NoticeLetter]:
    """The letters without their last picture, where the mail is too heavy; what it shows is in words anyway."""
    last = max(place for place, one in enumerate(written) if one.letter.views)
    without = {"before": None} if written[last].letter.before else {"now": None}
    return [*written[:last], written[last].changed(**without), *written[last + 1 :]]


def _with_a_full_text_less(written: Sequence[NoticeLetter]) -> list[NoticeLetter]:
    """The letters without the last full text, where that of the mail is too long."""
    last = max(place for place, one in enumerate(written) if one.letter.full)
    return [*written[:last], _without_full_text(written[last]), *written[last + 1 :]]


def _without_full_text(one: NoticeLetter) -> NoticeLetter:
    return one.changed(full=None, is_cut=one.letter.full is not None)


# --- What stands around them ----------------------------------------------------------------------


def mailing_of(
    letter: Letter, *, why: str, stops: tuple[Link, ...], preferences: Link, how_to_answer: tuple[str, ...] = ()
) -> Mailing:
    """A mail about one thing."""
    return Mailing(
        title=letter.table,
        subject=letter.subject,
        lead=letter.lead,
        summary=letter.summary,
        stamp=letter.stamp,
        letters=(letter,),
        why=why,
        stops=stops,
        preferences=preferences,
        how_to_answer=how_to_answer,
    )


def _mailing(player: Player, written: Sequence[NoticeLetter], stops: tuple[Link, ...]) -> Mailing:
    letters = tuple(one.letter for one in written)
    mailing = mailing_of(
        letters[0],
        why=" ".join(_say_why(player, letters)),
        stops=stops,
        preferences=Link(_("Preferences"), links.url("mail_preferences")),
        how_to_answer=tuple(_how_to_answer(player, letters)),
    )
    return mailing if len(letters) == 1 else _of_several(mailing, player, written)


def _how_to_answer(player: Player, letters: Sequence[Letter]) -> Iterator[str]:
    """What answers are understood, by the example of the first letter that can be answered."""
    first = next((letter for letter in letters if letter.is_answerable and letter.example[0]), None)
    if first:
        yield from explain_answers(
            *first.example,
            number=first.number,
            lists_orders=any(letter.full for letter in letters),
            is_played=player.mail_answers == MailAnswers.PLAY,
            is_alone=all(letter.is_alone for letter in letters),
        )


def _say_why(player: Player, letters: Sequence[Letter]) -> Iterator[str]:
    """Why the mail comes, and what it lets anybody do who has it."""
    yield _("You get this mail because you play at Clans by mail.")
    if any(letter.moves_at_once for letter in letters):
        yield _("Whoever has it can make this one move for you, without signing in.")


def _of_several(mailing: Mailing, player: Player, written: Sequence[NoticeLetter]) -> Mailing:
    """The mail about the first of several things as one about all of them."""
    tables = {one.slug: one.letter.table for one in written}
    waiting = {one.slug for one in written if one.kind.asks_for_move}
    mailing = replace(
        mailing,
        summary=" ".join(one.letter.lead for one in written),
        letters=tuple(one.letter for one in written),
        all_turns=Link(_("All your turns on one page"), links.url("all_turns")) if len(waiting) > 1 else None,
        is_of_one_table=len(tables) == 1,
    )
    if mailing.is_of_one_table:
        template = _("Your turn, and more news: %(table)s") if waiting else _("News from %(table)s")
        lead = _("%(name)s, here is what has happened.") % {"name": player.username}
        return replace(mailing, subject=template % {"table": mailing.title}, lead=lead)
    count = len(tables)
    if len(waiting) == count:
        template = ngettext("%(count)d table waits for you", "%(count)d tables wait for you", count)
    else:
        template = ngettext("News from %(count)d table", "News from %(count)d tables", count)
    title = template % {"count": count}
    return replace(
        mailing,
        title=title,
        subject=f"{title}: {words.join_words(tables.values())}",
        lead=_("%(name)s, here is what has happened, the nearest deadline first.") % {"name": player.username},
        stamp=Stamp(_("Tables"), str(count), _("in one mail")),
    )


# --- Text and HTML --------------------------------------------------------------------------------


def render_mailing(mailing: Mailing) -> tuple[str, str, str]:
    """Text, HTML and subject."""
    html = with_styles(render_to_string(f"mail/{_form(mailing)}.html", {"mail": mailing}))
    return _text(mailing), html, " ".join(mailing.subject.split())


def _text(mailing: Mailing) -> str:
    return tidy(render_to_string(f"mail/{_form(mailing)}.txt", {"mail": mailing}))


def _form(mailing: Mailing) -> str:
    return "bundle" if len(mailing.letters) > 1 else "letter"


def _text_size(player: Player, written: Sequence[NoticeLetter], stops: tuple[Link, ...]) -> int:
    """Bytes of the text part, as it is sent: a line ends with two."""
    text = _text(_mailing(player, written, stops))
    return len(text.encode()) + text.count("\n")


def _weight(text: str, html: str, pictures: list[bytes]) -> int:
    """At most how many bytes a message of these is, but for its headers: base64 has 78 bytes a line for 57."""
    encoded = [encodestring(part.encode()) for part in (text, html)]
    parts = sum(len(part) + part.count(b"\n") for part in encoded)
    return parts + sum(len(picture) * 78 // 57 + 400 for picture in pictures) + 800


def with_styles(html: str) -> str:
    """With the styles in the tags, and without what only people who read templates need: indents, empty lines, classes
    that the style sheet does not name."""
    lines = (line.strip() for line in _inliner.inline(html).split("\n"))
    return _CLASSES.sub(_of_the_sheet, "\n".join(filter(None, lines)))


def _of_the_sheet(found: re.Match[str]) -> str:
    kept = [name for name in found[2].split() if name in _sheet_classes()]
    return f'{found[1]} class="{" ".join(kept)}"' if kept else found[1]


@lru_cache(maxsize=1)
def _sheet_classes() -> frozenset[str]:
    return frozenset(re.findall(r"\.([a-z][\w-]*)", render_to_string("mail/_media.css")))


def tidy(text: str) -> str:
    """Text with no two empty lines in a row and no line over LINE; what is folded keeps its indent and its mark."""
    lines = [part for line in text.strip().split("\n") for part in _fold(line.rstrip())]
    kept = [line for before, line in zip(["", *lines], lines, strict=False) if before or line]
    return "\n".join(kept) + "\n"


def _fold(line: str) -> list[str]:
    if len(line) <= LINE or "://" in line:
        return [line]
    mark = _MARK.match(line)
    indent = mark[0] if mark else ""
    return textwrap.wrap(line, LINE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)

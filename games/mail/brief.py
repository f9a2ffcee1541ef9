"""What a notice says in short, for webhooks and feeds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.mail.compose import as_read_by
from games.mail.kinds import kind_of
from games.mail.letter import Letter, gather_facts, say_history, write_letter
from games.models import Notice


def brief_letter(notice: Notice, *, at: datetime) -> Letter:
    """What a mail of `notice` would say to its reader at `at`, in short; nothing that a visitor does not know.

    The notice need not be owed, or even be saved. Costs 3 queries and one fold.
    """
    with as_read_by(notice.reader):
        return write_letter(notice, at=at, is_short=True).letter


@dataclass(frozen=True, slots=True)
class Entry:
    """What a feed says: a line, the page that it leads to, and the moves since the reader's last one in words."""

    title: str
    url: str
    history: tuple[str, ...]


def brief_entry(notice: Notice, *, at: datetime) -> Entry:
    """What a feed says of `notice` at `at`: in the words of `brief_letter`, which takes longer, as it words more."""
    with as_read_by(notice.reader):
        facts, kind = gather_facts(notice, at=at), kind_of(notice.kind)
        history = tuple(line.words for line in say_history(facts))
        return Entry(kind.subject(facts), kind.button(facts).url, history)


@dataclass(frozen=True, slots=True)
class Push:
    """A notification that a browser shows: a line, what is below it, and the page that it leads to."""

    title: str
    body: str
    url: str


def brief_push(notice: Notice, *, at: datetime) -> Push:
    """What a notification says of `notice` at `at`; nothing that a visitor does not know. Costs what
    `brief_letter` costs."""
    with as_read_by(notice.reader):
        facts, kind = gather_facts(notice, at=at), kind_of(notice.kind)
        title, body = kind.push_title or kind.subject, kind.push_body or kind.lead
        return Push(title(facts), body(facts), kind.button(facts).url)

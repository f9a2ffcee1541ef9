"""What a mail about a game says, as plain values for its templates: the public Pov, retold for one reader.

Nothing here knows a clan card. The Pov is the one that a visitor gets, so a mail can be forwarded (design 3.1).
Numbers come as they are to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from games import rules, words
from games.mail import illustrate, links
from games.mail.game_state import (
    ClanScore,
    EpochChips,
    FullText,
    SeatLine,
    clan_scores,
    epoch_chips,
    say_regions,
    seat_lines,
    write_full_text,
)
from games.mail.illustrate import Picture, View
from games.mail.kinds import BoardPicture, Facts, Link, NoticeKind, Stamp, kind_of, seats_stamp
from games.models import Notice
from games.pov import MovePov, Pov, SeatPov, look, read_unread
from games.words.how_to_answer import invite_answer, invite_back, invite_words, say_confirmed_first
from games.words.in_mails import say_next_village
from games.words.time_left import Deadline, say_time_left
from games.words.times import name_moment_briefly


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move of the history: its number among those shown, in words, in notation, and when it was made."""

    number: str
    words: str
    notation: str
    at: str


@dataclass(frozen=True, slots=True)
class TalkLine:
    """A postcard: who said it, what, and when."""

    head: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class Letter:
    """What one notice tells: all that the templates see of it."""

    table: str
    subject: str
    lead: str
    summary: str
    """What lists of mails show beside the subject."""
    notes: tuple[str, ...]
    stamp: Stamp
    button: str
    url: str
    """Where the button leads."""
    moves_at_once: bool = False
    """Whether it leads to a page that moves without signing in."""
    until: str = ""
    then: str = ""
    """Until when the turn is free and what comes then, as sentences."""
    other_buttons: tuple[Link, ...] = ()
    now: Picture | None = None
    is_small: bool = False
    """Whether the picture is a small one, beside the moves."""
    before: Picture | None = None
    before_label: str = ""
    talk: tuple[TalkLine, ...] = ()
    """What others have said that the reader has not read, oldest first."""
    since: str = ""
    """What the history goes back to, as its heading; empty when there is none."""
    history: tuple[MoveText, ...] = ()
    order: tuple[SeatLine, ...] = ()
    """The seats in order of play from the first move on, where a game begins."""
    standings: tuple[SeatLine, ...] = ()
    """By rank, once the game is over."""
    clans: tuple[ClanScore, ...] = ()
    holders: tuple[SeatLine, ...] = ()
    """The seats with their chips, while the game runs."""
    epochs: tuple[EpochChips, ...] = ()
    chips_left: str = ""
    next_village: str = ""
    """What the next village's epoch means, in words."""
    commitment: str = ""
    """What fixed the draw, where a game begins, and the address of the page that checks it."""
    deal_url: str = ""
    regions: tuple[str, ...] = ()
    """What stands where, a line for each region, for those who read the text."""
    full: FullText | None = None
    """The position in full, for players who want that in the text."""
    is_cut: bool = False
    """Whether the full text was left out because the mail would be too long."""
    number: int | None = None
    """What a mail about several tables calls this one, where its reader can answer it."""
    takes_words: bool = False
    """Whether the mail can be answered with a postcard, and with nothing else."""
    is_alone: bool = False
    """Whether all others at the table are computer players."""
    is_answerable: bool = False
    """Whether the mail can be answered with a move; only then is said how."""
    example: tuple[str, str] = ("", "")
    """How a move is written: one that is legal now, and any move with the order of its villages; empty where the mail
    cannot be answered with a move, or it is not the reader's turn."""
    is_another: bool = False
    """Whether that move is another than one that waits until the reader confirms it."""
    is_confirmed_first: bool = False
    """Whether its reader is asked on the site before a move of an answer is played."""

    @property
    def views(self) -> tuple[View, ...]:
        """What its pictures show, as far as they are of its game."""
        return tuple(picture.view for picture in (self.now, self.before) if picture and picture.view)

    @property
    def heading(self) -> str:
        """The table, with its number where it has one. The name alone could read like a request (design 3.2)."""
        if self.number is None:
            return _("Table: %(table)s") % {"table": self.table}
        return _("Table %(number)d: %(table)s") % {"number": self.number, "table": self.table}

    @property
    def invites_answer(self) -> str:
        """That the mail can be answered; empty where it cannot."""
        if self.takes_words:
            return invite_words()
        if not self.is_answerable:
            return ""
        if not self.example[0]:
            return invite_back(number=self.number)
        invitation = invite_answer(self.example[0], number=self.number, is_another=self.is_another)
        return say_confirmed_first(invitation) if self.is_confirmed_first else invitation


@dataclass(frozen=True, slots=True)
class NoticeLetter:
    """The letter of a notice, and what it is made of, which no template sees."""

    facts: Facts
    letter: Letter

    @property
    def notice(self) -> Notice:
        return self.facts.notice

    @property
    def pov(self) -> Pov:
        return self.facts.pov

    @property
    def slug(self) -> str:
        return self.pov.slug

    @property
    def kind(self) -> NoticeKind:
        return kind_of(self.notice.kind)

    @property
    def due_at(self) -> datetime | None:
        """Until when its reader has to move, where it asks for that."""
        return self.pov.due_at if self.kind.asks_for_move else None

    def changed(self, **fields: Any) -> NoticeLetter:
        """The same with other values in these fields of the letter."""
        return replace(self, letter=replace(self.letter, **fields))


def write_letter(notice: Notice, *, at: datetime, is_short: bool = False, is_full: bool = False) -> NoticeLetter:
    """The letter of a notice as of `at`, in the active language; the same each time it is called. Costs what
    `gather_facts` costs. `is_short` is for one of several in a mail: with a small picture and without the state of the
    game. `is_full` is for a reader whose text tells the position in full, while the game runs."""
    kind, facts = kind_of(notice.kind), gather_facts(notice, at=at)
    letter, pov = _plain_letter(kind, facts, is_short=is_short), facts.pov
    if pov.position is None:
        return NoticeLetter(facts, letter)
    letter = _illustrated(letter, kind, facts, is_short=is_short)
    if not is_short:
        letter = _with_state(letter, pov, pov.position)
    if is_full and pov.is_running:
        letter = replace(letter, full=write_full_text(pov.position, pov.seats, with_moves=facts.is_to_move))
    return NoticeLetter(facts, letter)


def gather_facts(notice: Notice, *, at: datetime) -> Facts:
    """What the texts of a notice are made of. Costs 3 queries and one fold, one more where there is talk to tell."""
    seat = notice.seat
    pov = look(seat.game, viewer=None, ply=min(notice.ply, seat.game.ply), at=at)
    pov, mine = _for_reader(pov, notice)
    about = next((other for other in pov.seats if other.number == notice.about), None)
    has_talk = kind_of(notice.kind).tells_talk and seat.game.said > seat.heard
    talk = read_unread(seat.game, pov, reader=notice.reader, after=seat.heard) if has_talk else ()
    return Facts(notice, pov, mine, about, at, talk)


def _for_reader(pov: Pov, notice: Notice) -> tuple[Pov, SeatPov]:
    """The public Pov with the reader's seat marked as theirs, and that seat: it says "you", and knows no more."""
    seat = notice.seat
    number = seat.joined if seat.number is None else seat.number
    mine = replace(
        next(other for other in pov.seats if other.number == number),
        is_mine=notice.reader == seat.player,
        can_withdraw=not seat.has_withdrawn,
        reserve_left=seat.reserve_left(seat.game),
    )
    seats = tuple(mine if other.number == number else other for other in pov.seats)
    return replace(pov, name=words.one_line(pov.name), seats=seats), mine


def _plain_letter(kind: NoticeKind, facts: Facts, *, is_short: bool) -> Letter:
    """What is said at every table, also where no game has begun."""
    has_begun, button = facts.pov.position is not None, kind.button(facts)
    return Letter(
        table=facts.table,
        subject=kind.subject(facts),
        lead=kind.lead(facts),
        summary=(kind.summary or kind.lead)(facts),
        notes=() if is_short and facts.pov.is_running else kind.notes(facts),
        stamp=kind.stamp(facts) if has_begun else seats_stamp(facts),
        button=button.text,
        url=button.url,
        other_buttons=kind.other_buttons(facts) if has_begun else (),
        is_alone=facts.pov.plays_alone,
        talk=tuple(
            TalkLine(words.head_postcard(postcard), postcard.text, name_moment_briefly(postcard.at))
            for postcard in facts.talk
        ),
        commitment=facts.pov.deal.commitment if _nobody_has_moved(facts.pov) else "",
        deal_url=links.url("deal", facts.pov.slug) if _nobody_has_moved(facts.pov) else "",
    )


def _nobody_has_moved(pov: Pov) -> bool:
    """Whether nobody has moved. Mails show the commitment then, so that every player has it early."""
    return pov.position is not None and not pov.ply and not pov.is_over


def _illustrated(plain: Letter, kind: NoticeKind, facts: Facts, *, is_short: bool) -> Letter:
    """With pictures and what happened, and with the deadline where the reader is to move."""
    pov, mine = facts.pov, facts.mine
    begun = _first_news(pov, mine.number)
    since, history = _history(pov, begun, mine.number)
    board = BoardPicture.SMALL if is_short else kind.board
    now, before = illustrate.show_board(pov, since=begun, board=board, told=[line.words for line in history])
    deadline = say_time_left(pov, mine, at=facts.at) if kind.asks_for_move else Deadline("", "")
    return replace(
        plain,
        summary=plain.summary or deadline.until,
        until=deadline.until,
        then="" if is_short else deadline.then,
        now=now,
        is_small=board is BoardPicture.SMALL,
        before=before,
        before_label=(_("As you left it") if begun else _("At the beginning")) if before else "",
        since=since,
        history=history,
        standings=seat_lines(_ranked(pov)) if pov.is_over and pov.is_now else (),
    )


def _with_state(letter: Letter, pov: Pov, position: rules.Position) -> Letter:
    """With scores, chips and the epoch chart; where a game begins with the order of play instead."""
    if not pov.ply:
        return replace(letter, order=seat_lines(_in_turn(pov)))
    letter = replace(
        letter, clans=clan_scores(position), regions=() if letter.is_small else tuple(say_regions(pov, position))
    )
    if letter.standings:
        return letter
    return replace(
        letter,
        holders=seat_lines(_in_turn(pov)),
        epochs=epoch_chips(position),
        chips_left=str(position.chips_left),
        next_village=say_next_village(position),
    )


def _in_turn(pov: Pov) -> list[SeatPov]:
    """The seats in order of play, whoever makes the first move first."""
    first = pov.opening.first if pov.opening else 0
    return [pov.seats[(first + turn) % pov.size] for turn in range(pov.size)]


def _ranked(pov: Pov) -> list[SeatPov]:
    return sorted(_in_turn(pov), key=lambda seat: (-(seat.total or 0), seat.number))


def _first_news(pov: Pov, number: int) -> int:
    """The ply at which the moves begin that are news to the player on seat `number`: after the last that they made."""
    own = [ply for ply, move in enumerate(pov.moves, start=1) if move.step.seat == number and not move.by_bot]
    return min(own[-1], pov.ply - 1) if own else 0


# --- What happened -------------------------------------------------------------------------------


def say_history(facts: Facts) -> tuple[MoveText, ...]:
    """The moves since the reader's last one."""
    pov, number = facts.pov, facts.mine.number
    return _history(pov, _first_news(pov, number), number)[1]


def _history(pov: Pov, begun: int, number: int) -> tuple[str, tuple[MoveText, ...]]:
    """The moves from ply `begun` on, under a heading for the player on seat `number`."""
    shown = pov.moves[begun:]
    if not shown:
        return "", ()
    if len(shown) == 1 and shown[0].step.seat == number and not shown[0].by_bot:
        return _("Your last move"), _lines(shown, pov.seats)
    return _head_history(pov, begun), _lines(shown, pov.seats)


def _head_history(pov: Pov, begun: int) -> str:
    # In a game that is over, no move of the reader's follows.
    is_end = pov.is_over and pov.is_now
    if not begun:
        return _("All moves") if is_end else _("So far")
    since = _("After your last move, %(move)s") if is_end else _("Since your last move, %(move)s")
    return since % {"move": pov.moves[begun - 1].step.move}


def _lines(moves: Sequence[MovePov], seats: Sequence[SeatPov]) -> tuple[MoveText, ...]:
    described = zip(words.describe_moves(moves, seats), moves, strict=True)
    numbered = enumerate(described, start=1)
    return tuple(
        MoveText(str(number) if len(moves) > 1 else "", text, str(move.step.move), name_moment_briefly(move.at))
        for number, (text, move) in numbered
    )

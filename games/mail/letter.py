"""What a mail about a game says, as plain values for its templates: the public Pov, retold for one reader.

Nothing here knows a clan card. The Pov is the one that a visitor gets, so a mail can be forwarded (design 3). All is
text that is put in its place (games.mail.stencil), so numbers come as they are to be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import get_language, gettext as _

from games import pictures, words
from games.clocks import Clock
from games.mail import addresses, illustrate
from games.mail.illustrate import Picture, View
from games.mail.phrases import Deadline, Phrases, phrase, say_moment, say_time_left
from games.mail.state import (
    ClanScore,
    EpochChips,
    SeatLine,
    clan_scores,
    epoch_chips,
    say_next_village,
    say_regions,
    seat_lines,
)
from games.mail.stencil import Fixed
from games.models import Notice
from games.pov import MovePov, Pov, SeatPov, look

DAY: Final = timedelta(days=1)
WIDE, NARROW = 554, 262
"""Pixels that a card has for a picture, and each of its two columns."""

Kind = Notice.Kind
AWAITS_READER: Final = frozenset({Kind.TURN, Kind.REMINDER, Kind.NUDGE})
"""What says that a table waits for its reader."""
LARGE: Final = frozenset({Kind.TURN, Kind.STARTED, Kind.FINISHED, Kind.AUTOPILOT, Kind.TEST})
"""Mails with the board across the whole card; what only reminds has a small one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A move of the history: its number among those told, in words, in notation, and when it was made."""

    number: str
    words: str
    notation: str
    at: str


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """The stamp of a card: a number with what it counts above, and a word below."""

    top: str
    number: str
    foot: str


@dataclass(frozen=True, slots=True)
class Letter:
    """What one notice tells: all that the templates see of it."""

    kind: Fixed
    table: str
    subject: str
    lead: str
    glance: str
    notes: tuple[str, ...]
    stamp: Stamp
    ask: str
    url: str
    until: str = ""
    then: str = ""
    """Until when the turn is free and what comes then, as sentences."""
    answers: tuple[Link, ...] = ()
    """What else a reminder offers to do."""
    now: Picture | None = None
    is_small: bool = False
    """Whether the picture is a small one, beside the moves."""
    before: Picture | None = None
    before_label: str = ""
    since: str = ""
    """What the history goes back to, as its heading; empty when there is none."""
    history: tuple[Line, ...] = ()
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
    regions: tuple[str, ...] = ()
    """What stands where, a line for each region, for who reads the text."""


@dataclass(frozen=True, slots=True)
class Written:
    """A letter with the views that its pictures are of, and the Pov to draw them from."""

    letter: Letter
    views: tuple[View, ...]
    pov: Pov
    slug: str
    due_at: datetime | None


def write_letter(notice: Notice, *, at: datetime, is_short: bool = False) -> Written:
    """The letter of a notice as of `at`, in the active language; the same each time it is called. Costs 3 queries and
    one fold. `is_short` is for one of several in a mail: with a small picture and without the state of the game."""
    seat = notice.seat
    if seat.player is None:
        raise ValueError(f"nobody reads notice {notice.pk}")
    pov = look(seat.game, viewer=None, ply=min(notice.ply, seat.game.ply), at=at)
    pov, mine = _for_reader(pov, notice)
    about = (
        next((other for other in pov.seats if other.number == notice.about), None) if notice.about is not None else None
    )
    withdrew, clock = _who_withdrew(notice, pov), _clock(notice, pov, mine)
    said = phrase(notice.kind, pov, about=about, mine=mine, at=at, withdrew=withdrew, clock=clock)
    plain = _plain_letter(Kind(notice.kind), pov, said)
    if pov.position is None:
        return Written(plain, (), pov, pov.slug, None)
    written = _illustrated(plain, Kind(notice.kind), pov, mine, at=at, is_short=is_short)
    return written if is_short else replace(written, letter=_with_state(written.letter, pov))


def _who_withdrew(notice: Notice, pov: Pov) -> SeatPov | None:
    """Who withdrew a move, where the notice calls to a turn that its reader was called to before. No query at most
    tables, else one."""
    if notice.kind != Kind.TURN or not notice.number:
        return None
    earlier = Notice.objects.filter(seat=notice.seat, kind=Kind.TURN, ply=notice.ply, number__lt=notice.number)
    if not earlier.exists():
        return None
    last = pov.seats[pov.moves[-1].step.seat] if pov.moves else None
    return pov.withdrew or (last if last and last.has_withdrawn else None)


def _clock(notice: Notice, pov: Pov, mine: SeatPov) -> Clock | None:
    """The clock of the turn of which the notice reminds. A query where its player has planned vacations."""
    player = notice.seat.player
    if notice.kind != Kind.REMINDER or player is None or not (pov.turn_since and pov.free_until and pov.due_at):
        return None
    allows = bool(pov.terms and pov.terms.allows_vacation)
    still = player.calendar(with_vacations=allows, at=pov.turn_since).still
    return Clock(pov.turn_since, pov.free_until, pov.due_at, mine.reserve_left, still)


def _for_reader(pov: Pov, notice: Notice) -> tuple[Pov, SeatPov]:
    """The public Pov with the reader's seat marked as theirs, and that seat: it says "you", and knows no more."""
    seat = notice.seat
    number = seat.joined if seat.number is None else seat.number
    mine = replace(
        next(other for other in pov.seats if other.number == number),
        is_mine=True,
        can_withdraw=not seat.has_withdrawn,
        reserve_left=seat.reserve_left(seat.game),
    )
    seats = tuple(mine if other.number == number else other for other in pov.seats)
    return replace(pov, name=words.one_line(pov.name), seats=seats), mine


def _plain_letter(kind: Notice.Kind, pov: Pov, said: Phrases) -> Letter:
    """What is said at every table, also where no game has begun."""
    is_closed = kind == Kind.EXPIRED
    return Letter(
        kind=Fixed(kind),
        table=pov.name,
        subject=said.subject,
        lead=said.lead,
        glance=said.glance,
        notes=said.notes,
        stamp=_stamp(kind, pov),
        ask=said.ask,
        url=addresses.new_table_url() if is_closed else addresses.table_url(pov.slug),
    )


def _illustrated(plain: Letter, kind: Notice.Kind, pov: Pov, mine: SeatPov, *, at: datetime, is_short: bool) -> Written:
    """With pictures and what happened, and with the deadline where the reader is to move."""
    begun = _begun(pov, mine.number)
    is_large = kind in LARGE and not is_short
    views = tuple(_views(kind, pov, begun, is_large=is_large, has_before=not is_short))
    seen = [_seen(view, pov, begun, is_large=is_large) for view in views]
    since, history = _history(pov, begun, mine.number)
    deadline = say_time_left(pov, mine, at=at) if kind in AWAITS_READER else Deadline("", "")
    letter = replace(
        plain,
        glance=plain.glance or deadline.until,
        notes=() if is_short else plain.notes,
        until=deadline.until,
        then="" if is_short else deadline.then,
        answers=tuple(_answers(pov, mine)) if kind == Kind.REMINDER else (),
        now=seen[0],
        is_small=not is_large,
        before=seen[1] if seen[1:] else None,
        before_label=(_("As you left it") if begun else _("At the beginning")) if seen[1:] else "",
        since=since,
        history=history,
        standings=seat_lines(_ranked(pov)) if pov.is_over and pov.is_now else (),
    )
    return Written(letter, views, pov, pov.slug, pov.due_at if kind in AWAITS_READER else None)


def _with_state(letter: Letter, pov: Pov) -> Letter:
    """With scores, chips and the epoch chart; where a game begins with the order of play instead."""
    position = pov.position
    if position is None:
        return letter
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
        chips_left=f"{position.chips_left:>5}",
        next_village=say_next_village(get_language() or "", position.epoch, position.chips_left),
    )


def _in_turn(pov: Pov) -> list[SeatPov]:
    """The seats in order of play, whoever makes the first move first."""
    first = pov.opening.first if pov.opening else 0
    return [pov.seats[(first + turn) % pov.size] for turn in range(pov.size)]


def _ranked(pov: Pov) -> list[SeatPov]:
    return sorted(_in_turn(pov), key=lambda seat: (-(seat.total or 0), seat.number))


def _begun(pov: Pov, number: int) -> int:
    """The ply at which the moves begin that are news to who sits on seat `number`: after the last that they made."""
    own = [ply for ply, move in enumerate(pov.moves, start=1) if move.step.seat == number and not _by_machine(move)]
    return min(own[-1], pov.ply - 1) if own else 0


def _by_machine(move: MovePov) -> bool:
    return move.by_bot or move.by_autopilot


def _views(kind: Notice.Kind, pov: Pov, begun: int, *, is_large: bool, has_before: bool) -> Iterator[View]:
    yield illustrate.view_now(pov, begun, width=pictures.LARGE if is_large else pictures.SMALL)
    if has_before and is_large and pov.ply > begun and kind != Kind.FINISHED:
        yield illustrate.view_before(pov, begun)


def _seen(view: View, pov: Pov, begun: int, *, is_large: bool) -> Picture:
    if view.ply == pov.ply:
        return illustrate.as_seen(view, illustrate.say_now(pov, begun), shown=WIDE if is_large else NARROW)
    return illustrate.as_seen(view, illustrate.say_before(pov, begun), shown=NARROW)


def _stamp(kind: Notice.Kind, pov: Pov) -> Stamp:
    if pov.position is None:
        return Stamp(_("Seats"), f"{len(pov.seats)}/{pov.size}", _("taken"))
    if kind == Kind.FINISHED:
        return Stamp(_("Moves"), str(pov.ply), _("the end"))
    epoch = words.name_epoch(pov.position.epoch) if pov.position.epoch else ""
    foot = _("epoch %(epoch)s") % {"epoch": epoch} if epoch else ""
    if kind == Kind.STARTED:
        return Stamp(_("Seats"), str(pov.size), foot)
    return Stamp(_("Move"), str(pov.ply + 1), foot)


def _answers(pov: Pov, mine: SeatPov) -> Iterator[Link]:
    """What a reminder offers: pages that ask, never the deed itself."""
    yield Link(_("I will play tonight"), addresses.answer_url(pov.slug, "tonight"))
    if mine.reserve_left >= DAY:
        yield Link(_("Take a day from my reserve"), addresses.answer_url(pov.slug, "day"))
    yield Link(_("Tell the others I am thinking"), addresses.answer_url(pov.slug, "thinking"))


# --- What happened -------------------------------------------------------------------------------


def _history(pov: Pov, begun: int, number: int) -> tuple[str, tuple[Line, ...]]:
    """The moves from ply `begun` on, under a heading for who sits on seat `number`."""
    told = pov.moves[begun:]
    if not told:
        return "", ()
    if len(told) == 1 and told[0].step.seat == number and not _by_machine(told[0]):
        return _("Your last move"), _lines(told, pov.seats)
    since = _("Since your last move, %(move)s") % {"move": pov.moves[begun - 1].step.move} if begun else _("So far")
    return since, _lines(told, pov.seats)


def _lines(moves: Sequence[MovePov], seats: Sequence[SeatPov]) -> tuple[Line, ...]:
    described = zip(words.describe_moves(moves, seats), moves, strict=True)
    numbered = enumerate(described, start=1)
    return tuple(
        Line(str(number) if len(moves) > 1 else "", text, str(move.step.move), say_moment(move.at))
        for number, (text, move) in numbered
    )

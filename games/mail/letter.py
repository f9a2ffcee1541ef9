"""What a mail about a game says, as plain values for its templates: the public Pov, retold for one reader.

Nothing here knows a clan card. The Pov is the one that a visitor gets, so a mail can be forwarded (design 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games import rules, words
from games.mail.stop import stop_url
from games.models import Notice
from games.pov import MovePov, Pov, SeatPov, look

MARKS = {"": "", "red": "●", "blue": "▲", "green": "■", "yellow": "◆", "black": "✚"}
"""The mark of each clan, as on the roofs of its huts: color never says it alone."""


@dataclass(frozen=True, slots=True)
class Line:
    """A move of the history: in words, in notation, and when it was made."""

    words: str
    notation: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ClanScore:
    """The score of a clan; `share` is its part of the highest, in percent, for a bar."""

    clan: str
    name: str
    mark: str
    score: int
    share: int


@dataclass(frozen=True, slots=True)
class EpochChips:
    """The chips of an epoch as dots: those left on the chart full, those that players hold empty."""

    numeral: str
    dots: str
    is_next: bool


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat in a list; what was secret is empty until the game is over."""

    name: str
    is_mine: bool
    chips: int
    dots: str
    clan: str
    clan_name: str
    mark: str
    score: int | None
    total: int | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class Letter:
    """All that the templates of a mail see."""

    table: str
    reader: str
    ply: int
    first: str
    """Who makes the first move; `order` lists the seats from there on."""
    order: tuple[SeatLine, ...]
    standings: tuple[SeatLine, ...]
    """The seats by rank, once the game is over."""
    since: str
    """What the history goes back to, as its heading; empty when there is none."""
    history: tuple[Line, ...]
    clans: tuple[ClanScore, ...]
    epochs: tuple[EpochChips, ...]
    chips_left: int
    next_village: str
    """What the next village's epoch means, in words; empty once the game is over."""
    epoch: str
    end: str
    result: str
    winners: str
    has_won: bool
    table_url: str
    stop_url: str
    preferences_url: str

    @property
    def move_number(self) -> int:
        """The number of the move that is asked for."""
        return self.ply + 1


def write_letter(notice: Notice) -> Letter:
    """The letter of a notice, in the active language; the same each time it is called. Costs 3 queries and one fold."""
    seat = notice.seat
    pov = _for_reader(look(seat.game, viewer=None, ply=notice.ply), seat.number)
    if seat.player is None or seat.number is None or pov.position is None or pov.opening is None:
        raise ValueError(f"notice {notice.pk} has no reader, or its game has not started")
    since, history = _history(pov, seat.number)
    turned = [pov.seats[(pov.opening.first + turn) % pov.size] for turn in range(pov.size)]
    return Letter(
        table=pov.name,
        reader=seat.name,
        ply=pov.ply,
        first=turned[0].name,
        order=_seat_lines(turned),
        standings=_seat_lines(sorted(turned, key=lambda seat: (-(seat.total or 0), seat.number))),
        since=since,
        history=_lines(history, pov.seats),
        clans=_clans(pov.position),
        epochs=_epochs(pov.position),
        chips_left=pov.position.chips_left,
        next_village=_next_village(pov.position),
        epoch=words.name_epoch(pov.position.epoch) if pov.position.epoch else "",
        end=words.say_end(pov),
        result=words.say_result(pov),
        winners=words.join_words([seat.name for seat in pov.winners]) if pov.winners else "",
        has_won=any(seat.is_mine and not seat.has_resigned for seat in pov.winners),
        table_url=settings.SITE_URL + reverse("table", args=(pov.slug,)),
        stop_url=stop_url(seat.player),
        preferences_url=settings.SITE_URL + reverse("preferences"),
    )


def _for_reader(pov: Pov, number: int | None) -> Pov:
    """The public Pov with the reader's seat marked as theirs: it says "you", and knows no more than before."""
    return replace(pov, seats=tuple(replace(seat, is_mine=seat.number == number) for seat in pov.seats))


def _history(pov: Pov, number: int) -> tuple[str, tuple[MovePov, ...]]:
    """The moves after the last that the person on seat `number` made, under a heading."""
    own = [ply for ply, move in enumerate(pov.moves, start=1) if move.step.seat == number and not move.by_bot]
    if not own:
        return (_("So far") if pov.moves else ""), pov.moves
    if own[-1] == pov.ply:
        return _("Your last move"), pov.moves[-1:]
    move = pov.moves[own[-1] - 1].step.move
    return _("Since your last move, %(move)s") % {"move": move}, pov.moves[own[-1] :]


def _lines(moves: Sequence[MovePov], seats: Sequence[SeatPov]) -> tuple[Line, ...]:
    described = zip(words.describe_moves(moves, seats), moves, strict=True)
    return tuple(Line(text, str(move.step.move), move.at) for text, move in described)


def _seat_lines(seats: Sequence[SeatPov]) -> tuple[SeatLine, ...]:
    return tuple(
        SeatLine(
            name=words.name_seat(seat),
            is_mine=seat.is_mine,
            chips=seat.chips,
            dots="●" * seat.chips,
            clan=seat.clan,
            clan_name=words.name_clan(seat.clan) if seat.clan else "",
            mark=MARKS[seat.clan],
            score=seat.score,
            total=seat.total,
            rank=seat.rank,
        )
        for seat in seats
    )


def _clans(position: rules.Position) -> tuple[ClanScore, ...]:
    highest = max(*position.scores, 1)
    return tuple(
        ClanScore(clan, words.name_clan(clan), MARKS[clan], score, round(100 * score / highest))
        for clan, score in zip(rules.CLANS, position.scores, strict=True)
    )


def _epochs(position: rules.Position) -> tuple[EpochChips, ...]:
    taken = len(position.villages)
    chips = []
    for epoch in rules.EPOCHS:
        gone = min(taken, epoch.chips)
        taken -= gone
        dots = "○" * gone + "●" * (epoch.chips - gone)
        chips.append(EpochChips(words.name_epoch(epoch.number), dots, is_next=epoch.number == position.epoch))
    return tuple(chips)


def _next_village(position: rules.Position) -> str:
    """What the epoch chart says of the next village (rules 1.5)."""
    if position.over or position.epoch is None:
        return ""
    epoch = rules.EPOCHS[position.epoch - 1]
    if position.chips_left == 1:
        template = _("The next village is the twelfth: %(bonus)d more on any terrain, and the game ends.")
        return template % {"bonus": epoch.bonus}
    template = _(
        "The next village falls into epoch %(epoch)s: %(bonus)d more in %(favorable)s, doomed in %(unfavorable)s."
    )
    return template % {
        "epoch": words.name_epoch(epoch.number),
        "bonus": epoch.bonus,
        "favorable": words.join_words([words.name_terrain(terrain) for terrain in epoch.favorable]),
        "unfavorable": words.join_words([words.name_terrain(terrain) for terrain in epoch.unfavorable]),
    }

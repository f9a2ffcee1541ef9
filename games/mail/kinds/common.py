"""Answers that several kinds share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from games import words
from games.mail import links
from games.mail.kinds.base import Answers, Facts, Link, Sending, Stamp
from games.models import Notice, Player, Round, add_up, read_games
from games.pov import Pov
from games.words.seasons import say_round
from games.words.series import explain_abandoned, say_place, say_totals

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


NEWS: Final = Sending()
NEWS_UNLESS_SEEN: Final = Sending(waits_for_presence=True)
"""Not for those who have seen it at the table meanwhile."""
URGENT: Final = Sending(is_urgent=True)
ON_REQUEST: Final = Sending(is_requested=True)
"""What the reader has just asked for."""


def is_still_to_move(notice: Notice) -> bool:
    """Whether the reader still has to make the move that the game waited for when the notice was owed."""
    seat, game = notice.seat, notice.seat.game
    return game.is_running and game.ply == notice.ply and game.to_move == seat.number and not seat.is_automatic


def is_from_blocked(notice: Notice) -> bool:
    """Whether the reader has blocked the fellow player whom the notice is about, also at a table whose seats have no
    numbers yet. One query."""
    place = "seats__joined" if notice.seat.number is None else "seats__number"
    blocked = Player.objects.blocked_by(notice.reader.pk)
    return blocked.filter(**{"seats__game": notice.seat.game, place: notice.about}).exists()


ANSWER_TURN: Final = Answers(seats=lambda notice: {1: notice.seat} if is_still_to_move(notice) else {})
"""The mail can be answered with a move, as long as the position is the one that it shows."""


def is_always_true(_notice: Notice) -> bool:
    return True


def no_notes(_facts: Facts) -> tuple[str, ...]:
    return ()


def card_note() -> str:
    """Where the reader finds the card that no mail shows."""
    return _("Your clan card is on the page of the table. Nobody else sees it.")


def series_notes(facts: Facts, *, with_totals: bool = False) -> tuple[str, ...]:
    """Which game of its series this is, and how the totals stand after the games that are over. No query at a table
    that belongs to none; else one for its series, and two for the totals."""
    game = facts.notice.seat.game
    if game.series is None or game.series_number is None:
        return ()
    place = say_place(game.series_number, game.series.length)
    totals = say_totals(add_up(read_games(game.series))) if with_totals else ""
    return (f"{place} {_('Running total: %(totals)s.') % {'totals': totals}}" if totals else place,)


def abandoned_notes(facts: Facts) -> tuple[str, ...]:
    """What becomes of the series when the game is abandoned; nothing where there is no series. No query."""
    return (explain_abandoned(),) if facts.notice.seat.game.series_id else ()


def place_notes(facts: Facts) -> tuple[str, ...]:
    """Which game of its series, or which round of its season, begins. One query, besides that of `series_notes`."""
    return (*series_notes(facts), *_season_notes(facts))


def _season_notes(facts: Facts) -> tuple[str, ...]:
    drawn = Round.objects.select_related("season").filter(tables__game=facts.notice.seat.game_id).first()
    return (say_round(words.one_line(drawn.season.name), drawn.number),) if drawn else ()


def no_summary(_facts: Facts) -> str:
    """Nothing: lists of mails then show until when the turn lasts."""
    return ""


def say(text: StrPromise) -> Callable[[Facts], str]:
    """A text in which `%(table)s` is the name of the table, `%(name)s` the fellow player whom the notice is about, and
    `%(number)d` the next move."""
    return lambda facts: str(text) % {"table": facts.table, "name": name_about(facts), "number": facts.move_number}


def table_button(text: StrPromise) -> Callable[[Facts], Link]:
    """A button that leads to the table."""
    return lambda facts: Link(str(text), links.url("table", facts.pov.slug))


def move_stamp(facts: Facts) -> Stamp:
    """The number of the next move, and its epoch."""
    return Stamp(_("Move"), str(facts.move_number), say_epoch(facts.pov))


def end_stamp(facts: Facts) -> Stamp:
    """How many moves a finished game took."""
    return Stamp(_("Moves"), str(facts.pov.ply), _("the end"))


def seats_stamp(facts: Facts) -> Stamp:
    """How many of the seats are taken."""
    return Stamp(_("Seats"), f"{len(facts.pov.seats)}/{facts.pov.size}", _("taken"))


def say_epoch(pov: Pov) -> str:
    """The epoch of the next village: `epoch II`; empty where there is none."""
    epoch = words.name_epoch(pov.position.epoch) if pov.position and pov.position.epoch else ""
    return _("epoch %(epoch)s") % {"epoch": epoch} if epoch else ""


def name_about(facts: Facts) -> str:
    """Whom the notice is about: who had that seat when it was owed, as somebody may have taken it over since."""
    return name_fellow(facts.about.name_at(facts.notice.created_at) if facts.about else "")


def name_fellow(name: str) -> str:
    return name or _("a fellow player")

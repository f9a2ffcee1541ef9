"""A table in a few words, as lists show it: what it waits for, or how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _, ngettext

from games.models import Game
from games.pov import SeatPov
from games.words.vocabulary import join_words


def tell_seats_free(free: int) -> str:
    """`2 seats are free.`"""
    if not free:
        return _("No seat is free.")
    return ngettext("%(count)d seat is free.", "%(count)d seats are free.", free) % {"count": free}


def tell_what_clans_is() -> str:
    """For somebody who has perhaps never heard of the game."""
    return _(
        "Clans is a board game for two to four, played here over days: a mail calls you when it is your turn. A secret"
        " card says which of the five clans is yours."
    )


def say_who_moves(name: str, *, is_me: bool) -> str:
    """`bob to move`, or that it is the reader's turn."""
    return _("Your turn") if is_me else _("%(name)s to move") % {"name": name}


def say_who_won(end: str, winners: Sequence[str]) -> str:
    """Who won a game that is over; `end` is one of Game.End."""
    if end == Game.End.ABANDONED:
        return _("Abandoned, nobody won")
    if len(winners) > 1:
        return _("%(names)s share the win") % {"names": join_words(winners)}
    return _("%(name)s won") % {"name": winners[0] if winners else "?"}


def say_picture(ply: int | None) -> str:
    """What the small board of a table shows when `ply` moves were played; None before the start."""
    if ply is None:
        return _("The map, before the huts are dealt")
    return ngettext("The board after %(ply)d move", "The board after %(ply)d moves", ply) % {"ply": ply}


def tell_seat(seat: SeatPov, *, is_to_move: bool) -> Iterator[str]:
    """What is to be said beside the name of a seat, in a few words each."""
    is_over = seat.score is not None
    if seat.is_mine:
        yield _("you")
    if seat.has_resigned:
        yield _("resigned") if is_over else _("resigned, a computer player moves")
    elif seat.is_bot:
        yield _("computer player")
    if is_to_move:
        yield _("to move")
    if seat.agrees_to_abandon and not is_over:
        yield _("wants to abandon the game")

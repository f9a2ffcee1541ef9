"""The talk at a table, as one viewer may read it: players always, others by what the table has chosen (design 4.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from games.caching import prepared
from games.models import FORMER, Game, Player, Postcard
from games.pov.values import Pov

LATEST: Final = 20
"""How many postcards the page of a table and a mail show; older ones have a page of their own."""

State = Postcard.State


@dataclass(frozen=True, slots=True)
class PostcardPov:
    """What somebody said: `text` is empty where the writer has removed it or the operator hides it, by `state`."""

    number: int
    seat: int
    """As `SeatPov.number` has it."""
    name: str
    has_page: bool
    """Whether the name leads to the page of a player: their account is not closed."""
    is_mine: bool
    ply: int
    with_move: bool
    """Whether it was sent with the last of so many moves."""
    text: str
    state: str
    at: datetime
    is_edited: bool
    is_unread: bool
    about: int | None
    """The ply after the move that it is about, if it is about one."""


def may_read_talk(readers: str, *, is_player: bool, is_public: bool, is_over: bool) -> bool:
    """Whether a viewer reads the talk: one who has, or had, a seat does; others where the table says so by its
    `readers` (one of `Game.Talk`), and never at one that is open by link only."""
    if is_player or not is_public:
        return is_player
    return readers == Game.Talk.OPEN or (readers == Game.Talk.END and is_over)


def read_talk(game: Game, pov: Pov, *, viewer: Player | None) -> tuple[PostcardPov, ...]:
    """The last LATEST postcards that `viewer` may read, who sees the game as `pov`, oldest first; none of people whom
    they have muted. One query, none where nothing was said."""
    if not pov.said:
        return ()
    me = viewer.pk if viewer else 0
    return _povs(_latest(game.pk, me), pov, me)


def read_all_talk(game: Game, pov: Pov, *, viewer: Player | None, before: int, most: int) -> tuple[PostcardPov, ...]:
    """The last `most` postcards before the one numbered `before` (0: of all), as `read_talk` has them."""
    if not pov.said:
        return ()
    me = viewer.pk if viewer else 0
    found = _readable(game.pk, me)
    return _povs((found.filter(number__lt=before) if before else found)[:most], pov, me)


def read_comments(game: Game, pov: Pov, *, viewer: Player | None) -> tuple[PostcardPov, ...]:
    """What was said about the moves of a game that is over, all of it, as `read_talk` has it. One query, none where
    nothing was said."""
    if not (pov.said and pov.is_over):
        return ()
    me = viewer.pk if viewer else 0
    return _povs(_readable(game.pk, me).filter(about_ply__isnull=False), pov, me)


def read_unread(game: Game, pov: Pov, *, reader: Player, after: int) -> tuple[PostcardPov, ...]:
    """The last postcards of others, at most LATEST, after the one numbered `after`, for a mail to `reader`, who has a
    seat. One query."""
    found = _readable(game.pk, reader.pk).filter(number__gt=after, state=State.SHOWN).exclude(seat__player=reader)
    return _povs(found[:LATEST], pov, reader.pk)


def _povs(rows: Iterable[Any], pov: Pov, viewer: int) -> tuple[PostcardPov, ...]:
    """The rows, newest first, as postcards for the player of that key, oldest first."""
    seats = {seat.number: seat for seat in pov.seats}
    mine = pov.me.number if pov.me else None
    heard = pov.me.heard if pov.me else 0
    found = []
    for number, seat, joined, ply, with_move, about, text, state, at, edited_at, former, name in rows:
        place = joined if seat is None else seat
        writer = seats.get(place)
        is_shown = state == State.SHOWN
        found.append(
            PostcardPov(
                number=number,
                seat=place,
                name=name or (writer.name if writer else ""),
                has_page=not name.startswith(FORMER) if name else writer is not None and writer.has_page,
                is_mine=former == viewer if former else place == mine,
                ply=ply,
                with_move=with_move,
                text=text if is_shown else "",
                state=state,
                at=at,
                is_edited=is_shown and edited_at is not None,
                is_unread=mine is not None and place != mine and number > heard,
                about=about,
            )
        )
    return tuple(reversed(found))


def _readable(game: int, viewer: int) -> QuerySet[Postcard, Any]:
    found = Postcard.objects.filter(game=game).readable_by(viewer).order_by("-number")
    return found.values_list(
        "number",
        "seat__number",
        "seat__joined",
        "ply",
        "with_move",
        "about_ply",
        "text",
        "state",
        "at",
        "edited_at",
        "former_holder__player",
        "former_holder__name",
    )


@prepared
def _latest(game: int, viewer: int) -> QuerySet[Postcard, Any]:
    return _readable(game, viewer)[:LATEST]

"""Talk at a table (design 4.5): postcards that its players write, change and remove, and what of them was read."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Greatest

from games.models import LONGEST_POSTCARD, Game, Mute, Notice, Player, Postcard, Report, Seat
from games.play.announce import announce_postcard
from games.play.lock import locked
from games.words.refusals import (
    NoSuchPostcard,
    NoSuchSeat,
    NothingToComment,
    PostcardEmpty,
    PostcardTooLong,
    TalkOver,
    TooLateToEdit,
)

TALK_GOES_ON: Final = timedelta(days=30)
"""How long after its end players can talk about a game."""
TO_EDIT: Final = timedelta(minutes=5)
"""How long its writer can change a postcard."""
SAME_CLICK: Final = timedelta(minutes=1)
"""The same words within this time are a second click."""


def is_talk_over(status: str, ended_at: datetime | None, *, at: datetime) -> bool:
    """Whether nobody can write at a table any more: it was closed, or its game ended long ago."""
    return status == Game.Status.CLOSED or (ended_at is not None and at > ended_at + TALK_GOES_ON)


def write_postcard(
    game: Game, *, player: Player, text: str, heard: int = 0, about: int | None = None, at: datetime
) -> Postcard:
    """Say `text` to all at the table, which tells the others; `about` a move of a game that is over, as the ply after
    it, or about nothing special. Sent again within a minute, it is said once. `heard` is the number of the last
    postcard on the page on which it was written.

    Raises NoSuchSeat, TalkOver, NothingToComment, PostcardEmpty, PostcardTooLong.
    """
    check_words(text)
    with locked(game) as game:
        seat = game.seats.filter(player=player).first()
        if seat is None:
            raise NoSuchSeat
        if about is not None and not (game.is_over and 1 <= about <= game.ply):
            raise NothingToComment
        before = seat.postcards.filter(former_holder=None).order_by("-number").first()
        if before and (before.text, before.about_ply) == (text, about) and at - before.at <= SAME_CLICK:
            return before
        postcard = append_postcard(game, seat, text, about=about, at=at)
        _note_heard(seat, heard)
        return postcard


def check_words(text: str) -> None:
    """Raise PostcardEmpty or PostcardTooLong if this cannot be a postcard."""
    if not text:
        raise PostcardEmpty
    if len(text) > LONGEST_POSTCARD:
        raise PostcardTooLong


def append_postcard(
    game: Game, seat: Seat, text: str, *, with_move: bool = False, about: int | None = None, at: datetime
) -> Postcard:
    """Write a postcard of the player of `seat` at the locked `game` and tell the others. Raises TalkOver."""
    if is_talk_over(game.status, game.ended_at, at=at):
        raise TalkOver
    postcard = Postcard.objects.create(
        game=game, seat=seat, number=_count(game), ply=game.ply, with_move=with_move, about_ply=about, text=text, at=at
    )
    _announce(game, by=seat, at=at)
    return postcard


def _count(game: Game) -> int:
    """One more change of the talk at the locked `game`: the number of the change."""
    game.said += 1
    game.save(update_fields=("said",))
    return game.said


def _announce(game: Game, *, by: Seat, at: datetime) -> None:
    """Tell the others who have not muted the player of seat `by`, and no computer players."""
    deaf = Mute.objects.filter(other=by.player_id).values("player")
    others = game.seats.exclude(player=by.player_id).exclude(player__in=deaf)
    others = others.filter(player__isnull=False, resigned_at__isnull=True).select_related("player")
    announce_postcard(game, list(others), by=by, at=at)


# --- Changing and removing -------------------------------------------------------------------------


def edit_postcard(game: Game, *, player: Player, number: int, text: str, at: datetime) -> None:
    """Change what a postcard of `player` says. The same words change nothing. Raises NoSuchPostcard, TooLateToEdit,
    PostcardEmpty, PostcardTooLong."""
    check_words(text)
    with locked(game) as game:
        postcard = _own(game, player, number)
        if not may_edit(postcard.at, at=at):
            raise TooLateToEdit
        if postcard.text != text:
            postcard.text, postcard.edited_at = text, at
            postcard.save(update_fields=("text", "edited_at"))
            _count(game)


def may_edit(written_at: datetime, *, at: datetime) -> bool:
    """Whether a postcard of that time can still be changed."""
    return at - written_at <= TO_EDIT


def remove_postcard(game: Game, *, player: Player, number: int) -> None:
    """Remove the text of a postcard of `player`; the postcard itself stays. Raises NoSuchPostcard."""
    with locked(game) as game:
        postcard = _own(game, player, number)
        postcard.text, postcard.state = "", Postcard.State.REMOVED
        postcard.save(update_fields=("text", "state"))
        _count(game)
        _call_off(game)


def empty_words(player: Player) -> None:
    """Remove everything that `player` has said at any table, and the copies in reports."""
    for game in Game.objects.filter(pk__in=Postcard.objects.by(player).values("game")):
        with locked(game) as current:
            mine = current.postcards.by(player).exclude(state=Postcard.State.REMOVED)
            if mine.update(text="", state=Postcard.State.REMOVED):
                _count(current)
                _call_off(current)
    Report.objects.filter(about=player).update(text="")


def hide_postcard(postcard: Postcard, *, is_hidden: bool) -> None:
    """Hide a postcard from everybody, or show it again: for the operator. One that its writer has removed stays so."""
    state = Postcard.State.HIDDEN if is_hidden else Postcard.State.SHOWN
    with locked(postcard.game) as game:
        found = game.postcards.filter(pk=postcard.pk).exclude(state__in=(state, Postcard.State.REMOVED))
        if found.update(state=state):
            _count(game)
            _call_off(game)


def _own(game: Game, player: Player, number: int) -> Postcard:
    found = game.postcards.by(player).filter(number=number, state=Postcard.State.SHOWN).first()
    if found is None:
        raise NoSuchPostcard
    return found


def _call_off(game: Game) -> None:
    """Drop the mails that have nothing to tell any more."""
    owed = Notice.objects.filter(
        seat__game=game, kind=Notice.Kind.POSTCARD, state=Notice.State.DUE, mail__isnull=True
    ).select_related("seat")
    for notice in owed:
        if not _unread(game, notice.seat).exists():
            notice.state, notice.reason = Notice.State.SUPERSEDED, Notice.Reason.PAST
            notice.save(update_fields=("state", "reason"))
            game.seats.filter(pk=notice.seat_id).update(called_to_talk=notice.seat.heard)


def _unread(game: Game, seat: Seat) -> QuerySet[Postcard]:
    """The postcards of others that the player of `seat` has not read and may read."""
    unread = game.postcards.filter(number__gt=seat.heard, state=Postcard.State.SHOWN).exclude(seat=seat.pk)
    return unread.readable_by(seat.player_id or 0)


# --- Reading ---------------------------------------------------------------------------------------


def mark_heard(game: Game, *, player: Player, heard: int, at: datetime) -> None:
    """Note that `player` has read the talk up to the postcard of that number, so that no mail needs to tell it; later
    postcards are told."""
    seat = game.seats.filter(player=player).select_related("player").first()
    if seat is None or heard <= seat.heard:
        return
    with locked(game) as game:
        _note_heard(seat, min(heard, game.said))
        if game.said > heard and (late := _unread(game, seat).order_by("number").last()):
            announce_postcard(game, [seat], by=late.seat, at=at)


def _note_heard(seat: Seat, heard: int) -> None:
    seat.heard = max(seat.heard, heard)
    Seat.objects.filter(pk=seat.pk).update(heard=Greatest("heard", heard))

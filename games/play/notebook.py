"""What players write for themselves at a table: a note, and a sheet of whom they suspect to hold which clan."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import LONGEST_NOTE, Game, Note, Player, Seat, Suspicion
from games.play.errors import GameNotRunning, NoSuchSeat, NoteTooLong, NotToSuspect, SheetFull
from games.play.lock import locked

SECOND_THOUGHT = timedelta(minutes=1)
"""A mark changed again so soon was only passed on the way to another: it leaves no trace."""
MOST_CHANGES = 600
BETWEEN = "\n\n* * *\n\n"
"""Between two versions of a note that were written at the same time."""


def write_note(game: Game, *, player: Player, text: str, seen: str, at: datetime) -> bool:
    """Keep `text` as the note of `player`, in place of the one they had `seen` (its time as ISO 8601; empty for none).

    Where it was changed elsewhere meanwhile both versions are kept, and the answer is True. Raises GameNotRunning
    before the start, NoSuchSeat, NoteTooLong.
    """
    with locked(game) as game:
        seat = _seat_at(game, player)
        note = Note.objects.filter(seat=seat).first()
        is_stale = note is not None and note.updated_at.isoformat() != seen and note.text != text
        if note is not None and is_stale:
            text = _both(note.text, text)
        if len(text) > LONGEST_NOTE:
            raise NoteTooLong
        if note is None or note.text != text:
            _keep_note(seat, text, at=at)
        return is_stale


def mark_suspicion(game: Game, *, player: Player, about: int, clan: str, mark: str, at: datetime) -> None:
    """Note on the sheet of `player` what they think of the seat `about` and a clan. Marked as it is, nothing changes.

    Raises GameNotRunning, NoSuchSeat (also when a computer player moves for them), NotToSuspect, SheetFull.
    """
    with locked(game) as game:
        seat = _seat_at(game, player)
        if game.status != Game.Status.RUNNING:
            raise GameNotRunning
        if seat.is_bot:
            raise NoSuchSeat
        if about == seat.number or about >= game.size or clan == seat.clan:
            raise NotToSuspect
        _mark(seat, about=about, clan=clan, mark=mark, ply=game.ply, at=at)


def _seat_at(game: Game, player: Player) -> Seat:
    """The seat of `player` in a game that has started; also when they have resigned."""
    if not game.huts:
        raise GameNotRunning
    seat = game.seats.filter(player=player).first()
    if seat is None:
        raise NoSuchSeat
    return seat


def _both(kept: str, text: str) -> str:
    """Two versions of a note in one: the longer if it holds the other."""
    if text in kept:
        return kept
    return text if kept in text else f"{kept}{BETWEEN}{text}"


def _keep_note(seat: Seat, text: str, *, at: datetime) -> None:
    if text:
        Note.objects.update_or_create(seat=seat, defaults={"text": text, "updated_at": at})
    else:
        Note.objects.filter(seat=seat).delete()
    if seat.has_note != bool(text):
        seat.has_note = bool(text)
        seat.save(update_fields=("has_note",))


def _mark(seat: Seat, *, about: int, clan: str, mark: str, ply: int, at: datetime) -> None:
    """Append the change, or put it in the place of a last one that was just made."""
    changes = list(seat.suspicions.filter(about=about, clan=clan).order_by("-pk")[:2])
    if changes and changes[0].ply == ply and at - changes[0].at <= SECOND_THOUGHT:
        changes.pop(0).delete()
    if mark == (changes[0].mark if changes else Suspicion.Mark.POSSIBLE):
        return
    if seat.suspicions.count() >= MOST_CHANGES:
        raise SheetFull
    seat.suspicions.create(about=about, clan=clan, mark=mark, ply=ply, at=at)
    if not seat.has_sheet:
        seat.has_sheet = True
        seat.save(update_fields=("has_sheet",))

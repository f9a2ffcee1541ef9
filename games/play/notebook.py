"""What players write for themselves at a table: a note, and a sheet of who may hold which clan."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.limits import MARKS
from games.models import LONGEST_NOTE, Game, Note, Player, Seat, Suspicion
from games.play.lock import locked
from games.words.refusals import GameNotRunning, NoSuchSeat, NoteTooLong, NotToSuspect, SheetFull

SECOND_THOUGHT = timedelta(minutes=1)
"""A mark that is changed again within this time is replaced: a tap steps from mark to mark."""
MOST_CHANGES = MARKS.rates[0].amount
BETWEEN = "\n\n* * *\n\n"
"""Between two versions of a note that were written at the same time."""


def write_note(game: Game, *, player: Player, text: str, seen: str, at: datetime) -> bool:
    """Save `text` as the note of `player`, in place of the one they had `seen` (its time as ISO 8601; empty for none).

    When the note was changed elsewhere meanwhile, both versions are saved, and the result is True. Raises
    GameNotRunning before the start, NoSuchSeat, NoteTooLong.
    """
    with locked(game) as game:
        seat = _seat_at(game, player)
        note = Note.objects.filter(seat=seat).first()
        is_stale = note is not None and note.updated_at.isoformat() != seen and note.text != text
        if note is not None and is_stale:
            text = _merge(note.text, text)
        if len(text) > LONGEST_NOTE:
            raise NoteTooLong
        if note is None or note.text != text:
            _save_note(seat, text, at=at)
        return is_stale


def mark_suspicion(game: Game, *, player: Player, about: int, clan: str, mark: str, at: datetime) -> None:
    """Mark on the sheet of `player` whether the seat `about` may hold `clan`. The same mark again changes nothing.

    Raises GameNotRunning, NoSuchSeat (also when a computer player moves for them), NotToSuspect, SheetFull.
    """
    with locked(game) as game:
        seat = _seat_at(game, player)
        if not game.is_running:
            raise GameNotRunning
        if seat.is_bot:
            raise NoSuchSeat
        if about == seat.number or about >= game.size or clan == seat.clan:
            raise NotToSuspect
        _mark(seat, about=about, clan=clan, mark=mark, ply=game.ply, at=at)


def _seat_at(game: Game, player: Player) -> Seat:
    """The seat of `player` in a game that has started, whether or not they have resigned."""
    if not game.huts:
        raise GameNotRunning
    seat = game.seats.filter(player=player).first()
    if seat is None:
        raise NoSuchSeat
    return seat


def _merge(saved: str, text: str) -> str:
    """Two versions of a note in one: the longer if it holds the other."""
    if text in saved:
        return saved
    return text if saved in text else f"{saved}{BETWEEN}{text}"


def _save_note(seat: Seat, text: str, *, at: datetime) -> None:
    if text:
        Note.objects.update_or_create(seat=seat, defaults={"text": text, "updated_at": at})
    else:
        Note.objects.filter(seat=seat).delete()
    if seat.has_note != bool(text):
        seat.has_note = bool(text)
        seat.save(update_fields=("has_note",))


def _mark(seat: Seat, *, about: int, clan: str, mark: str, ply: int, at: datetime) -> None:
    """Append the change, or replace the last one if it was just made."""
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

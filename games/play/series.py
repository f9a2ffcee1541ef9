"""Series: after each game the next table is opened for the same people, who say when they are ready (design 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from games import rules
from games.enqueue import enqueue
from games.models import Game, Mute, Player, Seat, Series, Terms, new_slug, next_name
from games.play.announce import announce_next
from games.play.deals import keep_deal, random_deal
from games.play.invitations import KEPT_FOR
from games.play.lock import locked
from games.play.tables import start_when_full
from games.words.refusals import NoSuchSeat, ReadyAlready, TableNotOpen

OPEN_TASK = "games.tasks.open_next_table"
CARRIED_OVER = ("opener", "size", "series", *Terms._fields)
"""The columns that each game of a series takes over from the one before."""


def go_on_with_series(game: Game) -> None:
    """Owe the next table of the series of `game`, which has just ended and is locked; after an abandoned game, or the
    last one, the series ends."""
    if game.series is None or game.series_number is None:
        return
    is_due = game.end != Game.End.ABANDONED and game.series_number < game.series.length
    state = Series.State.DUE if is_due else Series.State.OVER
    Series.objects.filter(pk=game.series.pk).update(state=state)
    if is_due:
        enqueue(OPEN_TASK, game.series.pk)


def series_due() -> list[int]:
    """Keys of the series whose next table is to be opened: one query."""
    return list(Series.objects.filter(state=Series.State.DUE).order_by("pk").values_list("pk", flat=True))


def open_next_table(series_pk: int, *, at: datetime) -> Game | None:
    """Open the next table of a series, with the seats of all its players taken, each moved on by one place, and ask the
    people whether they are ready. None if no table is due (any more), or if the series ends here: one of them has
    closed the account, or blocked another.

    It is done once, however many processes try at once: they wait for the row of the series, and a series has one game
    of each number.
    """
    with transaction.atomic():
        due = Series.objects.select_for_update().filter(pk=series_pk, state=Series.State.DUE)
        series = due.first()
        if series is None:
            return None
        last = series.games.order_by("-series_number").first()
        circle = list(last.seats.order_by("joined").select_related("player")) if last else []
        game = _open_after(last, circle, at=at) if last and _may_go_on(circle) else None
        series.state = Series.State.PLAYING if game else Series.State.OVER
        series.save(update_fields=("state",))
        return game


def _may_go_on(circle: Sequence[Seat]) -> bool:
    people = [seat.player for seat in circle if seat.player is not None]
    blocks = Mute.objects.filter(blocks=True, player__in=people, other__in=people)
    return all(player.is_active for player in people) and not blocks.exists()


def _open_after(last: Game, circle: Sequence[Seat], *, at: datetime) -> Game:
    number = (last.series_number or 0) + 1
    game = Game.objects.create(
        **{column: getattr(last, column) for column in CARRIED_OVER},
        slug=new_slug(is_public=last.is_public),
        name=next_name(last.name),
        rules=rules.standard_ruleset(last.board).version.number,
        series_number=number,
        follows=last,
        created_at=at,
        due_at=at + KEPT_FOR,
    )
    keep_deal(game, random_deal())
    seats = [_next_seat(game, seat) for seat in circle]
    Seat.objects.bulk_create(seats)
    announce_next(game, [seat for seat in seats if seat.player_id], at=at)
    return game


def _next_seat(game: Game, seat: Seat) -> Seat:
    """The seat of the same player, moved on by one place, without autopilot and resignation."""
    is_computer = seat.player is None
    name = seat.name if seat.player is None else seat.player.username
    place = (seat.joined + 1) % game.size
    return Seat(game=game, player=seat.player, name=name, is_bot=is_computer, is_ready=is_computer, joined=place)


def say_ready(game: Game, *, player: Player, entropy: str = "", at: datetime) -> None:
    """Note that `player` is ready for the next game of a series; it begins when all are. Raises TableNotOpen,
    NoSuchSeat, ReadyAlready."""
    with locked(game) as game:
        seat = game.seats.filter(player=player).first()
        if seat is None:
            raise NoSuchSeat
        if game.status == Game.Status.CLOSED:
            raise TableNotOpen
        if seat.is_ready:
            raise ReadyAlready
        seat.is_ready, seat.entropy = True, entropy
        seat.save(update_fields=("is_ready", "entropy"))
        start_when_full(game, at=at)

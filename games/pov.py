"""The game as one viewer may see it at one ply: the only reader of secrets for output (design 2.3).

Pages, mails, exports and the admin show what stands in a Pov. A card is in it only when the game is over or the card
is the viewer's own; the deal's seed and the players' entropy only when the game is over. Notes and sheets are read
apart, by the table's page alone: a note only ever by its writer, sheets by everybody once the game is over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import F, QuerySet
from django.utils import timezone

from games import rules
from games.models import Deal, Game, Move, Note, Player, Seat, Suspicion, Vacation
from games.prepared import fetch, prepare


@dataclass(frozen=True, slots=True)
class SeatPov:
    """A seat as the viewer may see it. Before the start `number` is the order of joining."""

    number: int
    name: str
    is_bot: bool
    has_resigned: bool
    is_opener: bool
    is_mine: bool
    is_to_move: bool
    agrees_to_abandon: bool
    chips: int
    clan: str
    """Empty unless the viewer may know it."""
    score: int | None
    """Of the clan, once the game is over; `total` and `rank` likewise (no rank when abandoned)."""
    total: int | None
    rank: int | None
    is_on_autopilot: bool = False
    """Whether the autopilot has the seat until its player returns."""
    autopiloted: int = 0
    """Moves in a row that the autopilot has made."""
    can_withdraw: bool = False
    """Whether the viewer may withdraw the move that the autopilot has just played for them."""
    has_withdrawn: bool = False
    """Whether they have withdrawn one, as can be done once a game."""
    says: str = ""
    """What the player tells the others meanwhile (`tonight`, `thinking`), and since when."""
    says_at: datetime | None = None
    reserve_left: timedelta = timedelta()
    """Of the table's reserve, without what the turn that runs has drawn by itself."""
    nudged_at: datetime | None = None
    mail_bounces: bool = False
    """Whether the player's address takes no mail."""
    vacations: tuple[tuple[datetime, datetime], ...] = ()
    """The vacations (from, until) that are not over yet, in order, while the game runs and they stop its clock."""
    mail_mode: str = ""
    """Which mail about this table the viewer wants on their own seat; empty: as everywhere."""
    has_note: bool = False
    """Whether the viewer has one here; `has_sheet` likewise and, once the game is over, whether this seat has one."""
    has_sheet: bool = False

    @property
    def has_won(self) -> bool:
        return self.rank == 1


@dataclass(frozen=True, slots=True)
class MovePov:
    """One move of the history: the step it was and when it was made, by a computer player or not."""

    step: rules.Step
    at: datetime
    by_bot: bool
    by_autopilot: bool = False
    """Whether it was the autopilot of a player whose time had run out."""


@dataclass(frozen=True, slots=True)
class DealPov:
    """The fair deal; `seed` (hex) and `players` (name and entropy in joining order) are empty until the end."""

    version: str
    commitment: str
    seed: str
    players: tuple[tuple[str, str], ...]

    def as_record(self, game: str) -> dict[str, Any]:
        """The `deal` key of a record, which the stand-alone script verifies."""
        players = [{"name": name, "entropy": entropy} for name, entropy in self.players]
        proof = {"seed": self.seed, "players": players} if self.seed else {}
        return {"version": self.version, "game": game, "commitment": self.commitment, **proof}


@dataclass(frozen=True, slots=True)
class TermsPov:
    """How fast a table plays: hours for each move and in reserve, whether vacations stop the clock, and what becomes of
    who is late (`autopilot` or `abandon`)."""

    move_hours: int
    reserve_hours: int
    allows_vacation: bool
    overdue: str


@dataclass(frozen=True, slots=True)
class Pov:
    """What one viewer may know of one game when `ply` moves had been played; values only, no model in it."""

    slug: str
    name: str
    status: str
    end: str
    size: int
    five_clans: str
    is_public: bool
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    turn_since: datetime | None
    ply: int
    last_ply: int
    seats: tuple[SeatPov, ...]
    moves: tuple[MovePov, ...]
    """Moves played until `ply`."""
    position: rules.Position | None
    """At `ply`; None before the start."""
    opening: rules.Opening | None
    deal: DealPov
    terms: TermsPov | None = None
    free_until: datetime | None = None
    """When the turn that runs begins to draw on the reserve; until `due_at` at the latest it is played."""
    due_at: datetime | None = None
    edition: int = 0
    """Moves withdrawn so far: what is kept for a ply holds for one edition."""

    @property
    def is_open(self) -> bool:
        return self.status == Game.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == Game.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == Game.Status.FINISHED

    @property
    def is_now(self) -> bool:
        """Whether this is the game as it stands, not an earlier ply of it."""
        return self.ply == self.last_ply

    @property
    def me(self) -> SeatPov | None:
        return next((seat for seat in self.seats if seat.is_mine), None)

    @property
    def mover(self) -> SeatPov | None:
        """The seat to move now, while the game runs."""
        return next((seat for seat in self.seats if seat.is_to_move), None)

    @property
    def is_my_turn(self) -> bool:
        """Whether the viewer may move now (not when a computer player has taken over the seat)."""
        return any(
            seat.is_mine and seat.is_to_move and not (seat.is_bot or seat.is_on_autopilot) for seat in self.seats
        )

    @property
    def moved_at(self) -> datetime | None:
        """When the last move was made; when the game began while there is none."""
        return self.moves[-1].at if self.moves else self.started_at

    @property
    def withdrew(self) -> SeatPov | None:
        """The seat to move, if its turn began anew because its player has withdrawn what the autopilot had played."""
        mover, moved = self.mover, self.moved_at
        if mover is None or mover.is_bot or not (mover.has_withdrawn and self.edition and self.is_now):
            return None
        return mover if self.turn_since and moved and self.turn_since > moved else None

    @property
    def winners(self) -> tuple[SeatPov, ...]:
        return tuple(seat for seat in self.seats if seat.has_won)

    @property
    def last_step(self) -> rules.Step | None:
        return self.moves[-1].step if self.moves else None

    def record(self) -> dict[str, Any]:
        """The game as clans-record/1; clans, result and the deal's proof in it only once it is over.

        Raises ValueError before the start.
        """
        if self.opening is None:
            raise ValueError(f"{self.slug} has not started")
        times = [move.at.isoformat() for move in self.moves]
        extra = {"name": self.name, "deal": self.deal.as_record(self.slug), "times": times}
        return rules.write_record(
            self.opening,
            [move.step for move in self.moves],
            players=[seat.name for seat in self.seats],
            clans=[seat.clan for seat in self.seats] if self.is_over else None,
            end=self.end or None,
            extra=extra,
        )


def look(game: Game, *, viewer: Player | None, ply: int | None = None) -> Pov:
    """The game as `viewer` (None: a visitor) may see it at `ply` (None: now).

    Costs 3 queries (seats, moves, deal; the deal's none if it is selected along, the moves' none if this process has
    read them before), one more while a player has a vacation ahead, and one fold. Raises IndexError for a ply that
    `game` has not reached.
    """
    seats = fetch(_seats_of, game.pk)
    vacations = _vacations(game, seats)
    opening = game.opening() if game.huts else None
    log = _log(game.pk, game.slug, game.edition, game.ply, opening) if opening else ()
    shown = len(log) if ply is None else ply
    if not 0 <= shown <= len(log):
        raise IndexError(f"the game has reached ply {len(log)}, not {ply}")
    moves = log[:shown]
    position = moves[-1].step.position if moves else rules.set_up(opening) if opening else None
    return Pov(
        slug=game.slug,
        name=game.name,
        status=game.status,
        end=game.end,
        size=game.size,
        five_clans=game.five_clans,
        is_public=game.is_public,
        created_at=game.created_at,
        started_at=game.started_at,
        ended_at=game.ended_at,
        turn_since=game.turn_since,
        terms=TermsPov(game.move_hours, game.reserve_hours, game.allows_vacation, game.overdue),
        free_until=game.free_until,
        due_at=game.due_at,
        edition=game.edition,
        ply=shown,
        last_ply=len(log),
        seats=tuple(_seats(game, seats, viewer, position, log, vacations)),
        moves=moves,
        position=position,
        opening=opening,
        deal=_deal(game, seats),
    )


def _seats_of(game: int) -> QuerySet[Seat]:
    player = {"vacation_until": F("player__vacation_until"), "bounced_at": F("player__mail_bounced_at")}
    return Seat.objects.filter(game=game).annotate(**player)


def _vacations(game: Game, seats: Sequence[Any]) -> dict[int, tuple[tuple[datetime, datetime], ...]]:
    """The vacations that are not over yet, by player. No query when nobody has planned one."""
    if game.status != Game.Status.RUNNING or not game.allows_vacation:
        return {}
    now = timezone.now()
    if not any(seat.vacation_until and seat.vacation_until > now for seat in seats):
        return {}
    found: defaultdict[int, tuple[tuple[datetime, datetime], ...]] = defaultdict(tuple)
    for player, starts_at, ends_at in fetch(_vacations_of, game.pk, now):
        found[player] += ((starts_at, ends_at),)
    return found


def _vacations_of(game: int, after: datetime) -> QuerySet[Vacation, tuple[int, datetime, datetime]]:
    ahead = Vacation.objects.filter(player__seats__game=game, ends_at__gt=after).order_by("starts_at")
    return ahead.values_list("player_id", "starts_at", "ends_at")


def _moves_of(game: int) -> QuerySet[Move, Any]:
    return Move.objects.filter(game=game).order_by("ply").values_list("text", "at", "by_bot", "by_autopilot")


def _deal_of(game: int) -> QuerySet[Deal]:
    return Deal.objects.filter(game=game)


@lru_cache(maxsize=256)
def _log(game: int, slug: str, edition: int, ply: int, opening: rules.Opening) -> tuple[MovePov, ...]:
    """The first `ply` moves of a game. Within an edition a log only grows (design 2.1), so what it once held need not
    be read again."""
    rows = fetch(_moves_of, game)[:ply]
    steps = rules.fold(opening, [rules.Move.parse(row[0]) for row in rows])
    return tuple(
        MovePov(step, at, by_bot, by_autopilot)
        for (_text, at, by_bot, by_autopilot), step in zip(rows, steps, strict=True)
    )


def _seats(
    game: Game,
    seats: Sequence[Any],
    viewer: Player | None,
    position: rules.Position | None,
    log: Sequence[MovePov],
    vacations: Mapping[int, tuple[tuple[datetime, datetime], ...]],
) -> Iterator[SeatPov]:
    for seat in sorted(seats, key=_place):
        number = _place(seat)
        is_mine = viewer is not None and seat.player_id is not None and seat.player_id == viewer.pk
        clan = seat.clan if game.is_over or is_mine else ""
        yield SeatPov(
            number=number,
            name=seat.name,
            is_bot=seat.is_bot,
            has_resigned=seat.resigned_at is not None,
            is_opener=seat.player_id == game.opener_id,
            is_mine=is_mine,
            is_to_move=number == game.to_move,
            agrees_to_abandon=seat.agrees_to_abandon,
            chips=position.chips[number] if position else 0,
            clan=clan,
            score=position.scores[rules.CLANS.index(clan)] if position and game.is_over else None,
            total=seat.total,
            rank=seat.rank,
            is_on_autopilot=seat.is_automatic and not seat.is_bot,
            autopiloted=seat.autopiloted,
            can_withdraw=is_mine and not seat.has_withdrawn and number == _autopiloted_last(game, log),
            has_withdrawn=seat.has_withdrawn,
            says=seat.says,
            says_at=seat.says_at,
            reserve_left=max(timedelta(hours=game.reserve_hours) - seat.reserve_used - seat.reserve_taken, timedelta()),
            nudged_at=seat.nudged_at,
            mail_bounces=seat.bounced_at is not None,
            vacations=vacations.get(seat.player_id, ()),
            mail_mode=seat.mail_mode if is_mine else "",
            has_note=is_mine and seat.has_note,
            has_sheet=(is_mine or game.is_over) and seat.has_sheet,
        )


def _autopiloted_last(game: Game, log: Sequence[MovePov]) -> int | None:
    """The seat whose last move the autopilot has made, while the game runs and nobody has moved since."""
    is_last = game.status == Game.Status.RUNNING and log and log[-1].by_autopilot
    return log[-1].step.seat if is_last else None


def _place(seat: Seat) -> int:
    return seat.joined if seat.number is None else seat.number


def _deal(game: Game, seats: Sequence[Seat]) -> DealPov:
    """The seed leaves its table here, and only once the game is over."""
    deal = game.deal if Game.deal.is_cached(game) else fetch(_deal_of, game.pk)[0]
    shown = game.is_over
    in_joining_order = sorted(seats, key=lambda seat: seat.joined)
    return DealPov(
        version=deal.version,
        commitment=deal.commitment,
        seed=bytes(deal.seed).hex() if shown else "",
        players=tuple((seat.name, seat.entropy) for seat in in_joining_order) if shown else (),
    )


# --- Notes and sheets ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SuspicionPov:
    """A change on a sheet: what was thought of seat `about` and a clan from `ply` on."""

    about: int
    clan: str
    mark: str
    ply: int
    at: datetime


def read_note(game: Game, *, viewer: Player) -> tuple[str, datetime | None]:
    """What `viewer` has noted at this table and when, or an empty text. One query."""
    notes = fetch(_notes_of, game.pk, viewer.pk)
    return (notes[0].text, notes[0].updated_at) if notes else ("", None)


def read_sheet(game: Game, *, viewer: Player) -> list[tuple[int, str, str, int]]:
    """The changes on the sheet of `viewer` in order, each as seat, clan, mark and ply. One query."""
    with connection.cursor() as cursor:
        cursor.execute(*prepare(_suspicions_of, game.pk, viewer.pk))
        return list(cursor.fetchall())


def reveal_sheets(game: Game) -> dict[int, list[SuspicionPov]]:
    """The changes on everybody's sheet by seat, once the game is over; nothing before. One query."""
    sheets: defaultdict[int, list[SuspicionPov]] = defaultdict(list)
    rows = Suspicion.objects.filter(seat__game=game).order_by("pk") if game.is_over else Suspicion.objects.none()
    for seat, about, clan, mark, ply, at in rows.values_list("seat__number", "about", "clan", "mark", "ply", "at"):
        sheets[seat or 0].append(SuspicionPov(about, clan, mark, ply, at))
    return dict(sorted(sheets.items()))


def _notes_of(game: int, player: int) -> QuerySet[Note]:
    return Note.objects.filter(seat__game=game, seat__player=player)


def _suspicions_of(game: int, player: int) -> QuerySet[Suspicion, Any]:
    mine = Suspicion.objects.filter(seat__game=game, seat__player=player).order_by("pk")
    return mine.values_list("about", "clan", "mark", "ply")

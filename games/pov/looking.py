"""Reads a game from the database as one viewer may see it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import F, QuerySet
from django.utils import timezone

from games import rules
from games.caching import Latest, prepared
from games.models import FORMER, Deal, Event, FormerHolder, Game, Move, Player, Seat, Terms, Vacation, by_game
from games.pov.talk import may_read_talk
from games.pov.values import DealPov, DrawnPlayer, EventPov, FormerPov, MovePov, Pov, SeatPov, SeriesPov

READ: Final = "seats_read"
"""The attribute of a game that has the seats that `read_awaiting` has read."""

CALLS: Final = (Event.Kind.NUDGED, Event.Kind.AGAIN)
"""Events that call other players: those who have blocked the caller see none."""

MOVE_COLUMNS: Final = ("text", "at", "by_bot", "by_autopilot")
"""What is read of a move: its text, and the fields of a MovePov after the step, in their order."""

Log = tuple[MovePov, ...]


def look(game: Game, *, viewer: Player | None, ply: int | None = None, at: datetime | None = None) -> Pov:
    """The game as `viewer` (None: a visitor) may see it at `ply` (None: the last), with the vacations that are not over
    at `at` (None: now).

    Costs a query each for seats (none after `read_awaiting`), moves (none after that, or if this process has read them
    before) and deal (none if it was selected with the game), one more each while a player has planned a vacation, for
    events, if there are any, and for whom the viewer has blocked, if anybody called others; and one fold. Raises
    IndexError for a ply that `game` has not reached.
    """
    seats = getattr(game, READ, None) or _seats_of(game.pk)
    vacations = _vacations(game, seats, at=at or timezone.now())
    opening = game.opening() if game.huts else None
    log = _log(game, opening) if opening else ()
    former = _former_holders(game, seats)
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
        ruleset=game.ruleset,
        is_public=game.is_public,
        is_rated=game.is_rated,
        has_counted=game.rated_at is not None,
        asks_who_is_ready=game.asks_who_is_ready,
        series=_series(game, seats, viewer),
        created_at=game.created_at,
        started_at=game.started_at,
        ended_at=game.ended_at,
        turn_since=game.turn_since,
        terms=Terms.of(game),
        free_until=game.free_until,
        due_at=game.due_at,
        villages_ahead=founding_plies(move.step for move in log[shown:]),
        news_from=_news_from(seats, viewer, len(log)),
        edition=game.edition,
        said=_said(game, seats, former, viewer),
        talk=game.talk if game.is_public else Game.Talk.PLAYERS,
        ply=shown,
        last_ply=len(log),
        seats=tuple(_seat_povs(game, seats, former, viewer, position, log, vacations)),
        moves=moves,
        position=position,
        opening=opening,
        deal=read_deal(game, seats),
        imported=read_imported(game) if game.is_imported else None,
        events=_events(game, shown, seats, viewer),
    )


def position_at(game: Game, *, ply: int) -> tuple[rules.Position, rules.Step | None]:
    """The position of a started game when `ply` moves had been played, and the last of them: nothing about its seats.

    One query, none if this process has read the moves before. Raises IndexError for a ply that `game` has not reached.
    """
    opening = game.opening()
    log = _log(game, opening)
    if not 0 <= ply <= len(log):
        raise IndexError(f"the game has reached ply {len(log)}, not {ply}")
    last = log[ply - 1].step if ply else None
    return (last.position if last else rules.set_up(opening)), last


def read_awaiting(player: Player, games: Sequence[Game]) -> None:
    """Read seats and moves of `games`, which wait for the player, for `look`: a query for the seats, and one more if
    this process has not read all of their moves before."""
    seats = by_game((seat.game_id, seat) for seat in _seats_awaiting(player.pk))
    for game in games:
        setattr(game, READ, seats[game.pk])
    openings = {game: game.opening() for game in games}
    if unread := [game for game in games if _key(game, openings[game]) not in _logs]:
        moves = by_game((game, row) for game, *row in _moves_awaiting(player.pk))
        for game in unread:
            log = moves[game.pk][: game.ply]
            # Fewer where the player has moved since `games` was read, so that the game waits for them no more.
            if len(log) == game.ply:
                _logs.store(_key(game, openings[game]), _fold(log, openings[game]))


@prepared
def _seats_awaiting(player: int) -> QuerySet[Seat]:
    return seats_with_players().filter(game__awaited=player)


@prepared
def _moves_awaiting(player: int) -> QuerySet[Move, Any]:
    moves = Move.objects.filter(game__awaited=player).order_by("game_id", "ply")
    return moves.values_list("game_id", *MOVE_COLUMNS)


@prepared
def _seats_of(game: int) -> QuerySet[Seat]:
    return seats_with_players().filter(game=game)


def seats_with_players() -> QuerySet[Seat]:
    """Seats with what is shown of their players."""
    player = {
        "vacation_until": F("player__vacation_until"),
        "bounced_at": F("player__mail_bounced_at"),
        "closed_at": F("player__closed_at"),
    }
    return Seat.objects.annotate(**player)


def _vacations(game: Game, seats: Sequence[Any], *, at: datetime) -> dict[int, tuple[tuple[datetime, datetime], ...]]:
    """The vacations that are not over at `at`, by player. No query when nobody has planned one."""
    if not game.is_running or not game.allows_vacation:
        return {}
    if not any(seat.vacation_until and seat.vacation_until > at for seat in seats):
        return {}
    found: defaultdict[int, tuple[tuple[datetime, datetime], ...]] = defaultdict(tuple)
    for player, starts_at, ends_at in _vacations_of(game.pk, at):
        found[player] += ((starts_at, ends_at),)
    return found


@prepared
def _vacations_of(game: int, after: datetime) -> QuerySet[Vacation, tuple[int, datetime, datetime]]:
    ahead = Vacation.objects.filter(player__seats__game=game, ends_at__gt=after).order_by("starts_at")
    return ahead.values_list("player_id", "starts_at", "ends_at")


@prepared
def _moves_of(game: int) -> QuerySet[Move, Any]:
    return Move.objects.filter(game=game).order_by("ply").values_list(*MOVE_COLUMNS)


def _events(game: Game, ply: int, seats: Sequence[Seat], viewer: Player | None) -> tuple[EventPov, ...]:
    """What was done until `ply`, without the calls of players whom the viewer has blocked."""
    rows = _events_of(game.pk) if game.has_events else []
    events = [EventPov(*row) for row in rows if row[2] <= ply]
    if viewer is None or all(event.kind not in CALLS for event in events):
        return tuple(events)
    blocked = {player for (player,) in _blocked_by(viewer.pk)}
    unheard = {_place(seat) for seat in seats if seat.player_id in blocked}
    return tuple(event for event in events if event.kind not in CALLS or event.seat not in unheard)


@prepared
def _blocked_by(player: int) -> QuerySet[Player, Any]:
    return Player.objects.blocked_by(player).values_list("pk")


@prepared
def _events_of(game: int) -> QuerySet[Event, Any]:
    return Event.objects.filter(game=game).order_by("pk").values_list("kind", "seat", "ply", "text", "at")


@prepared
def _deal_of(game: int) -> QuerySet[Deal]:
    return Deal.objects.filter(game=game)


_logs: Latest[tuple[Any, ...], Log] = Latest(256)
"""Within an edition a log only grows (design 1.1), so what it once held need not be read again."""


def _log(game: Game, opening: rules.Opening) -> Log:
    """The moves of a game up to its ply."""
    key = _key(game, opening)
    log = _logs.find(key)
    if log is None:
        log = _fold(_moves_of(game.pk)[: game.ply], opening)
        _logs.store(key, log)
    return log


def founding_plies(steps: Iterable[rules.Step]) -> tuple[int, ...]:
    """The plies of those of these steps that found a village."""
    return tuple(step.ply + 1 for step in steps if step.villages)


def _key(game: Game, opening: rules.Opening) -> tuple[Any, ...]:
    return game.pk, game.slug, game.edition, game.ply, opening


def _fold(rows: Sequence[Sequence[Any]], opening: rules.Opening) -> Log:
    steps = rules.fold(opening, [rules.Move.parse(row[0], opening.ruleset.board) for row in rows])
    return tuple(MovePov(step, *rest) for step, (_text, *rest) in zip(steps, rows, strict=True))


def _seat_povs(
    game: Game,
    seats: Sequence[Any],
    former: Sequence[FormerHolder],
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
            is_opener=seat.player_id is not None and seat.player_id == game.opener_id,
            is_mine=is_mine,
            is_to_move=number == game.to_move,
            is_ready=seat.is_ready,
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
            reserve_left=seat.reserve_left(game),
            days_taken=seat.reserve_taken.days,
            nudged_at=seat.nudged_at,
            mail_bounces=seat.bounced_at is not None,
            vacations=vacations.get(seat.player_id, ()),
            mail_mode=seat.mail_mode if is_mine else "",
            has_page=seat.player_id is not None and seat.closed_at is None,
            is_found_by_name=game.is_public and seat.player_id is None and not seat.is_bot,
            has_note=is_mine and seat.has_note,
            has_sheet=(is_mine or game.is_over) and seat.has_sheet,
            heard=seat.heard if is_mine else 0,
            talk_mail=seat.talk_mail if is_mine else True,
            former=tuple(_former_pov(one, viewer) for one in former if one.seat_id == seat.pk),
            is_free=game.is_running and seat.may_be_taken_over(game),
        )


def _former_pov(held: FormerHolder, viewer: Player | None) -> FormerPov:
    return FormerPov(
        held.name,
        held.ply,
        held.at,
        is_mine=viewer is not None and held.player_id == viewer.pk,
        has_page=held.player_id is not None and not held.name.startswith(FORMER),
    )


def _series(game: Game, seats: Sequence[Any], viewer: Player | None) -> SeriesPov | None:
    """The series of a game. Whoever has but the link of one table by link learns nothing of the others."""
    if game.series is None or game.series_number is None:
        return None
    is_player = viewer is not None and any(seat.player_id == viewer.pk for seat in seats)
    if not (game.is_public or is_player):
        return None
    return SeriesPov(game.series.slug, game.series_number, game.series.length)


def _former_holders(game: Game, seats: Sequence[Seat]) -> Sequence[FormerHolder]:
    """Who had seats before, first to last. No query where nobody has taken one over."""
    return _former_holders_of(game.pk) if any(seat.taken_over_at for seat in seats) else ()


@prepared
def _former_holders_of(game: int) -> QuerySet[FormerHolder]:
    return FormerHolder.objects.filter(seat__game=game).order_by("pk")


def _said(game: Game, seats: Sequence[Any], former: Sequence[FormerHolder], viewer: Player | None) -> int:
    """The number of the last change of the talk; 0 for viewers who may not read it."""
    if not game.said:
        return 0
    is_player = viewer is not None and any(held.player_id == viewer.pk for held in (*seats, *former))
    may_read = may_read_talk(game.talk, is_player=is_player, is_public=game.is_public, is_over=game.is_over)
    return game.said if may_read else 0


def _news_from(seats: Sequence[Any], viewer: Player | None, ply: int) -> int:
    """How many moves the viewer had seen before those that are news to them when `ply` moves were made."""
    own = next((seat for seat in seats if viewer and seat.player_id == viewer.pk), None)
    if own is None or own.seen_ply is None:
        return 0
    return own.seen_ply if own.seen_ply < ply else own.seen_before or 0


def _autopiloted_last(game: Game, log: Sequence[MovePov]) -> int | None:
    """The seat whose last move the autopilot has made, while the game runs and nobody has moved since."""
    is_last = game.is_running and log and log[-1].by_autopilot
    return log[-1].step.seat if is_last else None


def _place(seat: Seat) -> int:
    return seat.joined if seat.number is None else seat.number


def read_imported(game: Game) -> Mapping[str, Any]:
    """What the record of an imported game has besides the game; nothing for all others. A query for an imported game,
    unless its record was selected with it."""
    return json.loads(game.imported.extra) if game.is_imported else {}


def read_deal(game: Game, seats: Sequence[Any]) -> DealPov:
    """The deal; its seed, salts and words are read only once the game is over. That of an imported game is the one that
    its record has, and empty where it has none."""
    if game.is_imported:
        return DealPov.read(read_imported(game).get("deal"))
    deal = game.deal if Game.deal.is_cached(game) else _deal_of(game.pk)[0]
    if not game.is_over:
        return DealPov(deal.version, deal.commitment)
    in_joining_order = sorted(seats, key=lambda seat: seat.joined)
    return DealPov(
        version=deal.version,
        commitment=deal.commitment,
        seed=bytes(deal.seed).hex(),
        salt_hashes=tuple(deal.salt_hashes),
        players=tuple(
            DrawnPlayer(
                name=seat.name_in_deal,
                entropy=seat.entropy,
                place=seat.joined,
                salt=deal.salts[seat.joined] if deal.salts else "",
                share=seat.share,
                is_former=not deal.salts[seat.joined] if seat.dealt_name else seat.closed_at is not None,
                has_page=(seat.player_id is not None or bool(seat.dealt_name))
                and not seat.name_in_deal.startswith(FORMER),
            )
            for seat in in_joining_order
        ),
    )

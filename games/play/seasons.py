"""Seasons of a league: open, join, leave, begin, and the rounds that follow each other (design 2.8)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import date, datetime
from email.utils import make_msgid
from typing import Final

from django.conf import settings
from django.db import transaction

from games import clocks, league
from games.enqueue import enqueue
from games.hooks import owe_season_mails
from games.limits import ENTRANTS
from games.models import (
    MOST_IN_ROUND_ROBIN,
    OPEN_FOR,
    Entrant,
    Game,
    Invitation,
    Mute,
    Player,
    Rating,
    Round,
    Season,
    SeasonMail,
    SeasonTable,
    Seat,
    Terms,
    new_slug,
)
from games.play.announce import announce_season_end
from games.play.finish import SEASON_TASK
from games.play.invitations import accept_invitation, accept_invitations
from games.play.lock import locked_season
from games.play.tables import begin_table
from games.play.turns import resign
from games.words.refusals import (
    AccountClosed,
    InSeasonAlready,
    NotInSeason,
    NotWelcomeInSeason,
    PlayError,
    SeasonBegunAlready,
    SeasonFull,
    SeasonNotOpen,
    TooFewInSeason,
)

FEWEST: Final = 2
Status = Season.Status


def open_season(
    player: Player,
    *,
    name: str,
    size: int,
    rounds: int,
    format: str = Season.Format.SWISS,  # noqa: A002  the word of chess
    ends_on: date | None = None,
    is_public: bool = True,
    is_rated: bool = False,
    move_hours: int = clocks.STEADY.move_hours,
    reserve_hours: int = clocks.STEADY.reserve_hours,
    plays: bool = True,
    key: str,
    at: datetime,
) -> Season:
    """Open a season, which its opener has joined if they play; the same `key` from the same opener returns the season
    that it opened before."""
    about = {
        "slug": new_slug(is_public=is_public),
        "name": name,
        "size": size,
        "rounds": rounds,
        "format": format,
        "ends_on": ends_on,
        "is_public": is_public,
        "is_rated": is_rated and is_public,
        "move_hours": move_hours,
        "reserve_hours": reserve_hours,
        "created_at": at,
    }
    with transaction.atomic():
        season, is_new = Season.objects.get_or_create(about, opener=player, key=key)
        if is_new and plays:
            Entrant.objects.create(season=season, player=player, joined_at=at)
    return season


def join_season(season: Season, *, player: Player, invitation: Invitation | None = None, at: datetime) -> None:
    """Let `player` play an open season. This answers their invitations to it, and the `invitation` by whose link they
    come. Raises InSeasonAlready, SeasonNotOpen, NotWelcomeInSeason, SeasonFull,
    AccountClosed."""
    with locked_season(season) as season:
        if season.entrants.filter(player=player, left_at=None).exists():
            raise InSeasonAlready
        _check_open(season)
        if Mute.objects.filter(player=season.opener_id, other=player, blocks=True).exists():
            raise NotWelcomeInSeason
        room = MOST_IN_ROUND_ROBIN if season.format == Season.Format.ROUND_ROBIN else ENTRANTS.rates[0].amount
        if season.entrants.count() >= room:
            raise SeasonFull
        Entrant.objects.create(season=season, player=player, joined_at=at)
        accept_invitations(season, player=player, at=at)
        if invitation:
            accept_invitation(invitation, at=at)
        # Read after the entrant is written: either the closing of the account finds it, or this finds it closed.
        if not Player.objects.filter(pk=player.pk, is_active=True).exists():
            raise AccountClosed


def leave_season(season: Season, *, player: Player, at: datetime) -> None:
    """Let `player` leave: before the beginning as if they had not joined. Later a computer player takes over their seat
    of this round, and they get no more seats. The opener remains the opener. Raises NotInSeason, also when the season
    is over."""
    with locked_season(season) as season:
        found = season.entrants.filter(player=player, left_at=None)
        if season.status == Status.OVER or not found.exists():
            raise NotInSeason
        if season.status == Status.OPEN:
            found.delete()
            return
        found.update(left_at=at)
    mine = Game.objects.filter(season_table__round__season=season, seats__player=player, status=Game.Status.RUNNING)
    for game in mine:
        # Refused where the game has ended meanwhile, or they have resigned before.
        with suppress(PlayError):
            resign(game, player=player, at=at)


def leave_all_seasons(player: Player, *, at: datetime) -> None:
    """Let `player`, who closes the account, leave their seasons; seasons that they opened and that have not begun are
    closed."""
    for season in Season.objects.filter(opener=player, status=Status.OPEN):
        with suppress(PlayError):
            close_season(season, by=player, at=at)
    for entrant in Entrant.objects.filter(player=player, left_at=None).select_related("season"):
        with suppress(NotInSeason):
            leave_season(entrant.season, player=player, at=at)


def close_season(season: Season, *, by: Player, at: datetime) -> None:
    """Close a season that has not begun; a mail is owed to all others who have joined. Raises NotYourSeason,
    SeasonNotOpen."""
    with locked_season(season, of=by) as season:
        _check_open(season)
        _cancel(season, but_for=by, at=at)


def expire_seasons(*, at: datetime) -> int:
    """Close the seasons that nobody has begun in time; returns how many."""
    closed = 0
    for waiting in Season.objects.filter(status=Status.OPEN, created_at__lte=at - OPEN_FOR):
        with locked_season(waiting) as season:
            if season.status == Status.OPEN:
                _cancel(season, at=at)
                closed += 1
    return closed


def call_off_season(season: Season, *, at: datetime) -> None:
    """For the operator: close a season that has not begun, and let one that runs end with the round that is being
    played, as if it were the last. One that is over stays as it is."""
    with locked_season(season) as season:
        if season.status == Status.OPEN:
            _cancel(season, at=at)
        elif season.status == Status.RUNNING:
            season.rounds = season.drawn_rounds.count()
            season.save(update_fields=("rounds",))
            enqueue(SEASON_TASK, season.pk)


def begin_season(season: Season, *, by: Player, at: datetime) -> None:
    """Draw the first round; from now on nobody can join. Its tables are opened by the worker, or by the sweep. Raises
    NotYourSeason, SeasonBegunAlready, SeasonNotOpen, TooFewInSeason."""
    with locked_season(season, of=by) as season:
        if season.status == Status.RUNNING:
            raise SeasonBegunAlready
        _check_open(season)
        count = season.entrants.count()
        if count < FEWEST:
            raise TooFewInSeason
        if season.format == Season.Format.ROUND_ROBIN:
            season.rounds = _rounds_to_meet_all(count, season.size)
        season.status, season.started_at = Status.RUNNING, at
        season.save(update_fields=("rounds", "status", "started_at"))
        _draw(season, 1, at=at)
        enqueue(SEASON_TASK, season.pk)


def advance_season(season_pk: int, *, at: datetime) -> None:
    """Do what a running season waits for: open the tables that are drawn; when all games of the round are over, draw
    the next round, or end the season after the last one or after its last day.

    The draw is stored first, and each table is opened in a transaction of its own. So an interrupted call leaves the
    rest to the next one, and two calls at once open nothing twice. Raises Season.DoesNotExist.
    """
    with locked_season(Season(pk=season_pk)) as season:
        if season.status != Status.RUNNING:
            return
        tables = SeasonTable.objects.filter(round__season=season)
        if not tables.exclude(game__status=Game.Status.FINISHED).exists():
            _go_on(season, at=at)
    for table in SeasonTable.objects.filter(round__season=season_pk, game=None).order_by("number"):
        # Refused when somebody has just closed their account: the next call finds that they have left.
        with suppress(AccountClosed):
            _open_table(table, at=at)


def running_seasons() -> list[int]:
    """Keys of the seasons that the sweep looks at."""
    return list(Season.objects.filter(status=Status.RUNNING).order_by("pk").values_list("pk", flat=True))


def _check_open(season: Season) -> None:
    if season.status != Status.OPEN:
        raise SeasonNotOpen


def _rounds_to_meet_all(count: int, size: int) -> int:
    """The number of rounds with enough seats for everybody to meet everybody."""
    return count - 1 + count % 2 if size == FEWEST else -(-(count - 1) // (size - 1))


def _go_on(season: Season, *, at: datetime) -> None:
    number = season.drawn_rounds.count() + 1
    is_late = season.ends_on is not None and at.date() > season.ends_on
    if number > season.rounds or is_late or season.entrants.filter(left_at=None).count() < FEWEST:
        _end(season, at=at)
        seats = _last_seats(season)
        announce_season_end(seats, at=at)
        _owe_mails(season, {season.opener_id} - {seat.player_id for seat in seats}, at=at)
    else:
        _draw(season, number, at=at)


def _end(season: Season, *, at: datetime) -> None:
    season.status, season.ended_at = Status.OVER, at
    season.save(update_fields=("status", "ended_at"))


def _cancel(season: Season, *, but_for: Player | None = None, at: datetime) -> None:
    """End a season that has not begun, and owe a mail to everybody who has joined it and to its opener, but for whoever
    ends it."""
    _end(season, at=at)
    told = {season.opener_id, *season.entrants.filter(left_at=None).values_list("player_id", flat=True)}
    _owe_mails(season, told - {but_for.pk} if but_for else told, at=at)


def _owe_mails(season: Season, told: AbstractSet[int], *, at: datetime) -> None:
    """Owe a mail of the end, and notifications, to these players, who have no seat that a notice could be about."""
    made = SeasonMail.objects.bulk_create(
        SeasonMail(
            season=season,
            player_id=player,
            message_id=make_msgid(domain=settings.MAIL_DOMAIN),
            created_at=at,
            due_at=at,
        )
        for player in sorted(told)
    )
    owe_season_mails(made, at=at)


def _draw(season: Season, number: int, *, at: datetime) -> None:
    drawn = Round.objects.create(season=season, number=number, began_at=at)
    tables = _draw_circle(season, number) if _is_round_robin_of_pairs(season) else _draw_round(season, number)
    SeasonTable.objects.bulk_create(
        SeasonTable(round=drawn, number=place, players=players) for place, players in enumerate(tables, start=1)
    )


def _is_round_robin_of_pairs(season: Season) -> bool:
    return season.format == Season.Format.ROUND_ROBIN and season.size == FEWEST


def _draw_circle(season: Season, number: int) -> list[list[int]]:
    """By the circle of all who began; computer players have the seats of those who have left."""
    entrants = list(season.entrants.order_by("pk"))
    here = {entrant.player_id for entrant in entrants if entrant.left_at is None}
    tables = league.draw_circle([entrant.player_id for entrant in entrants], number)
    left = ([player for player in table if player in here] for table in tables)
    return [table for table in left if table]


def _draw_round(season: Season, number: int) -> list[list[int]]:
    """Pairs by points, in the first round by ratings, or in a round robin by who has met least. Two players of whom one
    blocks the other count as if they had met."""
    points = {standing.player: standing.points for standing in season.standings()}
    if season.format == Season.Format.ROUND_ROBIN:
        points = dict.fromkeys(points, 0)
    elif number == 1:
        points = Rating.points_of(points)
    tables = SeasonTable.objects.filter(round__season=season).values_list("players", flat=True)
    meetings = league.count_meetings(tables, size=season.size) + _blocked_pairs(season)
    return league.draw_round(points, meetings, size=season.size, lot=random.SystemRandom())


def _blocked_pairs(season: Season) -> Counter[tuple[int, int]]:
    here = season.entrants.filter(left_at=None).values("player")
    blocks = Mute.objects.filter(blocks=True, player__in=here, other__in=here).values_list("player", "other")
    return Counter({(min(pair), max(pair)) for pair in blocks})


def _open_table(table: SeasonTable, *, at: datetime) -> None:
    with locked_season(Season(pk=table.round.season_id)) as season:
        table.refresh_from_db()
        if table.game is not None:
            return
        here = season.entrants.filter(left_at=None, player__in=table.players, player__is_active=True)
        players = [entrant.player for entrant in here.select_related("player").order_by("pk")]
        if not players:
            table.delete()
            return
        table.game = begin_table(
            players,
            name=f"{season.name} {table.round.number}.{table.number}",
            size=season.size,
            terms=Terms(season.move_hours, season.reserve_hours, is_public=season.is_public, is_rated=season.is_rated),
            key=f"season-{table.pk}",
            at=at,
        )
        table.save(update_fields=("game",))


def _last_seats(season: Season) -> list[Seat]:
    """For each player who is still there the seat of their last game, to which the mail of the end belongs."""
    here = season.entrants.filter(left_at=None).values("player")
    seats = Seat.objects.filter(game__season_table__round__season=season, player__in=here)
    last = {seat.player_id: seat for seat in seats.select_related("game", "player").order_by("game")}
    return list(last.values())

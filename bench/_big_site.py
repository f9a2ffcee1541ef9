"""A site with as many games as one likes: a few are played, and the database copies their rows by itself.

The copies have no moves: lists, logs and sweeps, which are what could grow, read none.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

from bench._scene import begin_game, play_randomly
from games import play
from games.enqueue import without_enqueueing
from games.models import Deal, Game, Mail, Notice, Player, Seat

FREE = 1000
"""The first key of copies; those before belong to what was played."""
EACH = 20
"""How many games in a row the same two players have."""
KINDS = {
    "running": "i % 100 < 40",
    "open": "i % 100 = 40",
    "abandoned": "i % 100 BETWEEN 41 AND 45",
    "finished": "i % 100 > 45",
}


@dataclass(frozen=True)
class BigSite:
    """Who looks at it, and the games that are copied, by kind."""

    regular: Player
    games: dict[str, Game]
    every: int
    """One of so many finished games (50, 100 or 200) is the regular's, as of ten times as many abandoned ones."""
    size: int = 0


def begin_site(*, at: datetime, every: int = 200) -> BigSite:
    """A site with one game of each kind."""
    regular, other = (
        Player.objects.create_user(name, email=f"{name}@example.com", last_login=at) for name in ("regular", "other")
    )
    with without_enqueueing():
        games = {"open": play.open_table(other, name="Bench", size=2, at=at)}
        games |= {kind: _begin_game(regular, other, at=at) for kind in ("running", "finished", "abandoned")}
        while games["running"].awaited != regular:
            games["running"] = _begin_game(regular, other, at=at)
        _play_out(games["finished"], at=at)
        play.write_postcard(games["finished"], player=other, text="Well played!", at=at)
        for player in (regular, other):
            play.agree_to_abandon(games["abandoned"], player=player, agrees=True, at=at)
    play.count_archive(at=at)
    for notice in Notice.objects.select_related("seat"):
        _send(notice, at=at)
    for game in games.values():
        game.refresh_from_db()
    return BigSite(regular, games, every)


def _begin_game(*players: Player, at: datetime) -> Game:
    return begin_game(*players, at=at, terms=play.Terms(talk=Game.Talk.END))


def _play_out(game: Game, *, at: datetime) -> None:
    rng = random.Random(1)
    while not game.is_over:
        play_randomly(game, rng, at=at)


def _send(notice: Notice, *, at: datetime) -> None:
    sent: dict[str, Any] = {
        "player": notice.seat.player,
        "state": Mail.State.SENT,
        "created_at": at,
        "due_at": at,
        "sent_at": at,
    }
    notice.mail = Mail.objects.create(message_id=f"<{notice.pk}@bench>", **sent)
    notice.state, notice.sent_at = Notice.State.SENT, at
    notice.save()


def grow(site: BigSite, size: int, *, at: datetime) -> BigSite:
    """The site with copies until there are `size`: of 100 run 40, 1 is open, 5 were abandoned, others played out."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (*_players(site, size), *_copies(site, size, at=at)):
            cursor.execute(statement)
        # The keys of copies were chosen here: PostgreSQL goes on behind them only when told.
        for statement in connection.ops.sequence_reset_sql(no_style(), [Player, Game, Deal, Seat, Mail, Notice]):
            cursor.execute(statement)
    if connection.vendor == "postgresql":  # as it does by itself after a while; SQLite is not asked to
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return replace(site, size=size)


def _players(site: BigSite, size: int) -> Iterator[str]:
    """One for each EACH games, and one more: two neighbors play."""
    have, need = (number and number // EACH + 2 for number in (site.size, size))
    name = f"'player' || ({FREE} + i)"
    columns = {"id": f"{FREE} + i", "username": name, "email": f"{name} || '@example.com'"}
    columns |= {"look": "NULL", "feed_key": "NULL"}
    yield _copy(Player, site.regular.pk, columns, first=have, last=need - 1)


def _copies(site: BigSite, size: int, *, at: datetime) -> Iterator[str]:
    copies = {"first": site.size + 1, "last": size}
    for kind, game in site.games.items():
        yield _copy(Game, game.pk, _columns_of(site, game, at), where=KINDS[kind], **copies)
        yield _copy(
            Deal, game.deal.pk, {"game_id": f"{FREE} + i", "commitment": "'copy' || i"}, where=KINDS[kind], **copies
        )
        for place, seat in enumerate(game.seats.order_by("joined")):
            key, player = f"{FREE} + 2 * i + {place}", _player(site, place)
            ended = {"ended_at": _moment(at, "-i")} if seat.ended_at else {}
            columns = {"id": key, "game_id": f"{FREE} + i", "player_id": player, **ended}
            yield _copy(Seat, seat.pk, columns, where=KINDS[kind], **copies)
            if notice := seat.notices.order_by("pk").last():
                sent = {"id": key, **dict.fromkeys(("created_at", "due_at", "sent_at"), _moment(at, "-i"))}
                to = {"player_id": player, "message_id": f"'<copy' || ({key}) || '@bench>'"}
                yield _copy(Mail, notice.mail_id, sent | to, where=KINDS[kind], **copies)
                about = {"seat_id": key, "player_id": player, "mail_id": key}
                yield _copy(Notice, notice.pk, sent | about, where=KINDS[kind], **copies)


def _player(site: BigSite, place: int) -> str:
    """The key of the player at the first or the second place."""
    if place:
        return f"{FREE} + i / {EACH} + 1"
    mine = f"i <= 12 OR i % {site.every} = {site.every - 1} OR i % {10 * site.every} = 41"
    return f"CASE WHEN {mine} THEN {site.regular.pk} ELSE {FREE} + i / {EACH} END"


def _columns_of(site: BigSite, game: Game, at: datetime) -> dict[str, str]:
    times = {"created_at": "-i", "started_at": "-i", "ended_at": "-i", "turn_since": "-i", "clock_set_at": "-i"}
    times |= {"free_until": "1440 + i", "due_at": "2880 + i", "remind_at": "720 + i"}
    columns = {"id": f"{FREE} + i", "slug": "'copy' || i", "key": "''", "opener_id": _player(site, 1)}
    columns |= {name: _moment(at, minutes) for name, minutes in times.items() if getattr(game, name)}
    return columns | ({"awaited_id": _player(site, 0)} if game.awaited_id else {})


def _moment(at: datetime, minutes: str) -> str:
    """That many minutes after `at`, as SQL."""
    if connection.vendor == "sqlite":
        return f"strftime('%Y-%m-%d %H:%M:%f', '{at:%Y-%m-%d %H:%M:%S}', ({minutes}) || ' minutes')"
    return f"timestamptz '{at:%Y-%m-%d %H:%M:%S}+00' + ({minutes}) * interval '1 minute'"


def _copy(
    model: type[models.Model], key: Any, columns: dict[str, str], *, first: int, last: int, where: str = "TRUE"
) -> str:
    """Copy the row of that key for each number `i` from `first` to `last`, with other values in some columns."""
    about: Any = model._meta  # noqa: SLF001
    names = [field.column for field in about.concrete_fields if not field.generated]
    into = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(columns.get(name, f'"{name}"') for name in names)
    series = f"WITH RECURSIVE series(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM series WHERE i < {last})"  # noqa: S608
    rows = f"SELECT {values} FROM series, {about.db_table} WHERE {about.pk.column} = {key} AND {where}"  # noqa: S608
    return " ".join([series, "INSERT INTO", about.db_table, f"({into})", rows])

"""The cast and what they do: alice, bob and carol sit at tables, mallory is a stranger."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from games import play, rules
from games.models import Entrant, Game, Move, Player, Round, Season, SeasonTable, Seat, hash_move
from games.play.deadlines import CLOCK_FIELDS, start_clock
from tests.chance import CHANCE

AT = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
"""A Monday evening; the stories of the tests begin here."""
PASSWORD = "the-lake-is-frozen"
# A real hash, but a quick one: the million rounds of the default take a second for each player.
QUICK_HASH = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=1)


def make_player(name: str) -> Player:
    """A player with a verified address NAME@example.com and the password PASSWORD."""
    email = f"{name}@example.com"
    with CHANCE.stream(email):
        player = Player.objects.create(username=name, email=email, password=QUICK_HASH, date_joined=AT)
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    return player


def make_table(
    opener: Player,
    *,
    size: int = 3,
    bots: int = 0,
    five_clans: str = "score",
    is_public: bool = True,
    is_rated: bool = False,
    name: str = "Friday table",
    terms: play.Terms | None = None,
    follows: Game | None = None,
    board: str = rules.STANDARD.board.id,
    at: datetime = AT,
) -> Game:
    """A table that `opener` has opened (and that computer players may have filled)."""
    return play.open_table(
        opener,
        name=name,
        size=size,
        bots=bots,
        terms=(terms or play.Terms())._replace(
            five_clans=five_clans, is_public=is_public, is_rated=is_rated, board=board
        ),
        fixed=next_deal(),
        entropy=f"words of {opener.username}",
        follows=follows,
        at=at,
    )


def next_deal() -> play.FixedDeal:
    """The deal of the next table: another one for each, and the same ones whenever a test runs. A random one would let
    a test fail once in a hundred runs, for a shared win or a village that did not come about."""
    number = Game.objects.count()
    salts = tuple(sha256(f"salt {place} of {number}".encode()).digest()[: rules.SALT_BYTES] for place in range(4))
    return play.FixedDeal(sha256(f"seed of {number}".encode()).digest()[: rules.SEED_BYTES], salts)


def make_game(
    *players: Player,
    bots: int = 0,
    five_clans: str = "score",
    is_public: bool = True,
    is_rated: bool = False,
    at: datetime = AT,
) -> Game:
    """A running game of `players` and `bots` computer players."""
    size = len(players) + bots
    game = make_table(
        players[0], size=size, bots=bots, five_clans=five_clans, is_public=is_public, is_rated=is_rated, at=at
    )
    for player in players[1:]:
        play.join_table(game, player=player, entropy=f"words of {player.username}", at=at)
    game.refresh_from_db()
    return game


def seat_to_move(game: Game) -> Seat:
    """Whose turn it is in the running `game`."""
    return game.seats.get(number=Game.objects.get(pk=game.pk).to_move)


def random_move(position: rules.Position, rng: random.Random) -> rules.Move:
    """Some legal move, with a founding order where one must be chosen."""
    move = rng.choice(rules.legal_moves(position))
    orders = rules.founding_orders(position, move)
    return rules.Move(move.origin, move.target, rng.choice(orders)) if orders else move


def play_random(game: Game, plies: int = 60, *, seed: int = 1, every: timedelta = timedelta(hours=3)) -> Game:
    """`game` after at most `plies` more random moves, by `play_move`, one move `every` so often."""
    rng = random.Random(seed)
    game.refresh_from_db()
    if game.status != Game.Status.RUNNING:
        return game
    seats, position, at = {seat.number: seat for seat in game.seats.all()}, game.position(), game.turn_since or AT
    # The game may end before the position does, where nobody is left.
    with suppress(play.GameNotRunning):
        for _ply in range(plies):
            if position.end:
                break
            at, seat, move = at + every, seats[position.to_move], random_move(position, rng)
            played = play.play_move(game, seat=seat, move=move, ply=position.ply, key=f"random-{position.ply}", at=at)
            position = played.step.position
    game.refresh_from_db()
    return game


def play_out(game: Game, *, seed: int = 1, every: timedelta = timedelta(hours=3)) -> Game:
    """`game` after its end, for tests of what follows the end of games: as after `play_random`, but only the last move
    is played. The rows of those before are written at once, and nobody is called to their turns; no move may take
    longer than the pace allows."""
    game.refresh_from_db()
    if game.status == Game.Status.RUNNING:
        seats = list(game.seats.order_by("number").select_related("player"))
        *earlier, last = _drawn_moves(game.position(), seed)
        at = _write_moves(game, seats, earlier, every=every)
        key, at = f"random-{last.ply}", at + every
        play.play_move(game, seat=seats[last.seat], move=last.move, ply=last.ply, key=key, at=at)
        game.refresh_from_db()
    return game


def _write_moves(game: Game, seats: list[Seat], steps: list[rules.Step], *, every: timedelta) -> datetime:
    """Write the moves of these steps into the log, and where they lead into the row of the game; when the last one was
    made."""
    moves, at = [], game.turn_since or AT
    for step in steps:
        at, key, by_bot = at + every, f"random-{step.ply}", seats[step.seat].is_bot
        move = Move(game=game, ply=step.ply, seat=step.seat, text=str(step.move), key=key, by_bot=by_bot, at=at)
        move.previous_hash = game.last_hash
        if game.last_hash is not None:
            game.last_hash = hash_move(game.last_hash, move, edition=game.edition)
        start_clock(game, seats[step.position.to_move], at=at)
        moves.append(move)
    Move.objects.bulk_create(moves)
    game.ply += len(moves)
    game.save(update_fields=("ply", "last_hash", *CLOCK_FIELDS))
    return at


@lru_cache(maxsize=200)
def _drawn_moves(position: rules.Position, seed: int) -> list[rules.Step]:
    """The random moves to the end that follow `position`."""
    rng, steps = random.Random(seed), []
    while not position.end:
        step = rules.play(position, random_move(position, rng))
        steps.append(step)
        position = step.position
    return steps


def put_in_season(game: Game) -> None:
    """Let the game be the only one of a season of the people who play it; done twice, it stays the same one."""
    people = [seat.player for seat in game.seats.select_related("player").order_by("joined") if seat.player]
    about = {"name": "Spring league", "size": game.seats.count(), "rounds": 1, "move_hours": 72, "reserve_hours": 240}
    season, is_new = Season.objects.get_or_create(about | {"created_at": AT}, opener=people[0], key=game.slug)
    if is_new:
        Entrant.objects.bulk_create(Entrant(season=season, player=player, joined_at=AT) for player in people)
        drawn = Round.objects.create(season=season, number=1, began_at=AT)
        SeasonTable.objects.create(round=drawn, number=1, players=[player.pk for player in people], game=game)

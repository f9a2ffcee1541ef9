"""Ratings: what counts, what they change by, and that computing them again gives the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games import play
from games.models import START_MU, START_SIGMA, Game, Player, Rating, Seat
from games.play import ratings
from games.play.finish import finish_game
from games.play.lock import locked
from games.play.turns import seats_of
from tests.cast import AT, make_game, make_player, play_out, play_random

pytestmark = pytest.mark.django_db


def rated_game(*players: Player, is_public: bool = True, bots: int = 0) -> Game:
    """A running game of these players, whose opener wants it to be rated."""
    return make_game(*players, bots=bots, is_public=is_public, is_rated=True)


def end_with(game: Game, *ranks: int) -> Game:
    """The running game, ended at once; its players have these ranks, in the order of joining."""
    with locked(game) as game:
        finish_game(game, seats_of(game), game.position(), end="no-moves", at=AT)
        Rating.objects.all().delete()
    by_joining = list(game.seats.order_by("joined"))
    for seat, rank in zip(by_joining, ranks, strict=True):
        Seat.objects.filter(pk=seat.pk).update(rank=rank)
    return game


def rating(player: Player) -> tuple[float, float]:
    found = Rating.objects.get(player=player)
    return found.mu, found.sigma


def everything() -> list[tuple[object, ...]]:
    return list(Rating.objects.order_by("player").values_list("player", *ratings.FIELDS))


def expected(own: float, others: list[tuple[float, float]], sigma: float = START_SIGMA) -> float:
    """The new mean of a player with `own` mean among `others` (their mean, and 1, 0.5 or 0 points against them), all
    of the same deviation: Weng and Lin 2011, algorithm 1, and the mean over the others."""
    beta, tau = START_SIGMA / 2, START_MU / 300
    variance = sigma**2 + tau**2
    c = math.sqrt(2 * variance + 2 * beta**2)
    gains = [variance / c * (points - 1 / (1 + math.exp((other - own) / c))) for other, points in others]
    return own + sum(gains) / len(gains)


# --- What a game changes -------------------------------------------------------------------------


def test_a_game_that_is_played_out_rates_its_players_at_once(alice: Player, bob: Player) -> None:
    game = play_out(rated_game(alice, bob))
    assert game.rated_at == game.ended_at
    ranks = {seat.player: seat.rank or 0 for seat in game.seats.select_related("player")}
    # The cards are dealt by chance, so the game may end in a shared win.
    assert sorted(ranks.values()) in ([1, 2], [1, 1])
    for player, other in ((alice, bob), (bob, alice)):
        points = 0.5 if ranks[player] == ranks[other] else float(ranks[player] < ranks[other])
        mean, deviation = rating(player)
        assert mean == pytest.approx(expected(START_MU, [(START_MU, points)]))
        assert 8 < deviation < START_SIGMA


def test_each_is_compared_with_each_other_and_equal_ranks_are_a_draw(
    alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    end_with(rated_game(alice, bob, carol, mallory), 1, 2, 2, 4)
    play.recount_ratings()
    assert rating(alice)[0] == pytest.approx(expected(25, [(25, 1), (25, 1), (25, 1)]))
    assert rating(bob)[0] == pytest.approx(expected(25, [(25, 0), (25, 0.5), (25, 1)]))
    assert rating(carol) == rating(bob)
    assert rating(mallory)[0] == pytest.approx(expected(25, [(25, 0), (25, 0), (25, 0)]))


def test_a_draw_brings_a_stronger_and_a_weaker_player_nearer(alice: Player, bob: Player) -> None:
    end_with(rated_game(alice, bob), 1, 2)
    end_with(rated_game(alice, bob), 1, 1)
    play.recount_ratings()
    (stronger, sigma), (weaker, _sigma) = rating(alice), rating(bob)
    first = expected(25, [(25, 1)])
    assert 25 < stronger < first
    assert stronger - 25 == pytest.approx(25 - weaker)
    assert sigma < START_SIGMA


def test_a_rating_is_shown_as_whole_points_around_1500(alice: Player) -> None:
    new = Rating(player=alice)
    assert (new.points, new.margin, new.is_shown) == (1500, 250, False)
    strong = Rating(player=alice, mu=30.0, sigma=2.0, games=5)
    assert (strong.points, strong.margin, strong.is_shown) == (1650, 60, True)


# --- Which games count ---------------------------------------------------------------------------


def not_rated(alice: Player, bob: Player) -> Game:
    return play_out(make_game(alice, bob))


def by_link(alice: Player, bob: Player) -> Game:
    return play_out(rated_game(alice, bob, is_public=False))


def with_a_computer_player(alice: Player, bob: Player) -> Game:
    return play_out(rated_game(alice, bob, bots=1))


def abandoned(alice: Player, bob: Player) -> Game:
    game = play_random(rated_game(alice, bob), 20)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    return game


def resigned(alice: Player, bob: Player) -> Game:
    game = rated_game(alice, bob, make_player("dora"))
    play_random(game, 10)
    play.resign(game, player=bob, at=AT)
    return play_out(game)


def account_closed(alice: Player, bob: Player) -> Game:
    game = rated_game(alice, bob, make_player("dora"))
    play.close_account(bob, at=AT)
    return play_out(game)


def left_to_the_autopilot(alice: Player, bob: Player) -> Game:
    game = rated_game(alice, bob)
    Seat.objects.filter(game=game, player=bob).update(autopiloted=3)
    return play_random_for_both(game)


def play_random_for_both(game: Game) -> Game:
    """As `play_random`, but the autopilot moves for who is on it."""
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        seat = game.seats.get(number=game.to_move)
        if seat.is_automatic:
            play.play_bot_turn(game.pk, at=game.due_at or AT)
            game.refresh_from_db()
        else:
            play_random(game, 1)
    return game


@pytest.mark.parametrize(
    "end",
    [not_rated, by_link, with_a_computer_player, abandoned, resigned, account_closed, left_to_the_autopilot],
    ids=lambda end: end.__name__,
)
def test_it_does_not_count(end: Callable[[Player, Player], Game], alice: Player, bob: Player) -> None:
    game = end(alice, bob)
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert game.rated_at is None
    assert not Rating.objects.exists()
    assert play.recount_ratings().changed == 0
    assert not Rating.objects.exists()


def test_it_counts_when_who_was_away_has_come_back(alice: Player, bob: Player) -> None:
    game = rated_game(alice, bob)
    while game.awaited == bob:
        play_random(game, 1)
    Seat.objects.filter(game=game, player=bob).update(autopiloted=3)
    play.come_back(game, player=bob, at=AT)
    assert play_out(game).rated_at is not None
    assert Rating.objects.count() == 2


@pytest.mark.parametrize(("is_public", "bots", "is_rated"), [(True, 0, True), (False, 0, False), (True, 1, False)])
def test_a_table_is_rated_only_if_it_is_public_and_of_people_alone(
    alice: Player, bob: Player, is_public: bool, bots: int, is_rated: bool
) -> None:
    assert rated_game(alice, bob, is_public=is_public, bots=bots).is_rated is is_rated


# --- Computed again ------------------------------------------------------------------------------


def play_some(*players: Player) -> None:
    """Games of two and three, rated and not, the later ones sooner over."""
    for number in range(8):
        seated = players[number % 3 :][:2] if number % 2 else players
        seated = seated if len(seated) > 1 else players[:2]
        game = (make_game if number == 5 else rated_game)(*seated)
        with locked(play_random(game, 14, seed=number)) as game:
            end = "abandoned" if number == 6 else "villages"
            finish_game(game, seats_of(game), game.position(), end=end, at=AT - timedelta(hours=number % 4))


def test_computing_them_again_gives_the_same(alice: Player, bob: Player, carol: Player) -> None:
    play_some(alice, bob, carol)
    before = everything()
    assert len(before) == 3
    assert play.recount_ratings() == (6, 0)
    Rating.objects.filter(player=alice).update(mu=40, curve=[])
    Rating.objects.filter(player=bob).delete()
    Rating.objects.create(player=make_player("dora"), games=9)
    assert play.recount_ratings() == (6, 3)
    assert everything() == before


def test_the_order_is_that_of_rating_when_clocks_disagree(alice: Player, bob: Player, carol: Player) -> None:
    """A game that says that it ended before another one of the same player, but was rated after it."""
    first, second = rated_game(alice, bob), rated_game(bob, carol)
    for game, at in ((first, AT), (second, AT - timedelta(seconds=3))):
        with locked(play_random(game, 14, seed=game.pk)) as game:
            finish_game(game, seats_of(game), game.position(), end="villages", at=at)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.rated_at == AT
    assert second.rated_at == AT + timedelta(microseconds=1)
    assert second.ended_at == AT - timedelta(seconds=3)
    before = everything()
    assert play.recount_ratings().changed == 0
    assert everything() == before


def test_a_game_that_ends_while_they_are_computed_is_rated_too(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_out(rated_game(alice, bob))
    other = play_random(rated_game(alice, bob), 20, seed=2)
    monkeypatch.setattr(ratings, "TELL_EVERY", 1)

    def end_the_other(_done: int, _of: int) -> None:
        play_out(other, seed=2)

    assert play.recount_ratings(tell=end_the_other) == (2, 0)
    other.refresh_from_db()
    assert other.rated_at is not None
    assert Rating.objects.get(player=alice).games == 2


def test_a_table_that_is_declared_not_rated_goes_out_of_all_ratings(alice: Player, bob: Player) -> None:
    kept, gone = play_out(rated_game(alice, bob)), play_out(rated_game(alice, bob), seed=5)
    Game.objects.filter(pk=gone.pk).update(is_rated=False)
    assert play.recount_ratings() == (1, 2)
    assert Rating.objects.get(player=alice).rated_at == kept.rated_at


def test_closing_an_account_leaves_the_ratings_of_others(alice: Player, bob: Player) -> None:
    play_out(rated_game(alice, bob))
    before = rating(bob)
    play.close_account(alice, at=AT)
    assert play.recount_ratings().changed == 0
    assert rating(bob) == before


def test_the_command_says_how_far_it_is_and_what_changed(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_out(rated_game(alice, bob))
    Rating.objects.update(mu=1)
    monkeypatch.setattr(ratings, "TELL_EVERY", 1)
    out = StringIO()
    call_command("recount", "ratings", stdout=out)
    assert out.getvalue() == "1 of 1 games rated\nRated 1 games; 2 ratings changed.\n"
    with pytest.raises(CommandError, match="nothing called rating:"):
        call_command("recount", "rating")


# --- The curve -----------------------------------------------------------------------------------


def test_the_curve_has_each_game_of_a_few_and_every_nth_of_many(alice: Player) -> None:
    found = Rating(player=alice, sigma=3.0)
    for number in range(1, 1001):
        found.games, found.mu, found.rated_at = number, 25 + number / 100, AT + timedelta(days=number)
        found.note_change()
        numbers = [row[0] for row in found.curve]
        assert len(numbers) <= 65
        assert numbers[-1] == number
        if number <= 64:
            assert numbers == list(range(1, number + 1))
    assert numbers == [*range(16, 1000, 16), 1000]
    last = found.past[-1]
    assert (last.points, last.margin, last.on.isoformat()) == (1800, 90, "2028-11-26")


def test_the_curve_begins_where_the_rating_was_first_shown(alice: Player) -> None:
    found = Rating(player=alice, rated_at=AT)
    for number in range(1, 8):
        found.games = number
        found.note_change()
    assert [then.games for then in found.past] == [5, 6, 7]

"""Seasons of a league, through `games.play` alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import league, play, tasks
from games.models import Entrant, Game, Notice, Player, Rating, Season, SeasonMail, SeasonTable, Seat
from tests.cast import AT, make_player, play_out

pytestmark = pytest.mark.django_db

NAMES = ("alice", "bob", "carol", "dora", "erin", "frank", "gina", "hugo")


@pytest.fixture
def people() -> list[Player]:
    return [make_player(name) for name in NAMES]


def open_season(opener: Player, **about: Any) -> Season:
    usual: dict[str, Any] = {"name": "Spring", "size": 2, "rounds": 3, "key": "1", "at": AT}
    return play.open_season(opener, **usual | about)


def begin(people: list[Player], **about: Any) -> Season:
    """A season of these people whose first tables are open."""
    season = open_season(people[0], **about)
    for player in people[1:]:
        play.join_season(season, player=player, at=AT)
    play.begin_season(season, by=people[0], at=AT)
    play.advance_season(season.pk, at=AT)
    season.refresh_from_db()
    return season


def running(season: Season) -> list[Game]:
    return list(Game.objects.filter(season_table__round__season=season, status=Game.Status.RUNNING).order_by("pk"))


def play_round(season: Season) -> None:
    for game in running(season):
        play_out(game, seed=game.pk)
    play.advance_season(season.pk, at=AT + timedelta(days=9))
    season.refresh_from_db()


def seated(season: Season, number: int) -> list[list[str]]:
    """The names at the tables of a round."""
    tables = SeasonTable.objects.filter(round__season=season, round__number=number).order_by("number")
    assert all(table.game is not None for table in tables)
    return [sorted(seat.name for seat in Seat.objects.filter(game=table.game_id)) for table in tables]


def test_its_rounds_follow_each_other_to_the_end(people: list[Player]) -> None:
    season = begin(people)
    for number in (1, 2, 3):
        assert season.status == Season.Status.RUNNING
        assert sorted(name for table in seated(season, number) for name in table) == sorted(NAMES)
        play_round(season)
    assert season.status == Season.Status.OVER
    standings = season.standings()
    assert {each.games for each in standings} == {3}
    assert sum(each.points for each in standings) == 2 * 3 * 4
    assert Game.objects.count() == 12
    met = league.count_meetings(SeasonTable.objects.values_list("players", flat=True), size=2)
    assert set(met.values()) == {1}


def test_it_tells_everybody_of_the_end_once(people: list[Player]) -> None:
    season = begin(people[:3], rounds=1)
    play_round(season)
    for _again in range(2):
        play.advance_season(season.pk, at=AT)
    told = Notice.objects.filter(kind=Notice.Kind.SEASON).values_list("player__username", flat=True)
    assert sorted(told) == ["alice", "bob", "carol"]


def test_a_round_waits_for_its_last_game(people: list[Player]) -> None:
    season = begin(people)
    *most, last = running(season)
    for game in most:
        play_out(game)
    play.advance_season(season.pk, at=AT)
    assert season.drawn_rounds.count() == 1
    play_out(last)
    play.advance_season(season.pk, at=AT)
    assert season.drawn_rounds.count() == 2


def test_the_end_of_a_game_asks_for_the_season_to_go_on(
    people: list[Player], django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        "celery.app.base.Celery.send_task", lambda _app, name, args, **_about: asked.append((name, *args))
    )
    season = begin(people[:2])
    [game] = running(season)
    with django_capture_on_commit_callbacks(execute=True):
        play_out(game)
    assert ("games.tasks.advance_season", season.pk) in asked


def test_what_was_interrupted_goes_on_with_the_tables_that_are_missing(people: list[Player]) -> None:
    season = begin(people)
    lost = SeasonTable.objects.get(number=2)
    assert lost.game is not None
    before = lost.game
    SeasonTable.objects.filter(pk=lost.pk).update(game=None)
    play.advance_season(season.pk, at=AT)
    lost.refresh_from_db()
    assert lost.game == before
    assert Game.objects.count() == 4


def test_who_leaves_is_replaced_and_drawn_no_more(people: list[Player]) -> None:
    season = begin(people)
    play.leave_season(season, player=people[3], at=AT)
    seat = Seat.objects.get(player=people[3])
    assert seat.is_bot
    for game in running(season):
        play_out(game, seed=game.pk)
    play.advance_season(season.pk, at=AT)
    assert "dora" not in str(seated(season, 2))
    assert "computer 1" in str(seated(season, 2))
    assert people[3].pk not in [each.player for each in season.standings()]
    assert len(season.standings()) == 7


def test_who_leaves_before_the_beginning_may_join_again(people: list[Player]) -> None:
    season = open_season(people[0])
    play.join_season(season, player=people[1], at=AT)
    play.leave_season(season, player=people[1], at=AT)
    assert season.entrants.count() == 1
    play.join_season(season, player=people[1], at=AT)
    with pytest.raises(play.InSeasonAlready):
        play.join_season(season, player=people[1], at=AT)


def test_the_opener_leaves_before_the_beginning_and_still_begins_it(people: list[Player]) -> None:
    season = open_season(people[0])
    for player in people[1:4]:
        play.join_season(season, player=player, at=AT)
    play.leave_season(season, player=people[0], at=AT)
    play.begin_season(season, by=people[0], at=AT)
    assert [each.player for each in season.standings()] == [player.pk for player in people[1:4]]


def test_who_only_opens_a_season_plays_no_game_of_it(people: list[Player]) -> None:
    opener, *players = people[:5]
    season = open_season(opener, plays=False, rounds=2)
    assert season.entrants.count() == 0
    play.join_season(season, player=players[0], at=AT)
    with pytest.raises(play.TooFewInSeason):
        play.begin_season(season, by=opener, at=AT)
    for player in players[1:]:
        play.join_season(season, player=player, at=AT)
    with pytest.raises(play.NotYourSeason):
        play.begin_season(season, by=players[0], at=AT)
    play.begin_season(season, by=opener, at=AT)
    play.advance_season(season.pk, at=AT)
    for _round in range(2):
        play_round(season)
    season.refresh_from_db()
    assert season.status == Season.Status.OVER
    assert not Seat.objects.filter(player=opener).exists()
    assert {each.player for each in season.standings()} == {player.pk for player in players}
    assert {notice.player for notice in Notice.objects.filter(kind="season")} == set(players)
    play.advance_season(season.pk, at=AT)
    assert told(season) == [opener.username]


def test_an_opener_who_plays_is_told_of_the_end_once(people: list[Player]) -> None:
    season = begin(people[:3], rounds=1)
    play_round(season)
    assert (season.status, told(season)) == (Season.Status.OVER, [])


def test_who_only_opens_a_season_may_join_it_once(people: list[Player]) -> None:
    season = open_season(people[0], plays=False)
    assert open_season(people[0]) == season
    assert season.entrants.count() == 0
    play.join_season(season, player=people[0], at=AT)
    with pytest.raises(play.InSeasonAlready):
        play.join_season(season, player=people[0], at=AT)


def test_in_a_round_robin_each_meets_each(people: list[Player]) -> None:
    season = begin(people[:5], format="round-robin", rounds=1)
    assert season.rounds == 5
    while season.status == Season.Status.RUNNING:
        play_round(season)
    met = league.count_meetings(SeasonTable.objects.values_list("players", flat=True), size=2)
    assert set(met.values()) == {1}
    assert len(met) == 10 + 5


@pytest.mark.parametrize("size", [3, 4])
def test_in_a_round_robin_at_larger_tables_each_meets_as_few_again_as_can_be(people: list[Player], size: int) -> None:
    season = begin(people, format="round-robin", size=size, rounds=1)
    while season.status == Season.Status.RUNNING:
        play_round(season)
    met = league.count_meetings(SeasonTable.objects.values_list("players", flat=True), size=size)
    assert season.drawn_rounds.count() == season.rounds == -(-7 // (size - 1))
    assert max(met.values()) <= 2


def test_after_the_last_day_no_round_begins(people: list[Player]) -> None:
    season = begin(people[:4], rounds=9, ends_on=AT.date() + timedelta(days=1))
    for game in running(season):
        play_out(game)
    play.advance_season(season.pk, at=AT + timedelta(days=1))
    assert season.drawn_rounds.count() == 2
    play_round(season)
    assert (season.status, season.drawn_rounds.count()) == (Season.Status.OVER, 2)


@pytest.mark.parametrize("blocked", [True, False])
def test_those_of_whom_one_blocks_the_other_are_not_drawn_together(people: list[Player], blocked: bool) -> None:
    alice, *others = people[:4]
    if blocked:
        for other in others[:2]:
            play.mute_player(other, alice, blocks=True, at=AT)
    together = set()
    for number in range(8):
        begin([alice, *others], key=str(number), name=f"Spring {number}")
    for players in SeasonTable.objects.values_list("players", flat=True):
        together |= set(players) if alice.pk in players else set()
    expected = {alice.pk, others[2].pk}
    assert (together == expected) == blocked


def test_the_first_round_is_drawn_by_ratings(people: list[Player]) -> None:
    """Whoever has none that is shown, because the games are too few, is between those above 1500 and those below."""
    for player, mu, games in zip(people[:7], (35, 15, 34, 16, 31, 19, 40), (9, 9, 9, 9, 9, 9, 4), strict=True):
        Rating.objects.create(player=player, mu=mu, games=games)
    for number in range(2):
        season = begin(people, key=str(number), name=f"Spring {number}")
        tables = seated(season, 1)
        assert ["alice", "carol"] in tables
        assert ["bob", "dora"] in tables
        assert ["erin", "frank"] not in tables


def test_whom_the_opener_blocks_cannot_join(people: list[Player]) -> None:
    season = open_season(people[0])
    play.mute_player(people[0], people[1], blocks=True, at=AT)
    with pytest.raises(play.NotWelcomeInSeason):
        play.join_season(season, player=people[1], at=AT)


def test_what_cannot_be_done_changes_nothing(people: list[Player]) -> None:
    season = open_season(people[0])
    with pytest.raises(play.TooFewInSeason):
        play.begin_season(season, by=people[0], at=AT)
    with pytest.raises(play.NotYourSeason):
        play.begin_season(season, by=people[1], at=AT)
    with pytest.raises(play.NotYourSeason):
        play.close_season(season, by=people[1], at=AT)
    with pytest.raises(play.NotInSeason):
        play.leave_season(season, player=people[1], at=AT)
    play.join_season(season, player=people[1], at=AT)
    play.begin_season(season, by=people[0], at=AT)
    with pytest.raises(play.SeasonBegunAlready):
        play.begin_season(season, by=people[0], at=AT)
    with pytest.raises(play.SeasonNotOpen):
        play.join_season(season, player=people[2], at=AT)
    with pytest.raises(play.SeasonNotOpen):
        play.close_season(season, by=people[0], at=AT)
    assert (Entrant.objects.count(), SeasonTable.objects.count()) == (2, 1)


def test_a_round_robin_has_room_for_twelve(people: list[Player]) -> None:
    season = open_season(people[0], format="round-robin")
    for number in range(11):
        play.join_season(season, player=make_player(f"guest{number}"), at=AT)
    with pytest.raises(play.SeasonFull):
        play.join_season(season, player=people[1], at=AT)


def test_the_same_form_opens_one_season(people: list[Player]) -> None:
    assert open_season(people[0]) == open_season(people[0])
    assert Entrant.objects.count() == 1


def test_a_season_by_link_is_played_at_tables_by_link(people: list[Player]) -> None:
    season = begin(people[:2], is_public=False, is_rated=True)
    [game] = running(season)
    assert (len(season.slug), len(game.slug), game.is_public, game.is_rated) == (26, 26, False, False)


def test_its_tables_are_played_at_its_pace(people: list[Player]) -> None:
    pace = play.Terms(24, 120)
    season = begin(people[:2], is_rated=True, move_hours=24, reserve_hours=120)
    [game] = running(season)
    assert (game.move_hours, game.reserve_hours) == pace[:2]
    assert (game.is_public, game.is_rated, game.name) == (True, True, "Spring 1.1")


def test_closing_the_account_leaves_the_seasons(people: list[Player]) -> None:
    running_one = begin(people[:4], name="Season of bob")
    open_one = open_season(people[1], key="2", name="bob again")
    play.close_account(people[1], at=AT)
    open_one.refresh_from_db()
    running_one.refresh_from_db()
    assert open_one.status == Season.Status.OVER
    assert "bob" not in open_one.name + running_one.name
    assert Entrant.objects.get(season=running_one, player=people[1]).left_at == AT
    play_round(running_one)
    assert "former" not in str(seated(running_one, 2))


def test_a_last_day_that_is_over_lets_the_season_end_by_itself(people: list[Player]) -> None:
    season = begin(people[:2], rounds=5, ends_on=date(2026, 3, 2))
    play_round(season)
    assert season.status == Season.Status.OVER


def test_nobody_begins_it_for_30_days_and_it_is_closed(people: list[Player]) -> None:
    season, begun = open_season(people[0]), begin(people[:3], key="2")
    assert play.expire_seasons(at=AT + timedelta(days=30, seconds=-1)) == 0
    late = AT + timedelta(days=30)
    assert play.expire_seasons(at=late) == 1
    assert play.expire_seasons(at=late) == 0
    for each in (season, begun):
        each.refresh_from_db()
    assert (season.status, season.ended_at, begun.status) == ("over", late, "running")
    with pytest.raises(play.SeasonNotOpen):
        play.join_season(season, player=people[1], at=late)
    with pytest.raises(play.SeasonNotOpen):
        play.begin_season(season, by=people[0], at=late)


def test_the_sweep_closes_what_nobody_has_begun(people: list[Player]) -> None:
    now = timezone.now()
    old, young = open_season(people[0], at=now - timedelta(days=31)), open_season(people[1], at=now)
    assert tasks.sweep_all().expired == 1
    assert [Season.objects.get(pk=season.pk).status for season in (old, young)] == ["over", "open"]


def told(season: Season) -> list[str]:
    """Who is owed a mail of the end for which they need no seat."""
    rows = SeasonMail.objects.filter(season=season).order_by("pk")
    return list(rows.values_list("player__username", flat=True))


LATE = AT + timedelta(days=30)
CLOSED: dict[str, tuple[Callable[[Season], object], list[str]]] = {
    "by its opener": (lambda season: play.close_season(season, by=season.opener, at=AT), ["bob"]),
    "by the sweep": (lambda _season: play.expire_seasons(at=LATE), ["alice", "bob"]),
    "by the operator": (lambda season: play.call_off_season(season, at=AT), ["alice", "bob"]),
    "with an account": (lambda season: play.close_account(season.opener, at=AT), ["bob"]),
}


@pytest.mark.parametrize("plays", [True, False])
@pytest.mark.parametrize("how", CLOSED)
def test_who_had_joined_or_opened_it_is_told_once_that_the_season_is_closed(
    people: list[Player], how: str, plays: bool
) -> None:
    close, names = CLOSED[how]
    season = open_season(people[0], plays=plays)
    for player in people[1:3]:
        play.join_season(season, player=player, at=AT)
    play.leave_season(season, player=people[2], at=AT)
    for _again in range(2):
        with suppress(play.PlayError):
            close(season)
    season.refresh_from_db()
    assert (season.status, told(season)) == (Season.Status.OVER, names)


def test_nobody_is_told_so_of_a_season_that_has_begun(people: list[Player]) -> None:
    season = begin(people[:2], rounds=1)
    play.call_off_season(season, at=AT)
    play_round(season)
    assert (season.status, told(season)) == (Season.Status.OVER, [])


def test_a_running_season_that_is_called_off_ends_with_its_round(people: list[Player]) -> None:
    season = begin(people)
    play.call_off_season(season, at=AT)
    play.advance_season(season.pk, at=AT)
    season.refresh_from_db()
    assert (season.status, season.rounds, len(running(season))) == ("running", 1, len(people) // 2)
    play_round(season)
    assert season.status == Season.Status.OVER
    assert season.drawn_rounds.count() == 1
    assert {notice.player for notice in Notice.objects.filter(kind="season")} == set(people)
    ended_at = season.ended_at
    play.call_off_season(season, at=AT + timedelta(days=99))
    season.refresh_from_db()
    assert (season.status, season.ended_at) == ("over", ended_at)


def play_season(count: int, *, rounds: int) -> Season:
    """A season of so many people, played to its end."""
    season = begin([make_player(f"p{number}") for number in range(count)], rounds=rounds)
    while season.status == Season.Status.RUNNING:
        play_round(season)
    return season


def check_season(season: Season, count: int, rounds: int) -> None:
    tables = list(SeasonTable.objects.values_list("round__number", "players"))
    for number in range(1, rounds + 1):
        drawn = [player for at, players in tables if at == number for player in players]
        assert len(drawn) == len(set(drawn)) == count
    assert set(league.count_meetings((players for _number, players in tables), size=2).values()) == {1}
    standings = season.standings()
    assert [each.games for each in standings] == [rounds] * count
    assert [each.points for each in standings] == sorted((each.points for each in standings), reverse=True)
    assert Notice.objects.filter(kind=Notice.Kind.SEASON).count() == count


def test_a_season_of_8_people_comes_to_its_end() -> None:
    check_season(play_season(8, rounds=2), 8, 2)


def test_a_season_of_50_people_comes_to_its_end() -> None:
    check_season(play_season(50, rounds=4), 50, 4)

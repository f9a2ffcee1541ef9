"""What is counted over the archive: what Python counts in the same games, and nothing of any others."""

from __future__ import annotations

import logging
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import play, rules, tasks
from games.models import AnswerTimes, ArchiveStatistics, Game, Player, Seat
from tests.cast import AT, make_game, play_out, play_random
from tests.made_once import scene
from tests.pages.searching import archived, has_talk, margin

__all__ = ["archived"]
pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=30)


@pytest.fixture
def games(archived: list[Game], alice: Player, bob: Player, carol: Player) -> list[Game]:
    """Those of the searches, and one of four."""
    return [*archived, scene("one of four", lambda: play_out(make_game(alice, bob, carol, bots=1), seed=8))]


def count() -> dict[str, Any]:
    """What is stored after counting."""
    play.count_archive(at=LATER)
    counts: dict[str, Any] = ArchiveStatistics.objects.get().counts
    return counts


def is_counted(game: Game) -> bool:
    return game.is_public and game.end != Game.End.ABANDONED


def test_it_counts_wins_by_place_and_clan(games: list[Game]) -> None:
    places: dict[str, list[int]] = {}
    clans: dict[str, list[int]] = {}
    for game in filter(is_counted, games):
        for seat in game.seats.all():
            assert seat.number is not None
            assert game.first is not None
            place = [(game.first + turn) % game.size for turn in range(game.size)].index(seat.number) + 1
            for found, key in ((places, f"{game.size} {place}"), (clans, seat.clan)):
                won, of = found.get(key, [0, 0])
                found[key] = [won + (seat.rank == 1), of + 1]
    counts = count()["all"]
    assert len(places) == 9
    assert counts["shares"]["places"] == places
    assert counts["shares"]["clans"] == clans


def test_it_leaves_out_a_game_that_was_abandoned_after_some_moves(alice: Player, bob: Player) -> None:
    before, game = count()["all"], play_random(make_game(alice, bob), plies=6)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    game.refresh_from_db()
    assert (game.end, game.ply) == (Game.End.ABANDONED, 6)
    assert count()["all"] == before


def test_it_adds_up_totals(games: list[Game]) -> None:
    counts = count()["all"]["sums"]
    for size in rules.SEATS:
        these = [game for game in games if is_counted(game) and game.size == size]
        totals = [sorted((seat.total or 0 for seat in game.seats.all()), reverse=True) for game in these]
        for section, values in {
            "totals": [sum(one) for one in totals],
            "winning_totals": [one[0] for one in totals],
            "margins": [one[0] - one[1] for one in totals],
            "length": [game.moves.count() for game in these],
        }.items():
            assert counts[section][str(size)] == [len(values), sum(values), sum(v * v for v in values)], section


def test_it_adds_up_what_each_epoch_and_clan_got(games: list[Game]) -> None:
    moves, points, clans, openings = Counter[int](), Counter[int](), Counter[str](), Counter[str]()
    for game in filter(is_counted, games):
        position = rules.set_up(game.opening())
        for step in game.steps():
            moves[position.epoch or 0] += 1
            for village in step.villages:
                points[village.epoch] += village.value * len(village.scored)
            position = step.position
        clans.update(dict(zip(rules.CLANS, position.scores, strict=True)))
        openings[f"{game.board} {game.moves.get(ply=0).text.partition('-')[2].partition('=')[0]}"] += 1
    counts = count()["all"]
    number = counts["games"]
    for section, found in (("epoch_moves", moves), ("epoch_points", points)):
        assert {key: row[:2] for key, row in counts["sums"][section].items()} == {
            str(epoch): [number, found[epoch]] for epoch in range(1, 6)
        }
    assert {clan: row[1] for clan, row in counts["sums"]["clan_points"].items()} == clans
    assert clans.total() == points.total()
    assert {key: of for key, (_won, of) in counts["shares"]["openings"].items()} == openings


def test_it_counts_how_games_end_and_how_long_they_are(games: list[Game]) -> None:
    over = [*filter(is_counted, games)]
    counts = count()["all"]
    assert counts["games"] == len(over)
    assert counts["moves"] == Counter(str(game.moves.count()) for game in over)
    for size in rules.SEATS:
        ends = [game.end == "villages" for game in over if game.size == size]
        assert counts["shares"]["ends"][str(size)] == [sum(ends), len(ends)]


def test_it_counts_games_among_people_by_themselves(games: list[Game]) -> None:
    people = [game for game in games if is_counted(game) and all(seat.player for seat in game.seats.all())]
    counts = count()["people"]
    assert 0 < counts["games"] == len(people) < len([*filter(is_counted, games)])
    assert sum(of for _won, of in counts["shares"]["clans"].values()) == sum(game.size for game in people)


def test_it_counts_each_choice_of_a_search(games: list[Game]) -> None:
    public = [game for game in games if game.is_public]
    play.count_archive(at=LATER)
    choices = ArchiveStatistics.objects.get().choices
    assert choices["size"] == Counter(str(game.size) for game in public)
    assert choices["end"] == Counter(game.end for game in public)
    assert choices["five_clans"] == Counter(game.five_clans for game in public)
    assert choices["talk"] == Counter("yes" if has_talk(game) else "no" for game in public)
    assert choices["tie"] == Counter("no" if margin(game) else "yes" for game in public if margin(game) >= 0)
    assert choices["tie"]["yes"] > 0
    winners = Seat.objects.filter(game__in=public, rank=1).values_list("game", "clan").distinct()
    assert choices["clan"] == Counter(clan for _game, clan in winners)


def test_it_adds_up_answer_times(games: list[Game]) -> None:
    answers = sum(sum(map(sum, row.counts)) for row in AnswerTimes.objects.all())
    assert 0 < answers == sum(count()["answers"])


def test_it_counts_no_game_that_runs_none_by_link_and_none_that_was_given_up(
    games: list[Game], alice: Player, bob: Player
) -> None:
    before = count()
    running = play_random(make_game(alice, bob), plies=20)
    play_out(make_game(alice, bob, is_public=False))
    unlisted = play_out(make_game(alice, bob))
    Game.objects.filter(pk=unlisted.pk).update(is_listed=False)
    assert not running.is_over
    counts = count()
    answers = counts.pop("answers")
    # Answer times are added up as each game ends: here by a game that was listed then.
    assert sum(answers) > sum(before.pop("answers"))
    assert counts == before


def test_it_is_the_same_whoever_holds_which_clan_in_games_that_run(
    games: list[Game], alice: Player, bob: Player
) -> None:
    running = play_random(make_game(alice, bob), plies=20)
    before = count()
    seats = list(running.seats.order_by("number"))
    spare = next(clan for clan in rules.CLANS if clan not in {seat.clan for seat in seats})
    running.seats.filter(pk=seats[0].pk).update(clan=spare)
    play_random(running, plies=3)
    assert count() == before


def test_it_leaves_out_a_log_that_cannot_be_read(games: list[Game], caplog: pytest.LogCaptureFixture) -> None:
    number = count()["all"]["games"]
    broken = next(filter(is_counted, games))
    broken.moves.filter(ply=5).update(text="A1-A1")
    with caplog.at_level(logging.ERROR):
        assert count()["all"]["games"] == number - 1
    assert broken.slug in caplog.text


def test_it_has_one_row(games: list[Game]) -> None:
    assert play.count_archive(at=AT) == play.count_archive(at=LATER) == len([g for g in games if g.is_public])
    assert ArchiveStatistics.objects.get().counted_at == LATER
    with pytest.raises(IntegrityError), transaction.atomic():
        ArchiveStatistics.objects.create(pk=2, counted_at=AT)


def test_it_counts_again_when_games_have_ended_and_not_too_often(alice: Player, bob: Player) -> None:
    assert play.count_archive_if_stale(at=AT)
    assert not play.count_archive_if_stale(at=AT + timedelta(days=1))
    ended_at = play_out(make_game(alice, bob)).ended_at
    assert ended_at
    play.count_archive(at=ended_at - timedelta(hours=1))
    assert not play.count_archive_if_stale(at=ended_at + timedelta(hours=4))
    assert play.count_archive_if_stale(at=ended_at + timedelta(hours=6))
    assert not play.count_archive_if_stale(at=ended_at + timedelta(hours=20))


def test_a_task_and_a_command_count_it(games: list[Game], capsys: pytest.CaptureFixture[str]) -> None:
    before = timezone.now()
    tasks.count_archive()
    first = ArchiveStatistics.objects.get()
    assert before <= first.counted_at <= timezone.now()
    call_command("recount", "statistics")
    assert f"Counted {sum(game.is_public for game in games)} games of the archive." in capsys.readouterr().out
    assert ArchiveStatistics.objects.get().counted_at > first.counted_at

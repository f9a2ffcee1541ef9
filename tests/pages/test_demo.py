"""The demo: what it makes, and that it is in nobody's way."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import enqueue, play
from games.mail import faults
from games.mail.plan import still_true
from games.mail.transport.mailbox import store_mail, stored_mails
from games.management.commands import demo
from games.models import Game, Move, Notice, Player, Season, SeasonTable, Series
from tests.cast import make_player, make_table
from tests.made_once import made_once
from tests.pages.helpers import soup, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _debug(settings: LazySettings) -> None:
    settings.DEBUG = True


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive of two games, for tests that care for other things."""
    monkeypatch.setattr(demo, "FINISHED", demo.FINISHED[-2:])


@pytest.fixture
def made(short: None) -> str:
    """What the command has printed that was to fill a database if empty, and did."""
    return made_once(fill)


def fill() -> str:
    return run(if_empty=True)


def run(*, if_empty: bool = False) -> str:
    printed = StringIO()
    call_command("demo", if_empty=if_empty, stdout=printed)
    return printed.getvalue()


def test_it_makes_finished_games_of_all_kinds() -> None:
    run()
    games = Game.objects.filter(status=Game.Status.FINISHED)
    assert games.count() == 13
    assert games.filter(season_table__isnull=False).count() == 1
    assert {game.size for game in games} == {2, 3, 4}
    assert {game.five_clans for game in games} == {"score", "nothing"}
    assert games.filter(end=Game.End.ABANDONED).count() == 1
    assert games.filter(seats__resigned_at__isnull=False).count() == 1
    assert games.filter(is_public=False).count() == 1
    assert games.filter(seats__is_bot=True, seats__player=None).exists()
    assert len(set(games.values_list("move_hours", flat=True))) == 3
    for game in games:
        assert game.end == Game.End.ABANDONED or game.position().end == game.end
    assert not games.filter(ended_at__gt=timezone.now()).exists()


def test_it_forgets_the_mail_of_games_that_are_gone(short: None, settings: LazySettings, tmp_path: Path) -> None:
    settings.MAILBOX_DIR = tmp_path
    store_mail(b"To: alice@example.com\n\nYour move.\n")
    run(if_empty=True)
    assert list(stored_mails()) == []


def test_it_leaves_the_mail_of_others_alone(settings: LazySettings, tmp_path: Path) -> None:
    settings.MAILBOX_DIR = tmp_path
    make_player("mallory")
    store_mail(b"To: mallory@example.com\n\nYour move.\n")
    run(if_empty=True)
    with pytest.raises(CommandError):
        run()
    assert len(list(stored_mails())) == 1


def test_it_looks_like_days_of_play(made: str) -> None:
    game = Game.objects.finished().latest("ended_at")
    assert game.started_at
    assert game.ended_at
    assert game.ended_at - game.started_at > timedelta(days=2)
    times = list(game.moves.order_by("ply").values_list("at", flat=True))
    assert times == sorted(set(times))
    assert game.started_at < times[0]
    assert times[-1] == game.ended_at
    assert not Move.objects.filter(at__gt=timezone.now()).exists()


def test_it_lets_alice_move_in_games_of_three_and_two_and_against_computers(made: str, client: Client) -> None:
    alice = Player.objects.get(username="alice")
    waiting = {game.name: game for game in Game.objects.awaiting(alice)}
    bots = {name: sorted(game.seats.values_list("is_bot", flat=True)) for name, game in waiting.items()}
    assert bots == {
        "Friday table": [False, False, False],
        "Round the clock": [False, False],
        "Against the machine": [False, True, True],
    }
    assert waiting["Friday table"].ply > 5
    assert Game.objects.open_tables().exclude(seats__player=alice).count() == 1
    client.force_login(alice)
    for game in waiting.values():
        assert client.get(game.get_absolute_url()).status_code == 200


def test_its_players_have_been_here_for_a_year_and_talk(made: str, client: Client) -> None:
    for player in Player.objects.all():
        assert timezone.now() - player.date_joined > timedelta(days=364)
        assert not player.seats.filter(game__created_at__lt=player.date_joined).exists()
    client.force_login(Player.objects.get(username="carol"))
    open_table = Game.objects.open_tables().get()
    assert "Two seats are free." in text_of(client.get(open_table.get_absolute_url()))


def test_the_statistics_of_its_archive_are_counted(made: str, client: Client) -> None:
    page = soup(client.get(reverse("archive_statistics")))
    assert page.select("main table tbody tr")


def test_a_season_is_in_its_second_round(made: str, client: Client) -> None:
    season = Season.objects.get()
    tables = SeasonTable.objects.order_by("round").values_list("game__status", flat=True)
    assert list(tables) == ["finished", "running"]
    assert len(season.standings()) == 3
    page = client.get(season.get_absolute_url())
    assert (page.status_code, "Round 2" in text_of(page)) == (200, True)


def test_a_series_is_in_its_second_game(made: str, client: Client) -> None:
    series = Series.objects.get()
    games = series.games.order_by("series_number")
    assert [(game.series_number, game.status) for game in games] == [(1, "finished"), (2, "running")]
    bob = Player.objects.get(username="bob")
    assert games[1].awaited == bob
    client.force_login(bob)
    assert "Game 2 of 3" in text_of(client.get(games[1].get_absolute_url()))


def test_alice_can_take_over_a_seat(made: str, client: Client) -> None:
    client.force_login(Player.objects.get(username="alice"))
    assert "Bob is too busy" in text_of(client.get("/?list=free"))
    game = Game.objects.get(name="Bob is too busy")
    assert "Take over from bob" in text_of(client.get(game.get_absolute_url()))


def test_its_clocks_are_alive(made: str, client: Client) -> None:
    now = timezone.now()
    running = Game.objects.filter(status=Game.Status.RUNNING)
    assert running.count() == 7
    assert not running.filter(due_at__lt=now + timedelta(hours=12)).exists()
    assert [game.name for game in running.filter(free_until__lt=now)] == ["Round the clock"]
    assert not Move.objects.filter(by_autopilot=True).exists()
    assert play.end_overdue_turns(at=now) == 0
    client.force_login(Player.objects.get(username="alice"))
    assert "on reserve, due in" in text_of(client.get("/"), "section[aria-labelledby=waiting]")
    boat = client.get(Game.objects.get(name="The slow boat").get_absolute_url())
    assert "carol is thinking it over" in text_of(boat, ".prompt-meanwhile")
    assert "on vacation from" in text_of(boat, ".seats")


def test_it_prints_a_sign_in_that_works(made: str, client: Client) -> None:
    assert len(made.splitlines()) == 1
    for name in ("alice", "bob", "carol"):
        assert name in made
        assert EmailAddress.objects.get(user__username=name, verified=True, primary=True).email == f"{name}@example.com"
    assert demo.PASSWORD in made
    client.post("/accounts/login/", {"login": "alice", "password": demo.PASSWORD})
    assert "alice" in soup(client.get("/")).select_one(".site-user").get_text()  # type: ignore[union-attr]


def test_it_owes_only_the_mail_of_today(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    enqueued: list[str] = []
    monkeypatch.setattr(enqueue, "_publish", lambda task, args: enqueued.append(task))
    run()
    due = Notice.objects.filter(state=Notice.State.DUE).select_related("seat__player", "seat__game")
    true = [(notice.seat.name, notice.kind) for notice in due if still_true(notice)]
    assert ("alice", "turn") in true
    assert ("alice", "finished") in true
    assert len(true) < 8
    assert enqueued == []


def test_it_leaves_no_mail_of_its_made_up_past_in_the_log(made: str) -> None:
    for notice in Notice.objects.select_related("seat__player", "seat__game"):
        assert still_true(notice)
        assert notice.state == Notice.State.DUE or notice.kind == Notice.Kind.TURN
        assert notice.state == Notice.State.DUE or notice.sent_at == notice.due_at < timezone.now() - timedelta(hours=3)
    # The calls to the seven running games, the end of the last one, a postcard; and *started*, if the machine begins.
    assert Notice.objects.count() <= 12
    assert Notice.objects.filter(state=Notice.State.SENT).count() == 5
    assert not [said for said in faults(at=timezone.now()) if "call" in said]


def test_it_makes_everything_again(made: str) -> None:
    alice = Player.objects.get(username="alice")
    alice.time_zone = "UTC"
    alice.save()
    make_table(alice, name="made by hand")
    games = set(Game.objects.values_list("pk", flat=True))
    run()
    assert games.isdisjoint(Game.objects.values_list("pk", flat=True))
    assert Player.objects.count() == 3
    assert Player.objects.get(username="alice").time_zone == "Europe/Vienna"


@pytest.mark.parametrize("stranger", ["mallory", "alice2"])
def test_it_touches_no_database_in_which_others_play(made: str, stranger: str) -> None:
    make_table(make_player(stranger))
    before = list(Game.objects.order_by("pk").values()), list(Player.objects.order_by("pk").values())
    with pytest.raises(CommandError, match=r"^This database holds 1 other player\(s\): .* VAR_DIR=~/clans-demo"):
        run()
    assert (list(Game.objects.order_by("pk").values()), list(Player.objects.order_by("pk").values())) == before


def test_it_takes_nobody_for_alice_by_the_name_alone() -> None:
    make_player("alice")
    Player.objects.update(email="alice@example.org")
    with pytest.raises(CommandError):
        run()
    assert not Game.objects.exists()


def test_it_makes_no_known_password_where_it_could_be_abused(settings: LazySettings) -> None:
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG"):
        run()
    assert run(if_empty=True) == ""
    assert not Player.objects.exists()


def test_it_fills_an_empty_database_if_asked_and_no_other(made: str) -> None:
    Game.objects.update(name=F("slug"))
    assert run(if_empty=True) == made
    assert Game.objects.count() == Game.objects.filter(name=F("slug")).count() > 0


def test_it_is_quiet_where_others_play(mallory: Player) -> None:
    assert run(if_empty=True) == ""
    assert Player.objects.count() == 1


@pytest.mark.usefixtures("made")
def test_it_is_healthy_before_the_first_sweep(client: Client) -> None:
    assert Notice.objects.filter(state=Notice.State.DUE).exists()
    answer = client.get("/health/")
    assert (answer.status_code, answer.content.decode()) == (200, "All is in order.\n")

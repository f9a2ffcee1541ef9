"""What the page of a table says of its clock, and what can be done there about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Notice, Player, Seat, Vacation
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.pages.helpers import links, play_next, seat_of, soup, table_url, text_of, to_move

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def traveller() -> Iterator[time_machine.Traveller]:
    """It is an hour after the game has begun; `move_to` goes on from there."""
    with time_machine.travel(AT + HOUR, tick=False) as traveller:
        yield traveller


def game_of(*players: Player, terms: play.Terms | None = None, at: datetime = AT) -> Game:
    """A running game that waits for the first of `players`, since `at`."""
    game = make_table(players[0], size=len(players), terms=terms, at=at)
    for player in players[1:]:
        play.join_table(game, player=player, at=at)
    game.refresh_from_db()
    while game.awaited != players[0]:
        play_random(game, 1, every=timedelta())
    return game


def page_of(client: Client, game: Game, player: Player | None) -> Any:
    if player:
        client.force_login(player)
    return client.get(table_url(game))


def clock_of(client: Client, game: Game, player: Player | None) -> str:
    return text_of(page_of(client, game, player), ".prompt-clock")


def note_of(client: Client, game: Game, player: Player | None, name: str) -> str:
    """What stands beside the seat of that name."""
    seats = soup(page_of(client, game, player)).select(".seats .seat")
    [seat] = [seat for seat in seats if seat.select(".seat-name")[0].get_text() == name]
    return " ".join(note.get_text() for note in seat.select(".seat-note"))


# --- Until when ----------------------------------------------------------------------------------


def test_it_says_in_one_line_whose_move_it_is_and_until_when(
    client: Client, alice: Player, bob: Player, traveller: time_machine.Traveller
) -> None:
    game = game_of(alice, bob)

    def line(player: Player) -> str:
        return text_of(page_of(client, game, player), ".turn-line")

    assert [line(alice), line(bob)] == ["Your move, until Thu 5 Mar", "alice’s move, until Thu 5 Mar"]
    traveller.move_to(AT + 2 * DAY)
    assert line(alice) == "Your move, until tomorrow, 20:00"
    Game.objects.update(overdue="abandon", due_at=AT)
    assert [line(alice), line(bob)] == ["Your move, time is up", "alice’s move, time is up"]


FREE = "Until Thursday 5 March, 20:00 (in 2 days). "
THEN = "reserve of 7 days is drawn on, until Thursday 12 March, 20:00 at the latest."
DRAWING = "reserve is being drawn on now, until Thursday 12 March, 20:00 (in 7 days). Then the autopilot moves for "
OVERDUE = "Time ran out 1 hour ago: the autopilot is about to move for alice."


@pytest.mark.parametrize(
    ("hours", "mine", "others"),
    [
        (1, f"{FREE}Then your {THEN}", f"{FREE}Then alice’s {THEN}"),
        (72, f"Your {DRAWING}you.", f"alice’s {DRAWING}alice."),
        (241, OVERDUE, OVERDUE),
    ],
    ids=["free", "on reserve", "overdue"],
)
def test_it_says_until_when(
    client: Client, alice: Player, bob: Player, traveller: time_machine.Traveller, hours: int, mine: str, others: str
) -> None:
    game = game_of(alice, bob)
    traveller.move_to(AT + hours * HOUR)
    assert clock_of(client, game, alice) == mine
    assert clock_of(client, game, bob) == others
    client.logout()
    assert clock_of(client, game, None) == others


@pytest.mark.parametrize(("used", "reserve"), [(0, "2 days"), (25, "23 hours"), (48, "")])
def test_it_says_what_is_left_of_the_reserve(
    client: Client, alice: Player, bob: Player, used: int, reserve: str
) -> None:
    game = game_of(alice, bob, terms=play.Terms(24, 48))
    Seat.objects.filter(game=game, player=alice).update(reserve_used=used * HOUR)
    play.reset_clocks(alice, at=AT)
    clock = clock_of(client, game, alice)
    assert clock.startswith("Until tomorrow, 20:00 (in 23 hours).")
    assert (f"Then your reserve of {reserve} is drawn on" in clock) == bool(reserve)
    assert note_of(client, game, alice, "alice").endswith(f"{reserve} in reserve" if reserve else "no reserve left")
    assert note_of(client, game, alice, "bob") == "2 days in reserve"


def test_it_says_nothing_of_a_reserve_where_there_is_none(client: Client, alice: Player, bob: Player) -> None:
    game = game_of(alice, bob, terms=play.Terms(24, 0, overdue="abandon"))
    assert clock_of(client, game, bob) == "Until tomorrow, 20:00 (in 23 hours). Then the game is abandoned."
    assert "reserve" not in text_of(page_of(client, game, alice), ".seats")


def test_it_tells_every_reader_the_hours_of_their_own_zone(client: Client, alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    game = game_of(alice, bob)
    bob.refresh_from_db()
    assert clock_of(client, game, bob).startswith("Until Friday 6 March, 05:00 (in 2 days)")


def test_it_has_no_clock_while_a_computer_player_is_to_move(client: Client, alice: Player) -> None:
    game = make_game(alice, bots=1)
    if game.awaited:
        play_next(game)
    assert clock_of(client, game, alice) == ""


def test_it_has_no_clock_once_the_game_is_over(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(game_of(alice, bob))
    assert clock_of(client, game, alice) == ""
    assert "for each move" not in text_of(page_of(client, game, alice))


def test_it_tells_the_terms_of_the_table(client: Client, alice: Player, bob: Player) -> None:
    running = game_of(alice, bob, terms=play.Terms(100, 0, allows_vacation=False, overdue="abandon"))
    steady = "3 days for each move, and 7 days in reserve for the whole game. Vacations stop the clock."
    own = "100 hours for each move, and nothing in reserve. Vacations do not stop the clock."
    assert f"{steady} When a player’s time runs out, the autopilot makes" in text_of(
        page_of(client, make_table(alice), bob)
    )
    assert f"{own} When a player’s time runs out, the game is abandoned." in text_of(page_of(client, running, bob))


# --- What the others are told --------------------------------------------------------------------


def note_about(client: Client, game: Game, player: Player) -> str:
    return text_of(page_of(client, game, player), ".prompt-meanwhile")


def test_it_says_what_the_player_to_move_tells(client: Client, alice: Player, bob: Player) -> None:
    game = game_of(alice, bob)
    play.tell_others(game, player=alice, what="thinking", at=AT)
    assert note_about(client, game, bob).startswith("alice is thinking it over (said 1 hour ago")
    play.tell_others(game, player=alice, what="tonight", at=AT)
    assert note_about(client, game, bob).startswith("alice will play tonight (said 1 hour ago")
    assert note_about(client, game, alice).startswith("You have said that you will play tonight ( 1 hour ago")
    play_next(game)
    assert note_about(client, game, bob) == ""


def plan_vacation(player: Player, *, starts: timedelta, ends: timedelta) -> None:
    span = {"starts_at": AT + starts, "ends_at": AT + ends}
    Vacation.objects.create(player=player, days=1, created_at=AT, **span)
    Player.objects.filter(pk=player.pk).update(vacation_until=AT + ends)


def test_it_says_who_is_on_vacation(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    plan_vacation(alice, starts=-DAY, ends=2 * DAY)
    plan_vacation(carol, starts=DAY, ends=2 * DAY)
    game = game_of(alice, bob, carol)
    until = "Wednesday 4 March, 20:00 the clock stands still."
    assert note_about(client, game, bob) == f"alice is on vacation; until {until}"
    assert note_about(client, game, alice) == f"You are on vacation; until {until}"
    assert "on vacation until Wednesday 4\N{NO-BREAK SPACE}March, 20:00" in note_of(client, game, bob, "alice")
    assert "on vacation from tomorrow, 20:00 until Wednesday" in note_of(client, game, bob, "carol")
    assert "vacation" not in note_of(client, game, bob, "bob")


def test_it_says_nothing_of_vacations_that_stop_no_clock(client: Client, alice: Player, bob: Player) -> None:
    plan_vacation(alice, starts=-DAY, ends=2 * DAY)
    game = game_of(alice, bob, terms=play.Terms(72, 168, allows_vacation=False))
    assert "on vacation" not in text_of(page_of(client, game, bob))


def test_it_asks_for_vacations_only_where_somebody_has_planned_one(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = game_of(alice, bob)
    page_of(client, game, alice)
    with django_assert_num_queries(4):
        client.get(table_url(game))
    plan_vacation(alice, starts=-2 * DAY, ends=-DAY)
    with django_assert_num_queries(4):
        client.get(table_url(game))
    plan_vacation(alice, starts=-DAY, ends=DAY)
    with django_assert_num_queries(5):
        client.get(table_url(game))


def test_it_says_whose_mails_do_not_arrive(client: Client, alice: Player, bob: Player) -> None:
    game = game_of(alice, bob)
    assert "mails" not in note_of(client, game, bob, "alice")
    Player.objects.filter(pk=alice.pk).update(mail_bounced_at=AT)
    assert note_of(client, game, bob, "alice").endswith("mails do not arrive")


def test_it_lets_a_player_choose_which_mail_comes_about_this_table(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    game = game_of(alice, bob)
    form = "form:has(#table-mail)"
    for player in (mallory, bob):
        assert bool(soup(page_of(client, game, player)).select(form)) == (player == bob)
    client.post(table_url(game, "mail/"), {"mode": "reminders"})
    chosen = soup(page_of(client, game, bob)).select(f"{form} option[selected]")
    assert [option["value"] for option in chosen] == ["reminders"]
    assert soup(page_of(client, game, alice)).select(f"{form} option[selected]")[0]["value"] == ""


# --- Nudging -------------------------------------------------------------------------------------


def nudge(client: Client, game: Game, player: Player) -> Any:
    client.force_login(player)
    return client.post(table_url(game, "nudge/"), follow=True)


def offers_nudge(client: Client, game: Game, player: Player | None) -> bool:
    return "Nudge alice" in text_of(page_of(client, game, player), ".prompt")


def test_it_says_when_a_move_was_made_and_that_one_was_withdrawn(
    client: Client, alice: Player, bob: Player, carol: Player, traveller: time_machine.Traveller
) -> None:
    game = game_of(alice, bob, carol)
    assert game.due_at is not None
    play.end_overdue_turns(at=game.due_at)
    traveller.move_to(game.due_at + HOUR)
    assert "withdrew" not in text_of(page_of(client, game, bob), ".prompt")
    play.withdraw_autopilot(game, player=alice, at=game.due_at + HOUR)
    traveller.move_to(game.due_at + 3 * HOUR)
    shown = page_of(client, game, bob)
    assert text_of(shown, ".prompt-meanwhile").startswith("alice withdrew the autopilot’s move 2 hours ago")
    assert text_of(shown, ".prompt-meanwhile").endswith("and plays again.")
    assert text_of(shown, ".missed + .prompt-until").startswith("2 hours ago")
    assert text_of(shown, "p > .prompt-until").startswith("10 days ago")
    assert text_of(page_of(client, game, alice), ".prompt-meanwhile").startswith(
        "You withdrew the autopilot’s move 2 hours"
    )
    play_next(game, at=game.due_at + 3 * HOUR)
    assert not soup(page_of(client, game, carol)).select(".prompt-meanwhile")


def test_it_lets_others_nudge_once_a_day(
    client: Client, alice: Player, bob: Player, mallory: Player, traveller: time_machine.Traveller
) -> None:
    # The database's clock decides, and PostgreSQL's does not travel: so games have begun and nudges came before now.
    now = play.now()
    traveller.move_to(now)
    young = game_of(alice, bob, at=now - 23 * HOUR)
    assert not offers_nudge(client, young, bob)
    assert nudge(client, young, bob).status_code == 409
    game = game_of(alice, bob, at=now - 49 * HOUR)
    assert not offers_nudge(client, game, mallory)
    assert not offers_nudge(client, game, alice)
    assert offers_nudge(client, game, bob)
    said = "A mail tells whoever is to move that you are waiting; at night it comes in the morning."
    assert said in text_of(nudge(client, game, bob), ".flashes")
    assert Notice.objects.get(kind="nudge").seat.player == alice
    assert not offers_nudge(client, game, bob)
    # a second click
    assert nudge(client, game, bob).status_code == 200
    Seat.objects.filter(game=game, player=alice).update(nudged_at=now - timedelta(minutes=1))
    assert nudge(client, game, bob).status_code == 409
    assert Notice.objects.filter(kind="nudge").count() == 1
    assert "alice was nudged" in text_of(page_of(client, game, bob), ".prompt")
    Seat.objects.filter(game=game, player=alice).update(nudged_at=now - 24 * HOUR)
    assert offers_nudge(client, game, bob)
    assert nudge(client, game, bob).status_code == 200


def test_it_lets_no_stranger_nudge(
    client: Client, alice: Player, bob: Player, mallory: Player, traveller: time_machine.Traveller
) -> None:
    game = game_of(alice, bob)
    traveller.move_to(AT + 25 * HOUR)
    assert nudge(client, game, mallory).status_code == 403
    assert nudge(client, game, alice).status_code == 409
    assert not Notice.objects.filter(kind="nudge").exists()


# --- The autopilot -------------------------------------------------------------------------------


@pytest.fixture
def overdue(alice: Player, bob: Player, traveller: time_machine.Traveller) -> Game:
    """A game in which the autopilot has just moved for alice."""
    game = game_of(alice, bob)
    traveller.move_to(AT + 11 * DAY)
    assert play.end_overdue_turns(at=AT + 11 * DAY) == 1
    game.refresh_from_db()
    return game


def test_it_says_what_the_autopilot_has_played(client: Client, overdue: Game, bob: Player) -> None:
    page = page_of(client, overdue, bob)
    replayed, told = client.get(table_url(overdue, f"ply/{overdue.ply}/")), "The autopilot moved for alice:"
    for shown, part in ((page, ".prompt [data-news]"), (page, ".history .is-last > p"), (replayed, ".prompt h2")):
        assert soup(shown).select(part)[0].get_text().startswith(told)


def test_it_lets_its_player_withdraw_the_move_of_the_autopilot(
    client: Client, overdue: Game, alice: Player, bob: Player
) -> None:
    assert "Withdraw" not in text_of(page_of(client, overdue, bob))
    assert "Withdraw the autopilot’s move" in text_of(page_of(client, overdue, alice), ".prompt")
    for player, status in ((bob, 409), (alice, 200), (alice, 200), (bob, 409)):
        client.force_login(player)
        response = client.post(table_url(overdue, "withdraw/"), follow=True)
        assert response.status_code == status
        assert ("is withdrawn" in text_of(response)) == (status == 200)
    ply = overdue.ply
    overdue.refresh_from_db()
    assert (overdue.ply, overdue.awaited) == (ply - 1, alice)


def test_it_gives_a_seat_back_to_who_returns(client: Client, overdue: Game, alice: Player, bob: Player) -> None:
    overdue.seats.filter(player=alice).update(autopiloted=3)
    assert "the autopilot has the seat" in note_of(client, overdue, bob, "alice")
    assert "I am back" in text_of(page_of(client, overdue, alice), ".prompt")
    response = client.post(table_url(overdue, "back/"), follow=True)
    assert "Welcome back" in text_of(response, ".flashes")
    assert seat_of(overdue, alice).autopiloted == 0
    assert "I am back" not in text_of(response)
    again = client.post(table_url(overdue, "back/"), follow=True)
    assert text_of(again, ".flashes") == "The seat is yours: no autopilot has it."


def test_it_says_that_the_autopilot_moves_for_who_stays_away(
    client: Client, overdue: Game, alice: Player, bob: Player
) -> None:
    overdue.seats.filter(player=bob).update(autopiloted=3)
    said = "It is bob’s move; the autopilot makes it in a few seconds."
    for player in (alice, bob):
        page = page_of(client, overdue, player)
        assert text_of(page, "#turn") == said
        assert links(page, "noscript") == [table_url(overdue) + "?look#turn"]
    # The same address again would only scroll.
    assert links(client.get(table_url(overdue), {"look": ""}), "noscript") == [table_url(overdue) + "#turn"]


def test_it_says_why_a_game_was_abandoned(
    client: Client, alice: Player, bob: Player, traveller: time_machine.Traveller
) -> None:
    game = game_of(alice, bob, terms=play.Terms(12, 0, overdue="abandon"))
    traveller.move_to(AT + 13 * HOUR)
    assert play.end_overdue_turns(at=AT + 13 * HOUR) == 1
    assert "A player’s time ran out, so the game was abandoned." in text_of(page_of(client, game, bob), ".prompt")


# --- By address ----------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["nudge/", "back/", "withdraw/"])
def test_it_changes_nothing_by_get(client: Client, overdue: Game, alice: Player, verb: str) -> None:
    overdue.seats.filter(player=alice).update(autopiloted=3)
    before = list(Game.objects.values()), list(Seat.objects.values()), Notice.objects.count()
    client.force_login(alice)
    assert client.get(table_url(overdue, verb))["Location"] == table_url(overdue)
    assert (list(Game.objects.values()), list(Seat.objects.values()), Notice.objects.count()) == before


@pytest.mark.parametrize("verb", ["nudge/", "back/", "withdraw/"])
def test_it_asks_a_visitor_to_sign_in(client: Client, overdue: Game, verb: str) -> None:
    assert client.post(table_url(overdue, verb))["Location"].startswith("/accounts/login/?next=/tables/")


def test_a_page_that_waits_hears_of_a_longer_turn(client: Client, alice: Player, bob: Player) -> None:
    game = game_of(alice, bob)
    versions = []
    for _time in range(2):
        table = soup(page_of(client, game, bob)).select("#table")[0]
        versions.append(client.get(str(table["data-poll"])).json()["version"])
        assert versions[-1] == table["data-version"]
        play.take_reserve_day(game, player=to_move(game), at=AT)
    assert versions[0] != versions[1]

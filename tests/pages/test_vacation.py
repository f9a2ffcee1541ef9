"""The page about vacations."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from time_machine import travel

from games import play, words
from games.models import Game, Player, Vacation
from tests.cast import AT, make_game, make_table
from tests.pages.helpers import links, soup, table_url, text_of

pytestmark = pytest.mark.django_db

PAGE = "/vacation/"
TODAY = date(2026, 3, 2)
DAY = timedelta(days=1)


def plan(client: Client, first: object, last: object, *, at: datetime = AT) -> Any:
    with travel(at, tick=False):
        return client.post(PAGE, {"first": first, "last": last}, follow=True)


def end(client: Client, vacation: object, *, at: datetime = AT) -> Any:
    with travel(at, tick=False):
        return client.post("/vacation/end/", {"vacation": vacation}, follow=True)


def see(client: Client, *, at: datetime = AT) -> Any:
    with travel(at, tick=False):
        return client.get(PAGE)


def spans() -> list[tuple[datetime, datetime]]:
    return list(Vacation.objects.values_list("starts_at", "ends_at"))


# --- Planning ------------------------------------------------------------------------------------


def test_it_calls_a_day_wrong_only_once_it_is(her: Client) -> None:
    pages = see(her), plan(her, "2026-03-09", "")
    assert [[field["aria-invalid"] for field in soup(page).select("[type=date]")] for page in pages] == [
        ["false", "false"],
        ["false", "true"],
    ]


def test_it_plans_whole_days_of_the_players_clock(her: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(time_zone="Europe/Vienna")
    response = plan(her, "2026-03-10", "2026-03-12")
    assert response.redirect_chain == [(PAGE, 303)]
    assert "Your vacation is planned." in text_of(response)
    assert spans() == [(datetime(2026, 3, 9, 23, tzinfo=UTC), datetime(2026, 3, 12, 23, tzinfo=UTC))]
    assert "10 March 2026 to 12 March 2026 3 days" in text_of(see(her), ".vacations")


def test_it_puts_the_focus_on_what_came_of_it(her: Client) -> None:
    assert "Your vacation is planned." in text_of(plan(her, "2026-03-10", "2026-03-12"), "[autofocus]")
    assert "Not saved yet." in text_of(plan(her, "2026-03-10", "2026-03-01"), "[autofocus]")


def test_it_begins_at_once_today(her: Client) -> None:
    response = plan(her, TODAY, TODAY)
    assert "You are on vacation now." in text_of(response)
    assert spans() == [(AT, datetime(2026, 3, 3, tzinfo=UTC))]
    page = see(her, at=AT + timedelta(minutes=1))
    assert text_of(page, "section.notice").startswith("You are on vacation 2 March 2026.")
    # Further down it was below two forms, and a phone did not show it.
    assert text_of(page, "section.notice form") == "End it now (2 March 2026)"
    assert text_of(page, ".vacations") == "2 March 2026 1 day"


@pytest.mark.parametrize(
    ("first", "last", "why"),
    [
        (TODAY - DAY, TODAY, play.VacationPast),
        (TODAY + DAY, TODAY, play.VacationBackwards),
        (TODAY + 364 * DAY, TODAY + 366 * DAY, play.VacationTooFar),
        (TODAY, TODAY + 30 * DAY, play.NoVacationLeft),
        (date.max, date.max, play.VacationTooFar),
        (date.min, date.max, play.VacationPast),
        ("", "", "Fill this in."),
        ("soon", "2026-02-30", "That is not a day of the calendar. Write it as 2026-12-31."),
    ],
)
def test_it_says_why_there_is_none(her: Client, first: object, last: object, why: str | type[play.PlayError]) -> None:
    response = plan(her, first, last)
    assert response.status_code == 422
    assert (why if isinstance(why, str) else words.explain_refusal(why())) in text_of(response, "form.form")
    kept = soup(response).select("form.form input[type=date]")
    assert [field["value"] for field in kept] == [str(first), str(last)]
    assert spans() == []


def test_it_refuses_days_that_are_planned_already(her: Client) -> None:
    plan(her, TODAY + DAY, TODAY + 3 * DAY)
    response = plan(her, TODAY + 3 * DAY, TODAY + 4 * DAY)
    assert response.status_code == 422
    assert words.explain_refusal(play.VacationsOverlap()) in text_of(response, "form.form")


def test_it_stops_the_clock_of_who_is_to_move(client: Client, game: Game) -> None:
    player = game.awaited
    assert player is not None
    due = game.due_at
    assert due is not None
    client.force_login(player)
    plan(client, TODAY + DAY, TODAY + 2 * DAY)
    game.refresh_from_db()
    assert game.due_at == due + 2 * DAY
    end(client, Vacation.objects.get().pk)
    game.refresh_from_db()
    assert game.due_at == due


# --- What is planned -----------------------------------------------------------------------------


def test_it_counts_what_is_left_of_each_year(her: Client) -> None:
    with travel(datetime(2026, 12, 20, tzinfo=UTC), tick=False):
        her.post(PAGE, {"first": "2026-12-29", "last": "2027-01-01"})
        years = text_of(her.get(PAGE), "dl.facts")
    assert years == "2026 27 of 30 days left 2027 29 of 30 days left"


def test_it_takes_back_what_has_not_begun(her: Client) -> None:
    plan(her, TODAY + DAY, TODAY + 2 * DAY)
    assert "Take it back" in text_of(see(her), ".vacations")
    assert "The vacation is taken back." in text_of(end(her, Vacation.objects.get().pk))
    assert spans() == []
    assert "No vacation is planned." in text_of(see(her))


def test_it_ends_early_what_has_begun(her: Client) -> None:
    plan(her, TODAY, TODAY + 5 * DAY)
    later = AT + timedelta(hours=30)
    assert "Your vacation is over." in text_of(end(her, Vacation.objects.get().pk, at=later))
    assert spans() == [(AT, later)]
    page = see(her, at=later)
    assert not soup(page).select("section.notice")
    assert text_of(page, ".vacations") == "2 March 2026 to 4 March 2026 3 days, over"
    assert "27 of 30 days left" in text_of(page)


@pytest.mark.parametrize("key", ["", "x", "0", "999999", "9" * 40, "-1", "²"])
def test_it_says_so_when_there_is_no_such_vacation(her: Client, key: str) -> None:
    plan(her, TODAY + DAY, TODAY + 2 * DAY)
    response = end(her, key)
    assert (response.status_code, response.redirect_chain) == (200, [(PAGE, 303)])
    assert words.explain_refusal(play.NoSuchVacation()) in text_of(response)
    assert len(spans()) == 1


def test_it_shows_and_ends_nobody_elses(her: Client, bob: Player) -> None:
    theirs = play.plan_vacation(bob, first=TODAY + DAY, last=TODAY + 2 * DAY, at=AT)
    assert "No vacation is planned." in text_of(see(her))
    assert words.explain_refusal(play.NoSuchVacation()) in text_of(end(her, theirs.pk))
    assert len(spans()) == 1


def test_it_shows_none_of_a_year_that_is_over(her: Client) -> None:
    plan(her, TODAY, TODAY)
    assert soup(see(her)).select(".vacations li")
    assert not soup(see(her, at=datetime(2027, 1, 1, 12, tzinfo=UTC))).select(".vacations li")


def test_it_names_the_tables_where_the_clock_runs_on(her: Client, alice: Player, bob: Player) -> None:
    running, table = make_game(alice, bob), make_table(alice)
    strict, over = make_game(alice, bob), make_game(alice, bob)
    Game.objects.exclude(pk__in=(running.pk, table.pk)).update(allows_vacation=False)
    Game.objects.filter(pk=strict.pk).update(name="<i>Strict</i>")
    for player in (alice, bob):
        play.agree_to_abandon(over, player=player, agrees=True, at=AT)
    page = see(her)
    assert [link for link in links(page) if link.startswith("/tables/")] == [table_url(strict)]
    assert "<i>Strict</i>" in text_of(page, "section[aria-labelledby=on]")


def test_it_changes_nothing_by_get(her: Client) -> None:
    plan(her, TODAY + DAY, TODAY + 2 * DAY)
    key = Vacation.objects.get().pk
    assert her.get("/vacation/end/", {"vacation": key})["Location"] == PAGE
    assert her.get(f"{PAGE}?first={TODAY}&last={TODAY}").status_code == 200
    assert len(spans()) == 1


def test_it_asks_a_visitor_to_sign_in(client: Client) -> None:
    assert client.get(PAGE).status_code == 302
    assert client.post(PAGE, {"first": TODAY, "last": TODAY}).status_code == 302
    assert client.post("/vacation/end/", {"vacation": "1"}).status_code == 302


def test_it_costs_the_same_queries_however_much_is_planned(
    her: Client, alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for days in range(1, 20, 2):
        play.plan_vacation(alice, first=TODAY + days * DAY, last=TODAY + days * DAY, at=AT)
    with travel(AT, tick=False), django_assert_num_queries(6):  # 2 of every page, vacations, 2 budgets, tables
        assert len(soup(her.get(PAGE)).select(".vacations li")) == 10


def test_it_tells_the_days_by_the_players_clock(her: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    page = soup(see(her))  # 05:00 on the next day there
    assert {field["min"] for field in page.select("input[type=date]")} == {"2026-03-03"}

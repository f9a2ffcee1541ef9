"""The list of people one likes to play with, and inviting from it."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
import time_machine
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games import play
from games.clocks import class_of
from games.models import AnswerTimes, Favorite, Game, Invitation, Meeting, PageFor, Player, add_counts
from tests.cast import AT, make_game, make_player, make_table, play_out
from tests.made_once import scene
from tests.pages.helpers import Page, links, soup, text_of
from tests.pages.test_new_table import offered_deal, open_table

pytestmark = pytest.mark.django_db

URL = "/preferences/people/"


@pytest.fixture
def listed(alice: Player, bob: Player) -> Game:
    """A finished game in which bob has answered every two hours; alice has bob on her list."""
    game = scene("listed", lambda: play_out(make_game(alice, bob), every=timedelta(hours=2)))
    play.add_favorite(alice, bob.pk, at=AT)
    return game


def on_list(player: Player) -> list[str]:
    return list(Favorite.objects.of(player).values_list("other__username", flat=True))


def answer_in(player: Player, minutes: int, *, moves: int = 5) -> None:
    """Let the player have made so many moves in that time, and no others."""
    made = Counter({(3, class_of(timedelta(minutes=minutes))): moves})
    AnswerTimes.objects.update_or_create(player=player, defaults={"counts": add_counts([], made)})


def rows_of(response: Page, part: str) -> list[str]:
    return [row.get_text(" ", strip=True) for row in soup(response).select(f"{part} tr")]


def without_what_differs_anyway(response: Page) -> str:
    """What a page says, without what chance has drawn for a form and its commitment, and without keys of rows."""
    page = soup(response)
    for field in page.select("input[type=hidden], .copy-line, button[name=invitation]"):
        field.remove()
    return str(page.select_one("main"))


# --- The list --------------------------------------------------------------------------------------


def test_it_lists_whom_one_has_played_with(her: Client, alice: Player, bob: Player, carol: Player) -> None:
    assert "Nobody is on your list yet." in text_of(her.get(URL))
    assert "are listed here" in text_of(her.get(URL))
    make_game(alice, carol)
    for seed in range(2):
        play_out(make_game(alice, bob), seed=seed)
    assert rows_of(her.get(URL), "section:last-of-type") == [
        "bob 2 games together Put on my list (bob)",
        "carol Put on my list (carol)",
    ]
    response = her.post(URL, {"add": bob.pk}, follow=True)
    assert "bob is on your list." in text_of(response, "body")
    assert on_list(alice) == ["bob"]
    assert text_of(response, "section:first-of-type").startswith("Your list bob")
    assert "bob" not in text_of(response, "section:last-of-type")
    assert "1 of at most 50 people." in text_of(response)
    response = her.post(URL, {"remove": bob.pk}, follow=True)
    assert "bob is off your list." in text_of(response, "body")
    assert on_list(alice) == []


def test_preferences_lead_to_it_and_nobody_keeps_it(her: Client) -> None:
    assert URL in links(her.get("/preferences/"))
    assert "no-store" in her.get(URL)["Cache-Control"]
    assert Client().get(URL).status_code == 302


@pytest.mark.parametrize(
    ("form", "status"),
    [({"add": "x"}, 422), ({"add": "0"}, 422), ({"remove": str(2**31)}, 422), ({"add": "999999"}, 409), ({}, 303)],
)
def test_it_refuses_what_it_cannot_read(
    listed: Game, her: Client, alice: Player, form: dict[str, str], status: int
) -> None:
    response = her.post(URL, form)
    assert response.status_code == status
    assert status == 303 or "people with whom you have played" in text_of(response, "[role=alert]")
    assert on_list(alice) == ["bob"]


def test_it_answers_the_same_for_strangers_and_for_keys_of_nobody(
    listed: Game, her: Client, alice: Player, mallory: Player
) -> None:
    said = [her.post(URL, {"add": key}) for key in (mallory.pk, 999_999, alice.pk)]
    assert {response.status_code for response in said} == {409}
    assert len({without_what_differs_anyway(response) for response in said}) == 1
    assert "people with whom you have played" in text_of(said[0], "[role=alert][autofocus]")


def test_it_says_that_one_has_blocked_them(listed: Game, her: Client, alice: Player, bob: Player) -> None:
    play.mute_player(alice, bob, blocks=True, at=AT)
    assert "bob" not in text_of(her.get(URL))
    response = her.post(URL, {"add": bob.pk})
    assert response.status_code == 409
    assert "You have blocked this player." in text_of(response, "[role=alert]")


def test_it_says_that_the_list_is_full(listed: Game, her: Client, alice: Player) -> None:
    others = Player.objects.bulk_create(
        Player(username=f"p{number}", email=f"p{number}@example.com", look=f"p{number}") for number in range(50)
    )
    Meeting.objects.bulk_create(Meeting(first=alice, second=other) for other in others)
    Favorite.objects.bulk_create(Favorite(player=alice, other=other, at=AT) for other in others[:49])
    response = her.post(URL, {"add": others[49].pk})
    assert response.status_code == 409
    assert "Your list has 50 people" in text_of(response, "[role=alert]")
    assert len(on_list(alice)) == 50


def test_others_come_page_by_page(her: Client, alice: Player) -> None:
    others = Player.objects.bulk_create(
        Player(username=f"p{number}", email=f"p{number}@example.com", look=f"p{number}") for number in range(60)
    )
    Meeting.objects.bulk_create(
        Meeting(first=alice, second=other, played=number) for number, other in enumerate(others)
    )
    first = soup(her.get(URL))
    names = [row.select_one("th a").get_text() for row in first.select("section:last-of-type tr")]  # type: ignore[union-attr]
    assert names == [f"p{number}" for number in range(59, 9, -1)]
    second = her.get(URL + str(first.select_one("a[rel=next]")["href"]))  # type: ignore[index]
    assert text_of(second, "section:last-of-type").count("Put on my list") == 10
    there = URL + str(first.select_one("a[rel=next]")["href"])  # type: ignore[index]
    assert her.post(there, {"add": others[3].pk})["Location"] == there


def test_it_costs_the_same_queries_however_many_there_are(
    her: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        other = make_player(f"other{number}")
        make_game(alice, other)
        if number % 2 == 0:
            play.add_favorite(alice, other.pk, at=AT)
        with django_assert_num_queries(4):
            her.get(URL)


# --- Their page ------------------------------------------------------------------------------------


def test_their_page_puts_them_on_the_list(her: Client, alice: Player, bob: Player) -> None:
    make_game(alice, bob)
    [button] = soup(her.get("/players/bob/")).select(f"form[action='{URL}'] button")
    assert (button["name"], button.get_text()) == ("add", "Put on my list")
    response = her.post(URL, {"add": str(button["value"]), "on_their_page": "on"})
    assert response["Location"] == "/players/bob/"
    [button] = soup(her.get("/players/bob/")).select(f"form[action='{URL}'] button")
    assert (button["name"], button.get_text()) == ("remove", "Take off my list")
    her.post(URL, {"remove": str(button["value"]), "on_their_page": "on"})
    assert on_list(alice) == []


def test_a_page_offers_that_only_to_those_who_have_met(
    her: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    assert f'action="{URL}"' not in her.get("/players/bob/").content.decode()
    make_game(alice, bob)
    assert f'action="{URL}"' not in her.get("/players/alice/").content.decode()
    assert f'action="{URL}"' not in Client().get("/players/bob/").content.decode()
    assert f'action="{URL}"' in her.get("/players/bob/").content.decode()


# --- What others see -------------------------------------------------------------------------------


@time_machine.travel(AT, tick=False)
def test_nobody_else_sees_it_in_two_worlds(alice: Player, bob: Player, carol: Player, mallory: Player) -> None:
    """Bob, whom alice has on her list or not, and others get the same to the byte; and nothing is sent."""
    game = make_game(alice, bob, carol)
    table = make_table(alice, size=4)
    pages = ["/", "/players/alice/", "/players/bob/", "/preferences/", URL, "/mail/", "/ratings/", "/tables/new/"]
    pages += [game.get_absolute_url(), table.get_absolute_url()]
    seen = []
    for lists in (False, True):
        if lists:
            play.add_favorite(alice, bob.pk, at=AT)
        found = []
        for viewer in (bob, carol, mallory, None):
            browser = Client()
            if viewer:
                browser.force_login(viewer)
            found += [without_what_differs_anyway(browser.get(page)) for page in pages]
            if viewer:
                data = browser.get("/preferences/data/").json()
                found.append(repr([value for name, value in data.items() if name not in {"sessions", "player"}]))
        seen.append(found)
    assert seen[0] == seen[1]
    assert outbox.outbox == []


@time_machine.travel(AT, tick=False)
def test_whom_they_block_sees_no_difference_in_two_worlds(
    listed: Game, her: Client, alice: Player, bob: Player
) -> None:
    """Whether bob has blocked alice or not: her list, his page, her forms and what she does answer the same."""
    seen = []
    for blocks in (False, True):
        if blocks:
            play.mute_player(bob, alice, blocks=True, at=AT)
        table = make_table(alice, name="The mill")
        pages = [her.get(page) for page in (URL, "/players/bob/", "/tables/new/", table.get_absolute_url())]
        done = [her.post(URL, {"remove": bob.pk}), her.post(URL, {"add": bob.pk})]
        done += [her.post(table.get_absolute_url() + "invite/", {"to": "bob"})]
        invited = her.get(table.get_absolute_url())
        told = [without_what_differs_anyway(page).replace(table.slug, "SLUG") for page in (*pages, invited)]
        seen.append([*told, *(f"{answer.status_code}" for answer in done), *on_list(alice)])
        Game.objects.filter(pk=table.pk).delete()
    assert seen[0] == seen[1]
    assert seen[1][-4:] == ["303", "303", "303", "bob"]


def test_whoever_has_closed_the_account_is_gone_from_all_of_it(
    listed: Game, her: Client, alice: Player, bob: Player
) -> None:
    table = make_table(alice)
    play.close_account(bob, at=AT)
    assert her.get(URL).content.count(b"former-") == 0
    assert b'name="favorites"' not in her.get("/tables/new/").content
    assert "People from your list" not in text_of(her.get(table.get_absolute_url()))
    assert her.get("/preferences/data/").json()["favorites"] == []


# --- Answer times ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("minutes", "says"),
    [
        (0, "answers in less than a minute, suits every pace"),
        (170, "answers in about 2 hours, suits every pace"),
        (200, "answers in about 3 hours, suits the pace “daily” and slower ones"),
        (1000, "answers in about 15 hours, suits the pace “steady” and slower ones"),
        (4500, "answers in about 3 days, suits the pace “unhurried”"),
        (8000, "answers in about 5 days"),
    ],
)
def test_it_says_which_paces_somebody_suits(listed: Game, her: Client, bob: Player, minutes: int, says: str) -> None:
    answer_in(bob, minutes)
    [small] = soup(her.get("/tables/new/")).select("#id_favorites label small")
    assert small.get_text() == says
    assert rows_of(her.get(URL), "section:first-of-type") == [f"bob {says} Remove (bob)"]


def test_it_says_whether_somebody_suits_the_table(listed: Game, her: Client, alice: Player, bob: Player) -> None:
    fast = make_table(alice, terms=play.Terms(move_hours=12, reserve_hours=24))
    slow = make_table(alice, terms=play.Terms(move_hours=100, reserve_hours=24))
    answer_in(bob, 1000)
    told = [rows_of(her.get(table.get_absolute_url()), "form") for table in (fast, slow)]
    assert told == [
        ["bob answers in about 15 hours Invite bob"],
        ["bob answers in about 15 hours, suits this pace Invite bob"],
    ]


@pytest.mark.parametrize("why", ["hidden", "few", "none"])
def test_hidden_answer_times_look_as_if_there_were_none(
    listed: Game, her: Client, alice: Player, bob: Player, why: str
) -> None:
    table = make_table(alice)
    pages = (URL, "/tables/new/", table.get_absolute_url())
    assert all("answers in" in text_of(her.get(page)) for page in pages)
    if why == "hidden":
        Player.objects.filter(pk=bob.pk).update(page_for=PageFor.NOBODY)
    elif why == "few":
        answer_in(bob, 60, moves=4)
    else:
        AnswerTimes.objects.all().delete()
    for page in pages:
        told = text_of(her.get(page))
        assert "bob" in told
        assert "answers in" not in told


def test_answer_times_for_players_one_has_met_are_told(listed: Game, her: Client, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(page_for=PageFor.MET)
    assert "suits every pace" in text_of(her.get(URL))


# --- Inviting --------------------------------------------------------------------------------------


def invited() -> list[str]:
    rows = Invitation.objects.order_by("pk").select_related("player")
    return [row.player.username if row.player else row.address for row in rows]


def test_a_new_table_invites_who_is_ticked_beside_who_is_typed(
    listed: Game, her: Client, alice: Player, bob: Player, carol: Player
) -> None:
    make_game(alice, carol)
    play.add_favorite(alice, carol.pk, at=AT)
    ticked = [str(bob.pk), str(carol.pk)]
    response = open_table(her, size="4", guests="BOB dora@example.com", favorites=ticked, keeps_seats="on")
    assert response.status_code == 303
    assert invited() == ["bob", "dora@example.com", "carol"]
    assert Invitation.objects.filter(kept_until=None).count() == 0


def test_the_form_keeps_the_ticks_when_it_is_refused(listed: Game, her: Client, bob: Player) -> None:
    response = open_table(her, favorites=[str(bob.pk)], size="9")
    assert response.status_code == 422
    assert len(soup(response).select("details[open] input[name=favorites][checked]")) == 1
    assert not soup(her.get("/tables/new/")).select("input[name=favorites][checked]")


@pytest.mark.parametrize("who", ["mallory", "nobody", "noise"])
def test_it_takes_only_who_is_on_the_list(listed: Game, her: Client, mallory: Player, who: str) -> None:
    value = {"mallory": str(mallory.pk), "nobody": "999999", "noise": "x\x00"}[who]
    before = Game.objects.count()
    response = open_table(her, favorites=[value])
    assert response.status_code == 422
    assert text_of(response, "#id_favorites .errorlist") == "Choose one of these."
    assert (Game.objects.count(), invited()) == (before, [])


def test_what_is_refused_is_said_by_the_form(listed: Game, her: Client, alice: Player, bob: Player) -> None:
    for _time in range(3):
        play.invite(make_table(alice), by=alice, to="bob", at=timezone.now())
    before, deal = Game.objects.count(), offered_deal(her)
    response = open_table(her, favorites=[str(bob.pk)], deal=deal)
    assert response.status_code == 429
    assert "bob: They have not answered three invitations of the last 14 days" in text_of(response, "#id_guests_error")
    response = open_table(her, favorites=[str(bob.pk)], size="3", bots="2", deal=deal)
    assert "Computer players take all the other seats" in text_of(response, "#id_guests_error")
    assert Game.objects.count() == before


def test_the_page_of_a_table_invites_by_one_press(listed: Game, her: Client, alice: Player, bob: Player) -> None:
    table = make_table(alice, size=3)
    here = table.get_absolute_url()
    page = soup(her.get(here))
    [button] = page.select("form details button")
    assert (button["name"], button["value"], button.get_text()) == ("to", "bob", "Invite bob")
    # As browsers send it: the field that stands above, and the button that was pressed.
    assert page.select_one("button[name=to]").find_parent("form").select_one("input[name=to]")  # type: ignore[union-attr]
    response = her.post(here + "invite/", {"to": ["dora", "bob"], "keeps_seat": "on"}, follow=True)
    assert "bob is invited." in text_of(response, "body")
    assert (invited(), Invitation.objects.filter(kept_until=None).count()) == (["bob"], 0)
    assert not soup(response).select("form details button[name=to]")
    assert her.post(here + "invite/", {"to": "bob"}).status_code == 422


def test_a_table_offers_nobody_who_sits_there_and_others_nothing(
    listed: Game, her: Client, alice: Player, bob: Player
) -> None:
    table = make_table(alice, size=3)
    assert soup(her.get(table.get_absolute_url())).select("button[name=to]")
    play.join_table(table, player=bob, at=AT)
    assert not soup(her.get(table.get_absolute_url())).select("button[name=to]")
    theirs = make_table(bob, size=3)
    assert not soup(her.get(theirs.get_absolute_url())).select("button[name=to]")


def test_a_list_costs_each_form_one_query_more(
    listed: Game, her: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    table = make_table(alice)
    her.get("/tables/new/")
    play.remove_favorite(alice, bob.pk)
    with django_assert_num_queries(3):
        her.get("/tables/new/")
    play.add_favorite(alice, bob.pk, at=AT)
    for number in range(3):
        other = make_player(f"other{number}")
        make_game(alice, other)
        play.add_favorite(alice, other.pk, at=AT)
        with django_assert_num_queries(4):
            her.get("/tables/new/")
    with django_assert_num_queries(6):
        her.get(table.get_absolute_url())

"""The pages of leagues."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import play
from games.models import Game, Notice, Player, Season, SeasonTable, Seat
from tests.cast import AT, make_player, play_out
from tests.mail.composed import compose
from tests.pages.helpers import soup, text_of
from tests.pages.test_feeds import entries

pytestmark = pytest.mark.django_db
CLOSE, LEAVE = "details:has(form[action$='/close/'])", "details:has(form[action$='/leave/'])"


@pytest.fixture
def season(alice: Player, bob: Player) -> Season:
    """Open, by alice, with bob in it."""
    found = play.open_season(alice, name="Spring league", size=2, rounds=2, key="1", at=AT)
    play.join_season(found, player=bob, at=AT)
    return found


@pytest.fixture
def begun(season: Season, alice: Player, carol: Player) -> Season:
    """Running, with carol and a computer player at a table."""
    play.join_season(season, player=carol, at=AT)
    play.begin_season(season, by=alice, at=AT)
    play.advance_season(season.pk, at=AT)
    return season


def url_of(season: Season, verb: str = "") -> str:
    return f"/leagues/{season.slug}/{verb}"


def standings(client: Client, season: Season) -> list[str]:
    rows = soup(client.get(url_of(season))).select('[aria-labelledby="standings"] tbody tr')
    return [" ".join(row.get_text(" ").split()) for row in rows]


def buttons(client: Client, season: Season) -> list[str]:
    return [button.get_text() for button in soup(client.get(url_of(season))).select("#main button:not([hidden])")]


def test_who_is_in_an_open_season_gets_a_link_for_others(
    client: Client, season: Season, alice: Player, bob: Player, carol: Player
) -> None:
    for player, has_link in ((alice, True), (bob, True), (carol, False)):
        client.force_login(player)
        link = soup(client.get(url_of(season))).select_one("#link")
        assert (link["value"] if link else "") == (f"http://testserver{url_of(season)}" if has_link else "")


def test_a_season_that_has_begun_has_no_such_link(client: Client, begun: Season, alice: Player) -> None:
    client.force_login(alice)
    assert soup(client.get(url_of(begun))).select("#link") == []


def test_it_offers_what_its_reader_can_do(
    client: Client, season: Season, alice: Player, bob: Player, carol: Player
) -> None:
    assert buttons(client, season) == ["Join"]
    for player, offered in (
        (alice, ["Begin the season", "Close without playing", "Leave the season", "Invite"]),
        (bob, ["Leave the season"]),
        (carol, ["Join"]),
    ):
        client.force_login(player)
        assert buttons(client, season) == offered
        parts = soup(client.get(url_of(season))).select('section[aria-label="What you can do"]')
        assert [bool(part.select("button")) for part in parts] == [True] * (player != bob)


def test_what_cannot_be_taken_back_is_behind_a_line_that_unfolds(
    client: Client, season: Season, alice: Player, bob: Player
) -> None:
    for player, folded in ((alice, ["Close without playing", "Leave the season"]), (bob, ["Leave the season"])):
        client.force_login(player)
        assert [
            button.get_text() for button in soup(client.get(url_of(season))).select("#main details button")
        ] == folded


def test_the_ways_out_stand_together_and_each_says_what_follows(
    client: Client, season: Season, alice: Player, bob: Player, carol: Player
) -> None:
    client.force_login(alice)
    page = client.get(url_of(season))
    assert "a mail tells the others who have joined" in text_of(page, CLOSE)
    assert "without you, but you are still the one who begins it." in text_of(page, f"{CLOSE} + {LEAVE}")
    client.force_login(bob)
    assert "Then the season begins without you." in text_of(client.get(url_of(season)), LEAVE)
    play.join_season(season, player=carol, at=AT)
    play.begin_season(season, by=alice, at=AT)
    assert "A computer player plays your game of this round" in text_of(client.get(url_of(season)), LEAVE)


def test_an_open_season_tells_how_many_have_joined(client: Client, season: Season, alice: Player) -> None:
    assert "2 players have joined." in text_of(client.get(url_of(season)))
    alone = play.open_season(alice, name="Alone", size=2, rounds=1, key="2", at=AT)
    assert "One player has joined." in text_of(client.get(url_of(alone)))


def test_to_begin_is_the_main_button_once_two_have_joined(client: Client, alice: Player, bob: Player) -> None:
    found = play.open_season(alice, name="Autumn", size=2, rounds=1, plays=False, key="1", at=AT)
    client.force_login(alice)
    assert main_buttons(client, found) == ["Join"]
    play.join_season(found, player=alice, at=AT)
    assert main_buttons(client, found) == []
    play.join_season(found, player=bob, at=AT)
    assert main_buttons(client, found) == ["Begin the season"]


def main_buttons(client: Client, season: Season) -> list[str]:
    part = soup(client.get(url_of(season))).select('section[aria-label="What you can do"] button')
    return [button.get_text() for button in part if "button-secondary" not in button["class"]]


def test_people_join_leave_and_the_opener_begins(
    client: Client, season: Season, alice: Player, carol: Player, bob: Player
) -> None:
    client.force_login(carol)
    assert "You play this season." in text_of(client.post(url_of(season, "join/"), follow=True))
    assert "You have joined this season already." in text_of(client.post(url_of(season, "join/"), follow=True))
    assert "You have left this season." in text_of(client.post(url_of(season, "leave/"), follow=True))
    refused = client.post(url_of(season, "leave/"))
    assert (refused.status_code, "You do not play this season." in text_of(refused, "[autofocus]")) == (409, True)
    assert client.post(url_of(season, "begin/")).status_code == 403
    client.force_login(alice)
    assert "The first round is drawn." in text_of(client.post(url_of(season, "begin/"), follow=True))
    client.force_login(carol)
    assert client.post(url_of(season, "join/")).status_code == 409


def test_a_get_changes_nothing(client: Client, season: Season, carol: Player) -> None:
    client.force_login(carol)
    for verb in ("join/", "leave/", "begin/", "close/"):
        assert client.get(url_of(season, verb)).headers["Location"] == url_of(season)
    season.refresh_from_db()
    assert (season.status, season.entrants.count()) == ("open", 2)


def test_it_shows_standings_rounds_and_who_has_left(client: Client, begun: Season, alice: Player, bob: Player) -> None:
    for game in Game.objects.all():
        play_out(game, seed=3)
    play.advance_season(begun.pk, at=AT + timedelta(days=9))
    play.leave_season(begun, player=bob, at=AT)
    client.force_login(alice)
    page = client.get(url_of(begun))
    assert "Round 2" in text_of(page)
    assert len(standings(client, begun)) == 2
    assert any("alice (you)" in row for row in standings(client, begun))
    said = text_of(page)
    assert "Players who are still equal share the place." in said
    assert "“Draw, points and places” below says how points are won." in said
    assert soup(page).select("dl.facts a.who")[-1].get_text() == "bob"
    first = text_of(client.get(url_of(begun) + "?round=1"))
    assert "over" in first
    assert re.search(r"\w+ \(\d+\) and \w+ \(\d+\)", first)
    assert "Round 2" in text_of(client.get(url_of(begun) + "?round=²"))
    assert "Round 2" in text_of(client.get(url_of(begun) + f"?round={'9' * 5000}"))


def test_a_season_that_was_closed_before_it_began_is_in_no_list(client: Client, alice: Player, begun: Season) -> None:
    Season.objects.filter(pk=begun.pk).update(status="over", ended_at=AT)
    closed = play.open_season(alice, name="Never played", size=2, rounds=1, key="2", at=AT)
    play.close_season(closed, by=alice, at=AT)
    listed = text_of(client.get("/leagues/"))
    assert ("Spring league" in listed, "Never played" in listed) == (True, False)
    assert client.get(url_of(closed)).status_code == 200


def test_a_season_by_link_is_in_no_list(client: Client, alice: Player) -> None:
    hidden = play.open_season(alice, name="Hidden", size=2, rounds=1, is_public=False, key="1", at=AT)
    assert "Hidden" not in text_of(client.get("/leagues/"))
    assert 'content="noindex"' in client.get(url_of(hidden)).content.decode()


def test_the_list_begins_with_the_seasons_that_its_reader_plays(
    client: Client, season: Season, alice: Player, bob: Player, carol: Player
) -> None:
    hidden = play.open_season(alice, name="Hidden", size=2, rounds=1, is_public=False, key="2", at=AT)
    over = play.open_season(alice, name="Closed", size=2, rounds=1, is_public=False, key="3", at=AT)
    play.close_season(over, by=alice, at=AT)
    play.join_season(hidden, player=carol, at=AT)
    play.leave_season(hidden, player=carol, at=AT)
    for player, mine in ((alice, ["Hidden", "Spring league"]), (bob, ["Spring league"]), (carol, [])):
        client.force_login(player)
        page = soup(client.get("/leagues/"))
        assert [link.get_text() for link in page.select('[aria-labelledby="mine"] tbody th')] == mine
        assert [link.get_text() for link in page.select('[aria-labelledby="all"] tbody th')] == ["Spring league"]


def test_its_tables_lead_to_it_while_and_after_they_are_played(client: Client, begun: Season) -> None:
    game = Game.objects.order_by("pk")[0]
    for _state in ("running", "over"):
        page = client.get(game.get_absolute_url())
        link = soup(page).select_one(f"#main a[href='{url_of(begun)}']")
        assert link is not None
        around = link.find_parent("p")
        assert around is not None
        assert " ".join(around.get_text().split()) == "Spring league, round 1"
        play_out(game, seed=3)


def test_the_page_of_a_table_needs_no_more_queries_in_a_season(client: Client, begun: Season) -> None:
    game = Game.objects.order_by("pk")[0]
    client.get(game.get_absolute_url())
    counts = []
    for _in_season in (True, False):
        with CaptureQueriesContext(connection) as asked:
            client.get(game.get_absolute_url())
        counts.append(len(asked))
        SeasonTable.objects.filter(game=game).delete()
    assert counts[0] == counts[1]


def test_whoever_has_but_the_link_of_a_table_does_not_learn_its_season(
    client: Client, begun: Season, alice: Player, mallory: Player
) -> None:
    Season.objects.update(is_public=False)
    Game.objects.update(is_public=False)
    game = Game.objects.filter(seats__player=alice)[0]
    for player in (None, mallory, alice):
        if player:
            client.force_login(player)
        page = client.get(game.get_absolute_url())
        assert page.status_code == 200
        assert (url_of(begun) in page.content.decode()) is (player is alice)


def test_the_mails_that_a_game_begins_name_it_and_the_round(begun: Season) -> None:
    for kind in ("started", "turn"):
        mail = compose(Notice.objects.loaded().filter(kind=kind)[0])
        [(html, _type)] = mail.alternatives
        for text in (mail.body, str(html)):
            assert "Round 1 of the season Spring league." in text


def test_its_feed_tells_rounds_and_end(client: Client, begun: Season) -> None:
    Season.objects.filter(pk=begun.pk).update(status="over", ended_at=AT + timedelta(days=30))
    assert [each["title"] for each in entries(client.get(url_of(begun, "feed/")))] == [
        "The season is over",
        "Round 1 has begun",
    ]


def test_it_says_until_when_it_waits_and_why_it_was_closed(client: Client, season: Season, alice: Player) -> None:
    assert "If that has not happened by Wednesday 1 April, 20:00, it is closed." in text_of(client.get(url_of(season)))
    early = play.open_season(alice, name="Early", size=2, rounds=1, key="2", at=AT)
    play.close_season(early, by=alice, at=AT)
    play.expire_seasons(at=AT + timedelta(days=30))
    for found, why in (
        (season, "Nobody began this season within 30 days, so it was closed."),
        (early, "This season was closed before it began."),
    ):
        page = client.get(url_of(found))
        assert why in text_of(page)
        assert "If that has not happened" not in text_of(page)
        assert not standings(client, found)
        assert [each["title"] for each in entries(client.get(url_of(found, "feed/")))] == [
            "The season was closed before it began"
        ]


def test_pages_of_two_worlds_with_other_cards_are_the_same(client: Client, begun: Season, alice: Player) -> None:
    client.force_login(alice)

    def seen() -> list[bytes]:
        return [client.get(url_of(begun, part)).content for part in ("feed/",)] + [
            str(soup(client.get(url_of(begun))).select_one("#main section:nth-of-type(2)")).encode(),
            "\n".join(standings(client, begun)).encode(),
        ]

    before = seen()
    for seat in Seat.objects.exclude(player=alice):
        others = [clan for clan in Seat.Clan.values if clan != seat.clan]
        taken = set(Seat.objects.filter(game=seat.game).values_list("clan", flat=True))
        seat.clan = next(clan for clan in others if clan not in taken)
        seat.save(update_fields=("clan",))
    assert seen() == before


def test_it_leads_players_to_their_game_of_the_round(client: Client, begun: Season, mallory: Player) -> None:
    seat = Seat.objects.filter(game__season_table__round__season=begun, player__isnull=False).select_related("game")[0]
    assert seat.player
    client.force_login(seat.player)
    [button] = soup(client.get(url_of(begun))).select("a.button[href^='/tables/']")
    assert (button.get_text(), button["href"]) == ("To my game", seat.game.get_absolute_url())
    play_out(seat.game)
    assert "To my game" not in text_of(client.get(url_of(begun)))
    client.force_login(mallory)
    assert "To my game" not in text_of(client.get(url_of(begun)))


def test_its_page_costs_as_many_queries_however_many_play(
    client: Client, begun: Season, django_assert_max_num_queries: Any
) -> None:
    for number in range(5):
        play.open_season(make_player(f"p{number}"), name="x", size=2, rounds=1, key="1", at=AT)
    with django_assert_max_num_queries(6):
        client.get(url_of(begun))


def test_its_reader_finds_their_own_place_and_table(
    client: Client, begun: Season, alice: Player, carol: Player
) -> None:
    for game in Game.objects.filter(season_table__round__season=begun):
        play_out(game)
    play.advance_season(begun.pk, at=AT)
    text = text_of(client.get(url_of(begun)))
    assert "You have place" not in text
    for player in (alice, carol):
        client.force_login(player)
        page = client.get(url_of(begun))
        place = re.search(r"You have place (\d) of 3, with \S+ points?\.", text_of(page))
        [mine] = soup(page).select('[aria-labelledby="standings"] tr.is-now')
        assert place is not None
        assert mine.get_text(" ", strip=True).startswith(f"{place[1]} {player.username} (you)")
        [table] = soup(page).select('[aria-labelledby="round"] tr.is-now')
        assert player.username in table.get_text()


def test_until_its_tables_are_open_a_round_leads_to_itself(
    client: Client, season: Season, alice: Player, carol: Player
) -> None:
    play.join_season(season, player=carol, at=AT)
    play.begin_season(season, by=alice, at=AT)
    client.force_login(carol)
    [again] = soup(client.get(url_of(season))).select('[aria-labelledby="round"] tbody a')
    assert again.get_text() == "Look again"
    # With a fragment, a browser that is there already would only scroll.
    assert again["href"] == "?round=1"
    play.advance_season(season.pk, at=AT)
    page = client.get(url_of(season) + str(again["href"]))
    assert "Look again" not in text_of(page)
    assert "To my game" in text_of(page)


def test_the_tables_of_a_round_tell_who_is_to_move_until_when(client: Client, begun: Season) -> None:
    now = timezone.now()
    free = {"free_until": now + timedelta(days=3), "due_at": now + timedelta(days=10)}
    Game.objects.filter(season_table__round__season=begun).update(**free)
    for game in Game.objects.filter(season_table__round__season=begun).select_related("awaited"):
        name = game.awaited.username if game.awaited else ""
        [row] = [
            row.get_text(" ", strip=True)
            for row in soup(client.get(url_of(begun))).select('[aria-labelledby="round"] tbody tr')
            if row.select(f'a[href="/tables/{game.slug}/"]')
        ]
        # The time for the move, and not that and all of the reserve; on one line.
        due = r"in\N{NO-BREAK SPACE}3\N{NO-BREAK SPACE}days \(.+\) ,\N{NO-BREAK SPACE}then\N{NO-BREAK SPACE}reserve"
        assert re.search(f"{name} to move, {due}", row) if name else "to move" not in row
        play_out(game)
    assert "to move" not in text_of(client.get(url_of(begun) + "?round=1"))

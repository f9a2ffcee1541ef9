"""A finished game as one file to keep: what is in it, who gets it, and that it needs nothing else."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.limits import KEEPSAKES
from games.models import Game, Player, Postcard
from games.pages.counting import refused
from games.words import name_clan
from tests.cast import AT, make_game, make_player, make_table, play_out, play_random
from tests.pages.helpers import links, soup_of, table_url

ADDRESS = re.compile(
    r"""(?:src|href|action|data|poster)="(?!#)[^"]*"|url\((?!data:)|@import|<(?:script|link|img|iframe)"""
)


def saved(client: Client, game: Game) -> Any:
    """The file as it is read; a test that finds nothing in it fails where it looks."""
    response = client.get(table_url(game, "keepsake.html"))
    assert response.status_code == 200
    return soup_of(response.content)


def words_of(part: Any) -> str:
    return " ".join(part.get_text(" ").split())


# --- What is in it ---------------------------------------------------------------------------------


def test_it_is_one_file_that_needs_nothing_else(client: Client, over: Game) -> None:
    response = client.get(table_url(over, "keepsake.html"))
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="clans-{over.slug}.html"'
    text = response.content.decode()
    assert ADDRESS.findall(text) == []
    assert "http" not in text
    assert "style-src 'self'" in response["Content-Security-Policy"]
    assert len(response.content) < 850_000
    page = soup_of(text)
    ids = [part["id"] for part in page.select("[id]")]
    assert len(ids) == len(set(ids))
    used = {use["href"].removeprefix("#") for use in page.select("use")}
    assert used <= set(ids)
    assert page.select("[onclick], [onload], [style]") == []


def test_it_tells_the_same_game_as_the_record(client: Client, over: Game) -> None:
    record = json.loads(client.get(table_url(over, "record.json")).content)
    page = saved(client, over)
    assert json.loads(page.select_one("section[aria-labelledby=record] pre").get_text()) == record
    steps = rules.fold(rules.read_record(record).opening, rules.read_record(record).moves)
    articles = page.select("article")
    assert [article["id"] for article in articles] == [f"move-{ply}" for ply in range(len(steps) + 1)]
    for step, move, article in zip(steps, record["moves"], articles[1:], strict=True):
        told = words_of(article)
        assert f"Move {step.ply + 1} " in told
        assert f"moved {move['from']} to {move['to']}" in told
        assert len(re.findall(r"is village \d+, in epoch", told)) == len(move["villages"])
    rows = {
        row.select_one("th").get_text(): [int(cell.get_text()) for cell in row.select("td.num")[:5]]
        for row in page.select("section[aria-labelledby=points] tbody tr")
    }
    assert rows == {str(step.ply + 1): list(step.position.scores) for step in steps if step.villages}
    for seat, player in enumerate(record["players"]):
        [row] = [row for row in page.select(".result tbody tr") if row.select_one("th").get_text() == player["name"]]
        clan, score, chips, total = (words_of(cell) for cell in row.select("td")[1:])
        assert clan == name_clan(player["clan"])
        assert int(score) == record["result"]["scores"][player["clan"]]
        assert int(chips) == record["result"]["chips"][seat]
        assert int(total) == record["result"]["totals"][seat] == int(score) + int(chips)


def test_its_boards_show_each_position(client: Client, over: Game) -> None:
    boards = saved(client, over).select("article > svg")
    assert len(boards) == over.ply + 1
    positions = [rules.set_up(over.opening()), *(step.position for step in over.steps())]
    for board, position in zip(boards, positions, strict=True):
        names = position.ruleset.board.names
        villages = {village.territory for village in position.villages}
        empty = [name for name in names if not (position.huts(name) or name in villages)]
        assert [use["href"] for use in board.select(".is-empty use")] == [f"#land-{name}" for name in empty]
        assert len(board.select(".village")) == len(villages)
        assert len(board.select(".last-move")) == (1 if position.ply else 0)
    assert boards[0]["aria-label"] == "The opening"
    assert boards[7]["aria-label"] == "The board after move 7"


def test_its_headings_lead_through_it(client: Client, over: Game) -> None:
    page = saved(client, over)
    levels = [int(heading.name[1]) for heading in page.select("h1, h2, h3")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert [page.select_one(link["href"]).name for link in page.select("header nav a")] == ["h2"] * 4


def test_it_proves_the_deal(client: Client, over: Game) -> None:
    deal = words_of(saved(client, over).select_one("section[aria-labelledby=deal]"))
    for told in (over.deal.commitment, bytes(over.deal.seed).hex(), *over.deal.salts[:3], "words of bob"):
        assert told in deal
    assert deal.count("Yes.") == 7
    assert "The deal was fair." in deal


def test_it_shows_what_was_suspected(client: Client, game: Game, alice: Player) -> None:
    play_random(game, 3)
    seat = game.seats.get(player=alice)
    other = game.seats.exclude(pk=seat.pk).order_by("number")[0]
    assert other.number is not None
    clan = next(clan for clan in rules.CLANS if clan != seat.clan)
    play.mark_suspicion(game, player=alice, about=other.number, clan=clan, mark="suspected", at=AT + timedelta(days=1))
    play_out(game)
    sheet = saved(client, game).select_one("section[aria-labelledby=sheets] table")
    assert sheet.select_one("caption").get_text() == "alice"
    [row] = [row for row in sheet.select("tbody tr") if row.select_one("th").get_text("|").split("|")[0] == other.name]
    assert row.select("td")[rules.CLANS.index(clan)].select_one("span")["aria-label"] == f"{name_clan(clan)}: suspected"
    [true] = row.select(".is-true")
    assert true["aria-label"].startswith(f"{name_clan(other.clan)}:")


def test_it_tells_what_was_done_besides(client: Client, game: Game, bob: Player) -> None:
    play_random(game, 6)
    play.resign(game, player=bob, at=AT + timedelta(days=5))
    play_out(game)
    told = {article["id"] for article in saved(client, game).select("article") if "bob resigned" in words_of(article)}
    assert told == {"move-6"}


def test_it_is_there_of_an_abandoned_game_without_a_village(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    page = saved(client, game)
    assert "Nobody wins." in words_of(page.select_one("header"))
    assert page.select("#points, #sheets, [href='#points'], [href='#sheets']") == []
    assert [article["id"] for article in page.select("article")] == ["move-0"]
    assert words_of(page.select_one(".result thead th")) == "Seal"


def test_it_names_nobody_who_has_closed_the_account(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    salt = game.deal.salts[game.seats.get(player=alice).joined]
    assert salt in client.get(table_url(game, "keepsake.html")).content.decode()
    play.close_account(alice, at=AT + timedelta(days=30))
    text = client.get(table_url(game, "keepsake.html")).content.decode()
    assert "alice" not in text
    assert "removed with the account" in text
    assert salt not in text


def test_it_speaks_as_its_reader_does(client: Client, over: Game) -> None:
    reader = make_player("zoe")
    Player.objects.filter(pk=reader.pk).update(white_clan=True, time_zone="Asia/Tokyo")
    client.force_login(reader)
    client.get("/")
    page = saved(client, over)
    assert page.select_one("html")["lang"] == "en-x-white"
    assert "white" in words_of(page.select_one("section[aria-labelledby=points] thead"))
    assert "3 March 2026, 05:00 JST" in words_of(page.select_one("header"))


# --- What was said ---------------------------------------------------------------------------------


def test_it_has_the_talk_that_everybody_may_read(client: Client, game: Game, alice: Player, bob: Player) -> None:
    play_random(game, 4)
    texts = ("<b>hi</b>\nhttps://example.com/", "taken back", "hidden away")
    cards = [play.write_postcard(game, player=alice, text=text, at=AT + timedelta(days=1)) for text in texts]
    Postcard.objects.filter(pk=cards[1].pk).update(state=Postcard.State.REMOVED, text="")
    Postcard.objects.filter(pk=cards[2].pk).update(state=Postcard.State.HIDDEN)
    play_out(game)
    client.force_login(bob)
    told = {}
    for readers in Game.Talk:
        Game.objects.filter(pk=game.pk).update(talk=readers)
        told[readers] = [words_of(said) for said in saved(client, game).select("article#move-4 blockquote")]
    open_to_all = ["alice: <b>hi</b> https://example.com/"]
    assert told == {Game.Talk.PLAYERS: [], Game.Talk.END: open_to_all, Game.Talk.OPEN: open_to_all}
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert saved(client, game).select("blockquote") == []


@pytest.mark.parametrize(
    ("readers", "is_public", "says"),
    [(Game.Talk.PLAYERS, True, True), (Game.Talk.END, True, False), (Game.Talk.END, False, True)],
)
def test_it_says_that_it_leaves_out_the_talk_of_players_whether_there_is_any_or_not(
    client: Client, over: Game, alice: Player, readers: str, is_public: bool, says: bool
) -> None:
    client.force_login(alice)
    Game.objects.filter(pk=over.pk).update(talk=readers, is_public=is_public)
    for number in range(2):
        assert ("is theirs alone. It is not in this file." in words_of(saved(client, over))) == says
        play.write_postcard(over, player=alice, text=f"Well played {number}", at=AT + timedelta(days=20))


# --- Who gets it -----------------------------------------------------------------------------------


def test_it_is_the_same_for_all_readers(client: Client, over: Game, alice: Player, mallory: Player) -> None:
    files = [client.get(table_url(over, "keepsake.html")).content]
    for player in (alice, mallory):
        client.force_login(player)
        files.append(client.get(table_url(over, "keepsake.html")).content)
    assert files[0] == files[1] == files[2]


def test_there_is_none_of_a_game_that_is_not_over(client: Client, alice: Player, game: Game) -> None:
    play_random(game, 5)
    client.force_login(alice)
    for table in (game, make_table(alice)):
        assert client.get(table_url(table, "keepsake.html")).status_code == 404
        assert table_url(table, "keepsake.html") not in links(client.get(table_url(table)))
    assert client.get("/tables/unknown/keepsake.html").status_code == 404


def test_that_of_a_table_by_link_is_for_its_players(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    game = play_out(make_game(alice, bob, is_public=False))
    address = table_url(game, "keepsake.html")
    for player in (None, mallory):
        if player:
            client.force_login(player)
        assert client.get(address).status_code == 404
        assert address not in links(client.get(table_url(game)))
    client.force_login(bob)
    assert address in links(client.get(table_url(game)))
    assert client.get(address).status_code == 200


def test_it_only_answers_reading(client: Client, over: Game) -> None:
    assert client.post(table_url(over, "keepsake.html")).status_code == 405
    assert client.head(table_url(over, "keepsake.html")).status_code == 200


def test_one_network_gets_so_many_an_hour(client: Client, over: Game, game: Game) -> None:
    [rate] = KEEPSAKES.rates
    for _time in range(rate.amount):
        assert refused(KEEPSAKES, RequestFactory().get("/")) is None
    assert client.get(table_url(over, "keepsake.html")).status_code == 429
    assert client.get(table_url(over, "keepsake.html"), REMOTE_ADDR="192.0.2.1").status_code == 200


def test_it_costs_few_queries(
    client: Client, over: Game, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(table_url(over, "keepsake.html"))
    with django_assert_max_num_queries(5):
        client.get(table_url(over, "keepsake.html"))

"""One postcard: its writer changes and removes it; others mute, block and report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from games import play
from games.limits import POSTCARDS
from games.models import Game, Mute, Player, Report
from games.pages.table.poll import poll_url
from tests.cast import AT, make_table
from tests.pages.helpers import soup_of, table_url, text_of
from tests.pages.talking import page, said, write

LATER = AT + timedelta(hours=1)


# --- One's own -------------------------------------------------------------------------------------


def act(client: Client, game: Game, player: Player, do: str, number: int = 1, **fields: str) -> Any:
    client.force_login(player)
    return client.post(table_url(game, f"talk/{number}/"), {"do": do, **fields})


def test_its_writer_changes_it_within_5_minutes(client: Client, game: Game, alice: Player, bob: Player) -> None:
    with time_machine.travel(AT, tick=False) as traveller:
        write(client, game, alice, "Helo")
        traveller.shift(300)
        client.force_login(alice)
        assert soup_of(client.get(table_url(game, "talk/1/")).content).select_one("#say").get_text() == "Helo"
        assert act(client, game, alice, "edit", say="Hello").status_code == 303
        assert said(client, game, bob)[0].endswith("changed new Hello")
        traveller.shift(1)
        assert act(client, game, alice, "edit", say="Hell").status_code == 409
        refused = act(client, game, alice, "edit", say="x" * 501)
        assert (refused.status_code, "At most 500" in text_of(refused, "[role=alert][autofocus]")) == (422, True)
    assert act(client, game, bob, "edit", say="I am a fool").status_code == 409
    assert game.postcards.get().text == "Hello"


def test_changes_count_as_postcards(client: Client, game: Game, alice: Player) -> None:
    allowed = POSTCARDS.rates[0].amount
    with time_machine.travel(AT, tick=False):
        write(client, game, alice, "Helo")
        changes = [act(client, game, alice, "edit", say=f"Hello {number}") for number in range(1, allowed + 1)]
    assert {response.status_code for response in changes[:-1]} == {303}
    refused = changes[-1]
    assert refused.status_code == 429
    assert "You have written many postcards lately" in text_of(refused)
    assert soup_of(refused.content).select_one("#say").get_text() == f"Hello {allowed}"
    assert game.postcards.get().text == f"Hello {allowed - 1}"


def test_its_writer_removes_it(client: Client, game: Game, alice: Player, bob: Player, mallory: Player) -> None:
    write(client, game, alice, "I regret this")
    version = client.get(poll_url(game.slug, bob))["ETag"]
    for player, status in ((bob, 409), (mallory, 403)):
        assert act(client, game, player, "remove").status_code == status
    assert act(client, game, alice, "remove").status_code == 303
    assert "I regret this" not in page(client, game, bob)
    assert said(client, game, bob)[0].endswith("removed")
    assert game.postcards.get().text == ""
    assert client.get(poll_url(game.slug, bob))["ETag"] != version


def test_the_page_of_a_postcard_is_for_players(client: Client, game: Game, alice: Player, mallory: Player) -> None:
    write(client, game, alice, "Hello")
    path = table_url(game, "talk/1/")
    assert client.get(path).status_code == 200
    assert client.get(table_url(game, "talk/7/")).status_code == 404
    client.force_login(mallory)
    assert client.get(path).status_code == 404
    client.logout()
    assert client.get(path).status_code == 302


# --- Others' ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("do", ["mute", "block"])
def test_who_is_muted_is_not_heard_and_not_told(
    client: Client, game: Game, alice: Player, bob: Player, carol: Player, do: str
) -> None:
    write(client, game, alice, "Blah")
    assert act(client, game, bob, do).status_code == 303
    write(client, game, alice, "Blah blah")
    assert said(client, game, bob) == []
    assert "Blah" not in page(client, game, bob)
    assert "Blah" not in client.get(table_url(game, "talk/")).content.decode()
    missing = client.get(table_url(game, "talk/1/"))
    assert missing.status_code == 404
    assert "or you have muted who wrote it" in missing.content.decode()
    assert len(said(client, game, carol)) == len(said(client, game, alice)) == 2
    client.force_login(bob)
    html = client.get("/preferences/muted/").content.decode()
    assert soup_of(html).select_one("li form").get_text(" ", strip=True).startswith("alice")
    client.post("/preferences/muted/", {"who": str(alice.pk)})
    assert len(said(client, game, bob)) == 2


def test_who_is_blocked_sits_down_at_no_table_of_mine(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    mine, others = make_table(bob), make_table(carol)
    play.join_table(others, player=bob, at=AT)
    play.mute_player(bob, alice, blocks=False, at=AT)
    client.force_login(alice)
    assert client.post(table_url(others, "join/")).status_code == 303
    play.mute_player(bob, alice, blocks=True, at=AT)
    response = client.post(table_url(mine, "join/"))
    assert response.status_code == 409
    html = response.content.decode()
    assert "You cannot sit down at this table." in html
    assert "block" not in soup_of(html).select_one("main").get_text()
    assert not mine.seats.filter(player=alice).exists()


def test_nobody_mutes_themselves_or_whom_they_do_not_know(
    client: Client, game: Game, alice: Player, mallory: Player
) -> None:
    write(client, game, alice, "Hello")
    for player, status in ((alice, 409), (mallory, 403)):
        for do in ("mute", "block", "report"):
            assert act(client, game, player, do).status_code == status
    assert act(client, game, alice, "dance").status_code == 422
    assert not Mute.objects.exists()
    assert not Report.objects.exists()


def test_a_report_keeps_the_words_of_then(client: Client, game: Game, alice: Player, bob: Player) -> None:
    write(client, game, alice, "Something bad")
    assert act(client, game, bob, "report", reason="Not nice\u202e").status_code == 422
    for _click in range(2):
        assert act(client, game, bob, "report", reason="Not nice").status_code == 303
    html = client.get(table_url(game, "talk/1/")).content.decode()
    assert "You have reported this postcard." in html
    assert "reason" not in html
    act(client, game, alice, "remove")
    [report] = Report.objects.all()
    assert (report.text, report.reason, report.reporter, report.about) == ("Something bad", "Not nice", bob, alice)
    assert act(client, game, bob, "report").status_code == 409


def test_the_operator_hides_and_shows(client: Client, game: Game, alice: Player, bob: Player) -> None:
    write(client, game, alice, "Something bad")
    play.hide_postcard(game.postcards.get(), is_hidden=True)
    for reader in (alice, bob):
        assert "Something bad" not in page(client, game, reader)
        assert "hidden by the operator" in said(client, game, reader)[0]
    play.hide_postcard(game.postcards.get(), is_hidden=False)
    assert "Something bad" in page(client, game, bob)

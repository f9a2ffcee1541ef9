"""The deal and its proof (design 1.6)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games import play, rules
from games.models import Deal, Game, Player
from games.rules import FIRST_DEAL_VERSION, commitment
from tests.cast import AT, make_game, make_table, play_out
from tests.faults import memory
from tests.pages.helpers import links, soup, table_url, text_of
from tests.rules.checked import read_checked


def make_old_game(*players: Player) -> Game:
    """A running game whose table was opened before deals had salts."""
    game = make_table(players[0], size=len(players))
    seed = bytes(Deal.objects.get(game=game).seed)
    Deal.objects.filter(game=game).update(
        version=FIRST_DEAL_VERSION, salts=[], salt_hashes=[], commitment=commitment(seed)
    )
    for player in players[1:]:
        play.join_table(game, player=player, entropy=f"words of {player.username}", at=AT)
    return Game.objects.get(pk=game.pk)


def verify(client: Client, game: Game, folder: Path) -> subprocess.CompletedProcess[str]:
    """What the stand-alone script says of the record that the page of the game offers, and of its commitment."""
    saved = folder / f"clans-{game.slug}.json"
    saved.write_bytes(client.get(table_url(game, "record.json")).content)
    assert read_checked(saved.read_text()).players
    command = [sys.executable, "-I", str(finders.find("games/verify_deal.py")), str(saved), game.deal.commitment]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def seed_of(game: Game) -> str:
    return bytes(Deal.objects.get(game=game).seed).hex()


def test_it_shows_the_commitment_of_an_open_table(client: Client, alice: Player) -> None:
    table = make_table(alice)
    response = client.get(table_url(table, "deal/"))
    assert table.deal.commitment in text_of(response)
    assert seed_of(table) not in response.content.decode()


def test_it_keeps_seed_and_entropy_while_the_game_runs(client: Client, game: Game, alice: Player) -> None:
    client.force_login(alice)
    response = client.get(table_url(game, "deal/"))
    assert game.deal.commitment in text_of(response)
    assert seed_of(game) not in response.content.decode()
    assert "words of alice" not in text_of(response)


@pytest.mark.parametrize("ending", ["played", "abandoned"])
def test_it_proves_the_deal_at_the_end(
    client: Client, game: Game, ending: str, alice: Player, bob: Player, carol: Player
) -> None:
    if ending == "played":
        play_out(game)
    else:
        for player in (alice, bob, carol):
            play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    response = client.get(table_url(game, "deal/"))
    assert seed_of(game) in text_of(response)
    assert "bob : words of bob" in text_of(response)
    assert text_of(response, ".checks").count("Yes.") == 7
    assert "The deal was fair." in text_of(response)


def test_the_names_in_a_deal_lead_to_the_players(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    game = play_out(make_game(alice, bob, carol, bots=1))
    play.close_account(carol, at=AT)
    shown = soup(client.get(table_url(game, "deal/"))).select("ol strong")
    links = {name.get_text(): "".join(link["href"] for link in name.select("a")) for name in shown}
    assert links == {
        "alice": "/players/alice/",
        "bob": "/players/bob/",
        f"former-{carol.pk}": "",
        "computer 1": "",
    }


def test_it_says_when_a_deal_does_not_hold(client: Client, game: Game) -> None:
    play_out(game)
    Deal.objects.filter(game=game).update(seed=bytes(32))
    response = client.get(table_url(game, "deal/"))
    assert "No!" in text_of(response, ".checks")
    assert "This deal does not hold." in text_of(response)
    assert "The deal was fair." not in text_of(response)


@pytest.mark.parametrize("when", ["before the end", "after the end"])
def test_a_deal_is_proved_also_when_an_account_is_closed(
    client: Client, game: Game, alice: Player, tmp_path: Path, when: str
) -> None:
    """What alice added is gone with her name; her share of the draw is left."""
    if when == "before the end":
        play.close_account(alice, at=AT)
    play_out(game)
    play.close_account(alice, at=AT)
    response = client.get(table_url(game, "deal/"))
    assert f"former-{alice.pk} : removed with the account" in text_of(response)
    assert text_of(response, ".checks").count("Yes.") == 7
    assert text_of(response, ".verdict") == "The deal was fair."
    run = verify(client, game, tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith(f"that of former-{alice.pk}.\nThe deal was fair.\n")


def test_nothing_that_is_left_of_a_closed_account_tells_its_name(client: Client, game: Game, alice: Player) -> None:
    """Who has the record and the database, and guesses name and words, cannot see whether they guessed right."""
    salt = bytes.fromhex(game.deal.salts[0])
    share = game.seats.get(player=alice).share
    assert share == rules.share(salt, name="alice", entropy="words of alice")
    play_out(game)
    play.close_account(alice, at=AT)
    drawn = client.get(table_url(game, "record.json")).json()["deal"]["players"][0]
    assert drawn == {
        "name": f"former-{alice.pk}",
        "entropy": "",
        "place": 0,
        "salt": "",
        "share": share,
        "closed": True,
    }
    assert salt.hex() not in client.get(table_url(game, "deal/")).content.decode()
    assert [row for found in memory.dump().values() for row in found if salt.hex() in str(row)] == []


def test_it_proves_a_deal_of_the_first_version(
    client: Client, alice: Player, bob: Player, carol: Player, tmp_path: Path
) -> None:
    game = play_out(make_old_game(alice, bob, carol))
    response = client.get(table_url(game, "deal/"))
    assert text_of(response, ".checks").count("Yes.") == 5
    assert text_of(response, ".verdict") == "The deal was fair."
    assert verify(client, game, tmp_path).returncode == 0


def test_it_says_when_what_was_added_does_not_make_the_share(client: Client, game: Game, bob: Player) -> None:
    play_out(game)
    game.seats.filter(player=bob).update(entropy="other words")
    response = client.get(table_url(game, "deal/"))
    assert text_of(response, ".checks").count("No!") == 1
    assert "This deal does not hold." in text_of(response)


def test_it_says_that_a_deal_of_the_first_version_cannot_be_drawn_again(
    client: Client, alice: Player, bob: Player, carol: Player, tmp_path: Path
) -> None:
    """alice's name was part of the draw and is gone. What was fixed before still is checked."""
    game = play_out(make_old_game(alice, bob, carol))
    play.close_account(alice, at=AT)
    response = client.get(table_url(game, "deal/"))
    assert "removed with the account" in text_of(response)
    assert "words of alice" not in response.content.decode()
    assert text_of(response, ".checks") == "The SHA-256 of the seed is the commitment. Yes."
    assert text_of(response, ".verdict") == "This is the seed that was fixed."
    assert "the draw itself can no longer be checked" in text_of(response, ".lead")
    assert "everybody can check it" not in text_of(response)
    assert "the script then says that the draw was not checked" in text_of(response, "[aria-labelledby=yourself]")
    assert "Do not take our word" not in text_of(response)
    run = verify(client, game, tmp_path)
    assert (run.returncode, run.stderr) == (2, "")
    assert run.stdout.endswith(f"went with an account that was closed,\nthat of former-{alice.pk}.\n")
    Deal.objects.filter(game=game).update(seed=bytes(32))
    assert "This deal does not hold." in text_of(client.get(table_url(game, "deal/")))


def test_it_offers_what_one_needs_to_check_it_oneself(client: Client, game: Game, tmp_path: Path) -> None:
    play_out(game)
    response = client.get(table_url(game, "deal/"))
    record, script = table_url(game, "record.json"), "/static/games/verify_deal.py"
    assert {record, script} <= set(links(response))
    assert f"python3 verify_deal.py clans-{game.slug}.json" in text_of(response)
    run = verify(client, game, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr

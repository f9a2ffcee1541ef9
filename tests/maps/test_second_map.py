"""Nothing is wired to the first map: the second is chosen, played on, drawn, mailed, recorded and checked."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games import mail, play, rules
from games.drawing import draw_board, draw_part, png
from games.drawing.static_files import read_drawing
from games.models import Game, Player
from tests.cast import AT, make_game, make_table, play_random, random_move
from tests.elements import parse
from tests.mail.post_office import open_post_office
from tests.maps.second import ID, second_map
from tests.pages.helpers import hidden, soup, table_url, text_of
from tests.rules import reference
from tests.rules.checked import read_checked
from tools.mapgen.judge import faults
from tools.mapgen.survey import Survey

GAMES = Path(__file__).parents[2] / "games"
VERIFIER = GAMES / "static/games/verify_deal.py"
OF_THE_FIRST = re.compile(r"\b[A-L][1-5]\b")
PNG = b"\x89PNG\r\n\x1a\n"

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[rules.Ruleset]:
    with second_map(tmp_path_factory.mktemp("static")) as ruleset:
        yield ruleset


@pytest.fixture
def game(second: rules.Ruleset, client: Client, alice: Player, bob: Player) -> Game:
    """A game of alice and bob on the second map, opened and joined on the pages."""
    client.force_login(alice)
    form = hidden(client.get("/tables/new/?against=nobody"), "form.new-table")
    choices = {"name": "Far away", "size": "2", "bots": "0", "board": ID}
    opened = client.post("/tables/new/", form | choices)
    assert opened.status_code == 303
    client.force_login(bob)
    assert client.post(f"{opened['Location']}join/", {}).status_code == 303
    return Game.objects.get(name="Far away")


def people(game: Game) -> dict[int | None, Client]:
    """Somebody's browser for each seat."""
    clients: dict[int | None, Client] = {}
    for seat in game.seats.select_related("player"):
        assert seat.player
        clients[seat.number] = Client()
        clients[seat.number].force_login(seat.player)
    return clients


def play_on(game: Game, plies: int = 60) -> Game:
    """The game after so many more random moves, each confirmed on the page of whoever is to move."""
    clients, rng = people(game), random.Random(3)
    for _ply in range(plies):
        move, client = random_move(game.position(), rng), clients[game.to_move]
        chosen = {"from": move.origin, "to": move.target, "order": ",".join(move.order)}
        form = hidden(client.get(table_url(game), chosen))
        assert client.post(table_url(game, "move/"), form | {"order": chosen["order"]}).status_code == 303
        game.refresh_from_db()
        if game.is_over:
            break
    return game


def names_of_the_first(text: str) -> set[str]:
    """What sounds like a territory of the first map."""
    return set(OF_THE_FIRST.findall(text))


def test_only_what_begins_a_game_names_the_standard_rules() -> None:
    """Whatever is asked of a game is asked of the ruleset that it carries."""
    begins = {"commands/export_board", "commands/simulate", "models/terms"}
    named = re.compile(r"\bSTANDARD\b|\bBOARDS\[|atlas-1")
    asked = [file for room in ("rules", "migrations") for file in (GAMES / room).glob("*.py")]
    files = {file for file in GAMES.rglob("*.py") if named.search(file.read_text(encoding="utf-8"))} - {*asked}
    assert {f"{file.parent.name}/{file.stem}" for file in files} == begins | {
        "models/game",
        "play/practice",
        "practice/examples",
        "practice/rules",
    }


def test_it_is_a_whole_map_of_other_names(second: rules.Ruleset) -> None:
    board, first = second.board, rules.STANDARD.board
    assert board.names == tuple(f"{region}{number}" for region in "MNOPQRSTUVWX" for number in range(1, 6))
    assert not {*board.names} & {*first.names}
    assert board.neighbors != first.neighbors
    folder = Path(__file__).parent
    documents = (json.loads((folder / file).read_text(encoding="utf-8")) for file in ("board.json", "outlines.json"))
    assert faults(Survey(*documents)) == []


def test_it_is_offered_where_a_table_is_opened(second: rules.Ruleset, client: Client, alice: Player) -> None:
    client.force_login(alice)
    offered = soup(client.get("/tables/new/")).select("input[name=board]")
    assert [(field["value"], field.has_attr("checked")) for field in offered] == [("atlas-1", True), (ID, False)]
    table = make_table(alice, board=ID)
    assert ID in text_of(client.get(table_url(table)), "dl.facts")


def test_it_can_be_searched_for(client: Client, game: Game, alice: Player, bob: Player) -> None:
    over = {play_random(game).name, play_random(make_game(alice, bob)).name}
    assert len(over) == 2
    assert [option.get("value") for option in soup(client.get("/archive/")).select("[name=board] option")] == [
        "",
        "atlas-1",
        ID,
    ]
    found = soup(client.get(f"/archive/?board={ID}")).select(".table-name")
    assert [link.get_text() for link in found] == [game.name]


def test_it_is_chosen_for_playing_again(client: Client, alice: Player, game: Game) -> None:
    over = play_random(game)
    client.force_login(alice)
    fields = hidden(client.get(f"/tables/new/?again={over.slug}"), "form.new-table")
    assert "board" not in fields or fields["board"] == ID
    [checked] = soup(client.get(f"/tables/new/?again={over.slug}")).select("input[name=board][checked]")
    assert checked["value"] == ID


def test_a_game_on_it_is_played_to_its_end_on_the_pages(game: Game, second: rules.Ruleset) -> None:
    assert (game.board, game.rules, game.status) == (ID, second.version.number, Game.Status.RUNNING)
    over = play_on(game)
    assert over.is_over
    assert over.position().ruleset is second
    page = Client().get(table_url(over))
    assert page.status_code == 200
    assert not names_of_the_first(text_of(page, "body"))
    halfway = Client().get(table_url(over, f"ply/{over.ply // 2}/"))
    assert not names_of_the_first(text_of(halfway, "body"))
    assert {str(land["href"]).split("#")[0] for land in soup(halfway).select("use.land")} == {
        f"/static/games/maps/{ID}/land.svg"
    }


def test_its_pages_hold_its_names_for_scripts(game: Game, second: rules.Ruleset) -> None:
    page = people(game)[game.to_move].get(table_url(game))
    told = parse(page.content).select_one("#moves")
    assert told is not None
    data = json.loads(told.get_text())
    assert {*data["targets"]} <= {*second.board.names}
    for part in page.content.decode().split('href="')[1:]:
        assert not names_of_the_first(part.split('"')[0])
    files = [str(link["href"]) for link in soup(page).select("link[rel=preload][as=image]")]
    assert files == [f"/static/games/maps/{ID}/{name}.svg" for name in ("ground", "lines")]
    assert all(finders.find(file.removeprefix("/static/")) for file in files)
    scripts = [str(script["src"]).removeprefix("/static/games/") for script in soup(page).select("script[src]")]
    assert scripts.index(f"maps/{ID}/spots.js") < scripts.index("board.js") < scripts.index("draft.js")
    spots = read_drawing(f"games/maps/{ID}/spots.js")
    assert tuple(re.findall(r"^(\w+):\[\d+,\d+,\d+\]", spots, re.MULTILINE)) == second.board.names


def test_moves_on_it_are_written_in_its_names(game: Game, client: Client, alice: Player) -> None:
    mover = people(game)[game.to_move]
    move = rules.legal_moves(game.position())[0]
    written = f"{move.origin.lower()} to {move.target.lower()}"
    assert hidden(mover.get(table_url(game), {"move": written}))["move"] == str(move)
    for page in (table_url(game), table_url(game, "ply/0/try/"), "/turns/"):
        assert 'placeholder="O4-P1"' in mover.get(page).content.decode()
    refused = text_of(mover.get(table_url(game), {"move": "C4-D1"}))
    assert "“C4-D1” is no move. A move is written like O4-P1" in refused
    tried = client.get(table_url(game, "ply/0/try/"), {"line": str(move)})
    assert f": {move}." in text_of(tried)


def test_computer_players_and_the_practice_game_know_their_map(second: rules.Ruleset, alice: Player) -> None:
    table = make_table(alice, size=2, bots=1, board=ID)
    table.refresh_from_db()
    if table.awaited == alice:
        play_random(table, 1)
    assert play.play_bot_turn(table.pk, at=AT) is not None
    practice = play.begin_practice()
    assert practice.opening.ruleset is rules.STANDARD


def test_it_is_drawn(game: Game, second: rules.Ruleset) -> None:
    over = play_random(game)
    step = over.steps()[-1]
    drawn = draw_board(step.position, title="The end", last=step)
    assert {*re.findall(r"#([A-Z]\d)\"", drawn)} == {*second.board.names}
    assert not names_of_the_first(drawn)
    assert "N3" in draw_part(step.position, ("N3", "N4"), title="two")
    picture = Client().get(table_url(over, f"ply/{over.ply}.png"))
    assert (picture["Content-Type"], picture.content[:8]) == ("image/png", PNG)
    other = rules.set_up(rules.Opening(over.huts, 2, 0))
    mine = rules.set_up(rules.Opening(over.huts, 2, 0, ruleset=second))
    assert png.draw_png(png.draw_layers(mine)) != png.draw_png(png.draw_layers(other))
    assert png.draw_mail_picture(mine) != png.draw_mail_picture(other)


def test_it_is_mailed(game: Game, settings: Settings) -> None:
    with open_post_office() as office:
        settings.EMAIL_BACKEND = "games.mail.transport.connection.SmtpBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        played = play_random(game, 9, every=timedelta(minutes=1))
        mail.sweep(at=timezone.now() + timedelta(days=1))
        sent = office.mails
    calls = [one for one in sent if one["X-Clans-Game"] == played.slug]
    assert calls
    for call in calls:
        body = call.get_body(("plain",))
        assert isinstance(body, EmailMessage)
        assert not names_of_the_first(body.get_content())
    assert any(part.get_content_type() == "image/png" for call in calls for part in call.walk())


def test_it_is_recorded_and_verified(game: Game, tmp_path: Path) -> None:
    over = play_random(game)
    exported = StringIO()
    call_command("export_games", stdout=exported)
    [line] = exported.getvalue().splitlines()
    record = json.loads(line)
    assert (record["board"], record["rules"]["version"]) == (ID, over.rules)
    assert read_checked(line).replay()[-1].position == over.position()
    assert Client().get(table_url(over, "record.json")).json() == record
    file = tmp_path / "record.json"
    file.write_text(line, encoding="utf-8")
    subprocess.run([sys.executable, str(VERIFIER), str(file)], check=True, capture_output=True)


def test_games_on_it_are_simulated_and_agree_with_the_slow_rules(second: rules.Ruleset) -> None:
    printed, board = StringIO(), StringIO()
    call_command("simulate", "12", "--seed", "5", "--board", ID, stdout=printed)
    call_command("export_board", "--board", ID, stdout=board)
    records = [json.loads(line) for line in printed.getvalue().splitlines()]
    assert len(records) == 12
    for record in records:
        assert record["board"] == ID
        read_checked(record)
        reference.check(json.loads(board.getvalue()), record)


def test_positions_on_it_are_read_from_their_line(second: rules.Ruleset) -> None:
    step = rules.random_game(rules.random_opening(random.Random(2), seats=3, ruleset=second), random.Random(2))[20]
    line, map_and_rules = str(step.position), f"board=second rules={second.version.number}"
    assert line.startswith(f"{map_and_rules} seats=3 ")
    assert rules.Position.parse(line) == step.position
    with pytest.raises(rules.InvalidPosition):
        rules.Position.parse(line.removeprefix(f"{map_and_rules} "))

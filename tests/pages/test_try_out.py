"""Trying out what could follow: a page of its own, the same for all, where nothing is played."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from games import play, rules
from games.models import Game, Move, Player
from games.pages.replay.line import join_moves
from tests.cast import AT, make_table, play_out
from tests.pages.helpers import Page, game_before_a_choice, links, next_move, soup, table_url, text_of, to_move

PLY = 14


def url(game: Game, ply: int | None = None) -> str:
    return table_url(game, f"ply/{game.ply if ply is None else ply}/try/")


def steps_from(position: rules.Position, count: int, *, seed: int = 6) -> list[rules.Step]:
    rng, steps = random.Random(seed), list[rules.Step]()
    for _step in range(count):
        steps.append(rules.random_step(steps[-1].position if steps else position, rng))
    return steps


def founding_line(game: Game) -> list[rules.Step]:
    """Moves until the first one that founds a village."""
    position = game.position()
    for count in range(1, 40):
        steps = steps_from(position, count)
        if steps[-1].villages:
            return steps
    raise AssertionError("no village in 40 moves")


def tried(response: Page) -> list[str]:
    """The moves of the line, as its link says them."""
    field = soup(response).select_one("#link")
    query = parse_qs(urlsplit(str(field["value"])).query) if field else {}
    return query.get("line", [""])[0].split(",") if query else []


# --- What it looks like ----------------------------------------------------------------------------


def test_it_cannot_be_mistaken_for_the_table(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    response = client.get(url(mid), {"line": str(next_move(mid))})
    page = soup(response)
    assert text_of(response, "h1") == "Trying it out – nothing here is played"
    assert page.select(".trial .sheet")
    assert "Write a move" in text_of(response, "#keys")
    assert "Cancel" not in text_of(response, "#keys")
    assert page.select("main form[method=post], main .clan-card, #move") == []
    robots = page.select_one("meta[name=robots]")
    assert robots is not None
    assert robots["content"] == "noindex"


def test_it_begins_at_the_opening_or_any_ply(client: Client, mid: Game) -> None:
    assert "from the opening" in text_of(client.get(url(mid, 0)), ".prompt")
    assert "from move 9" in text_of(client.get(url(mid, 9)), ".prompt")
    assert "Move huts as you like" in text_of(client.get(url(mid, 9)), ".prompt")


def test_it_is_found_from_table_and_replay(client: Client, mid: Game) -> None:
    assert url(mid) in links(client.get(table_url(mid)))
    assert url(mid, 4) in links(client.get(table_url(mid, "ply/4/")))


@pytest.mark.parametrize("ply", [PLY + 1, 61, 10**20])
def test_it_has_no_page_beyond_the_last_ply(client: Client, mid: Game, ply: int) -> None:
    assert client.get(url(mid, ply)).status_code == 404


def test_it_has_no_page_before_the_start(client: Client, alice: Player) -> None:
    assert client.get(url(make_table(alice), 0)).status_code == 404


def test_it_works_for_a_game_that_is_over(client: Client, game: Game) -> None:
    play_out(game)
    response = client.get(url(game, 10), {"line": join_moves(steps_from(game.steps()[9].position, 2))})
    assert len(tried(response)) == 2
    assert "The game would be over here." in text_of(client.get(url(game)), ".prompt")


# --- Playing lines -----------------------------------------------------------------------------------


def test_it_offers_every_legal_origin_and_then_its_targets(client: Client, mid: Game) -> None:
    line = steps_from(mid.position(), 2)
    moves = rules.legal_moves(line[-1].position)
    text = join_moves(line)
    response = client.get(url(mid), {"line": text})
    assert set(links(response, ".regions")) == {f"?line={text}&from={move.origin}#ask" for move in moves}
    origin = moves[0].origin
    response = client.get(url(mid), {"line": text, "from": origin})
    steps = [rules.play(line[-1].position, move) for move in moves if move.origin == origin]
    assert links(response, ".targets") == [f"?line={text},{step.move}#ask" for step in steps]
    assert set(links(response, ".targets")) < set(links(response, "svg"))


def test_it_plays_a_line_by_its_links_alone(client: Client, mid: Game) -> None:
    page, address = client.get(url(mid)), url(mid)
    for count in range(1, 9):
        origins = [link for link in links(page, ".regions") if "from=" in link]
        page = client.get(address + origins[count])
        page = client.get(address + links(page, ".targets")[0])
        assert len(tried(page)) == count
    assert Move.objects.filter(game=mid).count() == PLY


def test_it_says_what_each_move_would_do_and_what_it_brings(client: Client, mid: Game) -> None:
    steps = founding_line(mid)
    last, village = steps[-1], steps[-1].villages[0]
    response = client.get(url(mid), {"line": join_moves(steps)})
    items = [item.get_text(" ") for item in soup(response).select("[aria-labelledby=line] li")]
    assert len(items) == len(steps)
    assert f"{last.move}. This founds {village.territory}" in items[-1]
    assert f"{village.territory} is village" in text_of(response, ".prompt")
    scores = [int(cell.get_text()) for cell in soup(response).select(".track td.num")]
    assert scores == list(last.position.scores)
    assert [len(seat.select(".chip")) for seat in soup(response).select(".seat")] == list(last.position.chips)


def test_it_takes_back_one_move_or_all(client: Client, mid: Game) -> None:
    steps = steps_from(mid.position(), 3)
    response = client.get(url(mid), {"line": join_moves(steps)})
    assert links(response, ".prompt .action-bar") == [f"?line={join_moves(steps[:2])}", url(mid)]
    assert links(response, ".side .history")[0] == f"?line={join_moves(steps[:1])}"
    response = client.get(url(mid), {"line": join_moves(steps[:1])})
    assert links(response, ".prompt .action-bar") == [url(mid), url(mid)]


def test_it_adds_moves_that_are_written(client: Client, mid: Game) -> None:
    steps = steps_from(mid.position(), 4)
    written = " ".join(str(step.move).lower() for step in steps[1:])
    response = client.get(url(mid), {"line": str(steps[0].move), "move": written})
    assert tried(response) == [str(step.move) for step in steps]


@pytest.mark.parametrize("between", [" ", "–", " to "])
def test_it_reads_a_written_move_as_the_table_does(client: Client, mid: Game, between: str) -> None:
    move = next_move(mid)
    response = client.get(url(mid), {"move": f"{move.origin}{between}{move.target}".lower()})
    assert tried(response) == [str(move)]


def test_it_takes_a_territory_that_is_written_as_the_origin(client: Client, mid: Game) -> None:
    origin = next_move(mid).origin
    response = client.get(url(mid), {"move": origin.lower()})
    targets = [str(move.target) for move in rules.legal_moves(mid.position()) if move.origin == origin]
    assert f"Where to? Targets: {', '.join(dict.fromkeys(targets))}." in text_of(response, "[data-say]")
    assert links(response, ".targets")


def stops(response: Page) -> set[str]:
    """With what the links to targets end before they say what that founds: by ear they would run together."""
    found = [(link.get_text(), link.select("small")) for link in soup(response).select(".targets a")]
    return {text.removesuffix(outcome[0].get_text()).rstrip()[-1] for text, outcome in found if outcome}


def test_it_lets_the_founding_order_be_chosen(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    orders = rules.founding_orders(game.position(), move)
    response = client.get(url(game), {"from": move.origin})
    leads = next(link for link in links(response, ".targets") if f"to={move.target}" in link)
    assert stops(response) == {"."}
    response = client.get(url(game) + leads)
    assert "point" in text_of(response, ".targets")
    assert stops(response) == {"."}
    assert links(response, ".targets") == [f"?line={move}={','.join(order)}#ask" for order in orders]
    response = client.get(url(game) + links(response, ".targets")[-1])
    assert "=".join([str(move), ",".join(orders[-1])]) == ",".join(tried(response))


def test_it_asks_for_the_founding_order_of_a_written_move_as_of_a_chosen_one(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    chosen = soup(client.get(url(game), {"from": move.origin, "to": move.target})).select_one("#table")
    assert soup(client.get(url(game), {"move": f"{move}"})).select_one("#table") == chosen


def test_it_lets_another_target_be_chosen_instead(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    before = client.get(url(game), {"from": move.origin})
    asked = client.get(url(game), {"from": move.origin, "to": move.target})
    assert links(asked, "svg")
    assert set(links(asked, "svg")) == set(links(before, "svg"))


def test_it_says_that_a_line_has_come_to_the_end_of_the_game(client: Client, game: Game) -> None:
    play_out(game)
    moves = join_moves(game.steps())
    response = client.get(url(game, 0), {"line": moves})
    assert "The game would be over here." in text_of(response, ".prompt")
    assert links(response, ".regions") == []
    assert links(response, "svg") == [f"#{name}" for name in rules.STANDARD.board.names]


@pytest.mark.parametrize("line", ["A1-L5", "north", "A1-A2,,,A1-A2", "\x00", "%s" * 3000, "B5", "C4-D1=" + "B5," * 99])
def test_it_says_plainly_what_is_wrong(client: Client, mid: Game, line: str) -> None:
    response = client.get(url(mid), {"line": line})
    assert response.status_code == 200
    assert text_of(response, ".prompt [role=alert][autofocus]")


@pytest.mark.parametrize(
    ("added", "kept"),
    [("a1 l5", "a1-l5"), ("north", "north"), ("{move} A1-L5 {move}", "A1-L5,{move}"), ("{empty}", "{empty}")],
)
def test_it_leaves_what_it_did_not_play_where_it_was_written(client: Client, mid: Game, added: str, kept: str) -> None:
    move = str(next_move(mid))
    places = {"move": move, "empty": next_move(mid).origin.lower()}
    line = "" if "move" in added else move
    response = client.get(url(mid), {"line": line, "move": added.format(**places)})
    assert text_of(response, ".prompt [role=alert]")
    assert tried(response) == [move]
    assert field(response) == kept.format(**places)
    assert field(client.get(url(mid), {"move": move})) == ""


def field(response: Page) -> str:
    [written] = soup(response).select("#written")
    return str(written["value"])


def test_a_wrong_target_says_why_and_the_origin_stays_chosen(client: Client, mid: Game) -> None:
    position, origin = mid.position(), next_move(mid).origin
    board = soup(client.get(url(mid), {"from": origin}))
    reasons = set()
    for name in position.ruleset.board.names:
        [land] = board.select(f"svg a[data-territory={name}]")
        if f"&to={name}" not in land["href"]:
            continue
        page = client.get(url(mid) + str(land["href"]))
        reasons.add(text_of(page, "[role=alert]").split(" ", 1)[1])
        assert "Where to?" in text_of(page, ".prompt")
        assert links(page, ".targets") == links(client.get(url(mid), {"from": origin}), ".targets")
    assert any("not neighbors" in reason for reason in reasons)


def test_it_tells_of_a_territory_while_nothing_is_chosen(client: Client, mid: Game) -> None:
    origins = {move.origin for move in rules.legal_moves(mid.position())}
    others = {f"#{name}" for name in mid.position().ruleset.board.names if name not in origins}
    assert {link for link in links(client.get(url(mid)), "svg") if "from=" not in link} == others


def test_it_says_why_a_chosen_move_cannot_be_made(client: Client, mid: Game) -> None:
    response = client.get(url(mid), {"line": str(next_move(mid)), "from": next_move(mid).origin})
    assert "is empty" in text_of(response, "[role=alert]")
    assert tried(response) == [str(next_move(mid))]


# --- To the table ----------------------------------------------------------------------------------


def take(response: Page) -> list[str]:
    return [link for link in links(response, "[aria-labelledby=line]") if link.startswith("/tables/")]


def test_it_takes_the_first_move_to_the_table(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    steps = steps_from(mid.position(), 3)
    [link] = take(client.get(url(mid), {"line": join_moves(steps)}))
    response = client.get(link)
    assert f"Move {steps[0].move}" in text_of(response, "form#move")


def test_it_takes_the_founding_order_along(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    client.force_login(to_move(game))
    order = rules.founding_orders(game.position(), move)[-1]
    [link] = take(client.get(url(game), {"line": f"{move}={','.join(order)}"}))
    checked = soup(client.get(link)).select_one("input[name=order][checked]")
    assert checked is not None
    assert checked["value"] == ",".join(order)


def test_it_takes_nothing_to_the_table_from_another_ply(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    assert take(client.get(url(mid, 3), {"line": join_moves(steps_from(mid.steps()[2].position, 1))})) == []


def test_it_takes_nothing_to_a_table_where_one_does_not_play(
    client: Client, mid: Game, bob: Player, mallory: Player
) -> None:
    line = {"line": str(next_move(mid))}
    assert take(client.get(url(mid), line)) == []
    client.force_login(mallory)
    assert take(client.get(url(mid), line)) == []
    play.resign(mid, player=bob, at=AT)
    client.force_login(bob)
    assert take(client.get(url(mid), line)) == []


# --- Who sees what, and what it costs ----------------------------------------------------------------


def test_it_is_the_same_for_all_but_that_link(client: Client, mid: Game, alice: Player) -> None:
    asked = {"line": join_moves(steps_from(mid.position(), 2))}
    seen = soup(client.get(url(mid), asked)).select_one("#table")
    client.force_login(alice)
    mine = soup(client.get(url(mid), asked)).select_one("#table")
    assert seen is not None
    assert mine is not None
    for link in mine.select("[aria-labelledby=line] > p > a"):
        link.find_parent("p").remove()  # type: ignore[union-attr]
    assert "".join(str(mine).split()) == "".join(str(seen).split())


def test_it_only_answers_reading(client: Client, mid: Game) -> None:
    assert client.post(url(mid)).status_code == 405
    assert client.head(url(mid)).status_code == 200


def test_it_needs_no_more_queries_for_a_longer_line(
    client: Client, mid: Game, alice: Player, django_assert_max_num_queries: Any
) -> None:
    client.force_login(alice)
    client.get(url(mid))
    for count in (1, 20):
        with django_assert_max_num_queries(7):
            client.get(url(mid), {"line": join_moves(steps_from(mid.position(), count))})


def test_it_escapes_names(client: Client, mid: Game, bob: Player) -> None:
    mid.seats.filter(player=bob).update(name="<i>bob</i>")
    content = client.get(url(mid), {"line": join_moves(steps_from(mid.position(), 3))}).content.decode()
    assert "<i>bob" not in content
    assert "&lt;i&gt;bob&lt;/i&gt;" in content

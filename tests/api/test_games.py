"""Games and positions, as programs read them."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from games import rules
from games.models import Game, Player
from tests.api.helpers import call, read, refuse, token_of
from tests.cast import make_game, make_table, play_out, play_random
from tests.made_once import scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(alice: Player, bob: Player, carol: Player) -> Game:
    return scene("finished", lambda: play_out(make_game(alice, bob, carol), seed=5))


@pytest.fixture
def by_link(alice: Player, bob: Player) -> Game:
    """A running table by link, at which carol and mallory have no seat."""
    return scene("by link", lambda: play_random(make_game(alice, bob, is_public=False), 6))


def ids(answer: Any) -> list[str]:
    return [game["id"] for game in answer["games"]]


# --- One game --------------------------------------------------------------------------------------


def test_a_game_that_is_over_has_all_of_its_record(finished: Game) -> None:
    shown = read(f"games/{finished.slug}")
    record = rules.read_record(shown["record"])
    assert str(record.replay()[-1].position) == str(finished.position())
    assert [seat["clan"] for seat in shown["seats"]] == list(record.clans or ())
    assert [seat["total"] for seat in shown["seats"]] == shown["record"]["result"]["totals"]
    assert shown["record"]["deal"]["seed"] == bytes(finished.deal.seed).hex()
    assert (shown["status"], shown["end"], shown["to_move"], shown["state"]["to_move"]) == (
        "finished",
        "villages",
        None,
        None,
    )


def test_a_running_game_shows_the_card_of_its_caller_alone(game: Game, alice: Player) -> None:
    mine = game.seats.get(player=alice)
    shown = read(f"games/{game.slug}", token=token_of(alice))
    assert [seat["clan"] for seat in shown["seats"] if seat["mine"]] == [mine.clan]
    assert [seat["clan"] for seat in shown["seats"] if not seat["mine"]] == [None, None]
    public = read(f"games/{game.slug}")
    assert [seat["clan"] for seat in public["seats"]] == [None] * 3
    assert "result" not in public["record"]
    assert set(public["record"]["deal"]) == {"version", "game", "commitment"}


def test_an_open_table_has_no_position_yet(alice: Player) -> None:
    table = make_table(alice)
    shown = read(f"games/{table.slug}")
    assert (shown["status"], shown["state"], shown["record"]) == ("open", None, None)
    assert [seat["name"] for seat in shown["seats"]] == ["alice"]
    refuse(f"games/{table.slug}/plies/0", 404)


def test_a_table_by_link_is_there_for_its_players_alone(by_link: Game, alice: Player, mallory: Player) -> None:
    assert read(f"games/{by_link.slug}", token=token_of(alice))["id"] == by_link.slug
    for address in (by_link.slug, f"{by_link.slug}/plies/3"):
        unknown = address.replace(by_link.slug, "a" * 26)
        for token in ("", token_of(mallory)):
            answers = [call(f"games/{path}", token=token) for path in (address, unknown)]
            assert {answer.status_code for answer in answers} == {404}
            assert answers[0].content == answers[1].content
            assert dict(answers[0].headers) == dict(answers[1].headers)


def test_whoever_had_a_seat_still_sees_the_table(by_link: Game, alice: Player, bob: Player, carol: Player) -> None:
    seat = by_link.seats.get(player=bob)
    seat.former_holders.create(player=carol, name="carol", ply=1, at=by_link.created_at, has_resigned=True)
    assert read(f"games/{by_link.slug}", token=token_of(carol))["seats"][0]["clan"] is None


# --- Positions -------------------------------------------------------------------------------------


def test_it_shows_each_ply(finished: Game) -> None:
    steps = finished.steps()
    for ply in (1, 20, finished.ply):
        shown = read(f"games/{finished.slug}/plies/{ply}")
        step = steps[ply - 1]
        assert shown["huts"] == {
            name: letters for name in rules.STANDARD.board.names if (letters := step.position.letters(name))
        }
        assert list(shown["scores"].values()) == list(step.position.scores)
        assert shown["chips"] == list(step.position.chips)
        assert [village["territory"] for village in shown["villages"]] == [
            village.territory for village in step.position.villages
        ]
        move = shown["move"]
        assert (move["seat"], move["origin"], move["target"]) == (step.seat, step.move.origin, step.move.target)
        assert move["villages"] == [village.territory for village in step.villages]
    assert read(f"games/{finished.slug}/plies/0")["move"] is None
    refuse(f"games/{finished.slug}/plies/{finished.ply + 1}", 404)


def test_it_finds_the_games_that_passed_through_a_position(finished: Game, alice: Player, bob: Player) -> None:
    """What the test computes from the moves alone: which games came to which key."""
    play_out(make_game(alice, bob), seed=6)
    hidden = play_out(make_game(alice, bob, is_public=False), seed=7)
    for ply in (0, 7, finished.ply):
        key = read(f"games/{finished.slug}/plies/{ply}")["position"]
        assert ids(read(f"positions/{key}/games")) == [finished.slug]
    key = read(f"games/{hidden.slug}/plies/7", token=token_of(alice))["position"]
    assert ids(read(f"positions/{key}/games")) == []
    assert ids(read("positions/0123456789abcdef/games")) == []
    refuse("positions/XYZ/games", 422)


# --- Lists -----------------------------------------------------------------------------------------


def test_the_archive_is_searched_as_its_page_is(finished: Game, alice: Player, bob: Player) -> None:
    duel = play_out(make_game(alice, bob, five_clans="nothing"), seed=8)
    running = make_game(alice, bob)
    hidden = play_out(make_game(alice, bob, is_public=False), seed=9)
    assert {*ids(read("games"))} == {finished.slug, duel.slug}
    assert ids(read("games?player=carol")) == [finished.slug]
    assert ids(read("games?size=2&five_clans=nothing")) == [duel.slug]
    assert ids(read(f"games?position={finished.slug}-9&order=longest")) == [finished.slug]
    assert ids(read("games?player=&size=")) == ids(read("games"))
    assert {*ids(read("games?mine=true", token=token_of(bob)))} == {finished.slug, duel.slug, hidden.slug}
    assert running.slug not in call("games").content.decode()
    assert ids(read("games?mine=false", token=token_of(bob))) == ids(read("games"))
    refuse("games?mine=true", 401)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("player=nobody", "player"),
        ("size=9", "size"),
        ("margin_from=5&margin_to=3", "margin_to"),
        ("since=2026-02-30", "since"),
        ("opening=A1-A1", "opening"),
        ("position=unknownxyz-1", "position"),
        ("cursor=nonsense", "cursor"),
        ("cursor=after-1", "cursor"),
        ("limit=101", "limit"),
        ("limit=many", "limit"),
        ("players=alice", "players"),
        ("size=2&size=3", "size"),
    ],
)
def test_it_says_which_parameter_cannot_be_used(alice: Player, query: str, name: str) -> None:
    [wrong] = refuse(f"games?{query}", 422)["errors"]
    assert wrong["name"] == name
    assert wrong["detail"]


def test_it_says_which_values_a_parameter_may_have(alice: Player) -> None:
    [wrong] = refuse("games?size=9", 422)["errors"]
    assert wrong == {"name": "size", "detail": "Choose one of these: 2, 3, 4."}
    [wrong] = refuse("games?end=draw", 422)["errors"]
    assert wrong["detail"] == "Choose one of these: villages, no-moves, abandoned."


def test_a_search_by_position_does_not_tell_of_a_table_by_link(by_link: Game, alice: Player, mallory: Player) -> None:
    """The page of the archive answers whoever has the link; a program that tries addresses gets nowhere."""
    known, unknown = (f"games?position={slug}-3" for slug in (by_link.slug, "a" * 26))
    assert read(known, token=token_of(alice))["games"] == []
    for token in ("", token_of(mallory)):
        assert call(known, token=token).content == call(unknown, token=token).content
        refuse(known, 422, token=token)


def test_running_games_are_listed_as_far_as_the_caller_may_see_them(
    game: Game, finished: Game, by_link: Game, alice: Player, carol: Player
) -> None:
    opened = make_table(alice)
    assert ids(read("running")) == ids(read("running", token=token_of(carol))) == [game.slug]
    assert ids(read("running?mine=true", token=token_of(alice))) == [opened.slug, by_link.slug, game.slug]
    assert ids(read("running?mine=true", token=token_of(carol))) == [game.slug]
    refuse("running?mine=true", 401)


def test_lists_are_read_page_by_page(alice: Player, bob: Player) -> None:
    for seed in range(5):
        play_out(make_game(alice, bob), seed=seed)
    whole = ids(read("games"))
    first = read("games?limit=2")
    assert (first["count"]["number"], first["count"]["exact"], first["before"]) == (5, True, None)
    second = read(f"games?limit=2&cursor={first['after']}")
    third = read(f"games?limit=2&cursor={second['after']}")
    assert (second["count"], third["after"]) == (None, None)
    assert ids(first) + ids(second) + ids(third) == whole
    assert ids(read(f"games?limit=2&cursor={quote(second['before'])}")) == ids(first)


def test_a_long_list_is_counted_up_to_a_thousand(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(4):
        make_game(alice, bob)
    monkeypatch.setattr("games.pages.lists.paging.MOST_COUNTED", 3)
    assert read("running?limit=2")["count"] == {"number": 3, "exact": False, "text": "more than 3"}
    monkeypatch.setattr("games.pages.lists.paging.MOST_COUNTED", 4)
    assert read("running?limit=2")["count"] == {"number": 4, "exact": True, "text": "4"}

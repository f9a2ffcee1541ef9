"""Games that passed through a position, and games that began with the same moves: what is found is what the records of
the games say."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.apps import apps
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.models import Game, PassedPosition, Player, fill_positions
from tests.cast import AT, make_game, make_player, play_out, play_random, seat_to_move
from tests.made_once import made_once
from tests.pages.helpers import soup, table_url, text_of
from tests.pages.searching import found

pytestmark = pytest.mark.django_db


@pytest.fixture
def archived(db: None) -> list[Game]:
    """Games of the same opening that part after some moves, the last one by link and one with other huts."""
    made_once(play_alike)
    return list(Game.objects.order_by("pk"))


def play_alike() -> None:
    alice, bob, carol = map(make_player, ("alice", "bob", "carol"))
    first = play_out(make_game(alice, bob), seed=1)
    moves = [move.text for move in first.moves.all()]
    games = [first, *(copy_of(first, moves[:plies], carol, alice, seed=plies) for plies in (20, 6, 0))]
    others = [play_out(make_game(alice, bob, carol), seed=9)]
    by_link = copy_of(first, moves[:12], bob, carol, seed=3, is_public=False)
    for number, game in enumerate([*games, *others, by_link]):
        Game.objects.filter(pk=game.pk).update(name=f"Table {number}")
        game.refresh_from_db()
        assert game.is_over


def copy_of(first: Game, moves: list[str], *players: Player, seed: int, is_public: bool = True) -> Game:
    """A game with the same huts, and the same moves to begin with."""
    game = make_game(*players, is_public=is_public)
    starts = game.seats.get(number=first.first)
    Game.objects.filter(pk=game.pk).update(
        huts=first.huts, first=first.first, to_move=first.first, awaited=starts.player
    )
    for ply, text in enumerate(moves):
        move = rules.Move.parse(text, game.ruleset.board)
        play.play_move(game, seat=seat_to_move(game), move=move, ply=ply, key=str(ply), at=AT)
    return play_out(game, seed=seed)


def passed(client: Client, game: Game) -> list[str]:
    """All positions of a game as its record has it, but for the number of moves."""
    record = rules.read_record(client.get(table_url(game, "record.json")).json())
    positions = [rules.set_up(record.opening), *(step.position for step in rules.fold(record.opening, record.moves))]
    return [str(position).replace(f" ply={position.ply} ", " ") for position in positions]


def test_it_finds_who_passed_through_a_position(client: Client, archived: list[Game]) -> None:
    positions = {game.name: passed(client, game) for game in archived if game.is_public}
    counts = set()
    for name, plies in ((name, plies) for name in ("Table 0", "Table 2", "Table 4") for plies in (0, 3, 6, 15, 21)):
        game = next(game for game in archived if game.name == name)
        fits = {other for other, all_of_it in positions.items() if positions[name][plies] in all_of_it}
        assert {*found(client, f"position={game.slug}-{plies}")} == fits, (name, plies)
        counts.add(len(fits))
    assert counts == {1, 2, 3, 4}


def test_it_finds_games_that_began_with_the_same_moves(client: Client, archived: list[Game]) -> None:
    began = {game.name: [move.text.partition("=")[0] for move in game.moves.all()] for game in archived}
    for plies in (1, 3, 6, 8):
        moves = began["Table 0"][:plies]
        fits = {game.name for game in archived if game.is_public and sorted(began[game.name][:plies]) == sorted(moves)}
        written = " ".join(moves)
        for text in (written, ", ".join(moves).lower(), written.replace("-", ""), written.replace("-", "  ")):
            assert {*found(client, f"opening={quote(text)}")} >= fits
        assert ("Table 2" in fits) is (plies <= 6)
        assert ("Table 2" in found(client, f"opening={quote(' '.join(moves))}")) is (plies <= 6)


def test_a_position_leads_from_the_replay_to_its_games_and_on(client: Client, archived: list[Game]) -> None:
    replay = soup(client.get(table_url(archived[0], "ply/3/")))
    [link] = [one["href"] for one in replay.select("a") if one.get_text() == "Games that passed here"]
    page = soup(client.get(str(link)))
    assert "Position: Table 0, move 3" in text_of(client.get(str(link)))
    field = page.select_one("[name=position]")
    assert field
    assert field["value"] == f"{archived[0].slug}-3"
    [on] = [one["href"] for one in page.select("a") if one.get_text() == "Games that began with these moves"]
    assert len(soup(client.get(f"/archive/{on}")).select(".table-name")) >= 3


def test_it_narrows_down_by_all_else(client: Client, archived: list[Game]) -> None:
    slug = archived[0].slug
    assert found(client, f"position={slug}-6&player=bob") == ["Table 0"]
    assert {*found(client, f"position={slug}-6&winner=alice&order=longest")} == {
        game.name for game in archived[:3] if any(seat.name == "alice" and seat.rank == 1 for seat in game.seats.all())
    }


def test_running_games_and_games_by_link_are_found_by_nobody_else(
    client: Client, archived: list[Game], alice: Player, carol: Player
) -> None:
    first, by_link = archived[0], archived[-1]
    running = make_game(alice, carol)
    Game.objects.filter(pk=running.pk).update(huts=first.huts)
    assert not PassedPosition.objects.filter(game=running).exists()
    assert "Table 5" not in found(client, f"position={first.slug}-6")
    assert "Table 5" not in found(client, f"position={by_link.slug}-12")
    assert found(client, f"position={by_link.slug}-20") == []
    client.force_login(alice)
    assert "Table 5" not in found(client, f"mine=1&position={first.slug}-6")
    client.force_login(carol)
    assert "Table 5" in found(client, f"mine=1&position={first.slug}-6")
    assert "Games that passed here" not in text_of(client.get(table_url(by_link, "ply/3/")))
    assert "Games that passed here" not in text_of(client.get(table_url(running, "ply/0/")))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("position=nonsense", "There is no such move of a game."),
        ("position=aaaaaaaaaa-3", "There is no such move of a game."),
        ("position={slug}-60", "There is no such move of a game."),
        ("position={slug}-²", "There is no such move of a game."),
        ("position={table}-0", "There is no such move of a game."),
        ("opening=hello", "Write at most 8 moves, such as B2-B3, with commas between them."),
        ("opening=A1-A2+A1", "Write at most 8 moves, such as B2-B3, with commas between them."),
        ("opening=" + "+".join(["A1-A2"] * 9), "Write at most 8 moves, such as B2-B3, with commas between them."),
        ("opening=A1-A1", "A1"),
        ("opening=Z9-A1", "Z9"),
    ],
)
def test_it_says_what_it_cannot_look_for(client: Client, alice: Player, bob: Player, query: str, said: str) -> None:
    game = make_game(alice, bob)
    table = play.open_table(alice, name="Open", size=2, at=AT)
    response = client.get(f"/archive/?{query.format(slug=game.slug, table=table.slug)}")
    assert response.status_code == 400
    assert said in text_of(response, "main")


def test_it_stores_each_position_when_a_game_ends_and_again(alice: Player, bob: Player) -> None:
    games = [play_out(make_game(alice, bob), seed=seed) for seed in range(2)]
    play_random(make_game(alice, bob), plies=5)
    before = list(PassedPosition.objects.order_by("game", "ply").values())
    assert [row["ply"] for row in before] == [ply for game in games for ply in range(game.ply + 1)]
    PassedPosition.objects.filter(ply__gt=3).delete()
    PassedPosition.objects.update(key=1)
    assert fill_positions(of=apps) == 2
    assert list(PassedPosition.objects.order_by("game", "ply").values()) == before


def test_it_costs_few_queries(
    client: Client, archived: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        assert len(found(client, f"position={archived[0].slug}-6")) == 3

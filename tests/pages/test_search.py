"""Looking for games in the archive: what is found is what Python finds in the same games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.apps import apps
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.importing import FileLine, import_records
from games.models import Game, Player, fill_results
from games.pages.lists.search import SearchForm
from tests.cast import AT, make_game, make_player, play_out, play_random
from tests.made_once import made_once
from tests.pages.helpers import soup, text_of

pytestmark = pytest.mark.django_db

Fits = Callable[[Game], bool]

TALK = {"Table 0": "players", "Table 3": "end", "Table 4": "open"}
"""Where something is said, and who else reads it."""
SHARED = "Table 5"
"""Where two have won."""


@pytest.fixture
def archived(db: None) -> list[Game]:
    """A few games of each sort: of two and three, with computer players, played out and abandoned, one by link."""
    made_once(fill_archive)
    return list(Game.objects.order_by("pk"))


def fill_archive() -> None:
    alice, bob, carol = map(make_player, ("alice", "bob", "carol"))
    circles = [(alice, bob), (alice, bob, carol), (bob, carol), (carol, alice)]
    games = [make_game(*circle, bots=bots) for circle in circles for bots in (0, 1) if len(circle) + bots < 4]
    games += [make_game(bob, alice, five_clans="nothing"), make_game(alice, bob, is_public=False)]
    for number, game in enumerate(games):
        if number == 2:
            for player in (alice, bob, carol):
                play.agree_to_abandon(game, player=player, agrees=True, at=AT)
        play_out(game, seed=number)
        ended_at = AT - timedelta(days=3 * number)
        if f"Table {number}" in TALK:
            play.write_postcard(game, player=next(sitting(game)), text="Well played", at=AT)
        name, hours = f"Table {number}", (12, 24, 72, 100, 168)[number % 5]
        told = {"name": name, "move_hours": hours, "talk": TALK.get(name, "players")}
        Game.objects.filter(pk=game.pk).update(ended_at=ended_at, **told)
        game.seats.update(ended_at=ended_at)
        game.refresh_from_db()
        assert game.is_over
    share_the_win(next(game for game in games if game.name == SHARED))


def sitting(game: Game) -> Iterator[Player]:
    return (seat.player for seat in game.seats.all() if seat.player)


def share_the_win(game: Game) -> None:
    """Let all at the table have won."""
    game.seats.update(rank=1, total=40)
    fill_results(of=apps)
    game.refresh_from_db()


def sat(*names: str) -> Fits:
    return lambda game: set(names) <= {seat.name for seat in game.seats.all()}


def won(name: str) -> Fits:
    return lambda game: any(seat.name == name and seat.rank == 1 for seat in game.seats.all())


def has_computers(game: Game) -> bool:
    return any(seat.player is None for seat in game.seats.all())


def totals(game: Game) -> list[int]:
    """Best first; none where nobody has won."""
    return sorted((seat.total or 0 for seat in game.seats.all() if seat.rank), reverse=True)


def margin(game: Game) -> int:
    """-1 where nobody has won."""
    return totals(game)[0] - totals(game)[1] if totals(game) else -1


def has_talk(game: Game) -> bool:
    """Whether anybody may read that something was said."""
    return game.name in TALK and game.talk != "players"


SEARCHES: dict[str, Fits] = {
    "player=carol": sat("carol"),
    "player=ALICE, carol": sat("alice", "carol"),
    "player=alice bob carol": sat("alice", "bob", "carol"),
    "winner=bob": won("bob"),
    "player=Computer 1": sat("computer 1"),
    "player=computer 1, carol": sat("computer 1", "carol"),
    "winner=computer 1": won("computer 1"),
    "winner=computer 1&clan=green": lambda game: any(
        (seat.name, seat.clan, seat.rank) == ("computer 1", "green", 1) for seat in game.seats.all()
    ),
    "player=alice&winner=bob": lambda game: sat("alice")(game) and won("bob")(game),
    "clan=red": lambda game: any(seat.clan == "red" and seat.rank == 1 for seat in game.seats.all()),
    "winner=alice&clan=blue": lambda game: any(
        (seat.name, seat.clan, seat.rank) == ("alice", "blue", 1) for seat in game.seats.all()
    ),
    "size=2": lambda game: game.size == 2,
    "computers=yes": has_computers,
    "computers=no": lambda game: not has_computers(game),
    "end=abandoned": lambda game: game.end == "abandoned",
    "end=villages&size=3": lambda game: game.end == "villages" and game.size == 3,
    "five_clans=nothing": lambda game: game.five_clans == "nothing",
    "pace=daily": lambda game: game.move_hours == 24,
    "pace=leisurely": lambda game: 72 < game.move_hours <= 168,
    "pace=steady&player=alice": lambda game: sat("alice")(game) and 24 < game.move_hours <= 72,
    "tie=yes": lambda game: margin(game) == 0,
    "tie=no": lambda game: margin(game) > 0,
    "clan=red&tie=no": lambda game: (
        any(seat.clan == "red" and seat.rank == 1 for seat in game.seats.all()) and margin(game) > 0
    ),
    "margin_from=5": lambda game: margin(game) >= 5,
    "margin_to=12": lambda game: 0 <= margin(game) <= 12,
    "margin_from=1&margin_to=9": lambda game: 1 <= margin(game) <= 9,
    "total_from=40": lambda game: totals(game)[:1] >= [40],
    "total_to=45&player=bob": lambda game: sat("bob")(game) and 0 < max(totals(game), default=0) <= 45,
    "moves_from=30": lambda game: game.ply >= 30,
    "moves_to=30": lambda game: game.ply <= 30,
    "moves_from=32&moves_to=34": lambda game: 32 <= game.ply <= 34,
    "talk=yes": has_talk,
    "talk=no": lambda game: not has_talk(game),
    "talk=yes&player=alice": lambda game: has_talk(game) and sat("alice")(game),
    "title=table 5": lambda game: game.name == "Table 5",
    "title=50%": lambda game: False,
    "since=2026-02-20": lambda game: f"{game.ended_at:%Y-%m-%d}" >= "2026-02-20",
    "until=2026-02-20": lambda game: f"{game.ended_at:%Y-%m-%d}" <= "2026-02-20",
    "since=2026-02-18&until=2026-02-24": lambda game: "2026-02-18" <= f"{game.ended_at:%Y-%m-%d}" <= "2026-02-24",
    "player=bob&computers=no&size=2": lambda game: sat("bob")(game) and not has_computers(game) and game.size == 2,
}


def found(client: Client, query: str) -> list[str]:
    response = client.get(f"/archive/?{query}")
    assert response.status_code == 200
    return [link.get_text() for link in soup(response).select(".table-name")]


def test_it_finds_what_fits_newest_first(client: Client, archived: list[Game]) -> None:
    public = [game for game in archived if game.is_public]
    assert any(len([game for game in public if fits(game)]) not in (0, len(public)) for fits in SEARCHES.values())
    for query, fits in SEARCHES.items():
        assert found(client, query) == [game.name for game in public if fits(game)], query


def test_it_finds_games_by_link_for_who_sat_there_among_their_own_alone(
    client: Client, archived: list[Game], alice: Player, carol: Player
) -> None:
    [by_link] = [game.name for game in archived if not game.is_public]
    for viewer in (alice, carol):
        client.force_login(viewer)
        for query, fits in SEARCHES.items():
            if "talk" in query:  # in one's own games that is all talk
                continue
            mine = [game.name for game in archived if sat(viewer.username)(game) and fits(game)]
            assert found(client, f"mine=1&{query}") == mine, query
            assert by_link not in found(client, query)


def test_it_finds_all_talk_in_games_of_ones_own(client: Client, archived: list[Game], alice: Player) -> None:
    client.force_login(alice)
    mine = [game.name for game in archived if sat("alice")(game)]
    assert found(client, "mine=1&talk=yes") == [name for name in mine if name in TALK]
    assert found(client, "mine=1&talk=no") == [name for name in mine if name not in TALK]


@pytest.mark.parametrize("order", ["closest", "clearest", "points"])
def test_it_sorts_by_the_result_games_that_have_one(client: Client, archived: list[Game], order: str) -> None:
    value: Callable[[Game], int] = (lambda game: totals(game)[0]) if order == "points" else margin
    sorted_by = {game.name: value(game) for game in archived if game.is_public and game.end != "abandoned"}
    for query in ("", "&player=alice"):
        shown = [sorted_by[name] for name in found(client, f"order={order}{query}")]
        assert len({*shown}) > 2
        assert shown == sorted(shown, reverse=order != "closest")
    assert {*found(client, f"order={order}")} == {*sorted_by}


def test_it_sorts_by_moves(client: Client, archived: list[Game]) -> None:
    moves = {game.name: game.ply for game in archived if game.is_public}
    for order, is_reversed in (("longest", True), ("shortest", False)):
        assert [moves[name] for name in found(client, f"order={order}")] == sorted(moves.values(), reverse=is_reversed)
        of_alice = [moves[name] for name in found(client, f"order={order}&player=alice")]
        assert of_alice == sorted(of_alice, reverse=is_reversed) != []


def test_it_pages_through_what_it_has_found(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    fields = {field.name: getattr(game, field.attname) for field in Game._meta.fields if not field.is_relation}
    Game.objects.bulk_create(
        Game(**(fields | {"id": None, "key": "", "slug": f"copy{n}", "name": f"x{n}", "opener": alice, "ply": n % 7}))
        for n in range(45)
    )
    pages = ["/archive/?title=x&order=longest"]
    while onward := soup(client.get(pages[-1])).select_one("a[rel=next]"):
        pages.append(f"/archive/{onward['href']}")
    shown = [link.get_text() for page in pages for link in soup(client.get(page)).select(".table-name")]
    assert shown == sorted((f"x{n}" for n in range(45)), key=lambda name: (-(int(name[1:]) % 7), -int(name[1:])))
    back = soup(client.get(pages[2])).select_one("a[rel=prev]")
    assert back
    assert [link.get_text() for link in soup(client.get(f"/archive/{back['href']}")).select(".table-name")] == shown[
        20:40
    ]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("player=nobody", "Nobody here is called nobody."),
        ("player=alice nobody", "Nobody here is called nobody."),
        ("player=nobody, alice", "Nobody here is called nobody."),
        ("winner=somebody else", "Nobody here is called somebody else."),
        ("winner=alice alice2", "Nobody here is called alice2."),
        ("player=a%00b", "Leave out the signs that cannot be seen."),
        ("size=5", "Choose one of these."),
        ("order=secret", "Choose one of these."),
        ("since=2026-02-31", "That is not a day of the calendar."),
        ("since=2026-03-01&until=2026-02-01", "That is before the first day."),
        ("since=0001-01-01", "That is not a day of the calendar."),
        ("until=9999-12-31", "That is not a day of the calendar."),
        ("moves_from=30&moves_to=20", "That is below the first number."),
        ("margin_from=-1", "At least 0."),
        ("total_to=many", "Write a whole number."),
        ("total_to=99999999999999999999", "At most 999."),
        ("title=" + "x" * 61, "At most 60 letters fit here, and these are 61."),
    ],
)
def test_it_says_what_it_cannot_look_for(client: Client, alice: Player, query: str, said: str) -> None:
    response = client.get(f"/archive/?{query}")
    assert response.status_code == (400 if said else 200)
    assert said in text_of(response)


# --- Names without an account ----------------------------------------------------------------------


@pytest.fixture
def imported(archived: list[Game]) -> list[Game]:
    """Games of people who have no account here: Zoë Müller against alice, Li, a computer player and both."""
    names = [("Zoë Müller", "alice"), ("Li", "zoë müller"), ("Li", "computer 1", "Zoë Müller"), ("Li", "alice")]
    lines = []
    for number, players in enumerate(names):
        record = rules.simulate(len(players) - 2 + 3 * number, seed=5)
        assert len(record["players"]) == len(players)
        for player, name in zip(record["players"], players, strict=True):
            player["name"] = name
        lines.append(FileLine(number, json.dumps(record | {"name": f"Imported {number}"}).encode()))
    assert [each.outcome for each in import_records(lines, at=AT)] == ["imported"] * len(names)
    return list(Game.objects.filter(name__startswith="Imported").order_by("name"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("player=zoë müller", "0 1 2"),
        ("player=Zoë Müller, Li", "1 2"),
        ("player=li,COMPUTER 1", "2"),
        ("player=Li&order=oldest&size=2", "1 3"),
    ],
)
def test_it_finds_imported_games_by_their_names(
    client: Client, imported: list[Game], query: str, expected: str
) -> None:
    games = {name.removeprefix("Imported ") for name in found(client, query)}
    assert games == {*expected.split()}


def test_it_finds_who_won_imported_games(client: Client, imported: list[Game]) -> None:
    for name in ("Zoë Müller", "Li"):
        won = [
            game.name for game in imported for seat in game.seats.filter(rank=1) if seat.name.lower() == name.lower()
        ]
        assert sorted(found(client, f"winner={name}")) == sorted(won)


def test_a_name_with_an_account_leads_to_that_alone(client: Client, imported: list[Game]) -> None:
    """Whoever is called so elsewhere is somebody else."""
    assert not [name for name in found(client, "player=alice") if name.startswith("Imported")]


def test_a_name_is_no_way_round_a_closed_account(client: Client, archived: list[Game], carol: Player) -> None:
    assert found(client, "player=carol")
    play.close_account(carol, at=AT)
    assert "Nobody here is called carol." in text_of(client.get("/archive/?player=carol"))


def test_it_does_not_tell_who_sat_at_a_table_by_link(client: Client, imported: list[Game], alice: Player) -> None:
    Game.objects.filter(name__startswith="Imported").update(is_public=False)
    for path in ("/archive/?player=Li", "/archive/?winner=Zoë Müller", "/archive/?player=Nobody at all"):
        response = client.get(path)
        assert response.status_code == 400
        assert "Nobody here is called" in text_of(response)


def test_four_names_without_account_cost_two_queries_more(
    client: Client, imported: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/archive/?size=2")
    with django_assert_num_queries(6):
        assert found(client, "player=Li, Zoë Müller, computer 1") == ["Imported 2"]


def test_each_thing_that_is_asked_for_is_a_link_without_it(client: Client, alice: Player) -> None:
    page = soup(client.get("/archive/?player=alice&size=2&order=oldest"))
    assert [link["href"] for link in page.select(".asked")] == [
        "/archive/?size=2&order=oldest",
        "/archive/?player=alice&order=oldest",
        "/archive/?player=alice&size=2",
    ]
    [link] = soup(client.get("/archive/?size=2")).select(".asked")
    assert link["href"] == "/archive/"


def test_its_form_shows_the_fields_that_are_asked_for(client: Client) -> None:
    def opened(query: str) -> list[str]:
        groups = soup(client.get(f"/archive/?{query}")).select(".search form details[open] > summary")
        return [group.get_text() for group in groups]

    assert opened("size=3") == []
    assert opened("moves_from=20&talk=no&order=longest") == ["When, and how long", "Moves, table and talk"]
    form = soup(client.get("/archive/?size=3")).select(".search form [name]:not([type=hidden])")
    assert {field["name"] for field in form} == {*SearchForm({}).fields} - {"position"}


def test_it_says_first_what_is_wrong(client: Client) -> None:
    response = client.get("/archive/?margin_from=9&margin_to=1&position=nowhere")
    page, html = soup(response), response.content.decode()
    [errors] = page.select(".form-errors[autofocus]")
    assert errors.get_text(" ", strip=True).startswith("Nothing was looked for. Please correct: Position: ")
    assert [link["href"] for link in errors.select("a")] == ["#id_margin_to"]
    assert page.select_one("#id_margin_to")
    assert html.index("form-errors") < html.index('class="form form-wide"')
    assert [group.get_text() for group in page.select(".search form details[open] > summary")] == ["How it ended"]


def test_the_first_page_of_a_search_says_how_many_games_there_are(
    client: Client, archived: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(query: str) -> str:
        strong = soup(client.get(f"/archive/{query}")).select_one(".search.more strong")
        return strong.get_text() if strong else ""

    three = len(found(client, "size=3"))
    assert said("?size=3") == f"{three} games"
    assert said("?title=Table 0") == "1 game"
    assert (said("?title=nowhere"), said("")) == ("", "")
    monkeypatch.setattr("games.pages.lists.archive.PAGE", 2)
    assert said("?size=3") == f"{three} games"
    after = soup(client.get("/archive/?size=3")).select_one("a[rel=next]")
    assert after
    assert said(str(after["href"])) == ""
    monkeypatch.setattr("games.pages.lists.paging.MOST_COUNTED", three - 1)
    assert said("?size=3") == f"More than {three - 1} games"


def test_it_keeps_what_was_asked_and_says_it(client: Client, alice: Player, bob: Player) -> None:
    page = soup(client.get("/archive/?player=alice+bob&size=2&order=oldest"))
    field = page.select_one("[name=player]")
    assert field
    assert field["value"] == "alice bob"
    assert [option["value"] for option in page.select(".search [selected]") if option["value"]] == ["2", "oldest"]
    assert [span.get_text() for span in page.select(".asked > span:first-child")] == [
        "Played by: alice bob",
        "Seats: 2",
        "Order: oldest first",
    ]
    assert "No finished game fits all of that." in page.get_text()


@pytest.mark.parametrize(
    ("sent", "short"),
    [
        ("?player=alice&winner=&clan=&size=2&order=", "?player=alice&size=2"),
        ("?player=+&title=&board=", ""),
        ("?mine=1&size=&size=3&end=&at=after-5", "?mine=1&size=3&at=after-5"),
        ("?size=&size=3&end=&at=after-5", "?size=3&at=after-5"),
        ("?player=no%26body,%20Zo%C3%AB&talk=", "?player=no%26body%2C+Zo%C3%AB"),
    ],
)
def test_the_address_of_a_search_has_what_is_asked_for_alone(client: Client, sent: str, short: str) -> None:
    response = client.get(f"/archive/{sent}")
    assert (response.status_code, response.headers.get("Location")) == (302, f"/archive/{short}")
    assert "mine" in short or client.get(f"/archive/{short}").status_code != 302


def test_it_tells_nothing_of_games_that_run(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), plies=10)
    assert not game.is_over
    play.write_postcard(game, player=alice, text="Your move", at=AT)
    Game.objects.filter(pk=game.pk).update(talk="open")
    asked = ("player=alice", "player=alice&clan=red", "winner=alice", "clan=red", "size=2", "computers=no", "talk=yes")
    for query in (*asked, "margin_to=999", "moves_to=999", "tie=no", "order=closest", "order=points&player=bob"):
        assert found(client, query) == []


def test_it_costs_the_same_queries_whatever_it_finds(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Player.objects.update(last_login=AT)
    for seed in range(2):
        play_out(make_game(alice, bob), seed=seed)
    with django_assert_num_queries(3):
        assert len(found(client, "size=2&computers=no")) == 2
    with django_assert_num_queries(4):
        assert len(found(client, "player=alice bob")) == 2

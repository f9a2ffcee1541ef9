"""Opening a table."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.test import Client

from games import play
from games.limits import Limit
from games.models import Game, Player
from games.pages.lists import opening_limits
from tests.cast import AT, make_player, make_table
from tests.pages.helpers import hidden, soup, text_of

pytestmark = pytest.mark.django_db

CHOICES = {
    "name": "Friday table",
    "size": "3",
    "bots": "0",
    "is_public": "yes",
    "pace": "steady",
    "is_rated": "yes",
    "allows_takeover": "yes",
    "allows_vacation": "yes",
    "overdue": "autopilot",
    "five_clans": "score",
    "talk": "players",
}


def allow(monkeypatch: pytest.MonkeyPatch, name: str, amount: int) -> None:
    """Set the limit of that name to so many at once."""
    limit: Limit = getattr(opening_limits, name)
    monkeypatch.setattr(opening_limits, name, limit._replace(rates=(limit.rates[0]._replace(amount=amount),)))


def open_table(client: Client, **changes: str | list[str]) -> Any:
    """The answer to a form with a deal of its own, unless `deal` is given."""
    return client.post("/tables/new/", CHOICES | {"deal": offered_deal(client)} | changes)


def offered_deal(client: Client) -> str:
    """The deal that a new form brings; empty for a visitor, who gets none."""
    field = soup(client.get("/tables/new/")).select_one("input[name=deal]")
    return str(field["value"]) if field else ""


def test_it_opens_a_table_and_goes_there(client: Client, alice: Player) -> None:
    client.force_login(alice)
    response = open_table(client, size="4", bots="1", five_clans="nothing", is_public="no", talk="open")
    game = Game.objects.get()
    assert response.status_code == 303
    assert response["Location"] == f"/tables/{game.slug}/"
    assert (game.opener, game.name, game.size, game.status) == (alice, "Friday table", 4, "open")
    assert (game.five_clans, game.is_public) == ("nothing", False)
    # What is said at a table by link is for its players alone.
    assert game.talk == "players"
    assert Game.objects.get(slug=open_table(client, talk="end")["Location"].split("/")[2]).talk == "end"
    assert [seat.is_bot for seat in game.seats.order_by("joined")] == [False, True]


def test_it_opens_one_table_for_a_form_that_is_sent_twice(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    deal = offered_deal(client)
    first, again = open_table(client, deal=deal), open_table(client, deal=deal)
    assert first["Location"] == again["Location"]
    client.force_login(bob)
    assert open_table(client)["Location"] != first["Location"]
    assert Game.objects.count() == 2


def test_it_finds_the_table_of_a_form_sent_twice_though_there_is_no_room_for_another(
    client: Client, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, "OPEN_TABLES", 1)
    client.force_login(alice)
    deal = offered_deal(client)
    assert [open_table(client, deal=deal).status_code for _ in range(2)] == [303, 303]
    assert open_table(client).status_code == 422


def test_it_starts_at_once_when_computer_players_fill_it(client: Client, alice: Player) -> None:
    client.force_login(alice)
    open_table(client, size="3", bots="2")
    assert Game.objects.get().status == Game.Status.RUNNING


def test_it_can_be_sent_as_it_stands(client: Client, alice: Player) -> None:
    client.force_login(alice)
    page = client.get("/tables/new/")
    name = soup(page).select_one("input[name=name]")
    assert name
    response = client.post("/tables/new/", hidden(page, "form.new-table") | {"name": str(name["value"])})
    assert response.status_code == 303
    assert Game.objects.get().name == "alice’s table"


@pytest.mark.parametrize("unseen", ["\u200b", "\u2060", "\u00ad", "\ufeff", "\u200f", "\u3164", "\u2800", "\u0301"])
def test_it_refuses_a_name_that_nobody_can_see(client: Client, alice: Player, unseen: str) -> None:
    client.force_login(alice)
    for name in (unseen, unseen * 3, *([] if unseen == "\u0301" else [f"Friday{unseen}", f"Fri{unseen}day"])):
        assert open_table(client, name=name).status_code == 422
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("\N{FOX FACE} table", "\N{FOX FACE} table"),
        ("\u2764\ufe0f", "\u2764"),
        ("\uff26riday\u3000table", "Friday table"),
        ("Zoe\u0308’s table", "Zoë’s table"),
        ("金曜日", "金曜日"),
    ],
)
def test_it_keeps_a_name_in_letters_of_one_form(client: Client, alice: Player, name: str, kept: str) -> None:
    client.force_login(alice)
    open_table(client, name=name)
    assert Game.objects.get().name == kept


def test_it_proposes_computer_players_to_who_wants_to_begin_at_once(client: Client, alice: Player) -> None:
    client.force_login(alice)
    chosen = hidden(client.get("/tables/new/?against=computer"), "form.new-table")
    assert (chosen["size"], chosen["bots"]) == ("3", "2")


def test_it_takes_my_own_words_or_the_chance_of_the_form_into_the_deal(client: Client, alice: Player) -> None:
    client.force_login(alice)
    open_table(client, words="the lake is deep", chance="0123")
    open_table(client, chance="4567")
    entropies = [game.seats.get().entropy for game in Game.objects.order_by("pk")]
    assert entropies == ["the lake is deep 0123", "4567"]


def test_it_makes_a_new_chance_for_each_form(client: Client, alice: Player) -> None:
    client.force_login(alice)
    chances = {hidden(client.get("/tables/new/"), "form.new-table")["chance"] for _ in range(2)}
    assert len(chances) == 2


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "  ", "Fill this in."),
        ("name", "x" * 61, "At most 60 letters fit here, and these are 61."),
        ("name", "a\0b", "Leave out the signs that cannot be seen."),
        ("name", "Win at https://evil.example/now", "Leave out addresses of sites and of mail."),
        ("name", "Win at www.evil.example", "Leave out addresses of sites and of mail."),
        ("name", "evil.com pays", "Leave out addresses of sites and of mail."),
        ("name", "Win (x.com/win)", "Leave out addresses of sites and of mail."),
        ("name", "evil.co.uk: free", "Leave out addresses of sites and of mail."),
        ("name", "Мы на сайт.рф!", "Leave out addresses of sites and of mail."),
        ("name", "उदाहरण.भारत", "Leave out addresses of sites and of mail."),
        ("name", "Write to mallory@example.com", "Leave out addresses of sites and of mail."),
        ("name", "More time", "Choose another name: players answer mails with a line like this."),
        ("size", "5", "Choose one of these."),
        ("size", "", "Choose one of these."),
        ("bots", "3", "Of 3 seats the first is yours, which leaves room for 2 computer players."),
        ("five_clans", "double", "Choose one of these."),
        ("is_public", "perhaps", "Choose one of these."),
        ("words", "x" * 121, "At most 120 letters"),
        ("pace", "hasty", "Choose one of these."),
        ("pace", "", "Choose one of these."),
        ("allows_vacation", "perhaps", "Choose one of these."),
        ("overdue", "resign", "Choose one of these."),
        ("talk", "nobody", "Choose one of these."),
        ("is_rated", "maybe", "Choose one of these."),
    ],
)
def test_it_says_beside_the_field_what_is_wrong_and_keeps_the_rest(
    client: Client, alice: Player, field: str, value: str, sentence: str
) -> None:
    client.force_login(alice)
    response = open_table(client, **{"name": "Kept", "words": "kept too"} | {field: value})
    assert response.status_code == 422
    assert sentence in text_of(response, f":is(div, fieldset):has(> .errorlist):has([name={field}])")
    assert sentence in text_of(response, f"form > [role=alert] li:has(a[href='#id_{field}'])")
    assert soup(response).select(f"form #id_{field}")
    if field not in {"name", "words"}:
        assert soup(response).select("input[name=name][value=Kept]")
        assert soup(response).select("input[name=words][value='kept too']")
    assert not Game.objects.exists()


def test_it_begins_with_a_name_that_no_unfinished_table_of_the_player_has(client: Client, alice: Player) -> None:
    client.force_login(alice)

    def offered() -> str:
        name = soup(client.get("/tables/new/")).select_one("input[name=name]")
        return str(name["value"]) if name else ""

    for name in ("alice’s table", "alice’s table (2)", "alice’s table (3)"):
        assert offered() == name
        open_table(client, name=name)
    play.close_table(Game.objects.get(name="alice’s table"), player=alice, at=AT)
    assert offered() == "alice’s table"


def test_it_begins_with_a_name_that_it_takes(client: Client) -> None:
    """Whoever signed up before names with addresses were refused can still open a table by one press."""
    client.force_login(make_player("anna.li"))
    first = soup(client.get("/tables/new/")).select_one("input[name=name]")
    assert first
    assert first["value"] == "anna li’s table"
    assert open_table(client, name=str(first["value"])).status_code == 303


def test_a_name_that_is_much_too_long_costs_little(client: Client, alice: Player) -> None:
    """What takes time by the square of its length took 30 seconds here."""
    client.force_login(alice)
    began = time.process_time()
    response = open_table(client, name="x" * 40_000)
    assert time.process_time() - began < 4
    assert "At most 60 letters fit here" in text_of(response, "form.new-table")


# --- Pace ------------------------------------------------------------------------------------------


def terms_of(game: Game) -> tuple[int, int, bool, str]:
    return (game.move_hours, game.reserve_hours, game.allows_vacation, game.overdue)


@pytest.mark.parametrize(
    ("pace", "hours"),
    [
        ("brisk", (12, 48)),
        ("daily", (24, 120)),
        ("steady", (72, 168)),
        ("leisurely", (168, 336)),
        ("unhurried", (336, 720)),
    ],
)
def test_it_takes_a_pace_by_its_name(client: Client, alice: Player, pace: str, hours: tuple[int, int]) -> None:
    """Whatever stands in the fields of another pace, which nobody sees then."""
    client.force_login(alice)
    assert open_table(client, pace=pace, move_hours="x", reserve_days="-1").status_code == 303
    assert terms_of(Game.objects.get()) == (*hours, True, "autopilot")


@pytest.mark.parametrize(("hours", "days"), [(12, 0), (100, 3), (336, 30)])
def test_it_takes_another_pace(client: Client, alice: Player, hours: int, days: int) -> None:
    client.force_login(alice)
    form = {"move_hours": str(hours), "reserve_days": str(days), "allows_vacation": "no", "overdue": "abandon"}
    assert open_table(client, pace="own", **form).status_code == 303
    assert terms_of(Game.objects.get()) == (hours, 24 * days, False, "abandon")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("move_hours", "11", "A whole number from 12 to 336."),
        ("move_hours", "337", "A whole number from 12 to 336."),
        ("move_hours", "", "A whole number from 12 to 336."),
        ("move_hours", "x", "Write a whole number."),
        ("reserve_days", "-1", "A whole number from 0 to 30."),
        ("reserve_days", "31", "A whole number from 0 to 30."),
        ("reserve_days", "", "A whole number from 0 to 30."),
        ("reserve_days", "9" * 40, "A whole number from 0 to 30."),
    ],
)
def test_it_refuses_a_pace_that_nobody_could_play(
    client: Client, alice: Player, field: str, value: str, sentence: str
) -> None:
    client.force_login(alice)
    response = open_table(client, **{"pace": "own", "move_hours": "24", "reserve_days": "1"} | {field: value})
    assert response.status_code == 422
    assert sentence in text_of(response, f".own-pace > .field:has([name={field}])")
    assert len(soup(response).select(".errorlist")) == 1
    assert not Game.objects.exists()


def test_it_proposes_what_most_choose(client: Client, alice: Player) -> None:
    client.force_login(alice)
    page = client.get("/tables/new/")
    chosen = hidden(page, "form.new-table")
    assert (chosen["pace"], chosen["allows_vacation"], chosen["overdue"]) == ("steady", "yes", "autopilot")
    assert "3 days a move, 7 days in reserve" in text_of(page, ".paces")


@pytest.mark.parametrize(
    ("changes", "is_open"),
    [({}, False), ({"words": "mine"}, True), ({"overdue": "abandon"}, True), ({"allows_vacation": "x"}, True)],
)
def test_it_folds_away_what_stands_as_most_choose_it(
    client: Client, alice: Player, changes: dict[str, str], is_open: bool
) -> None:
    client.force_login(alice)
    assert not soup(client.get("/tables/new/")).select("details[open]")
    assert bool(soup(open_table(client, size="", **changes)).select(".new-table details[open]")) == is_open


def test_the_open_table_tells_its_pace(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    told = open_table(client, pace="daily", overdue="abandon")["Location"]
    client.force_login(bob)
    assert (
        "24 hours for each move, and 5 days in reserve for the whole game. Vacations stop the clock. "
        "When a player’s time runs out, the game is abandoned."
    ) in text_of(client.get(told), ".facts")


def test_it_does_not_blame_the_computer_players_for_a_missing_size(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert len(soup(open_table(client, size="", bots="3")).select(".errorlist")) == 1


def test_it_lets_nobody_flood_the_list_of_open_tables(
    client: Client, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, "OPEN_TABLES", 2)
    for opener in (alice, bob, bob):
        make_table(opener)
    client.force_login(alice)
    assert open_table(client).status_code == 303
    response = open_table(client)
    assert response.status_code == 422
    assert "You have 2 open tables" in text_of(response, "form.new-table")
    assert Game.objects.filter(opener=alice).count() == 2


def test_it_lets_nobody_flood_the_computer_players(
    client: Client, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, "RUNNING_GAMES", 1)
    client.force_login(alice)
    assert open_table(client, bots="2").status_code == 303
    assert "still running" in text_of(open_table(client, bots="2"), "form.new-table")


def test_it_asks_a_visitor_to_sign_in(client: Client) -> None:
    for response in (client.get("/tables/new/"), open_table(client)):
        assert response.status_code == 302
        assert response["Location"] == "/accounts/login/?next=/tables/new/"
    assert not Game.objects.exists()


def test_it_opens_nothing_by_get(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert client.get("/tables/new/", CHOICES).status_code == 200
    assert not Game.objects.exists()


def test_it_writes_names_and_words_on_one_line(client: Client, alice: Player) -> None:
    """A name goes into mails and feeds, where a line of one's own could pass for one of ours."""
    client.force_login(alice)
    signs = {"words": "one\ntwo\r", "chance": "0\x071\n"}
    response = open_table(client, name=" Friday\r\n\r\ntable\u2028of\x0b alice\u00a0", **signs)
    game = Game.objects.get()
    assert response.status_code == 303
    assert game.name == "Friday table of alice"
    assert game.seats.get().entropy == "one two 01"


@pytest.mark.parametrize("sign", ["\x07", "\x1b[31m", "\x7f", "\x9b", "\u202e", "\u2067", "\ufffe"])
def test_it_takes_no_name_with_signs_that_nobody_sees(client: Client, alice: Player, sign: str) -> None:
    client.force_login(alice)
    for field in ("name", "words"):
        response = open_table(client, **{field: f"Friday{sign}table"})
        assert response.status_code == 422
        assert "Leave out the signs that cannot be seen." in text_of(response, "form.new-table")
    assert not Game.objects.exists()


@pytest.mark.parametrize("name", ["👩‍👩‍👧 & co", "شطرنج‌بازها", "Ärger in Łódź", "שולחן", "St. Gallen, J.R., no.7, 3.5"])
def test_it_takes_names_in_any_writing(client: Client, alice: Player, name: str) -> None:
    client.force_login(alice)
    assert open_table(client, name=name).status_code == 303
    assert Game.objects.get().name == name


def test_it_looks_the_same_for_whoever_comes_later(
    client: Client, alice: Player, bob: Player, django_assert_max_num_queries: Any
) -> None:
    """The fields are drawn once for all players, whatever somebody has sent; a name stands in its own form."""
    fields = []
    for player in (alice, bob):
        client.force_login(player)
        with django_assert_max_num_queries(3):
            form = soup(client.get("/tables/new/")).select_one("form.new-table")
        assert form is not None
        fields.append(str(form.select_one(".choices")))
        assert player.username in str(form.select_one("[name=name]"))
        assert open_table(client, size="2", bots="3").status_code == 422
    assert fields[0] == fields[1]

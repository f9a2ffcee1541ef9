"""Taking over a seat: who is offered it and where, that it asks first, and who sees the card from then on."""

from __future__ import annotations

import pytest
from django.test import Client

from games import play
from games.models import FormerHolder, Game, Notice, Player, Report, Seat
from tests.cast import AT, make_player, make_table, play_random
from tests.made_once import scene
from tests.pages.helpers import hidden, links, signed_in, soup, table_url, text_of

pytestmark = pytest.mark.django_db

OFFER = "A seat is free to take over"
TAG = "a seat is free to take over"


@pytest.fixture
def left(alice: Player, bob: Player, carol: Player) -> Game:
    """A running game in which bob has resigned, whose seats may be taken over."""
    return scene("left", lambda: play_without_bob(alice, bob, carol))


def play_without_bob(alice: Player, bob: Player, carol: Player) -> Game:
    game = make_table(alice, size=3, terms=play.Terms(allows_takeover=True))
    for player in (bob, carol):
        play.join_table(game, player=player, at=AT)
    play_random(game, 2)
    play.resign(game, player=bob, at=AT)
    return game


def number_of(game: Game) -> str:
    """The number of the seat that is free, as a form sends it."""
    return str(game.seats.get(resigned_at__isnull=False).number)


def test_it_is_offered_to_who_knows_no_card(
    client: Client, left: Game, alice: Player, bob: Player, mallory: Player
) -> None:
    assert OFFER in text_of(client.get(table_url(left)))
    assert OFFER in text_of(signed_in(mallory).get(table_url(left)))
    for player in (alice, bob):
        assert OFFER not in text_of(signed_in(player).get(table_url(left)))
    play.mute_player(alice, mallory, blocks=True, at=AT)
    assert OFFER not in text_of(signed_in(mallory).get(table_url(left)))


def test_lists_say_that_a_seat_is_free(client: Client, left: Game) -> None:
    assert TAG in text_of(client.get("/watch/"), ".table-row")
    Game.objects.filter(pk=left.pk).update(allows_takeover=False)
    assert TAG not in text_of(client.get("/watch/"), ".table-row")
    assert OFFER not in text_of(client.get(table_url(left)))


def test_it_asks_and_then_gives_the_seat(left: Game, bob: Player, mallory: Player) -> None:
    client, clan = signed_in(mallory), left.seats.get(player=bob).get_clan_display()
    asked = client.post(table_url(left, "take-over/"), {"who": number_of(left)})
    assert (asked.status_code, FormerHolder.objects.count()) == (200, 0)
    assert "Take over the seat of bob?" in text_of(asked)
    told = client.post(table_url(left, "take-over/"), hidden(asked, "form.row") | {"sure": "yes"}, follow=True)
    assert "The seat is yours, with its card." in text_of(told, ".flashes")
    assert clan in text_of(told, "#card")
    assert "mallory took over the seat of bob." in soup(told).select(".history li")[0].get_text()
    assert TAG not in text_of(client.get("/watch/"), ".table-row")


def test_a_visitor_signs_in_first(client: Client, left: Game) -> None:
    answer = client.post(table_url(left, "take-over/"), {"who": number_of(left), "sure": "yes"})
    assert answer.status_code == 302
    assert "/login/" in answer["Location"]
    assert not FormerHolder.objects.exists()


@pytest.mark.parametrize("who", ["", "-1", "7", "10", "bob", "0\x00", "9" * 10_000, "²"])
def test_it_says_that_no_such_seat_is_free(left: Game, mallory: Player, who: str) -> None:
    for sure in ({}, {"sure": "yes"}):
        answer = signed_in(mallory).post(table_url(left, "take-over/"), {"who": who} | sure)
        assert answer.status_code == 409
        assert "This seat is not free to take over any more" in text_of(answer, "[role=alert]")
    assert not FormerHolder.objects.exists()


def test_who_comes_second_gets_a_plain_answer(left: Game, mallory: Player) -> None:
    form = {"who": number_of(left), "sure": "yes"}
    assert signed_in(mallory).post(table_url(left, "take-over/"), form).status_code == 303
    second = signed_in(make_player("oscar")).post(table_url(left, "take-over/"), form)
    assert second.status_code == 409
    assert "somebody else was faster" in text_of(second, "[role=alert]")


def test_the_old_player_sees_the_page_of_a_visitor(client: Client, left: Game, bob: Player, mallory: Player) -> None:
    page = signed_in(bob)
    assert soup(page.get(table_url(left))).select("#card")
    play.take_over(left, player=mallory, number=int(number_of(left)), at=AT)
    assert not soup(page.get(table_url(left))).select("#card, #notebook")
    answer = page.post(table_url(left, "notebook/"), {"text": "alice is red"})
    assert answer.status_code == 403


@pytest.mark.parametrize("is_public", [True, False])
def test_the_old_player_keeps_talk_and_pictures(
    client: Client, left: Game, alice: Player, bob: Player, mallory: Player, *, is_public: bool
) -> None:
    Game.objects.filter(pk=left.pk).update(is_public=is_public, talk=Game.Talk.PLAYERS)
    play.take_over(left, player=mallory, number=int(number_of(left)), at=AT)
    said = play.write_postcard(left, player=alice, text="Welcome, mallory.", at=AT)
    picture = table_url(left, f"small/{left.edition}-2.svg")
    page = signed_in(bob)
    assert said.text in text_of(page.get(table_url(left)))
    assert said.text in text_of(page.get(table_url(left, "talk/")))
    assert page.get(picture).status_code == 200
    stranger = signed_in(make_player("oscar"))
    for other in (client, stranger):
        assert said.text not in text_of(other.get(table_url(left)))
        assert other.get(picture).status_code == (200 if is_public else 404)


def test_the_old_player_deals_with_postcards_as_before(left: Game, alice: Player, bob: Player, mallory: Player) -> None:
    mine = play.write_postcard(left, player=bob, text="Good luck to you all.", at=AT)
    others = play.write_postcard(left, player=alice, text="Coward.", at=AT)
    play.take_over(left, player=mallory, number=int(number_of(left)), at=AT)
    later = play.write_postcard(left, player=mallory, text="Hello.", at=AT)
    page = signed_in(bob)
    for path in ("", "talk/"):
        shown = links(page.get(table_url(left, path)))
        assert all(f"{table_url(left)}talk/{card.number}/" in shown for card in (mine, others, later))
    assert page.post(table_url(left, f"talk/{others.number}/"), {"do": "report"}).status_code == 303
    assert Report.objects.get().reporter == bob
    own = page.get(table_url(left, f"talk/{mine.number}/"))
    assert "Your postcard" in text_of(own, "h1")
    assert "Your postcard" not in text_of(signed_in(mallory).get(table_url(left, f"talk/{mine.number}/")), "h1")
    assert "Your postcard" not in text_of(page.get(table_url(left, f"talk/{later.number}/")), "h1")
    for card, status in ((mine, 303), (later, 409)):
        assert page.post(table_url(left, f"talk/{card.number}/"), {"do": "remove"}).status_code == status
    assert [card.text for card in left.postcards.order_by("number")] == ["", "Coward.", "Hello."]
    assert page.post(table_url(left, "talk/"), {"say": "One more thing."}).status_code == 403


@pytest.mark.parametrize("who", ["bob", "oscar"])
def test_polling_tells_the_old_player_alone_that_somebody_has_spoken(
    left: Game, alice: Player, bob: Player, mallory: Player, who: str
) -> None:
    play.take_over(left, player=mallory, number=int(number_of(left)), at=AT)
    page = signed_in(bob if who == "bob" else make_player(who))

    def marks() -> tuple[str, str]:
        """The version of the page, and the one that polling tells."""
        [table] = soup(page.get(table_url(left))).select("#table")
        return str(table["data-version"]), page.get(str(table["data-poll"])).json()["version"]

    before, told = marks()
    assert before == told
    play.write_postcard(left, player=alice, text="Welcome, mallory.", at=AT)
    after, told = marks()
    assert after == told
    assert (after != before) is (who == "bob")


def test_the_history_of_the_page_says_who_took_over(client: Client, left: Game, mallory: Player) -> None:
    play.take_over(left, player=mallory, number=int(number_of(left)), at=AT)
    for page in (client, signed_in(mallory)):
        newest = soup(page.get(table_url(left))).select('[aria-labelledby="history"] > .history > li')[0]
        assert newest.get_text() == "mallory took over the seat of bob."


def test_the_page_calls_no_move_of_the_old_player_the_last_of_the_new_one(
    alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    game = make_table(alice, size=3, terms=play.Terms(allows_takeover=True))
    for player in (bob, carol):
        play.join_table(game, player=player, at=AT)
    number = game.seats.get(player=bob).number
    assert number is not None
    play_random(game, number + 1)
    assert "Played" in text_of(signed_in(bob).get(table_url(game)), ".bar-waits")
    play.resign(game, player=bob, at=AT)
    play.take_over(game, player=mallory, number=number, at=AT)
    assert "Played" not in text_of(signed_in(mallory).get(table_url(game)), ".prompt")
    play_random(game, 3)
    assert "Played" in text_of(signed_in(mallory).get(table_url(game)), ".bar-waits")


def test_one_player_takes_over_three_seats_a_day(left: Game, bob: Player, mallory: Player) -> None:
    client = signed_in(mallory)
    for _time in range(3):
        client.post(table_url(left, "take-over/"), {"who": number_of(left), "sure": "yes"})
        FormerHolder.objects.all().delete()
        Notice.objects.all().delete()
        Seat.objects.filter(player=mallory).update(player=bob, is_bot=True, resigned_at=AT)
    answer = client.post(table_url(left, "take-over/"), {"who": number_of(left), "sure": "yes"})
    assert answer.status_code == 429
    assert "You have taken over as many seats as one player may in a day." in text_of(answer)


def test_a_page_that_waits_learns_of_it(client: Client, left: Game, mallory: Player) -> None:
    def mark(name: str) -> str:
        [table] = soup(client.get(table_url(left))).select("#table")
        return str(table[f"data-{name}"])

    poll = mark("poll")
    before = mark("version")
    assert client.get(poll).json()["version"] == before
    play.take_over(left, player=mallory, number=int(number_of(left)), at=AT)
    assert client.get(poll).json()["version"] == mark("version") != before


@pytest.mark.parametrize(("chosen", "allows"), [("yes", True), ("no", False), ("", False)])
def test_the_opener_says_whether_seats_may_be_taken_over(
    client: Client, alice: Player, chosen: str, allows: bool
) -> None:
    client.force_login(alice)
    form = hidden(client.get("/tables/new/"), "form.form")
    form |= {
        "name": "Friday",
        "size": "3",
        "bots": "0",
        "is_public": "yes",
        "pace": "steady",
        "allows_vacation": "yes",
        "overdue": "autopilot",
        "five_clans": "score",
        "allows_takeover": chosen,
    }
    page = client.post("/tables/new/", form, follow=True)
    assert Game.objects.get().allows_takeover is allows
    said = "Somebody else may take over a seat whose player resigns or stays away."
    assert (said in text_of(page)) is allows

"""What letters tell of time, of one another, and of what may be turned off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from games import mail, play
from games.models import Game, Mail, Move, Notice, Player, Seat
from tests.cast import AT, make_game, make_table, play_random, seat_to_move
from tests.elements import Element, parse
from tests.mail.composed import compose, mail_of
from tests.pages.helpers import to_move

Kind = Notice.Kind
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def message_of(notices: Sequence[Notice], *, at: datetime = AT) -> EmailMessage:
    sent = compose(notices, at=at).message().as_bytes(linesep="\r\n")
    assert len(sent) < 100_000
    return message_from_bytes(sent, policy=policy.default)


def text(found: EmailMessage) -> str:
    """The text part on one line."""
    body = found.get_body(preferencelist=("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def html(found: EmailMessage) -> Element:
    body = found.get_body(preferencelist=("html",))
    assert body is not None
    return parse(str(body.get_content()))


def notice(game: Game, kind: str, *, to: str = "", number: int = 0, about: int | None = None) -> Notice:
    """A notice owed to who is to move, or to the player of that name."""
    seat = game.seats.get(name=to) if to else seat_to_move(game)
    seat.game = Game.objects.get(pk=game.pk)
    return Notice.objects.create(
        seat=seat, kind=kind, ply=seat.game.ply, number=number, about=about, created_at=AT, due_at=AT
    )


@pytest.mark.parametrize("kind", [Kind.TURN, Kind.STARTED])
def test_the_first_mail_of_a_game_tells_the_commitment_and_where_to_check_it(game: Game, kind: str) -> None:
    """Also beside others: a commitment is worth nothing after the end."""
    reader = to_move(game)
    other = play_random(make_game(reader, bots=1), 5)
    Notice.objects.all().delete()
    begun, running = notice(game, kind, to=reader.username), notice(other, Kind.REMINDER, to=reader.username)
    for found in (message_of([begun]), message_of([begun, running])):
        for words in (text(found), html(found).get_text(" ")):
            assert words.count(game.deal.commitment) == 1
            assert other.deal.commitment not in words
    alone = message_of([begun])
    assert f"http://localhost:8000/tables/{game.slug}/deal/" in text(alone)
    assert html(alone).select_one(f"a[href='http://localhost:8000/tables/{game.slug}/deal/']")


def test_no_later_mail_tells_the_commitment(game: Game) -> None:
    play_random(game, 5)
    assert game.deal.commitment not in text(message_of([notice(game, Kind.REMINDER)]))


def test_it_says_until_when_a_turn_is_free_and_what_comes_then(game: Game) -> None:
    Player.objects.update(time_zone="Europe/Vienna")
    call = notice(game, Kind.NUDGE)
    words = text(message_of([call], at=AT))
    assert "Until Thursday 5 March, 21:00, Vienna time (3 days left)." in words
    assert "Then your reserve of 7 days is drawn on, until Thursday 12 March, 21:00 at the latest." in words
    assert "If your time runs out, the autopilot makes this move for you." in words
    later = text(message_of([call], at=AT + 4 * DAY))
    assert "Your reserve is being drawn on, until Thursday 12 March, 21:00, Vienna time (6 days left)." in later
    assert "Until Thursday 5 March" not in later
    assert "Your time was up on Thursday 12 March, 21:00." in text(message_of([call], at=AT + 11 * DAY))


def test_it_says_nothing_of_a_reserve_that_is_used_up(game: Game) -> None:
    seat = seat_to_move(game)
    Seat.objects.filter(pk=seat.pk).update(reserve_used=7 * DAY)
    Game.objects.filter(pk=game.pk).update(due_at=AT + 3 * DAY, overdue="abandon")
    words = text(message_of([notice(game, Kind.REMINDER)], at=AT))
    assert "Until Thursday 5 March, 20:00 UTC (3 days left). If your time runs out, the game is abandoned." in words
    assert "reserve" not in words


@pytest.mark.parametrize(
    ("waited", "said"),
    [
        (5 * DAY, "Half of your time is over."),
        (6 * DAY, "More than half of your time is over."),
        (7.5 * DAY, "A quarter of your time is left."),
        (8 * DAY, "Less than a quarter of your time is left."),
        (9 * DAY + 2 * HOUR, "Less than a tenth of your time is left."),
    ],
)
def test_a_reminder_says_how_much_is_left_and_offers_pages(game: Game, waited: timedelta, said: str) -> None:
    found = message_of([notice(game, Kind.REMINDER)], at=AT + waited)
    table = f"http://localhost:8000/tables/{game.slug}/"
    assert said in text(found)
    answers = [link["href"] for link in html(found).select(".answer")]
    assert answers == [f"{table}answer/?say={what}" for what in ("tonight", "day", "thinking")]
    assert found["Subject"] == "Reminder: Friday table waits for your move 1"


@pytest.mark.parametrize(("others", "says"), [(0, False), (1, True)])
def test_a_reminder_offers_to_tell_the_others_where_they_are_people(
    alice: Player, bob: Player, others: int, says: bool
) -> None:
    game = make_game(alice, *[bob][:others], bots=2)
    Game.objects.filter(pk=game.pk).update(to_move=game.seats.get(player=alice).number, awaited=alice)
    found = message_of([notice(game, Kind.REMINDER, to="alice")], at=AT + 5 * DAY)
    assert any("say=thinking" in link["href"] for link in html(found).select(".answer")) == says


def reminded(game: Game, after: timedelta) -> str:
    """What a reminder says so long after the turn began."""
    Notice.objects.filter(kind=Kind.REMINDER).delete()
    return text(message_of([notice(game, Kind.REMINDER)], at=AT + after))


@pytest.mark.parametrize(
    ("reserve", "waited", "said"),
    [
        (0, 1.5 * DAY, "Half of your time is over."),
        (0, 2.25 * DAY, "A quarter of your time is left."),
        (0, 2.9 * DAY, "Less than a tenth of your time is left."),
        (7, 5 * DAY, "Half of your time is over."),
        (7, 7.5 * DAY, "A quarter of your time is left."),
        (7, 9.2 * DAY, "Less than a tenth of your time is left."),
    ],
)
def test_a_reminder_tells_the_part_of_the_time_that_runs(
    alice: Player, bob: Player, reserve: int, waited: timedelta, said: str
) -> None:
    """A vacation of 20 days is no part of it, be it ahead, now or over."""
    table = make_table(alice, size=2, terms=play.Terms(move_hours=72, reserve_hours=24 * reserve))
    play.join_table(table, player=bob, entropy="words of bob", at=AT)
    table.refresh_from_db()
    assert said in reminded(table, waited)
    away, begins = to_move(table), AT.date() + DAY
    play.plan_vacation(away, first=begins, last=begins + 19 * DAY, at=AT)
    assert said in reminded(table, waited + 20 * DAY)
    assert " of your time is " not in reminded(table, 4 * HOUR + 10 * DAY)


def test_a_day_from_the_reserve_is_no_less_time(game: Game) -> None:
    play.take_reserve_day(game, player=to_move(game), at=AT)
    assert "Half of your time is over." in reminded(game, 5 * DAY)


def test_who_nudges_is_named(game: Game) -> None:
    other = game.seats.exclude(pk=seat_to_move(game).pk)[0]
    found = message_of([notice(game, Kind.NUDGE, about=other.number)])
    assert found["Subject"] == f"{other.name} nudges you: Friday table"
    assert f"{other.name} asks you to move." in text(found)
    assert "The others ask you to move." in text(message_of([notice(game, Kind.NUDGE, number=2)]))


def test_what_the_autopilot_played_is_told_and_may_be_taken_back(game: Game) -> None:
    play_random(game, 4)
    late = seat_to_move(game)
    play_random(game, 1, seed=9)
    Move.objects.filter(game=game, ply=4).update(by_bot=True, by_autopilot=True)
    Game.objects.filter(pk=game.pk).update(edition=1)
    moved = Move.objects.get(game=game, ply=4).text
    words = text(message_of([notice(game, Kind.AUTOPILOT, to=late.name)]))
    assert f"Your time was up, so the autopilot has played {moved} for you." in words
    assert "you can withdraw this move at the table" in words
    Seat.objects.filter(pk=late.pk).update(has_withdrawn=True, autopiloted=3)
    again = text(message_of([notice(game, Kind.AUTOPILOT, to=late.name, number=1)]))
    assert "withdraw" not in again
    assert "it keeps the seat until you open the table" in again


def test_a_turn_that_comes_a_second_time_says_why(game: Game) -> None:
    late = seat_to_move(game)
    game.refresh_from_db()
    assert game.due_at
    assert late.player
    play.end_overdue_turns(at=game.due_at)
    at = game.due_at + timedelta(hours=1)
    called = seat_to_move(game)
    play.withdraw_autopilot(game, player=late.player, at=at)
    again = Notice.objects.get(seat=late, kind=Kind.TURN, number=1)
    assert "You have withdrawn the autopilot’s move, and your turn began again." in text(message_of([again], at=at))
    play_random(game, 1)
    first, second = Notice.objects.filter(seat=called, kind=Kind.TURN, ply=1).order_by("number")
    assert f"{late.name} withdrew the autopilot’s move and played again." in text(message_of([second], at=at))
    assert "withdrew" not in text(message_of([first], at=at))


def test_a_table_that_nobody_came_to_is_told_of(alice: Player) -> None:
    table = make_table(alice, size=4)
    found = message_of([notice(table, Kind.EXPIRED, to="alice")])
    assert found["Subject"] == "Closed without a game: Friday table"
    assert "3 seats stayed empty, so this open table was closed." in text(found)
    assert html(found).select_one(".button-link")["href"] == "http://localhost:8000/tables/new/"  # type: ignore[index]


def test_a_table_that_its_opener_closed_is_told_of(alice: Player, bob: Player) -> None:
    table = make_table(alice, size=4)
    play.join_table(table, player=bob, at=AT)
    play.close_table(table, player=alice, at=AT)
    found = message_of([Notice.objects.get(kind=Kind.EXPIRED)])
    assert (found["To"], found["Subject"]) == ("bob@example.com", "Closed without a game: Friday table")
    assert "alice closed this table before its game began." in text(found)
    assert "stayed empty" not in text(found)


def test_who_gets_no_mail_is_told_of_before_their_time_runs_out(game: Game) -> None:
    silent = seat_to_move(game)
    other = game.seats.exclude(pk=silent.pk)[0]
    words = text(message_of([notice(game, Kind.BOUNCED, to=other.name, about=silent.number)]))
    assert f"Mails to {silent.name} do not arrive." in words
    assert f"It is {silent.name}’s turn, until Thursday 12 March, 20:00 UTC at the latest." in words
    assert f"{silent.name}@" not in words


def test_it_keeps_a_name_of_several_lines_on_one(game: Game) -> None:
    """As names were taken once: none makes a line of a mail that says something of its own."""
    Game.objects.filter(pk=game.pk).update(name="Friday\r\rYour account is closed.\nSee\x0b\x07 \u202ehere")
    sent = compose([notice(game, Kind.REMINDER)], at=AT).message().as_bytes(linesep="\r\n")
    assert b"\r" not in sent.replace(b"\r\n", b"")
    found = message_from_bytes(sent, policy=policy.default)
    body = found.get_body(preferencelist=("plain",))
    assert body is not None
    for part in (str(found["Subject"]), str(body.get_content()), str(html(found))):
        assert "Friday Your account is closed. See here" in " ".join(part.split())
        assert "\nYour account" not in part
        assert not {"\x07", "\x0b", "\u202e"} & set(part)


# --- Threads -------------------------------------------------------------------------------------


def sent(*told: Notice, at: datetime) -> str:
    """The Message-ID of the mail of these, which was sent."""
    message_id = f"<{told[0].kind}-{told[0].number}-{told[0].seat.pk}@localhost>"
    reader = told[0].seat.player
    assert reader is not None
    mail = Mail.objects.create(player=reader, message_id=message_id, state="sent", created_at=at, due_at=at, sent_at=at)
    Notice.objects.filter(pk__in=[one.pk for one in told]).update(state="sent", sent_at=at, mail=mail)
    return message_id


def test_one_table_is_one_thread_of_mails_that_were_sent(game: Game) -> None:
    Notice.objects.all().delete()
    name = seat_to_move(game).name
    first, never, second, third = (notice(game, Kind.NUDGE, to=name, number=number) for number in range(4))
    other = notice(game, Kind.NUDGE, to=game.seats.exclude(name=name)[0].name)
    assert message_of([first])["References"] is None
    first_id = sent(first, at=AT + HOUR)
    sent(other, at=AT + HOUR)
    assert message_of([second], at=AT + 2 * HOUR)["References"] == first_id
    second_id = sent(second, at=AT + 2 * HOUR)
    found = message_of([third], at=AT + 3 * HOUR)
    assert found["References"] == f"{first_id} {second_id}"
    assert found["In-Reply-To"] == second_id
    assert mail_of(never).message_id not in found.as_string()


def test_a_mail_of_several_things_is_no_part_of_a_thread(game: Game) -> None:
    Notice.objects.all().delete()
    first, second, last = (notice(game, Kind.NUDGE, number=number) for number in range(3))
    sent(first, second, at=AT + HOUR)
    assert message_of([last], at=AT + 2 * HOUR)["References"] is None


# --- Words of people -----------------------------------------------------------------------------


def test_whose_fifth_clan_is_white_sees_and_reads_white(game: Game) -> None:
    play_random(game, 3)
    call = notice(game, Kind.TURN, number=7)
    black = message_of([call])
    Player.objects.update(white_clan=True)
    white = message_of([Notice.objects.get(pk=call.pk)])
    assert ("✚ black" in text(black), "✚ black" in text(white)) == (True, False)
    assert "✚ white" in text(white)
    shown = [[part.get_content() for part in found.walk() if part["Content-ID"]] for found in (black, white)]
    assert all(one != other for one, other in zip(*shown, strict=True))


def test_nobody_writes_into_a_mail_but_words(alice: Player, bob: Player) -> None:
    name = 'a class="card"<img src="http://evil.example/">&amp; "b"'
    game = make_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(name=name)
    found = message_of([notice(game, Kind.TURN, number=7)])
    heading = html(found).select_one("h1")
    assert heading is not None
    assert heading.get_text() == name
    assert name in text(found)
    assert all(str(img["src"]).startswith("cid:") for img in html(found).select("img"))


# --- What may be turned off ----------------------------------------------------------------------


def test_it_offers_to_turn_off_this_table_this_kind_or_all(game: Game) -> None:
    for kind, offer in ((Kind.TURN, "Reminders only"), (Kind.REMINDER, "No more reminders")):
        found = html(message_of([notice(game, kind, number=7)]))
        links = {link.get_text(): str(link["href"]) for link in found.select(".foot a")}
        assert list(links) == ["No more about this table", offer, "No more mails about games", "Preferences"]
        scopes = [mail.read_stop_token(link.split("/mail/stop/")[1].rstrip("/")) for link in list(links.values())[:3]]
        assert [stop and stop.scope for stop in scopes] == ["table", "kind", "games"]


def test_it_offers_to_turn_off_the_one_table_of_several_news(game: Game, alice: Player, bob: Player) -> None:
    def offered(*news: Notice) -> list[str]:
        return [link.get_text() for link in html(message_of([*news])).select(".foot a")]

    turn = notice(game, Kind.TURN, number=7)
    same = Notice(seat=turn.seat, player=turn.player, kind=Kind.RESIGNED, ply=turn.ply, about=turn.about, created_at=AT)
    assert offered(turn, same) == ["No more about this table", "No more mails about games", "Preferences"]
    other = notice(make_game(alice, bob), Kind.TURN, number=8)
    assert offered(turn, other) == ["No more mails about games", "Preferences"]


def test_the_button_of_mail_programs_turns_off_all(game: Game) -> None:
    header = message_of([notice(game, Kind.TURN, number=7)])["List-Unsubscribe"].strip("<>")
    stop = mail.read_stop_token(header.split("/mail/stop/")[1].rstrip("/"))
    assert stop is not None
    assert (stop.player, stop.scope) == (to_move(game), "games")


def test_play_goes_on_however_many_mails_a_table_owes(game: Game) -> None:
    """A notice of a ply that was withdrawn later is told as the game stands."""
    play_random(game, 3)
    late = notice(game, Kind.TEST, number=7)
    Notice.objects.filter(pk=late.pk).update(ply=9)
    assert "This is how mails from here look" in text(message_of([Notice.objects.get(pk=late.pk)]))
    play.resign(game, player=to_move(game), at=AT)


def test_a_test_mail_shows_what_there_is_where_no_game_has_begun(alice: Player) -> None:
    found = message_of([notice(make_table(alice, size=3), Kind.TEST, to="alice")])
    assert "This is how mails from here look, alice." in text(found)
    assert html(found).select("img") == []


def test_who_is_asked_to_play_again_reads_how_many_seats_are_free_for_them(
    game: Game, alice: Player, bob: Player
) -> None:
    table = make_table(alice, size=3, follows=play_random(game))
    play.invite(table, by=alice, to="bob", keeps_seat=True, at=AT)
    asked = {name: Notice.objects.get(kind=Kind.AGAIN, player__username=name) for name in ("bob", "carol")}
    for name, free in (("bob", "2 seats are free."), ("carol", "1 seat is free.")):
        assert free in text(message_of([asked[name]]))
    play.invite(table, by=alice, to="dora@example.com", keeps_seat=True, at=AT)
    assert "No seat is free." in text(message_of([asked["carol"]]))
    assert "1 seat is free." in text(message_of([asked["bob"]]))


@pytest.mark.parametrize("links_keepsake", [True, False])
def test_the_mail_of_the_end_links_the_keepsake_for_who_wants_it(
    game: Game, alice: Player, links_keepsake: bool
) -> None:
    Player.objects.filter(pk=alice.pk).update(links_keepsake=links_keepsake)
    play_random(game)
    owed = Notice.objects.get(kind=Kind.FINISHED, seat__player=alice)
    found = message_of([owed])
    address = f"http://localhost:8000/tables/{game.slug}/keepsake.html"
    assert (address in text(found)) == links_keepsake
    assert (address in {link.get("href") for link in html(found).select("a")}) == links_keepsake

"""One mail that answers several tables, and mails that answer postcards."""

from __future__ import annotations

from datetime import timedelta

from games import play
from games.models import Game, InboundMail, MailAnswers, Notice, Player, Postcard
from tests.cast import AT, make_game, seat_to_move
from tests.inbox.dns_server import DnsServer
from tests.inbox.writing import codes, moves, said_in_receipt, send, some_move, write
from tests.mail.composed import compose

LATER = AT + timedelta(hours=1)


def sheet(alice: Player, bob: Player, *, tables: int = 3) -> tuple[str, list[Game]]:
    """The address to which alice answers a mail about several tables that wait for her, and these in their order."""
    Player.objects.update(mail_answers=MailAnswers.PLAY)
    for number in range(tables):
        game = make_game(alice, bob, at=AT + timedelta(minutes=number))
        if seat_to_move(game).player != alice:
            play.play_move(game, seat=seat_to_move(game), move=some_move(game), ply=0, key="b", at=AT)
    notices = list(Notice.objects.loaded().filter(player=alice, kind=Notice.Kind.TURN))
    message = compose(notices, at=LATER)
    text = str(message.body)
    games = sorted(Game.objects.all(), key=lambda game: text.index(game.get_absolute_url()))
    assert tables == 1 or "/turns/" in text
    return str(message.extra_headers["Reply-To"]), games


def test_several_tables_are_answered_in_one_mail(answers: DnsServer, alice: Player, bob: Player) -> None:
    to, games = sheet(alice, bob)
    first, third = some_move(games[0]), some_move(games[2])
    before = [len(moves(game)) for game in games]
    taken = send(write(to, f"1 {first}\n2 thinking\n3: {third.lower()}\n"), to, at=LATER)
    assert codes(taken) == ["played", "thinking", "played"]
    assert [len(moves(game)) - count for game, count in zip(games, before, strict=True)] == [1, 0, 1]
    assert seat_to_move(games[1]).says == "thinking"
    told = said_in_receipt(taken)
    assert f"{first} is played" in told
    assert f"{third} is played" in told


def test_each_table_is_for_itself(answers: DnsServer, alice: Player, bob: Player) -> None:
    to, games = sheet(alice, bob)
    taken = send(write(to, f"1 {some_move(games[0])}\n2 Z9-Z8\n4 A1-A2\nA1-A2\n"), to, at=LATER)
    assert codes(taken) == ["played", "not-a-move", "no-such-table", "which-table"]
    told = " ".join(said_in_receipt(taken).split())
    assert "answer this mail with 1 back" in told
    assert "There is no table of that number" in told
    assert "put the number of the table in front (1 A1-A2, for example)." in told
    assert ": There" not in told
    # The answer can be answered by the same numbers.
    assert taken.notice is not None
    again = str(compose(Notice.objects.loaded().get(pk=taken.notice.pk)).extra_headers["Reply-To"])
    assert codes(send(write(again, f"2 {some_move(games[1])}"), again, at=LATER)) == ["played"]
    assert codes(send(write(to, f"3 {some_move(games[2])}"), to, at=LATER)) == ["played"], "the first address lives on"


def test_words_for_nobody_knows_which_table_are_not_kept(answers: DnsServer, alice: Player, bob: Player) -> None:
    to, games = sheet(alice, bob)
    text = f"1 {some_move(games[0])}\n2 {some_move(games[1])}\n\nGood luck!\n"
    taken = send(write(to, text), to, at=LATER)
    assert codes(taken) == ["played", "played"]
    assert not Postcard.objects.exists()
    assert "was not kept" in said_in_receipt(taken)


def test_a_line_for_another_table_is_not_said_at_this_one(answers: DnsServer, alice: Player, bob: Player) -> None:
    to, games = sheet(alice, bob)
    taken = send(write(to, f"1 {some_move(games[0])}\n2 A4-A55\n\nGood luck!\n"), to, at=LATER)
    assert codes(taken) == ["played"]
    assert not Postcard.objects.exists()
    assert "was not kept" in said_in_receipt(taken)


def test_words_for_the_only_table_that_is_named_are_said_there(answers: DnsServer, alice: Player, bob: Player) -> None:
    to, games = sheet(alice, bob)
    taken = send(write(to, f"1 {some_move(games[0])}\n1 hut is enough!\n9 lives\n"), to, at=LATER)
    assert codes(taken) == ["played"]
    assert Postcard.objects.get(game=games[0]).text == "1 hut is enough!\n9 lives"


def test_a_mail_of_one_table_needs_no_number(answers: DnsServer, alice: Player, bob: Player) -> None:
    to, games = sheet(alice, bob, tables=1)
    assert codes(send(write(to, f"1 {some_move(games[0])}"), to, at=LATER)) == ["played"]


# --- Postcards -------------------------------------------------------------------------------------


def to_postcard(game: Game, *, by: Player, reader: Player) -> str:
    """The address to which `reader` answers what `by` has said."""
    play.write_postcard(game, player=by, text="Are you there?", at=AT)
    notice = Notice.objects.loaded().get(player=reader, kind=Notice.Kind.POSTCARD)
    message = compose(notice)
    assert "your words become a postcard" in " ".join(str(message.body).split())
    return str(message.extra_headers["Reply-To"])


def test_an_answer_to_a_postcard_is_a_postcard(by_mail: Game, alice: Player, bob: Player) -> None:
    to = to_postcard(by_mail, by=bob, reader=alice)
    taken = send(write(to, "Yes, and I know\nwho you are."), to, at=LATER)
    assert codes(taken) == ["said"]
    assert Postcard.objects.get(seat__player=alice).text == "Yes, and I know\nwho you are."
    assert moves(by_mail) == []


def test_an_answer_to_a_postcard_moves_nothing(by_mail: Game, alice: Player, bob: Player) -> None:
    to = to_postcard(by_mail, by=bob, reader=alice)
    taken = send(write(to, some_move(by_mail)), to, at=LATER)
    assert (taken.outcome, codes(taken)) == (InboundMail.Outcome.EMPTY, ["words-only"])
    assert moves(by_mail) == []


def test_what_somebody_else_writes_to_it_is_not_said(by_mail: Game, alice: Player, bob: Player) -> None:
    to = to_postcard(by_mail, by=bob, reader=alice)
    assert codes(send(write(to, "hello", signed=False), to, at=LATER)) == ["not-signed"]
    send(write(to, "hello", sender="mallory@example.com"), to, sender="mallory@example.com", at=LATER)
    assert not Postcard.objects.filter(seat__player=alice).exists()

"""From the bytes of an answer to the move in the log, and to what its writer is told."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from games import inbox, play
from games.inbox import Envelope, acting
from games.inbox.acting import ACTIONS
from games.inbox.understanding import RequestKind
from games.models import Game, InboundMail, Notice, Player, Postcard
from games.words.how_to_answer import REQUESTS
from games.words.receipts import DONE, NOT_DONE, say_result
from tests.cast import seat_to_move
from tests.inbox.dns_server import DnsServer
from tests.inbox.writing import (
    LATER,
    answer,
    call_of,
    codes,
    flat,
    mover,
    moves,
    other_move,
    reply_to,
    said_in_receipt,
    send,
    some_move,
    write,
)

Outcome = InboundMail.Outcome


# --- Played ----------------------------------------------------------------------------------------


def test_a_move_in_an_answer_is_played_and_confirmed(by_mail: Game) -> None:
    player, move = mover(by_mail), some_move(by_mail)
    taken = answer(player, f"{move}\n", at=LATER)
    assert (taken.outcome, codes(taken)) == (Outcome.READ, ["played"])
    assert moves(by_mail) == [move]
    assert f"{move} is played." in said_in_receipt(taken)
    assert taken.state == "sent"


@pytest.mark.parametrize(
    "form", ["{0}{1}-{2}{3}", "{0}{1} {2}{3}", "{0}{1} to {2}{3}", "  {0}{1} - {2}{3}  ", "{0}{1}–{2}{3}."]
)
def test_it_takes_the_forms_that_the_page_takes(form: str, by_mail: Game) -> None:
    move = some_move(by_mail)
    text = form.format(*move.replace("-", "").lower())
    assert codes(answer(mover(by_mail), text, at=LATER)) == ["played"]
    assert moves(by_mail) == [move]


def test_the_next_player_is_called_later_than_after_a_move_on_the_page(by_mail: Game, settings: Settings) -> None:
    settings.MAIL_WAIT_SECONDS, settings.MAIL_MOVE_WAIT_SECONDS = 120, 300
    answer(mover(by_mail), some_move(by_mail), at=LATER)
    assert call_of(mover(by_mail)).due_at == LATER + timedelta(minutes=5)
    played = play.play_move(by_mail, seat=seat_to_move(by_mail), move=some_move(by_mail), ply=1, key="page", at=LATER)
    assert not played.again
    assert call_of(mover(by_mail)).due_at == LATER + timedelta(minutes=2)


def test_words_beside_the_move_become_a_postcard(by_mail: Game) -> None:
    taken = answer(mover(by_mail), f"{some_move(by_mail)}\n\nGood luck to you all!\n", at=LATER)
    assert codes(taken) == ["played"]
    postcard = Postcard.objects.get(game=by_mail)
    assert (postcard.text, postcard.with_move) == ("Good luck to you all!", True)
    assert "postcard" in said_in_receipt(taken)


def test_what_nobody_sees_does_not_come_into_a_postcard(by_mail: Game) -> None:
    """Programs add some of it, so what the form of the site refuses is left out here."""
    written = "Good\u202e luck\x1b[31m\u2066 to\u00a0  you\ufeff!"
    taken = answer(mover(by_mail), f"{some_move(by_mail)}\n\n{written}\n", at=LATER)
    assert codes(taken) == ["played"]
    assert Postcard.objects.get(game=by_mail).text == "Good luck[31m to you!"


def test_words_of_which_nobody_sees_anything_are_none(by_mail: Game) -> None:
    taken = answer(mover(by_mail), f"{some_move(by_mail)}\n\n\u202e\u2800\u3164\n", at=LATER)
    assert codes(taken) == ["played"]
    assert not Postcard.objects.exists()


def test_words_beside_two_moves_are_said_to_be_lost(by_mail: Game) -> None:
    taken = answer(mover(by_mail), f"{some_move(by_mail)}\n{other_move(by_mail)}\n\nGood luck!\n", at=LATER)
    assert codes(taken) == ["several"]
    assert "was not kept" in said_in_receipt(taken)


def test_words_that_are_too_long_are_not_kept_but_the_move_is_played(by_mail: Game) -> None:
    taken = answer(mover(by_mail), f"{some_move(by_mail)}\n\n{'word ' * 101}\n", at=LATER)
    assert codes(taken) == ["played"]
    assert not Postcard.objects.exists()
    assert "was not kept" in said_in_receipt(taken)


# --- Asked first -----------------------------------------------------------------------------------


def test_by_default_a_move_is_shown_and_not_played(answers: DnsServer, game: Game) -> None:
    move = some_move(game)
    taken = answer(mover(game), move, at=LATER)
    assert (taken.outcome, codes(taken)) == (Outcome.ASKED, ["asked"])
    assert moves(game) == []
    assert f"/tables/{game.slug}/?move={move}" in said_in_receipt(taken)
    assert "does not prove" not in said_in_receipt(taken)


def test_words_beside_a_move_that_is_asked_about_become_a_postcard_at_once(answers: DnsServer, game: Game) -> None:
    taken = answer(mover(game), f"{some_move(game)}\n\nGood luck!", at=LATER)
    assert codes(taken) == ["asked"]
    assert Postcard.objects.get().text == "Good luck!"


def test_the_name_of_a_table_asks_for_nothing(by_mail: Game) -> None:
    """A mail about a turn begins with it, and some programs quote without a sign."""
    Game.objects.filter(pk=by_mail.pk).update(name="More time")
    taken = answer(mover(by_mail), "Hello!\n\nMore time\n\nYour move: you have three days.\n", at=LATER)
    assert codes(taken) == ["nothing-read"]
    assert not by_mail.seats.exclude(reserve_taken=timedelta()).exists()


@pytest.mark.parametrize("name", ["tonight", "C4D1"])
def test_the_name_of_a_player_asks_for_nothing(name: str, by_mail: Game) -> None:
    """Mails list players behind numbers: places, chips and points."""
    by_mail.seats.exclude(player=mover(by_mail)).update(name=name)
    for line in (f"    1  {name}", name):
        taken = answer(mover(by_mail), f"Hello!\n\nIn order of play\n{line}\n", at=LATER)
        assert codes(taken) == ["nothing-read"]
    assert codes(answer(mover(by_mail), "thinking", at=LATER)) == ["thinking"]


@pytest.mark.parametrize("answers_to", ["ask", "play"])
def test_the_receipt_of_a_move_that_waits_invites_another_one(answers_to: str, by_mail: Game) -> None:
    """Where the player wishes to be asked, and where the mail proves nothing."""
    Player.objects.update(mail_answers=answers_to)
    player, move = mover(by_mail), some_move(by_mail)
    taken = answer(player, move, at=LATER, signed=answers_to == "ask")
    assert codes(taken) == ["asked"]
    [other] = re.findall(r"Or answer this mail with another move instead, such as (\w\d-\w\d)", flat(taken))
    assert other != move
    assert taken.notice is not None
    to = reply_to(Notice.objects.loaded().get(pk=taken.notice.pk))
    again = send(write(to, other, sender=player.email), to, sender=player.email, at=LATER)
    assert codes(again) == ["asked" if answers_to == "ask" else "played"]
    assert moves(by_mail) == ([] if answers_to == "ask" else [other])


def test_there_is_nothing_to_take_back_while_a_move_waits(answers: DnsServer, game: Game) -> None:
    player = mover(game)
    answer(player, some_move(game), at=LATER)
    taken = answer(player, "back", at=LATER)
    assert codes(taken) == ["nothing-played"]
    assert "A move that waits until you confirm it is not played." in flat(taken)


def test_there_is_somebody_to_do_whatever_can_be_asked_for() -> None:
    assert set(ACTIONS) | {RequestKind.MOVE} == set(RequestKind)
    assert len(REQUESTS) == len(ACTIONS)


def test_a_receipt_has_a_sentence_for_each_result() -> None:
    """Without one it says of what was done, too, that it cannot be done."""
    source = Path(acting.__file__).read_text()
    done, refused = (set(re.findall(rf'_{how}\(turn, "([\w-]+)"', source)) for how in ("done", "refused"))
    assert min(len(done), len(refused)) > 4
    assert (done - DONE.keys(), refused - NOT_DONE.keys()) == (set(), set())


def test_a_mail_that_is_not_signed_is_asked_about(by_mail: Game) -> None:
    move = some_move(by_mail)
    taken = answer(mover(by_mail), move, at=LATER, signed=False)
    assert (taken.outcome, codes(taken)) == (Outcome.UNPROVED, ["asked"])
    assert moves(by_mail) == []
    assert "does not prove" in said_in_receipt(taken)


def test_the_words_of_a_mail_that_is_not_signed_are_not_kept(by_mail: Game) -> None:
    taken = answer(mover(by_mail), f"{some_move(by_mail)}\n\nGood luck!", at=LATER, signed=False)
    assert codes(taken) == ["asked"]
    assert (moves(by_mail), Postcard.objects.exists()) == ([], False)
    assert "The rest of your mail was not kept." in flat(taken)


@pytest.mark.parametrize("text", [*REQUESTS, "take back"])
def test_a_mail_that_is_not_signed_does_nothing_else(text: str, by_mail: Game) -> None:
    taken = answer(mover(by_mail), text, at=LATER, signed=False)
    assert (taken.outcome, codes(taken)) == (Outcome.UNPROVED, ["not-signed"])
    seat = seat_to_move(by_mail)
    assert (seat.says, seat.reserve_taken) == ("", timedelta())
    assert not mover(by_mail).vacations.exists()


# --- Taking back -----------------------------------------------------------------------------------


def test_back_takes_the_move_back_until_the_next_player_is_called(by_mail: Game, settings: Settings) -> None:
    settings.MAIL_WAIT_SECONDS, settings.MAIL_MOVE_WAIT_SECONDS = 120, 300
    player, move = mover(by_mail), some_move(by_mail)
    answered = call_of(player)
    taken = answer(player, move, at=LATER)
    assert taken.notice is not None
    confirmation = reply_to(Notice.objects.loaded().get(pk=taken.notice.pk))
    soon = LATER + timedelta(minutes=4)
    back = send(write(confirmation, "back", sender=player.email), confirmation, sender=player.email, at=soon)
    assert codes(back) == ["back"]
    assert (moves(by_mail), mover(by_mail)) == ([], player)
    # And again, by an answer to the mail that says so.
    assert back.notice is not None
    to = reply_to(Notice.objects.loaded().get(pk=back.notice.pk))
    assert codes(send(write(to, move, sender=player.email), to, sender=player.email, at=soon)) == ["played"]
    to = reply_to(answered)
    late = soon + timedelta(minutes=6)
    assert codes(send(write(to, "back", sender=player.email), to, sender=player.email, at=late)) == [
        "nothing-to-take-back"
    ]


# --- Everything else -------------------------------------------------------------------------------


def test_computer_players_are_told_nothing(by_mail: Game) -> None:
    player = mover(by_mail)
    by_mail.seats.exclude(player=player).update(is_bot=True)
    taken = answer(player, "thinking", at=LATER)
    assert codes(taken) == ["nobody-to-tell"]
    assert seat_to_move(by_mail).says == ""
    assert "all others at this table are computer players" in say_result(taken.results[0])


def test_what_a_reminder_offers_can_be_said_by_mail(by_mail: Game) -> None:
    player = mover(by_mail)
    due = Game.objects.get(pk=by_mail.pk).due_at
    assert codes(answer(player, "thinking", at=LATER)) == ["thinking"]
    assert seat_to_move(by_mail).says == "thinking"
    assert codes(answer(player, "more time", at=LATER)) == ["more-time"]
    assert seat_to_move(by_mail).reserve_taken == timedelta(days=1)
    assert due is not None
    assert Game.objects.get(pk=by_mail.pk).due_at == due
    assert codes(answer(player, "vacation until 20 Mar", at=LATER)) == ["vacation"]
    assert player.vacations.get().days == 19


def test_a_crash_after_the_day_was_taken_takes_no_second_one(by_mail: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    player = mover(by_mail)
    to = reply_to(call_of(player))
    taken = inbox.receive(
        write(to, "more time", sender=player.email), Envelope(sender=player.email, recipient=to), at=LATER
    )

    def die(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("games.inbox.handling.owe", die)
        with pytest.raises(KeyboardInterrupt):
            inbox.handle(taken.pk, at=LATER)
    assert seat_to_move(by_mail).reserve_taken == timedelta(days=1)
    assert inbox.sweep(at=LATER + timedelta(minutes=3)) == 1
    taken.refresh_from_db()
    assert (codes(taken), seat_to_move(by_mail).reserve_taken) == (["more-time"], timedelta(days=1))


def test_a_resolver_that_is_away_puts_the_mail_off(by_mail: Game, answers: DnsServer) -> None:
    answers.faults["s1._domainkey.example.com"] = DnsServer.SILENT
    player, move = mover(by_mail), some_move(by_mail)
    taken = answer(player, move, at=LATER)
    assert (taken.outcome, taken.state, moves(by_mail)) == ("", "due", [])
    answers.faults.clear()
    inbox.sweep(at=LATER + timedelta(minutes=5))
    assert moves(by_mail) == [move]

"""From the bytes of an answer to the move in the log, and to what its writer is told."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from games import inbox, play, rules
from games.inbox import Envelope, acting
from games.inbox.acting import ACTIONS
from games.inbox.understanding import RequestKind, understand
from games.models import Game, InboundMail, Notice, Player, Postcard, TurnToken
from games.words.how_to_answer import REQUESTS, list_requests
from games.words.receipts import DONE, NOT_DONE, say_result
from tests.cast import AT, play_random, seat_to_move
from tests.inbox.dns_server import DnsServer
from tests.inbox.writing import (
    answer,
    call_of,
    codes,
    mover,
    moves,
    other_move,
    reply_to,
    said_in_receipt,
    send,
    some_move,
    write,
)
from tests.mail.composed import compose

LATER = AT + timedelta(hours=1)
Outcome = InboundMail.Outcome


def flat(taken: InboundMail) -> str:
    """The text of the receipt in one line."""
    return " ".join(said_in_receipt(taken).split())


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


# --- Refused ---------------------------------------------------------------------------------------


def test_a_mail_from_elsewhere_is_refused_and_told_of_once(by_mail: Game) -> None:
    player, move = mover(by_mail), some_move(by_mail)
    to = reply_to(call_of(player))
    first, second = (
        send(write(to, move, sender="mallory@example.com"), to, sender="mallory@example.com", at=LATER) for _ in "12"
    )
    assert (first.outcome, second.outcome) == (Outcome.FOREIGN, Outcome.FOREIGN)
    assert moves(by_mail) == []
    assert "not yours" in said_in_receipt(first)
    assert second.notice is None
    assert first.notice is not None
    assert first.notice.reader == player


def test_a_program_that_answers_gets_no_answer(by_mail: Game) -> None:
    player = mover(by_mail)
    to = reply_to(call_of(player))
    headers = {"Auto-Submitted": "auto-replied"}
    taken = send(write(to, some_move(by_mail), sender=player.email, headers=headers), to, sender=player.email, at=LATER)
    bounce = send(write(to, some_move(by_mail), sender=player.email), to, sender="", at=LATER)
    assert [taken.outcome, bounce.outcome] == [Outcome.AUTOMATIC] * 2
    assert (taken.notice, bounce.notice, moves(by_mail)) == (None, None, [])


def test_an_address_that_nobody_has_is_refused_at_once(by_mail: Game) -> None:
    for to in ("turn@clans.example.net", "turn+aaaa@clans.example.net", "turn+@clans.example.net", "x@example.com", ""):
        assert not inbox.is_ours(to)
        with pytest.raises(inbox.MailRefused, match="no-such-address"):
            inbox.receive(b"", Envelope(sender="alice@example.com", recipient=to), at=LATER)
    assert not InboundMail.objects.exists()


def test_an_address_is_taken_in_any_case_of_letters(by_mail: Game) -> None:
    player = mover(by_mail)
    to = reply_to(call_of(player)).upper()
    assert codes(send(write(to, some_move(by_mail), sender=player.email), to, sender=player.email, at=LATER)) == [
        "played"
    ]


def test_the_database_has_only_a_hash_of_the_secret(by_mail: Game) -> None:
    secret = reply_to(call_of(mover(by_mail))).partition("+")[2].partition("@")[0]
    assert len(secret) == 32
    assert not [token for token in TurnToken.objects.values() if secret in str(token).lower()]


def test_an_illegal_move_is_told_with_what_is_legal_there(by_mail: Game) -> None:
    position, move = by_mail.position(), some_move(by_mail)
    origin = move[:2]
    far = next(
        name
        for name in position.ruleset.board.names
        if name != origin and name not in position.ruleset.board.neighbors_of(origin)
    )
    taken = answer(mover(by_mail), f"{origin}-{far}", at=LATER)
    assert (taken.outcome, codes(taken)) == (Outcome.EMPTY, ["not-neighbors"])
    told = flat(taken)
    legal = [str(legal) for legal in rules.legal_moves(position) if legal.origin == origin]
    assert all(other in told for other in legal)
    assert answer(mover(by_mail), move, at=LATER).outcome == Outcome.READ, "the turn is still open"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("{move}\n{other}", "several", id="two moves"),
        pytest.param("{move}\nno, rather {other}, I think", "several", id="another one in a sentence"),
        pytest.param("I would like to play {move}.", "no-line", id="in a sentence"),
        pytest.param("Hello, how are you?", "nothing-read", id="words alone"),
        pytest.param("", "no-words", id="nothing"),
        pytest.param("2 {move}", "no-such-table", id="a number that there is not"),
        pytest.param("Z9-Z8", "not-a-move", id="no such territory"),
        pytest.param("I think A4 to Z9, please.", "not-a-move", id="no such territory, in a sentence"),
        pytest.param("vacation until Doomsday", "no-such-date", id="no date"),
    ],
)
def test_nothing_is_guessed(text: str, code: str, by_mail: Game) -> None:
    taken = answer(mover(by_mail), text.format(move=some_move(by_mail), other=other_move(by_mail)), at=LATER)
    assert (taken.outcome, codes(taken)) == (Outcome.EMPTY, [code])
    assert moves(by_mail) == []
    assert said_in_receipt(taken)
    assert not Postcard.objects.exists()


def test_who_has_asked_for_nothing_reads_in_the_html_too_what_there_is(by_mail: Game) -> None:
    taken = answer(mover(by_mail), "Hello, how are you?", at=LATER)
    assert taken.notice is not None
    html = str(compose(Notice.objects.loaded().get(pk=taken.notice.pk)).alternatives[0][0])
    assert all(f"“{written}”" in html for written in REQUESTS)


def test_a_request_of_the_list_is_none_where_a_line_has_it_alone() -> None:
    """Programs wrap the lines that they quote, and some quote without a sign."""
    for written in REQUESTS:
        listed = f"“{written}”,"
        assert listed in list_requests(is_alone=False)
        read = understand(listed, today=AT.date()).requests
        assert not read or (read[0].kind, read[0].until) == (RequestKind.VACATION, None), "no day: nothing is planned"


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (
            "{move} and please give me more time",
            "no-line",
            "“more time” is part of a sentence and was not understood as a request: write it on a line of its own.",
        ),
        (
            "{move}\n\nI am on vacation until 3 Dec. Or can I take back?",
            "played",
            "“vacation until” and “take back” are parts of sentences and were not understood as requests: write each",
        ),
    ],
)
def test_it_names_what_a_sentence_seems_to_ask_for(text: str, code: str, said: str, by_mail: Game) -> None:
    move = some_move(by_mail)
    player = mover(by_mail)
    taken = answer(player, text.format(move=move), at=LATER)
    assert codes(taken) == [code]
    assert said.format(move=move) in flat(taken)
    assert not player.vacations.exists()


# --- Too late --------------------------------------------------------------------------------------


def test_an_answer_after_the_move_on_the_page_says_what_was_played(by_mail: Game) -> None:
    player, move = mover(by_mail), some_move(by_mail)
    to = reply_to(call_of(player))
    play.play_move(by_mail, seat=seat_to_move(by_mail), move=move, ply=0, key="page", at=LATER)
    taken = send(write(to, move, sender=player.email), to, sender=player.email, at=LATER)
    assert codes(taken) == ["played-already"]
    assert f"{move} has been played" in said_in_receipt(taken)


def test_an_answer_after_the_autopilot_says_so(by_mail: Game) -> None:
    player, move = mover(by_mail), some_move(by_mail)
    to = reply_to(call_of(player))
    by_mail.refresh_from_db()
    assert by_mail.due_at is not None
    late = by_mail.due_at + timedelta(hours=1)
    play.end_overdue_turns(at=late)
    taken = send(write(to, move, sender=player.email), to, sender=player.email, at=late)
    assert codes(taken) == ["played-by-autopilot"]
    assert "autopilot" in said_in_receipt(taken)


def test_an_answer_after_the_end_says_so(by_mail: Game) -> None:
    player = mover(by_mail)
    to = reply_to(call_of(player))
    play_random(by_mail)
    taken = send(write(to, "A1-A2", sender=player.email), to, sender=player.email, at=LATER)
    assert codes(taken) == ["played-already"]


def test_the_same_mail_twice_is_played_once(by_mail: Game) -> None:
    player = mover(by_mail)
    to = reply_to(call_of(player))
    raw = write(to, some_move(by_mail), sender=player.email)
    first, second = (send(raw, to, sender=player.email, at=LATER) for _ in "12")
    assert (first.outcome, second.outcome) == (Outcome.READ, Outcome.REPEATED)
    assert len(moves(by_mail)) == 1


def test_the_token_of_an_earlier_turn_moves_nothing(by_mail: Game) -> None:
    player = mover(by_mail)
    to = reply_to(call_of(player))
    play_random(by_mail, 3)
    assert mover(by_mail) == player
    taken = send(write(to, some_move(by_mail), sender=player.email), to, sender=player.email, at=LATER)
    assert codes(taken) == ["played-already"]
    assert len(moves(by_mail)) == 3


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

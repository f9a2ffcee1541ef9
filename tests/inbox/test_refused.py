"""Answers by mail that play nothing, being from elsewhere, unreadable, illegal or too late, and what is said of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import inbox, play, rules
from games.inbox import Envelope
from games.inbox.understanding import RequestKind, understand
from games.models import Game, InboundMail, Notice, Postcard, TurnToken
from games.words.how_to_answer import REQUESTS, list_requests
from tests.cast import AT, play_random, seat_to_move
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
from tests.mail.composed import compose

Outcome = InboundMail.Outcome


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

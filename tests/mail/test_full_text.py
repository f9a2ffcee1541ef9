"""The full text of a mail, and what is said of answers: complete, short enough, no line that reads like an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from random import Random
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from pytest_django import Settings

from games import play, rules
from games.inbox.html_text import text_of_html
from games.inbox.understanding import understand
from games.mail import compose
from games.mail.compose import MOST_TEXT, as_read_by, tidy
from games.mail.game_state import write_full_text
from games.mail.letter import NoticeLetter, write_letter
from games.mail.tokens import as_answerable, example_move
from games.models import Game, Mail, Notice, Player
from games.pov import SeatPov
from tests.cast import AT, make_game, play_random, seat_to_move
from tests.elements import parse
from tests.mail.composed import compose as compose_message, mail_of
from tests.rules.scenes import scene

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _full(alice: Player, bob: Player, carol: Player) -> None:
    Player.objects.update(mail_text="full")


def call(game: Game, kind: str = "turn") -> Notice:
    """A notice to whoever is to move."""
    seat = seat_to_move(game)
    notice = Notice(seat=seat, kind=kind, ply=Game.objects.get(pk=game.pk).ply, created_at=AT)
    return Notice.objects.loaded().get(pk=_saved(notice).pk)


def _saved(notice: Notice) -> Notice:
    Notice.objects.filter(seat=notice.seat, kind=notice.kind, ply=notice.ply).delete()
    notice.due_at = AT
    notice.save()
    return notice


def text_of(*notices: Notice, at: datetime = AT) -> str:
    return mail_of(notices, at=at, may_draw=True).text


def answerable(notices: Sequence[Notice]) -> tuple[str, str]:
    """Text and HTML of a mail of these that can be answered; several tables have numbers."""
    player = notices[0].reader
    written: list[NoticeLetter] = []
    with as_read_by(player):
        for number, notice in enumerate(notices, start=1):
            one = write_letter(notice, at=AT, is_short=len(notices) > 1, is_full=player.mail_text == "full")
            written.append(as_answerable(one, number=number if len(notices) > 1 else None, is_confirmed_first=False))
        text, html, _subject = compose.render_mailing(compose._mailing(player, written, ()))
    return text, html


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r"#+ ", line)]


# --- The full text -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["turn", "reminder", "nudge"])
def test_it_tells_all_that_a_move_needs_under_headings(game: Game, kind: str) -> None:
    play_random(game, 20)
    text = text_of(call(game, kind))
    tops = [heading for heading in headings(text) if heading.startswith("# ")]
    assert tops == [*tops[:1], "# Scores of the clans", "# Village chips and epochs", "# Board", "# Legal moves"]
    assert tops[0].startswith("# Since your last move, ")
    assert [heading for heading in headings(text) if heading not in tops] == [f"## Region {x}" for x in "ABCDEFGHIJKL"]
    assert "starts with the sign #." in text
    for sign in "●▲■◆✚○|":
        assert sign not in text


def test_it_tells_how_long_the_epoch_lasts_and_what_comes_after(game: Game) -> None:
    told = " ".join(text_of(call(game)).split())
    assert "epoch I: it is worth 1 more in forest, and nothing in mountain. Epoch I has 4 chips left." in told
    assert "Epoch II has 3 chips: a village is worth 2 more in mountain, and nothing in grassland. Epoch III" in told
    assert "Epoch V has 1 chip: a village is worth 5 more on any terrain." in told
    play_random(game)
    seats = [SeatPov(number, name) for number, name in enumerate(("alice", "bob", "carol"))]
    for position in [step.position for step in Game.objects.get().steps()]:
        text = write_full_text(position, seats, with_moves=False).chips
        chips = [int(found) for found in re.findall(r"has (\d+) chips?", text)]
        assert sum(chips) == (position.chips_left if position.chips_left > 1 else 0)


def test_it_is_told_only_to_whom_it_helps(game: Game) -> None:
    play_random(game, 20)
    notice = call(game)
    assert headings(text_of(notice))
    Player.objects.update(mail_text="short")
    assert not headings(text_of(Notice.objects.loaded().get(pk=notice.pk)))


def test_whoever_is_not_to_move_is_told_the_board_without_moves(game: Game) -> None:
    play_random(game, 20)
    seat = game.seats.exclude(number=seat_to_move(game).number).select_related("game", "player")[0]
    found = headings(text_of(Notice(seat=seat, kind="proposal", ply=game.ply, created_at=AT)))
    assert "# Board" in found
    assert "# Legal moves" not in found


def test_a_game_that_is_over_is_told_as_to_everybody(game: Game) -> None:
    play_random(game)
    seat = game.seats.select_related("game", "player")[0]
    text = text_of(Notice(seat=seat, kind="finished", ply=game.ply, created_at=AT))
    assert not headings(text)
    assert "Totals" in text


def test_several_tables_are_told_one_after_the_other(alice: Player, bob: Player) -> None:
    notices = [call(_awaits(alice, bob)) for _ in range(2)]
    found = headings(text_of(*notices))
    assert [heading for heading in found if heading.startswith("# ")] == ["# Table: Friday table"] * 2
    assert found.count("## Legal moves") == 2
    assert found.count("### Region L") == 2


def test_a_table_with_several_news_is_told_in_full_once(game: Game) -> None:
    text = text_of(call(game), call(game, "nudge"))
    found = headings(text)
    assert len({heading for heading in found if heading.startswith("# ")}) == 2
    assert text.count("Friday table") == 1
    assert found.count("## Legal moves") == 1


def _awaits(player: Player, other: Player) -> Game:
    """A table that waits for `player`."""
    game = make_game(player, other)
    return game if seat_to_move(game).player == player else play_random(game, 1)


# --- How long it is ------------------------------------------------------------------------------


def test_it_has_at_most_30_kilobytes_in_all_positions_of_random_games() -> None:
    """With the longest names; the positions with the most legal moves are the first ones."""
    seats = [SeatPov(number, "x" * 30, is_bot=False, has_resigned=True) for number in range(4)]
    longest = 0
    for number in range(20):
        rng = Random(number)
        opening = rules.random_opening(rng, seats=rules.SEATS[number % 3])
        steps = rules.random_game(opening, rng)
        for position in [rules.set_up(opening), *(step.position for step in steps[:-1])]:
            full = write_full_text(position, seats, with_moves=True)
            letter = SimpleNamespace(full=full, history=())
            text = tidy(render_to_string("mail/_full.txt", {"letter": letter, "mark": "# ", "submark": "## "}))
            longest = max(longest, len(text.encode()) + text.count("\n"))
    assert 6_000 < longest < MOST_TEXT / 2


def test_of_many_tables_as_many_are_told_in_full_as_fit(alice: Player, bob: Player) -> None:
    text = text_of(*[call(_awaits(alice, bob)) for _ in range(6)])
    assert 20_000 < len(text.encode()) + text.count("\n") <= MOST_TEXT
    text = " ".join(text.split())
    told, cut = text.count("## Legal moves"), text.count("the mail would be too long. Its page tells it.")
    assert told >= 2
    assert told + cut == 6
    assert text.rindex("## Legal moves") < text.index("the mail would be too long")


def test_very_many_tables_still_fit_into_a_mail(alice: Player, bob: Player) -> None:
    notice = call(_awaits(alice, bob))
    made = compose_message([notice] * 40)
    assert len(made.message().as_bytes(linesep="\r\n")) < 100_000


def test_a_text_that_would_be_too_long_is_short_and_says_so(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.mail.compose.MOST_TEXT", 5_000)
    text = text_of(call(game))
    assert not headings(text)
    assert "the mail would be too long. Its page tells it." in " ".join(text.split())


# --- Answers -------------------------------------------------------------------------------------


def test_a_mail_that_cannot_be_answered_promises_nothing(game: Game) -> None:
    mail: Mail = mail_of(call(game))
    for part in (mail.text, mail.html):
        assert "answer this mail" not in part
        assert "How to answer" not in part


@pytest.mark.parametrize("plies", [0, 20, 30])
def test_it_invites_an_answer_by_a_move_that_is_legal(game: Game, plies: int) -> None:
    play_random(game, plies)
    text, html = answerable([call(game)])
    [move] = re.findall(r"\nOr answer this mail with your move, such as (\S+)\n", text)
    position = game.position()
    rules.play(position, rules.Move.parse(move, position.ruleset.board))
    assert f"Or answer this mail with your move, such as {move}" in parse(html).get_text()


def test_whoever_has_moved_may_answer_with_back(game: Game) -> None:
    play_random(game, 3)
    seat = game.seats.exclude(number=seat_to_move(game).number).select_related("game", "player")[0]
    text, html = answerable([Notice(seat=seat, kind="receipt", ply=game.ply, created_at=AT)])
    assert "Or answer this mail with back, to take your move back" in text
    assert "Or answer this mail with back, to take your move back" in parse(html).get_text()
    assert "How to answer" not in text


def test_the_example_has_an_order_where_each_move_needs_one() -> None:
    """One hut between two groups that are too large to move: wherever it goes, both become villages."""
    position, _move, _alone = scene(("forest", "rrrrrrrb"), ("mountain", "ggggggg"), taken=3, spare=False)
    move = rules.Move.parse(example_move(position), position.ruleset.board)
    assert len(rules.play(position, move).villages) == len(move.order) == 2


def test_the_example_has_no_order_where_some_move_needs_none() -> None:
    tried = 0
    for seed in range(60):
        rng = Random(seed)
        for step in rules.random_game(rules.random_opening(rng, seats=3), rng)[20:-1]:
            moves = rules.legal_moves(step.position)
            if rules.founding_orders(step.position, moves[0]):
                needed = [bool(rules.founding_orders(step.position, move)) for move in moves]
                assert ("=" in example_move(step.position)) == all(needed)
                tried += 1
    assert tried > 5


def test_the_example_is_another_move_than_the_one_that_waits() -> None:
    position, _move, _alone = scene(("*", "rb"))
    first = example_move(position)
    assert example_move(position, waiting=first) not in ("", first)
    needed, _move, _alone = scene(("forest", "rrrrrrrb"), ("mountain", "ggggggg"), taken=3, spare=False)
    first = example_move(needed)
    assert example_move(needed, waiting=first).partition("=")[0] != first.partition("=")[0]
    only, move, _alone = scene(("*", "rrrrrrrb"), spare=False)
    assert [str(legal) for legal in rules.legal_moves(only)] == [str(move)]
    assert example_move(only, waiting=str(move)) == str(move), "there is no other"


@pytest.mark.parametrize(("answers", "says"), [("ask", True), ("play", False)])
def test_it_says_where_a_move_is_confirmed_before_it_is_played(
    game: Game, settings: Settings, answers: str, *, says: bool
) -> None:
    settings.REPLY_ADDRESS = "turn@clans.example.net"
    Player.objects.update(mail_answers=answers)
    mail = mail_of(call(game))
    invitation = r"Or answer this mail with your move, such as \w\d-\w\d(\. You confirm it on the site before it)?"
    for part in (mail.text, parse(mail.html).get_text()):
        found = re.search(invitation, " ".join(part.split()))
        assert found is not None
        assert bool(found[1]) == says


def test_of_several_tables_each_has_its_number(alice: Player, bob: Player) -> None:
    text, html = answerable([call(_awaits(alice, bob)) for _ in range(2)])
    for number in (1, 2):
        assert re.search(rf"\nOr answer this mail with {number} and your move, such as {number} \S+\n", text)
        assert f"# Table {number}: Friday table" in text
    assert [found.get_text() for found in parse(html).select("h2")] == [
        "Table 1: Friday table",
        "Table 2: Friday table",
    ]
    assert text.count("# How to answer") == 1
    assert "Begin each line with the number of its table." in text


@pytest.mark.parametrize("text", ["full", "short"])
def test_it_says_what_is_understood(game: Game, text: str) -> None:
    Player.objects.update(mail_text=text)
    said = " ".join(answerable([call(game)])[0].partition("How to answer\n")[2].split())
    for request in (
        ": more time ",
        ": thinking ",
        ": tonight ",
        ": vacation until 3 Dec ",
        ": back ",
        "become a postcard",
    ):
        assert request in said
    assert "write it behind the move: C4-D1=B5,D1 shows the form." in said
    assert ("C4-D1 #2 means the second of them" in said) == (text == "full")


@pytest.mark.parametrize(("others", "says"), [(0, False), (1, True)])
def test_the_others_can_be_told_where_they_are_people(alice: Player, bob: Player, others: int, says: bool) -> None:
    game = make_game(alice, *[bob][:others], bots=2)
    Game.objects.filter(pk=game.pk).update(to_move=game.seats.get(player=alice).number, awaited=alice)
    said = " ".join(answerable([call(game)])[0].partition("How to answer\n")[2].split())
    assert ": tonight " in said
    assert (": thinking " in said) == says


@pytest.mark.parametrize(("answers", "said"), [("ask", "is not played at once"), ("play", "is played at once")])
def test_it_says_what_becomes_of_a_move(game: Game, answers: str, said: str) -> None:
    Player.objects.update(mail_answers=answers)
    assert f"Your move {said}" in answerable([call(game)])[0]


@pytest.mark.parametrize("text", ["full", "short"])
@pytest.mark.parametrize("plies", [0, 12, 24, 30, 36])
def test_no_line_of_it_reads_like_an_answer(game: Game, alice: Player, bob: Player, text: str, plies: int) -> None:
    """Where a mail program quotes without a sign, nothing that is quoted may be taken for what was written."""
    Player.objects.update(mail_text=text)
    play_random(game, plies)
    for notices in ([call(game)], [call(_awaits(alice, bob)) for _ in range(2)]):
        mail = answerable(notices)[0]
        assert understand(mail, today=AT.date()).requests == ()
        [example] = re.findall(r"such as ((?:1 )?\w\d-\w\d)\s", mail)[:1]
        assert len(understand(f"{mail}\n{example}\n", today=AT.date()).requests) == 1


def test_no_words_of_others_read_like_an_answer(game: Game, alice: Player, bob: Player, carol: Player) -> None:
    """The same where another player wants it so, who says something."""
    folded = f"{'word ' * 13}end. C4-D1"
    for said in ("Look:\nC4-D1", "more time", "1 C4-D1\nback\n- vacation until 3 Dec", folded):
        play.write_postcard(game, player=carol, text=said, at=AT)
    for notices in ([call(game)], [call(game), call(_awaits(alice, bob))]):
        text, html = answerable(notices)
        assert understand(text, today=AT.date()).requests == ()
        assert understand(text_of_html(html), today=AT.date()).requests == ()


@pytest.mark.parametrize("text", ["full", "short"])
def test_no_name_of_a_table_reads_like_an_answer(alice: Player, bob: Player, text: str) -> None:
    """Also of one without a number, which the mail cannot answer."""
    Player.objects.update(mail_text=text)
    notices = [call(_awaits(alice, bob)) for _ in range(2)]
    Game.objects.update(name="more time")
    mail = mail_of([Notice.objects.loaded().get(pk=notice.pk) for notice in notices], at=AT)
    assert mail.text.count("more time") >= 2
    assert understand(mail.text, today=AT.date()).requests == ()
    assert understand(text_of_html(mail.html), today=AT.date()).requests == ()

"""Every shape of answer in the corpus is read as its table says: no move is missed, none found that was not meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

import pytest

from games import rules
from games.inbox.reading import read
from games.inbox.understanding import Request, RequestKind, understand
from games.models import Game, Notice
from tests.inbox.corpus import FAMILIES, Answer, Quoted
from tests.inbox.written import TODAY
from tests.mail.composed import mail_of

LINES = ("C1-D2", "1 C1-D2", "more time", "thinking", "back", "vacation until 3 Dec")
"""Lines that are in everything that is quoted, besides each legal move."""


@pytest.fixture
def quoted(game: Game) -> Quoted:
    """The mail of the first turn, and after it all that a mail may ever have as a line of its own."""
    mail = mail_of(Notice.objects.get(seat__game=game, kind=Notice.Kind.TURN))
    lines = [*LINES, *(str(move) for move in rules.legal_moves(game.position()))]
    page = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return Quoted("\n".join([mail.text, *lines]), mail.html.replace("</body>", page + "</body>"))


@pytest.mark.parametrize("family", FAMILIES)
def test_it_reads_every_shape_as_it_was_meant(family: Callable[[Quoted], Iterator[Answer]], quoted: Quoted) -> None:
    answers = list(family(quoted))
    read_as = {answer.name: _said(answer) for answer in answers}
    meant = {answer.name: _meant(answer) for answer in answers}
    assert len(meant) == len(answers)
    assert read_as == meant


def test_it_has_more_than_400_different_shapes(quoted: Quoted) -> None:
    assert len({answer.raw.partition(b"MIME-Version")[2] for family in FAMILIES for answer in family(quoted)}) >= 400


def test_a_mail_that_comes_back_without_marks_asks_for_nothing(game: Game) -> None:
    mail = mail_of(Notice.objects.get(seat__game=game, kind=Notice.Kind.TURN))
    assert understand(mail.text, today=TODAY).requests == ()


def _said(answer: Answer) -> tuple[str, str, str, str, bool]:
    incoming = read(answer.raw)
    understood = understand(incoming.text, today=TODAY)
    asks = "\n".join(_line(request) for request in understood.requests)
    stray, missed = " ".join(understood.stray), ", ".join(understood.missed)
    return asks, understood.words, stray, missed, bool(incoming.trouble)


def _meant(answer: Answer) -> tuple[str, str, str, str, bool]:
    written = answer.written
    return written.asks, written.words, written.stray, written.missed, answer.is_unreadable


def _line(request: Request) -> str:
    """A request as the tables have it."""
    said = request.read if request.kind is RequestKind.MOVE else request.kind.value
    if request.kind is RequestKind.VACATION:
        said += f" {request.until or '?'}"
    return f"{request.number} {said}" if request.number else said

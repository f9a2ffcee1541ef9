"""Letting a reader answer a mail: the address that takes the answer, and the numbers of the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.conf import settings

from games.mail.in_full import example_move
from games.mail.kinds import kind_of
from games.mail.letter import Written
from games.models import MailAnswers, Player, Seat, TurnToken, make_turn_token


def make_answerable(player: Player, written: Sequence[Written], *, at: datetime) -> tuple[list[Written], str]:
    """The letters, each that can be answered with a move marked as such and numbered where there are several, and the
    address to which their reader answers; empty where none takes answers. Costs 2 queries, and those of the `seats`."""
    if not settings.REPLY_ADDRESS:
        return list(written), ""
    seats: dict[int, Seat] = {}
    use, tables = TurnToken.Use.ANSWER, [_tables_of(one) for one in written]
    if len(written) == 1:
        use, seats = kind_of(written[0].notice.kind).answers.use, tables[0]
    else:
        takers = [found for one, found in zip(written, tables, strict=True) if _takes_moves(one)]
        waiting = {seat.pk: seat for found in takers for seat in found.values()}
        seats = dict(enumerate(waiting.values(), start=1))
    if not seats:
        return list(written), ""
    address = _reply_address(make_turn_token(player, seats, use=use, at=at))
    if use == TurnToken.Use.TALK:
        return [replace(one, letter=replace(one.letter, takes_words=True)) for one in written], address
    numbers = {seat.pk: number for number, seat in seats.items()}
    asks = player.mail_answers == MailAnswers.ASK
    found = zip(written, tables, strict=True)
    return [_numbered(one, numbers if own else {}, asks=asks) for one, own in found], address


def _tables_of(one: Written) -> dict[int, Seat]:
    return dict(kind_of(one.notice.kind).answers.seats(one.notice))


def _takes_moves(one: Written) -> bool:
    return kind_of(one.notice.kind).answers.use == TurnToken.Use.ANSWER


def _numbered(one: Written, numbers: Mapping[int, int], *, asks: bool) -> Written:
    """The letter, with the number of its table if there are several, if it can be answered with a move."""
    number = numbers.get(one.notice.seat_id) if _takes_moves(one) else None
    return as_answerable(one, number=number if len(numbers) > 1 else None, asks=asks) if number else one


def as_answerable(one: Written, *, number: int | None, asks: bool) -> Written:
    """The letter marked as one that can be answered with a move, by that number, with an example of a move where it is
    its reader's turn. `asks` says whether the site asks them before it plays a move. Costs a query for some kinds."""
    letter = replace(one.letter, number=number, is_answerable=True, is_confirmed_first=asks)
    facts, pov = one.facts, one.pov
    if facts.is_to_move and pov.position is not None:
        waiting = kind_of(one.notice.kind).answers.waiting_move(facts)
        example = example_move(pov.position, waiting=waiting)
        has_other = bool(waiting) and example.partition("=")[0] != waiting.partition("=")[0]
        letter = replace(letter, example=(example, "=".join(pov.ruleset.board.example)), is_another=has_other)
    return replace(one, letter=letter)


def _reply_address(secret: str) -> str:
    """The address to which the holder of a token's secret answers."""
    name, _at, domain = settings.REPLY_ADDRESS.rpartition("@")
    return f"{name}+{secret}@{domain}"

"""What lets a reader play from the mail itself: the button that leads to a page for this turn alone (design 3.3), and
the address that takes answers, with the numbers of the tables (design 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.conf import settings

from games import rules
from games.mail import links
from games.mail.letter import NoticeLetter
from games.models import MailAnswers, Player, TurnToken, make_turn_token

# --- A button that moves ---------------------------------------------------------------------------


def make_pressable(player: Player, written: Sequence[NoticeLetter], *, at: datetime) -> list[NoticeLetter]:
    """The letters; where a table waits for a player who wishes so, the button moves without signing in. Costs 2 queries
    for each such button."""
    urls: dict[str, str] = {}
    for one in written:
        if player.presses and _calls(one, player) and one.slug not in urls:
            secret = make_turn_token(player, {1: one.notice.seat}, use=TurnToken.Use.PRESS, at=at)
            urls[one.slug] = links.press_url(one.slug, secret)
    return [
        one.changed(url=urls[one.slug], moves_at_once=True) if _calls(one, player) and one.slug in urls else one
        for one in written
    ]


def _calls(one: NoticeLetter, player: Player) -> bool:
    """Whether it has a button to move at a table that waits for the player."""
    return one.kind.asks_for_move and bool(one.letter.button) and one.notice.seat.game.awaited_id == player.pk


# --- An address that takes answers -----------------------------------------------------------------


def make_answerable(player: Player, written: Sequence[NoticeLetter], *, at: datetime) -> tuple[list[NoticeLetter], str]:
    """The letters, each that can be answered with a move marked as such and numbered where there are several, and the
    address to which their reader answers; empty where none takes answers. Costs 2 queries for the address, and those of
    the kinds' `answers`."""
    if not settings.REPLY_ADDRESS:
        return list(written), ""
    use, tables = TurnToken.Use.ANSWER, [one.kind.answers.seats(one.notice) for one in written]
    if len(written) == 1:
        use, seats = written[0].kind.answers.use, tables[0]
    else:
        takers = [found for one, found in zip(written, tables, strict=True) if _takes_moves(one)]
        waiting = {seat.pk: seat for found in takers for seat in found.values()}
        seats = dict(enumerate(waiting.values(), start=1))
    if not seats:
        return list(written), ""
    secret = make_turn_token(player, seats, use=use, at=at)
    name, _at, domain = settings.REPLY_ADDRESS.rpartition("@")
    address = f"{name}+{secret}@{domain}"
    if use == TurnToken.Use.TALK:
        return [one.changed(takes_words=True) for one in written], address
    numbers = {seat.pk: number for number, seat in seats.items()}
    confirmed = player.mail_answers == MailAnswers.ASK
    found = zip(written, tables, strict=True)
    return [_numbered(one, numbers if own else {}, is_confirmed_first=confirmed) for one, own in found], address


def _takes_moves(one: NoticeLetter) -> bool:
    return one.kind.answers.use == TurnToken.Use.ANSWER


def _numbered(one: NoticeLetter, numbers: Mapping[int, int], *, is_confirmed_first: bool) -> NoticeLetter:
    """The letter, with the number of its table if there are several, if it can be answered with a move."""
    number = numbers.get(one.notice.seat_id) if _takes_moves(one) else None
    if not number:
        return one
    return as_answerable(one, number=number if len(numbers) > 1 else None, is_confirmed_first=is_confirmed_first)


def as_answerable(one: NoticeLetter, *, number: int | None, is_confirmed_first: bool) -> NoticeLetter:
    """The letter marked as one that can be answered with a move, by that number, with an example of a move where it is
    its reader's turn. If it `is_confirmed_first`, the site asks them before it plays a move. Costs a query for some
    kinds."""
    one = one.changed(number=number, is_answerable=True, is_confirmed_first=is_confirmed_first)
    if not one.facts.is_to_move or one.pov.position is None:
        return one
    waiting = one.kind.answers.waiting_move(one.facts)
    example = example_move(one.pov.position, waiting=waiting)
    has_other = bool(waiting) and example.partition("=")[0] != waiting.partition("=")[0]
    return one.changed(example=(example, "=".join(one.pov.ruleset.board.example)), is_another=has_other)


def example_move(position: rules.Position, *, waiting: str = "") -> str:
    """A move that is legal; with a founding order only where each move needs one. Another than the one that is
    `waiting` for its player, where there is another."""
    moves = rules.legal_moves(position)
    others = [move for move in moves if str(move) != waiting.partition("=")[0]]
    ordered: list[rules.Move] = []
    for pair in others or moves:
        move = rules.try_move(position, pair)[0].move
        if not move.order:
            return str(move)
        ordered.append(move)
    return str(min(ordered, key=lambda move: len(move.order)))

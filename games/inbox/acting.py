"""Doing what a mail asks for, each turn for itself, by the same functions as the pages. Doing it again, after a crash,
changes nothing more and gives the same results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from games import play, rules
from games.caching import prepared
from games.inbox.understanding import Request, RequestKind, Understood, numbers_in_front
from games.models import LONGEST_POSTCARD, Game, InboundMail, TokenTurn, TurnToken, visible_words

Turns = Mapping[int, TokenTurn]
"""What a mail can answer, by the numbers of the mail that went out; seats, games and players are loaded."""
READ_LETTERS: Final = 60
"""How many letters of what was not understood a receipt quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of one turn, as `InboundMail.results` stores it; games/words/receipts.py has the sentences."""

    code: str
    """What was done, or why not."""
    is_done: bool
    number: int = 0
    """What the mail that was answered calls the turn; 0 where there is no such turn."""
    table: str = ""
    slug: str = ""
    read: str = ""
    """What was read: the move in notation, or the words themselves."""
    params: Mapping[str, str | int] = field(default_factory=dict)
    origin: str = ""
    choices: tuple[str, ...] = ()
    """What could be played instead: the moves from `origin`, or one move with each of its founding orders."""
    words: str = ""
    """`kept` or `lost`, where words came along."""
    missed: tuple[str, ...] = ()
    """What seems to be asked for in a sentence of these words, and was not done."""


@dataclass(frozen=True, slots=True)
class AnswerByMail:
    """What a mail asks for, and how far its sender may be believed."""

    mail: InboundMail
    turns: Turns
    understood: Understood
    is_authentic: bool
    is_confirmed_first: bool
    """Whether a move is not played but shown to the player first."""
    at: datetime


def turns_of(mail: InboundMail) -> Turns:
    """The turns that can be answered at the address to which `mail` came, in the order of their numbers. A query."""
    return {turn.number: turn for turn in _turns_of(mail.token_id)}


@prepared
def _turns_of(token: int) -> QuerySet[TokenTurn]:
    turns = TokenTurn.objects.filter(token=token).select_related("token", "seat__game", "seat__player")
    return turns.defer("seat__clan", "seat__entropy", "seat__player__password").order_by("number")


def act(answer: AnswerByMail) -> list[Result]:
    """Do what is asked for; a result for each turn that was answered, at least one. Costs what the calls of `play`
    cost."""
    first, requests = next(iter(answer.turns.values())), answer.understood.requests
    words = visible_words(answer.understood.words)
    if answer.mail.token.use == TurnToken.Use.TALK:
        return [_refused(first, "words-only", read=requests[0].read) if requests else _say(answer, first, words)]
    results = _act_each(answer, words) if requests else [_nothing_read(answer, first)]
    return [replace(results[0], missed=answer.understood.missed), *results[1:]]


def _act_each(answer: AnswerByMail, words: str) -> list[Result]:
    """Do what is asked for each turn."""
    by_number = _by_number(answer.understood.requests, answer.turns)
    # A line that was not understood can be for another table, whose players may be others.
    if len(by_number.keys() | numbers_in_front(words) & answer.turns.keys()) == 1:
        return [_act_once(answer, number, those, words=words) for number, those in by_number.items()]
    results = [_act_once(answer, number, those, words="") for number, those in by_number.items()]
    # Nobody knows which table the words are for.
    return [replace(results[0], words="lost"), *results[1:]] if words else results


def _by_number(requests: Sequence[Request], turns: Turns) -> dict[int, list[Request]]:
    """What is asked for each turn; 0 where several turns are answered and no number was given."""
    only = min(turns) if len(turns) == 1 else 0
    found: dict[int, list[Request]] = {}
    for request in requests:
        found.setdefault(only if request.number is None else request.number, []).append(request)
    return found


def _nothing_read(answer: AnswerByMail, turn: TokenTurn) -> Result:
    """Nothing stands on a line of its own that can be done."""
    if stray := answer.understood.stray:
        known = [text for text in stray if _is_on_the_map(text, turn.seat.game)]
        return _refused(turn, "no-line" if known else "not-a-move", read=", ".join(known or stray))
    words = answer.understood.words[:READ_LETTERS]
    return _refused(turn, "nothing-read" if words else "no-words", read=words)


def _is_on_the_map(text: str, game: Game) -> bool:
    with suppress(rules.InvalidMove):
        return bool(rules.Move.parse(text.partition("#")[0], game.ruleset.board))
    return False


def _act_once(answer: AnswerByMail, number: int, requests: list[Request], *, words: str) -> Result:
    """Do what is asked for one turn; `words` go along."""
    lost = "lost" if words else ""
    vacation = next((request for request in requests if request.kind is RequestKind.VACATION), None)
    turn = next(iter(answer.turns.values())) if vacation else answer.turns.get(number)
    if turn is None:
        code = "which-table" if number == 0 else "no-such-table"
        return Result(code=code, is_done=False, read=requests[0].read, words=lost)
    moves = dict.fromkeys(request.read for request in requests if request.kind is RequestKind.MOVE)
    others = dict.fromkeys(request.kind for request in requests if request.kind is not RequestKind.MOVE)
    if len(moves) + len(others) > 1 or (moves and answer.understood.stray):
        read = dict.fromkeys((*(request.read for request in requests), *answer.understood.stray))
        return _refused(turn, "several", read=", ".join(read), words=lost)
    request = requests[0]
    done = _move(answer, turn, request, words) if moves else _do(answer, turn, request)
    if not words or done.words:
        return done
    said = done.is_done and done.code != "played" and _say(answer, turn, words).is_done
    return replace(done, words="kept" if said else lost)


def _done(turn: TokenTurn, code: str, **more: Any) -> Result:
    return Result(code=code, is_done=True, **_about(turn), **more)


def _refused(turn: TokenTurn, code: str, **more: Any) -> Result:
    return Result(code=code, is_done=False, **_about(turn), **more)


def _about(turn: TokenTurn) -> dict[str, Any]:
    return {"number": turn.number, "table": turn.seat.game.name, "slug": turn.seat.game.slug}


# --- Moves -----------------------------------------------------------------------------------------


def _move(answer: AnswerByMail, turn: TokenTurn, request: Request, words: str) -> Result:
    """Play a move, or have it confirmed."""
    game, words = turn.seat.game, words if len(words) <= LONGEST_POSTCARD else ""
    try:
        move = _read_move(request.read, game)
        if answer.is_confirmed_first and turn.is_open:
            rules.try_move(game.position(), move)
            return _done(turn, "asked", read=str(move), params={"is_signed": int(answer.is_authentic)})
        if answer.is_confirmed_first:
            return _why_over(turn, str(move))
        played = play.play_move(
            game,
            seat=turn.seat,
            move=move,
            ply=turn.ply,
            edition=turn.edition,
            key=f"mail-{answer.mail.pk}-{turn.number}",
            at=answer.at,
            by_mail=True,
            words=words,
        )
    except rules.InvalidMove:
        return _refused(turn, "not-a-move", read=request.read)
    except rules.FoundingOrderError as error:
        code = "no-such-order" if error.move.order or "#" in request.read else "needs-order"
        return _refused(turn, code, read=_without_order(error.move), choices=_orders_of(error.move, game))
    except rules.IllegalMove as error:
        origin = error.move.origin
        return _refused(
            turn,
            error.code,
            read=_without_order(error.move),
            params=error.params,
            origin=origin,
            choices=tuple(str(move) for move in rules.legal_moves(game.position()) if move.origin == origin),
        )
    except (play.StaleMove, play.NotYourTurn, play.GameNotRunning):
        return _why_over(turn, request.read)
    return _done(turn, "played", read=str(played.step.move), words="kept" if words else "")


def _read_move(text: str, game: Game) -> rules.Move:
    """The move of a text; `C4-D1#2` has the second of the founding orders that are listed for C4-D1. Raises
    rules.InvalidMove, rules.IllegalMove."""
    written, _mark, place = text.partition("#")
    move = rules.Move.parse(written, game.ruleset.board)
    if not place:
        return move
    orders = rules.try_move(game.position(), move)[1]
    number = int(place)
    # What is not listed is refused by the rules, like any other order that does not fit.
    return move._replace(order=orders[number - 1] if 1 <= number <= len(orders) else (move.origin,))


def _without_order(move: rules.Move) -> str:
    return str(move._replace(order=()))


def _orders_of(move: rules.Move, game: Game) -> tuple[str, ...]:
    orders = rules.try_move(game.position(), move)[1]
    return tuple(str(move._replace(order=order)) for order in orders)


def _why_over(turn: TokenTurn, read: str) -> Result:
    """Why a turn is not open any more, from the log as it is now."""
    game = Game.objects.get(pk=turn.seat.game_id)
    last = game.moves.filter(ply=turn.ply).first()
    if last is not None and last.seat == turn.seat.number and game.edition == turn.edition:
        code = "played-by-autopilot" if last.by_autopilot else "played-already"
        return _refused(turn, code, read=read, params={"move": last.text})
    return _refused(turn, "turn-over" if game.is_running else "game-not-running", read=read)


# --- Everything else --------------------------------------------------------------------------------


def _do(answer: AnswerByMail, turn: TokenTurn, request: Request) -> Result:
    """Do something that is not a move."""
    if not answer.is_authentic:
        return _refused(turn, "not-signed", read=request.read)
    try:
        return ACTIONS[request.kind](answer, turn, request)
    except play.DoneAlready as error:
        return _done(turn, error.code, read=request.read)
    except play.PlayError as error:
        return _refused(turn, error.code, read=request.read)


def _take_day(answer: AnswerByMail, turn: TokenTurn, request: Request) -> Result:
    days = _days_before(answer.mail, turn)
    wanted = play.Turn(turn.edition, turn.ply, days)
    play.take_reserve_day(turn.seat.game, player=answer.mail.player, turn=wanted, at=answer.at)
    return _done(turn, "more-time", read=request.read)


def _days_before(mail: InboundMail, turn: TokenTurn) -> int:
    """How many days of the reserve had been taken before this mail: stored before one more is, so that whoever handles
    the mail after a crash takes no second one."""
    stored = {one["number"]: int(one["days"]) for one in mail.results}
    if turn.number not in stored:
        stored[turn.number] = turn.seat.reserve_taken // play.RESERVE_DAY
        mail.results = [*mail.results, {"number": turn.number, "days": stored[turn.number]}]
        mail.save(update_fields=("results",))
    return stored[turn.number]


def _tell(answer: AnswerByMail, turn: TokenTurn, request: Request) -> Result:
    if not turn.is_open:
        return _why_over(turn, request.read)
    others = turn.seat.game.seats.exclude(pk=turn.seat.pk)
    # Who says that they play tonight is reminded then.
    if request.kind is RequestKind.THINKING and not others.filter(is_bot=False).exists():
        return _refused(turn, "nobody-to-tell", read=request.read)
    play.tell_others(turn.seat.game, player=answer.mail.player, what=request.kind.value, at=answer.at)
    return _done(turn, request.kind.value, read=request.read)


def _plan_vacation(answer: AnswerByMail, turn: TokenTurn, request: Request) -> Result:
    if request.until is None:
        return _refused(turn, "no-such-date", read=request.read)
    today = answer.mail.player.calendar().day(answer.at)
    play.plan_vacation(answer.mail.player, first=today, last=request.until, at=answer.at)
    return _done(turn, "vacation", read=request.until.isoformat())


def _take_back(answer: AnswerByMail, turn: TokenTurn, request: Request) -> Result:
    game = turn.seat.game
    if turn.is_open:
        return _refused(turn, "nothing-played", read=request.read)
    # The mail that is answered called to the turn, or told of the move after it.
    ply = turn.ply + 1 if turn.is_own else turn.ply
    play.take_back(game, player=answer.mail.player, ply=ply, edition=turn.edition, at=answer.at)
    return _done(turn, "back", read=request.read)


def _say(answer: AnswerByMail, turn: TokenTurn, words: str) -> Result:
    """Put `words` on a postcard to all at the table, once."""
    if not answer.is_authentic:
        return _refused(turn, "not-signed", read=words[:READ_LETTERS])
    game, player = turn.seat.game, answer.mail.player
    if game.postcards.filter(seat=turn.seat, text=words, at__gte=answer.mail.received_at).exists():
        return _done(turn, "said")
    try:
        play.write_postcard(game, player=player, text=words, at=answer.at)
    except play.PlayError as error:
        return _refused(turn, error.code, read=words[:READ_LETTERS])
    return _done(turn, "said")


ACTIONS: Final[dict[RequestKind, Callable[[AnswerByMail, TokenTurn, Request], Result]]] = {
    RequestKind.MORE_TIME: _take_day,
    RequestKind.THINKING: _tell,
    RequestKind.TONIGHT: _tell,
    RequestKind.VACATION: _plan_vacation,
    RequestKind.BACK: _take_back,
}

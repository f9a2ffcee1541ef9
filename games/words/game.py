"""What has happened in a game, whose turn it is and how it ended, plain text for pages and mails, from Pov values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _, gettext_noop, ngettext

from games import rules
from games.models import Game
from games.pov import EventPov, MovePov, PostcardPov, Pov, SeatPov
from games.words.villages import describe_village
from games.words.vocabulary import count_points, join_words, name_clan, one_line

Names = Callable[[SeatPov, datetime], str]
"""What whoever had a seat at a moment is called: by their name, or as markup has it, if the sentence is for a page."""

_EVENTS = {
    "resigned": gettext_noop("%(name)s resigned; a computer player moves on."),
    "proposed": gettext_noop("%(name)s proposed to abandon the game."),
    "agreed": gettext_noop("%(name)s agreed to abandon the game."),
    "plays-on": gettext_noop("%(name)s no longer wants to abandon the game."),
    "took-back": gettext_noop("%(name)s took move %(number)d back."),
    "withdrew": gettext_noop("%(name)s withdrew the move of the autopilot, %(move)s."),
    "taken": gettext_noop("%(name)s took over the seat of %(former)s."),
    "nudged": gettext_noop("%(name)s nudged the player whose turn it was."),
    "again": gettext_noop("%(name)s asked the others to play again."),
}


def describe_moves(moves: Iterable[MovePov], seats: Sequence[SeatPov], *, names: Names = SeatPov.name_at) -> list[str]:
    """What each move of a history did, saying so when it was the autopilot or a computer player for a seat given up."""
    # Looked up once: a history has dozens of moves.
    by_player = (
        _("%(name)s moved %(origin)s to %(target)s."),
        _("%(name)s moved %(origin)s to %(target)s and founded %(villages)s."),
    )
    return [_describe_step(move, seats[move.step.seat], by_player, names) for move in moves]


def _describe_step(move: MovePov, seat: SeatPov, by_player: tuple[str, str], names: Names) -> str:
    """`by_player` are the sentences of a move that founded nothing and of one that founded villages."""
    step, name, (moved, founded) = move.step, names(seat, move.at), by_player
    if move.by_autopilot:
        moved = _("The autopilot moved for %(name)s: %(origin)s to %(target)s.")
        founded = _("The autopilot moved for %(name)s: %(origin)s to %(target)s, founding %(villages)s.")
    elif move.by_bot and (seat.has_resigned or seat.name_at(move.at) != seat.name):
        name = _("The computer player for %(name)s") % {"name": name}
    places = {"name": name, "origin": step.move.origin, "target": step.move.target}
    if not step.villages:
        return moved % places
    return founded % (places | {"villages": join_words([describe_village(village) for village in step.villages])})


def say_before_first_move() -> str:
    return _("Before the first move.")


def tell_ply(pov: Pov) -> list[str]:
    """What the last move of an earlier ply did, with its number."""
    if not pov.moves:
        return [say_before_first_move()]
    return [_("Move %(ply)d:") % {"ply": pov.ply}, *describe_moves(pov.moves[-1:], pov.seats)]


def describe_event(event: EventPov, seats: Sequence[SeatPov], *, names: Names = SeatPov.name_at) -> str:
    """What somebody did besides moving."""
    seat = seats[event.seat]
    return _(_EVENTS[event.kind]) % {
        "name": names(seat, event.at),
        "former": names(seat, event.at - timedelta.resolution),
        "move": event.text,
        "number": event.ply + 1,
    }


def head_postcard(postcard: PostcardPov, *, name: str = "") -> str:
    """Who said it, by the name of the writer or as markup has that `name`, and with or about which move: `carol, with
    move 13`, `carol, about move 13`."""
    if postcard.about:
        return _("%(name)s, about move %(number)d") % {"name": name or postcard.name, "number": postcard.about}
    if postcard.with_move:
        return _("%(name)s, with move %(number)d") % {"name": name or postcard.name, "number": postcard.ply}
    return name or postcard.name


def quote_postcard(postcard: PostcardPov, *, head: str = "", text: str = "") -> str:
    """What was said, in one line: `carol, with move 13: I like your village.`; as markup has `head` and `text`, if
    given."""
    return _("%(head)s: %(text)s") % {
        "head": head or head_postcard(postcard),
        "text": text or one_line(postcard.text),
    }


def describe_mute(name: str, *, blocks: bool) -> str:
    """What came of muting somebody."""
    return (_("You have blocked %(name)s.") if blocks else _("You have muted %(name)s.")) % {"name": name}


def describe_gain(before: rules.Position, after: rules.Position) -> str:
    """What the clans have gained from one position to another: `red +8, black +14`, with spaces that do not break."""
    gains = [(clan, new - old) for clan, old, new in zip(rules.CLANS, before.scores, after.scores, strict=True)]
    gained = [f"{name_clan(clan)}\N{NO-BREAK SPACE}+{points}" for clan, points in gains if points]
    return ", ".join(gained) or _("no points")


def say_turn(pov: Pov) -> str:
    """Whose turn it is, to the viewer; how it stands when nobody's."""
    mover = pov.mover
    if mover is None:
        return say_end(pov)
    if pov.is_my_turn:
        return _("It is your move.")
    if mover.is_bot:
        return _("It is %(name)s’s move; a computer player needs a few seconds.") % {"name": mover.name}
    if mover.is_on_autopilot:
        return _("It is %(name)s’s move; the autopilot makes it in a few seconds.") % {"name": mover.name}
    return _("It is %(name)s’s move.") % {"name": mover.name}


def say_offer(pov: Pov) -> str:
    """Who wants to abandon the game, to the viewer; empty when nobody does, and when it does not run."""
    agreed = [seat for seat in pov.seats if seat.agrees_to_abandon] if pov.is_running else []
    others = [seat.name for seat in agreed if not seat.is_mine]
    if others and len(agreed) > len(others):
        names = join_words([*others, _("you")])
        return _("%(names)s want to abandon this game; not everybody has agreed yet.") % {"names": names}
    if others:
        said = ngettext("%(names)s wants to abandon this game.", "%(names)s want to abandon this game.", len(others))
        return said % {"names": join_words(others)}
    return _("You want to abandon this game; the others have not agreed yet.") if agreed else ""


def say_end(pov: Pov) -> str:
    """How a game that is over ended (rules 7); empty for any other."""
    if pov.end == Game.End.VILLAGES:
        return _("The twelfth village ended the game.")
    if pov.end == Game.End.NO_MOVES:
        villages = len(pov.position.villages) if pov.position else 0
        return ngettext(
            "No move was left: the game ended with %(villages)d village.",
            "No move was left: the game ended with %(villages)d villages.",
            villages,
        ) % {"villages": villages}
    return _say_abandoned(pov) if pov.end == Game.End.ABANDONED else ""


def _say_abandoned(pov: Pov) -> str:
    people = [seat for seat in pov.seats if not (seat.is_bot or seat.is_on_autopilot)]
    if people and all(seat.agrees_to_abandon for seat in people):
        if any(seat.has_resigned or seat.is_on_autopilot for seat in pov.seats):
            # Those were not asked.
            return _("Everybody still playing agreed to abandon the game.")
        return _("All players agreed to abandon the game.")
    if people:
        return _("A player’s time ran out, so the game was abandoned.")
    return _("Nobody was left to play, so the game was abandoned.")


def say_result(pov: Pov) -> str:
    """Who won a game that is over (rules 7.3 and 7.4); empty for any other."""
    if not pov.is_over:
        return ""
    winners = pov.winners
    if not winners:
        return _("Nobody wins.")
    points = count_points(winners[0].total or 0)
    if len(winners) > 1:
        names = join_words([seat.name for seat in winners])
        return _("%(names)s share the win with %(points)s each.") % {"names": names, "points": points}
    if winners[0].has_resigned:
        places = {"name": winners[0].name, "points": points}
        return _("The computer player that took over from %(name)s wins with %(points)s.") % places
    if winners[0].is_mine:
        return _("You win with %(points)s.") % {"points": points}
    return _("%(name)s wins with %(points)s.") % {"name": winners[0].name, "points": points}

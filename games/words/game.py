"""The game in sentences of the active language, plain text for pages and mails, from rules and Pov values alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from django.utils.translation import get_language, gettext as _, gettext_noop, ngettext

from games import rules
from games.caching import cached
from games.pov import EventPov, MovePov, PostcardPov, Pov, SeatPov

MOST = 4096
"""Texts of each kind that are cached, by the values that they tell of."""

Names = Callable[[SeatPov, datetime], str]
"""What whoever had a seat at a moment is called: by their name, or as markup has it, if the sentence is for a page."""

NUMERALS = ("", "I", "II", "III", "IV", "V")

_CLANS = {
    "red": gettext_noop("red"),
    "blue": gettext_noop("blue"),
    "green": gettext_noop("green"),
    "yellow": gettext_noop("yellow"),
    "black": gettext_noop("black"),
}
WHITE = "-x-white"
"""Ends the language tag of a reader to whom the black clan is called white, as in some printings of the game: a private
subtag of BCP 47. As it is part of the language, whatever is cached by language is right for these readers, too."""

# No ends of lines among them: these are blanks.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

_TERRAINS = {
    "forest": gettext_noop("forest"),
    "mountain": gettext_noop("mountain"),
    "steppe": gettext_noop("steppe"),
    "grassland": gettext_noop("grassland"),
}


_EVENTS = {
    "resigned": gettext_noop("%(name)s resigned; a computer player moves on."),
    "proposed": gettext_noop("%(name)s proposed to abandon the game."),
    "agreed": gettext_noop("%(name)s agreed to abandon the game."),
    "plays-on": gettext_noop("%(name)s would abandon the game no longer."),
    "took-back": gettext_noop("%(name)s took move %(number)d back."),
    "withdrew": gettext_noop("%(name)s withdrew the move of the autopilot, %(move)s."),
    "taken": gettext_noop("%(name)s took over the seat of %(former)s."),
    "nudged": gettext_noop("%(name)s nudged the player whose turn it was."),
    "again": gettext_noop("%(name)s asked the others to play again."),
}


# --- Names and counts ----------------------------------------------------------------------------


def one_line(text: str) -> str:
    """What somebody has written as one line, with no sign that nobody sees but that does something: no control
    character, nothing that turns the direction of what follows, nothing that XML cannot hold."""
    return " ".join(_UNSEEN.sub("", text).split())


def dialect(language: str, *, white_clan: bool) -> str:
    """The language tag of a reader; with `white_clan` one in which the black clan is called white, `en-x-white`."""
    return language + WHITE if white_clan else language


def name_clan(clan: str) -> str:
    """`red` as readers call it."""
    return _name_clans()[clan]


@cached(most=20)
def _name_clans() -> dict[str, str]:
    """All clans as readers call them: a table to move names eighty."""
    names = {clan: _(name) for clan, name in _CLANS.items()}
    return names | {"black": _("white")} if (get_language() or "").endswith(WHITE) else names


def name_terrain(terrain: str) -> str:
    """`forest` as readers call it."""
    return _(_TERRAINS[terrain])


def name_epoch(number: int) -> str:
    """Epochs have Roman numerals, as on the chart."""
    return NUMERALS[number]


def name_rank(rank: int) -> str:
    """A place in the result, from 1 to 4."""
    return (_("1st"), _("2nd"), _("3rd"), _("4th"))[rank - 1]


def name_seat(seat: SeatPov) -> str:
    """The name of the player; for a seat given up also who moves for it."""
    if seat.has_resigned:
        return _("%(name)s (resigned, a computer player moves)") % {"name": seat.name}
    return seat.name


def join_words(words: Iterable[str]) -> str:
    """Words as a list in a sentence: `red, blue and green`."""
    *most, last = words
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last} if most else last


def join_clans(clans: Iterable[str]) -> str:
    """Clans as a list in a sentence."""
    names = _name_clans()
    return join_words([names[clan] for clan in clans])


def count_points(points: int) -> str:
    return ngettext("%(points)d point", "%(points)d points", points) % {"points": points}


def count_chips(chips: int) -> str:
    return ngettext("%(chips)d chip", "%(chips)d chips", chips) % {"chips": chips}


def count_moves(moves: int) -> str:
    return ngettext("%(moves)d move", "%(moves)d moves", moves) % {"moves": moves}


def count_huts(counts: Sequence[int]) -> str:
    """A group of huts by five counts, red first: `4 huts (3 red, 1 black)`, `2 blue huts`."""
    huts = sum(counts)
    groups = [(count, name_clan(clan)) for clan, count in zip(rules.CLANS, counts, strict=True) if count]
    if len(groups) == 1:
        template = ngettext("%(huts)d %(clan)s hut", "%(huts)d %(clan)s huts", huts)
        return template % {"huts": huts, "clan": groups[0][1]}
    template = ngettext("%(huts)d hut (%(by_clan)s)", "%(huts)d huts (%(by_clan)s)", huts)
    return template % {"huts": huts, "by_clan": ", ".join(f"{count} {name}" for count, name in groups)}


# --- Moves and villages --------------------------------------------------------------------------


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


def describe_plan(step: rules.Step) -> str:
    """What a step not yet played would do: `This founds D1 (6 points for red and black).`"""
    if not step.villages:
        return say_no_village()
    return _("This founds %(villages)s.") % {"villages": describe_order(step)}


def say_no_village() -> str:
    return _("This founds no village.")


def describe_order(step: rules.Step, *, isolated: Iterable[str] = ()) -> str:
    """The villages of a step in founding order with what each scores, then those of `isolated` that get no chip."""
    founded = [describe_village(village) for village in step.villages]
    without = [territory for territory in isolated if territory not in {v.territory for v in step.villages}]
    text = _(", then ").join(founded) if len(founded) > 1 else founded[0]
    if not without:
        return text
    return _("%(villages)s; no chip is left for %(without)s") % {"villages": text, "without": join_words(without)}


def name_places() -> list[str]:
    """Places in a founding order, the first one first: more than one move can leave villages behind."""
    return [_("1st"), _("2nd"), _("3rd"), _("4th"), _("5th"), _("6th"), _("7th"), _("8th")]


def describe_gain(before: rules.Position, after: rules.Position) -> str:
    """What the clans have gained from one position to another: `red +8, black +14`."""
    gains = [(clan, new - old) for clan, old, new in zip(rules.CLANS, before.scores, after.scores, strict=True)]
    gained = [f"{name_clan(clan)} +{points}" for clan, points in gains if points]
    return ", ".join(gained) or _("no points")


def say_order_matters(territories: Iterable[str], *, chips_left: int) -> str:
    """Why a founding order is asked for (rules 4.4 and 4.5)."""
    founded = list(territories)
    places = {"villages": join_words(founded)}
    if len(founded) <= chips_left:
        return _("This founds %(villages)s. Their order decides which epoch each falls into.") % places
    template = ngettext(
        "%(villages)s would each be a village, but only %(chips)d chip is left: choose which of them takes it.",
        "%(villages)s would each be a village, but only %(chips)d chips are left: choose which of them take them.",
        chips_left,
    )
    return template % (places | {"chips": chips_left})


def ask_for_order(territories: Iterable[str], *, chips_left: int) -> str:
    """The question that `say_order_matters` leads to."""
    if len(list(territories)) <= chips_left:
        return _("In which order?")
    template = ngettext("Which of them gets the chip?", "Which of them get the %(chips)d chips?", chips_left)
    return template % {"chips": chips_left}


def describe_village(village: rules.Village) -> str:
    """A village with its outcome in brackets: `D1 (6 points for red and black)`."""
    return f"{village.territory} ({describe_outcome(village)})"


def describe_outcome(village: rules.Village) -> str:
    """What came of a village in a few words: `6 points for red and black`, `doomed, no points`."""
    if village.doomed:
        return _("doomed, no points")
    if not any(village.after):
        return _("all huts lost in strife, no points")
    if not village.scored:
        return _("all five clans, no points")
    template = ngettext("%(points)d point for %(clans)s", "%(points)d points for %(clans)s", village.value)
    return template % {"points": village.value, "clans": join_clans(village.scored)}


def explain_village(village: rules.Village, seats: Sequence[SeatPov]) -> str:
    """The scoring of a village step by step, one sentence for each thing that happened (rules 5)."""
    chip = _("%(territory)s is village %(number)d, in epoch %(epoch)s; the chip goes to %(name)s.") % {
        "territory": village.territory,
        "number": village.number,
        "epoch": name_epoch(village.epoch),
        "name": seats[village.founder].name,
    }
    return " ".join(filter(None, (chip, _explain_strife(village), _explain_value(village))))


def _explain_strife(village: rules.Village) -> str:
    """What strife took, or nothing (rules 5.2)."""
    if not village.strife:
        return ""
    template = ngettext(
        "Strife among all five clans: %(clans)s had one hut and lost it.",
        "Strife among all five clans: %(clans)s had one hut each and lost it.",
        len(village.strife),
    )
    return template % {"clans": join_clans(village.strife)}


def _explain_value(village: rules.Village) -> str:
    """How the value comes about (rules 5.3 to 5.6 and 6.1)."""
    terrain = name_terrain(village.terrain)
    if village.doomed:
        template = _("In epoch %(epoch)s %(terrain)s is unfavorable: the village is doomed, nobody scores.")
        return template % {"epoch": name_epoch(village.epoch), "terrain": terrain}
    if not any(village.after):
        return _("No hut is left, nobody scores.")
    if not village.scored:
        return _("By this table’s house rule a village of all five clans scores nothing.")
    huts = sum(village.after)
    places = {"huts": huts, "bonus": village.bonus, "terrain": terrain, "outcome": describe_outcome(village)}
    if not village.bonus:
        template = ngettext("%(huts)d hut: %(outcome)s.", "%(huts)d huts: %(outcome)s.", huts)
    elif village.number == rules.CHIPS:
        template = ngettext(
            "%(huts)d hut and %(bonus)d more for the twelfth village: %(outcome)s.",
            "%(huts)d huts and %(bonus)d more for the twelfth village: %(outcome)s.",
            huts,
        )
    else:
        template = ngettext(
            "%(huts)d hut and %(bonus)d more for the %(terrain)s: %(outcome)s.",
            "%(huts)d huts and %(bonus)d more for the %(terrain)s: %(outcome)s.",
            huts,
        )
    return template % places


def say_next_chip(position: rules.Position) -> str:
    """What the epoch of the next chip means for a village; empty when no chip is left (rules 1.5)."""
    if position.epoch is None:
        return ""
    epoch = position.ruleset.version.epochs[position.epoch - 1]
    places = {"epoch": name_epoch(epoch.number), "bonus": epoch.bonus}
    if not epoch.unfavorable:
        return _("The next chip is of epoch %(epoch)s: +%(bonus)d, whatever the terrain.") % places
    terrains = {"good": name_terrain(epoch.favorable[0]), "bad": name_terrain(epoch.unfavorable[0])}
    template = _("The next chip is of epoch %(epoch)s: %(good)s is favorable (+%(bonus)d), %(bad)s is unfavorable.")
    return template % (places | terrains)


# --- Whose turn, and how it ended ----------------------------------------------------------------


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
    """Who would abandon the game, to the viewer; empty when nobody would, and when it does not run."""
    agreed = [seat for seat in pov.seats if seat.agrees_to_abandon] if pov.is_running else []
    others = [seat.name for seat in agreed if not seat.is_mine]
    if others:
        return _("%(names)s would abandon this game.") % {"names": join_words(others)}
    return _("You would abandon this game; the others have not agreed yet.") if agreed else ""


def say_end(pov: Pov) -> str:
    """How a game that is over ended (rules 7); empty for any other."""
    if pov.end == "villages":
        return _("The twelfth village ended the game.")
    if pov.end == "no-moves":
        villages = len(pov.position.villages) if pov.position else 0
        return ngettext(
            "No move was left: the game ended with %(villages)d village.",
            "No move was left: the game ended with %(villages)d villages.",
            villages,
        ) % {"villages": villages}
    return _say_abandoned(pov) if pov.end == "abandoned" else ""


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

"""A position told in full, for those who play from words alone: offline, by ear or on braille."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from django.utils.translation import gettext as _, ngettext

from games import rules
from games.pov import SeatPov
from games.words.territories import describe_board
from games.words.villages import describe_order, say_order_matters
from games.words.vocabulary import count_chips, count_huts, join_words, name_clan, name_epoch, name_seat, name_terrain


def tell_scores(position: rules.Position) -> str:
    """`The clans have these scores: red 12, blue 7, green 0, yellow 3 and black 4.`"""
    scores = [f"{name_clan(clan)} {score}" for clan, score in zip(rules.CLANS, position.scores, strict=True)]
    return _("The clans have these scores: %(scores)s.") % {"scores": join_words(scores)}


def tell_chips(position: rules.Position, seats: Sequence[SeatPov]) -> str:
    """The seats in order of play with their chips, from whoever is to move on, and how many chips are left."""
    in_turn = [(position.to_move + turn) % position.seats for turn in range(position.seats)]
    held = join_words([_say_held(seats[number], position.chips[number]) for number in in_turn])
    left = ngettext(
        "%(chips)d chip is left on the epoch chart.",
        "%(chips)d chips are left on the epoch chart.",
        position.chips_left,
    )
    order = _("In order of play, from this move on: %(held)s.") % {"held": held}
    return f"{order} {left % {'chips': position.chips_left}}"


def _say_held(seat: SeatPov, chips: int) -> str:
    name = _("%(name)s (you)") % {"name": name_seat(seat)} if seat.is_mine else name_seat(seat)
    return _("%(name)s with %(chips)s") % {"name": name, "chips": count_chips(chips)}


def tell_epochs(position: rules.Position) -> Iterator[str]:
    """How many chips the epoch of the next village has left, and what the later ones say; nothing in the last."""
    later = position.ruleset.version.epochs[position.epoch or 0 :]
    if position.epoch is None or not later:
        return
    left = position.chips_left - sum(epoch.chips for epoch in later)
    places = {"epoch": name_epoch(position.epoch), "chips": count_chips(left)}
    yield _("Epoch %(epoch)s has %(chips)s left.") % places
    for epoch in later:
        yield _say_epoch(epoch)


def _say_epoch(epoch: rules.Epoch) -> str:
    places = {"epoch": name_epoch(epoch.number), "chips": count_chips(epoch.chips), "bonus": epoch.bonus}
    if not epoch.unfavorable:
        return _("Epoch %(epoch)s has %(chips)s: a village is worth %(bonus)d more on any terrain.") % places
    template = _(
        "Epoch %(epoch)s has %(chips)s: a village is worth %(bonus)d more in %(favorable)s,"
        " and nothing in %(unfavorable)s."
    )
    return template % {
        **places,
        "favorable": join_words([name_terrain(terrain) for terrain in epoch.favorable]),
        "unfavorable": join_words([name_terrain(terrain) for terrain in epoch.unfavorable]),
    }


def tell_regions(position: rules.Position, seats: Sequence[SeatPov]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each region by its letter, with a sentence for each of its territories that holds something, and one for those
    that are empty."""
    board = position.ruleset.board
    contents = describe_board(position, seats)
    villages = {village.territory for village in position.villages}
    for region, names in groupby(board.names, key=lambda name: board.regions[board.index[name]]):
        lines, empty = [], []
        for name in names:
            if name in villages:
                lines.append(_("%(contents)s.") % {"contents": contents[board.index[name]]})
            elif position.huts(name):
                lines.append(_with_neighbors(position, name, contents[board.index[name]]))
            else:
                empty.append(name)
        if empty:
            lines.append(_("Empty: %(territories)s.") % {"territories": join_words(empty)})
        yield region, tuple(lines)


def _with_neighbors(position: rules.Position, territory: str, contents: str) -> str:
    """What stands in a territory, which of its neighbors hold huts, and which are empty. None is a village."""
    neighbors = position.ruleset.board.neighbors_of(territory)
    held = [name for name in neighbors if position.huts(name)]
    empty = [name for name in neighbors if not position.huts(name)]
    places = {"contents": contents, "held": join_words(held)}
    if not empty:
        return _("%(contents)s. Neighbors: %(held)s.") % places
    return _("%(contents)s. Neighbors with huts: %(held)s; empty: %(empty)s.") % (places | {"empty": join_words(empty)})


def tell_moves(position: rules.Position) -> Iterator[str]:
    """Each legal move once, by origin: in one line where huts can go without founding anything, then a line for each
    move that founds villages, with what these score; where their order matters, a line for each order, by its number.

    No line is a move and nothing else: whoever reads an answer must not take what is quoted for the answer."""
    founding = rules.founding_origins(position)
    for origin, moves in groupby(rules.legal_moves(position), key=lambda move: move.origin):
        quiet, lines = [], []
        for move in moves:
            step, orders = rules.try_move(position, move) if origin in founding else (None, ())
            if step is None or not step.villages:
                quiet.append(move.target)
            elif not orders:
                lines.append(_("%(move)s founds %(villages)s.") % {"move": move, "villages": describe_order(step)})
            else:
                lines += _tell_orders(position, move, orders)
        places = {"origin": origin, "huts": count_huts(position.stack(origin))}
        if quiet:
            yield _("From %(origin)s, %(huts)s, to %(targets)s.") % (places | {"targets": join_words(quiet)})
        else:
            yield _("From %(origin)s, %(huts)s:") % places
        yield from lines


def _tell_orders(position: rules.Position, move: rules.Move, orders: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """That the order of its villages matters, and what each order does."""
    founded = sorted({name for order in orders for name in order})
    yield f"{move}: {say_order_matters(founded, chips_left=position.chips_left)}"
    for number, order in enumerate(orders, start=1):
        step = rules.play(position, move._replace(order=order))
        yield f"{move} #{number}, {step.move}: {describe_order(step, isolated=founded)}."

"""What stands in each territory, in sentences, from positions and seats alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from games import rules
from games.pov import SeatPov
from games.words.vocabulary import count_huts, name_epoch, name_terrain


def describe_territory(position: rules.Position, territory: str, seats: Sequence[SeatPov]) -> str:
    """What there is in a territory: `C4, forest: 4 huts (3 red, 1 black)`."""
    return describe_board(position, seats)[position.ruleset.board.index[territory]]


def describe_board(position: rules.Position, seats: Sequence[SeatPov]) -> tuple[str, ...]:
    """What there is in each of the 60 territories, A1 first."""
    described, ruleset = _describe_groups(position), position.ruleset
    for village in position.villages:
        text = _describe_standing(village, seats[village.founder].name)
        described[ruleset.board.index[village.territory]] = text
    return tuple(described)


def _describe_groups(position: rules.Position) -> list[str]:
    """The same without villages."""
    ruleset = position.ruleset
    return [_describe_group(ruleset, name, position.stack(name)) for name in ruleset.board.names]


def _describe_group(ruleset: rules.Ruleset, territory: str, counts: rules.Counts) -> str:
    """The huts of a territory that is no village."""
    places = {"territory": territory, "terrain": name_terrain(ruleset.board.terrain_of(territory))}
    if not any(counts):
        return _("%(territory)s, %(terrain)s: empty") % places
    places["huts"] = count_huts(counts)
    if sum(counts) >= ruleset.version.heavy:
        return _("%(territory)s, %(terrain)s: %(huts)s, too many to move") % places
    return _("%(territory)s, %(terrain)s: %(huts)s") % places


def _describe_standing(village: rules.Village, founder: str) -> str:
    """A village as it lies on the board for the rest of the game."""
    places = {
        "territory": village.territory,
        "terrain": name_terrain(village.terrain),
        "name": founder,
        "value": village.value,
    }
    if village.doomed or not any(village.after):
        return _("%(territory)s, %(terrain)s: ruin of a village founded by %(name)s") % places
    places["huts"] = count_huts(village.after)
    return _("%(territory)s, %(terrain)s: village founded by %(name)s, value %(value)d, %(huts)s") % places


def tell_board(
    position: rules.Position, seats: Sequence[SeatPov], steps: Iterable[rules.Step], *, is_over: bool = False
) -> tuple[str, ...]:
    """What is told of each of the 60 territories to those who only look, A1 first: what `describe_board` says, which
    move has founded a village and in which epoch, and what can still become of the territory, unless the game `is_over`
    (a position cannot know that it was abandoned). `steps` lead to `position`."""
    is_over = is_over or position.over
    board, sentences = position.ruleset.board, []
    means = {terrain: _say_terrain(position, terrain) for terrain in rules.TERRAINS}
    closed = _("Huts no longer go there.")
    for name, contents in zip(board.names, _describe_groups(position), strict=True):
        ahead = means[board.terrain_of(name)] if position.huts(name) else closed
        sentences.append(f"{contents}." if is_over else f"{contents}. {ahead}")
    founded = [step.ply + 1 for step in steps for _village in step.villages]
    for village, move in zip(position.villages, founded, strict=True):
        sentences[board.index[village.territory]] = _tell_village(village, seats[village.founder].name, move)
    return tuple(sentences)


def _say_terrain(position: rules.Position, terrain: rules.Terrain) -> str:
    """What a terrain means for the next village; empty when there will be none (rules 1.5)."""
    if position.epoch is None:
        return ""
    epoch = position.ruleset.version.epochs[position.epoch - 1]
    places = {"epoch": name_epoch(epoch.number), "terrain": name_terrain(terrain), "bonus": epoch.bonus}
    if terrain in epoch.favorable:
        return _("In epoch %(epoch)s %(terrain)s is favorable: +%(bonus)d for a village.") % places
    if terrain in epoch.unfavorable:
        return _("In epoch %(epoch)s %(terrain)s is unfavorable: a village is doomed.") % places
    return _("In epoch %(epoch)s %(terrain)s is neither favorable nor unfavorable.") % places


def _tell_village(village: rules.Village, founder: str, move: int) -> str:
    """A village with how it came about, and that it stays as it is (rules 4.3)."""
    places = {
        "territory": village.territory,
        "terrain": name_terrain(village.terrain),
        "name": founder,
        "move": move,
        "epoch": name_epoch(village.epoch),
        "value": village.value,
    }
    if village.doomed or not any(village.after):
        template = _(
            "%(territory)s, %(terrain)s: ruin of a village that %(name)s founded with move %(move)d in epoch %(epoch)s."
            " Huts no longer go there."
        )
        return template % places
    places["huts"] = count_huts(village.after)
    template = _(
        "%(territory)s, %(terrain)s: village that %(name)s founded with move %(move)d in epoch %(epoch)s,"
        " value %(value)d, %(huts)s. Huts no longer come or go."
    )
    return template % places


def say_cancel(huts: str) -> str:
    """What choosing the origin of a draft again does, by what stands there."""
    return _("Cancel: %(huts)s") % {"huts": huts}


def say_to(huts: str) -> str:
    """What choosing a target does, by what stands there."""
    return _("To %(target)s") % {"target": huts}

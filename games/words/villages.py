"""What a move founds and what becomes of it, from values of the rules and seats alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _, ngettext

from games import rules
from games.pov import SeatPov
from games.words.vocabulary import join_clans, join_words, name_epoch, name_terrain


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

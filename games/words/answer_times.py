"""How fast somebody answers, and which paces that suits."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _

from games import clocks
from games.words.pace import name_preset
from games.words.spans import MINUTE, say_span


def say_median(time: timedelta | None) -> str:
    """A median of answer times: `5 hours`."""
    if time is None or time < MINUTE:
        return _("less than a minute")
    return say_span(time)


def say_quartiles(quarter: timedelta | None, median: timedelta | None, three_quarters: timedelta | None) -> str:
    """Within what times a quarter, half and three quarters of somebody's moves came, as a sentence, the shortest first;
    of times that read the same the largest part alone. What came faster than that came within a minute."""
    parts = {
        _say_within(quarter): (_("A quarter of the moves came within %(time)s after the turn began"), ""),
        _say_within(median): (
            _("Half of the moves came within %(time)s after the turn began"),
            _("half within %(time)s"),
        ),
        _say_within(three_quarters): (
            _("Three quarters of the moves came within %(time)s after the turn began"),
            _("three quarters within %(time)s"),
        ),
    }
    said = [part[place > 0] % {"time": time} for place, (time, part) in enumerate(parts.items())]
    return _("%(sentence)s.") % {"sentence": ", ".join(said)}


def _say_within(time: timedelta | None) -> str:
    return say_span(max(time or MINUTE, MINUTE))


def say_answers(median: timedelta) -> str:
    """Somebody's median, and which presets it suits: `answers in about 5 hours, suits every pace`."""
    return ", ".join(filter(None, (_say_time(median), _say_suited(median))))


def say_answers_at(median: timedelta, pace: clocks.Pace) -> str:
    """The same for one pace: `answers in about 5 hours, suits this pace`."""
    return ", ".join([_say_time(median), *([_("suits this pace")] * clocks.suits_pace(median, pace))])


def _say_time(median: timedelta) -> str:
    if median < MINUTE:
        return _("answers in less than a minute")
    return _("answers in about %(time)s") % {"time": say_span(median)}


def _say_suited(median: timedelta) -> str:
    """Empty where no preset is slow enough."""
    suited = [preset.key for preset in clocks.PRESETS if clocks.suits_pace(median, preset.pace)]
    if not suited:
        return ""
    if len(suited) == len(clocks.PRESETS):
        return _("suits every pace")
    if len(suited) == 1:
        return _("suits the pace “%(name)s”") % {"name": name_preset(suited[0])}
    return _("suits the pace “%(name)s” and slower ones") % {"name": name_preset(suited[0])}

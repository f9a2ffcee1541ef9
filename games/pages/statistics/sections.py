"""What pages show of the counts of the archive: sections of rows, each with its confidence interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _, ngettext

from games import rules, words
from games.models import ArchiveStatistics
from games.pages.statistics.intervals import Estimate, hours_until, mean, share

ALL, PEOPLE = "all", "people"
"""Of which games: of all, or of those without computer players."""

SHARE, POINTS, MOVES, HOURS = "share", "points", "moves", "hours"
MOST_OPENINGS: Final = 10
BIN: Final = 5
"""How many lengths of games share one row."""

Counts = Mapping[str, Any]
"""What `games.play.archive_statistics.Counted` has, as JSON."""


class EstimatedRow(NamedTuple):
    """One estimate from `of` games, seats or moves; `even` is what it would be if there were no difference. `key` is
    for programs."""

    key: str
    label: str
    of: int
    found: Estimate
    even: float | None = None


class Section(NamedTuple):
    """Rows of one kind; `key` and `unit` are for programs."""

    key: str
    unit: str
    title: str
    rows: list[EstimatedRow]
    note: str = ""

    def write(self, value: float) -> str:
        """A value of this section in words."""
        if self.unit == SHARE:
            return _("%(number)s %%") % {"number": _to_tenths(value * 100)}
        return _("%(number)s h") % {"number": _to_tenths(value)} if self.unit == HOURS else _to_tenths(value)

    def write_roughly(self, value: float) -> str:
        """A round value for the foot of a chart."""
        if self.unit == SHARE:
            return _("%(number)s %%") % {"number": f"{value * 100:g}"}
        return _("%(number)s h") % {"number": f"{value:g}"} if self.unit == HOURS else f"{value:g}"


def _to_tenths(value: float) -> str:
    # Django cuts decimals off.
    return number_format(round(value, 1), 1)


def last_count() -> ArchiveStatistics | None:
    """The last count; None if there is none yet. One query."""
    return ArchiveStatistics.objects.first()


def sections_of(counted: ArchiveStatistics, players: str) -> list[Section]:
    """The sections of ALL games or of those among PEOPLE, without sections that have no rows. Answer times are those of
    people, whoever else played: only ALL games have them."""
    return list_sections(counted.counts[players], counted.counts["answers"] if players == ALL else [])


def list_sections(counts: Counts, answers: list[int]) -> list[Section]:
    """The sections of these counts, without those that have no rows."""
    clans = {str(clan): words.name_clan(clan).capitalize() for clan in rules.CLANS}
    sizes = {str(size): _say_seats(size) for size in rules.SEATS}
    epochs = {number: words.name_epoch(int(number)) for number in sorted(counts["sums"].get("epoch_moves", {}))}
    openings = _openings(counts)
    shown = {"shown": len(openings), "all": len(counts["shares"].get("openings", {}))}
    which = _("The %(shown)d most frequent ones of %(all)d.") % shown if shown["shown"] < shown["all"] else ""
    sections = [
        Section(
            "places",
            SHARE,
            _("Wins by the place in the order of play"),
            _places(counts),
            _("The dashed strokes are where all places would win equally often. A shared win counts for each of them."),
        ),
        Section("clans", SHARE, _("Wins of those who held a clan"), _shares(counts, "clans", clans)),
        Section("clan_totals", POINTS, _("Totals of those who held a clan"), _means(counts, "clan_totals", clans)),
        Section(
            "clan_points",
            POINTS,
            _("Points of the clans"),
            _means(counts, "clan_points", clans),
            _("At the end of a game, whether somebody held the clan or not."),
        ),
        Section("totals", POINTS, _("Totals by the number of seats"), list(_list_totals(counts["sums"]))),
        Section("epoch_points", POINTS, _("Points in each epoch"), _means(counts, "epoch_points", epochs)),
        Section("epoch_moves", MOVES, _("Moves in each epoch"), _means(counts, "epoch_moves", epochs)),
        Section("length", MOVES, _("Moves of a game"), _means(counts, "length", sizes)),
        Section("lengths", SHARE, _("How long games are"), _lengths(counts)),
        Section("ends", SHARE, _("Games that ended with the twelfth village"), _shares(counts, "ends", sizes)),
        Section("openings", SHARE, _("Where the first move of a game leads"), _open_shares(counts, openings), which),
        Section(
            "opening_wins",
            SHARE,
            _("Wins of the player who made that move"),
            _shares(counts, "openings", openings),
            which,
        ),
        Section(
            "answers",
            HOURS,
            _("How fast people move"),
            _answers(answers),
            _("So much of the moves came within that time after the turn began."),
        ),
    ]
    return [section for section in sections if section.rows]


def _say_seats(size: int) -> str:
    return ngettext("%(size)d seat", "%(size)d seats", size) % {"size": size}


def _shares(counts: Counts, section: str, labels: Mapping[str, str]) -> list[EstimatedRow]:
    found = counts["shares"].get(section, {})
    return [
        EstimatedRow(key, label, found[key][1], share(*found[key])) for key, label in labels.items() if key in found
    ]


def _means(counts: Counts, section: str, labels: Mapping[str, str]) -> list[EstimatedRow]:
    found = counts["sums"].get(section, {})
    return [EstimatedRow(key, label, found[key][0], mean(*found[key])) for key, label in labels.items() if key in found]


def _places(counts: Counts) -> list[EstimatedRow]:
    labels = {
        f"{size} {place}": _("%(seats)s, %(place)s") % {"seats": _say_seats(size), "place": words.name_rank(place)}
        for size in rules.SEATS
        for place in range(1, size + 1)
    }
    rows = _shares(counts, "places", labels)
    return [row._replace(even=1 / int(row.key.partition(" ")[0])) for row in rows]


def _list_totals(sums: Mapping[str, Any]) -> Iterator[EstimatedRow]:
    """For each number of seats the total of a seat, as the mean of its game, so that games are independent; that of
    the winner; and the margin."""
    for size in rules.SEATS:
        seats, key = _say_seats(size), str(size)
        if key in sums.get("totals", {}):
            games = sums["totals"][key][0]
            every = mean(*sums["totals"][key], each=size)
            yield EstimatedRow(f"{size} all", _("%(seats)s, all") % {"seats": seats}, games, every)
            winner = mean(*sums["winning_totals"][key])
            yield EstimatedRow(f"{size} winner", _("%(seats)s, winner") % {"seats": seats}, games, winner)
            margin = mean(*sums["margins"][key])
            yield EstimatedRow(f"{size} margin", _("%(seats)s, margin") % {"seats": seats}, games, margin)


def _lengths(counts: Counts) -> list[EstimatedRow]:
    """The share of games of each length, a few lengths together."""
    bins: Counter[int] = Counter()
    for moves, games in counts["moves"].items():
        bins[int(moves) // BIN] += games
    return [
        EstimatedRow(f"{first}-{last}", f"{first}–{last}", counts["games"], share(bins[number], counts["games"]))
        for number in (range(min(bins), max(bins) + 1) if bins else ())
        for first, last in [(number * BIN, number * BIN + BIN - 1)]
    ]


def _openings(counts: Counts) -> dict[str, str]:
    """The territories to which most first moves led, as they are called; with their maps where there are several."""
    found: Mapping[str, list[int]] = counts["shares"].get("openings", {})
    most = sorted(found, key=lambda key: (-found[key][1], key))[:MOST_OPENINGS]
    maps = {key.partition(" ")[0] for key in most}
    return {key: key if len(maps) > 1 else key.partition(" ")[2] for key in most}


def _open_shares(counts: Counts, labels: Mapping[str, str]) -> list[EstimatedRow]:
    found, games = counts["shares"].get("openings", {}), counts["games"]
    return [EstimatedRow(key, label, games, share(found[key][1], games)) for key, label in labels.items()]


def _answers(counts: list[int]) -> list[EstimatedRow]:
    labels = {0.25: _("a quarter"), 0.5: _("half"), 0.75: _("three quarters")}
    moves = sum(counts)
    return [EstimatedRow(str(part), label, moves, hours_until(part, counts)) for part, label in labels.items() if moves]

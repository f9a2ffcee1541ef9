"""A player's page: when they joined, results, answer times, and games that everybody may see. It reads sums that were
added up when games ended (`games.play.totals`), so that it costs the same however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.clocks import PRESETS_BY_KEY
from games.models import AnswerTimes, Meeting, Player, Rating, Tally
from games.pages.access import Missing, player_url, viewer_of
from games.pages.lists.answer_chart import Counts, about_answers, hours_ahead
from games.pages.lists.one_player import (
    HIDDEN,
    find_player,
    finished_in_public_by,
    may_see,
    meeting_of,
    running_in_public_by,
)
from games.pages.lists.paging import page_of
from games.pages.lists.rating_chart import RatingShown, about_rating, show_rating
from games.pages.lists.rows import table_rows
from games.pages.lists.summaries import summarize_tables
from games.words.pace import name_preset
from games.words.times import name_days
from games.words.zone import zone_here

RUNNING, FINISHED = 6, 8


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """The page of the player of that name. At most 8 queries."""
    viewer = viewer_of(request)
    found = find_player(name, viewer)
    if found is None:
        raise Missing(_("There is no player of that name."))
    meeting = meeting_of(found, viewer)
    if not may_see(found, viewer=viewer, meeting=meeting):
        # By the name that was asked for: one of before leads to nobody who hides.
        is_known = vars(found)["is_muted"] and found.username.lower() == name.lower()
        about = {"player": found, "name": name, "is_known_as_muted": is_known}
        return render(request, "games/player_hidden.html", about, status=HIDDEN)
    if found.username != name and found.closed_at is None:
        return redirect(player_url(found.username))
    return render(request, "games/player.html", _about(found, viewer, meeting))


def _about(player: Player, viewer: Player | None, meeting: Meeting | None) -> dict[str, Any]:
    tallies, joined = read_tallies(player), timezone.localdate(player.date_joined)
    pages = [page_of(running_in_public_by, player.pk, size=RUNNING)]
    pages += [page_of(finished_in_public_by, player.pk, size=FINISHED)]
    running, finished = summarize_tables([page.rows for page in pages], viewer=viewer)
    return {
        "player": player,
        "is_mine": player == viewer,
        "meeting": meeting,
        "since": name_days(joined, joined),
        "pace": _favorite_pace(tallies),
        "sums": _show_sums(
            player.username,
            tuple(tallies),
            _together(meeting, player) if meeting and meeting.played else None,
            rating_of(player),
            counts_of(player),
            hours_ahead(zone_here()) if viewer else None,
        ),
        "running": table_rows(running),
        "more_running": pages[0].after,
        "finished": table_rows(finished, with_ending=True),
        "more_finished": pages[1].after,
    }


def rating_of(player: Player) -> RatingShown | None:
    """None for somebody who has no rating. At most one query."""
    try:
        return show_rating(player.rating)
    except Rating.DoesNotExist:
        return None


def counts_of(player: Player) -> Counts:
    """How many moves came how fast, a row for each hour of the day; empty where none was counted. At most one query."""
    try:
        return tuple(map(tuple, player.answer_times.counts))
    except AnswerTimes.DoesNotExist:
        return ()


class TallyRow(NamedTuple):
    """A row of `Tally`, by the names of its columns."""

    size: int
    with_computers: bool
    pace: str
    played: int
    won: int
    points: int
    resigned: int
    abandoned: int


def read_tallies(player: Player) -> list[TallyRow]:
    """The sums of the player in `Tally`. One query."""
    return [TallyRow(*row) for row in Tally.objects.filter(player=player).values_list(*TallyRow._fields)]


def _show_sums(
    name: str,
    tallies: tuple[TallyRow, ...],
    together: JointResults | None,
    rating: RatingShown | None,
    counts: Counts,
    offset: int | None,
) -> SafeString:
    """All sums as HTML. `offset` is None for a visitor, whose clock nobody knows."""
    about = {
        "name": name,
        "between_people": _results(tally for tally in tallies if not tally.with_computers),
        "with_computers": _results(tally for tally in tallies if tally.with_computers),
        "resigned": sum(tally.resigned for tally in tallies),
        "abandoned": sum(tally.abandoned for tally in tallies),
        "together": together,
        **about_rating(rating),
        "is_in_utc": offset is None,
        **about_answers(counts, offset or 0),
    }
    return render_to_string("games/_player_sums.html", about)


class Results(NamedTuple):
    """Games that the player has played to the end, at tables of one size or, without a size, at all."""

    size: int
    played: int
    won: int
    points: int

    @property
    def won_percent(self) -> int:
        return round(100 * self.won / self.played)

    @property
    def mean(self) -> float:
        return self.points / self.played


def _results(tallies: Iterable[TallyRow]) -> list[Results]:
    """For each number of seats with games; if there are several, then for all together."""
    some = list(tallies)
    sizes = [sum_results(size, [tally for tally in some if tally.size == size]) for size in (2, 3, 4)]
    rows = [row for row in sizes if row.played]
    return [*rows, sum_results(0, some)] if len(rows) > 1 else rows


def sum_results(size: int, tallies: Sequence[TallyRow]) -> Results:
    sums = ([tally.played, tally.won, tally.points] for tally in tallies)
    return Results(size, *map(sum, zip(*sums, strict=True))) if tallies else Results(size, 0, 0, 0)


def _favorite_pace(tallies: Iterable[TallyRow]) -> str:
    """The pace of most of the games; empty if there is none, or if most had a pace of their own."""
    games: dict[str, int] = {}
    for tally in tallies:
        games[tally.pace] = games.get(tally.pace, 0) + tally.played + tally.resigned + tally.abandoned
    key = max(games, key=lambda pace: games[pace], default="")
    return name_preset(key) if key in PRESETS_BY_KEY else ""


class JointResults(NamedTuple):
    """What the viewer and the player have played together to the end, by link or not."""

    played: int
    mine: int
    theirs: int

    @property
    def even(self) -> int:
        return self.played - self.mine - self.theirs


def _together(meeting: Meeting, player: Player) -> JointResults:
    ahead = meeting.first_ahead, meeting.second_ahead
    theirs, mine = ahead if meeting.first_id == player.pk else ahead[::-1]
    return JointResults(meeting.played, mine, theirs)

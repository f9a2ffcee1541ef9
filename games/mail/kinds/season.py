"""The season of a league is over."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from games import words
from games.mail import links
from games.mail.kinds import common
from games.mail.kinds.base import Facts, Link, NoticeKind
from games.models import Notice, Season
from games.words.seasons import say_first_places, say_points


def _season(facts: Facts) -> Season:
    return Season.objects.get(drawn_rounds__tables__game=facts.notice.seat.game_id)


def _lead(facts: Facts) -> str:
    """The reader's own place."""
    season = _season(facts)
    name, standings = words.one_line(season.name), season.standings()
    mine = next((each for each in standings if each.player == facts.notice.player_id), None)
    if mine is None:
        return _("The season %(season)s is over.") % {"season": name}
    places = {"season": name, "place": mine.place, "count": len(standings), "points": say_points(mine.points)}
    return _("The season %(season)s is over. You have place %(place)s of %(count)s, with %(points)s.") % places


KIND: Final = NoticeKind(
    name=Notice.Kind.SEASON,
    is_still_true=common.is_always_true,
    sending=common.NEWS,
    is_seen=lambda _notice: False,
    subject=lambda facts: _("The season is over: %(season)s") % {"season": words.one_line(_season(facts).name)},
    lead=_lead,
    notes=lambda facts: say_first_places(_season(facts)),
    button=lambda facts: Link(_("See the standings"), links.url("season", _season(facts).slug)),
    stamp=common.end_stamp,
    log=lambda _logged: _("The season is over"),
)

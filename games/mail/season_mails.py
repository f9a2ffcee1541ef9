"""The mails of the end of a season to those who have no seat in it (design 2.8): what they say. `without_seat.py` sends
them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import words
from games.mail import links
from games.mail.brief import Push
from games.mail.compose import Mailing, as_read_by, fill_without_notices, mailing_of
from games.mail.kinds import Link, Stamp
from games.mail.letter import Letter
from games.mail.stop import stop_url
from games.models import Player, Season, SeasonMail
from games.words.seasons import say_closed, say_first_places


def render_season_mail(row: SeasonMail) -> None:
    """Fill in what the mail says, in the language and zone of its reader; nothing is saved."""
    kind = "season" if row.season.started_at else "cancelled"
    with as_read_by(row.player):
        fill_without_notices(row, _mailing(row, row.player), kind=kind, sender="seasons")


def _mailing(row: SeasonMail, reader: Player) -> Mailing:
    return mailing_of(
        _letter_of_end(row.season) if row.season.started_at else _letter_of_closing(row.season),
        why=_("You get this mail because you have opened this season.")
        if row.season.opener_id == reader.pk
        else _("You get this mail because you had joined this season."),
        stops=(Link(_("No more mails about games"), stop_url(reader)),),
        preferences=Link(_("Preferences"), links.url("mail_preferences")),
    )


def log_end(*, has_begun: bool) -> str:
    """What a log says of such a mail, by whether the season had begun."""
    return _("The season is over") if has_begun else _("The season will not be played")


def brief_season_mail(row: SeasonMail, reader: Player) -> Push:
    """The same as a notification, in the language of its reader."""
    with as_read_by(reader):
        letter = _letter_of_end(row.season) if row.season.started_at else _letter_of_closing(row.season)
        return Push(letter.subject, letter.lead, links.url("season", row.season.slug))


def _letter_of_end(season: Season) -> Letter:
    """To an opener who did not play."""
    about = {"season": words.one_line(season.name)}
    lead = _("The season %(season)s is over.") % about
    return Letter(
        table=about["season"],
        subject=_("The season is over: %(season)s") % about,
        lead=lead,
        summary=lead,
        notes=say_first_places(season),
        stamp=Stamp(_("Players"), str(season.entrants.count()), _("the end")),
        button=_("See the standings"),
        url=links.url("season", season.slug),
    )


def _letter_of_closing(season: Season) -> Letter:
    about = {"season": words.one_line(season.name)}
    lead = _("The season %(season)s will not be played.") % about
    joined = season.entrants.filter(left_at=None).count()
    return Letter(
        table=about["season"],
        subject=_("The season will not be played: %(season)s") % about,
        lead=lead,
        summary=lead,
        notes=(
            say_closed(season),
            _("You need not do anything. On the page of leagues you can join another season, or open one."),
        ),
        stamp=Stamp(_("Players"), str(joined), _("joined")),
        button=_("See all leagues"),
        url=links.url("seasons"),
        other_buttons=(Link(_("Look at this season"), links.url("season", season.slug)),),
    )

"""What the mail of an invitation to a season says; invitations.py lets it go out (design 3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games import words
from games.mail import links
from games.mail.illustrate import Picture
from games.mail.kinds import Link, Stamp
from games.mail.letter import Letter
from games.models import Invitation, Season
from games.words import summary
from games.words.seasons import tell_season
from games.words.times import name_moment_and_zone


def say_invited(invitation: Invitation, season: Season) -> tuple[str, str]:
    """The subject of its mail, and the first sentence."""
    who = {"name": invitation.by.username, "season": words.one_line(season.name)}
    return (
        _("%(name)s invites you to a season: %(season)s") % who,
        _("%(name)s invites you to %(season)s, a season of several games of Clans.") % who,
    )


def letter_to(invitation: Invitation, season: Season, now: Picture) -> Letter:
    """The letter of an invitation that has its token, with that picture of a board. One query."""
    subject, lead = say_invited(invitation, season)
    joined = season.entrants.filter(left_at=None).count()
    url = links.url("invitation", invitation.token)
    return Letter(
        table=words.one_line(season.name),
        subject=subject,
        lead=lead,
        summary=lead,
        notes=tuple(_notes(invitation, season)),
        stamp=Stamp(_("Players"), str(joined), _("joined")),
        button=_("Look and join"),
        url=url,
        other_buttons=(Link(_("Decline"), f"{url}#decline"),),
        now=now,
    )


def _notes(invitation: Invitation, season: Season) -> Iterator[str]:
    yield summary.tell_what_clans_is()
    yield tell_season(season)
    yield _("The season begins when %(name)s begins it. Then a mail calls you to your first table.") % {
        "name": season.opener.username
    }
    yield _("The link works until %(when)s, once. Keep it to yourself: whoever has it can join in your place.") % {
        "when": name_moment_and_zone(invitation.expires_at)
    }

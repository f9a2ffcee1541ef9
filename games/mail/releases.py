"""What the mail says to somebody whom the opener of a table has released from it (design 2.20)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import words
from games.mail import links
from games.mail.compose import Mailing, mailing_of
from games.mail.kinds import Link, Stamp
from games.mail.letter import Letter
from games.mail.stop import stop_url
from games.models import Invitation, Player


def mail_of_release(invitation: Invitation, reader: Player) -> Mailing:
    """The mail to `reader`, in the active language."""
    return mailing_of(
        _letter(invitation),
        why=_("You get this mail because you sat at this table."),
        stops=(Link(_("No more mails about games"), stop_url(reader)),),
        preferences=Link(_("Preferences"), links.preferences_url()),
    )


def _letter(invitation: Invitation) -> Letter:
    game = invitation.game
    who = {"name": invitation.by.username, "table": words.one_line(game.name)}
    lead = _("%(name)s, whose table this is, has released you from it.") % who
    return Letter(
        table=who["table"],
        subject=_("You sit at this table no longer: %(table)s") % who,
        lead=lead,
        summary=lead,
        notes=(_("Its game has not begun, and will not wait for you. While a seat is free, you can sit down again."),),
        stamp=Stamp(_("Seats"), f"{game.seats.count()}/{game.size}", _("taken")),
        button=_("Look at the table"),
        url=links.absolute_table_url(game.slug),
    )

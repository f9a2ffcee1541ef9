"""The mails of invitations to open tables and seasons, and of releases from tables (design 3.4): whether they go, and
what they say.

They are no notices: their readers have no seat, and perhaps no account. `without_seat.py` sends them, and they look
like the other mails.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext as _

from games import words
from games.mail import illustrate, links
from games.mail.brief import Push
from games.mail.compose import Mailing, as_read_by, fill_without_notices, mailing_of
from games.mail.kinds import Link, Stamp
from games.mail.letter import Letter
from games.mail.plan import GO, Verdict, decide_without_seat
from games.mail.stop import stop_url
from games.models import (
    Game,
    Invitation,
    Mute,
    Notice,
    Player,
    QuietAddress,
    Season,
    digest_of,
    free_seats,
    mailbox_of,
)
from games.words import pace, summary
from games.words.seasons import tell_season
from games.words.series import say_first
from games.words.times import name_moment_and_zone

State, Reason = Invitation.State, Notice.Reason

_signer = Signer(salt="games.mail.invitations.refuse")


def refuse_url(address: str) -> str:
    """The whole address of the page that lets no more invitations go to `address`. It never runs out, can do nothing
    else, and does not tell the address."""
    return links.url("refuse_invitations", _signer.sign(digest_of(mailbox_of(address))))


def read_refusal(token: str) -> str | None:
    """The digest of the address that such a link is about; None if it was not made here."""
    try:
        return str(_signer.unsign(token))
    except BadSignature:
        return None


def render_invitation(invitation: Invitation) -> None:
    """Fill in what the mail says, in the language and zone of its reader, or of whoever invites where that has no
    account; nothing is saved."""
    reader = invitation.invited
    game = (invitation.game.slug, 0) if invitation.game else None
    with as_read_by(reader or invitation.by):
        if invitation.is_release and reader:
            mailing, kind = _release_mailing(invitation, reader), "release"
        else:
            mailing, kind = _mailing(invitation), "invitation"
        fill_without_notices(invitation, mailing, kind=kind, sender="invitations", game=game)


def brief_invitation(invitation: Invitation, reader: Player) -> Push:
    """What a notification for `reader` says of it. It leads to the table or season, where a player can answer without
    the link of the mail."""
    with as_read_by(reader):
        if invitation.season:
            subject, lead = _say_invited_to_season(invitation, invitation.season)
            return Push(subject, lead, links.url("season", invitation.season.slug))
        game = invitation.table
        mailing = _release_mailing(invitation, reader) if invitation.is_release else None
        who = {"name": invitation.by.username, "table": words.one_line(game.name)}
        title = mailing.subject if mailing else _subject(who)
        lead = mailing.lead if mailing else _lead(who)
        return Push(title, lead, links.url("table", game.slug))


def log_invitation(*, is_release: bool) -> str:
    """What a log says of its mail, or of a notification."""
    return _("Released from the table") if is_release else _("Invitation")


# --- Whether it goes ------------------------------------------------------------------------------


def decide_invitation(invitation: Invitation, reader: Player | None, *, at: datetime, by_mail: bool = True) -> Verdict:
    """The verdict on the mail of an invitation or release, whose table or season is loaded; not `by_mail` on a
    notification for its reader, which goes also to players who want no mails. A few queries."""
    if not _still_true(invitation, reader, at=at):
        return Verdict(Reason.PAST)
    return decide_without_seat(reader, at=at, by_mail=by_mail) if reader else GO


def _still_true(invitation: Invitation, reader: Player | None, *, at: datetime) -> bool:
    """Whether the table or season still waits for whoever is invited and they let themselves be asked, or the table is
    open without whom it has released."""
    if invitation.is_release:
        game = invitation.table
        is_open = game.status == Game.Status.OPEN
        return reader is not None and is_open and not game.seats.filter(player=reader).exists()
    if not invitation.is_open(at) or not _waits(invitation, reader):
        return False
    if QuietAddress.objects.of(invitation.mailed_to).exists():
        return False
    return reader is None or _is_asked(invitation, reader)


def _waits(invitation: Invitation, reader: Player | None) -> bool:
    """Whether its table or season is still open, has room, and is without `reader`."""
    if season := invitation.season:
        is_in = reader and season.entrants.filter(player=reader, left_at=None).exists()
        return season.status == Season.Status.OPEN and not is_in
    game = invitation.table
    if game.status != Game.Status.OPEN or (reader and game.seats.filter(player=reader).exists()):
        return False
    return game.seats.count() < game.size


def _is_asked(invitation: Invitation, reader: Player) -> bool:
    """Whether a player has not blocked whoever invites, and has not been asked another way, by name or address."""
    if Mute.objects.filter(player=reader, other=invitation.by, blocks=True).exists():
        return False
    here = {"season": invitation.season} if invitation.season else {"game": invitation.game}
    earlier = Invitation.objects.filter(**here).to_player(reader).exclude(pk=invitation.pk)
    return not earlier.filter(state=State.SENT, is_release=False).exists()


# --- What it says ---------------------------------------------------------------------------------


def _mailing(invitation: Invitation) -> Mailing:
    season = invitation.season
    return mailing_of(
        _letter_to_season(invitation, season) if season else _letter(invitation, invitation.table),
        why=_("You get this mail because %(name)s plays at Clans by mail and has asked for you.")
        % {"name": invitation.by.username},
        stops=(Link(_("Never write to this address again"), refuse_url(invitation.mailed_to)),),
        preferences=Link("Clans by mail", f"{settings.SITE_URL}/"),
    )


def _letter(invitation: Invitation, game: Game) -> Letter:
    url = links.url("invitation", invitation.token)
    seated = list(game.seats.order_by("joined").values_list("name", flat=True))
    who = {"name": invitation.by.username, "table": words.one_line(game.name)}
    lead = _lead(who)
    return Letter(
        table=who["table"],
        subject=_subject(who),
        lead=lead,
        summary=lead,
        notes=tuple(_notes(invitation, game, seated)),
        stamp=Stamp(_("Seats"), f"{len(seated)}/{game.size}", _("taken")),
        button=_("Look and sit down"),
        url=url,
        other_buttons=(Link(_("Decline"), f"{url}#decline"),),
        now=illustrate.show_sample(),
    )


def _subject(who: dict[str, str]) -> str:
    return _("%(name)s invites you to play: %(table)s") % who


def _lead(who: dict[str, str]) -> str:
    return _("%(name)s invites you to a game of Clans.") % who


def _notes(invitation: Invitation, game: Game, seated: list[str]) -> Iterator[str]:
    yield summary.tell_what_clans_is()
    free = free_seats(game, at=invitation.created_at, but_for=invitation)
    sits = _("Seated so far: %(names)s.") % {"names": words.join_words(seated)}
    speed = _("%(pace)s.") % {"pace": pace.say_pace(game.move_hours, game.reserve_hours)}
    yield f"{sits} {summary.tell_seats_free(free)} {speed}"
    if in_a_row := say_first(game.series):
        yield in_a_row
    if invitation.kept_until is not None:
        yield _("A seat is kept for you until %(when)s.") % {"when": name_moment_and_zone(invitation.kept_until)}
    yield _("The link works until %(when)s, once. Keep it to yourself: whoever has it can take your seat.") % {
        "when": name_moment_and_zone(invitation.expires_at)
    }


def _say_invited_to_season(invitation: Invitation, season: Season) -> tuple[str, str]:
    """The subject of its mail, and the first sentence."""
    who = {"name": invitation.by.username, "season": words.one_line(season.name)}
    return (
        _("%(name)s invites you to a season: %(season)s") % who,
        _("%(name)s invites you to %(season)s, a season of several games of Clans.") % who,
    )


def _letter_to_season(invitation: Invitation, season: Season) -> Letter:
    """The letter of an invitation that has its token. One query."""
    subject, lead = _say_invited_to_season(invitation, season)
    joined = season.entrants.filter(left_at=None).count()
    url = links.url("invitation", invitation.token)
    return Letter(
        table=words.one_line(season.name),
        subject=subject,
        lead=lead,
        summary=lead,
        notes=tuple(_notes_on_season(invitation, season)),
        stamp=Stamp(_("Players"), str(joined), _("joined")),
        button=_("Look and join"),
        url=url,
        other_buttons=(Link(_("Decline"), f"{url}#decline"),),
        now=illustrate.show_sample(),
    )


def _notes_on_season(invitation: Invitation, season: Season) -> Iterator[str]:
    yield summary.tell_what_clans_is()
    yield tell_season(season)
    yield _("The season begins when %(name)s begins it. Then a mail calls you to your first table.") % {
        "name": season.opener.username
    }
    yield _("The link works until %(when)s, once. Keep it to yourself: whoever has it can join in your place.") % {
        "when": name_moment_and_zone(invitation.expires_at)
    }


def _release_mailing(invitation: Invitation, reader: Player) -> Mailing:
    """The mail to somebody whom the opener of a table has released from it."""
    return mailing_of(
        _release_letter(invitation),
        why=_("You get this mail because you sat at this table."),
        stops=(Link(_("No more mails about games"), stop_url(reader)),),
        preferences=Link(_("Preferences"), links.url("mail_preferences")),
    )


def _release_letter(invitation: Invitation) -> Letter:
    game = invitation.table
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
        url=links.url("table", game.slug),
    )

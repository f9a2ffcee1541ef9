"""Inviting people to an open table, or to a season that has not begun, by name or by address, and their answers (design
3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Q, QuerySet

from games.enqueue import enqueue
from games.limits import INVITATIONS, UNANSWERED
from games.models import (
    Game,
    Invitation,
    InvitationQuerySet,
    Player,
    QuietAddress,
    Season,
    digest_of,
    find_active,
    free_seats,
    new_token,
)
from games.play.lock import locked, locked_season
from games.words.refusals import (
    AnsweredAlready,
    GuestsRefused,
    InvitedAlready,
    InvitesBlocked,
    InvitesThemselves,
    InvitesTooOften,
    NoAddress,
    NoSeatToKeep,
    NoSuchPlayer,
    NotInvited,
    NotTheOpener,
    PlayError,
    PlaysAlready,
    SeasonNotOpen,
    SeatedAlready,
    TableFull,
    TableNotOpen,
    TooManyUnanswered,
    WantsNoInvitations,
)

SEND_TASK: Final = "games.tasks.send_invitation"
VALID_FOR: Final = timedelta(days=14)
"""How long the link of an invitation works."""
KEPT_FOR: Final = timedelta(days=3)
"""How long a seat is kept for somebody who is invited, unless the inviter chooses otherwise."""
LONGEST_ADDRESS: Final = 254

MOST_REFUSED: Final = 20
"""At most so many refusals are reported at once."""

Answer = Invitation.Answer


class Guests(NamedTuple):
    """Who is invited as a table is opened, by names and addresses, and whether, and how long, seats are kept for
    them."""

    names: tuple[str, ...] = ()
    keeps_seats: bool = False
    kept_for: timedelta = KEPT_FOR


def invite(
    game: Game, *, by: Player, to: str, keeps_seat: bool = False, kept_for: timedelta = KEPT_FOR, at: datetime
) -> Invitation:
    """Invite `to`, a name or an address, to the open table of `by`; the mail is owed with it. With `keeps_seat` one is
    kept for them for that long.

    What it raises, and the work that it does, depend only on what is typed, and not on whether an address has an
    account. Raises NotTheOpener, TableNotOpen, TableFull, NoSuchPlayer, NoAddress, InvitesThemselves, InvitesBlocked,
    SeatedAlready, InvitedAlready, WantsNoInvitations, InvitesTooOften, TooManyUnanswered and NoSeatToKeep.
    """
    with locked(game) as game:
        _check_table(game, by, at=at)
        invited = _read_invited(to.strip())
        # The game first, then the row of the player (design 2.1): two tables of one opener count one after the other.
        Player.objects.select_for_update(no_key=True).only("pk").get(pk=by.pk)
        _check_invited(game, by, invited, at=at)
        if keeps_seat and not free_seats(game, at=at):
            raise NoSeatToKeep
        return _owe(game=game, by=by, **invited, kept_until=at + kept_for if keeps_seat else None, at=at)


def invite_guests(game: Game, *, by: Player, guests: Guests, at: datetime) -> None:
    """Invite all of them as `invite` does. Raises GuestsRefused with all who cannot be invited, or the first 20; then
    the caller must roll back."""
    keeps, kept_for = guests.keeps_seats, guests.kept_for
    _invite_each(guests.names, lambda name: invite(game, by=by, to=name, keeps_seat=keeps, kept_for=kept_for, at=at))


def invite_to_season(season: Season, *, by: Player, names: Iterable[str], at: datetime) -> None:
    """Invite all these names and addresses to the open season of `by`, or nobody; the mails are owed with it.

    What it raises, and the work that it does, depend only on what is typed, and not on whether an address has an
    account. Raises NotYourSeason, SeasonNotOpen, and GuestsRefused with all who cannot be invited, or the first 20.
    """
    with locked_season(season, of=by) as season:
        if season.status != Season.Status.OPEN:
            raise SeasonNotOpen
        # The season first, then the row of the player, as for tables (design 2.1).
        Player.objects.select_for_update(no_key=True).only("pk").get(pk=by.pk)
        _invite_each(names, lambda name: _invite_to_season(season, by, name, at=at))


def _invite_to_season(season: Season, by: Player, to: str, *, at: datetime) -> None:
    invited = _read_invited(to.strip())
    _check_invited(season, by, invited, at=at)
    _owe(season=season, by=by, **invited, at=at)


def _invite_each(names: Iterable[str], invite_one: Callable[[str], object]) -> None:
    """Call `invite_one` with each name or address. Raises GuestsRefused with all who cannot be invited, or the first
    20; then the caller must roll back."""
    refused: list[tuple[str, PlayError]] = []
    for name in names:
        try:
            invite_one(name)
        except PlayError as error:
            refused.append((name, error))
            # This holds for all who follow, and whoever types 1,000 wrong names has not 1,000 looked up.
            if isinstance(error, InvitesTooOften) or len(refused) == MOST_REFUSED:
                break
    if refused:
        raise GuestsRefused(refused)


def owe_release(game: Game, *, by: Player, player: Player, at: datetime) -> None:
    """Owe `player` the mail that says that `by` has released them from the locked `game`. They can be invited again.

    An invitation to their address stays, unless they have accepted it: if it went, `by` would learn whose address it is
    (design 3.4).
    """
    known = Q(player=player) | Q(address=player.email, answer=Answer.ACCEPTED)
    game.invitations.filter(known).exclude(answer=Answer.WITHDRAWN).update(answer=Answer.WITHDRAWN, answered_at=at)
    _owe(game=game, by=by, player=player, is_release=True, answer=Answer.WITHDRAWN, answered_at=at, at=at)


def _owe(*, at: datetime, **about: Any) -> Invitation:
    """A new row with these columns, whose mail is owed."""
    token = new_token()
    invitation = Invitation.objects.create(
        token=token,
        digest=digest_of(token),
        message_id=make_msgid(domain=settings.MAIL_DOMAIN),
        created_at=at,
        due_at=at,
        expires_at=at + VALID_FOR,
        owes_push=True,
        **about,
    )
    enqueue(SEND_TASK, invitation.pk)
    return invitation


def find_invitation(token: str) -> Invitation | None:
    """The invitation whose link has that token, with its table or season; None if there is none. One query."""
    found = Invitation.objects.select_related("game__deal", "season__opener", "by", "player").filter(
        digest=digest_of(token)
    )
    return found.first()


def accept_invitation(invitation: Invitation, *, at: datetime) -> None:
    """Note that somebody has come by the link of its mail."""
    _answer(Invitation.objects.filter(pk=invitation.pk), Answer.ACCEPTED, at=at)


def accept_invitations(place: Game | Season, *, player: Player, at: datetime) -> None:
    """Note that `player` has sat down at the locked game, or has joined the locked season."""
    _answer(_invitations_to(place).to_player(player), Answer.ACCEPTED, at=at)


def decline_invitation(invitation: Invitation, *, at: datetime) -> None:
    """Decline by the link of a mail. Raises AnsweredAlready, NotInvited when its time is over."""
    mine = Invitation.objects.filter(pk=invitation.pk)
    if not _answer(mine.unanswered(at), Answer.DECLINED, at=at):
        raise AnsweredAlready if mine.exclude(answer=Answer.NONE).exists() else NotInvited


def decline_invitations(place: Game | Season, *, player: Player, at: datetime) -> None:
    """Decline what invites `player` to the table or season. Raises AnsweredAlready, NotInvited."""
    mine = _invitations_to(place).to_player(player)
    if not _answer(mine.unanswered(at), Answer.DECLINED, at=at):
        raise AnsweredAlready if mine.exclude(answer__in=(Answer.NONE, Answer.WITHDRAWN)).exists() else NotInvited


def withdraw_invitation(game: Game, *, player: Player, invitation: int, at: datetime) -> None:
    """Let the opener withdraw an invitation; a seat that was kept becomes free. Raises NotTheOpener, NotInvited,
    AnsweredAlready."""
    with locked(game) as game:
        if game.opener_id != player.pk:
            raise NotTheOpener
        _withdraw(game, invitation, at=at)


def withdraw_from_season(season: Season, *, by: Player, invitation: int, at: datetime) -> None:
    """Let the opener withdraw an invitation. Raises NotYourSeason, NotInvited, AnsweredAlready."""
    with locked_season(season, of=by) as season:
        _withdraw(season, invitation, at=at)


def _withdraw(place: Game | Season, invitation: int, *, at: datetime) -> None:
    """Withdraw the invitation of that key to the locked `place`. Raises NotInvited, AnsweredAlready."""
    found = _invitations_to(place).filter(pk=invitation)
    if not _answer(found, Answer.WITHDRAWN, at=at):
        raise AnsweredAlready if found.exists() else NotInvited


def refuse_invitations(digest: str, *, at: datetime) -> None:
    """Write no more invitations to the address of that digest, whether it has an account or not."""
    QuietAddress.objects.get_or_create(digest=digest, defaults={"created_at": at})


def allow_invitations(digest: str) -> None:
    """Take `refuse_invitations` back."""
    QuietAddress.objects.filter(digest=digest).delete()


def forget_invitations(*, at: datetime) -> int:
    """Remove the invitations whose time is over, with the addresses in them; how many."""
    return Invitation.objects.filter(expires_at__lte=at).delete()[0]


def _check_table(game: Game, by: Player, *, at: datetime) -> None:
    if game.opener_id != by.pk:
        raise NotTheOpener
    if game.status != Game.Status.OPEN:
        raise TableNotOpen
    if game.seats.count() >= game.size:
        raise TableFull


def _read_invited(to: str) -> dict[str, Any]:
    """The columns that say who is invited. No player is looked up for an address."""
    if "@" not in to:
        player = find_active(to)
        if player is None:
            raise NoSuchPlayer
        return {"player": player}
    address = Player.objects.normalize_email(to)
    try:
        validate_email(address)
    except ValidationError:
        raise NoAddress from None
    # A quoted name may hold anything, and signs that turn the direction of writing are letters to some.
    if len(address) > LONGEST_ADDRESS or not address.isprintable() or '"' in address:
        raise NoAddress
    return {"address": address}


def _check_invited(place: Game | Season, by: Player, invited: dict[str, Any], *, at: datetime) -> None:
    """Refuse who cannot be invited to the locked `place`, or not now. What is checked of an address depends only on
    what was typed. Raises as `invite`, PlaysAlready in place of SeatedAlready for a season."""
    _check_whom(place, by, invited)
    _check_limits(by, invited, at=at)


def _check_whom(place: Game | Season, by: Player, invited: dict[str, Any]) -> None:
    player, address = invited.get("player"), invited.get("address")
    if player == by or address == by.email:
        raise InvitesThemselves
    if player and Player.objects.blocked_by(by.pk).filter(pk=player.pk).exists():
        raise InvitesBlocked
    if player and isinstance(place, Game) and place.seats.filter(player=player).exists():
        raise SeatedAlready
    if player and isinstance(place, Season) and place.entrants.filter(player=player, left_at=None).exists():
        raise PlaysAlready
    if _invitations_to(place).filter(**invited).exclude(answer=Answer.WITHDRAWN).exists():
        raise InvitedAlready
    if address and QuietAddress.objects.of(address).exists():
        raise WantsNoInvitations


def _check_limits(by: Player, invited: dict[str, Any], *, at: datetime) -> None:
    """Refuse what is too often; an invitation that was withdrawn counts, too."""
    mine = Invitation.objects.filter(by=by, is_release=False)
    for rate in INVITATIONS.rates:
        if mine.filter(created_at__gt=at - timedelta(seconds=rate.seconds)).count() >= rate.amount:
            raise InvitesTooOften
    address = invited.get("address")
    rows = Invitation.objects.to_mailbox(address) if address else mine.filter(**invited)
    unanswered = rows.filter(answer__in=(Answer.NONE, Answer.WITHDRAWN), created_at__gt=at - VALID_FOR)
    if unanswered.count() >= UNANSWERED.rates[0].amount:
        raise TooManyUnanswered


def _invitations_to(place: Game | Season) -> InvitationQuerySet:
    return Invitation.objects.filter(**{"game" if isinstance(place, Game) else "season": place})


def _answer(found: QuerySet[Invitation], answer: Invitation.Answer, *, at: datetime) -> bool:
    return found.filter(answer=Answer.NONE).update(answer=answer, answered_at=at) > 0

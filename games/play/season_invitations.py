"""Inviting people to a season that has not begun, by name or by address (design 3.4). invitations.py has their
answers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from games.models import Player, Season
from games.play.invitations import check_invited, invite_each, owe_invitation, read_invited, withdraw
from games.play.seasons import check_season_is_of, check_season_is_open, locked_season


def invite_to_season(season: Season, *, by: Player, names: Iterable[str], at: datetime) -> None:
    """Invite all these names and addresses to the open season of `by`, or nobody; the mails are owed with it.

    What it raises, and the work that it does, depend only on what is typed, and not on whether an address has an
    account. Raises NotYourSeason, SeasonNotOpen, and GuestsRefused with all who cannot be invited, or the first 20.
    """
    with locked_season(season) as season:
        check_season_is_of(season, by)
        check_season_is_open(season)
        # The season first, then the row of the player, as for tables (design 2.1).
        Player.objects.select_for_update(no_key=True).only("pk").get(pk=by.pk)
        invite_each(names, lambda name: _invite(season, by, name, at=at))


def withdraw_from_season(season: Season, *, by: Player, invitation: int, at: datetime) -> None:
    """Let the opener withdraw an invitation. Raises NotYourSeason, NotInvited, AnsweredAlready."""
    with locked_season(season) as season:
        check_season_is_of(season, by)
        withdraw(season, invitation, at=at)


def _invite(season: Season, by: Player, to: str, *, at: datetime) -> None:
    invited = read_invited(to.strip())
    check_invited(season, by, invited, at=at)
    owe_invitation(season=season, by=by, **invited, at=at)

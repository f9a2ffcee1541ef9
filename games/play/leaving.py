"""Closing an account (design 2.4): first nobody can sign in any more, then tables are left one by one, then names are
removed."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from datetime import datetime
from itertools import chain, count
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from games import rules
from games.drawing import png
from games.models import (
    FORMER,
    LONGEST_POSTCARD,
    NO_CONTENT,
    ApiToken,
    Deal,
    Favorite,
    FormerHolder,
    Game,
    Invitation,
    Mail,
    Mute,
    Note,
    Player,
    Postcard,
    Report,
    Season,
    SeasonMail,
    Seat,
    Suspicion,
    TurnToken,
    Vacation,
    Webhook,
)
from games.play.lock import locked
from games.play.seasons import leave_all_seasons
from games.play.tables import close_table, leave_table
from games.play.talk import empty_words
from games.play.turns import resign
from games.words.refusals import PlayError

logger = logging.getLogger(__name__)

NAME_LENGTH: Final = 60
"""Of a table."""
SEASON_NAME_LENGTH: Final = 40


def close_account(player: Player, *, keeps_words: bool = False, at: datetime) -> str:
    """Close the account of `player` for good; returns the name that they have from now on.

    Computer players take over their seats in running games, open tables of theirs are closed, seats at others' given
    up. Address, ways to sign in, wishes and notes are removed, and no table, record or page of the operator's names
    them any more. What they have said at tables is emptied first, unless `keeps_words`. If this is interrupted,
    `finish_closing` completes it. Costs some queries for each game that they have not finished, and reads all sessions.
    Closing it twice changes nothing.
    """
    if not keeps_words and player.closed_at is None:
        empty_words(player)
    _lock_out(player, at=at)
    _leave(player, at=at)
    return Player.objects.only("username").get(pk=player.pk).username


def finish_closing(*, at: datetime) -> int:
    """Complete the closing of accounts that was interrupted; returns how many. One that fails is logged."""
    finished = 0
    for player in Player.objects.filter(is_leaving=True):
        try:
            _leave(player, at=at)
            finished += 1
        except Exception:
            logger.exception("the closing of account %d cannot be finished", player.pk)
    return finished


def _lock_out(player: Player, *, at: datetime) -> None:
    """Remove all ways to sign in, and all that mails are sent to."""
    with transaction.atomic():
        current = Player.objects.select_for_update().get(pk=player.pk)
        if current.closed_at is not None:
            return
        _remove_invitations(current)
        current.forget_all_but_name()
        current.set_unusable_password()
        # Unique, and no address: it has no @.
        current.email = f"{FORMER}{current.pk}"
        current.is_active, current.is_leaving, current.closed_at = False, True, at
        current.save()
        _remove_things(current)
    logger.info("account %d is closed", player.pk)


def _remove_invitations(player: Player) -> None:
    """Remove those by the player and to them. One to their address stays until its time is over, unless they have
    accepted it: if it went, whoever typed the address would learn that it had an account (design 3.4)."""
    accepted = Q(address=player.email, answer=Invitation.Answer.ACCEPTED)
    Invitation.objects.filter(Q(by=player) | Q(player=player) | accepted).delete()
    Invitation.objects.filter(address=player.email).update(**NO_CONTENT)


def _remove_things(player: Player) -> None:
    for things in (EmailAddress, Authenticator):
        things.objects.filter(user=player).delete()
    Webhook.objects.filter(player=player).delete()
    ApiToken.objects.filter(player=player).delete()
    # ... and with them the mails that came in to their addresses.
    TurnToken.objects.filter(player=player).delete()
    Vacation.objects.filter(player=player).delete()
    Mail.objects.filter(player=player).update(address="", **NO_CONTENT)
    SeasonMail.objects.filter(player=player).delete()
    player.groups.clear()
    player.user_permissions.clear()


def _leave(player: Player, *, at: datetime) -> None:
    """Everything that follows once nobody can sign in any more. It skips what an earlier attempt has done."""
    _end_sessions(player)
    leave_all_seasons(player, at=at)
    # A table that starts while its seat is given up is found running the second time.
    for _look in range(2):
        for game in list(tables_to_leave(player)):
            _give_up(game, player, at=at)
    name = former_name(player)
    for old in _names_of(player):
        for game in Game.objects.filter(_known_at(player) | Q(opener=player), name__icontains=old).distinct():
            _rename_table(game, old, name)
        for season in Season.objects.filter(Q(entrants__player=player) | Q(opener=player), name__icontains=old):
            renamed = _reworded(season.name, old, name)[:SEASON_NAME_LENGTH]
            Season.objects.filter(pk=season.pk).update(name=renamed)
    _take_name(player, name)


def _names_of(player: Player) -> list[str]:
    """What the player is called, and was before."""
    return [player.username, *player.former_names.values_list("name", flat=True)]


def _end_sessions(player: Player) -> None:
    """Remove the sessions of the player: they name the address that somebody signed in with."""
    sessions = Session.objects.iterator(chunk_size=500)
    theirs = [each.pk for each in sessions if each.get_decoded().get(SESSION_KEY) == str(player.pk)]
    Session.objects.filter(pk__in=theirs).delete()
    UserSession.objects.filter(user=player).delete()


def tables_to_leave(player: Player) -> QuerySet[Game]:
    """Running games in which `player` still moves, and open tables at which they sit."""
    mine = Q(seats__player=player, seats__is_bot=False, status__in=(Game.Status.OPEN, Game.Status.RUNNING))
    return Game.objects.filter(mine).order_by("pk")


def _give_up(game: Game, player: Player, *, at: datetime) -> None:
    # Refused when the game has started or ended meanwhile, or another process has done the same.
    with suppress(PlayError):
        if game.is_running:
            resign(game, player=player, at=at)
        elif game.opener_id == player.pk or game.asks_who_is_ready:
            close_table(game, player=player, at=at)
        else:
            leave_table(game, player=player)


def former_name(player: Player) -> str:
    """What `player` is called once the account is closed: former-17, whose number is the key of the account."""
    plain = f"{FORMER}{player.pk}"
    others = Player.objects.exclude(pk=player.pk)
    names = chain([plain], (f"{plain}-{number}" for number in count(2)))
    return next(name for name in names if not others.filter(username__iexact=name).exists())


def _rename_table(game: Game, old: str, new: str) -> None:
    """Remove the name from the name of a table: many are called after their opener."""
    with locked(game) as game:
        game.name = _reworded(game.name, old, new)[:NAME_LENGTH]
        game.save(update_fields=("name",))


def _reworded(text: str, old: str, new: str) -> str:
    """`text` with `new` in place of `old`, wherever that is a whole word, in any case."""
    name = rf"(?<![\w.+-]){re.escape(old)}(?![\w+-]|\.\w)"
    return re.sub(name, lambda _match: new, text, flags=re.IGNORECASE)


def _take_name(player: Player, name: str) -> None:
    """Put `name` in place of the player's name at every table and on the operator's pages, and remove what they wrote.

    Their words for the deals go, too, and the salts of their places: with a salt, anybody could try which name makes
    the share that stays in the deal.
    """
    with transaction.atomic():
        current = Player.objects.select_for_update().get(pk=player.pk)
        if not current.is_leaving:
            return
        seats = Seat.objects.filter(player=player)
        Note.objects.filter(seat__in=seats).delete()
        Suspicion.objects.filter(seat__in=seats).delete()
        Mute.objects.filter(player=player).delete()
        Favorite.objects.filter(Q(player=player) | Q(other=player)).delete()
        Report.objects.filter(reporter=player).update(reason="")
        for old in _names_of(current):
            _reword_talk(player, old, name)
            _reword_log(old, name)
        current.former_names.all().delete()
        seats.filter(taken_over_at=None).update(entropy="")
        _take_name_of_former(player, name)
        seats.update(name=name, has_note=False, has_sheet=False, mail_mode="", says="", says_at=None, seen_at=None)
        _remove_salts(player)
        _remove_things(current)
        current.username, current.is_leaving = name, False
        current.save(update_fields=("username", "is_leaving"))
        # Before the commit: what is interrupted here begins again.
        png.forget_results(set(Game.objects.filter(_known_at(player)).values_list("slug", flat=True)))


def _known_at(player: Player) -> Q:
    """Tables at which `player` has, or had, a seat."""
    return Q(seats__player=player) | Q(seats__former_holders__player=player)


def _dealt_to(player: Player) -> QuerySet[Seat]:
    """The seats that `player` had when the cards were dealt, also those that somebody else has taken over."""
    kept = Q(player=player, taken_over_at=None)
    others = FormerHolder.objects.filter(seat=OuterRef("pk")).order_by("pk").values("player")[:1]
    return Seat.objects.annotate(first=Subquery(others)).filter(kept | Q(first=player.pk))


def _take_name_of_former(player: Player, name: str) -> None:
    """Put `name` in place of the player's at the seats that somebody else has now, and remove what they wrote there."""
    lost = _dealt_to(player).exclude(taken_over_at=None).values_list("pk", flat=True)
    Seat.objects.filter(pk__in=list(lost)).update(dealt_name=name, entropy="")
    FormerHolder.objects.filter(player=player).update(name=name)


def _reword_talk(player: Player, old: str, new: str) -> None:
    """Remove the name from what others have said at the player's tables, and from reports of it."""
    here = Game.objects.filter(_known_at(player)).distinct()
    for postcard in Postcard.objects.filter(game__in=here, text__icontains=old):
        Postcard.objects.filter(pk=postcard.pk).update(text=_reworded(postcard.text, old, new)[:LONGEST_POSTCARD])
    for report in Report.objects.filter(game__in=here):
        fields = {field: _reworded(getattr(report, field), old, new) for field in ("text", "reason", "notes")}
        fields |= {field: fields[field][:LONGEST_POSTCARD] for field in ("text", "reason")}
        Report.objects.filter(pk=report.pk).update(**fields)


def _remove_salts(player: Player) -> None:
    places = dict(_dealt_to(player).values_list("game", "joined"))
    deals = Deal.objects.filter(pk__in=places).exclude(version=rules.FIRST_DEAL_VERSION)
    for deal in deals.select_for_update().order_by("pk"):
        deal.salts[places[deal.pk]] = ""
        deal.save(update_fields=("salts",))


def _reword_log(old: str, new: str) -> None:
    """Remove the name from the log of the admin pages."""
    for entry in LogEntry.objects.filter(object_repr__icontains=old):
        LogEntry.objects.filter(pk=entry.pk).update(object_repr=_reworded(entry.object_repr, old, new)[:200])

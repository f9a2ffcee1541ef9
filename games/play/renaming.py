"""Another name for a player. What was played and said keeps the old one, which leads to them and to nobody else."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from games.limits import RENAMES
from games.models import FormerName, Game, Player, look_of
from games.play.lock import locked
from games.words.refusals import NameTaken, RenamedLately, SameName

BETWEEN_RENAMES: Final = timedelta(seconds=RENAMES.rates[0].seconds)


def may_rename_at(player: Player) -> datetime | None:
    """From when on the player can have another name, not just other capitals; None for one who has never had one."""
    return player.renamed_at and player.renamed_at + BETWEEN_RENAMES


def rename_player(player: Player, name: str, *, instead_of: QuerySet[Player] | None = None, at: datetime) -> None:
    """Call `player` by another name, whose letters have been checked, also at the open tables where they sit. Sign-ups
    `instead_of` which they get it are removed. The same letters, with other capitals, they can have at any time. Raises
    SameName, NameTaken and RenamedLately."""
    try:
        with transaction.atomic():
            if instead_of is not None:
                instead_of.delete()
            _rename(player, name, at=at)
    except IntegrityError:
        raise NameTaken from None
    for game in Game.objects.filter(seats__player=player, status=Game.Status.OPEN):
        with locked(game) as current:
            if current.status == Game.Status.OPEN:
                current.seats.filter(player=player).update(name=name)


def _rename(player: Player, name: str, *, at: datetime) -> None:
    current = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if current.username == name:
        raise SameName
    is_another = current.username.lower() != name.lower()
    later = may_rename_at(current)
    if is_another and later and later > at:
        raise RenamedLately
    before, current.username, current.look = current.username, name, look_of(name)
    current.renamed_at = at if is_another else current.renamed_at
    current.save(update_fields=("username", "look", "renamed_at"))
    # Asked after the name is written: whoever has just given it up has noted that before.
    if FormerName.objects.like(name).exclude(player=current).exists():
        raise NameTaken
    current.former_names.filter(name__iexact=name).delete()
    if is_another:
        FormerName.objects.create(player=current, name=before, look=look_of(before), at=at)

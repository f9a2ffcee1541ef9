"""Whose games a search asks for: players with an account, and names at seats without one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, NoReturn

from django.core.exceptions import ValidationError
from django.db.models import Exists
from django.utils.translation import gettext as _

from games.models import ARCHIVED, Game, Player, Seat, is_computer
from games.pages.access import BETWEEN_NAMES, IMPORTED
from games.pages.lists.people import IN_PUBLIC, find_players

MOST_PLAYERS: Final = 4


class Who(NamedTuple):
    """Somebody whose games are looked for: a player with an account; or the name at the seats of a computer player or
    of a person in imported games, who have none."""

    name: str
    player: Player | None = None
    is_imported: bool = False
    """Whether a person of imported games is asked for, by `alice (imported)`."""

    @property
    def asked(self) -> str:
        """What asks for them."""
        return f"{self.name}{IMPORTED}" if self.is_imported else self.name


def find_accounts(texts: Iterable[str]) -> dict[str, Player]:
    """The players whose accounts have one of the names in these texts, or one of the words in them. At most 2
    queries."""
    names = (name for text in texts for name in _split(text))
    return find_players(word for name in names if not _is_imported(name) for word in name.split())


def find_people(text: str, players: Mapping[str, Player]) -> list[Who]:
    """Whom a text names with commas between them, of `players` and of those who have no account. A name may be several,
    with blanks between them, if each is that of an account. Raises ValidationError for a name that nobody has, or had
    in a game that everybody may see, and for too many. At most one query."""
    return _find(_split(text), players)


def find_person(text: str, players: Mapping[str, Player]) -> Who | None:
    """The same for a text that names one at most."""
    found = _find([text] if text else [], players)
    if len(found) > 1:
        _refuse_nobody(text)
    return next(iter(found), None)


def _split(text: str) -> list[str]:
    return [name.strip() for name in re.split(f"[{BETWEEN_NAMES}]", text) if name.strip()]


def _find(names: Sequence[str], players: Mapping[str, Player]) -> list[Who]:
    found = list(dict.fromkeys(who for name in names for who in _who_is_called(name, players)))
    if len(found) > MOST_PLAYERS:
        raise ValidationError(_("No game has more than four players."), code="too_many")
    unknown = [who for who in found if who.player is None and not is_computer(who.name)]
    seated = _seated_in_public([who.name for who in unknown]) if unknown else set()
    for who in unknown:
        if who.name not in seated:
            _refuse_nobody(_unknown_part(who, players))
    return found


def _is_imported(name: str) -> bool:
    """Whether a search asks for a person of imported games by that name. Computer players are the same everywhere."""
    return name.lower().endswith(IMPORTED) and not is_computer(name[: -len(IMPORTED)])


def _who_is_called(name: str, players: Mapping[str, Player]) -> list[Who]:
    if _is_imported(name):
        return [Who(name[: -len(IMPORTED)], is_imported=True)]
    accounts = [players.get(word.lower()) for word in name.split()]
    return [Who(name)] if None in accounts else [Who(player.username, player) for player in accounts if player]


def _unknown_part(who: Who, players: Mapping[str, Player]) -> str:
    """The first word that is no player's, where others are; else all that was asked."""
    words_of = who.name.split()
    unknown = [word for word in words_of if word.lower() not in players]
    return unknown[0] if len(unknown) < len(words_of) and not who.is_imported else who.asked


def _seated_in_public(names: Sequence[str]) -> set[str]:
    """Those of these names that stand at a seat without an account, in a game of the archive: a search tells nobody who
    sat at a table by link. One query."""
    seats = (Exists(Seat.objects.finished_without_account(name).filter(IN_PUBLIC)) for name in names)
    is_seated = Game.objects.filter(ARCHIVED).values_list(*seats)[:1]
    return {name for row in is_seated for name, seated in zip(names, row, strict=True) if seated}


def _refuse_nobody(name: str) -> NoReturn:
    raise ValidationError(_("Nobody here is called %(name)s."), params={"name": name}, code="unknown")


def find_namesakes(people: Sequence[Who]) -> Iterator[tuple[str, str]]:
    """Each person of imported games who is called as a player among these `people`, and what asks for them instead."""
    for who in people:
        if getattr(who.player, "has_namesake", False):
            other = Who(who.name, is_imported=True)
            yield other.name, ", ".join((other if each == who else each).asked for each in people)

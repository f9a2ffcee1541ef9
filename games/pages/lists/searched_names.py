"""Whose games a search asks for: players with an account, and names at seats without one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Exists
from django.utils.translation import gettext as _

from games.models import ARCHIVED, Game, Player, Seat, is_computer
from games.pages.access import BETWEEN_NAMES, IMPORTED
from games.pages.lists.one_player import IN_PUBLIC, find_players

MOST_PLAYERS: Final = 4


class Who(NamedTuple):
    """Somebody whose games are looked for: a player with an account; or the name at the seats of a computer player or
    of a person in imported games, who have none."""

    name: str
    player: Player | None = None
    is_imported: bool = False
    """Whether a person of imported games is asked for, by `alice (imported)`."""
    unknown: str = ""
    """What of the name is nobody's if no such person is found: all of it, or the words that are no player's."""

    @property
    def asked(self) -> str:
        """What asks for them."""
        return f"{self.name}{IMPORTED}" if self.is_imported else self.name


def find_accounts(texts: Iterable[str]) -> dict[str, Player]:
    """The players whose accounts have one of the names in these texts, or one of the words in them. One query."""
    names = (name for text in texts for name in _split(text))
    return find_players(word for name in names if not _is_imported(name) for word in name.split())


def find_people(text: str, players: Mapping[str, Player]) -> list[Who]:
    """Whom a text names with commas between them, of `players` and of those who have no account. A name may be several,
    with blanks between them, if each is that of an account. Raises ValidationError for too many."""
    found = list(dict.fromkeys(who for name in _split(text) for who in _who_is_called(name, players)))
    if len(found) > MOST_PLAYERS:
        raise ValidationError(_("No game has more than four players."), code="too_many")
    return found


def find_person(text: str, players: Mapping[str, Player]) -> Who | None:
    """The same for a text that names one at most. Raises ValidationError for one that names more."""
    found = find_people(text, players)
    if len(found) > 1:
        raise ValidationError(_("Write one name."), code="too_many")
    return next(iter(found), None)


def find_nobody(people: Iterable[Who]) -> list[Who]:
    """Those who have no account and stand at no seat in a game that everybody may see: a search tells nobody who sat at
    a table by link. At most one query."""
    unknown = [who for who in people if who.player is None and not is_computer(who.name)]
    if not unknown:
        return []
    seats = (Exists(Seat.objects.finished_without_account(who.name).filter(IN_PUBLIC)) for who in unknown)
    is_seated = next(iter(Game.objects.filter(ARCHIVED).values_list(*seats)[:1]), [False] * len(unknown))
    return [who for who, seated in zip(unknown, is_seated, strict=True) if not seated]


def refusal_of(people: Iterable[Who]) -> ValidationError:
    """Says that nobody has these names."""
    names = ", ".join(dict.fromkeys(who.unknown for who in people))
    return ValidationError(_("Nobody here is called %(name)s."), params={"name": names}, code="unknown")


def _split(text: str) -> list[str]:
    return [name.strip() for name in re.split(f"[{BETWEEN_NAMES}]", text) if name.strip()]


def _is_imported(name: str) -> bool:
    """Whether a search asks for a person of imported games by that name. Computer players are the same everywhere."""
    return name.lower().endswith(IMPORTED) and not is_computer(name[: -len(IMPORTED)])


def _who_is_called(name: str, players: Mapping[str, Player]) -> list[Who]:
    if _is_imported(name):
        return [Who(name[: -len(IMPORTED)], is_imported=True, unknown=name)]
    accounts = {word: players.get(word.lower()) for word in name.split()}
    unknown = [word for word, player in accounts.items() if player is None]
    if unknown:
        return [Who(name, unknown=", ".join(unknown) if len(unknown) < len(accounts) else name)]
    return [Who(player.username, player) for player in accounts.values() if player]


def find_namesakes(people: Sequence[Who]) -> Iterator[tuple[str, str]]:
    """Each person of imported games who is called as a player among these `people`, and what asks for them instead."""
    for who in people:
        if getattr(who.player, "has_namesake", False):
            other = Who(who.name, is_imported=True)
            yield other.name, ", ".join((other if each == who else each).asked for each in people)

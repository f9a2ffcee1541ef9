"""Two worlds that a viewer cannot tell apart: the same games with other cards, seeds and words for the deal, and with
other words in the notebooks of others.

What a viewer gets is taken down in each world to the byte. If it differs anywhere, a secret got out.
"""

from __future__ import annotations

import hashlib
import itertools
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponseBase
from django.template import engines
from django.test import TestCase

from games import rules
from games.models import Deal, Game, Note, Player, Seat, Suspicion
from tests.chance import CHANCE
from tests.faults import memory
from tests.faults.browser import Browser, body_of
from tests.faults.scenery import NOW

Cards = Sequence[str]
Seen = dict[str, bytes]
"""What was seen, by what was asked."""


# --- Other worlds ----------------------------------------------------------------------------------


def secret_games() -> list[Game]:
    """The games of which something is a secret still, or for ever."""
    return list(Game.objects.exclude(status=Game.Status.FINISHED).order_by("pk"))


def hidden_seats(game: Game, viewer: Player | None) -> list[Seat]:
    """The seats of which the viewer may not know the card, in the order of play."""
    return [seat for seat in game.seats.order_by("number") if viewer is None or seat.player_id != viewer.pk]


def hidden_cards(game: Game, viewer: Player | None) -> list[str]:
    """The cards that the viewer cannot place; more than there are hidden seats."""
    known = set(game.seats.filter(player=viewer).values_list("clan", flat=True)) if viewer else set()
    return [clan for clan in rules.CLANS if clan not in known]


def make_world(viewer: Player | None, *, turn: int) -> None:
    """Make it another world for `viewer`: other cards, and others have written something else for themselves."""
    turn_cards(viewer, turn=turn)
    write_all(viewer, world=2 * turn)


def turn_cards(viewer: Player | None, *, turn: int) -> None:
    """Make it another world for `viewer`: in all games the cards that he may not know move on by `turn` places.

    In as many worlds as there are such cards each hidden seat holds each of them once.
    """
    dealt = {}
    for game in secret_games():
        cards = hidden_cards(game, viewer)
        dealt[game] = [cards[(place + turn) % len(cards)] for place in range(len(cards))]
    _deal_all(dealt, viewer, world=turn)


def deal_again(game: Game, viewer: Player | None, cards: Cards, *, world: int) -> None:
    """Give the hidden seats of `game` these cards, and other secrets to its deal. The commitment stays."""
    _deal_all({game: cards}, viewer, world=world)


def _deal_all(dealt: Mapping[Game, Cards], viewer: Player | None, *, world: int) -> None:
    hidden = {game: hidden_seats(game, viewer) for game in dealt}
    seats = list(itertools.chain.from_iterable(hidden.values()))
    # Nobody holds a card meanwhile, as no two seats of a game may hold the same.
    rows = Seat.objects.filter(pk__in=[seat.pk for seat in seats])
    rows.update(clan="", number=None, entropy=f"secret words {world}")
    for game, cards in dealt.items():
        for seat, card in zip(hidden[game], cards, strict=False) if game.huts else ():
            seat.clan, seat.share = card, hashlib.sha256(f"share {seat.pk} {world}".encode()).hexdigest()
        salts = [hashlib.sha256(f"salt {game.pk} {place} {world}".encode()) for place in range(game.size)]
        Deal.objects.filter(game=game).update(
            seed=hashlib.sha256(f"{game.pk} {world}".encode()).digest(),
            salts=[salt.hexdigest() for salt in salts],
            salt_hashes=[hashlib.sha256(salt.digest()).hexdigest() for salt in salts],
        )
    Seat.objects.bulk_update(seats, ("clan", "number", "share"))


def writers(viewer: Player | None) -> list[Seat]:
    """The seats whose notes the viewer may not read, of all games that have started."""
    seats = Seat.objects.exclude(game__huts="").exclude(player=None).select_related("game", "player")
    return [seat for seat in seats.order_by("pk") if viewer is None or seat.player_id != viewer.pk]


def write_all(viewer: Player | None, *, world: int) -> None:
    """Make it another world for `viewer`: others have written nothing, or much. What is on sheets of games that are
    over all may see, so there it stays."""
    seats = writers(viewer)
    Note.objects.filter(seat__in=seats).delete()
    if world:
        text, at = f"the heron {world}" * world, NOW - timedelta(hours=world)
        Note.objects.bulk_create(Note(seat=seat, text=text, updated_at=at) for seat in seats)
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(has_note=world > 0)
    mark_all([seat for seat in seats if not seat.game.is_over], world=world)


def mark_all(seats: Sequence[Seat], *, world: int) -> None:
    """Fill the sheets of these seats; in world 0 nothing is on them."""
    Suspicion.objects.filter(seat__in=seats).delete()
    Suspicion.objects.bulk_create(mark for seat in seats for mark in _marks(seat, world))
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(has_sheet=world > 0)


def _marks(seat: Seat, world: int) -> Iterator[Suspicion]:
    for number, clan in enumerate(rules.CLANS[: 2 * world]):
        mark = Suspicion.Mark.values[(number + world) % 3]
        about, at = (number + world) % seat.game.size, NOW - timedelta(days=world)
        yield Suspicion(seat=seat, about=about, clan=clan, mark=mark, ply=world, at=at)


# --- Taking down what is seen ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: a GET, or a POST with its form."""

    path: str
    form: Mapping[str, str] | None = None

    def __str__(self) -> str:
        return self.path if self.form is None else f"POST {self.path} {dict(self.form)}"


class Witness:
    """Takes down whatever a viewer, or who reads the site's logs, caches and queues, could see."""

    def __init__(self, viewer: Player | None, caplog: pytest.LogCaptureFixture) -> None:
        self.viewer, self.caplog = viewer, caplog
        self.browser = Browser(viewer)
        # The tag {% cached %} draws a number when it is imported, which would else be within the first page.
        engines.all()

    def look(self, asks: Iterable[Ask]) -> Seen:
        """Everything seen when asking all this, and what it leaves behind in caches."""
        cache.clear()
        seen: Seen = {}
        for ask in asks:
            seen |= self._ask(ask)
        return seen | _labeled("cache", memory.files(memory.cache_folder()))

    def _ask(self, ask: Ask) -> Seen:
        self.caplog.clear()
        CHANCE.restart()
        with memory.writes() as written:
            found = {str(ask): flat(self.browser.get(ask.path))} if ask.form is None else self._post(ask, ask.form)
        told = "\n".join(f"{record.levelname} {record.name} {record.getMessage()}" for record in self.caplog.records)
        return found | {f"log of {ask}": told.encode(), f"writes of {ask}": repr(written).encode()} if found else {}

    def _post(self, ask: Ask, form: Mapping[str, str]) -> Seen:
        """The answer, where it leads and what the worker is told; then it has not happened.

        Nothing if a table has started or a game has ended by it: more may be known then than before.
        """
        shutil.rmtree(memory.queue_folder(), ignore_errors=True)
        memory.queue_folder().mkdir(parents=True)
        before = _revealing()
        with undone(), TestCase.captureOnCommitCallbacks(execute=True):
            response = self.browser.post(ask.path, form)
            if _revealing() != before:
                return {}
            seen = {str(ask): flat(response)}
            if response.has_header("Location"):
                seen[f"{ask} leads to"] = flat(self.browser.get(response["Location"]))
        return seen | _labeled(f"queue after {ask}", memory.files(memory.queue_folder()))


def flat(response: HttpResponseBase) -> bytes:
    """An answer as bytes: status, headers, cookies, body."""
    headers = "".join(f"{name}: {value}\n" for name, value in response.items())
    return f"{response.status_code}\n{headers}{response.cookies.output()}\n\n".encode() + body_of(response)


@contextmanager
def undone() -> Iterator[None]:
    """What happens to the database in the block has not happened afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _revealing() -> tuple[int, int]:
    """How many games have started, and how many are over: cards, seeds and openings come out only by that."""
    started = Game.objects.exclude(huts="").count()
    return started, Game.objects.filter(status=Game.Status.FINISHED).count()


def _labeled(label: str, found: Mapping[str, bytes]) -> Seen:
    return {f"{label}: {name}": content for name, content in found.items()}


# --- Comparing -------------------------------------------------------------------------------------


def differences(worlds: Sequence[Seen]) -> list[str]:
    """What a viewer could tell the worlds apart by: a line for each thing, with where it first differs."""
    labels = sorted(set().union(*worlds))
    return [f"{label}: {_apart(found)}" for label in labels if len(found := {seen.get(label) for seen in worlds}) > 1]


def _apart(found: Iterable[bytes | None]) -> str:
    """Where two of the different answers part."""
    one, other, *_more = sorted(found, key=lambda answer: (answer is None, answer))
    if one is None or other is None:
        return "there in one world only"
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    part = slice(max(0, place - 60), place + 60)
    return f"{one[part]!r} or {other[part]!r}"

"""A Pov and its parts: values only, no model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from games import rules
from games.models import Game, Terms


@dataclass(frozen=True, slots=True)
class FormerPov:
    """Who had a seat `until` somebody else took it over, when `ply` moves had been played."""

    name: str
    ply: int
    until: datetime
    is_mine: bool = False
    has_page: bool = False
    """Whether it was a person whose account is not closed."""


@dataclass(frozen=True, slots=True)
class SeatPov:
    """A seat as the viewer may see it. Before the start `number` is the order of joining."""

    number: int
    name: str
    is_bot: bool = False
    has_resigned: bool = False
    is_opener: bool = False
    is_mine: bool = False
    is_to_move: bool = False
    is_ready: bool = True
    """Whether they play as soon as the others do: the next game of a series asks them."""
    agrees_to_abandon: bool = False
    chips: int = 0
    clan: str = ""
    """Empty unless the viewer may know it."""
    score: int | None = None
    """Of the clan, once the game is over; `total` and `rank` likewise (no rank when abandoned)."""
    total: int | None = None
    rank: int | None = None
    is_on_autopilot: bool = False
    """Whether the autopilot has the seat until its player returns."""
    autopiloted: int = 0
    """Moves in a row that the autopilot has made."""
    can_withdraw: bool = False
    """Whether the viewer may withdraw the move that the autopilot has just played for them."""
    has_withdrawn: bool = False
    """Whether they have withdrawn one, which is possible once a game."""
    says: str = ""
    """What the player has told the others in this turn (`tonight`, `thinking`), and since when."""
    says_at: datetime | None = None
    reserve_left: timedelta = timedelta()
    """What is left of the reserve, not counting what the current turn has used by running."""
    days_taken: int = 0
    """Days of the reserve that the player has taken for the current turn."""
    nudged_at: datetime | None = None
    mail_bounces: bool = False
    """Whether the player's address takes no mail."""
    vacations: tuple[tuple[datetime, datetime], ...] = ()
    """The vacations (from, until) that are not over yet, in order, while the game runs and they stop its clock."""
    mail_mode: str = ""
    """Which mail about this table the viewer wants on their own seat; empty: as everywhere."""
    has_page: bool = False
    """Whether it belongs to a person who has a page: neither a computer player nor a closed account."""
    is_found_by_name: bool = False
    """Whether it belongs to a person of a public game that was imported, who has no account."""
    has_note: bool = False
    """Whether the viewer has one here; `has_sheet` likewise and, once the game is over, whether this seat has one."""
    has_sheet: bool = False
    heard: int = 0
    """The last postcard that the viewer has read, on their own seat; `talk_mail`: whether mails come about others."""
    talk_mail: bool = True
    former: tuple[FormerPov, ...] = ()
    """Who had the seat before, first to last."""
    is_free: bool = False
    """Whether somebody else may take it over."""

    @property
    def has_won(self) -> bool:
        return self.rank == 1

    @property
    def name_in_deal(self) -> str:
        """Who had the seat when the cards were dealt, as deal and record name them."""
        return self.former[0].name if self.former else self.name

    def holder_at(self, moment: datetime) -> SeatPov | FormerPov:
        """Who had the seat then."""
        return next((former for former in self.former if moment < former.until), self)

    def name_at(self, moment: datetime) -> str:
        """What they are called."""
        return self.holder_at(moment).name


@dataclass(frozen=True, slots=True)
class MovePov:
    """One move of the history: the step it was, and when it was made."""

    step: rules.Step
    at: datetime
    by_bot: bool
    """Whether no person made it, but a computer player or the autopilot."""
    by_autopilot: bool = False
    """Whether it was the autopilot of a player whose time had run out."""


@dataclass(frozen=True, slots=True)
class EventPov:
    """What the player of a seat did besides moving, when `ply` moves had been played. `kind` is one of `Event.Kind`,
    `text` the move that it is about, where everybody had seen that."""

    kind: str
    seat: int
    ply: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DrawnPlayer:
    """What the deal knows of a player: `place` in the order of joining, from 0; `salt` and `share` (hex), empty in a
    deal of the first version. Of a player who has closed the account the share alone is left, under another name."""

    name: str
    entropy: str
    place: int
    salt: str
    share: str
    is_former: bool
    has_page: bool = False
    """Whether the name leads to the page of a player."""

    def as_record(self) -> dict[str, Any]:
        record: dict[str, Any] = {"name": self.name, "entropy": self.entropy}
        if self.share:
            record |= {"place": self.place, "salt": self.salt, "share": self.share}
        return record | {"closed": True} if self.is_former else record


@dataclass(frozen=True, slots=True)
class DealPov:
    """The fair deal; `seed` (hex), `salt_hashes` and `players` (in the order of joining) are empty until the end."""

    version: str
    commitment: str
    seed: str = ""
    salt_hashes: tuple[str, ...] = ()
    players: tuple[DrawnPlayer, ...] = ()

    @classmethod
    def read(cls, proof: Mapping[str, Any] | None) -> DealPov:
        """The deal of a record, as `as_record` writes it; an empty one where there is none. Raises LookupError or
        TypeError."""
        if proof is None:
            return cls("", "")
        players = tuple(
            DrawnPlayer(
                name=player["name"],
                entropy=player["entropy"],
                place=player.get("place", joined),
                salt=player.get("salt", ""),
                share=player.get("share", ""),
                is_former=player.get("closed", False),
            )
            for joined, player in enumerate(proof["players"])
        )
        hashes = tuple(proof.get("salt_hashes", ()))
        return cls(proof["version"], proof["commitment"], proof["seed"], hashes, players)

    @property
    def former(self) -> tuple[DrawnPlayer, ...]:
        """Those who have closed their account, whose name and words for the draw are deleted."""
        return tuple(player for player in self.players if player.is_former)

    @property
    def is_lost(self) -> bool:
        """Whether the draw cannot be repeated, because names that are deleted were part of it."""
        return self.version == rules.FIRST_DEAL_VERSION and bool(self.former)

    def as_record(self, game: str) -> dict[str, Any]:
        """The `deal` key of a record, which the stand-alone script verifies."""
        proof: dict[str, Any] = {"version": self.version, "game": game, "commitment": self.commitment}
        if not self.seed:
            return proof
        if self.salt_hashes:
            proof["salt_hashes"] = list(self.salt_hashes)
        return proof | {"seed": self.seed, "players": [player.as_record() for player in self.players]}


@dataclass(frozen=True, slots=True)
class SeriesPov:
    """The series that a game belongs to: its address, which game this is, and how many there are."""

    slug: str
    number: int
    length: int


@dataclass(frozen=True)
class Pov:
    """What one viewer may know of one game when `ply` moves had been played; values only, no model in it."""

    slug: str
    name: str
    status: str
    end: str
    size: int
    five_clans: str
    ruleset: rules.Ruleset
    """The map and the version of the rules that it is played by."""
    is_public: bool
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    turn_since: datetime | None
    ply: int
    last_ply: int
    seats: tuple[SeatPov, ...]
    moves: tuple[MovePov, ...]
    """Moves played until `ply`."""
    position: rules.Position | None
    """At `ply`; None before the start."""
    opening: rules.Opening | None
    deal: DealPov
    terms: Terms | None = None
    """None at a table that has no clock: the practice game."""
    free_until: datetime | None = None
    """When the turn that runs begins to draw on the reserve; until `due_at` at the latest it is played."""
    due_at: datetime | None = None
    imported: Mapping[str, Any] | None = None
    """Of a game that was not played here but imported: what its record has besides the game."""
    events: tuple[EventPov, ...] = ()
    """What was done besides until `ply`, oldest first."""
    news_from: int = 0
    """How many of the moves the viewer had seen before they came to look at the others, or watched them being made."""
    villages_ahead: tuple[int, ...] = ()
    """The plies of the moves after `ply` that founded a village."""
    said: int = 0
    """The number of the last change of the talk; 0 for viewers who may not read it."""
    talk: str = Game.Talk.PLAYERS
    """Who reads the talk besides the players, one of `Game.Talk`."""
    edition: int = 0
    """Moves withdrawn so far: what is cached by ply is cached by edition, too."""
    is_rated: bool = False
    """Whether it counts for ratings, if people play it to its end; `has_counted`: that it did."""
    has_counted: bool = False
    series: SeriesPov | None = None
    """None also for who has no seat at a table by link."""

    asks_who_is_ready: bool = False
    """Whether it is a later game of a series, which begins when all are ready."""

    @property
    def is_open(self) -> bool:
        return self.status == Game.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == Game.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == Game.Status.FINISHED

    @property
    def is_now(self) -> bool:
        """Whether this is the game as it stands, not an earlier ply of it."""
        return self.ply == self.last_ply

    @cached_property
    def me(self) -> SeatPov | None:
        return next((seat for seat in self.seats if seat.is_mine), None)

    @property
    def is_player(self) -> bool:
        """Whether the viewer has a seat, or had one that somebody else has now."""
        return self.me is not None or any(former.is_mine for seat in self.seats for former in seat.former)

    @property
    def plays_alone(self) -> bool:
        """Whether computer players have all seats but the viewer's."""
        return self.me is not None and all(seat.is_mine or seat.is_bot for seat in self.seats)

    @cached_property
    def mover(self) -> SeatPov | None:
        """The seat to move now, while the game runs."""
        return next((seat for seat in self.seats if seat.is_to_move), None)

    @cached_property
    def is_my_turn(self) -> bool:
        """Whether the viewer may move now (not when a computer player has taken over the seat)."""
        return any(
            seat.is_mine and seat.is_to_move and not (seat.is_bot or seat.is_on_autopilot) for seat in self.seats
        )

    @property
    def moved_at(self) -> datetime | None:
        """When the last move was made; when the game began while there is none."""
        return self.moves[-1].at if self.moves else self.started_at

    @property
    def withdrew(self) -> SeatPov | None:
        """The seat to move, if its turn began again because its player has withdrawn the autopilot's move."""
        mover, moved = self.mover, self.moved_at
        if mover is None or mover.is_bot or not (mover.has_withdrawn and self.edition and self.is_now):
            return None
        return mover if self.turn_since and moved and self.turn_since > moved else None

    @property
    def winners(self) -> tuple[SeatPov, ...]:
        return tuple(seat for seat in self.seats if seat.has_won)

    @property
    def last_step(self) -> rules.Step | None:
        return self.moves[-1].step if self.moves else None

    @property
    def is_imported(self) -> bool:
        """Whether it was not played here, but read from a record."""
        return self.imported is not None

    @property
    def has_times(self) -> bool:
        """Whether it is known when the moves were made: not every record tells that."""
        return self.imported is None or "times" in self.imported

    @property
    def has_end_time(self) -> bool:
        """Whether it is known when the game ended."""
        return self.has_times or "ended" in (self.imported or ())

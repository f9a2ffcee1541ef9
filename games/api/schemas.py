"""What the API answers, as types: the description of the API is made of them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

Clan = Literal["red", "blue", "green", "yellow", "black"]
Status = Literal["open", "running", "finished", "closed"]
FiveClans = Literal["score", "nothing"]
Players = Literal["all", "people"]
End = Literal["", "villages", "no-moves", "abandoned"]

HUTS = (
    "Huts by territory, as letters: r red, b blue, g green, y yellow, k black. Territories without huts are left out."
)


class ParameterAnswer(Schema):
    name: str
    detail: str


class ProblemAnswer(Schema):
    """What went wrong (RFC 9457)."""

    type: Literal["about:blank"]
    title: str
    status: int
    detail: str | None = None
    errors: list[ParameterAnswer] | None = Field(None, description="The parameters that cannot be used, and why.")


class ListedSeatAnswer(Schema):
    """A seat in a list."""

    name: str
    computer: bool = Field(description="Whether a computer player had it from the start.")
    resigned: bool
    total: int | None = Field(description="Points at the end; null before.")
    rank: int | None = Field(description="1 for whoever won; null before the end, and in an abandoned game.")


class ListedGameAnswer(Schema):
    """A game in a list."""

    id: str = Field(description="Names the game for ever; its page is at `url`.")
    url: str
    name: str
    status: Status
    public: bool = Field(description="False for a table by link, which only its players find here.")
    board: str = Field(description="The name of the map.")
    five_clans: FiveClans = Field(description="Whether a village of all five clans scores.")
    size: int = Field(description="Seats.")
    ply: int = Field(description="Moves played so far.")
    to_move: int | None = Field(description="The seat whose turn it is, from 0, while the game runs.")
    since: datetime = Field(description="When it was opened, when its turn began, or when it ended, by `status`.")
    due_at: datetime | None = Field(
        description="Until when the move is to be made, with all of the reserve, while the game runs."
    )
    end: End = Field(description="How it ended; empty before.")
    seats: list[ListedSeatAnswer] = Field(description="In the order of play; before the start in the order of joining.")


class CountAnswer(Schema):
    """How many there are."""

    number: int
    exact: bool = Field(description="False where there are more than `number`.")
    text: str


class GamesAnswer(Schema):
    """A page of a list of games."""

    games: list[ListedGameAnswer]
    count: CountAnswer | None = Field(description="How many games the whole list has; stands on the first page alone.")
    before: str | None = Field(description="The cursor of the page before this one.")
    after: str | None = Field(description="The cursor of the next page; null on the last.")


class SeatAnswer(Schema):
    """A seat as the caller may see it."""

    name: str
    computer: bool = Field(description="Whether a computer player moves for it.")
    resigned: bool
    autopilot: bool = Field(description="Whether the autopilot moves until its player comes back.")
    mine: bool = Field(description="Whether it is the caller’s own.")
    clan: Clan | None = Field(description="Its card: of all seats when the game is over, before of the caller’s own.")
    chips: int
    score: int | None = Field(description="Of its clan; null before the end, like the next two.")
    total: int | None
    rank: int | None


class VillageAnswer(Schema):
    """A village and how it scored."""

    territory: str
    terrain: Literal["forest", "mountain", "steppe", "grassland"]
    number: int = Field(description="Of its chip, 1 to 12.")
    epoch: int
    founder: int = Field(description="The seat that founded it.")
    strife: list[Clan] = Field(description="The clans that lost a hut by strife.")
    doomed: bool
    bonus: int
    value: int = Field(description="What each clan in `scored` got.")
    scored: list[Clan]


class MoveAnswer(Schema):
    """A move and what it founded."""

    seat: int
    origin: str
    target: str
    at: datetime
    computer: bool = Field(description="Whether a computer player or the autopilot made it.")
    villages: list[str] = Field(description="The territories in which it founded villages, in order.")


class PositionAnswer(Schema):
    """A game when `ply` moves had been played."""

    game: str
    ply: int
    position: str = Field(description="Names what stands on the table; the same in each game that comes to it.")
    to_move: int | None = Field(description="The seat whose turn it is; null when no move was left to make.")
    epoch: int | None
    huts: dict[str, str] = Field(description=HUTS)
    villages: list[VillageAnswer] = Field(description="In the order in which they were founded.")
    scores: dict[Clan, int] = Field(description="Points of the clans so far.")
    chips: list[int] = Field(description="Of the seats.")
    move: MoveAnswer | None = Field(description="The last one; null before the first.")


class GameAnswer(Schema):
    """A game as the caller may see it."""

    id: str
    url: str
    name: str
    status: Status
    public: bool
    board: str
    rules: int = Field(description="The version of the rules.")
    five_clans: FiveClans
    size: int
    rated: bool = Field(description="Whether it counts for ratings, if people play it to its end.")
    move_hours: int = Field(description="Time for each move.")
    reserve_hours: int = Field(description="Time that each player may use besides in the whole game.")
    created_at: datetime
    started_at: datetime | None
    turn_since: datetime | None
    due_at: datetime | None = Field(description="Until when the move is to be made, with all of the reserve.")
    ended_at: datetime | None
    end: End
    ply: int
    edition: int = Field(description="Moves withdrawn so far: the same ply of another edition is another position.")
    to_move: int | None
    seats: list[SeatAnswer]
    state: PositionAnswer | None = Field(description="Where it stands; null before the start.")
    record: dict[str, Any] | None = Field(
        description="All of it as `clans-record/1`; with clans, result and the proof of the deal once it is over."
    )


class ResultsAnswer(Schema):
    """Games played to the end at tables of one size."""

    size: int
    computers: bool = Field(description="Whether a computer player sat there from the start.")
    played: int
    won: int
    points: int = Field(description="The sum of the totals.")


class RatingAnswer(Schema):
    """How strong a player is, and how sure that is."""

    points: int
    margin: int = Field(description="One standard deviation.")
    games: int


class TimesAnswer(Schema):
    """How fast a player answers, in seconds."""

    answers: int
    quarter: int
    median: int
    three_quarters: int


class EstimateAnswer(Schema):
    """What was counted of one thing, and where the true value lies with a confidence of 95 %."""

    key: str = Field(description="What it is of: `2 1` are tables of two, the first place.")
    of: int = Field(description="How many games, seats or moves were counted.")
    value: float
    low: float | None = Field(description="Null where too few were counted to say.")
    high: float | None


class SectionAnswer(Schema):
    """Estimates of one kind."""

    key: str
    title: str
    unit: Literal["share", "points", "moves", "hours"] = Field(description="Of the values; a share is from 0 to 1.")
    rows: list[EstimateAnswer]


class StatisticsAnswer(Schema):
    """What public games that are over tell together."""

    players: Players
    counted_at: datetime | None = Field(description="Null as long as nothing was counted.")
    games: int
    sections: list[SectionAnswer]


class PlayerAnswer(Schema):
    """What a player’s page shows to everybody. It adds up public games that are over."""

    name: str
    url: str
    joined: date
    results: list[ResultsAnswer]
    resigned: int
    abandoned: int
    rating: RatingAnswer | None = Field(description="Null before the fifth rated game.")
    answers: TimesAnswer | None = Field(description="Null where they are few.")

"""What the API answers, as types: the description of the API is made of them. A field with an `alias` is read off the
attribute of that name."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from games.pov import SeatPov

Clan = Literal["red", "blue", "green", "yellow", "black"]
Status = Literal["open", "running", "finished", "closed"]
FiveClans = Literal["score", "nothing"]
Players = Literal["all", "people"]
Terrain = Literal["forest", "mountain", "steppe", "grassland"]
End = Literal["", "villages", "no-moves", "abandoned"]

HUTS = (
    "Huts by territory, as letters: r red, b blue, g green, y yellow, k black. Territories without huts are left out."
)


class ParameterAnswer(Schema):
    """A parameter that cannot be used."""

    name: str = Field(description="The parameter.")
    detail: str = Field(description="Why it cannot be used, as a sentence.")


class ProblemAnswer(Schema):
    """What went wrong (RFC 9457)."""

    type: Literal["about:blank"] = Field(description="Always the same: `status` says which problem it is.")
    title: str = Field(description="The name of the status.")
    status: int = Field(description="The status of the answer, as in its first line.")
    detail: str | None = Field(None, description="What is wrong, as a sentence; null if the title says it all.")
    errors: list[ParameterAnswer] | None = Field(None, description="The parameters that cannot be used, and why.")


class ListedSeatAnswer(Schema):
    """A seat in a list."""

    name: str = Field(description="The name of the player at this table; computer players have one, too.")
    computer: bool = Field(alias="is_computer", description="Whether a computer player had it from the start.")
    resigned: bool = Field(
        alias="has_resigned", description="Whether its player gave up, so that a computer player moves."
    )
    total: int | None = Field(description="Points at the end; null before.")
    rank: int | None = Field(description="1 for whoever won; null before the end, and in an abandoned game.")


class ListedGameAnswer(Schema):
    """A game in a list."""

    id: str = Field(description="Names the game for ever; its page is at `url`.")
    url: str = Field(description="The address of its page.")
    name: str = Field(description="What the table is called.")
    status: Status = Field(description="`open` before the start, `running`, `finished`, or `closed` if it never began.")
    public: bool = Field(description="False for a table by link, which only its players find here.")
    board: str = Field(description="The name of the map.")
    five_clans: FiveClans = Field(description="Whether a village of all five clans scores.")
    size: int = Field(description="Seats.")
    ply: int = Field(description="Moves played so far.")
    to_move: int | None = Field(description="The seat whose turn it is, from 0, while the game runs.")
    since: datetime | None = Field(
        description="When it was opened, when its turn began, or when it ended, by `status`; null if an imported record"
        " does not tell."
    )
    due_at: datetime | None = Field(
        description="Until when the move is to be made, with all of the reserve, while the game runs."
    )
    end: End = Field(description="How it ended; empty before.")
    seats: list[ListedSeatAnswer] = Field(description="In the order of play; before the start in the order of joining.")


class CountAnswer(Schema):
    """How many there are."""

    number: int = Field(description="How many were counted.")
    exact: bool = Field(description="False where there are more than `number`.")
    text: str = Field(description="The same in words: `27`, or `more than 1,000`.")


class GamesAnswer(Schema):
    """A page of a list of games."""

    games: list[ListedGameAnswer] = Field(description="In the order that was asked for.")
    count: CountAnswer | None = Field(description="How many games the whole list has; stands on the first page alone.")
    before: str | None = Field(description="The cursor of the page before this one.")
    after: str | None = Field(description="The cursor of the next page; null on the last.")


class SeatAnswer(Schema):
    """A seat as the caller may see it."""

    name: str = Field(description="The name of the player at this table; computer players have one, too.")
    computer: bool = Field(alias="is_bot", description="Whether a computer player moves for it.")
    resigned: bool = Field(
        alias="has_resigned", description="Whether its player gave up, so that a computer player moves."
    )
    autopilot: bool = Field(
        alias="is_on_autopilot", description="Whether the autopilot moves until its player comes back."
    )
    mine: bool = Field(alias="is_mine", description="Whether it is the caller’s own.")
    clan: Clan | None = Field(description="Its card: of all seats when the game is over, before of the caller’s own.")
    chips: int = Field(description="How many it has taken.")
    score: int | None = Field(description="Of its clan; null before the end, like the next two.")
    total: int | None = Field(description="Points of its clan and its chips.")
    rank: int | None = Field(description="1 for whoever won; null in an abandoned game, too.")

    @staticmethod
    def resolve_clan(seat: SeatPov) -> str | None:
        return seat.clan or None


class VillageAnswer(Schema):
    """A village and how it scored."""

    territory: str = Field(description="Where it is, such as `C4`.")
    terrain: Literal["forest", "mountain", "steppe", "grassland"] = Field(description="Of its territory.")
    number: int = Field(description="Of its chip, 1 to 12.")
    epoch: int = Field(description="In which it was founded, 1 to 5.")
    founder: int = Field(description="The seat that founded it.")
    strife: list[Clan] = Field(description="The clans that lost a hut by strife.")
    doomed: bool = Field(
        description="Whether its terrain was unfavorable, so that it scored nothing and lost its huts."
    )
    bonus: int = Field(description="Points for a favorable terrain, and for the twelfth village.")
    value: int = Field(description="What each clan in `scored` got.")
    scored: list[Clan] = Field(description="The clans that got its value.")


class MoveAnswer(Schema):
    """A move and what it founded."""

    seat: int = Field(description="Whose move it was, from 0.")
    origin: str = Field(description="The territory that the huts left.")
    target: str = Field(description="The territory that they went to.")
    at: datetime | None = Field(description="When it was made; null if an imported record does not tell.")
    computer: bool = Field(description="Whether a computer player or the autopilot made it.")
    villages: list[str] = Field(description="The territories in which it founded villages, in order.")


class PositionAnswer(Schema):
    """A game when `ply` moves had been played."""

    game: str = Field(description="The `id` of the game.")
    ply: int = Field(description="Moves played by then.")
    position: str = Field(description="Names what stands on the table; the same in each game that comes to it.")
    to_move: int | None = Field(description="The seat whose turn it is; null when no move was left to make.")
    epoch: int | None = Field(description="The present one, 1 to 5; null when all chips are taken.")
    huts: dict[str, str] = Field(description=HUTS)
    villages: list[VillageAnswer] = Field(description="In the order in which they were founded.")
    scores: dict[Clan, int] = Field(description="Points of the clans so far.")
    chips: list[int] = Field(description="Of the seats.")
    move: MoveAnswer | None = Field(description="The last one; null before the first.")


class GameAnswer(Schema):
    """A game as the caller may see it."""

    id: str = Field(description="Names the game for ever; its page is at `url`.")
    url: str = Field(description="The address of its page.")
    name: str = Field(description="What the table is called.")
    status: Status = Field(description="`open` before the start, `running`, `finished`, or `closed` if it never began.")
    public: bool = Field(description="False for a table by link.")
    board: str = Field(description="The name of the map.")
    rules: int = Field(description="The version of the rules.")
    five_clans: FiveClans = Field(description="Whether a village of all five clans scores.")
    size: int = Field(description="Seats.")
    rated: bool = Field(description="Whether it counts for ratings, if people play it to its end.")
    move_hours: int = Field(description="Time for each move.")
    reserve_hours: int = Field(description="Time that each player may use besides in the whole game.")
    created_at: datetime | None = Field(
        description="When the table was opened; null if an imported record does not tell."
    )
    started_at: datetime | None = Field(
        description="When the game began; null before, and if an imported record does not tell."
    )
    turn_since: datetime | None = Field(description="When the present turn began; null if nobody is to move.")
    due_at: datetime | None = Field(description="Until when the move is to be made, with all of the reserve.")
    ended_at: datetime | None = Field(
        description="When it was over; null before, and if an imported record does not tell."
    )
    end: End = Field(description="How it ended; empty before.")
    ply: int = Field(description="Moves played so far.")
    edition: int = Field(
        description="Moves taken back or withdrawn so far: the same ply of another edition is another position."
    )
    to_move: int | None = Field(description="The seat whose turn it is, from 0, while the game runs.")
    seats: list[SeatAnswer] = Field(description="In the order of play; before the start in the order of joining.")
    state: PositionAnswer | None = Field(description="Where it stands; null before the start.")
    record: dict[str, Any] | None = Field(
        description="All of it as `clans-record/1`; with clans, result and the proof of the deal once it is over."
    )


class ResultsAnswer(Schema):
    """Games played to the end at tables of one size."""

    size: int = Field(description="Seats of these tables.")
    computers: bool = Field(description="Whether a computer player sat there from the start.")
    played: int = Field(description="How many games.")
    won: int = Field(description="How many of them the player won, alone or with others.")
    points: int = Field(description="The sum of the totals.")


class RatingAnswer(Schema):
    """How strong a player is, and how sure that is."""

    points: int = Field(description="The rating, as it is shown.")
    margin: int = Field(description="One standard deviation.")
    games: int = Field(description="How many rated games it is from.")


class TimesAnswer(Schema):
    """How fast a player answers, in seconds."""

    answers: int = Field(description="How many moves were counted.")
    quarter: int = Field(description="A quarter of the moves came at least so soon.")
    median: int = Field(description="Half of the moves came at least so soon.")
    three_quarters: int = Field(description="Three quarters of the moves came at least so soon.")


class EstimateAnswer(Schema):
    """What was counted of one thing, and where the true value lies with a confidence of 95 %."""

    key: str = Field(description="What it is of: `2 1` are tables of two, the first place.")
    of: int = Field(description="How many games, seats or moves were counted.")
    value: float = Field(description="What was counted: a share, or a mean.")
    low: float | None = Field(description="Null where too few were counted to say.")
    high: float | None = Field(description="Null where too few were counted to say.")


class SectionAnswer(Schema):
    """Estimates of one kind."""

    key: str = Field(description="Names the section for ever.")
    title: str = Field(description="What it is about.")
    unit: Literal["share", "points", "moves", "hours"] = Field(description="Of the values; a share is from 0 to 1.")
    rows: list[EstimateAnswer] = Field(description="In the order of the page of statistics.")


class TerritoryAnswer(Schema):
    """A territory of a map."""

    id: str = Field(description="Its name, as in moves.")
    region: str = Field(description="The letter of its region.")
    terrain: Terrain = Field(description="What grows on it.")
    neighbors: list[str] = Field(description="The territories that touch it.")


class EpochAnswer(Schema):
    """A row of the chart of epochs."""

    chips: int = Field(description="How many villages it lasts for: each takes a chip.")
    favorable: list[Terrain] = Field(description="Where a village gets the bonus.")
    unfavorable: list[Terrain] = Field(description="Where a village scores nothing.")
    bonus: int = Field(description="The points that a village on favorable terrain gets besides.")


class BoardAnswer(Schema):
    """A map and the chart of epochs (`clans-board/1`)."""

    format: Literal["clans-board/1"] = Field(description="Always the same.")
    id: str = Field(description="The name of the map.")
    territories: list[TerritoryAnswer] = Field(description="All 60, in the order of their names.")
    epochs: list[EpochAnswer] = Field(description="The five epochs, the first one first.")


class StatisticsAnswer(Schema):
    """What public games that are over tell together."""

    players: Players = Field(description="Which games were counted: `all`, or those without computer players.")
    counted_at: datetime | None = Field(description="Null as long as nothing was counted.")
    games: int = Field(description="How many games were counted.")
    sections: list[SectionAnswer] = Field(description="In the order of the page of statistics.")


class PlayerAnswer(Schema):
    """What a player’s page shows to everybody. It adds up public games that are over."""

    name: str = Field(description="The present name, where an earlier one was asked for, too.")
    url: str = Field(description="The address of the player’s page.")
    joined: date = Field(description="The day on which the account was made.")
    results: list[ResultsAnswer] = Field(description="By size of table, with and without computer players.")
    resigned: int = Field(description="How many games the player gave up.")
    abandoned: int = Field(description="How many games all players agreed to abandon.")
    rating: RatingAnswer | None = Field(description="Null before the fifth rated game.")
    answers: TimesAnswer | None = Field(description="Null where they are few.")

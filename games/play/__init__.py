"""The verbs that write: whatever changes a table or a game comes through here, each in one transaction."""

from games.play.bot_turns import bots_to_move, play_bot_turn
from games.play.errors import (
    AlreadySeated,
    GameNotRunning,
    NoSuchSeat,
    NotEnoughPlayers,
    NoteTooLong,
    NotTheOpener,
    NotToSuspect,
    NotYourTurn,
    PlayError,
    SheetFull,
    StaleMove,
    TableFull,
    TableNotOpen,
)
from games.play.notebook import mark_suspicion, write_note
from games.play.practice import COMPUTER, PERSON, Practice, begin_practice, play_practice, read_practice
from games.play.tables import close_table, join_table, leave_table, open_table, start_table
from games.play.turns import Played, agree_to_abandon, play_move, resign

__all__ = [
    "COMPUTER",
    "PERSON",
    "AlreadySeated",
    "GameNotRunning",
    "NoSuchSeat",
    "NotEnoughPlayers",
    "NotTheOpener",
    "NotToSuspect",
    "NotYourTurn",
    "NoteTooLong",
    "PlayError",
    "Played",
    "Practice",
    "SheetFull",
    "StaleMove",
    "TableFull",
    "TableNotOpen",
    "agree_to_abandon",
    "begin_practice",
    "bots_to_move",
    "close_table",
    "join_table",
    "leave_table",
    "mark_suspicion",
    "open_table",
    "play_bot_turn",
    "play_move",
    "play_practice",
    "read_practice",
    "resign",
    "start_table",
    "write_note",
]

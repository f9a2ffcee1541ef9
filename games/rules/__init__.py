"""The game of Clans, pure: no clock, no database, no files but the map.

Three verbs: `set_up` an opening, list the `legal_moves` of a position (and the `founding_orders` of a move), and `play`
a move, which gives a step. Positions and moves are immutable values with a text form. The numbers that docstrings
cite, such as rules 4.4, are the sections of docs/rules.md.
"""

from .board import BOARD, Board
from .epochs import CHIPS, EPOCHS, TERRAINS, Epoch, Terrain
from .errors import (
    ClansError,
    FoundingOrderError,
    IllegalMove,
    InvalidMove,
    InvalidOpening,
    InvalidPosition,
    InvalidRecord,
)
from .move import Move
from .moves import Step, fold, founding_orders, legal_moves, play
from .position import FIVE_CLANS, End, Position
from .random_play import random_game, random_move, random_opening, random_step
from .record import Record, read_record, write_record
from .setup import DEAL_VERSION, SEED_BYTES, Draw, Opening, commitment, draw, set_up
from .simulation import simulate
from .stacks import CLAN_LETTERS, CLANS, HEAVY, Clan, Counts
from .standings import Standing, standings
from .village import FiveClans, Village

__all__ = [
    "BOARD",
    "CHIPS",
    "CLANS",
    "CLAN_LETTERS",
    "DEAL_VERSION",
    "EPOCHS",
    "FIVE_CLANS",
    "HEAVY",
    "SEED_BYTES",
    "TERRAINS",
    "Board",
    "Clan",
    "ClansError",
    "Counts",
    "Draw",
    "End",
    "Epoch",
    "FiveClans",
    "FoundingOrderError",
    "IllegalMove",
    "InvalidMove",
    "InvalidOpening",
    "InvalidPosition",
    "InvalidRecord",
    "Move",
    "Opening",
    "Position",
    "Record",
    "Standing",
    "Step",
    "Terrain",
    "Village",
    "commitment",
    "draw",
    "fold",
    "founding_orders",
    "legal_moves",
    "play",
    "random_game",
    "random_move",
    "random_opening",
    "random_step",
    "read_record",
    "set_up",
    "simulate",
    "standings",
    "write_record",
]

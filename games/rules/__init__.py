"""The game of Clans, pure: no clock, no database, no files but the maps.

A `Ruleset` is a map and a version of the rules; openings and positions carry theirs. Three functions make a game:
`set_up` an opening, list the `legal_moves` of a position (and the `founding_orders` of a move), and `play` a move,
which gives a step. Positions and moves are immutable values with a text form. The numbers that docstrings cite, such
as rules 4.4, are the sections of docs/rules.md.
"""

from .board import BOARDS, REGION_SIZE, Board
from .epochs import CHIPS, TERRAINS, Epoch, Terrain
from .errors import (
    ClansError,
    InvalidMove,
    InvalidOpening,
    InvalidPosition,
    InvalidRecord,
    UnknownRuleset,
)
from .keys import position_key, shape_key
from .move import FoundingOrderError, IllegalMove, Move
from .moves import Step, fold, founding_moves, founding_orders, founding_origins, legal_moves, play, try_move
from .position import FIVE_CLANS, SEATS, Position
from .random_play import random_game, random_move, random_opening, random_step
from .record import Record, check_record, read_record, write_record
from .refusals import REFUSALS
from .ruleset import STANDARD, Ruleset, find_ruleset, standard_ruleset
from .setup import (
    DEAL_VERSION,
    FIRST_DEAL_VERSION,
    SALT_BYTES,
    SECOND_DEAL_VERSION,
    SEED_BYTES,
    Draw,
    Opening,
    commitment,
    draw,
    hash_salt,
    name_of_draw,
    set_up,
    share,
)
from .simulation import simulate
from .stacks import CLAN_LETTERS, CLANS, Counts
from .standings import standings
from .versions import VERSIONS, Version
from .village import FiveClans, Village

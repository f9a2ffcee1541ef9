"""What is remembered: players, games, seats, moves, deals, the mails owed and what players note (design 2.1).

Secrets are `Seat.clan`, `Deal.seed`, `Note` and `Suspicion`; `games.pov` is their only reader for output.
"""

from games.models.deal import Deal
from games.models.game import Game
from games.models.move import Move
from games.models.note import LONGEST_NOTE, Note, Suspicion
from games.models.notice import Notice
from games.models.player import FORMER, MailMode, Player
from games.models.seat import AUTOPILOT_AFTER, Seat
from games.models.vacation import Vacation
from games.models.webhook import Webhook, WebhookCall

__all__ = [
    "AUTOPILOT_AFTER",
    "FORMER",
    "LONGEST_NOTE",
    "Deal",
    "Game",
    "MailMode",
    "Move",
    "Note",
    "Notice",
    "Player",
    "Seat",
    "Suspicion",
    "Vacation",
    "Webhook",
    "WebhookCall",
]

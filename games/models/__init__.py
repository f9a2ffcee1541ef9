"""What is stored: players, games, seats, moves, deals, the mails owed, what players note and say (design 1.1).

Secrets are `Seat.clan`, `Deal.seed`, `Note` and `Suspicion`; `games.pov` is their only reader for output.
"""

from games.models.api_token import ApiToken
from games.models.chain import HASHED, REMOVALS, fill_chain, hash_move, hash_opening, hashes_of
from games.models.deal import Deal
from games.models.domains import organization_of
from games.models.event import Event
from games.models.favorite import Favorite
from games.models.former_holder import FormerHolder
from games.models.former_name import FormerName, find_active, player_once_called
from games.models.game import (
    ARCHIVED,
    SECRET_LETTERS,
    SLUG_LETTERS,
    Game,
    GameQuerySet,
    by_game,
    count_waiting,
    in_batches,
    new_slug,
)
from games.models.imported_record import ImportedRecord
from games.models.inbound_mail import InboundMail
from games.models.invitation import (
    Invitation,
    InvitationQuerySet,
    QuietAddress,
    choose_those_to,
    digest_of,
    free_seats,
    mailbox_of,
    new_token,
)
from games.models.mail import CONTENT, NO_CONTENT, Mail, OutgoingMail
from games.models.move import Move
from games.models.names import (
    COMPUTER,
    FORMER,
    has_address,
    is_computer,
    look_of,
    looks_like_one_of,
    next_name,
    plain_title,
    plain_user_name,
    plain_words,
    visible_words,
)
from games.models.note import LONGEST_NOTE, Note, Suspicion
from games.models.notice import Notice
from games.models.player import MailAnswers, MailMode, MailText, PageFor, Player, check_time_zone
from games.models.positions import OPENING_PLIES, PassedPosition, fill_positions, keys_of, note_positions
from games.models.postcard import LONGEST_POSTCARD, Mute, Postcard, Report
from games.models.rating import FEWEST_RATED, START_MU, START_SIGMA, PastRating, Rating
from games.models.results import fill_results, result_of, set_result, sets_of_clans_with
from games.models.season import (
    MOST_IN_ROUND_ROBIN,
    MOST_ROUNDS,
    OPEN_FOR,
    Entrant,
    Round,
    Season,
    SeasonTable,
)
from games.models.season_mail import SeasonMail
from games.models.seat import AUTOMATIC, AUTOPILOT_AFTER, LEFT_SEAT, Seat
from games.models.series import MOST_GAMES, Series
from games.models.series_points import SeriesRow, add_up, read_games
from games.models.statistics import ONLY_ROW, ArchiveStatistics
from games.models.terms import Terms
from games.models.totals import (
    HOURS,
    AnswerTimes,
    Meeting,
    Tally,
    Totals,
    add_counts,
    count_totals,
    write_totals,
)
from games.models.turn_token import TokenTurn, TurnToken, find_turn_token, make_turn_token
from games.models.vacation import Vacation
from games.models.webhook import Webhook, WebhookCall

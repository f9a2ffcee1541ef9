"""The functions that change tables and games: each is one transaction, and nothing else writes to them."""

from games.models import Terms
from games.play.api_tokens import make_api_token, revoke_api_token
from games.play.archive_statistics import count_archive, count_archive_if_stale
from games.play.away import BETWEEN_NUDGES, come_back, end_overdue_turns, mark_seen, nudge, withdraw_autopilot
from games.play.bot_turns import bots_to_move, play_bot_turn
from games.play.deadlines import RESERVE_DAY, Turn, now, owe_reminders, reset_clocks, take_reserve_day, tell_others
from games.play.deals import FixedDeal, find_deal, offer_deal
from games.play.favorites import add_favorite, remove_favorite
from games.play.invitations import (
    KEPT_FOR,
    VALID_FOR,
    Guests,
    allow_invitations,
    decline_invitation,
    decline_invitations,
    find_invitation,
    forget_invitations,
    invite,
    invite_to_season,
    refuse_invitations,
    withdraw_from_season,
    withdraw_invitation,
)
from games.play.leaving import close_account, finish_closing, former_name, tables_to_leave
from games.play.mutes import mute_player, mute_player_called, report_postcard, unmute_player
from games.play.notebook import mark_suspicion, write_note
from games.play.practice import COMPUTER, PERSON, Practice, begin_practice, play_practice, read_practice
from games.play.ratings import recount_ratings
from games.play.renaming import may_rename_at, rename_player
from games.play.seasons import (
    advance_season,
    begin_season,
    call_off_season,
    close_season,
    expire_seasons,
    join_season,
    leave_season,
    open_season,
    running_seasons,
)
from games.play.series import open_next_table, say_ready, series_due
from games.play.tables import (
    close_table,
    expire_tables,
    hand_on_table,
    join_table,
    leave_table,
    open_table,
    release_player,
    start_table,
)
from games.play.take_back import may_take_back, take_back, take_back_until
from games.play.takeovers import check_takeover, take_over
from games.play.talk import (
    TALK_GOES_ON,
    edit_postcard,
    hide_postcard,
    is_talk_over,
    mark_heard,
    may_edit,
    remove_postcard,
    write_postcard,
)
from games.play.totals import recount_totals
from games.play.turns import Played, agree_to_abandon, is_last, play_move, resign
from games.play.vacations import VACATION_DAYS, end_vacation, plan_vacation, vacation_days_left
from games.words.refusals import *  # noqa: F403

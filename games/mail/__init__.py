"""What mail is owed, whether it is still true, what it says and how it goes out (design 3.1)."""

from games.mail.account import account_html, read_account_mail
from games.mail.brief import Push, brief_entry, brief_letter, brief_push
from games.mail.compose import as_read_by
from games.mail.delivery import deliver
from games.mail.generated_file import read_or_generate
from games.mail.invariants import COUNTED, PATIENCE, faults, late_faults, note_faults, note_mailbox, noted_faults
from games.mail.invitations import (
    brief_invitation,
    decide_invitation,
    log_invitation,
    read_refusal,
    refuse_url,
    render_invitation,
)
from games.mail.kinds import Logged, kind_of, kinds_that
from games.mail.plan import (
    Verdict,
    decide,
    decide_without_seat,
    owe,
    owe_many,
    replan,
    still_true,
    supersede_before,
    wait_for_quiet_hours,
)
from games.mail.player_actions import RequestedTest, choose_modes, choose_talk, request_test, try_again
from games.mail.season_mails import brief_season_mail, log_end, render_season_mail
from games.mail.stop import (
    CallStop,
    ReminderStop,
    Stop,
    TableStop,
    TalkStop,
    read_stop_token,
    resume_mail,
    sign_preferences,
    stop_mail,
    stop_url,
)
from games.mail.sweeping import forget_content, sweep, sweep_invitations, sweep_season_mails
from games.mail.transport.bounces import came_back, read_report
from games.mail.transport.connection import explain, name_server
from games.mail.transport.mail_program import answer_stored
from games.mail.transport.mailbox import StoredMail, forget_all, stored_mail, stored_mails
from games.mail.without_seat import deliver_invitation, deliver_season_mail

"""The addresses of the site's own pages."""

from __future__ import annotations

from django.urls import include, path

from games.pages.accounts.adapter import start_over
from games.pages.accounts.closing import account_closed, close_account
from games.pages.accounts.invitation import invitation, refuse_invitations
from games.pages.accounts.passkey import sign_in_by_passkey
from games.pages.accounts.renaming import rename
from games.pages.accounts.sessions import sessions
from games.pages.accounts.sign_up import (
    confirm_address,
    confirm_login_code,
    confirm_password_reset_code,
    sign_up,
    sign_up_by_passkey,
)
from games.pages.health import health
from games.pages.lists.archive import archive
from games.pages.lists.archive_feed import archive_feed
from games.pages.lists.download import archive_file, archive_manifest, download
from games.pages.lists.favorites import favorites
from games.pages.lists.home import home
from games.pages.lists.new_season import new_season
from games.pages.lists.new_table import new_table
from games.pages.lists.next_table import next_table
from games.pages.lists.player_page import player
from games.pages.lists.players import players
from games.pages.lists.ratings import ratings
from games.pages.lists.season_invite import decline_season, invite_to_season, withdraw_from_season
from games.pages.lists.seasons import (
    begin_season,
    close_season,
    join_season,
    leave_season,
    list_seasons,
    one_season,
)
from games.pages.lists.series import series_page
from games.pages.lists.small_board import small_board
from games.pages.lists.watch import watch
from games.pages.offline import offline, service_worker
from games.pages.player import mailbox
from games.pages.player.api_tokens import api_token, api_tokens
from games.pages.player.browsers import browsers, one_browser
from games.pages.player.feed_preferences import feed_preferences
from games.pages.player.feeds import deadlines, season_feed, table_feed, turns
from games.pages.player.mail import mail_preferences
from games.pages.player.mail_log import mail_again, mail_log, test_mail
from games.pages.player.muted import muted
from games.pages.player.my_data import my_data
from games.pages.player.preferences import preferences
from games.pages.player.unsubscribe import unsubscribe
from games.pages.player.vacation import end_vacation, vacation
from games.pages.player.webhooks import webhook, webhooks
from games.pages.practice.page import practice, practice_move, practice_ply, practice_table
from games.pages.practice.playing_well import playing_well
from games.pages.practice.rules import rules_page
from games.pages.replay import deal, page as replay
from games.pages.replay.picture import picture, result
from games.pages.replay.try_out import try_out
from games.pages.statistics.page import archive_statistics, archive_statistics_csv
from games.pages.table import (
    actions,
    all_turns,
    clock_actions,
    comments,
    invite,
    notebook_actions,
    page as table,
    poll,
    press,
    seating,
    talk_actions,
)
from games.pages.table.animation import animation
from games.pages.table.embed import embed
from games.pages.table.keepsake import keepsake
from games.pages.theme import theme

urlpatterns = [
    # What is asked most often comes first.
    path("tables/<slug:slug>/poll/<str:reader>/", poll.poll, name="poll"),
    path("tables/<slug:slug>/small/<int:edition>-<int:ply>.svg", small_board, name="small_board"),
    path("", home, name="home"),
    path("tables/new/", new_table, name="new_table"),
    path("tables/practice/", practice_table, name="practice_table"),
    path("tables/practice/move/", practice_move, name="practice_move"),
    path("tables/practice/ply/<int:ply>/", practice_ply, name="practice_ply"),
    path("tables/<slug:slug>/", table.table, name="table"),
    path("tables/<slug:slug>/move/", actions.move, name="move"),
    path("tables/<slug:slug>/seen/", clock_actions.seen, name="seen"),
    path("turn/<slug:slug>/", press.press, name="press"),
    path("turn/<slug:slug>/open/", press.open_press, name="open_press"),
    path("turn/<slug:slug>/move/", press.move, name="press_move"),
    path("turn/<slug:slug>/take-back/", press.take_back, name="press_take_back"),
    path("next/", next_table, name="next_table"),
    path("turns/", all_turns.all_turns, name="all_turns"),
    path("archive/", archive, name="archive"),
    path("archive/download/", download, name="download"),
    path("archive/download/manifest.json", archive_manifest, name="archive_manifest"),
    path("archive/download/<str:file>", archive_file, name="archive_file"),
    path("archive/feed/", archive_feed, name="archive_feed"),
    path("archive/statistics/", archive_statistics, name="archive_statistics"),
    path("archive/statistics.csv", archive_statistics_csv, name="archive_statistics_csv"),
    path("watch/", watch, name="watch"),
    path("ratings/", ratings, name="ratings"),
    path("series/<slug:series>/", series_page, name="series"),
    path("leagues/", list_seasons, name="seasons"),
    path("leagues/new/", new_season, name="new_season"),
    path("leagues/<slug:season>/", one_season, name="season"),
    path("leagues/<slug:season>/join/", join_season, name="join_season"),
    path("leagues/<slug:season>/leave/", leave_season, name="leave_season"),
    path("leagues/<slug:season>/begin/", begin_season, name="begin_season"),
    path("leagues/<slug:season>/close/", close_season, name="close_season"),
    path("leagues/<slug:season>/invite/", invite_to_season, name="invite_to_season"),
    path("leagues/<slug:season>/invite/withdraw/", withdraw_from_season, name="withdraw_from_season"),
    path("leagues/<slug:season>/decline/", decline_season, name="decline_season"),
    path("leagues/<slug:season>/feed/", season_feed, name="season_feed"),
    path("players/", players, name="players"),
    path("players/<str:name>/", player, name="player"),
    path("health/", health, name="health"),
    path("theme/", theme, name="theme"),
    path("api/v1/", include("games.api.urls")),
    path("preferences/", preferences, name="preferences"),
    path("preferences/mail/", mail_preferences, name="mail_preferences"),
    path("preferences/data/", my_data, name="my_data"),
    path("preferences/people/", favorites, name="favorites"),
    path("preferences/muted/", muted, name="muted"),
    path("preferences/feeds/", feed_preferences, name="feeds"),
    path("preferences/webhooks/", webhooks, name="webhooks"),
    path("preferences/webhooks/<int:hook>/", webhook, name="webhook"),
    path("preferences/tokens/", api_tokens, name="api_tokens"),
    path("preferences/tokens/<int:api_token>/", api_token, name="api_token"),
    path("preferences/messages/", browsers, name="browsers"),
    path("preferences/messages/<int:browser>/", one_browser, name="browser"),
    path("preferences/name/", rename, name="rename"),
    path("preferences/close/", close_account, name="close_account"),
    path("feeds/<str:feed>/deadlines.ics", deadlines, name="deadlines"),
    path("feeds/<str:feed>/turns.atom", turns, name="turns"),
    path("vacation/", vacation, name="vacation"),
    path("vacation/end/", end_vacation, name="end_vacation"),
    path("mail/", mail_log, name="mail_log"),
    path("mail/test/", test_mail, name="test_mail"),
    path("mail/again/", mail_again, name="mail_again"),
    path("offline/", offline, name="offline"),
    path("service-worker.js", service_worker, name="service_worker"),
    path("rules/", rules_page, name="rules"),
    path("rules/playing-well/", playing_well, name="playing_well"),
    path("accounts/closed/", account_closed, name="account_closed"),
    path("accounts/sessions/", sessions, name="usersessions_list"),
    path("accounts/start-over/", start_over, name="start_over"),
    # These stand before allauth's own of the same names.
    path("accounts/signup/", sign_up, name="account_signup"),
    path("accounts/signup/passkey/", sign_up_by_passkey, name="account_signup_by_passkey"),
    path("accounts/confirm-email/", confirm_address, name="account_email_verification_sent"),
    path("accounts/login/code/confirm/", confirm_login_code, name="account_confirm_login_code"),
    path("accounts/password/reset/confirm/", confirm_password_reset_code, name="account_confirm_password_reset_code"),
    path("accounts/2fa/webauthn/login/", sign_in_by_passkey, name="mfa_login_webauthn"),
    path("practice/", practice, name="practice"),
    path("tables/<slug:slug>/join/", actions.join, name="join"),
    path("tables/<slug:slug>/ready/", actions.ready, name="ready"),
    path("tables/<slug:slug>/leave/", actions.leave, name="leave"),
    path("tables/<slug:slug>/close/", actions.close, name="close"),
    path("tables/<slug:slug>/start/", actions.start, name="start"),
    path("tables/<slug:slug>/resign/", actions.resign, name="resign"),
    path("tables/<slug:slug>/abandon/", actions.abandon, name="abandon"),
    path("tables/<slug:slug>/mail/", actions.choose_mail, name="table_mail"),
    path("tables/<slug:slug>/answer/", clock_actions.answer_reminder, name="answer_reminder"),
    path("tables/<slug:slug>/nudge/", clock_actions.nudge, name="nudge"),
    path("tables/<slug:slug>/back/", clock_actions.come_back, name="come_back"),
    path("tables/<slug:slug>/withdraw/", clock_actions.withdraw_autopilot, name="withdraw_autopilot"),
    path("tables/<slug:slug>/take-back/", actions.take_back, name="take_back"),
    path("tables/<slug:slug>/notebook/", notebook_actions.write, name="notebook"),
    path("tables/<slug:slug>/talk/", talk_actions.talk, name="talk"),
    path("tables/<slug:slug>/talk/<int:number>/", talk_actions.postcard, name="postcard"),
    path("tables/<slug:slug>/ply/<int:ply>/", replay.ply, name="ply"),
    path("tables/<slug:slug>/ply/<int:ply>/public/", replay.ply_as_public, name="ply_as_public"),
    path("tables/<slug:slug>/ply/<int:ply>/seat/<int:number>/", replay.ply_as_seat, name="ply_as_seat"),
    path("tables/<slug:slug>/ply/<int:ply>/comment/", comments.comment, name="comment"),
    path("tables/<slug:slug>/ply/<int:ply>.png", picture, name="picture"),
    path("tables/<slug:slug>/result.png", result, name="result"),
    path("tables/<slug:slug>/embed/", embed, name="embed"),
    path("tables/<slug:slug>/ply/<int:ply>/embed/", embed, name="embed_ply"),
    path("tables/<slug:slug>/game.gif", animation, name="animation"),
    path("tables/<slug:slug>/keepsake.html", keepsake, name="keepsake"),
    path("tables/<slug:slug>/ply/<int:ply>/try/", try_out, name="try_out"),
    path("tables/<slug:slug>/feed/", table_feed, name="table_feed"),
    path("tables/<slug:slug>/record.json", replay.record, name="record"),
    path("tables/<slug:slug>/notation.txt", replay.notation, name="notation"),
    path("tables/<slug:slug>/deal/", deal.deal, name="deal"),
    path("tables/<slug:slug>/invite/", invite.invite, name="invite"),
    path("tables/<slug:slug>/invite/withdraw/", invite.withdraw_invitation, name="withdraw_invitation"),
    path("tables/<slug:slug>/release/", seating.release, name="release"),
    path("tables/<slug:slug>/take-over/", seating.take_over, name="take_over"),
    path("tables/<slug:slug>/hand-on/", seating.hand_on, name="hand_on"),
    path("tables/<slug:slug>/decline/", invite.decline, name="decline"),
    path("invitations/<str:secret>/", invitation, name="invitation"),
    path("invitations/stop/<str:refusal>/", refuse_invitations, name="refuse_invitations"),
    path("mail/stop/<str:token>/", unsubscribe, name="unsubscribe"),
    path("mailbox/", mailbox.mailbox, name="mailbox"),
    path("mailbox/<str:key>/", mailbox.mail, name="mailbox_mail"),
    path("mailbox/<str:key>/html/", mailbox.mail_html, name="mailbox_html"),
]

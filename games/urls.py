"""The addresses of the site's own pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView, TemplateView

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
from games.pages.player.mail_log import mail_again, mail_log, test_mail
from games.pages.player.mail_preferences import mail_preferences
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

# In each list what is asked most often comes first: Django tries its addresses in this order.

ply_urls = [
    path("", replay.ply, name="ply"),
    path("public/", replay.ply_as_public, name="ply_as_public"),
    path("seat/<int:number>/", replay.ply_as_seat, name="ply_as_seat"),
    path("comment/", comments.comment, name="comment"),
    path("embed/", embed, name="embed_ply"),
    path("try/", try_out, name="try_out"),
]

table_urls: list[URLPattern | URLResolver] = [
    path("poll/<str:reader>/", poll.poll, name="poll"),
    path("small/<int:edition>-<int:ply>.svg", small_board, name="small_board"),
    path("", table.table, name="table"),
    path("ply/<int:ply>/", include(ply_urls)),
    path("ply/<int:ply>.png", picture, name="picture"),
    path("move/", actions.move, name="move"),
    path("seen/", clock_actions.seen, name="seen"),
    path("join/", actions.join, name="join"),
    path("ready/", actions.ready, name="ready"),
    path("leave/", actions.leave, name="leave"),
    path("close/", actions.close, name="close"),
    path("start/", actions.start, name="start"),
    path("resign/", actions.resign, name="resign"),
    path("abandon/", actions.abandon, name="abandon"),
    path("mail/", actions.choose_mail, name="table_mail"),
    path("answer/", clock_actions.answer_reminder, name="answer_reminder"),
    path("nudge/", clock_actions.nudge, name="nudge"),
    path("back/", clock_actions.come_back, name="come_back"),
    path("withdraw/", clock_actions.withdraw_autopilot, name="withdraw_autopilot"),
    path("take-back/", actions.take_back, name="take_back"),
    path("notebook/", notebook_actions.write, name="notebook"),
    path("talk/", talk_actions.talk, name="talk"),
    path("talk/<int:number>/", talk_actions.postcard, name="postcard"),
    path("result.png", result, name="result"),
    path("embed/", embed, name="embed"),
    path("game.gif", animation, name="animation"),
    path("keepsake.html", keepsake, name="keepsake"),
    path("feed/", table_feed, name="table_feed"),
    path("record.json", replay.record, name="record"),
    path("notation.txt", replay.notation, name="notation"),
    path("deal/", deal.deal, name="deal"),
    path("invite/", invite.invite, name="invite"),
    path("invite/withdraw/", invite.withdraw_invitation, name="withdraw_invitation"),
    path("release/", seating.release, name="release"),
    path("take-over/", seating.take_over, name="take_over"),
    path("hand-on/", seating.hand_on, name="hand_on"),
    path("decline/", invite.decline, name="decline"),
]

practice_urls = [
    path("", practice_table, name="practice_table"),
    path("move/", practice_move, name="practice_move"),
    path("ply/<int:ply>/", practice_ply, name="practice_ply"),
]

turn_urls = [
    path("", press.press, name="press"),
    path("open/", press.open_press, name="open_press"),
    path("move/", press.move, name="press_move"),
    path("take-back/", press.take_back, name="press_take_back"),
]

archive_urls = [
    path("", archive, name="archive"),
    path("download/", download, name="download"),
    path("download/manifest.json", archive_manifest, name="archive_manifest"),
    path("download/<str:file>", archive_file, name="archive_file"),
    path("feed/", archive_feed, name="archive_feed"),
    path("statistics/", archive_statistics, name="archive_statistics"),
    path("statistics.csv", archive_statistics_csv, name="archive_statistics_csv"),
]

season_urls = [
    path("", one_season, name="season"),
    path("join/", join_season, name="join_season"),
    path("leave/", leave_season, name="leave_season"),
    path("begin/", begin_season, name="begin_season"),
    path("close/", close_season, name="close_season"),
    path("invite/", invite_to_season, name="invite_to_season"),
    path("invite/withdraw/", withdraw_from_season, name="withdraw_from_season"),
    path("decline/", decline_season, name="decline_season"),
    path("feed/", season_feed, name="season_feed"),
]

preferences_urls = [
    path("", preferences, name="preferences"),
    path("mail/", mail_preferences, name="mail_preferences"),
    path("data/", my_data, name="my_data"),
    path("people/", favorites, name="favorites"),
    path("muted/", muted, name="muted"),
    path("feeds/", feed_preferences, name="feeds"),
    path("webhooks/", webhooks, name="webhooks"),
    path("webhooks/<int:hook>/", webhook, name="webhook"),
    path("tokens/", api_tokens, name="api_tokens"),
    path("tokens/<int:api_token>/", api_token, name="api_token"),
    path("messages/", browsers, name="browsers"),
    path("messages/<int:browser>/", one_browser, name="browser"),
    path("name/", rename, name="rename"),
    path("close/", close_account, name="close_account"),
]

# They stand before those of allauth, some of which have the same names.
account_urls = [
    path("closed/", account_closed, name="account_closed"),
    path("sessions/", sessions, name="usersessions_list"),
    path("start-over/", start_over, name="start_over"),
    path("signup/", sign_up, name="account_signup"),
    path("signup/passkey/", sign_up_by_passkey, name="account_signup_by_passkey"),
    path("confirm-email/", confirm_address, name="account_email_verification_sent"),
    path("login/code/confirm/", confirm_login_code, name="account_confirm_login_code"),
    path("password/reset/confirm/", confirm_password_reset_code, name="account_confirm_password_reset_code"),
    path("2fa/webauthn/login/", sign_in_by_passkey, name="mfa_login_webauthn"),
]

urlpatterns = [
    path("", home, name="home"),
    path("tables/new/", new_table, name="new_table"),
    path("tables/practice/", include(practice_urls)),
    path("tables/<slug:slug>/", include(table_urls)),
    path("turn/<slug:slug>/", include(turn_urls)),
    path("next/", next_table, name="next_table"),
    path("turns/", all_turns.all_turns, name="all_turns"),
    path("archive/", include(archive_urls)),
    path("watch/", watch, name="watch"),
    path("ratings/", ratings, name="ratings"),
    path("series/<slug:series>/", series_page, name="series"),
    path("leagues/", list_seasons, name="seasons"),
    path("leagues/new/", new_season, name="new_season"),
    path("leagues/<slug:season>/", include(season_urls)),
    path("players/", players, name="players"),
    path("players/<str:name>/", player, name="player"),
    path("health/", health, name="health"),
    path("theme/", theme, name="theme"),
    path("api/v1/", include("games.api.urls")),
    path("preferences/", include(preferences_urls)),
    path("feeds/<str:feed>/deadlines.ics", deadlines, name="deadlines"),
    path("feeds/<str:feed>/turns.atom", turns, name="turns"),
    path("vacation/", vacation, name="vacation"),
    path("vacation/end/", end_vacation, name="end_vacation"),
    path("mail/", mail_log, name="mail_log"),
    path("mail/test/", test_mail, name="test_mail"),
    path("mail/again/", mail_again, name="mail_again"),
    path("offline/", offline, name="offline"),
    path("service-worker.js", service_worker, name="service_worker"),
    path(
        "robots.txt",
        TemplateView.as_view(template_name="robots.txt", content_type="text/plain; charset=utf-8"),
        name="robots",
    ),
    path(
        ".well-known/change-password",
        RedirectView.as_view(pattern_name="account_change_password"),
        name="well_known_password",
    ),
    path("rules/", rules_page, name="rules"),
    path("rules/playing-well/", playing_well, name="playing_well"),
    path("accounts/", include(account_urls)),
    path("practice/", practice, name="practice"),
    path("invitations/<str:secret>/", invitation, name="invitation"),
    path("invitations/stop/<str:refusal>/", refuse_invitations, name="refuse_invitations"),
    path("mail/stop/<str:token>/", unsubscribe, name="unsubscribe"),
    path("mailbox/", mailbox.mailbox, name="mailbox"),
    path("mailbox/<str:key>/", mailbox.mail, name="mailbox_mail"),
    path("mailbox/<str:key>/html/", mailbox.mail_html, name="mailbox_html"),
]

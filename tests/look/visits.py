"""Every page of the site in every state that there is, and who sees it: what is looked at in a browser and read by the
HTML checker.

A new address has no visit, and the tests that rest on this fail until it gets one here or is told to be no page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.faults.addresses import routes

NO_PAGES = {
    *("operator_password", "well_known_password"),  # lead to the page of the password
    "robots",  # plain text
    *("join", "ready", "leave", "start", "move", "abandon"),  # lead to the table, whose refusals are visited
    *("test_mail", "mail_again", "end_vacation"),  # lead to their page
    *("decline", "withdraw_invitation"),  # lead to the table
    *("decline_season", "withdraw_from_season"),  # lead to the season
    "table_mail",  # leads to the table
    *("nudge", "come_back", "withdraw_autopilot", "take_back"),  # lead to the table
    "open_press",  # leads to its page
    "seen",  # nothing
    "theme",  # leads to the page where it was chosen
    "next_table",  # leads to a table, or home
    "picture",  # PNG
    "small_board",  # SVG
    "result",  # PNG
    "keepsake",  # a file to download; FILES has its visits
    *("health", "notation"),  # plain text
    "poll",  # JSON
    "my_data",  # JSON, like the next two
    "record",
    "mfa_login_webauthn",
    "mfa_download_recovery_codes",  # text
    *("archive_manifest", "archive_file"),  # JSON, and files of it
    *("deadlines", "turns", "table_feed", "season_feed", "archive_feed"),  # calendar and Atom
    "archive_statistics_csv",
    "webhook",  # leads to all of them
    "browser",  # likewise
    "service_worker",  # a script
    "api_token",  # leads to all of them
    *("api:openapi", "api:v1:api-root"),  # JSON, like the next ones; the other has a page before it
    *(
        f"api:v1:{name}"
        for name in ("games", "running", "game", "ply", "position_games", "statistics", "player", "board")
    ),
    "mailbox_html",  # a mail, which the page of that mail frames
}
OF_MANY_TABLES = ("all_turns",)
"""Pages of no table in particular: the `table` of a visit says whose turn is looked at."""
NOT_OURS = ("admin:",)
"""Pages that Django draws."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A page by the name of its address. `table` is one of the scenery's; the address, what stands behind its question
    mark and what is posted may name what `Stage.values` holds."""

    route: str
    who: str = "visitor"
    table: str = ""
    query: str = ""
    form: Mapping[str, str] | None = field(default=None, hash=False)
    status: int = 200
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = [self.route, self.table, self.query, "post" * (self.form is not None), str(self.status), self.who]
        return ", ".join(part for part in told if part not in ("", "200"))


def table(table: str, who: str, query: str = "") -> Visit:
    return Visit("table", who, table, query)


def refused(route: str, table: str, who: str, status: int, **form: str) -> Visit:
    """What the table's page says when something could not be done."""
    return Visit(route, who, table, form=form, status=status)


def among(table: str, move: str, *, status: int) -> Visit:
    """What is said of a move at a table that is sent from the page of all turns."""
    form = {"table": "{slug}", "{slug}-ply": "{ply}", "{slug}-written": move}
    return Visit("all_turns", "mover", table, form=form, status=status)


VISITS = [
    *(Visit("home", who) for who in ("visitor", "alice", "carol", "stranger")),
    *(Visit("home", "alice", query=f"list={name}") for name in ("waiting", "tables", "open", "free")),
    Visit("home", query="list=open"),
    Visit("home", query="list=free"),
    Visit("home", query="list=nowhere", status=404),
    Visit("new_table", "alice"),
    Visit("new_table", "alice", query="against=computer"),
    Visit("new_table", "alice", query="again={finished}"),
    Visit("new_table", "alice", form={"size": "9", "pace": "own", "move_hours": "1"}, status=422),
    Visit("archive"),
    Visit("archive", query="player=alice&order=longest"),
    Visit("archive", query="player=nobody", status=400),
    Visit("archive", query="position={finished}-3&tie=no"),
    Visit("archive", query="position=nowhere-3&opening=A1-A1&moves_to=many", status=400),
    Visit("archive", "alice", query="mine=1"),
    Visit("archive", "stranger", query="mine=1"),
    Visit("download"),
    Visit("archive_statistics"),
    Visit("archive_statistics", "alice", query="players=people"),
    *(Visit("watch", who) for who in ("visitor", "alice")),
    Visit("watch", query="at=after-1-1"),
    Visit("archive", query="player=alice"),
    *(Visit("ratings", who) for who in ("visitor", "alice")),
    Visit("ratings", query="at=after-1-1"),
    *(Visit("players", who) for who in ("visitor", "alice")),
    Visit("players", query="name=a"),
    Visit("players", query="name=nobody&at=after-a"),
    Visit("new_table", "alice", query="guest=bob"),
    *(Visit("seasons", who) for who in ("visitor", "alice")),
    Visit("new_season", "alice"),
    Visit("new_season", "alice", form={"size": "9", "rounds": "99"}, status=422),
    *(Visit("season", who, args=("{open_season}",)) for who in ("visitor", "alice", "bob", "carol", "mallory")),
    *(Visit("season", who, args=("{running_season}",)) for who in ("visitor", "judy")),
    Visit("season", "judy", query="round=1", args=("{running_season}",)),
    *(Visit("season", who, args=("{over_season}",)) for who in ("visitor", "judy")),
    Visit("season", args=("unknownxyz",), status=404),
    Visit("seasons", "carol"),
    Visit("invite_to_season", "alice", args=("{open_season}",), form={"to": "bob, carol, x@"}, status=422),
    Visit("join_season", "mallory", args=("{running_season}",), form={}, status=409),
    Visit("leave_season", "mallory", args=("{open_season}",), form={}, status=409),
    Visit("begin_season", "bob", args=("{open_season}",), form={}, status=403),
    Visit("close_season", "judy", args=("{over_season}",), form={}, status=409),
    *(Visit("player", who, args=("alice",)) for who in ("visitor", "alice", "bob")),
    Visit("player", "alice", args=("bob",)),
    Visit("player", "alice", args=("mallory",)),
    Visit("player", args=("carol",), status=403),
    Visit("player", "alice", args=("keyless",), status=403),
    Visit("player", args=("{former}",), status=403),
    Visit("player", args=("nobody",), status=404),
    Visit("preferences", "alice"),
    Visit("usersessions_list", "alice"),
    Visit("preferences", "alice", form={"time_zone": "Nowhere/At all"}, status=422),
    Visit("mail_preferences", "alice"),
    Visit("mail_preferences", "stranger"),
    Visit(
        "mail_preferences", "bounced", form={"quiet_from": "22:00", "digest_hours": "99", "days_off": "9"}, status=422
    ),
    Visit("mail_log", "alice"),
    Visit("mail_log", "stranger"),
    Visit("mail_log", "bounced"),
    Visit("feeds", "alice"),
    Visit("feeds", "stranger"),
    Visit("webhooks", "alice"),
    Visit("webhooks", "stranger"),
    Visit("api_tokens", "alice"),
    Visit("api_tokens", "stranger"),
    Visit("api_tokens", "bob", form={"name": ""}, status=422),
    Visit("api_tokens", "insider", form={"name": "Statistics on my laptop"}, status=201),
    *(Visit("api:docs", who) for who in ("visitor", "alice")),
    Visit("browsers", "alice"),
    Visit("browsers", "stranger"),
    Visit("browsers", "bob", form={"url": "http://localhost/"}, status=422),
    Visit("offline"),
    Visit("webhooks", "bob", form={"kind": "json", "url": "http://localhost/"}, status=422),
    Visit("webhooks", "bob", form={"kind": "json", "url": "https://hooks.example/another"}, status=201),
    Visit("vacation", "alice"),
    Visit("vacation", "away"),
    Visit("vacation", "away", form={"first": "2026-01-01", "last": ""}, status=422),
    Visit("home", "bounced"),
    Visit("rules"),
    Visit("playing_well"),
    Visit("playing_well", "alice", query="try=one-hut&move=A3-L5"),
    Visit("rules", "alice", query="try=two-epochs&move=B3-B5"),
    Visit("rules", query="try=two-epochs&move=B3-B5=B5,B2"),
    Visit("rules", query="try=two-ways&move=A3-C1"),
    *(Visit("all_turns", "mover", table) for table in ("running", "choice", "late")),
    Visit("all_turns", "stranger"),
    among("running", "{move}", status=200),
    among("running", "A1-L5", status=422),
    # --- The practice game
    *(Visit("practice", who) for who in ("visitor", "beginner", "practised")),
    *(Visit("practice_table", who) for who in ("visitor", "beginner", "practised")),
    Visit("practice_table", "beginner", query="move=A1-A2"),
    *(Visit("practice_ply", who, args=("0",)) for who in ("visitor", "beginner")),
    *(Visit("practice_ply", "practised", args=(ply,)) for ply in ("1", "7")),
    Visit("practice_move", "beginner", form={}, status=422),
    # --- Tables
    *(table("open", who) for who in ("visitor", "stranger", "alice", "bob")),
    table("open by link", "bob"),
    table("closed", "alice"),
    *(table("begun", who) for who in ("mover", "stranger")),
    *(table("running", who) for who in ("mover", "waiter", "visitor", "stranger")),
    table("running", "mover", "from={move.origin}"),
    table("running", "mover", "from={move.origin}&to={move.target}"),
    table("running", "mover", "move=A1-A1"),
    table("choice", "mover", "from={move.origin}&to={move.target}"),
    table("late", "mover"),
    *(table("on reserve", who) for who in ("mover", "waiter")),
    table("autopilot", "bob"),
    table("left to the autopilot", "alice"),
    *(Visit("answer_reminder", "mover", "on reserve", query=query) for query in ("", "say=tonight", "say=day")),
    Visit("answer_reminder", "waiter", "on reserve"),
    table("computers to move", "alice"),
    table("computers waiting", "alice"),
    *(table("resigned", who) for who in ("alice", "bob")),
    *(table("taken over", who) for who in ("alice", "bob", "carol", "stranger", "visitor")),
    *(table("finished", who) for who in ("alice", "bob", "visitor")),
    table("finished by link", "carol"),
    table("abandoned", "visitor"),
    Visit("table", args=("unknownxyz",), status=404),
    Visit("resign", "mover", "running", form={}),
    Visit("close", "alice", "open", form={}),
    Visit("release", "alice", "open", form={"who": "bob"}),
    Visit("hand_on", "alice", "open", form={"who": "bob"}),
    Visit("release", "alice", "open", form={"who": "mallory"}, status=409),
    Visit("take_over", "warden", "taken over", form={"who": "{free}"}),
    Visit("take_over", "bob", "taken over", form={"who": "{free}", "sure": "yes"}, status=409),
    refused("join", "closed", "bob", 409, words="mine"),
    refused("start", "open", "bob", 403),
    refused("move", "running", "mover", 422, ply="{ply}", move="A1-L5"),
    refused("move", "running", "mover", 409, ply="3", move="{move}"),
    refused("move", "running", "waiter", 409, ply="{ply}", move="{move}"),
    refused("notebook", "running", "mover", 422, text="long " * 1000),
    refused("notebook", "running", "mover", 422, mark="nonsense"),
    *(Visit("ply", table="finished", args=(ply,)) for ply in ("0", "9", "{ply}")),
    Visit("ply", table="finished", args=("99",), status=404),
    Visit("ply", "alice", "running", args=("9",)),
    *(Visit("ply_as_public", table="finished", args=(ply,)) for ply in ("9", "{ply}")),
    *(Visit("ply_as_seat", who, "finished", args=("12", "1")) for who in ("visitor", "alice")),
    Visit("ply_as_seat", table="finished", args=("9", "4"), status=404),
    Visit("try_out", "mover", "running", args=("{ply}",), query="line={move}"),
    Visit("try_out", table="finished", args=("9",)),
    *(Visit("talk", who, "finished") for who in ("alice", "visitor")),
    *(Visit("postcard", who, "running", args=("1",)) for who in ("alice", "bob")),
    Visit("postcard", "alice", "running", args=("99",), status=404),
    Visit("postcard", "bob", "running", args=("1",), form={"do": "report", "reason": "x" * 501}, status=422),
    *(Visit("ply", who, "finished", args=("5",)) for who in ("alice", "visitor")),
    Visit("comment", "alice", "finished", form={"say": ""}, status=422, args=("5",)),
    refused("talk", "running", "mover", 422, say=""),
    Visit("rename", "alice"),
    Visit("rename", "alice", form={"name": "b0b"}, status=422),
    Visit("favorites", "alice"),
    Visit("favorites", "stranger"),
    Visit("favorites", "alice", form={"add": "999999"}, status=409),
    Visit("muted", "alice"),
    Visit("muted", "stranger"),
    Visit("muted", "alice", form={"do": "block", "name": "nobody"}, status=422),
    # --- Without signing in
    Visit("press", table="running"),
    Visit("press", table="running", query="link=unknown"),
    *(Visit("press", "presser", "running", query) for query in ("", "from={move.origin}", "move={move}")),
    Visit("press", "presser", "choice", "move={move}"),
    Visit("press", "presser", "begun"),
    Visit("press", "late presser", "running", status=410),
    refused("press_move", "running", "presser", 422, ply="{ply}", move="A1-L5"),
    refused("press_take_back", "running", "presser", 422),
    *(Visit("embed", table=name) for name in ("finished", "finished by link")),
    Visit("embed_ply", table="finished", args=("9",)),
    Visit("embed", table="running", status=404),
    Visit("animation", table="finished", status=202),
    Visit("animation", table="running", status=404),
    *(Visit("deal", table=name) for name in ("running", "finished", "abandoned", "left")),
    *(table("left", who) for who in ("bob", "visitor")),
    table("open", "carol"),
    # --- Series
    *(Visit("series", who, args=("{series}",)) for who in ("bob", "carol")),
    Visit("series", args=("{series}",), status=404),
    Visit("series", args=("{public_series}",)),
    *(table("asks who is ready", who) for who in ("bob", "carol")),
    table("second of a series", "mover"),
    table("asks who is ready: before", "bob"),
    Visit("close", "carol", "asks who is ready", form={}),
    # --- Invitations
    Visit("invitation", args=("{invitation}",)),
    Visit("invitation", "bob", args=("{invitation}",), status=403),
    Visit("invitation", args=("{invitation}",), form={"answer": "sit", "name": "a1ice"}, status=422),
    Visit("invitation", args=("forged",), status=404),
    Visit("invitation", args=("{season_invitation}",)),
    Visit("invitation", args=("{season_invitation}",), form={"answer": "sit", "name": "a1ice"}, status=422),
    Visit("refuse_invitations", args=("{refusal}",)),
    Visit("refuse_invitations", args=("{refusal}",), form={}),
    refused("invite", "open", "alice", 422, to="nobody"),
    # --- Mail
    Visit("unsubscribe", args=("{token}",)),
    Visit("unsubscribe", args=("{token}",), form={}),
    Visit("unsubscribe", args=("forged",), status=404),
    Visit("mailbox", "operator"),
    Visit("mailbox", "operator", query="to=nobody@example.com"),
    Visit("mailbox_mail", "operator", args=("{mail}",)),
    Visit("mailbox", status=404),
    # --- Signed out
    Visit("account_login"),
    Visit("account_login", form={"login": "alice", "password": "wrong"}),
    Visit("account_signup"),
    Visit("account_signup", form={"email": "x", "username": "alice", "password1": "x"}),
    Visit("account_signup_by_passkey"),
    Visit("account_request_login_code"),
    Visit("account_reset_password"),
    Visit("account_password_reset_completed"),
    Visit("account_inactive"),
    Visit("account_email_verification_sent", "newcomer"),
    Visit("account_email_verification_sent", "newcomer", form={"code": "wrong"}),
    Visit("account_confirm_login_code", "forgetful"),
    Visit("account_confirm_password_reset_code", "absent-minded"),
    Visit("account_complete_password_reset", "with a new lock"),
    Visit("mfa_signup_webauthn", "with a finger"),
    Visit("mfa_authenticate", "between locks"),
    Visit("start_over", status=405),
    # --- With an account
    *(Visit(name, "alice") for name in ("account_email", "account_change_password", "account_logout")),
    *(Visit(name, "alice") for name in ("account_reauthenticate", "mfa_index", "mfa_list_webauthn")),
    *(Visit(name, "insider") for name in ("mfa_add_webauthn", "mfa_activate_totp")),
    Visit("account_set_password", "keyless"),
    Visit("close_account", "insider"),
    Visit("close_account", "keyless"),
    Visit("account_closed"),
    *(Visit(name, "locked") for name in ("mfa_index", "mfa_list_webauthn", "mfa_reauthenticate")),
    *(Visit(name, "locked") for name in ("mfa_deactivate_totp", "mfa_generate_recovery_codes")),
    *(Visit(name, "locked") for name in ("mfa_view_recovery_codes", "mfa_reauthenticate_webauthn")),
    *(Visit(name, "locked", args=("{passkey}",)) for name in ("mfa_edit_webauthn", "mfa_remove_webauthn")),
    # --- When something is wrong; the addresses are those of tests.look.wrong
    *(Visit(f"wrong_{status}", status=status) for status in (400, 403, 429, 500)),
    Visit("wrong_csrf", status=403),
    Visit("wrong_403", "alice", status=403),
    Visit("wrong_404", "alice", status=404),
]


FILES = [Visit("keepsake", table=table) for table in ("finished", "abandoned", "left")]
"""HTML that a browser saves and does not show: only the HTML checker reads it here."""


def not_visited() -> set[str]:
    """The names of addresses that nobody goes to; empty when all is well."""
    names = {route.name for route in routes() if not route.name.startswith(NOT_OURS)}
    return names - {visit.route for visit in VISITS} - NO_PAGES

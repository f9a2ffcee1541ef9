"""How often somebody may do something: each limit is declared here and nowhere else, and docs/operating.md lists them.

A network is a /24 of IPv4 or a /64 of IPv6, a host one address of IPv4 or a /64. `games.pages.counting` counts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MINUTE, HOUR, DAY, FORTNIGHT, MONTH, YEAR = 60, 3600, 86400, 14 * 86400, 30 * 86400, 365 * 86400
AT_ONCE = 0
EVER = -1

PERSON: Final = "person"
ADDRESS: Final = "mail address"
NAME_BY_PERSON: Final = "player, from one person"
NAME: Final = "name or address, from one network"
HOST: Final = "host"
NETWORK: Final = "network"
NETWORK_TO_ADDRESS: Final = "mail address, from one network"
SEAT: Final = "player at a table"
TURN: Final = "turn"
SEASON: Final = "season"


class Rate(NamedTuple):
    """At most `amount` in any `seconds`, at the same time (AT_ONCE) or in all (EVER), for each that `per` names."""

    amount: int
    seconds: int
    per: str


class Limit(NamedTuple):
    """`what` may be done by which rates, and what happens beyond, in the words of docs/operating.md."""

    key: str
    what: str
    rates: tuple[Rate, ...]
    beyond: str


# The network first: whoever asks for too much is refused before they use up what others have. A club of fifty signs up
# from one network, and some mistype their address. How often a code can be guessed hangs on what one address gets.
ACCOUNT_MAIL: Final = Limit(
    "account_mail",
    "mails with codes for signing up, signing in, a password or an address, all kinds together",
    (
        Rate(120, HOUR, NETWORK),
        Rate(15, DAY, NETWORK_TO_ADDRESS),
        Rate(3, 10 * MINUTE, ADDRESS),
        Rate(20, DAY, ADDRESS),
    ),
    "the form says when to ask again; passwords and passkeys work on",
)
PRACTICE: Final = Limit(
    "practice",
    "practice games in a new session",
    (Rate(60, HOUR, NETWORK), Rate(300, DAY, NETWORK)),
    "the page says to wait; whoever has a practice game starts it again as often as they like",
)
TABLES: Final = Limit(
    "tables",
    "tables opened",
    (Rate(12, HOUR, PERSON), Rate(40, DAY, PERSON)),
    "the form says so",
)
OPEN_TABLES: Final = Limit(
    "open_tables", "open tables that wait for players", (Rate(20, AT_ONCE, PERSON),), "the form says so"
)
COMPUTER_GAMES: Final = Limit(
    "computer_games",
    "running games against computer players alone",
    (Rate(10, AT_ONCE, PERSON),),
    "the form says so",
)
RUNNING_GAMES: Final = Limit(
    "running_games", "running games that one has opened", (Rate(100, AT_ONCE, PERSON),), "the form says so"
)
SEASONS: Final = Limit("seasons", "seasons of a league opened", (Rate(10, DAY, PERSON),), "the form says so")
UNFINISHED_SEASONS: Final = Limit(
    "unfinished_seasons",
    "seasons of a league that one has opened and that are not over",
    (Rate(5, AT_ONCE, PERSON),),
    "the form says so",
)
ENTRANTS: Final = Limit("entrants", "people in a season", (Rate(500, AT_ONCE, SEASON),), "the page says so")
NUDGES: Final = Limit(
    "nudges", "nudges, none in the first day of a turn", (Rate(1, DAY, TURN),), "the page says when the next one can go"
)
WITHDRAWALS: Final = Limit(
    "withdrawals", "moves of the autopilot withdrawn", (Rate(1, EVER, SEAT),), "the page offers it no more"
)
TAKE_BACKS: Final = Limit("take_backs", "moves taken back", (Rate(20, HOUR, PERSON),), "the page says so")
PRESSES: Final = Limit(
    "presses",
    "links of mails opened to move without signing in",
    (Rate(120, HOUR, NETWORK),),
    "the page says to wait; signing in works on",
)
TAKEOVERS: Final = Limit("takeovers", "seats taken over", (Rate(3, DAY, PERSON),), "the page says so")
PROPOSALS: Final = Limit(
    "proposals", "proposals to abandon a game, and their withdrawals", (Rate(20, HOUR, PERSON),), "the page says so"
)
# A club of fifty is invited at once. In two weeks it is 20 a day, so a person who sends spam gains little by it.
INVITATIONS: Final = Limit(
    "invitations",
    "invitations",
    (Rate(60, DAY, PERSON), Rate(280, FORTNIGHT, PERSON)),
    "the form says so",
)
UNANSWERED: Final = Limit(
    "unanswered",
    "invitations that nobody has answered, within 14 days",
    (Rate(3, AT_ONCE, ADDRESS), Rate(3, AT_ONCE, NAME_BY_PERSON)),
    "the form says so",
)
FAVORITES: Final = Limit(
    "favorites",
    "people on one’s list of those one likes to play with",
    (Rate(50, AT_ONCE, PERSON),),
    "the page says so",
)
POSTCARDS: Final = Limit(
    "postcards",
    "postcards at tables, and changes of them",
    (Rate(40, HOUR, PERSON), Rate(200, DAY, PERSON)),
    "the page says to wait",
)
INBOUND_MAILS: Final = Limit(
    "inbound_mails",
    "mails by which one answers",
    (Rate(30, HOUR, PERSON),),
    "a mail says so once; the others are not read, and after twice as many the mail server is told to wait",
)
FAILURE_RECEIPTS: Final = Limit(
    "failure_receipts",
    "receipts that say why an answer was not played",
    (Rate(5, HOUR, PERSON),),
    "no mail goes out, as the last one says; moves are played and confirmed as before",
)
REPORTS: Final = Limit("reports", "postcards reported", (Rate(20, DAY, PERSON),), "the page says so")
RENAMES: Final = Limit(
    "renames",
    "changes of one’s user name by more than capitals",
    (Rate(1, MONTH, PERSON),),
    "the page says when the next one is possible",
)
MARKS: Final = Limit("marks", "changes of marks on the notebook’s sheet", (Rate(600, EVER, SEAT),), "the page says so")
VACATIONS: Final = Limit(
    "vacations", "days of vacation, in calendar years", (Rate(30, YEAR, PERSON),), "the form says how many are left"
)
DOWNLOADS: Final = Limit("downloads", "files with all one’s data", (Rate(20, HOUR, PERSON),), "the page says to wait")
KEEPSAKES: Final = Limit("keepsakes", "finished games as one file", (Rate(60, HOUR, NETWORK),), "the page says to wait")
ANIMATIONS: Final = Limit(
    "animations",
    "animations of finished games that have to be drawn",
    (Rate(20, HOUR, NETWORK),),
    "the page says to wait",
)
ARCHIVE_FILES: Final = Limit(
    "archive_files", "files of the archive", (Rate(600, HOUR, NETWORK),), "the page says to wait"
)
TEST_MAILS: Final = Limit("test_mails", "test mails", (Rate(1, MINUTE, PERSON),), "the page says to wait")
WEBHOOKS: Final = Limit("webhooks", "webhooks", (Rate(5, AT_ONCE, PERSON),), "the form says so")
BROWSERS: Final = Limit("browsers", "browsers that get notifications", (Rate(10, AT_ONCE, PERSON),), "the page says so")
WEBHOOK_TESTS: Final = Limit(
    "webhook_tests", "tests of webhooks, all of a player’s together", (Rate(1, 10, PERSON),), "the page says to wait"
)
API_TOKENS: Final = Limit("api_tokens", "tokens of the API", (Rate(5, AT_ONCE, PERSON),), "the form says so")
API_BY_TOKEN: Final = Limit(
    "api_by_token",
    "calls of the API with a token, all of a player’s together",
    (Rate(300, MINUTE, PERSON),),
    "the answer says when to call again",
)
API_WITHOUT_TOKEN: Final = Limit(
    "api_without_token",
    "calls of the API without a token, or with a wrong one",
    (Rate(60, MINUTE, NETWORK),),
    "the answer says when to call again",
)

LATER = "the page says to wait"

COUNTED_BY_ALLAUTH: Final = (
    # Forms that are refused count, too, and a club of fifty in one room sends some. What a sign-up costs is its mail.
    Limit("signup", "sign-ups", (Rate(120, MINUTE, HOST),), LATER),
    Limit("login", "sign-ins", (Rate(30, MINUTE, HOST),), LATER),
    Limit(
        "login_failed",
        "wrong passwords and codes of a second factor",
        (Rate(10, MINUTE, HOST), Rate(5, 5 * MINUTE, NAME)),
        "that network waits; the same name can sign in from everywhere else. Codes of a second factor are counted for "
        "all networks together, but for those where the player is signed in, which have a count of their own",
    ),
    Limit("webauthn_login", "sign-ins by passkey", (Rate(10, MINUTE, HOST),), LATER),
    Limit("request_login_code", "forms that ask for a code to sign in", (Rate(20, MINUTE, HOST),), LATER),
    Limit("reset_password", "forms that ask for a new password", (Rate(20, MINUTE, HOST),), LATER),
    Limit("reset_password_from_key", "new passwords after a code", (Rate(20, MINUTE, HOST),), LATER),
    Limit("reauthenticate", "passwords shown again", (Rate(10, MINUTE, PERSON),), LATER),
    Limit("change_password", "changes of the password", (Rate(5, MINUTE, PERSON),), LATER),
    Limit("manage_email", "changes of the address", (Rate(10, MINUTE, PERSON),), LATER),
)
"""The limits of the account pages, by allauth's names."""

LIMITS: Final = (*COUNTED_BY_ALLAUTH, *(limit for limit in list(globals().values()) if isinstance(limit, Limit)))
"""All that this module declares."""

_SPANS: Final = {
    EVER: "in all",
    AT_ONCE: "at a time",
    MINUTE: "a minute",
    HOUR: "an hour",
    DAY: "a day",
    FORTNIGHT: "in 14 days",
    MONTH: "in 30 days",
    YEAR: "a year",
}


def allauth_rates() -> dict[str, str]:
    """The rates that allauth counts, in its notation. ACCOUNT_MAIL limits codes by mail."""
    words = {HOST: "ip", PERSON: "user", NAME: "key"}
    rates = {
        limit.key: ",".join(f"{rate.amount}/{rate.seconds}s/{words[rate.per]}" for rate in limit.rates)
        for limit in COUNTED_BY_ALLAUTH
    }
    return rates | {"confirm_email": ""}


def list_limits() -> str:
    """All limits as the table of docs/operating.md."""
    rows = [f"| {limit.what} | {'; '.join(map(_say, limit.rates))} | {limit.beyond} |" for limit in LIMITS]
    return "\n".join(["| what | at most | beyond |", "|---|---|---|", *rows])


def _say(rate: Rate) -> str:
    return f"{rate.amount} {_SPANS.get(rate.seconds) or _say_seconds(rate.seconds)} for one {rate.per}"


def _say_seconds(seconds: int) -> str:
    return f"in {seconds} seconds" if seconds < MINUTE else f"in {seconds // MINUTE} minutes"


if __name__ == "__main__":
    print(list_limits())

"""How often somebody may do something: each limit is declared here and nowhere else, and docs/operating.md lists them.

A network is a /24 of IPv4 or a /64 of IPv6, a host one address of IPv4 or a /64. `games.pages.counting` counts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MINUTE, HOUR, DAY = 60, 3600, 86400
AT_ONCE = 0

PERSON: Final = "person"
ADDRESS: Final = "mail address"
NAME: Final = "name or address, from one network"
HOST: Final = "host"
NETWORK: Final = "network"
NETWORK_TO_ADDRESS: Final = "mail address, from one network"


class Rate(NamedTuple):
    """At most `amount` in any `seconds`, or at the same time (AT_ONCE), for each of whom `per` names."""

    amount: int
    seconds: int
    per: str


class Limit(NamedTuple):
    """`what` may be done by which rates, and what happens beyond, in the words of docs/operating.md."""

    key: str
    what: str
    rates: tuple[Rate, ...]
    beyond: str


# The network first: whoever asks for too much is refused before they use up what others have.
ACCOUNT_MAIL: Final = Limit(
    "account_mail",
    "mails with codes for signing up, signing in, a password or an address, all kinds together",
    (
        Rate(60, HOUR, NETWORK),
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
    "the page says to wait; who has a practice game starts it again as often as they like",
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
RUNNING_GAMES: Final = Limit(
    "running_games", "running games that one has opened", (Rate(100, AT_ONCE, PERSON),), "the form says so"
)
COMPUTER_GAMES: Final = Limit(
    "computer_games",
    "running games against computer players alone",
    (Rate(10, AT_ONCE, PERSON),),
    "the form says so",
)

LATER = "the page says to wait"

COUNTED_BY_ALLAUTH: Final = (
    Limit("signup", "sign-ups", (Rate(20, MINUTE, HOST),), LATER),
    Limit("login", "sign-ins", (Rate(30, MINUTE, HOST),), LATER),
    Limit(
        "login_failed",
        "wrong passwords and codes of a second lock",
        (Rate(10, MINUTE, HOST), Rate(5, 5 * MINUTE, NAME)),
        "that network waits; the same name can sign in from everywhere else",
    ),
    Limit("request_login_code", "forms that ask for a code to sign in", (Rate(20, MINUTE, HOST),), LATER),
    Limit("reset_password", "forms that ask for a new password", (Rate(20, MINUTE, HOST),), LATER),
    Limit("reset_password_from_key", "new passwords after a code", (Rate(20, MINUTE, HOST),), LATER),
    Limit("reauthenticate", "passwords shown again", (Rate(10, MINUTE, PERSON),), LATER),
    Limit("change_password", "changes of the password", (Rate(5, MINUTE, PERSON),), LATER),
    Limit("manage_email", "changes of the address", (Rate(10, MINUTE, PERSON),), LATER),
)
"""Those of the pages of accounts, by the names that allauth has for them."""

LIMITS: Final = (
    ACCOUNT_MAIL,
    *COUNTED_BY_ALLAUTH,
    PRACTICE,
    TABLES,
    OPEN_TABLES,
    COMPUTER_GAMES,
    RUNNING_GAMES,
)


def allauth_rates() -> dict[str, str]:
    """What allauth is to count, in its own notation. Codes by mail it leaves to ACCOUNT_MAIL."""
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
    spans = {AT_ONCE: "at a time", MINUTE: "a minute", HOUR: "an hour", DAY: "a day"}
    return f"{rate.amount} {spans.get(rate.seconds, f'in {rate.seconds // MINUTE} minutes')} for one {rate.per}"


if __name__ == "__main__":
    print(list_limits())

"""Why something cannot be done, as sentences; games/rules/refusals.py has those about moves. Programs read codes."""

from __future__ import annotations

from typing import Final, Protocol

from django.utils.translation import gettext as _, gettext_noop

from games import rules
from games.models import Webhook

REFUSALS: Final = {
    "refused": gettext_noop("That cannot be done."),
    "table-not-open": gettext_noop("This table is no longer open."),
    "table-full": gettext_noop("All seats at this table are taken."),
    "account-closed": gettext_noop("This account is closed."),
    "deal-used": gettext_noop(
        "The draw of this form belongs to another table. It is fixed anew: send the form once more to open this one."
    ),
    "already-seated": gettext_noop("You already sit at this table."),
    "closed-already": gettext_noop("This table is closed."),
    "started-already": gettext_noop("The game has started."),
    "resigned-already": gettext_noop("You have resigned already."),
    "abandoned-already": gettext_noop("The game is abandoned."),
    "no-such-seat": gettext_noop("You have no seat at this table."),
    "not-the-opener": gettext_noop("Only the player whose table this is can do that."),
    "no-such-player": gettext_noop("There is no player of that name."),
    "no-address": gettext_noop("That is not an e-mail address."),
    "guests-refused": gettext_noop("Somebody cannot be invited, so the table was not opened."),
    "not-seated": gettext_noop("That player does not sit at this table any more."),
    "had-seat": gettext_noop("You have, or had, a seat in this game, so you cannot take over another."),
    "not-to-take-over": gettext_noop(
        "This seat is not free to take over any more: its player has come back, or somebody else was faster."
    ),
    "same-name": gettext_noop("That is your name already."),
    "name-taken": gettext_noop("Somebody has that name already, or one that looks like it."),
    "renamed-lately": gettext_noop("You have changed your name within the last 30 days."),
    "invites-themselves": gettext_noop("You sit at this table yourself."),
    "mutes-themselves": gettext_noop("That is you, so nobody was muted."),
    "invites-blocked": gettext_noop(
        "You have blocked that player, so no invitation was sent. Take the block back first, in Preferences."
    ),
    "seated-already": gettext_noop("That player sits at this table already."),
    "invited-already": gettext_noop("You have already invited them to this table."),
    "wants-no-invitations": gettext_noop("This address wants no invitations, so none was sent."),
    "invites-too-often": gettext_noop(
        "At most 20 invitations of yours go out in a day. Send more tomorrow, or send the link."
    ),
    "too-many-unanswered": gettext_noop(
        "They have not answered three invitations of the last 14 days, so none was sent. Send the link yourself."
    ),
    "no-seat-to-keep": gettext_noop("There is no free seat left to keep, so no invitation was sent."),
    "not-invited": gettext_noop("There is no such invitation any more."),
    "answered-already": gettext_noop("This invitation has been answered already."),
    "not-all-ready": gettext_noop(
        "This is the next game of a series: it begins when all of its players are ready. Whoever does not go on ends "
        "the series."
    ),
    "ready-already": gettext_noop("You are ready. The game begins when all are."),
    "not-enough-players": gettext_noop("A game needs at least two seats taken."),
    "game-not-running": gettext_noop("This game is not running, so nothing was played."),
    "not-your-turn": gettext_noop("It is not your turn, so nothing was played."),
    "stale-move": gettext_noop("The game has moved on since you opened this page, so nothing was played."),
    "stale-answer": gettext_noop("Your turn has changed since you opened this page, so nothing was taken. Look again."),
    "no-reserve": gettext_noop("Less than a day is left of your reserve, so nothing was taken."),
    "nobody-to-nudge": gettext_noop("There is nobody to nudge: you are to move yourself, or a computer player is."),
    "nudged-already": gettext_noop(
        "That player has been nudged within the last 24 hours, or their turn is younger than that."
    ),
    "nothing-to-withdraw": gettext_noop("There is no move of the autopilot that you could withdraw."),
    "nothing-to-take-back": gettext_noop(
        "Your move cannot be taken back any more: it is too long ago, or somebody has looked at the table, has been "
        "told of it or has moved."
    ),
    "taken-back-already": gettext_noop("The move is taken back. It is your turn again."),
    "vacation-backwards": gettext_noop("The last day lies before the first, so no vacation was planned."),
    "vacation-past": gettext_noop("A vacation begins today or later, so none was planned."),
    "vacation-too-far": gettext_noop("A vacation ends within a year from now, so none was planned."),
    "vacations-overlap": gettext_noop(
        "You have already planned a vacation on some of these days, so none was planned."
    ),
    "no-vacation-left": gettext_noop(
        "These are more days than you have left for vacations in that calendar year, so none was planned."
    ),
    "no-such-vacation": gettext_noop("There is no such vacation to take back or to end."),
    "note-too-long": gettext_noop("A note has at most 4,000 letters, so it was not saved."),
    "postcard-empty": gettext_noop("There were no words, so nothing was sent."),
    "postcard-too-long": gettext_noop("A postcard has at most 500 letters, so nothing was sent."),
    "no-such-postcard": gettext_noop("There is no such postcard of yours at this table."),
    "too-late-to-edit": gettext_noop(
        "A postcard can be changed for 5 minutes. These are over, but you can still remove it."
    ),
    "nothing-to-comment": gettext_noop("Moves can be talked about once the game is over, so nothing was sent."),
    "talk-over": gettext_noop("The talk at this table is over, so nothing was sent."),
    "not-welcome": gettext_noop("You cannot sit down at this table."),
    "never-met": gettext_noop("Your list is for people with whom you have played and who still have an account."),
    "blocked-by-you": gettext_noop("You have blocked this player. Take that back before you put them on your list."),
    "favorites-full": gettext_noop(
        "Your list has 50 people, which is as many as it can have. Take somebody off first."
    ),
    "api-token-named": gettext_noop(
        "You have a token of that name, so none was made. If you have not copied it, revoke it and make another."
    ),
    "api-tokens-full": gettext_noop("You have as many tokens as there can be. Revoke one first."),
    "not-to-suspect": gettext_noop("There is nothing to suspect: that seat or clan is your own, or not in this game."),
    "season-not-open": gettext_noop("This season has begun or is closed, so nothing was changed."),
    "season-full": gettext_noop("This season has as many people as it can have."),
    "too-few-in-season": gettext_noop("A season needs at least two people, so it has not begun."),
    "not-in-season": gettext_noop("You do not play this season."),
    "not-your-season": gettext_noop("Only who has opened this season can do that."),
    "not-welcome-in-season": gettext_noop("You cannot join this season."),
    "in-season-already": gettext_noop("You have joined this season already."),
    "season-begun-already": gettext_noop("The season has begun."),
    "sheet-full": gettext_noop("Your sheet has been changed too often, so nothing was marked."),
}
"""What each refusal of `games.play` means to the player, by its code."""


FILLED: Final = (
    *("from-village", "into-village", "not-neighbors", "empty-origin", "empty-target"),
    *("too-large", "larger-onto-smaller"),
)
"""The refusals of a move between two territories of the map, while a game runs."""


class Refusal(Protocol):
    """An error that says by a code why something is refused, as `games.play.PlayError` does."""

    @property
    def code(self) -> str: ...


def explain_refusal(error: Refusal) -> str:
    """Why `games.play` refuses something."""
    return _(REFUSALS[error.code])


def refusals_to_fill() -> dict[str, str]:
    """What the rules say of a move from a group to where it cannot go, by code, with places that a script fills:
    `_territory_ is empty`."""
    places = {name: f"_{name}_" for name in ("territory", "origin", "target", "huts", "heavy")} | {
        "target_huts": "_fewer_"
    }
    return {code: _(rules.REFUSALS[code]) % places for code in FILLED}


def explain_error(error: rules.ClansError) -> str:
    """Why the rules of the game refuse something."""
    return _(error.template) % error.params


def say_answer(status: int | None, trouble: str) -> str:
    """What came of a call of a webhook, by the codes that are stored: `the host refused (status 500)`."""
    answer = str(Webhook.Trouble(trouble).label) if trouble else _("it was taken")
    return _("%(words)s (status %(status)d)") % {"words": answer, "status": status} if status else answer

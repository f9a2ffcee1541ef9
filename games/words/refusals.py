"""What `games.play` refuses: errors, each with the sentence for the player (`games.words.explain_refusal`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext_noop


class PlayError(Exception):
    """Something was refused, and nothing has changed. `code` says why to programs, `sentence` to players, before it is
    translated. The code is the name of the class, as `table-full` of `TableFull`; `str(error)` is the code, too."""

    code: ClassVar[str] = "refused"
    sentence: ClassVar[str] = gettext_noop("That cannot be done.")

    def __init_subclass__(cls) -> None:
        cls.code = re.sub("(?<=.)(?=[A-Z])", "-", cls.__name__).lower()
        SENTENCES[cls.code] = cls.sentence

    def __str__(self) -> str:
        return self.code


SENTENCES = {PlayError.code: PlayError.sentence}
"""Of each error, by its code."""


class TableNotOpen(PlayError):
    sentence = gettext_noop("This table is no longer open.")


class TableFull(PlayError):
    sentence = gettext_noop("All seats at this table are taken.")


class AccountClosed(PlayError):
    sentence = gettext_noop("This account is closed.")


class DealUsed(PlayError):
    """Another table has been opened with this deal."""

    sentence = gettext_noop(
        "The draw of this form belongs to another table. It is fixed anew: send the form once more to open this one."
    )


class DoneAlready(PlayError):
    """The same player has already done what is asked for, by a first click for example. Nothing is wrong."""


class AlreadySeated(DoneAlready):
    sentence = gettext_noop("You already sit at this table.")


class ClosedAlready(DoneAlready):
    sentence = gettext_noop("This table is closed.")


class StartedAlready(DoneAlready):
    sentence = gettext_noop("The game has started.")


class ResignedAlready(DoneAlready):
    sentence = gettext_noop("You have resigned already.")


class AbandonedAlready(DoneAlready):
    sentence = gettext_noop("The game is abandoned.")


class NoSuchSeat(PlayError):
    sentence = gettext_noop("You have no seat at this table.")


class NotTheOpener(PlayError):
    sentence = gettext_noop("Only the player whose table this is can do that.")


class NoSuchPlayer(PlayError):
    """Nobody of that name can be invited."""

    sentence = gettext_noop("There is no player of that name.")


class NoAddress(PlayError):
    """What was typed looks like an address but is not one."""

    sentence = gettext_noop("That is not an e-mail address.")


class GuestsRefused(PlayError):
    """A table is not opened, because some people cannot be invited to it: `refused` has each name as it was typed, and
    why."""

    sentence = gettext_noop("Somebody cannot be invited, so the table was not opened.")

    def __init__(self, refused: Sequence[tuple[str, PlayError]] = ()) -> None:
        super().__init__(refused)
        self.refused = refused


class NotSeated(PlayError):
    """The one to be released or given the table does not sit there as another person."""

    sentence = gettext_noop("That player does not sit at this table any more.")


class SameName(PlayError):
    sentence = gettext_noop("That is your name already.")


class NameTaken(PlayError):
    sentence = gettext_noop("Somebody has that name already, or one that looks like it.")


class RenamedLately(PlayError):
    sentence = gettext_noop("You have changed your name within the last 30 days.")


class InvitesThemselves(PlayError):
    sentence = gettext_noop("You cannot invite yourself.")


class MutesThemselves(PlayError):
    sentence = gettext_noop("That is you, so nobody was muted.")


class InvitesBlocked(PlayError):
    """The player who is invited is one whom the opener has blocked."""

    sentence = gettext_noop(
        "You have blocked that player, so no invitation was sent. Take the block back first, in Preferences."
    )


class SeatedAlready(PlayError):
    """The player who is invited sits at the table."""

    sentence = gettext_noop("That player sits at this table already.")


class PlaysAlready(PlayError):
    """The player who is invited plays the season."""

    sentence = gettext_noop("That player plays this season already.")


class InvitedAlready(PlayError):
    sentence = gettext_noop("You have already invited them.")


class WantsNoInvitations(PlayError):
    sentence = gettext_noop("This address wants no invitations, so none was sent.")


class InvitesTooOften(PlayError):
    sentence = gettext_noop(
        "At most 60 invitations of yours go out in a day, and 280 in 14 days. Send more later, or send the link."
    )


class TooManyUnanswered(PlayError):
    sentence = gettext_noop(
        "They have not answered three invitations of the last 14 days, so none was sent. Send the link yourself."
    )


class NoSeatToKeep(PlayError):
    sentence = gettext_noop("There is no free seat left to keep, so no invitation was sent.")


class NotInvited(PlayError):
    sentence = gettext_noop("There is no such invitation any more.")


class AnsweredAlready(DoneAlready):
    sentence = gettext_noop("This invitation has been answered already.")


class NotAllReady(PlayError):
    """The next game of a series begins when all of its players are ready, and nobody is replaced there."""

    sentence = gettext_noop(
        "This is the next game of a series: it begins when all of its players are ready. Whoever does not go on ends "
        "the series."
    )


class ReadyAlready(DoneAlready):
    sentence = gettext_noop("You are ready. The game begins when all are.")


class NotEnoughPlayers(PlayError):
    sentence = gettext_noop("A game needs at least two seats taken.")


class GameNotRunning(PlayError):
    sentence = gettext_noop("This game is not running, so nothing was played.")


class NotYourTurn(PlayError):
    sentence = gettext_noop("It is not your turn, so nothing was played.")


class StaleMove(PlayError):
    """The move was made for an earlier ply than the game has reached."""

    sentence = gettext_noop("The game has moved on since you opened this page, so nothing was played.")


class StaleAnswer(PlayError):
    sentence = gettext_noop("Your turn has changed since you opened this page, so nothing was taken. Look again.")


class NoReserve(PlayError):
    sentence = gettext_noop("Less than a day is left of your reserve, so nothing was taken.")


class NobodyToNudge(PlayError):
    sentence = gettext_noop("There is nobody to nudge: you are to move yourself, or a computer player is.")


class NudgedAlready(PlayError):
    sentence = gettext_noop("That player has been nudged within the last 24 hours, or their turn is younger than that.")


class NothingToWithdraw(PlayError):
    sentence = gettext_noop("There is no move of the autopilot that you could withdraw.")


class NothingToTakeBack(PlayError):
    sentence = gettext_noop(
        "Your move cannot be taken back any more: it is too long ago, or somebody has looked at the table, has been "
        "told of it or has moved."
    )


class TakenBackAlready(DoneAlready):
    sentence = gettext_noop("The move is taken back. It is your turn again.")


class VacationBackwards(PlayError):
    sentence = gettext_noop("The last day lies before the first, so no vacation was planned.")


class VacationPast(PlayError):
    sentence = gettext_noop("A vacation begins today or later, so none was planned.")


class VacationTooFar(PlayError):
    sentence = gettext_noop("A vacation ends within a year from now, so none was planned.")


class VacationsOverlap(PlayError):
    sentence = gettext_noop("You have already planned a vacation on some of these days, so none was planned.")


class NoVacationLeft(PlayError):
    sentence = gettext_noop(
        "These are more days than you have left for vacations in that calendar year, so none was planned."
    )


class NoSuchVacation(PlayError):
    sentence = gettext_noop("There is no such vacation to take back or to end.")


class NoteTooLong(PlayError):
    sentence = gettext_noop("A note has at most 4,000 letters, so it was not saved.")


class PostcardEmpty(PlayError):
    sentence = gettext_noop("There were no words, so nothing was sent.")


class PostcardTooLong(PlayError):
    sentence = gettext_noop("A postcard has at most 500 letters, so nothing was sent.")


class NoSuchPostcard(PlayError):
    sentence = gettext_noop("There is no such postcard of yours at this table.")


class TooLateToEdit(PlayError):
    sentence = gettext_noop("A postcard can be changed for 5 minutes. These are over, but you can still remove it.")


class NothingToComment(PlayError):
    """The game runs, or it has no such move."""

    sentence = gettext_noop("Moves can be talked about once the game is over, so nothing was sent.")


class TalkOver(PlayError):
    sentence = gettext_noop("The talk at this table is over, so nothing was sent.")


class NotWelcome(PlayError):
    """Somebody may not sit down; the error does not say who has blocked them."""

    sentence = gettext_noop("You cannot sit down at this table.")


class NeverMet(PlayError):
    """The two have never sat at a table that started, or there is no such player any more."""

    sentence = gettext_noop("Your list is for people with whom you have played and who still have an account.")


class BlockedByYou(PlayError):
    sentence = gettext_noop("You have blocked this player. Take that back before you put them on your list.")


class FavoritesFull(PlayError):
    sentence = gettext_noop("Your list has 50 people, which is as many as it can have. Take somebody off first.")


class HadSeat(PlayError):
    """A player who has, or had, a seat in a game cannot take over one: they know a card."""

    sentence = gettext_noop("You have, or had, a seat in this game, so you cannot take over another.")


class NotToTakeOver(PlayError):
    """A seat is not, or no longer, free for somebody else."""

    sentence = gettext_noop(
        "This seat is not free to take over any more: its player has come back, or somebody else was faster."
    )


class ApiTokensFull(PlayError):
    sentence = gettext_noop("You have as many tokens as there can be. Revoke one first.")


class ApiTokenNamed(PlayError):
    """The player has a token of that name, made by the same form for example."""

    sentence = gettext_noop(
        "You have a token of that name, so none was made. If you have not copied it, revoke it and make another."
    )


class NotToSuspect(PlayError):
    sentence = gettext_noop("There is nothing to suspect: that seat or clan is your own, or not in this game.")


class SheetFull(PlayError):
    sentence = gettext_noop("Your sheet has been changed too often, so nothing was marked.")


class SeasonNotOpen(PlayError):
    sentence = gettext_noop("This season has begun or is closed, so nothing was changed.")


class SeasonFull(PlayError):
    sentence = gettext_noop("This season has as many people as it can have.")


class TooFewInSeason(PlayError):
    sentence = gettext_noop("A season needs at least two people, so it has not begun.")


class NotInSeason(PlayError):
    sentence = gettext_noop("You do not play this season.")


class NotYourSeason(PlayError):
    sentence = gettext_noop("Only who has opened this season can do that.")


class NotWelcomeInSeason(PlayError):
    """The opener has blocked the player who wants to join; nobody is told so."""

    sentence = gettext_noop("You cannot join this season.")


class InSeasonAlready(DoneAlready):
    sentence = gettext_noop("You have joined this season already.")


class SeasonBegunAlready(DoneAlready):
    sentence = gettext_noop("The season has begun.")

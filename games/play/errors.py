"""Plain answers to what cannot be done. Each is a sentence for the player; nothing was changed."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class PlayError(Exception):
    """Refused, nothing applied. `str(error)` is the sentence in the active language."""

    sentence: str | Promise = _("That cannot be done.")

    def __str__(self) -> str:
        return str(self.sentence)


class TableNotOpen(PlayError):
    sentence = _("This table is no longer open.")


class TableFull(PlayError):
    sentence = _("All seats at this table are taken.")


class AccountClosed(PlayError):
    sentence = _("This account is closed.")


class DoneAlready(PlayError):
    """What was asked for is so already, by the same player: a second click, say. Nothing is wrong."""


class AlreadySeated(DoneAlready):
    sentence = _("You already sit at this table.")


class ClosedAlready(DoneAlready):
    sentence = _("This table is closed.")


class StartedAlready(DoneAlready):
    sentence = _("The game has started.")


class ResignedAlready(DoneAlready):
    sentence = _("You have resigned already.")


class AbandonedAlready(DoneAlready):
    sentence = _("The game is abandoned.")


class NoSuchSeat(PlayError):
    sentence = _("You have no seat at this table.")


class NotTheOpener(PlayError):
    sentence = _("Only the player who opened this table can do that.")


class NotEnoughPlayers(PlayError):
    sentence = _("A game needs at least two seats taken.")


class GameNotRunning(PlayError):
    sentence = _("This game is not running, so nothing was played.")


class NotYourTurn(PlayError):
    sentence = _("It is not your turn, so nothing was played.")


class StaleMove(PlayError):
    """The move was made for an earlier ply than the game has reached."""

    sentence = _("The game has moved on since you opened this page, so nothing was played.")


class StaleAnswer(PlayError):
    sentence = _("Your turn has changed since you opened this page, so nothing was taken. Look again.")


class NoReserve(PlayError):
    sentence = _("Less than a day is left of your reserve, so nothing was taken.")


class NobodyToNudge(PlayError):
    sentence = _("There is nobody to nudge: you are to move yourself, or a computer player is.")


class NudgedAlready(PlayError):
    sentence = _("That player has been nudged within the last 24 hours, or their turn is younger than that.")


class NothingToWithdraw(PlayError):
    sentence = _("There is no move of the autopilot that you could withdraw.")


class VacationBackwards(PlayError):
    sentence = _("The last day lies before the first, so no vacation was planned.")


class VacationPast(PlayError):
    sentence = _("A vacation begins today or later, so none was planned.")


class VacationTooFar(PlayError):
    sentence = _("A vacation ends within a year from now, so none was planned.")


class VacationsOverlap(PlayError):
    sentence = _("You have already planned a vacation on some of these days, so none was planned.")


class NoVacationLeft(PlayError):
    sentence = _("These are more days than you have left for vacations in that calendar year, so none was planned.")


class NoSuchVacation(PlayError):
    sentence = _("There is no such vacation to take back or to end.")


class NoteTooLong(PlayError):
    sentence = _("A note has at most 4,000 letters, so it was not saved.")


class NotToSuspect(PlayError):
    sentence = _("There is nothing to suspect: that seat or clan is your own, or not in this game.")


class SheetFull(PlayError):
    sentence = _("Your sheet has been changed too often, so nothing was marked.")

"""The errors of `games.play`. Each has a code; `games.words.explain_refusal` has the sentence for the player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class PlayError(Exception):
    """Something was refused, and nothing has changed. `code` says why; `str(error)` is the code, too."""

    code: ClassVar[str] = "refused"

    def __str__(self) -> str:
        return self.code


class TableNotOpen(PlayError):
    code = "table-not-open"


class TableFull(PlayError):
    code = "table-full"


class AccountClosed(PlayError):
    code = "account-closed"


class DealUsed(PlayError):
    """Another table has been opened with this deal."""

    code = "deal-used"


class DoneAlready(PlayError):
    """The same player has already done what is asked for, by a first click for example. Nothing is wrong."""


class AlreadySeated(DoneAlready):
    code = "already-seated"


class ClosedAlready(DoneAlready):
    code = "closed-already"


class StartedAlready(DoneAlready):
    code = "started-already"


class ResignedAlready(DoneAlready):
    code = "resigned-already"


class AbandonedAlready(DoneAlready):
    code = "abandoned-already"


class NoSuchSeat(PlayError):
    code = "no-such-seat"


class NotTheOpener(PlayError):
    code = "not-the-opener"


class NoSuchPlayer(PlayError):
    """Nobody of that name can be invited."""

    code = "no-such-player"


class NoAddress(PlayError):
    """What was typed looks like an address but is not one."""

    code = "no-address"


class GuestsRefused(PlayError):
    """A table is not opened, because some people cannot be invited to it: `refused` has each name as it was typed, and
    why."""

    code = "guests-refused"

    def __init__(self, refused: Sequence[tuple[str, PlayError]] = ()) -> None:
        super().__init__(refused)
        self.refused = refused


class NotSeated(PlayError):
    """The one to be released or given the table does not sit there as another person."""

    code = "not-seated"


class SameName(PlayError):
    code = "same-name"


class NameTaken(PlayError):
    code = "name-taken"


class RenamedLately(PlayError):
    code = "renamed-lately"


class InvitesThemselves(PlayError):
    code = "invites-themselves"


class MutesThemselves(PlayError):
    code = "mutes-themselves"


class InvitesBlocked(PlayError):
    """The player who is invited is one whom the opener has blocked."""

    code = "invites-blocked"


class SeatedAlready(PlayError):
    """The player who is invited sits at the table."""

    code = "seated-already"


class InvitedAlready(PlayError):
    code = "invited-already"


class WantsNoInvitations(PlayError):
    code = "wants-no-invitations"


class InvitesTooOften(PlayError):
    code = "invites-too-often"


class TooManyUnanswered(PlayError):
    code = "too-many-unanswered"


class NoSeatToKeep(PlayError):
    code = "no-seat-to-keep"


class NotInvited(PlayError):
    code = "not-invited"


class AnsweredAlready(DoneAlready):
    code = "answered-already"


class NotAllReady(PlayError):
    """The next game of a series begins when all of its players are ready, and nobody is replaced there."""

    code = "not-all-ready"


class ReadyAlready(DoneAlready):
    code = "ready-already"


class NotEnoughPlayers(PlayError):
    code = "not-enough-players"


class GameNotRunning(PlayError):
    code = "game-not-running"


class NotYourTurn(PlayError):
    code = "not-your-turn"


class StaleMove(PlayError):
    """The move was made for an earlier ply than the game has reached."""

    code = "stale-move"


class StaleAnswer(PlayError):
    code = "stale-answer"


class NoReserve(PlayError):
    code = "no-reserve"


class NobodyToNudge(PlayError):
    code = "nobody-to-nudge"


class NudgedAlready(PlayError):
    code = "nudged-already"


class NothingToWithdraw(PlayError):
    code = "nothing-to-withdraw"


class NothingToTakeBack(PlayError):
    code = "nothing-to-take-back"


class TakenBackAlready(DoneAlready):
    code = "taken-back-already"


class VacationBackwards(PlayError):
    code = "vacation-backwards"


class VacationPast(PlayError):
    code = "vacation-past"


class VacationTooFar(PlayError):
    code = "vacation-too-far"


class VacationsOverlap(PlayError):
    code = "vacations-overlap"


class NoVacationLeft(PlayError):
    code = "no-vacation-left"


class NoSuchVacation(PlayError):
    code = "no-such-vacation"


class NoteTooLong(PlayError):
    code = "note-too-long"


class PostcardEmpty(PlayError):
    code = "postcard-empty"


class PostcardTooLong(PlayError):
    code = "postcard-too-long"


class NoSuchPostcard(PlayError):
    code = "no-such-postcard"


class TooLateToEdit(PlayError):
    code = "too-late-to-edit"


class NothingToComment(PlayError):
    """The game runs, or it has no such move."""

    code = "nothing-to-comment"


class TalkOver(PlayError):
    code = "talk-over"


class NotWelcome(PlayError):
    """Somebody may not sit down; the error does not say who has blocked them."""

    code = "not-welcome"


class NeverMet(PlayError):
    """The two have never sat at a table that started, or there is no such player any more."""

    code = "never-met"


class BlockedByYou(PlayError):
    code = "blocked-by-you"


class FavoritesFull(PlayError):
    code = "favorites-full"


class HadSeat(PlayError):
    """A player who has, or had, a seat in a game cannot take over one: they know a card."""

    code = "had-seat"


class NotToTakeOver(PlayError):
    """A seat is not, or no longer, free for somebody else."""

    code = "not-to-take-over"


class ApiTokensFull(PlayError):
    code = "api-tokens-full"


class ApiTokenNamed(PlayError):
    """The player has a token of that name, made by the same form for example."""

    code = "api-token-named"


class NotToSuspect(PlayError):
    code = "not-to-suspect"


class SheetFull(PlayError):
    code = "sheet-full"


class SeasonNotOpen(PlayError):
    code = "season-not-open"


class SeasonFull(PlayError):
    code = "season-full"


class TooFewInSeason(PlayError):
    code = "too-few-in-season"


class NotInSeason(PlayError):
    code = "not-in-season"


class NotYourSeason(PlayError):
    code = "not-your-season"


class NotWelcomeInSeason(PlayError):
    """The opener has blocked the player who wants to join; nobody is told so."""

    code = "not-welcome-in-season"


class InSeasonAlready(DoneAlready):
    code = "in-season-already"


class SeasonBegunAlready(DoneAlready):
    code = "season-begun-already"

"""What the definition of each kind of notice fills in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from django.utils.translation import gettext as _

from games.models import Notice, Seat, TurnToken
from games.pov import PostcardPov, Pov, SeatPov


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """The stamp of a card: a number with what it counts above, and a word below."""

    top: str
    number: str
    foot: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What the texts of a notice are made of: the Pov that a visitor gets, with the reader's own seat marked, at `at`.

    `about` is the fellow player whom the notice is about, if there is one, `talk` what others have said at the table
    that the reader has not read, oldest first.
    """

    notice: Notice
    pov: Pov
    mine: SeatPov
    about: SeatPov | None
    at: datetime
    talk: tuple[PostcardPov, ...] = ()

    @property
    def table(self) -> str:
        return self.pov.name

    @property
    def move_number(self) -> int:
        """The number of the next move."""
        return self.pov.ply + 1

    @property
    def is_to_move(self) -> bool:
        """Whether the game waits for the reader's move, at the ply that is told."""
        return self.pov.is_my_turn and self.pov.is_now


@dataclass(frozen=True, slots=True)
class Logged:
    """What a log knows of a notice."""

    about: str = ""
    """The name of the fellow player whom it is about; may be empty."""
    ply: int | None = None
    """After how many moves it was owed; None where that is not told."""
    results: Sequence[Mapping[str, Any]] = ()
    """Of a receipt what came of the mail that it answers, as `InboundMail.results` has it."""


class StoppedBy(Enum):
    """What the link at the end of a mail turns off, so that no more of its kind come.

    Besides, the mail mode stops kinds whatever their link says: `nothing` all, `reminders` those that are not urgent,
    but neither stops what its reader has just requested.
    """

    MODE = "mail_mode"
    """The mail mode, which becomes `reminders`."""
    REMINDERS = "reminds"
    """Whether reminders are wanted: without them, a player is still called to every turn."""
    TALK = "talk_mail"
    """Whether mails about the talk at one table are wanted: without them, the call to a turn still tells it."""

    @property
    def link_text(self) -> str:
        if self is StoppedBy.TALK:
            return _("No more mails about this talk")
        return _("No more reminders") if self is StoppedBy.REMINDERS else _("Reminders only")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookPolicy:
    """Whether webhooks are called for a kind, and what of its mail they are told."""

    is_called: bool
    waits_for_presence: bool = False
    """Whether a call waits for a moment, and is dropped if the player has seen the table meanwhile."""
    has_lead: bool = True
    """Whether the lead is told: what is new, where title and moves do not say it."""
    has_deadline: bool = False
    """Whether it is told until when the player has to move."""
    has_talk: bool = False
    """Whether it is told what was said: where the kind is about that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """When notices go, by what their reader wants and has seen. Unless they say so, they go as their reader wishes."""

    is_urgent: bool = False
    """Whether they wait for no digest, and go to those who want reminders only."""
    waits_for_presence: bool = False
    """Whether they wait for a moment, and are dropped if their reader has seen the table meanwhile."""
    is_requested: bool = False
    """Whether their reader has just asked for them: they go at once, whatever mail their reader wants, and alone."""


class BoardPicture(Enum):
    """How a mail about a game that has begun shows the board."""

    SMALL = "small"
    """Beside the moves: in a mail that only reminds, or is about something else."""
    LARGE = "large"
    """As wide as the card."""
    LARGE_WITH_BEFORE = "large with before"
    """With a second picture, of the board as its reader left it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a reader may do by answering the mail: nothing, unless a kind says so."""

    use: TurnToken.Use = TurnToken.Use.ANSWER
    """What the answer is for, where there are any `seats`."""
    seats: Callable[[Notice], Mapping[int, Seat]] = lambda _notice: {}
    """The seats for which its reader can answer the mail, by the numbers that it gives them, with their games as it
    shows them; empty where it takes no answer. Costs no query when seat and game are loaded, except for the kinds that
    say so."""
    waiting_move: Callable[[Facts], str] = lambda _facts: ""
    """The move at its table, in notation, that waits until its reader confirms it; empty where none does."""


def _has_seen_ply(notice: Notice) -> bool:
    """Whether the reader has seen the table at that ply since the notice was owed."""
    return notice.seat.has_seen(notice.ply, since=notice.created_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeKind:
    """All that differs from one kind of notice to another. What no kind may forget has no default."""

    name: Notice.Kind

    # When it goes
    is_still_true: Callable[[Notice], bool]
    """Whether the notice still says how things are, and its reader has not blocked the player who causes it. Costs no
    query where seat and game are loaded, except for the kinds that say so."""
    sending: Sending
    """When it goes, alone or with others, and to whom besides those who want all mails."""
    is_seen: Callable[[Notice], bool] = _has_seen_ply
    """Whether its reader has seen it at the table meanwhile; costs no query where seat and game are loaded."""
    left_out_beside: Notice.Kind | None = None
    """The kind that says this, too: a mail that has a notice of that kind about the same seat leaves this one out. Only
    mails do so: browsers and webhooks get both."""
    stopped_by: StoppedBy = StoppedBy.MODE
    """What its reader can turn off, so that no more of this kind come."""
    tells_talk: bool = False
    """Whether it says what others have said at the table since its reader was there."""

    # What the mail says
    subject: Callable[[Facts], str]
    lead: Callable[[Facts], str]
    """What is new, in one or two sentences."""
    notes: Callable[[Facts], tuple[str, ...]]
    """What else is to be said, a paragraph each."""
    summary: Callable[[Facts], str] | None = None
    """What lists of mails show beside the subject, if not the lead; where it is empty, they show until when the turn
    lasts."""
    button: Callable[[Facts], Link]
    other_buttons: Callable[[Facts], tuple[Link, ...]] = lambda _facts: ()
    """What else the mail offers: pages that ask, since a GET changes nothing."""
    asks_for_move: bool = False
    """Whether it asks its reader for a move, and says until when."""
    stamp: Callable[[Facts], Stamp]
    """The stamp, where the game has begun."""
    board: BoardPicture = BoardPicture.SMALL
    answers: Answers = Answers()

    # What is said elsewhere
    push_title: Callable[[Facts], str] | None = None
    """The title of a notification, if not the subject."""
    push_body: Callable[[Facts], str] | None = None
    """What stands below it, if not the lead."""
    webhook: WebhookPolicy = WebhookPolicy(is_called=False)
    log: Callable[[Logged], str]
    """What the logs of mails and notifications call it, beside the name of its table."""

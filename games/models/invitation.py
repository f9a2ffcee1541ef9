"""Invitations to tables and seasons, and addresses that want none."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Exists, Func, OuterRef, Q, Subquery
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.mail import OutgoingMail
from games.models.player import Player
from games.models.season import Season

_TOKEN_BYTES: Final = 32


def new_token() -> str:
    """43 letters that nobody can guess (256 bits): what the link of an invitation has."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def digest_of(secret: str) -> str:
    """What the database keeps of a token or an address, so that it can be compared and not read."""
    return hashlib.sha256(secret.encode()).hexdigest()


def mailbox_of(address: str) -> str:
    """The mailbox that a mail to the address comes to with most providers: what stands behind a plus is for its owner
    (RFC 5233). So whoever types victim+1, victim+2 and so on writes to one person."""
    name, _at, domain = address.rpartition("@")
    return f"{name.partition('+')[0] or name}@{domain}"


# --- Which invitations a player may answer: those by name, or else those to their address -------------
# Not both at one table or season: whoever invites somebody by name and by address would learn from one answer to both
# that they are one (design 3.4). Beside one by name, an invitation to the address is answered by the link of its mail
# alone.


def is_to_address_of(player: Player | int) -> Q:
    """Invitations to the address of `player`, or of the player of that key, who is not invited there by name."""
    same = Q(game=OuterRef("game")) | Q(season=OuterRef("season"))
    there = Invitation.objects.filter(same, player=player).order_by()
    by_name = Exists(there.exclude(answer=Invitation.Answer.WITHDRAWN))
    if isinstance(player, Player):
        return Q(address=player.email) & ~Q(by_name)
    return Q(address=Subquery(Player.objects.filter(pk=player).values("email"))) & ~Q(by_name)


def is_to(player: Player | int) -> Q:
    """Invitations that `player`, or the player of that key, may answer without the link of a mail."""
    return Q(player=player) | is_to_address_of(player)


def choose_those_to(player: Player, invitations: Sequence[Invitation]) -> list[Invitation]:
    """As `is_to`, of all invitations to one table or season that are not withdrawn."""
    by_name = [each for each in invitations if each.player_id == player.pk]
    return by_name or [each for each in invitations if each.address == player.email]


# --- What is stored ---------------------------------------------------------------------------------


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def unanswered(self, at: datetime | Now) -> InvitationQuerySet:
        """Those that can still be answered."""
        return self.filter(answer=Invitation.Answer.NONE, expires_at__gt=at)

    def to_player(self, player: Player) -> InvitationQuerySet:
        """Those that `player` may answer without the link of a mail."""
        return self.filter(is_to(player))

    def to_name_or_address(self, player: int, address: str) -> InvitationQuerySet:
        """Those to the name of the player of that key, and those to that address, which is theirs."""
        # An index has the condition that the address is not empty. If that were a parameter, SQLite would plan the
        # query anew each time.
        empty = Func(template="''", output_field=models.TextField())
        return self.filter(Q(player=player) | Q(address=address) & ~Q(address=empty))

    def to_mailbox(self, address: str) -> InvitationQuerySet:
        """Those to the address, or to another one of the same mailbox."""
        name, _at, domain = mailbox_of(address).rpartition("@")
        return self.filter(
            Q(address__in=(address, f"{name}@{domain}"))
            | Q(address__startswith=f"{name}+", address__endswith=f"@{domain}")
        )

    def keeping(self, at: datetime | Now) -> InvitationQuerySet:
        """Those for which a seat is kept at `at`."""
        return self.unanswered(at).filter(kept_until__gt=at)

    def keeping_from(self, who: Player | int | Invitation | None, *, at: datetime | Now) -> InvitationQuerySet:
        """Those for which a seat is kept at `at` from a player (or the key of one), from whoever has one of these
        invitations, or from a visitor: all but their own."""
        kept = self.keeping(at)
        if who is None:
            return kept
        return kept.exclude(pk=who.pk) if isinstance(who, Invitation) else kept.exclude(is_to(who))


class Invitation(OutgoingMail):
    """An invitation to an open table or season, by name or by address, and the mail that is owed for it (design 3.4).

    By address, whoever has it may answer. Whether it has an account is asked when that matters, and stored nowhere:
    whoever invites must not learn it.

    A release is of the same kind, a mail about an open table to somebody who has no seat there, and counts as withdrawn
    from the beginning: nobody answers it.
    """

    class Answer(models.TextChoices):
        NONE = "", _("no answer yet")
        ACCEPTED = "accepted", _("has sat down")
        DECLINED = "declined", _("has declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, related_name="invitations")
    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, null=True, related_name="invitations", help_text=_("None for a table.")
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,  # the one below begins with it
        related_name="invitations_sent",
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        db_index=False,  # one below leaves out invitations to addresses
        related_name="invitations",
    )
    address = models.CharField(max_length=254, blank=True, help_text=_("In lower case; empty for one by name."))
    token = models.CharField(max_length=43, blank=True, help_text=_("What its link has; only until the mail is out."))
    digest = models.CharField(max_length=64, unique=True, help_text=_("Of the token."))
    expires_at = models.DateTimeField()
    kept_until = models.DateTimeField(null=True, help_text=_("Until when a seat is kept; none if none is."))
    is_release = models.BooleanField(
        default=False, help_text=_("Not an invitation: its mail says that the player has been released.")
    )
    owes_push = models.BooleanField(
        default=False, help_text=_("Whether notifications to the browsers of its reader are still to be owed.")
    )
    answer = models.CharField(max_length=9, choices=Answer, blank=True)
    answered_at = models.DateTimeField(null=True)

    emptied_at_end: ClassVar[Mapping[str, Any]] = {"token": ""}

    objects = InvitationQuerySet.as_manager()

    class Meta(OutgoingMail.Meta):
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("pk",)
        constraints = (
            *OutgoingMail.Meta.constraints,
            models.CheckConstraint(
                condition=Q(player__isnull=False, address="") | (Q(player__isnull=True) & ~Q(address="")),
                name="invitation_by_name_or_address",
            ),
            models.CheckConstraint(
                condition=Q(game__isnull=False, season__isnull=True)
                | Q(game__isnull=True, season__isnull=False, kept_until__isnull=True, is_release=False),
                name="invitation_to_table_or_season",
            ),
            models.CheckConstraint(
                condition=Q(answer__in=("", "accepted", "declined", "withdrawn")), name="invitation_answer_known"
            ),
            models.CheckConstraint(
                condition=Q(answer="", answered_at__isnull=True) | (~Q(answer="") & Q(answered_at__isnull=False)),
                name="invitation_stamped_exactly_when_answered",
            ),
            models.CheckConstraint(
                condition=Q(state="sent", sent_at__isnull=False, token="")
                | (~Q(state="sent") & Q(sent_at__isnull=True)),
                name="invitation_without_token_once_sent",
            ),
            models.UniqueConstraint(
                fields=("game", "player"), condition=~Q(answer="withdrawn"), name="invitation_once_a_player"
            ),
            models.UniqueConstraint(
                fields=("game", "address"),
                condition=~Q(answer="withdrawn") & ~Q(address=""),
                name="invitation_once_an_address",
            ),
            models.UniqueConstraint(
                fields=("season", "player"), condition=~Q(answer="withdrawn"), name="season_invitation_once_a_player"
            ),
            models.UniqueConstraint(
                fields=("season", "address"),
                condition=~Q(answer="withdrawn") & ~Q(address=""),
                name="season_invitation_once_an_address",
            ),
        )
        indexes = (
            *OutgoingMail.Meta.indexes,
            # how many somebody has sent today
            models.Index(fields=("by", "created_at"), name="invitation_by"),
            # those to a player, and to an address: on the first page, and how many lack an answer
            models.Index(fields=("player",), condition=Q(player__isnull=False), name="invitation_to_player"),
            models.Index(fields=("address",), condition=~Q(address=""), name="invitation_to_address"),
            # the sweep: of which no messages to browsers are owed yet
            models.Index(fields=("id",), condition=Q(owes_push=True), name="invitation_to_push"),
            # what is over and is forgotten
            models.Index(fields=("expires_at",), name="invitation_expires"),
        )

    def __str__(self) -> str:
        return f"invitation {self.pk} ({self.answer or 'open'})"

    @property
    def table(self) -> Game:
        """The table that it is to. Raises ValueError for one to a season."""
        if self.game is None:
            raise ValueError(f"{self} is to a season")
        return self.game

    @property
    def place(self) -> Game | Season:
        """The table or season that it is to."""
        return self.season or self.table

    def is_open(self, at: datetime) -> bool:
        """Whether it can still be answered, as far as it goes by itself."""
        return self.answer == self.Answer.NONE and self.expires_at > at

    @property
    def invited(self) -> Player | None:
        """The player who is invited, if they have an account by now. A query for one by address."""
        return self.player or Player.objects.confirmed().filter(email=self.address).first()

    @property
    def mailed_to(self) -> str:
        return self.player.email if self.player else self.address

    def keeps_seat(self, at: datetime) -> bool:
        return self.is_open(at) and self.kept_until is not None and self.kept_until > at


def free_seats(game: Game, *, at: datetime, but_for: Player | Invitation | None = None) -> int:
    """How many seats of an open table are free: not taken, and not kept for somebody else than `but_for`. Two
    queries."""
    kept = Invitation.objects.filter(game=game).keeping_from(but_for, at=at)
    return max(0, game.size - game.seats.count() - kept.count())


class QuietAddressQuerySet(models.QuerySet["QuietAddress"]):
    def of(self, address: str) -> QuietAddressQuerySet:
        """What has been said for the address itself, as before, or for its mailbox."""
        return self.filter(digest__in={digest_of(address), digest_of(mailbox_of(address))})


class QuietAddress(models.Model):
    """A mailbox that wants no invitations, as a digest: it is compared, and cannot be read. It needs no account."""

    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    objects = QuietAddressQuerySet.as_manager()

    class Meta:
        verbose_name = _("address without invitations")
        verbose_name_plural = _("addresses without invitations")

    def __str__(self) -> str:
        return f"address {self.pk}"

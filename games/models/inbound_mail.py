from __future__ import annotations

import zlib
from typing import Final, TypeAlias

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.notice import Notice
from games.models.turn_token import TurnToken
from games.outbox import Leased

_FAST: Final = 1


class _InboundOutcome(models.TextChoices):
    """`InboundMail.Outcome`: what became of the mail as a whole; `results` says it for each turn."""

    NONE = "", _("not handled yet")
    READ = "read", _("read, and done what it asks for as far as that was possible")
    ASKED = "asked", _("read, and its player is asked to confirm it on the site")
    UNPROVED = "unproved", _("perhaps from somebody else, so its player is asked to confirm it on the site")
    EMPTY = "empty", _("read, and nothing in it can be done")
    FOREIGN = "foreign", _("from an address that is not the player’s")
    AUTOMATIC = "automatic", _("sent by a program")
    REPEATED = "repeated", _("came a second time")
    TOO_OFTEN = "too-often", _("one of too many")
    BROKEN = "broken", _("too large or too deeply nested to be read")


class InboundMail(Leased):
    """A mail that came in to the address of a token: stored before it is acknowledged, then handled under a lease. In
    the states of Leased, `sent` means handled with a receipt owed (`notice`), `superseded` handled without one.

    Its bytes are there until it is handled, and for 14 days at most.
    """

    Outcome: TypeAlias = _InboundOutcome

    token = models.ForeignKey(
        TurnToken, on_delete=models.CASCADE, related_name="mails", help_text=_("To whose address it came.")
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False, related_name="inbound_mails"
    )
    received_at = models.DateTimeField()
    sender = models.CharField(max_length=320, blank=True, help_text=_("The envelope sender."))
    client = models.GenericIPAddressField(null=True, help_text=_("Which host brought it, where that is known."))
    helo = models.CharField(max_length=255, blank=True, help_text=_("What that host calls itself."))
    packed = models.BinaryField(default=b"")
    size = models.PositiveIntegerField(help_text=_("Bytes of the mail."))
    fingerprint = models.CharField(max_length=64, help_text=_("A hash of its Message-ID, or of all of it."))
    outcome = models.CharField(max_length=9, choices=Outcome, blank=True)
    results = models.JSONField(default=list, help_text=_("What was read and done, an object for each turn."))
    is_last_receipt = models.BooleanField(
        default=False, help_text=_("Whether its receipt says that the next failures get none.")
    )
    notice = models.OneToOneField(
        Notice, on_delete=models.SET_NULL, null=True, related_name="inbound_mail", help_text=_("Its receipt.")
    )

    class Meta(Leased.Meta):
        verbose_name = _("mail that came in")
        verbose_name_plural = _("mails that came in")
        constraints = (
            *Leased.Meta.constraints,
            models.CheckConstraint(
                condition=models.Q(outcome__in=tuple(_InboundOutcome.values)), name="inbound_mail_outcome_known"
            ),
        )
        indexes = (
            *Leased.Meta.indexes,
            # how many a player has sent lately
            models.Index(fields=("player", "received_at"), name="inbound_mail_of_player"),
            # what is to be emptied
            models.Index(fields=("received_at",), condition=~models.Q(packed=b""), name="inbound_mail_stored"),
        )

    def __str__(self) -> str:
        return f"{self.received_at:%Y-%m-%d %H:%M} ({self.outcome or self.state})"

    @property
    def raw(self) -> bytes:
        """The mail as it came; empty once it is forgotten."""
        return zlib.decompress(self.packed) if self.packed else b""

    @staticmethod
    def pack(raw: bytes) -> bytes:
        """As the column stores a mail."""
        return zlib.compress(raw, _FAST)

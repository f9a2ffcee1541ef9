"""The mails that a season was closed before it began."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.mail import Mail, MailContent
from games.models.season import Season
from games.outbox import Leased


class Cancellation(MailContent, Leased):
    """A mail that is owed to somebody who had joined or opened a season that was closed before it began (design 2.8).
    They have no seat yet, which a notice needs. Written in the transaction that closes the season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="cancellations", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="cancellations")
    message_id = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=9, choices=Mail.Error, blank=True)

    class Meta(Leased.Meta):
        verbose_name = _("mail that a season was closed")
        verbose_name_plural = _("mails that a season was closed")
        ordering = ("pk",)
        constraints = (
            *Leased.Meta.constraints,
            models.UniqueConstraint(fields=("season", "player"), name="cancellation_told_once"),
            models.CheckConstraint(
                condition=models.Q(state="sent", sent_at__isnull=False)
                | (~models.Q(state="sent") & models.Q(sent_at__isnull=True)),
                name="cancellation_stamped_exactly_when_sent",
            ),
        )

    def __str__(self) -> str:
        return f"cancellation {self.pk} ({self.state})"

    @property
    def mailed_to(self) -> str:
        """The address that it goes to."""
        return self.player.email

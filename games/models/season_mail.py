"""The mails about a season as a whole."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.mail import OutgoingMail
from games.models.season import Season


class SeasonMail(OutgoingMail):
    """A mail of the end of a season to somebody without a seat in it, which a notice needs (design 2.8): to those who
    had joined or opened one that was closed before it began, and to an opener who did not play in one that was played.
    Written in the transaction that ends the season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="mails", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="season_mails")

    class Meta(OutgoingMail.Meta):
        verbose_name = _("mail about a season")
        verbose_name_plural = _("mails about seasons")
        ordering = ("pk",)
        constraints = (
            *OutgoingMail.Meta.constraints,
            models.UniqueConstraint(fields=("season", "player"), name="seasonmail_told_once"),
            models.CheckConstraint(
                condition=models.Q(state="sent", sent_at__isnull=False)
                | (~models.Q(state="sent") & models.Q(sent_at__isnull=True)),
                name="seasonmail_stamped_exactly_when_sent",
            ),
        )

    def __str__(self) -> str:
        return f"season mail {self.pk} ({self.state})"

    @property
    def mailed_to(self) -> str:
        return self.player.email

from __future__ import annotations

import zoneinfo
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _


def check_time_zone(value: str) -> None:
    """Raise ValidationError unless `value` is the name of a time zone such as Europe/Vienna."""
    if value not in zoneinfo.available_timezones():
        raise ValidationError(_("There is no time zone of that name."), code="time_zone")


class PlayerManager(UserManager["Player"]):
    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """The whole address in lower case: one mailbox is one player."""
        return (email or "").strip().lower()


class Player(AbstractUser):
    """A person who plays. Seats of computer players have no Player."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), unique=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[check_time_zone])
    language = models.CharField(
        _("language"), max_length=10, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
    )
    turn_mail = models.BooleanField(_("turn mail"), default=True)
    confirms_moves = models.BooleanField(_("confirm each move"), default=True)
    goes_on = models.BooleanField(_("go on to the next table"), default=False)
    sees_motion = models.BooleanField(_("show moves in motion"), default=True)
    white_clan = models.BooleanField(_("white huts instead of black ones"), default=False)

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = (
            models.UniqueConstraint(Lower("username"), name="player_username_any_case_unique"),
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="player_email_lower_case"),
        )

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = PlayerManager.normalize_email(self.email)
        super().save(*args, **kwargs)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

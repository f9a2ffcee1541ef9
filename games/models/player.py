"""People who play, with their preferences."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, time
from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from games import clocks
from games.models.names import look_of

#: To ask for them walks through the folders of all zones.
_TIME_ZONES: Final = frozenset(zoneinfo.available_timezones())


def check_time_zone(value: str) -> None:
    """Raise ValidationError unless `value` is the name of a time zone such as Europe/Vienna."""
    if value not in _TIME_ZONES:
        raise ValidationError(_("There is no time zone of that name."), code="time_zone")


def check_hours(value: str) -> None:
    """Raise ValidationError unless `value` lists full hours of a day, such as 7,18."""
    hours = value.split(",")
    if not all(hour.isdecimal() and int(hour) < 24 for hour in hours):
        raise ValidationError(_("Hours are numbers from 0 to 23."), code="hours")


def _minutes(hour: time) -> int:
    return hour.hour * 60 + hour.minute


class MailMode(models.TextChoices):
    EVERY = "every", _("every turn")
    ONCE = "once", _("one mail until I visit")
    DIGEST = "digest", _("a digest at my hours")
    REMINDERS = "reminders", _("reminders only")
    NOTHING = "nothing", _("nothing")


class MailText(models.TextChoices):
    """What the text part of a mail tells, for those who read that instead of the HTML."""

    SHORT = "short", _("short: what happened, scores, what stands where")
    FULL = "full", _("full: also all neighbors and all legal moves")


class MailAnswers(models.TextChoices):
    """What becomes of a move that a player sends by mail."""

    ASK = "ask", _("ask me on the site before it is played")
    PLAY = "play", _("play it at once")


class PageFor(models.TextChoices):
    """Who may see a player's page, besides its player."""

    EVERYBODY = "everybody", _("everybody")
    MET = "met", _("players I have met at a table")
    NOBODY = "nobody", _("nobody")


class PlayerManager(UserManager["Player"]):
    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """The whole address in lower case: one mailbox is one player."""
        return (email or "").strip().lower()

    def never_confirmed(self) -> models.QuerySet[Player]:
        """Who began to sign up and has never been in. Accounts that the operator made by hand are not among them."""
        never_in = self.filter(last_login=None, seats=None, closed_at=None, is_staff=False, is_superuser=False)
        return never_in.exclude(emailaddress__verified=True)

    def confirmed(self) -> models.QuerySet[Player]:
        """Players who can play: neither closed nor still signing up."""
        return self.filter(is_active=True).exclude(pk__in=self.never_confirmed().values("pk"))

    def blocked_by(self, player: int) -> models.QuerySet[Player]:
        """Whom the player of that key has blocked."""
        return self.filter(muted_by__player=player, muted_by__blocks=True)


class Player(AbstractUser):
    """A person who plays. Seats of computer players have no Player."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    look = models.CharField(
        max_length=600,
        null=True,
        unique=True,
        editable=False,
        help_text=_("What the name looks like; empty for names that are older than the rule."),
    )
    email = models.EmailField(_("e-mail address"), unique=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[check_time_zone])
    language = models.CharField(
        _("language"), max_length=10, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
    )
    mail_mode = models.CharField(_("mail"), max_length=9, choices=MailMode, default=MailMode.EVERY)
    mail_text = models.CharField(_("text of mails"), max_length=5, choices=MailText, default=MailText.SHORT)
    mail_answers = models.CharField(
        _("moves that I send by mail"), max_length=4, choices=MailAnswers, default=MailAnswers.ASK
    )
    presses = models.BooleanField(
        _("move without signing in"), default=False, help_text=_("Whether the button of a mail leads to such a page.")
    )
    reminds = models.BooleanField(_("reminders and nudges"), default=True)
    links_keepsake = models.BooleanField(
        _("keepsake"), default=True, help_text=_("Whether the mail of the end links the game as a file.")
    )
    digest_hours = models.CharField(_("hours of the digest"), max_length=60, default="7,18", validators=[check_hours])
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    days_off = models.CharField(_("days off"), max_length=7, blank=True, help_text=_("Digits, 0 is Monday."))
    vacation_until = models.DateTimeField(null=True, blank=True, help_text=_("When the last planned vacation ends."))
    visited_at = models.DateTimeField(null=True, blank=True, help_text=_("When a page was last in sight."))
    mail_bounced_at = models.DateTimeField(null=True, blank=True, help_text=_("Since when the address takes no mail."))
    mail_bounce = models.CharField(max_length=200, blank=True)
    mail_again_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the player last said that the address takes mail.")
    )
    feed_key = models.CharField(
        max_length=43, null=True, blank=True, unique=True, help_text=_("The secret address of the feeds.")
    )
    renamed_at = models.DateTimeField(null=True, blank=True, help_text=_("When the player last took another name."))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, help_text=_("When the player left for good."))
    is_leaving = models.BooleanField(default=False, help_text=_("Closed, but not yet gone from all tables."))
    has_webhooks = models.BooleanField(default=False, help_text=_("Saves the query for webhooks."))
    has_favorites = models.BooleanField(default=False, help_text=_("Lets pages skip the query for favorites."))
    sign_outs = models.PositiveIntegerField(default=0, help_text=_("How often the player signed out everywhere else."))
    confirms_moves = models.BooleanField(_("confirm each move"), default=True)
    goes_on = models.BooleanField(_("go on to the next table"), default=False)
    sees_motion = models.BooleanField(_("show moves in motion"), default=True)
    white_clan = models.BooleanField(_("white huts instead of black ones"), default=False)

    page_for = models.CharField(_("my page is for"), max_length=9, choices=PageFor, default=PageFor.EVERYBODY)

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = (
            models.UniqueConstraint(Lower("username"), name="player_username_any_case_unique"),
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="player_email_lower_case"),
            models.CheckConstraint(condition=models.Q(mail_mode__in=MailMode.values), name="player_mail_mode_known"),
            models.CheckConstraint(condition=models.Q(mail_text__in=MailText.values), name="player_mail_text_known"),
            models.CheckConstraint(
                condition=models.Q(mail_answers__in=MailAnswers.values), name="player_mail_answers_known"
            ),
            models.CheckConstraint(condition=models.Q(page_for__in=PageFor.values), name="player_page_for_known"),
            models.CheckConstraint(
                condition=models.Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | models.Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="player_quiet_from_and_until",
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True, is_leaving=False)
                | models.Q(closed_at__isnull=False, is_active=False),
                name="player_closed_is_shut_out",
            ),
        )
        indexes = (
            # the sweep: accounts whose closing was interrupted
            models.Index(fields=("id",), condition=models.Q(is_leaving=True), name="player_leaving"),
        )

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = PlayerManager.normalize_email(self.email)
        if self._state.adding and not self.look:
            self.look = look_of(self.username)
        super().save(*args, **kwargs)

    def forget_all_but_name(self) -> None:
        """Set all fields but the name to what they are for a new player. The caller saves."""
        for field in self._meta.concrete_fields:
            if field.name not in {"id", "username", "date_joined"}:
                setattr(self, field.attname, field.get_default())

    @property
    def hours(self) -> tuple[int, ...]:
        """The hours of the digest."""
        return tuple(sorted({int(hour) for hour in self.digest_hours.split(",")}))

    def calendar(self, *, with_vacations: bool = False, at: datetime | None = None) -> clocks.Calendar:
        """When the player wants neither mail nor deadlines. Vacations that end after `at` cost a query, if there are
        any."""
        quiet = None
        if self.quiet_from is not None and self.quiet_until is not None:
            quiet = (_minutes(self.quiet_from), _minutes(self.quiet_until))
        vacations: tuple[tuple[datetime, datetime], ...] = ()
        if with_vacations and self.vacation_until and (at is None or self.vacation_until > at):
            found = self.vacations.filter(ends_at__gt=at) if at else self.vacations.all()
            vacations = tuple(found.order_by("starts_at").values_list("starts_at", "ends_at"))
        return clocks.Calendar(
            zone=self.time_zone, quiet=quiet, days_off=frozenset(map(int, self.days_off)), vacations=vacations
        )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """A transaction that locks this row, to change what belongs to no game: vacations, webhooks, tests."""
        with transaction.atomic():
            Player.objects.select_for_update(no_key=True).only("pk").get(pk=self.pk)
            yield

    def get_session_auth_hash(self) -> str:
        return AbstractUser.get_session_auth_hash(Player(password=self._session_secret))

    def get_session_auth_fallback_hash(self) -> Iterable[str]:
        return AbstractUser.get_session_auth_fallback_hash(Player(password=self._session_secret))

    @property
    def _session_secret(self) -> str:
        """What sessions depend on: those of before another password, or of before a sign-out everywhere, are over."""
        return f"{self.password} {self.sign_outs}" if self.sign_outs else self.password

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

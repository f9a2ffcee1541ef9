"""Addresses that are called when there is something to tell, and the calls owed to them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.invitation import Invitation
from games.models.notice import Notice
from games.models.season_mail import SeasonMail
from games.models.seat import Seat
from games.outbox import Leased


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def browsers(self) -> WebhookQuerySet:
        """Browsers that show messages."""
        return self.filter(kind=Webhook.Kind.PUSH)

    def addresses(self) -> WebhookQuerySet:
        """What players have typed: chats and programs."""
        return self.exclude(kind=Webhook.Kind.PUSH)


class Webhook(models.Model):
    """An address of a player's own that is called when there is something to tell: of a chat, a program, or of the
    service through which a browser gets messages (Web Push). It is a secret: who knows the address of a chat's webhook
    may write there."""

    class Kind(models.TextChoices):
        DISCORD = "discord", _("Discord")
        SLACK = "slack", _("Slack")
        JSON = "json", _("JSON, signed")
        PUSH = "push", _("a browser")

    class Trouble(models.TextChoices):
        """Why a call came to nothing."""

        ADDRESS = "address", _("that is not an address on the public net")
        NAME = "name", _("there is no host of that name")
        AWAY = "away", _("the host takes no connection")
        TLS = "tls", _("the host’s certificate is not valid")
        SLOW = "slow", _("the host did not answer in time")
        GARBLED = "garbled", _("what answered does not speak HTTP")
        REDIRECT = "redirect", _("the address leads elsewhere, and we do not follow")
        REFUSED = "refused", _("the host refused")
        GONE = "gone", _("the host says that this address is no more")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    kind = models.CharField(_("kind"), max_length=7, choices=Kind)
    url = models.CharField(_("address"), max_length=500)
    secret = models.CharField(max_length=43, blank=True, help_text=_("What calls are signed with; JSON alone."))
    name = models.CharField(_("name"), max_length=40, blank=True, help_text=_("Of a browser, as its player calls it."))
    public_key = models.CharField(
        max_length=90, blank=True, help_text=_("What notifications to a browser are encrypted for.")
    )
    browser_secret = models.CharField(max_length=40, blank=True, help_text=_("What such a browser knows them by."))
    is_on = models.BooleanField(_("on"), default=True)
    created_at = models.DateTimeField()
    said_at = models.DateTimeField(null=True, help_text=_("When it was last called."))
    status = models.PositiveSmallIntegerField(null=True, help_text=_("The HTTP status of that call, if any came."))
    trouble = models.CharField(max_length=8, choices=Trouble, blank=True)
    failures = models.PositiveIntegerField(default=0, help_text=_("Calls in a row that came to nothing."))
    failing_since = models.DateTimeField(null=True)
    tested_at = models.DateTimeField(null=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("player", "url"), name="webhook_once_a_player"),
            models.CheckConstraint(
                condition=Q(kind__in=("discord", "slack", "json", "push")), name="webhook_kind_known"
            ),
            models.CheckConstraint(
                condition=(Q(kind="json") & ~Q(secret="")) | (~Q(kind="json") & Q(secret="")),
                name="webhook_secret_exactly_for_json",
            ),
            models.CheckConstraint(
                condition=(Q(kind="push") & ~Q(public_key="") & ~Q(browser_secret="") & ~Q(name=""))
                | (~Q(kind="push") & Q(public_key="", browser_secret="", name="")),
                name="webhook_keys_exactly_for_browsers",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class WebhookCall(Leased):
    """A call owed to a webhook, as a mail is owed to its player (design 3.1): about a seat, as a notice is, or as an
    invitation or the mail about a season, whose readers have none. Written with what causes it."""

    hook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="calls")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, related_name="calls")
    invitation = models.ForeignKey(
        Invitation,
        on_delete=models.CASCADE,
        null=True,
        db_index=False,  # one below leaves out the many that are about a seat
        related_name="calls",
    )
    season_mail = models.ForeignKey(
        SeasonMail,
        on_delete=models.CASCADE,
        null=True,
        db_index=False,  # as above
        related_name="calls",
    )
    kind = models.CharField(
        max_length=9, choices=Notice.Kind, blank=True, help_text=_("Of the notice; empty where it is about no seat.")
    )
    ply = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField(default=0)
    about = models.PositiveSmallIntegerField(null=True, help_text=_("Seat of the fellow player whom it is about."))
    created_at = models.DateTimeField()
    error = models.CharField(max_length=9, choices=Webhook.Trouble, blank=True)

    class Meta(Leased.Meta):
        verbose_name = _("call of a webhook")
        verbose_name_plural = _("calls of webhooks")
        constraints = (
            *Leased.Meta.constraints,
            models.UniqueConstraint(fields=("hook", "seat", "kind", "ply", "number"), name="webhook_call_owed_once"),
            models.UniqueConstraint(
                fields=("invitation", "hook"),
                condition=Q(invitation__isnull=False),
                name="webhook_call_of_invitation_once",
            ),
            models.UniqueConstraint(
                fields=("season_mail", "hook"),
                condition=Q(season_mail__isnull=False),
                name="webhook_call_of_season_mail_once",
            ),
            models.CheckConstraint(
                condition=(Q(seat__isnull=False, invitation__isnull=True, season_mail__isnull=True) & ~Q(kind=""))
                | Q(seat__isnull=True, invitation__isnull=False, season_mail__isnull=True, kind="")
                | Q(seat__isnull=True, invitation__isnull=True, season_mail__isnull=False, kind=""),
                name="webhook_call_about_one_thing",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.ply} ({self.state})"

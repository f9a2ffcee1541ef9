from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.outbox import Leased

_FAST: Final = 1

NO_CONTENT: Final[Mapping[str, Any]] = {
    "subject": "",
    "headers": [],
    "pictures": [],
    "packed_text": b"",
    "packed_html": b"",
}
"""The columns that hold what a mail says, as they are in a mail that has no content."""
CONTENT: Final = tuple(NO_CONTENT)


class OutgoingMail(Leased):
    """A mail that is owed. What it says is stored from before the first attempt until it is surely out, so that sending
    it again sends the same bytes."""

    class Error(models.TextChoices):
        """Why a mail was not taken."""

        REFUSED = "refused", _("the mail server refused it")
        BUSY = "busy", _("the mail server asked for patience")
        NO_ENTRY = "no_entry", _("the mail server does not let this site in")
        NO_ANSWER = "no_answer", _("it went out, and no answer came")
        AWAY = "away", _("the mail server could not be reached")
        PROVIDER = "provider", _("the provider did not take it")
        FAULT = "fault", _("the site made a mistake")
        CRASHED = "crashed", _("its sender died at every attempt")
        RETURNED = "returned", _("it came back")

    message_id = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=9, choices=Error, blank=True)
    subject = models.TextField(blank=True)
    headers = models.JSONField(default=list, help_text=_("Names and values, in order."))
    pictures = models.JSONField(default=list, help_text=_("The names of the pictures that travel inside."))
    packed_text = models.BinaryField(default=b"")
    packed_html = models.BinaryField(default=b"")

    stored: ClassVar = CONTENT
    """The columns that are stored once it is rendered."""
    emptied_at_end: ClassVar[Mapping[str, Any]] = {}
    """The columns that hold a secret as long as the mail may go, and what they hold afterwards."""

    class Meta(Leased.Meta):
        abstract = True

    @property
    def mailed_to(self) -> str:
        """The address that it goes to, once it is rendered."""
        raise NotImplementedError

    @property
    def is_rendered(self) -> bool:
        """Whether the row has the mail's content, to be sent as it stands."""
        return bool(self.packed_html)

    @property
    def may_be_out(self) -> bool:
        """Whether an attempt has begun that may have sent it."""
        return self.is_rendered

    @property
    def text(self) -> str:
        return zlib.decompress(self.packed_text).decode()

    @property
    def html(self) -> str:
        return zlib.decompress(self.packed_html).decode()

    def fill(
        self, *, subject: str, text: str, html: str, headers: Mapping[str, str], pictures: Iterable[str] = ()
    ) -> None:
        """Let the mail say this; nothing is saved."""
        self.subject, self.headers, self.pictures = subject, list(headers.items()), list(pictures)
        self.packed_text, self.packed_html = self.packed(text), self.packed(html)

    def content(self) -> dict[str, Any]:
        """What is stored of it, by column."""
        return {name: getattr(self, name) for name in self.stored}

    @staticmethod
    def packed(text: str) -> bytes:
        """As the columns keep a text."""
        return zlib.compress(text.encode(), _FAST)


class Mail(OutgoingMail):
    """One envelope: these bytes to this address under this Message-ID (design 3.1). What it tells is `notices`."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mails")
    dated_at = models.DateTimeField(null=True, help_text=_("Its Date; none while it surely is not out."))
    detail = models.CharField(max_length=300, blank=True, help_text=_("What the mail server answered."))
    address = models.CharField(max_length=254, blank=True)

    stored: ClassVar = (*CONTENT, "address", "dated_at")

    class Meta(OutgoingMail.Meta):
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        constraints = (
            *OutgoingMail.Meta.constraints,
            models.CheckConstraint(
                condition=models.Q(state="sent", sent_at__isnull=False)
                | (~models.Q(state="sent") & models.Q(sent_at__isnull=True)),
                name="mail_stamped_exactly_when_sent",
            ),
        )

    def __str__(self) -> str:
        return f"mail {self.pk} ({self.state})"

    @property
    def mailed_to(self) -> str:
        return self.address

    @property
    def may_be_out(self) -> bool:
        return self.dated_at is not None

"""Mail by a provider of django-anymail, over HTTP. Only a site whose EMAIL_URL names one has this in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import requests
from anymail import urls
from anymail.exceptions import AnymailConfigurationError, AnymailError, AnymailRecipientsRefused
from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, tracking
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import URLPattern
from django.utils import timezone
from django.utils.module_loading import import_string
from urllib3.exceptions import ConnectTimeoutError, MaxRetryError, NewConnectionError

from games.mail.message import METADATA
from games.mail.transport.bounces import bounced
from games.mail.transport.connection import NotTaken, Outcome, quote

BOUNCE: Final = "came back"
COMPLAINT: Final = "reported as spam"

# As providers say of a bounce, each in a place of its own, that it may pass; anymail does not tell that apart.
_SOFT: Final = re.compile(
    r'"(activity\.)?soft[ _-]?bounced?"|"(transient|temporary|undetermined|blocked)"'
    r'|"bounce_class": "?(2\d|70)\b|"hard_bounce": false',
    re.IGNORECASE,
)
_HARD: Final = re.compile(r'"(activity\.)?hard[ _-]?bounced?"', re.IGNORECASE)
_LACKS: Final = re.compile(r"ANYMAIL = {'([A-Z_]+)'")


class ProviderBackend(BaseEmailBackend):
    """The provider's own backend, but that what it raises says what has become of the mail: NotTaken."""

    def __init__(self, fail_silently: bool = False, **options: Any) -> None:
        super().__init__(fail_silently=fail_silently)
        self._backend: BaseEmailBackend = import_string(f"anymail.backends.{settings.MAIL_PROVIDER}.EmailBackend")()

    def open(self) -> bool | None:
        return self._backend.open()

    def close(self) -> None:
        self._backend.close()

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        try:
            sent = self._backend.send_messages(email_messages) or 0
        except AnymailError as error:
            for_address = isinstance(error, AnymailRecipientsRefused)
            raise NotTaken(str(error), outcome_of_call(error), of_address=for_address) from error
        for mail in email_messages:
            # anymail raises for an address that was refused, and for nothing else that the provider may answer.
            if mail.anymail_status.status == {"failed"}:  # type: ignore[attr-defined]
                raise NotTaken("the provider failed", Outcome.NOT_SENT)
        return sent


def outcome_of_call(error: AnymailError) -> Outcome:
    """What a failed call of a provider's interface says of the mail.

    A call that it answers with a fault of ours (4xx) is tried again: a wrong key looks like a wrong mail.
    """
    if isinstance(error, AnymailRecipientsRefused):
        return Outcome.REFUSED
    if error.status_code is not None:
        return Outcome.NOT_SENT if 400 <= error.status_code < 500 else Outcome.UNKNOWN
    if isinstance(error, requests.RequestException) and not _never_got_through(error):
        return Outcome.UNKNOWN
    return Outcome.NOT_SENT


def _never_got_through(error: requests.RequestException) -> bool:
    """Whether there was no connection to the provider at all."""
    cause = error.__cause__
    reason = cause.args[0] if cause and cause.args else None
    reason = reason.reason if isinstance(reason, MaxRetryError) else reason
    return isinstance(reason, NewConnectionError | ConnectTimeoutError)


def begin() -> None:
    """Listen to what the provider tells. Raises SystemExit, which says in one line what EMAIL_URL lacks."""
    try:
        ProviderBackend()
    except AnymailConfigurationError as error:
        lacks = _LACKS.search(str(error))
        what = lacks[1].lower().removeprefix(f"{settings.MAIL_PROVIDER}_") if lacks else "a package"
        why = "" if lacks else f" {' '.join(str(error).split())}"
        raise SystemExit(f"Clans by mail: EMAIL_URL lacks {what} (docs/operating.md).{why}") from None
    tracking.connect(note_event)


def webhooks() -> list[URLPattern]:
    """The address where the provider tells of bounces: anymail's own, which asks for BOUNCE_WEBHOOK_SECRET and, where
    the provider signs, for its signature. Empty for a provider that tells of none."""
    return [pattern for pattern in urls.urlpatterns if pattern.name == f"{settings.MAIL_PROVIDER}_tracking_webhook"]


def note_event(event: AnymailTrackingEvent, **_signal: object) -> None:
    """Note what a provider tells of an address: bounces for good and complaints; whatever may pass is left alone."""
    if event.recipient and (why := _why(event)):
        metadata = event.metadata or {}
        # Mails of before the rows of mails had the key of their notice, which became the key of the mail.
        key = str(metadata.get(METADATA) or metadata.get("notice", ""))
        mail = int(key) if key.isdecimal() else None
        # Providers repeat what they tell, some for days.
        bounced(event.recipient, why=why, at=timezone.now(), happened=event.timestamp, mail=mail)


def _why(event: AnymailTrackingEvent) -> str:
    """Why the address takes no more mail, in one line; empty when it does."""
    match event.event_type, event.reject_reason:
        case (EventType.COMPLAINED, _) | (EventType.REJECTED, RejectReason.SPAM):
            return COMPLAINT
        case (EventType.BOUNCED, RejectReason.BOUNCED | RejectReason.INVALID):
            pass
        case (EventType.BOUNCED, None) if _says(_HARD, event):
            pass
        case (EventType.REJECTED, RejectReason.BOUNCED | RejectReason.INVALID):
            pass
        case _:
            return ""
    answer = str(event.mta_response or event.description or BOUNCE)
    return "" if _says(_SOFT, event) else quote(answer)


def _says(what: re.Pattern[str], event: AnymailTrackingEvent) -> bool:
    return bool(what.search(json.dumps(event.esp_event, default=str)))

"""Answers that a mail provider brings, over HTTP. Only a site whose EMAIL_URL names one has this in memory."""

from __future__ import annotations

import logging
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP as LINES

from anymail import urls
from anymail.signals import AnymailInboundEvent, inbound
from django.conf import settings
from django.db import Error as DatabaseFault
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from games.inbox.delivered import envelope_of, sender_called
from games.inbox.envelope import Envelope
from games.inbox.receiving import MailRefused, is_ours, receive, tell

logger = logging.getLogger(__name__)

View = Callable[..., HttpResponse]

# As it came: no line of a header is folded anew, which a signature may cover.
_AS_IT_CAME = LINES.clone(refold_source="none")


def begin() -> None:
    """Listen to what the provider brings."""
    inbound.connect(take_in)


def webhooks() -> list[URLPattern]:
    """The address where the provider brings mails: anymail's own, which asks for BOUNCE_WEBHOOK_SECRET and, where the
    provider signs, for its signature. Empty for a provider that brings none."""
    names = {f"{settings.MAIL_PROVIDER}_inbound_webhook", f"{settings.MAIL_PROVIDER}_webhook"}
    found = [pattern for pattern in urls.urlpatterns if pattern.name in names]
    return [URLPattern(pattern.pattern, _answering(pattern.callback), name=pattern.name) for pattern in found]


def take_in(event: AnymailInboundEvent, **_signal: object) -> None:
    """Take in a mail. One that is refused for ever is forgotten: it would be brought again for days. Raises
    MailRefused for one that is to come again, and what the database raises."""
    raw = _bytes_of(event.message)
    try:
        receive(raw, _envelope(event.message, raw), at=timezone.now())
    except MailRefused as error:
        if error.is_for_now:
            raise
        logger.info("a mail that the provider brought is refused: %s", error.code)


def _answering(view: View) -> View:
    """The view, but that the provider is told to bring a mail again which cannot be stored now."""

    @csrf_exempt
    def answer(request: HttpRequest, *args: object, **options: object) -> HttpResponse:
        try:
            return view(request, *args, **options)
        except (DatabaseFault, MailRefused) as error:
            logger.warning("a mail that the provider brought is put off: %s", tell(error))
            return HttpResponse(status=503)

    return answer


def _envelope(message: EmailMessage, raw: bytes) -> Envelope:
    """What the provider says, else what the header does. Providers do not say which host brought the mail to them."""
    sender, recipient = message.envelope_sender, message.envelope_recipient  # type: ignore[attr-defined]
    envelope = envelope_of(raw)
    return Envelope(
        sender=sender_called(sender) if sender else envelope.sender,
        recipient=recipient if recipient and is_ours(recipient) else envelope.recipient,
    )


def _bytes_of(message: EmailMessage) -> bytes:
    """The mail as it came, where the provider passes it on as it was; else what anymail made of its parts."""
    try:
        return message.as_bytes(policy=_AS_IT_CAME)
    except UnicodeEncodeError:
        # Read from text with letters beyond ASCII, as JSON has them.
        return message.as_string(policy=_AS_IT_CAME).encode(errors="replace")

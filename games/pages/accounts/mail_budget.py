"""One budget for all mails with codes, whatever they are for and whether the address has an account."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.limits import ACCOUNT_MAIL, DAY, NETWORK, Rate
from games.pages.counting import refused

JUST_MAILED = _("We have just mailed a code to this address. Wait ten minutes before you ask for another.")
ENOUGH_FOR_TODAY = _("This address has had as many codes as we mail in a day. Ask again tomorrow.")
ENOUGH_FOR_NETWORK = _("Too many codes were asked for from your network. Ask again in an hour.")


def refusal(request: HttpRequest, email: str) -> Any:
    """Why no mail with a code goes to the address now, or an empty text."""
    return _say(refused(ACCOUNT_MAIL, request, address=email, dry_run=True))


def pay(request: HttpRequest, email: str) -> Any:
    """Count a mail that this request is going to send to the address; returns why it must not be sent, or an empty
    text."""
    if why := _say(refused(ACCOUNT_MAIL, request, address=email)):
        return why
    request.paid_for = email.lower()  # type: ignore[attr-defined]
    return ""


def is_paid(request: HttpRequest, email: str) -> bool:
    """Whether the mail to the address has been counted in this request."""
    return getattr(request, "paid_for", None) == email.lower()


def _say(rate: Rate | None) -> Any:
    if rate is None:
        return ""
    if rate.per == NETWORK:
        return ENOUGH_FOR_NETWORK
    return ENOUGH_FOR_TODAY if rate.seconds == DAY else JUST_MAILED

"""What the log says about accounts: who signed in or out, and what failed. It names players by their number."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.signals import authentication_step_completed, email_changed, password_changed, password_reset
from allauth.mfa.signals import authenticator_added, authenticator_removed
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver

logger = logging.getLogger(__name__)


@receiver(user_logged_in)
def signed_in(user: Any, **_signal: object) -> None:
    logger.info("player %s signed in", user.pk)


@receiver(user_logged_out)
def signed_out(user: Any, **_signal: object) -> None:
    if user is not None:
        logger.info("player %s signed out", user.pk)


@receiver(user_login_failed)
def refused(**_signal: object) -> None:
    logger.info("a wrong password")


@receiver(authentication_step_completed)
def shown(user: Any, method: str, **_signal: object) -> None:
    logger.info("player %s has shown: %s", user.pk if user else "?", method)


@receiver(password_changed)
@receiver(password_reset)
@receiver(email_changed)
@receiver(authenticator_added)
@receiver(authenticator_removed)
def changed(user: Any, signal: object, **_signal: object) -> None:
    logger.info("player %s: %s", user.pk, _CHANGES[signal])


_CHANGES: dict[object, str] = {
    password_changed: "password changed",
    password_reset: "password reset by a code",
    email_changed: "address changed",
    authenticator_added: "second factor or passkey added",
    authenticator_removed: "second factor or passkey removed",
}

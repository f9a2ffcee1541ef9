"""The second factor: its forms, and how wrong codes are counted.

allauth counts them for the player, so that nobody can try many from many networks. But then somebody who knows the
password could lock its player out. So networks in which the player is signed in have a count of their own.
"""

from __future__ import annotations

from email.utils import parseaddr
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context, ratelimit
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as passkeys
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.utils.functional import cached_property

from games.pages.counting import network_of, network_of_host
from games.pages.forms import PlainForm

ACTION = "login_failed"


def ways_in(player: Any) -> set[str]:
    """Which second factors let the player in: `totp` (an app), `webauthn`, `recovery_codes` while one is left. One
    query."""
    found = Authenticator.objects.filter(user=player)
    codes = Authenticator.Type.RECOVERY_CODES
    return {str(one.type) for one in found if one.type != codes or one.wrap().get_unused_codes()}


class CountedAtHome:
    """A form of the second factor. Mix it in before allauth's form."""

    user: Any

    @cached_property
    def ways(self) -> set[str]:
        """What `ways_in` says of the player."""
        return ways_in(self.user)

    def clean_code(self) -> Any:
        return self._count(super().clean_code)  # type: ignore[misc]

    def clean_credential(self) -> Any:
        return self._count(super().clean_credential)  # type: ignore[misc]

    def _count(self, clean: Any) -> Any:
        """What `clean` gives back. Where the player is signed in already, wrong codes from elsewhere do not count."""
        network = network_of(context.request)
        homes = UserSession.objects.filter(user=self.user).values_list("ip", flat=True)
        if network not in map(network_of_host, homes):
            return clean()
        key = f"second factor {self.user.pk} {network}"
        if not ratelimit.consume(context.request, action=ACTION, key=key):
            raise get_adapter().validation_error("too_many_login_attempts")
        # The key by which allauth counts, which is full when strangers have tried.
        ratelimit.clear(context.request, action=ACTION, key=f"mfa-auth-user-{self.user.pk}")
        cleaned = clean()
        ratelimit.clear(context.request, action=ACTION, key=key)
        return cleaned


class SecondFactorForm(CountedAtHome, PlainForm, mfa.AuthenticateForm):  # type: ignore[misc]
    """The code of the second factor, and the address to which players who have lost it write."""

    @property
    def operator(self) -> str:
        """The address that all mail of this site comes from."""
        return parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


class SecondFactorAgainForm(CountedAtHome, PlainForm, mfa.ReauthenticateForm):  # type: ignore[misc]
    """The code of the second factor once more, before something grave."""


class PasskeyForm(CountedAtHome, passkeys.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey as the second factor."""


class PasskeyAgainForm(CountedAtHome, passkeys.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey once more, before something grave."""

"""Signing up and in: the forms, and which unfinished sign-ups give way to a new one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import wraps
from typing import Any

from allauth.account import views
from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    ConfirmEmailVerificationCodeForm,
    ConfirmLoginCodeForm,
    ConfirmPasswordResetCodeForm,
    LoginForm,
    ReauthenticateForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
    SignupForm,
)
from allauth.account.internal.flows.email_verification import consume_email_verification_rate_limit
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.utils import filter_users_by_email, has_verified_email
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import EditWebAuthnForm
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Player
from games.pages.account import NAME_LENGTH, normal
from games.pages.forms import PlainForm
from games.pages.redirects import SeeOther

View = Callable[[HttpRequest], HttpResponseBase]

JUST_MAILED = _("We have just mailed a code to this address. Wait a minute before you ask for another.")
KEEPS_A_NAME = timedelta(hours=1)
"""How long a sign-up that nobody finishes keeps its name from people with another address."""

TRIES = 4


class SignUpForm(PlainForm, SignupForm):  # type: ignore[misc]
    """allauth's form, but sign-ups that nobody has finished make way: for whoever gives the same address at once, as
    only the holder of that mailbox can finish any of them, and for the same name after a while."""

    account_already_exists: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.validators = [check for check in name.validators if not isinstance(check, MaxLengthValidator)]
        name.validators.append(MaxLengthValidator(NAME_LENGTH))

    def validate_unique_email(self, value: str) -> str:
        email: str = super().validate_unique_email(value)
        if self.account_already_exists:
            unfinished = Player.objects.never_confirmed().filter(email=email)
            self.account_already_exists = not set(filter_users_by_email(email)) <= set(unfinished)
        return email

    def clean_username(self) -> str:
        name = self.cleaned_data["username"] = normal(self.cleaned_data["username"])
        is_free = self._make_way().filter(username__iexact=name).exists()
        cleaned: str = get_adapter().clean_username(name, shallow=is_free)
        return cleaned

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if _is_too_soon(cleaned.get("email")):
            self.add_error("email", JUST_MAILED)
        return cleaned

    def save(self, request: HttpRequest) -> Any:
        with transaction.atomic():
            self._make_way().delete()
            return super().save(request)

    def _make_way(self) -> Any:
        email, name = (self.cleaned_data.get(field, "") for field in ("email", "username"))
        long_ago = timezone.now() - KEEPS_A_NAME
        return Player.objects.never_confirmed().filter(
            Q(email=email) | Q(username__iexact=name, date_joined__lt=long_ago)
        )


class SignInForm(PlainForm, LoginForm):  # type: ignore[misc]
    """allauth's form, but who has yet to type a code reads here that the next one must wait. Of who signs in by address
    allauth knows that itself, but says that there were too many failures."""

    def clean(self) -> Any:
        try:
            cleaned = super().clean()
        except ValidationError as error:
            if error.code == "too_many_login_attempts" and _is_too_soon(self.cleaned_data.get("login")):
                raise ValidationError(JUST_MAILED) from error
            raise
        if self.user and not has_verified_email(self.user) and _is_too_soon(self.user.email):
            raise ValidationError(JUST_MAILED)
        return cleaned


class CodeForm(PlainForm, RequestLoginCodeForm):  # type: ignore[misc]
    """allauth's form, but who asks for too many codes reads that, and not of wrong ones."""

    def clean_email(self) -> Any:
        try:
            return super().clean_email()
        except ValidationError as error:
            raise ValidationError(JUST_MAILED) from error


class AddressForm(PlainForm, AddEmailForm):  # type: ignore[misc]
    """Another e-mail address."""


class PasswordForm(PlainForm, ChangePasswordForm):  # type: ignore[misc]
    """Another password."""


class FirstPasswordForm(PlainForm, SetPasswordForm):  # type: ignore[misc]
    """A password for who has none."""


class ForgottenForm(PlainForm, ResetPasswordForm):  # type: ignore[misc]
    """The address of who has forgotten their password."""


class NewPasswordForm(PlainForm, ResetPasswordKeyForm):  # type: ignore[misc]
    """The new password of who has forgotten theirs."""


class AgainForm(PlainForm, ReauthenticateForm):  # type: ignore[misc]
    """The password once more, before something grave."""


class SignUpCodeForm(PlainForm, ConfirmEmailVerificationCodeForm):  # type: ignore[misc]
    """The code that confirms an address."""


class SignInCodeForm(PlainForm, ConfirmLoginCodeForm):  # type: ignore[misc]
    """The code of who signs in by mail."""


class NewPasswordCodeForm(PlainForm, ConfirmPasswordResetCodeForm):  # type: ignore[misc]
    """The code of who has forgotten their password."""


class SecondLockForm(PlainForm, mfa.AuthenticateForm):  # type: ignore[misc]
    """The code of the second lock."""


class SecondLockAgainForm(PlainForm, mfa.ReauthenticateForm):  # type: ignore[misc]
    """The code of the second lock once more, before something grave."""


class AppForm(PlainForm, ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app that makes them."""


class PasskeyNameForm(PlainForm, EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""


def _is_too_soon(email: str | None) -> bool:
    """Whether no further code goes to the address just now."""
    return bool(email) and not consume_email_verification_rate_limit(context.request, email, dry_run=True)


def _anew(view: View) -> View:
    """The view, asked anew when somebody was quicker by a moment (a second click on the button, say): its form then
    sees who it was."""

    @wraps(view)
    def asked(request: HttpRequest) -> HttpResponseBase:
        for _try in range(TRIES):
            with suppress(IntegrityError):
                return view(request)
        return view(request)

    return asked


sign_up = _anew(views.signup)
sign_up_by_passkey = _anew(views.signup_by_passkey)


def _with_code(view: View) -> View:
    """The view of a page that waits for a code; whoever sends none is told so, and no try is counted."""

    @wraps(view)
    def asked(request: HttpRequest) -> HttpResponseBase:
        if "code" not in request.POST or request.POST["code"].strip():
            return view(request)
        messages.error(request, _("Enter the code of our mail."))
        return SeeOther(request.get_full_path())

    return asked


confirm_login_code = _with_code(views.confirm_login_code)
confirm_password_reset_code = _with_code(views.confirm_password_reset_code)


@_with_code
def confirm_address(request: HttpRequest) -> HttpResponseBase:
    """allauth's page that waits for a code, but who asks for another too soon stays there."""
    _forget_who_made_way(request)
    try:
        page: HttpResponseBase = views.email_verification_sent(request)
    except ImmediateHttpResponse:
        messages.info(request, JUST_MAILED)
        return SeeOther(request.get_full_path())
    return page


def _forget_who_made_way(request: HttpRequest) -> None:
    """Go on as for an address that has an account already: the page must not tell what its owner does elsewhere."""
    process = EmailVerificationProcess.resume(request)
    if process and "user_id" in process.state and process.user is None:
        del process.state["user_id"]
        process.generate_code()
        process.persist()

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
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.models import EmailAddress
from allauth.account.stages import LoginByCodeStage, LoginStageController
from allauth.account.utils import filter_users_by_email, has_verified_email, passthrough_next_redirect_url
from allauth.core import context
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import EditWebAuthnForm
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.forms import BaseForm
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.models import Player, look_of
from games.pages.accounts.adapter import NAME_LENGTH, STAND_IN, is_unfinished, normal
from games.pages.accounts.mail_budget import pay, refusal
from games.pages.forms import PlainForm
from games.pages.replies import SeeOther

View = Callable[[HttpRequest], HttpResponseBase]

KEEPS_A_NAME = timedelta(hours=1)
"""How long a sign-up that nobody finishes keeps its name from people with another address."""

TRIES = 4

NOBODY = "nobody@example.invalid"
"""An address that no account can have: mail to it goes nowhere."""


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
        players = set(filter_users_by_email(value))
        _look_up_other(has_account=bool(players))
        unfinished = Player.objects.never_confirmed().filter(email=value)
        self.account_already_exists = not players <= set(unfinished)
        return value

    def clean_username(self) -> str:
        self.cleaned_data["username"] = normal(self.cleaned_data["username"])
        return clean_new_name(self.cleaned_data["username"], email=self.cleaned_data.get("email", ""))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if (email := cleaned.get("email")) and (why := refusal(context.request, email)):
            self.add_error("email", why)
        return cleaned

    def try_save(self, request: HttpRequest) -> Any:
        """allauth's, except that for an address with an account the same work is done as for one without: a sign-up
        that nobody can finish keeps the name as long as any other, or else a second sign-up by that name would tell."""
        if self.account_already_exists:
            self._save_stand_in(request)
        return super().try_save(request)

    def _save_stand_in(self, request: HttpRequest) -> None:
        email = self.cleaned_data["email"]
        self.cleaned_data["email"], self.account_already_exists = stand_in_for(email), False
        try:
            with transaction.atomic():
                stand_in = self.save(request)
                _look_up(stand_in)
            request.session[STAND_IN] = stand_in.pk
        finally:
            self.cleaned_data["email"], self.account_already_exists = email, True

    def save(self, request: HttpRequest) -> Any:
        email, name = (self.cleaned_data.get(field, "") for field in ("email", "username"))
        with transaction.atomic():
            unconfirmed_players(email=email, name=name).delete()
            return super().save(request)


def stand_in_for(email: str) -> str:
    """The address, to which no mail goes, of the sign-up that stands for one with an address that has an account."""
    return f"{salted_hmac(__name__, email.lower(), algorithm='sha256').hexdigest()[:32]}@example.invalid"


def unconfirmed_players(*, email: str, name: str) -> QuerySet[Player]:
    """Sign-ups that nobody has finished and that give way to one with this address and name."""
    mine, long_ago = Q(email__in=(email, stand_in_for(email))), timezone.now() - KEEPS_A_NAME
    return Player.objects.never_confirmed().filter(mine | Q(_is_named(name), date_joined__lt=long_ago))


def clean_new_name(name: str, *, email: str) -> str:
    """The name as stored, for somebody who signs up with this address. Raises ValidationError."""
    name = normal(name)
    is_free = unconfirmed_players(email=email, name=name).filter(_is_named(name)).exists()
    cleaned: str = get_adapter().clean_username(name, shallow=is_free)
    return cleaned


def clean_another_name(name: str, *, player: Player) -> str:
    """The name as stored, for a player who wants another one. Raises ValidationError."""
    name = normal(name)
    is_mine = name.lower() == player.username.lower() or look_of(name) == look_of(player.username)
    is_mine = is_mine or player.former_names.like(name).exists()
    if not is_mine:
        return clean_new_name(name, email=player.email)
    # It looks like nobody else's: `rename_player` asks once more.
    cleaned: str = get_adapter().clean_username(name, shallow=True)
    return cleaned


def _look_up_other(*, has_account: bool, **wanted: bool) -> None:
    """If the address that was typed has an account, look up one that has none, or else one that has: allauth asks and
    reads more for the latter, so that the time would tell them apart. `wanted` is what allauth looks for."""
    somebody = EmailAddress.objects.filter(verified=True).values_list("email", flat=True).first() or NOBODY
    filter_users_by_email(NOBODY if has_account else somebody, **wanted)


def _look_up(player: Player) -> None:
    """Ask what allauth asks when it mails the code to a new player."""
    has_verified_email(player)
    EmailAddress.objects.filter(user=player).order_by("-primary", "-verified").first()
    EmailAddress.objects.get_for_user(Player.objects.get(pk=player.pk), player.email)


def _is_named(name: str) -> Q:
    """The players who have that name, or one that looks like it."""
    return Q(username__iexact=name) | Q(look=look_of(name))


class SignInForm(PlainForm, LoginForm):  # type: ignore[misc]
    """allauth's form, but somebody who has yet to type a code reads here that the next one must wait."""

    def clean(self) -> Any:
        cleaned = super().clean()
        if self.user and not has_verified_email(self.user) and (why := refusal(context.request, self.user.email)):
            raise ValidationError(why)
        return cleaned


class MailedForm(PlainForm):
    """A form with an address that a mail goes to."""

    def clean_email(self) -> Any:
        email = super().clean_email()  # type: ignore[misc]
        if why := refusal(context.request, email):
            raise ValidationError(why)
        return email


class StrangerForm(MailedForm):
    """A form with the address of somebody who is not signed in."""

    def clean_email(self) -> Any:
        email = super().clean_email()
        has_account = EmailAddress.objects.filter(verified=True, email=email).exists()
        _look_up_other(has_account=has_account, is_active=True, prefer_verified=True)
        return email


class CodeForm(StrangerForm, RequestLoginCodeForm):  # type: ignore[misc]
    """The address of a player who signs in by a code. Somebody who has begun to sign up is no player yet: perhaps they
    gave the address of somebody else, who must not come into an account of which they know the password."""

    _user: Player | None

    def clean_email(self) -> Any:
        email = super().clean_email()
        if is_unfinished(self._user):
            self._user = None
        return email


class AddressForm(MailedForm, AddEmailForm):  # type: ignore[misc]
    """Another e-mail address."""


class ForgottenForm(StrangerForm, ResetPasswordForm):  # type: ignore[misc]
    """The address of a player who has forgotten their password."""


def _plain(form: type[BaseForm]) -> type[BaseForm]:
    """A form of allauth as a PlainForm."""
    return type(form.__name__, (PlainForm, form), {})


PasswordForm = _plain(ChangePasswordForm)
FirstPasswordForm = _plain(SetPasswordForm)
NewPasswordForm = _plain(ResetPasswordKeyForm)
AgainForm = _plain(ReauthenticateForm)
SignUpCodeForm = _plain(ConfirmEmailVerificationCodeForm)
SignInCodeForm = _plain(ConfirmLoginCodeForm)
NewPasswordCodeForm = _plain(ConfirmPasswordResetCodeForm)
AppForm = _plain(ActivateTOTPForm)
PasskeyNameForm = _plain(EditWebAuthnForm)


def _with_retry(view: View) -> View:
    """The view, called again if somebody else was a moment faster (for example a second click on the button): its form
    then sees who it was."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponseBase:
        for _try in range(TRIES):
            with suppress(IntegrityError):
                return view(request)
        return view(request)

    return guarded


def _with_way_back(view: View) -> View:
    """The view; the page that waits for the code is told where to go afterwards, so that *Start over* does not lose it.
    The same for an address that has an account already and one that has none."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponseBase:
        response = view(request)
        waits = reverse("account_email_verification_sent")
        if response.headers.get("Location") == waits:
            response.headers["Location"] = passthrough_next_redirect_url(request, waits, "next")
        return response

    return guarded


sign_up = _with_way_back(_with_retry(views.signup))
sign_up_by_passkey = _with_way_back(_with_retry(views.signup_by_passkey))


def _with_code(view: View) -> View:
    """The view of a page that waits for a code; if none is sent, the page says so, and no try is counted. Somebody who
    asks for another code too soon keeps the present one."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponseBase:
        if request.POST.get("action") == "resend" and (email := _mailed_to(request)) and (why := pay(request, email)):
            messages.info(request, why)
            return SeeOther(request.get_full_path())
        if "code" not in request.POST or request.POST["code"].strip():
            return view(request)
        messages.error(request, _("Enter the code of our mail."))
        return SeeOther(request.get_full_path())

    return guarded


def _mailed_to(request: HttpRequest) -> str:
    """The address that the code of this visitor went to. The same for one that has an account and one that has none."""
    if process := EmailVerificationProcess.resume(request):
        return str(process.email)
    stage = LoginStageController.enter(request, LoginByCodeStage.key)
    return str(stage.state.get("email") or "") if stage else ""


confirm_login_code = _with_code(views.confirm_login_code)
confirm_password_reset_code = _with_code(views.confirm_password_reset_code)


@_with_code
def confirm_address(request: HttpRequest) -> HttpResponseBase:
    """allauth's page that waits for a code."""
    _forget_replaced_player(request)
    page: HttpResponseBase = views.email_verification_sent(request)
    return page


def _forget_replaced_player(request: HttpRequest) -> None:
    """Go on as for an address that has an account already: the page must not tell what its owner does elsewhere."""
    process = EmailVerificationProcess.resume(request)
    if process and "user_id" in process.state and process.user is None:
        del process.state["user_id"]
        process.generate_code()
        process.persist()

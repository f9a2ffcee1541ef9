"""How people sign up and in: what this site changes about allauth, and the site's own words for it."""

from __future__ import annotations

import logging
import re
import time
import unicodedata
from contextlib import suppress
from itertools import count
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.flows.signup import get_signup_url
from allauth.account.internal.userkit import get_user_by_username
from allauth.account.signals import email_changed
from allauth.account.stages import EmailVerificationStage, LoginStageController
from allauth.account.utils import passthrough_next_redirect_url
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import respond_429
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import check_password
from django.core.exceptions import ValidationError
from django.db.models import QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy as _
from django.views.decorators.http import require_POST

from games import inbox, mail
from games.caching import prepared
from games.models import (
    COMPUTER,
    FORMER,
    FormerName,
    Player,
    check_time_zone,
    count_waiting,
    has_address,
    look_of,
    looks_like_one_of,
    plain_user_name,
)
from games.pages.accounts.mail_budget import is_paid, pay
from games.pages.accounts.second_factor import ways_in
from games.pages.counting import network_of
from games.pages.replies import SeeOther
from games.words.browsers import name_browser

logger = logging.getLogger(__name__)

NAME = re.compile(r"[\w.+-]+")
NAME_LENGTH = 30
"""A user name must fit into a row of a list."""

ALPHABETS = {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"}
"""Alphabets with letters that look the same, by the first word of Unicode's names for them: a name uses only one."""

SENT = ("account/messages/email_confirmation_sent.txt", "account/messages/login_code_sent.txt")
"""What allauth says after a mail with a code, whether it could be sent or not."""

COUNTED_MAILS = {
    "account/email/account_already_exists",
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
    "account/email/login_code",
    "account/email/password_reset_code",
    "account/email/unknown_account",
}
"""The mails that strangers can cause; the others tell a player what was changed."""

RESET, UNKNOWN = "account/email/password_reset_code", "account/email/unknown_account"

TWINS = {
    "account/email/account_already_exists": "account/email/email_confirmation_signup",
    "account/email/email_confirmation_signup": "account/email/account_already_exists",
    "account/email/login_code": UNKNOWN,
    RESET: UNKNOWN,
    UNKNOWN: "account/email/login_code",
}
"""The mail that would go in the other case, if the address had an account or had none. It is rendered, too, so that the
time tells nothing. For a request for a new password, the twin of UNKNOWN is RESET."""

STAND_IN = "stand_in"
"""In the session: the key of the sign-up that stands for one with an address that has an account (sign_up.py)."""

BEHIND_ALL = 2**63 - 1
"""A key that no player has."""

OWN_ADDRESS = _("That is your address already.")
WRONG = _(
    "This name and this password do not go together. If you never entered the code of our first mail, sign up again."
)
TOO_OFTEN = _("That was wrong too often. Please wait a few minutes.")
ASK_FOR_ANOTHER = _("These were three wrong codes, so that code no longer works. Ask for a new one.")
SIGN_UP_AGAIN = _(
    "These were three wrong codes, so that code no longer works. Sign up again, and we mail you a new one."
)

REAUTHENTICATE = {
    "reauthenticate": _("Use your password"),
    "mfa_reauthenticate": _("Use your app or a recovery code"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}
ONE_CODE = {"totp": _("Use your app"), "recovery_codes": _("Use a recovery code")}


def set_by_browser(player: Player, request: HttpRequest) -> None:
    """Give a new player the language of the page, and the time zone that their browser tells, if it tells one. The
    caller saves."""
    player.language = get_language() or settings.LANGUAGE_CODE
    zone = request.POST.get("time_zone", "")
    with suppress(ValidationError):
        check_time_zone(zone)
        player.time_zone = zone


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's adapter, with our words for refusals and our rules for user names."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": WRONG,
        "username_password_mismatch": WRONG,
        "duplicate_email": OWN_ADDRESS,
        "incorrect_code": _("That is not the code of our last mail."),
        "incorrect_password": _("That is not your password."),
        "enter_current_password": _("That is not your password."),
        "too_many_login_attempts": TOO_OFTEN,
        "rate_limited": _("That was too often. Please wait a little."),
        "same_as_current": OWN_ADDRESS,
        "username_taken": _("Somebody has that name already."),
    }

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The ways to show once more that it is the player, in our words. Recovery codes are none when all are used."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        said, codes = dict(REAUTHENTICATE), ways_in(user) & ONE_CODE.keys() if user.is_authenticated else set()
        if not codes:
            del said["mfa_reauthenticate"]
        elif len(codes) == 1:
            said["mfa_reauthenticate"] = ONE_CODE[codes.pop()]
        return [method | {"description": said[method["id"]]} for method in methods if method["id"] in said]

    def save_user(self, request: HttpRequest, user: Player, form: Any, commit: bool = True) -> Any:
        """A new player, in the time zone and the language of their browser."""
        set_by_browser(user, request)
        return super().save_user(request, user, form, commit)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail about the account. When that fails the page says so and goes on: what was begun stands, and the
        mail can be asked for again. A mail with a code that was not counted yet is counted here, and refused beyond the
        limit."""
        if template_prefix in COUNTED_MAILS and not is_paid(self.request, email) and (why := pay(self.request, email)):
            messages.error(self.request, why)
            raise ImmediateHttpResponse(respond_429(self.request))
        try:
            if twin := self._twin(template_prefix):
                self.render_mail(twin, email, self._stand_ins(twin, context) | context).message().as_bytes()
            super().send_mail(template_prefix, email, context)
        except OSError as error:
            # SMTPException is one, and may name the address, which is no business of a log.
            logger.error("a mail about an account (%s) was not sent: %s", template_prefix, type(error).__name__)
            messages.error(self.request, _("Our mail could not be sent just now. Ask for it again in a few minutes."))
            self.request.mail_has_failed = True

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], headers: dict[str, str] | None = None
    ) -> Any:
        """The mail as text, as allauth makes it, and as HTML in the hand of the mails about games."""
        said = mail.read_account_mail(f"{template_prefix}_message.txt", context)
        message = super().render_mail(template_prefix, email, context | {"mail": said}, headers)
        message.attach_alternative(mail.account_html(message.subject, said), "text/html")
        return message

    def _stand_ins(self, twin: str, context: dict[str, Any]) -> dict[str, Any]:
        """What the mail `twin` names and the one with `context` does not: as long, and made by the same work."""
        make_code = self.generate_password_reset_code if twin == RESET else self.generate_login_code
        url = "" if "signup_url" in context else get_signup_url(self.request)
        code = "" if "code" in context else make_code()
        return {"code": code, "password_reset_url": url, "signup_url": url, "user": None}

    def _twin(self, template_prefix: str) -> str | None:
        is_reset = self.request.path == reverse("account_reset_password")
        return RESET if template_prefix == UNKNOWN and is_reset else TWINS.get(template_prefix)

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        """Say what allauth has to say, but not that a mail is on its way that is not, nor that one must wait where a
        new code can be asked for."""
        if kwargs.get("message") == TOO_OFTEN:
            is_new = request.path == reverse("account_email_verification_sent")
            kwargs["message"] = SIGN_UP_AGAIN if is_new else ASK_FOR_ANOTHER
        if message_template not in SENT or not hasattr(request, "mail_has_failed"):
            super().add_message(request, level, message_template, *args, **kwargs)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """The key under which wrong passwords are counted. It includes who tries, so that no stranger can lock anybody
        out."""
        key: str = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{network_of(request)} {key}"

    def clean_username(self, username: str, shallow: bool = False) -> Any:
        """The name as stored. Raises ValidationError if it is taken or too long, looks like an address, an answer
        by mail or the name of somebody else, has invisible letters or neither letter nor digit, or mixes alphabets that
        look alike."""
        username = normal(username)
        _check_in_mails(username)
        if not NAME.fullmatch(username):
            raise ValidationError(_("A user name is made of letters, digits and . + - _ without spaces."))
        if not any(map(str.isalnum, username)):
            raise ValidationError(_("A user name has at least one letter or digit."))
        if len(username) > NAME_LENGTH:
            raise ValidationError(_("A user name has at most %(length)s letters."), params={"length": NAME_LENGTH})
        if len(ALPHABETS & {unicodedata.name(letter, "").partition(" ")[0] for letter in username}) > 1:
            raise ValidationError(
                _("A user name keeps to one alphabet: letters of this one look like those of another.")
            )
        try:
            username = plain_user_name(username)
        except ValueError:
            raise ValidationError(
                _("A user name has no letter that cannot be seen, or that cannot stand where it does.")
            ) from None
        if looks_like_one_of(username, FORMER):
            raise ValidationError(_("Names that begin like this stand for players who have closed their account."))
        if looks_like_one_of(username, COMPUTER):
            raise ValidationError(_("Names that begin like this stand for computer players."))
        cleaned = super().clean_username(username, shallow)
        if not shallow and Player.objects.filter(look=look_of(username)).exists():
            raise ValidationError(_("Somebody has a name that looks like this one."))
        # Asked last: whoever gives up a name at this moment has noted that before it is free.
        if not shallow and FormerName.objects.like(username).exists():
            raise ValidationError(_("Somebody was called that before, or something that looks like it."))
        return cleaned


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """allauth's adapter for the second factor, with our words for refusals."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("That is not the right code. Each code works once.")
    }

    def generate_authenticator_name(self, user: Any, kind: Any) -> str:
        """What a passkey is called until its player says otherwise: the browser that made it, and its device."""
        name = name_browser(context.request.headers.get("User-Agent", ""))
        names = set(Authenticator.objects.filter(user_id=user.pk, type=kind).values_list("data__name", flat=True))
        numbered = (f"{name} ({number})" for number in count(2))
        return name if name not in names else next(other for other in numbered if other not in names)


def _check_in_mails(name: str) -> None:
    """Raise ValidationError for a name that would be something else in a mail."""
    if "@" in name or has_address(name):
        raise ValidationError(
            _("This looks like the address of a mailbox or of a site: in mails it would become a link.")
        )
    if inbox.is_request(name):
        raise ValidationError(
            _("A user name cannot be a move, nor a word such as tonight or back: with these, players answer mails.")
        )


def normal(name: str) -> str:
    """The name in normal form (NFKC): no wide letters, no ligatures."""
    return unicodedata.normalize("NFKC", name)


def is_unfinished(player: Player | None) -> bool:
    """Whether it is a sign-up that nobody has finished. One query, also without a player."""
    return Player.objects.never_confirmed().filter(pk=player.pk if player else BEHIND_ALL).exists()


class Door(AuthenticationBackend):  # type: ignore[misc]
    """allauth's backend, but a password is hashed exactly once, whoever signs in by whatever, so that the time tells
    nothing; and the player of a session, whom every page asks for, is found by a query written once."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        login = credentials.get("email") or credentials.get("username") or ""
        by_address = Player.objects.filter(email=login.lower()).first()
        by_name = get_user_by_username(login)
        found = by_address or by_name
        # Whoever has begun to sign up is not in yet. If they came in as far as the page that waits for the code, it
        # would tell a stranger, who knows the password, whether that address had an account before.
        if is_unfinished(found):
            found = None
        # Where nobody is found, somebody else is read and their password compared: each way does the same work.
        somebody = Player.objects.filter(pk__gt=BEHIND_ALL if found else 0).order_by("pk").first()
        if found is None and somebody is not None:
            check_password(credentials["password"], somebody.password)
            self._did_check_password = True
        return self._check_password(found, credentials["password"])

    def get_user(self, user_id: int) -> Player | None:
        """The player of a session; None if there is none any more, or none that may come in."""
        found = _player(user_id)
        return found[0] if found and self.user_can_authenticate(found[0]) else None


@prepared
def _player(key: int) -> QuerySet[Player, Any]:
    """The player, with how many tables wait for them, which every page shows."""
    return Player.objects.filter(pk=key).annotate(waiting=Coalesce(Subquery(count_waiting.queryset(key)), 0))


@receiver(pre_save, sender=Authenticator)
def see_codes(instance: Authenticator, **_signal: object) -> None:
    """Note with new recovery codes that they have been seen. allauth would note it when their page is first asked for,
    and a GET changes nothing (design 4.1); nothing hangs on it where codes can be seen more than once."""
    if instance.type == Authenticator.Type.RECOVERY_CODES:
        instance.data.setdefault("viewed_at", time.time())


@receiver(email_changed)
def reach_again(user: Player, **_signal: object) -> None:
    """Send mail again to a player who has given another address: that the old one took no mail says nothing about the
    new one."""
    mail.try_again(user, at=timezone.now())


@require_POST
def start_over(request: HttpRequest) -> HttpResponse:
    """Leave a page that waits for a code. A player whose address was never confirmed goes, so that the name is free.

    The same for an address that has an account already and one that has none, unlike allauth's own change of address.
    """
    stage = LoginStageController.enter(request, EmailVerificationStage.key)
    player = stage.login.user.pk if stage and stage.login.user else request.session.get(STAND_IN, 0)
    Player.objects.never_confirmed().filter(pk=player).delete()
    page = "account_signup" if "sign_up" in request.POST else "account_login"
    answer = SeeOther(passthrough_next_redirect_url(request, reverse(page), "next"))
    request.session.flush()
    return answer

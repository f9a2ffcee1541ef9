"""The browsers in which a player is signed in: a page that lists them and signs them out."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from allauth.account.signals import authentication_step_completed, email_changed, password_changed, password_reset
from allauth.core.internal.sessionkit import get_session_user
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.db.models import F
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.models import Player, TurnToken
from games.pages.accounts import journal  # noqa: F401 - its receivers listen from here on
from games.pages.forms import for_players, read_number
from games.pages.replies import SeeOther
from games.words.browsers import name_browser


@for_players
def sessions(request: HttpRequest, player: Player) -> HttpResponse:
    """The list; a POST signs out one of them (`session`) or all others."""
    if request.method != "POST":
        return render(request, "usersessions/usersession_list.html", {"lines": _lines(request, player)})
    if "session" in request.POST:
        _end_one(request, player, request.POST["session"])
    else:
        _end_others(request, player)
        messages.success(request, _("All other browsers are signed out."))
    return SeeOther(reverse("usersessions_list"))


def _lines(request: HttpRequest, player: Player) -> list[dict[str, Any]]:
    """This browser first, then the others from the newest on; one without a `key` cannot be signed out by itself. One
    query for each, and none writes."""
    here = request.session.session_key
    lines = [
        {
            "key": session.pk,
            "browser": name_browser(session.user_agent),
            "host": session.ip,
            "since": session.created_at,
            "is_here": session.session_key == here,
        }
        for session in UserSession.objects.filter(user=player).order_by("-created_at")
        if _is_alive(session)
    ]
    if not any(line["is_here"] for line in lines):
        lines.append({"browser": name_browser(request.headers.get("User-Agent", "")), "is_here": True})
    return sorted(lines, key=lambda line: not line["is_here"])


def _is_alive(session: Any) -> bool:
    return get_session_user(import_module(settings.SESSION_ENGINE).SessionStore(session.session_key)) is not None


def _end_one(request: HttpRequest, player: Player, key: str) -> None:
    session = get_object_or_404(UserSession, user=player, pk=read_number(key))
    if session.is_current():
        logout(request)
    session.end()


def _end_others(request: HttpRequest, player: Player) -> None:
    """Sign out everywhere else, also sessions of which there is no record."""
    Player.objects.filter(pk=player.pk).update(sign_outs=F("sign_outs") + 1)
    player.refresh_from_db(fields=("sign_outs",))
    for session in UserSession.objects.filter(user=player):
        if not session.is_current():
            session.end()
    UserSession.objects.filter(user=player).delete()
    update_session_auth_hash(request, player)
    request.session.save()
    UserSession.objects.create_from_request(request)


@receiver(password_changed)
@receiver(authenticator_added)
@receiver(authenticator_removed)
def offer(request: HttpRequest, authenticator: Authenticator | None = None, **_signal: object) -> None:
    """Say where to sign out elsewhere, after an action of somebody who no longer trusts an old password. Recovery codes
    come with a second factor, for which it is said already."""
    if authenticator is not None and authenticator.type == Authenticator.Type.RECOVERY_CODES:
        return
    text = _('Are you signed in elsewhere? <a href="{}">The list of your browsers</a> signs them out.')
    messages.info(request, format_html(text, reverse("usersessions_list")))


@receiver(password_changed)
@receiver(password_reset)
@receiver(email_changed)
def end_presses(user: Player, **_signal: object) -> None:
    """Invalidate the buttons of earlier mails that move without signing in, after an action of somebody who no longer
    trusts their mailbox."""
    TurnToken.objects.filter(player=user, use=TurnToken.Use.PRESS).delete()


@receiver(authentication_step_completed)
def renew_key(request: HttpRequest, reauthenticated: bool = False, **_signal: object) -> None:
    """Give the session of a player who has shown the password again another key: one that was stolen before
    opens nothing."""
    if not reauthenticated:
        return
    old = request.session.session_key
    request.session.cycle_key()
    UserSession.objects.filter(session_key=old).update(session_key=request.session.session_key)

"""Joining a table or a season without an account: a visitor first asks for it, then makes the account, and has it.

What was asked for goes along in a signed cookie, which only the form of the page sets: a link to the page that passes
through signing in joins nobody.
"""

from __future__ import annotations

from typing import Any, Final

from allauth.account.signals import user_logged_in
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from games import play, words
from games.models import Game, Player, Season
from games.pages.replies import SeeOther, set_cookie
from games.words.seasons import say_joined

SALT: Final = "games.pages.lists.joining"
AGE: Final = 60 * 60
"""How many seconds somebody has to sign up."""


def ask_for_seat(request: HttpRequest, game: Game, *, entropy: str) -> HttpResponse:
    """Send a visitor who wants a seat to the page for signing up. If they come back signed in, they have it."""
    said = _("So that your turns can call you, a seat needs an account. Once you are in, you sit there.")
    return _ask(request, game, said=said, what="sits", entropy=entropy)


def ask_for_season(request: HttpRequest, season: Season) -> HttpResponse:
    """The same for a visitor who wants to play a season."""
    said = _("So that your turns can call you, a season needs an account. Once you are in, you have joined.")
    return _ask(request, season, said=said, what="joins")


def _ask(request: HttpRequest, place: Game | Season, *, said: str, what: str, entropy: str = "") -> HttpResponse:
    """Lead to the page for signing up, which says `said`, and from there to the place. A form that is refused says once
    more `what` follows (`account/_what_follows.html`)."""
    messages.info(request, said, extra_tags=what)
    response = SeeOther(f"{reverse('account_signup')}?{urlencode({'next': place.get_absolute_url()})}")
    wish = signing.dumps([what, place.slug, entropy], salt=SALT)
    set_cookie(response, settings.WISH_COOKIE_NAME, wish, age=AGE)
    return response


@receiver(user_logged_in)
def join(request: HttpRequest, response: HttpResponse, user: Player, **_signal: Any) -> None:
    """Give a player who has just signed in what they asked for, if that is where they are going. Whoever signs in later
    does not get it again."""
    if settings.WISH_COOKIE_NAME not in request.COOKIES:
        return
    response.delete_cookie(settings.WISH_COOKIE_NAME, samesite="Lax")
    try:
        what, slug, entropy = signing.loads(request.COOKIES[settings.WISH_COOKIE_NAME], salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return
    place = (Season if what == "joins" else Game).objects.filter(slug=slug).first()
    if place is None or response.headers.get("Location") != place.get_absolute_url():
        return
    try:
        messages.success(request, _let_in(user, place, entropy))
    except play.PlayError as error:
        messages.info(request, words.explain_refusal(error))


def _let_in(player: Player, place: Game | Season, entropy: str) -> str:
    """What has been done, as a sentence."""
    if isinstance(place, Season):
        play.join_season(place, player=player, at=timezone.now())
        return say_joined()
    play.join_table(place, player=player, entropy=entropy, at=timezone.now())
    return _("You sit at this table.")

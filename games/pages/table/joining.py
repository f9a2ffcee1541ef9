"""Sitting down without an account: a visitor first asks for the seat, then makes the account, and signing in ends in
the seat.

What was asked for goes along in a signed cookie, which only the form of the table sets: a link to the table that passes
through signing in seats nobody.
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
from games.models import Game, Player
from games.pages.access import table_url
from games.pages.replies import SeeOther, set_cookie

AGE: Final = 60 * 60
"""How many seconds somebody has to sign up."""
SALT: Final = "games.pages.table.joining"


def ask_to_sign_up(request: HttpRequest, game: Game, *, entropy: str) -> HttpResponse:
    """Send a visitor who wants a seat to the page for signing up. If they come back signed in, they have it."""
    said = _("So that your turns can call you, a seat needs an account. Once you are in, you sit there.")
    messages.info(request, said, extra_tags="sits")
    response = SeeOther(f"{reverse('account_signup')}?{urlencode({'next': game.get_absolute_url()})}")
    set_cookie(response, settings.SEAT_COOKIE_NAME, signing.dumps([game.slug, entropy], salt=SALT), age=AGE)
    return response


@receiver(user_logged_in)
def sit_down(request: HttpRequest, response: HttpResponse, user: Player, **_signal: Any) -> None:
    """Give a player who has just signed in the seat that they asked for, if that is where they are going."""
    if settings.SEAT_COOKIE_NAME not in request.COOKIES:
        return
    response.delete_cookie(settings.SEAT_COOKIE_NAME, samesite="Lax")
    try:
        slug, entropy = signing.loads(request.COOKIES[settings.SEAT_COOKIE_NAME], salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return
    game = Game.objects.filter(slug=slug).first()
    if game is None or response.headers.get("Location") != table_url(slug):
        return
    try:
        play.join_table(game, player=user, entropy=entropy, at=timezone.now())
        messages.success(request, _("You sit at this table."))
    except play.PlayError as error:
        messages.info(request, words.explain_refusal(error))

"""Sitting down without an account: a visitor first asks for the seat, then makes the account, and sits there."""

from __future__ import annotations

from typing import Any, Final

from allauth.account.signals import user_logged_in
from django.contrib import messages
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play, words
from games.models import Game, Player
from games.pages.replies import ask_to_sign_up, take_wish

SALT: Final = "games.pages.table.joining"


def ask_for_seat(request: HttpRequest, game: Game, *, entropy: str) -> HttpResponse:
    """Send a visitor who wants a seat to the page for signing up. If they come back signed in, they have it."""
    said = _("So that your turns can call you, a seat needs an account. Once you are in, you sit there.")
    wish = (game.slug, entropy)
    return ask_to_sign_up(request, page=game.get_absolute_url(), wish=wish, salt=SALT, said=said, tag="sits")


@receiver(user_logged_in)
def sit_down(request: HttpRequest, response: HttpResponse, user: Player, **_signal: Any) -> None:
    """Give a player who has just signed in the seat that they asked for, if that is where they are going."""
    wish = take_wish(request, response, salt=SALT)
    game = Game.objects.filter(slug=wish[0]).first() if wish else None
    if wish is None or game is None:
        return
    try:
        play.join_table(game, player=user, entropy=wish[1], at=timezone.now())
        messages.success(request, _("You sit at this table."))
    except play.PlayError as error:
        messages.info(request, words.explain_refusal(error))

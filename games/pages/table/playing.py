"""A move as a form sends it, and the form that takes one back: what the table and the page of a mail do alike."""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games import play, rules, words
from games.limits import TAKE_BACKS
from games.models import Game, Player, Seat
from games.pages.counting import refused
from games.pages.forms import MoveForm, TurnForm
from games.pages.replies import CONFLICT, INCOMPLETE, TOO_OFTEN


class NotPlayed(NamedTuple):
    """Why nothing was done, and the status of the page that says so: CONFLICT where the game has gone on."""

    text: str
    status: HTTPStatus


def play_form(form: MoveForm, game: Game, *, seat: Seat, key: str, said: str = "") -> play.Played | NotPlayed:
    """Play the move of a form that is valid."""
    ply, edition = form.cleaned_data["ply"], form.edition
    try:
        return play.play_move(
            game, seat=seat, move=form.text, ply=ply, key=key, at=play.now(), edition=edition, words=said
        )
    except rules.ClansError as error:
        return NotPlayed(words.explain_error(error), INCOMPLETE)
    except play.PlayError as error:
        return NotPlayed(words.explain_refusal(error), CONFLICT)


def take_back_form(request: HttpRequest, game: Game, player: Player) -> NotPlayed | None:
    """Take the move back that the form of the request is for; raises `play.PlayError` where that cannot be."""
    form = TurnForm(request.POST)
    if not form.is_valid():
        return NotPlayed(_("Something was missing, so nothing was taken back."), INCOMPLETE)
    if refused(TAKE_BACKS, request, person=player.pk):
        return NotPlayed(
            _("You have taken back many moves. Wait a while before the next one; this one stands until then."),
            TOO_OFTEN,
        )
    play.take_back(game, player=player, ply=form.cleaned_data["ply"], edition=form.edition, at=play.now())
    return None

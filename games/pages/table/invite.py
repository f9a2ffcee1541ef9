"""Inviting people to an open table from its page, withdrawing that, and declining."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play, words
from games.models import Game, Player
from games.pages.forms import read_number
from games.pages.replies import CONFLICT, FORBIDDEN, INCOMPLETE, TOO_OFTEN, done
from games.pages.table.actions import action
from games.pages.table.invited import LONGEST, InviteForm
from games.pages.table.page import show_table

_STATUS: Final[dict[type[play.PlayError], int]] = {
    play.NotTheOpener: FORBIDDEN,
    play.TableNotOpen: CONFLICT,
    play.TableFull: CONFLICT,
    play.NoSeatToKeep: CONFLICT,
    play.InvitesTooOften: TOO_OFTEN,
    play.TooManyUnanswered: TOO_OFTEN,
}


@action
def invite(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Invite somebody. If that is refused, the form says why and keeps what was typed."""
    form = InviteForm(request.POST)
    if game.opener_id != player.pk:
        raise play.NotTheOpener
    if not form.is_valid():
        return _refuse(request, game, form, INCOMPLETE)
    to = form.cleaned_data["to"]
    try:
        play.invite(game, by=player, **form.cleaned_data, at=timezone.now())
    except play.PlayError as error:
        form.add_error("to", words.explain_refusal(error))
        status = _STATUS.get(type(error), INCOMPLETE)
        game.refresh_from_db()
        return _refuse(request, game, form, status)
    return done(request, game, _("%(name)s is invited.") % {"name": to})


def _refuse(request: HttpRequest, game: Game, form: InviteForm, status: int) -> HttpResponse:
    """The page with the form, at its field: the form stands too far down to be seen at once. A table that is no longer
    open has no form."""
    if game.status != Game.Status.OPEN:
        return _too_late(request, game)
    form.fields["to"].widget.attrs["autofocus"] = True
    return show_table(request, game, invite_form=form, status=status)


def _too_late(request: HttpRequest, game: Game) -> HttpResponse:
    """The page of a game that has begun meanwhile, or of a table that is closed, with what was typed."""
    refusal, to = words.explain_refusal(play.TableNotOpen()), words.one_line(request.POST.get("to", ""))[:LONGEST]
    if to:
        refusal = f"{refusal} {_('%(name)s is not invited.') % {'name': to}}"
    return show_table(request, game, refusal=refusal, status=CONFLICT)


@action
def withdraw_invitation(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Withdraw an invitation."""
    number = read_number(request.POST.get("invitation", ""))
    play.withdraw_invitation(game, player=player, invitation=number, at=timezone.now())
    return done(request, game, _("The invitation is withdrawn, and its link does not work any more."))


@action
def decline(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Decline the invitations of the player to the table."""
    play.decline_invitations(game, player=player, at=timezone.now())
    return done(request, game, _("You have declined. Whoever invited you sees that at the table."))

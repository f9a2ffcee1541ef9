"""Changing who sits at a table: before the game its opener releases somebody or hands the table on; later somebody
takes over a seat."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play
from games.limits import TAKEOVERS
from games.models import Game, Player
from games.pages.counting import refused
from games.pages.replies import TOO_OFTEN, done
from games.pages.table.actions import action, ask, is_sure
from games.pages.table.page import free_seats_for, show_table
from games.pov import look


@action
def release(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Release somebody from the table if its opener is `sure`; else ask."""
    name = request.POST.get("who", "")
    names = {"name": name}
    if _asks(request, game, player, name):
        what = _(
            "%(name)s loses the seat and is told by mail. What they have said at this table goes with it. They can sit"
            " down again while a seat is free, unless you block them."
        )
        question, yes = _("Release %(name)s?") % names, _("Yes, release %(name)s") % names
        return ask(request, game, question, what=what % names, yes=yes, who=name, is_danger=True)
    play.release_player(game, by=player, name=name, at=timezone.now())
    return done(request, game, _("%(name)s sits here no longer, and is told by mail.") % names)


@action
def hand_on(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Make somebody who sits there the opener of the table if its opener is `sure`; else ask."""
    name = request.POST.get("who", "")
    names = {"name": name}
    if _asks(request, game, player, name):
        what = _(
            "From then on %(name)s invites people, starts the game or closes the table, and is told so by mail. You"
            " keep your seat, and can leave."
        )
        question = _("Hand the table on to %(name)s?") % names
        return ask(request, game, question, what=what % names, yes=_("Yes, hand it on"), who=name)
    play.hand_on_table(game, by=player, name=name, at=timezone.now())
    return done(request, game, _("The table is %(name)s’s now.") % names)


@action
def take_over(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Take over a seat of a running game if the player is `sure`; else ask."""
    number = request.POST.get("who", "")
    if not number.isdecimal() or len(number) > 1:
        raise play.NotToTakeOver
    pov = look(game, viewer=player)
    seat = next((seat for seat in free_seats_for(game, pov, player) if seat.number == int(number)), None)
    if not is_sure(request) and seat:
        what = _(
            "You get the card of %(name)s and play on to the end; your clock begins anew. %(name)s is told by mail and"
            " cannot come back. The game counts for no rating."
        )
        names = {"name": seat.name}
        question = _("Take over the seat of %(name)s?") % names
        return ask(request, game, question, what=what % names, yes=_("Yes, take it over"), who=number)
    if refused(TAKEOVERS, request, person=player.pk):
        refusal = _("You have taken over as many seats as one player may in a day. Take over another tomorrow.")
        return show_table(request, game, refusal=refusal, status=TOO_OFTEN)
    play.take_over(game, player=player, number=int(number), at=play.now())
    return done(request, game, _("The seat is yours, with its card."))


def _asks(request: HttpRequest, game: Game, player: Player, name: str) -> bool:
    """Whether to ask first; not if the request will be refused anyway."""
    if is_sure(request) or game.opener_id != player.pk or game.status != Game.Status.OPEN:
        return False
    return name in game.seats.filter(player__isnull=False).exclude(player=player).values_list("name", flat=True)

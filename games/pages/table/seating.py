"""Changing who sits at a table: before the game its opener releases somebody or hands the table on; later somebody
takes over a seat."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play
from games.limits import TAKEOVERS
from games.models import Game, Player
from games.pages.counting import refused
from games.pages.replies import TOO_OFTEN
from games.pages.table.actions import action, done
from games.pages.table.page import show_table
from games.pages.table.takeover import free_seats_for
from games.pov import look


@action
def release(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Release somebody from the table if its opener is `sure`; else ask."""
    name = request.POST.get("who", "")
    if _asks(request, game, player, name):
        return _ask(
            request,
            game,
            name,
            question=_("Release %(name)s?"),
            what=_(
                "%(name)s loses the seat and is told by mail. What they have said at this table goes with it. They can"
                " sit down again while a seat is free, unless you block them."
            ),
            yes=_("Yes, release %(name)s"),
            is_danger=True,
        )
    play.release_player(game, by=player, name=name, at=timezone.now())
    return done(request, game, _("%(name)s sits here no longer, and is told by mail.") % {"name": name})


@action
def hand_on(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Make somebody who sits there the opener of the table if its opener is `sure`; else ask."""
    name = request.POST.get("who", "")
    if _asks(request, game, player, name):
        return _ask(
            request,
            game,
            name,
            question=_("Hand the table on to %(name)s?"),
            what=_(
                "From then on %(name)s invites people, starts the game or closes the table, and is told so by mail. You"
                " keep your seat, and can leave."
            ),
            yes=_("Yes, hand it on"),
        )
    play.hand_on_table(game, by=player, name=name, at=timezone.now())
    return done(request, game, _("The table is %(name)s’s now.") % {"name": name})


@action
def take_over(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Take over a seat of a running game if the player is `sure`; else ask."""
    number = request.POST.get("who", "")
    if not number.isdecimal() or len(number) > 1:
        raise play.NotToTakeOver
    pov = look(game, viewer=player)
    seat = next((seat for seat in free_seats_for(game, pov, player) if seat.number == int(number)), None)
    if request.POST.get("sure") != "yes" and seat:
        return _ask(
            request,
            game,
            seat.name,
            who=number,
            question=_("Take over the seat of %(name)s?"),
            what=_(
                "You get the card of %(name)s and play on to the end; your clock begins anew. %(name)s is told by mail"
                " and cannot come back. The game counts for no rating."
            ),
            yes=_("Yes, take it over"),
        )
    if refused(TAKEOVERS, request, person=player.pk):
        refusal = _("You have taken over as many seats as one player may in a day. Take over another tomorrow.")
        return show_table(request, game, refusal=refusal, status=TOO_OFTEN)
    play.take_over(game, player=player, number=int(number), at=play.now())
    return done(request, game, _("The seat is yours, with its card."))


def _asks(request: HttpRequest, game: Game, player: Player, name: str) -> bool:
    """Whether to ask first; not if the request will be refused anyway."""
    if request.POST.get("sure") == "yes" or game.opener_id != player.pk or game.status != Game.Status.OPEN:
        return False
    return name in game.seats.filter(player__isnull=False).exclude(player=player).values_list("name", flat=True)


def _ask(
    request: HttpRequest,
    game: Game,
    name: str,
    *,
    question: str,
    what: str,
    yes: str,
    is_danger: bool = False,
    who: str = "",
) -> HttpResponse:
    names = {"name": name}
    about: dict[str, Any] = {"question": question % names, "what": what % names, "yes": yes % names}
    return render(request, "games/seat_ask.html", {"game": game, "who": who or name, "is_danger": is_danger, **about})

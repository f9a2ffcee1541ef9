"""What the opener of an open table does with who sits there: release somebody, or hand the table on."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play
from games.models import Game, Player
from games.pages.table.verbs import done, verb


@verb
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


@verb
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


def _asks(request: HttpRequest, game: Game, player: Player, name: str) -> bool:
    """Whether to ask first; what is refused anyway is not asked about."""
    if request.POST.get("sure") == "yes" or game.opener_id != player.pk or game.status != Game.Status.OPEN:
        return False
    return game.seats.filter(player__isnull=False, name=name).exclude(player=player).exists()


def _ask(
    request: HttpRequest, game: Game, name: str, *, question: str, what: str, yes: str, is_danger: bool = False
) -> HttpResponse:
    who = {"name": name}
    about: dict[str, Any] = {"question": question % who, "what": what % who, "yes": yes % who}
    return render(request, "games/seat_ask.html", {"game": game, "who": name, "is_danger": is_danger, **about})
